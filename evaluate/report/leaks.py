"""What a team is shown of an attempt at a hidden exam.

A team's attempts are counted for the hidden records that they reveal, in all phases together.  `show` and `digits` of
``feedback`` in ``challenge.yaml`` say what each tells:

score    counts of records and usage to two digits, the numbers of the score to so many digits
verdict  the verdict alone until the phase ends; then the score, if it is the best one of the team in the phase

Where scores are withheld when an attempt is charged, its score is shown after their release, if it is the best one of
the team in the phase.  All of that is decided when the attempt is charged, and kept
(`evaluate.queue.entries.leak_accounts`): what a team has read never changes.
`evaluate.report.audience` decides by it what is shown.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from evaluate.challenge.types import Show
from evaluate.core.model import Score, Usage

_SMALLEST, _LARGEST = 1e-9, 1e10
"""Numbers of a score that are nearer to zero are shown as zero, larger ones as infinite."""
_MINUTE = 60.0


@dataclass(frozen=True, kw_only=True)
class Feedback:
    """What is revealed to a team of one attempt at a hidden exam; it never changes, but for ``over`` and ``best``."""

    show: Show
    digits: int
    """Of the numbers of a score."""
    number: int = 0
    """Which attempt of the team at these hidden records it is, from 1; 0: it has not reached the exam."""
    withheld: bool = False
    """Whether scores were withheld when it was charged."""
    over: bool = False
    """Whether the phase has ended."""
    best: bool = False
    """Whether it has the best score of the team in the phase."""

    @property
    def at_once(self) -> bool:
        """Whether the team is shown its score whatever its others are."""
        return self.show is Show.SCORE and not self.withheld

    @property
    def scored(self) -> bool:
        """Whether the team is shown its score, where scores are released."""
        return self.at_once or (self.best and (self.over or self.show is Show.SCORE))

    def number_shown(self, value: float) -> float:
        """A number of the score as it is shown."""
        if not math.isfinite(value) or abs(value) < _SMALLEST:
            return value if not math.isfinite(value) else 0.0
        if abs(value) >= _LARGEST:
            return math.copysign(math.inf, value)
        return float(f"{value:.{self.digits - 1}e}")

    def numbers_shown(self, score: Score) -> Score:
        """A score as it is shown."""
        shown = self.number_shown
        return Score(
            primary=score.primary,
            values={key: shown(value) for key, value in score.values.items()},
            official={key: shown(value) for key, value in score.official.items()},
            intervals={key: (shown(low), shown(high)) for key, (low, high) in score.intervals.items()},
            clusters=score.clusters,
        )

    @property
    def sentence(self) -> str:
        """What the team reads of its attempts, and of what they tell."""
        if not self.number:
            return "it has not reached the exam, so it is no attempt at the hidden records"
        if self.show is Show.VERDICT:
            rule = "verdicts alone are shown until the phase ends, and then the score of the team's best attempt in it"
        elif self.withheld:
            rule = "scores were withheld, so of a phase the score of the team's best attempt is shown"
        else:
            rule = f"scores are shown to {self.digits} digits"
        return f"attempt {self.number} of the team at these hidden records, all phases together; {rule}"


def coarse(usage: Usage) -> Usage:
    """To two digits: the exact sums would reveal tens of bits about the hidden records with every attempt."""
    return Usage(
        instructions=int(two_digits(usage.instructions)),
        wall_seconds=two_digits(round(usage.wall_seconds, 1)),
        memory_bytes=int(two_digits(usage.memory_bytes)),
        output_bytes=int(two_digits(usage.output_bytes)),
    )


def two_digits(value: float) -> float:
    """A number to two significant digits."""
    return float(f"{value:.1e}")


def to_the_minute(at: float) -> float:
    """A time, seconds since 1970, rounded down."""
    return at - at % _MINUTE
