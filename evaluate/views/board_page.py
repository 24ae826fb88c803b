"""The board of a challenge as one HTML file that loads nothing else, with the certainty of its places.

It is made of what the board shows, and of how stable ranks are under resampling: never of the resampled scores
themselves, from which those of single records could be computed (see `evaluate.report.audience`).  Shares are whole
percents.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from evaluate.config.challenge.types import Challenge
from evaluate.report.audience import Policy, measures_on_board
from evaluate.report.html import environment
from evaluate.report.words import MOST_DECIMALS, decimals_of
from evaluate.store.entries.best_attempts import Attempt, with_resampled
from evaluate.store.entries.store import Store
from evaluate.views.board import BoardRow, data_in_words, rules_in_words, scored_attempts


@dataclass(frozen=True, kw_only=True)
class BoardLine(BoardRow):
    """A row of the board, and what is known besides."""

    rank_low: float = math.nan
    rank_high: float = math.nan
    """95 % interval of the rank; NaN where it is not known."""
    mean_rank: float = math.nan
    frequencies: tuple[float, ...] = ()
    """Share of resamples in which the team had rank 1, 2, …"""
    submitted: float | None = None
    """Seconds since 1970; None where it is not known."""
    values: Mapping[str, float] = field(default_factory=dict)
    """All measures of the score that may be shown."""


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


def standing(
    title: str, places: Sequence[BoardRow], attempts: Mapping[str, Attempt], decimals: int = 12
) -> BoardSection:
    """A phase of the board with the stability of its ranks.

    * ``places``: the rows of one phase, best first.
    * ``attempts`` (mapping of entry to Attempt): with the resampled scores.
    * ``decimals``: see `evaluate.views.board.board`.
    """
    plain = tuple(BoardLine(**asdict(row)) for row in places)
    if head := data_in_words(places):
        return BoardSection(title=title, lines=plain, head=head)
    everything, places = plain, [row for row in places if not row.baseline]
    plain = tuple(line for line in plain if not line.baseline)
    drawn = [attempts[row.entry].resampled for row in places]
    if len(places) < 2 or len({len(resampled) for resampled in drawn}) > 1 or not drawn[0]:
        unknown = "no resampled scores of all teams are kept, so how ranks change is not known"
        return BoardSection(title=title, lines=everything, notes=(unknown,) if len(places) > 1 else ())
    import numpy as np  # noqa: PLC0415  # most commands of the queue need not wait for it

    from metrics.ranking import ranking_of  # noqa: PLC0415

    values = np.array(drawn, np.float64)
    scores = [math.nan if row.score is None else row.score for row in places]
    clusters = attempts[places[0].entry].clusters
    ranking = ranking_of([row.entry for row in places], scores, values, clusters=clusters, decimals=decimals)
    known_lines = {
        line.entry: replace(
            line,
            rank_low=ranking.rank_intervals[i][0],
            rank_high=ranking.rank_intervals[i][1],
            mean_rank=ranking.mean_ranks[i],
            frequencies=tuple(ranking.frequencies[i].tolist()),
        )
        for i, line in enumerate(plain)
    }
    lines = tuple(known_lines.get(line.entry, line) for line in everything)
    return BoardSection(title=title, lines=lines, kendall_tau=ranking.kendall_tau, notes=tuple(map(str, ranking.notes)))


def section_of(
    store: Store,
    challenge: Challenge,
    title: str,
    places: Sequence[BoardRow],
    *,
    hidden: bool,
    most: float = math.inf,
) -> BoardSection:
    """`standing` with all measures, subgroups among them; nothing that would tell of a hidden exam.

    * ``hidden``: the exam of its phase is hidden.
    * ``most``: teams whose ranks are compared at most.
    """
    decimals = challenge.board.decimals
    keys, attempts = scored_attempts(store, places)
    by_entry = {attempt.entry: attempt for attempt in (attempts if hidden else with_resampled(store, attempts))}
    if hidden or len(places) > most:
        plain = {entry: replace(attempt, resampled=()) for entry, attempt in by_entry.items()}
        why = "the exam is hidden" if hidden else f"there are more than {most} teams"
        section = replace(standing(title, places, plain, decimals), notes=(f"how ranks change is not shown: {why}",))
    else:
        section = standing(title, places, by_entry, decimals)
    policy = Policy(hidden_exam=hidden)
    lines = tuple(
        replace(
            line,
            submitted=by_entry[line.entry].submitted or None,
            values=measures_on_board(by_entry[line.entry].values, policy),
        )
        for line in section.lines
    )
    return replace(
        section,
        lines=lines,
        measure=next(iter(keys.values()), ""),
        notes=(*section.notes, *filter(None, [rules_in_words(challenge)])),
        most_decimals=min(decimals, MOST_DECIMALS),
    )
