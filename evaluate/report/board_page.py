"""The board of a challenge as one HTML file that loads nothing else.

It is made of what the board shows, and of how stable ranks are under resampling: never of the resampled scores
themselves, from which those of single records could be computed (see `evaluate.report.audience`).  Shares are whole
percents.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evaluate.report.html import environment
from evaluate.report.words import MOST_DECIMALS, decimals_of
from metrics.display import GroupLine, group_table


@dataclass(frozen=True, kw_only=True)
class BoardLine:
    """Line of a team."""

    rank: int | None
    """None: a baseline, or not compared (`evaluate.views.board`)."""
    team: str
    entry: str
    score: float | None
    low: float | None
    high: float | None
    """95 % interval of the score."""
    tied: str
    attempts: int
    rank_low: float = math.nan
    rank_high: float = math.nan
    """95 % interval of the rank; NaN where it is not known."""
    mean_rank: float = math.nan
    frequencies: tuple[float, ...] = ()
    """Share of resamples in which the team had rank 1, 2, …"""
    data: str = ""
    """Name of the data that it was judged by; empty if all were judged by the same."""
    submitted: float | None = None
    """Seconds since 1970; None where it is not known."""
    values: Mapping[str, float] = field(default_factory=dict)
    """All measures of the score that may be shown."""
    groups: tuple[GroupLine, ...] = ()
    """The scores of subgroups, if there are some that may be shown."""
    baseline: bool = False
    """True if the organiser marked it as one."""


@dataclass(frozen=True, kw_only=True)
class BoardSection:
    """Phase of a board, best team first."""

    title: str
    lines: tuple[BoardLine, ...]
    kendall_tau: tuple[float, float, float] = (math.nan, math.nan, math.nan)
    """Agreement of resampled rankings with this one: lower bound, median, upper bound."""
    notes: tuple[str, ...] = ()
    measure: str = ""
    """Name of the measure that ranks; empty where it is not known."""
    head: str = ""
    """Text that must be known before the lines are read."""
    most_decimals: int = MOST_DECIMALS
    """Decimals with which scores are shown at most."""

    @property
    def stable(self) -> bool:
        """True if it is known how ranks change."""
        return len(self.ranked) > 1 and all(line.frequencies for line in self.ranked)

    @property
    def ranked(self) -> tuple[BoardLine, ...]:
        """Lines that are not baselines."""
        return tuple(line for line in self.lines if not line.baseline)

    @property
    def compared(self) -> tuple[BoardLine, ...]:
        """Lines that were judged by the same data, baselines among them."""
        data = next((line.data for line in self.lines if line.rank is not None), "")
        return tuple(line for line in self.lines if line.data == data)

    @property
    def measures(self) -> tuple[str, ...]:
        """Names of all measures, the primary one first."""
        names = dict.fromkeys(key for line in self.lines for key in line.values)
        return tuple(sorted(names, key=lambda key: key != self.measure))

    @property
    def decimals(self) -> int:
        """Decimals of all scores, as many as one of them has."""
        return decimals_of((line.score for line in self.lines), self.most_decimals)

    def decimals_of(self, key: str) -> int:
        """Decimals of a measure in all lines."""
        return decimals_of((line.values.get(key) for line in self.lines), self.most_decimals)

    @property
    def groups(self) -> tuple[tuple[str, ...], list[tuple[float | str, ...]]]:
        """Heads and cells of the table of subgroups (`metrics.display.group_table`)."""
        return group_table([line.groups for line in self.lines])

    @property
    def mixed(self) -> bool:
        """True if entries were judged by different data."""
        return any(line.data for line in self.lines)

    @property
    def scores(self) -> tuple[float, float] | None:
        """The ends of the axis of scores and their intervals; None without two different numbers."""
        numbers = [x for line in self.compared for x in (line.score, line.low, line.high) if x is not None]
        finite = [x for x in numbers if math.isfinite(x)]
        return (min(finite), max(finite)) if finite and min(finite) < max(finite) else None


def to_html(name: str, sections: Sequence[BoardSection], *, released: bool, sealed: str = "") -> str:
    """The page of the challenge ``name``.

    * ``released``: whether teams may see their scores; else the page says that it is for the organiser only.
    * ``sealed``: what is said of the challenge's seal; empty if it has none.
    """
    return (
        environment().get_template("board.html").render(name=name, sections=sections, released=released, sealed=sealed)
    )
