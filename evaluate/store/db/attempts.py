"""Attempts as a board sees them: those that count there, and groups of tied teams; knows no database."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One entry that reached the exam."""

    entry: str
    team: str
    number: int
    submitted: float
    score: float | None
    """None if the entry got no score."""
    low: float | None = None
    high: float | None = None
    """95 % interval, where the metric gives one."""
    attempt: int = 1
    scored: int = 0
    """Number of scored attempts of its team that it stands for, itself among them; 0: itself alone."""
    resampled: tuple[float, ...] = ()
    """The score on bootstrap resamples of the records, the same for every entry; empty where not kept, or not read."""
    values: Mapping[str, float] = field(default_factory=dict)
    """All measures of the score, the primary one among them; empty where not read."""
    clusters: int = 0
    """Number of independent records or patients that the resamples were drawn from."""
    instructions: int = 0
    wall_seconds: float = 0.0
    """Wall time of the exam."""
    judged: str = ""
    """Digest of what its score was given by (`evaluate.receipts.exam_data`)."""
    judged_at: float = 0.0
    """When its score was given."""
    baseline: bool = False
    """True if it, or its team, is marked as a baseline, which has no rank (`evaluate.store.entries.baselines`)."""

    def rounded(self, decimals: int) -> float:
        """The score by which it is ranked."""
        return -math.inf if self.score is None or math.isnan(self.score) else round(self.score, decimals)


@dataclass(frozen=True, kw_only=True)
class CountingRules:
    """Rules of the board of one phase: the attempts that count there."""

    begins: float
    ends: float
    """Entries are of the phase if they were submitted since ``begins`` and before ``ends``."""
    most: int
    """Attempts of a team; 0: any number."""
    decimals: int
    """Scores that are equal to so many decimals are equal."""
    judged: str | None = None
    """Digest of the data whose scores are compared, where scores were given by different data; None: all by one."""
    shown: bool = False
    """True if only attempts count whose scores their teams were shown (`evaluate.store.entries.leak_accounts`)."""

    def compares(self, attempt: Attempt) -> bool:
        """True if an attempt is compared with others."""
        return not attempt.baseline and (self.judged is None or attempt.judged == self.judged)


def of_one_data(attempts: Iterable[Attempt], judged: str | None) -> list[Attempt]:
    """The scored attempts of a team that may be compared: those of the data ``judged``, else of its newest."""
    scored = [attempt for attempt in attempts if attempt.score is not None]
    if judged is None or not scored:
        return scored
    data = judged if any(attempt.judged == judged for attempt in scored) else max(scored, key=_given).judged
    return [attempt for attempt in scored if attempt.judged == data]


def _given(attempt: Attempt) -> tuple[float, int]:
    return attempt.judged_at, attempt.number


def on_board(attempts: Sequence[Attempt], judged: str | None, decimals: int) -> list[Attempt]:
    """The attempts of one team on a board: its best, and each of its baselines."""
    alike = in_order(of_one_data([attempt for attempt in attempts if not attempt.baseline], judged), decimals)
    counts = alike[0] if alike else None
    baselines = in_order([attempt for attempt in attempts if attempt.baseline], decimals)
    best = [replace(counts, scored=counts.scored or len(alike))] if counts else []
    return [*best, *(replace(attempt, scored=1) for attempt in baselines)]


def in_order(attempts: Iterable[Attempt], decimals: int) -> list[Attempt]:
    """Return the attempts with a score, best first; of equal ones the earlier."""
    scored = (attempt for attempt in attempts if attempt.score is not None)
    return sorted(scored, key=lambda attempt: (-attempt.rounded(decimals), attempt.number))


def letters_of(order: Sequence[Attempt]) -> Mapping[str, str]:
    """Entry -> the letter of its group; empty unless every entry has the same number of resampled scores.

    ``order``: best first, with their resampled scores.
    """
    lengths = {len(attempt.resampled) for attempt in order}
    if len(order) < 2 or len(lengths) > 1 or 0 in lengths:
        return {}
    import numpy as np  # noqa: PLC0415  # what most commands of the queue need not wait for

    from metrics.uncertainty import tied_groups  # noqa: PLC0415

    values = np.array([attempt.resampled for attempt in order], np.float64)
    groups = tied_groups([attempt.entry for attempt in order], values, clusters=order[0].clusters or None)
    return {entry: _letter(number) for number, group in enumerate(groups) for entry in group}


def _letter(number: int) -> str:
    """a, b, … z, aa, ab …"""
    head, tail = divmod(number, 26)
    return (_letter(head - 1) if head else "") + chr(ord("a") + tail)
