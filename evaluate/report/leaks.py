"""How much a team learns of a hidden exam: each thing that it is told has a size in bits, and a phase has a budget.

A thing's size is the logarithm of how many values it can take, so the sum is an upper bound of what an entry that was
written to send something out can send.  There are two levels of feedback, and the rule between them is said before:

full     verdict, counts and usage to two digits, every number of the score to so many digits
ladder   verdict, and the score only when it is better than what the team was told before by at least one step, then
         rounded down to a multiple of the step (A. Blum and M. Hardt, The Ladder: a reliable leaderboard for machine
         learning competitions, ICML 2015): many attempts then tell little more than few

An attempt gets full feedback if the budget has room for it, and for the ladder in every attempt that the team has left.
`evaluate.report.audience` decides by it what is shown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from evaluate.challenge import FeedbackRules
from evaluate.core.model import Score, Usage, Verdict

_TEAMS = 1024
"""A board is taken to have at most so many teams."""
_SMALLEST, _LARGEST = 1e-9, 1e10
"""Numbers of a score that are nearer to zero are told as zero, larger ones as infinite."""
_MINUTE = 60.0
_FAILURES = sum(not verdict.passed for verdict in Verdict)
_SECOND_DIGITS = 90
"""Numbers of two digits."""


class Level(StrEnum):
    """How much is told."""

    FULL = "full"
    LADDER = "ladder"


@dataclass(frozen=True, kw_only=True)
class Told:
    """One thing that a team is told."""

    what: str
    bits: float
    """The binary logarithm of how many values it can have."""


@dataclass(frozen=True, kw_only=True)
class Feedback:
    """What a team may be told of one attempt at a hidden exam."""

    rules: FeedbackRules
    records: int
    """Of the exam."""
    seconds: float
    """That the exam may take by its limits."""
    instructions: int
    """The same."""
    memory_bytes: int
    attempts: int = 0
    """How many the team has in the phase; 0: any number."""
    number: int = 1
    """Which of them this one is."""
    used: float = 0.0
    """Bits that earlier ones told."""
    best: float | None = None
    """The best score that the team was told."""
    numbers: int = 0
    """How many numbers the score of this attempt has; 0: it has none."""

    @property
    def level(self) -> Level:
        """Which level this attempt gets."""
        left = max(0, self.attempts - self.number) * _bits(self.ladder)
        return Level.FULL if self.used + _bits(self.full) + left <= self.rules.bits else Level.LADDER

    @property
    def told(self) -> tuple[Told, ...]:
        """What this attempt tells."""
        return self.full if self.level is Level.FULL else self.ladder

    @property
    def bits(self) -> float:
        """The size of that."""
        return _bits(self.told)

    @property
    def full(self) -> tuple[Told, ...]:
        """What is told at the level ``full``."""
        counts = (_FAILURES + 2) * _two_digits(self.records)
        counts = min(counts, math.log2(math.comb(self.records + _FAILURES + 1, _FAILURES + 1)))
        return (
            *self._always,
            Told(what="counts of records", bits=counts),
            Told(what="instructions", bits=_two_digits(self.instructions)),
            Told(what="tenths of seconds", bits=_two_digits(10 * self.seconds)),
            Told(what="memory", bits=_two_digits(self.memory_bytes)),
            Told(what="numbers of the score", bits=self.numbers * _number(self.rules.digits)),
        )

    @property
    def ladder(self) -> tuple[Told, ...]:
        """What is told at the level ``ladder``."""
        return (*self._always, Told(what="a better score", bits=math.log2(2 + math.ceil(1 / self.rules.step))))

    @property
    def _always(self) -> tuple[Told, ...]:
        return (
            Told(what="verdict", bits=math.log2(len(Verdict))),
            Told(what="the minute of its end", bits=math.log2(2 + self.seconds // _MINUTE)),
            Told(what="place on the board", bits=math.log2(_TEAMS)),
        )

    def number_told(self, value: float) -> float:
        """A number of the score as it is told at the level ``full``."""
        if not math.isfinite(value) or abs(value) < _SMALLEST:
            return value if not math.isfinite(value) else 0.0
        if abs(value) >= _LARGEST:
            return math.copysign(math.inf, value)
        return float(f"{value:.{self.rules.digits - 1}e}")

    def score_told(self, value: float) -> float | None:
        """The score as it is told; None: only that it is not better by a step."""
        if self.level is Level.FULL:
            return self.number_told(value)
        if math.isnan(value) or (self.best is not None and value < self.best + self.rules.step):
            return None
        return self.stepped(value)

    def stepped(self, value: float) -> float:
        """Rounded down to a multiple of the step."""
        if not math.isfinite(value):
            return value
        digits = max(0, 2 - math.floor(math.log10(self.rules.step)))
        return round(math.floor(value / self.rules.step + _SMALLEST) * self.rules.step, digits)

    @property
    def sentence(self) -> str:
        """What the team is told of all this."""
        left = self.rules.bits - self.used - self.bits
        rest = f"{left:.0f} are left" if left >= 0 else f"{-left:.0f} more than that"
        of = f"attempt {self.number}" + (f" of {self.attempts}" if self.attempts else "")
        rule = (
            f"when they no longer suffice, only a score that is better by {self.rules.step:g} is told"
            if self.level is Level.FULL
            else f"so only a score that is better by {self.rules.step:g} than the best one that was told is told"
        )
        told = self.used + self.bits
        return (
            f"{of} tells at most {self.bits:.0f} bits of the hidden records; "
            f"{told:.0f} of {self.rules.bits} in this phase, {rest}; {rule}"
        )


def after(feedback: Feedback, earlier: Sequence[Score | None]) -> tuple[float, float | None]:
    """The bits that the earlier attempts of a phase told, and the best score that they told.

    Parameters
    ----------
    feedback : Feedback
        Of any attempt of the phase; only its rules and limits count.
    earlier : sequence of Score or None
        Of the attempts in order; None: without a score.
    """
    used, best = 0.0, None
    for number, score in enumerate(earlier, 1):
        one = Feedback(
            rules=feedback.rules,
            records=feedback.records,
            seconds=feedback.seconds,
            instructions=feedback.instructions,
            memory_bytes=feedback.memory_bytes,
            attempts=feedback.attempts,
            number=number,
            used=used,
            best=best,
            numbers=numbers_in(score),
        )
        told = None if score is None else one.score_told(score.values[score.primary])
        if told is not None and not math.isnan(told) and (best is None or told > best):
            best = told
        used += one.bits
    return used, best


def numbers_in(score: Score | None) -> int:
    """How many numbers of a score a report shows."""
    return 0 if score is None else len(score.values) + len(score.official) + 2 * len(score.intervals)


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


def _bits(told: Sequence[Told]) -> float:
    return sum(one.bits for one in told)


def _two_digits(most: float) -> float:
    """Bits of a whole number from 0 to ``most`` that is told to two digits."""
    if most < 100:
        return math.log2(int(most) + 1)
    return math.log2(100 + _SECOND_DIGITS * (math.floor(math.log10(most)) - 1))


def _number(digits: int) -> float:
    """Bits of a number of a score that is told to so many digits; it may be zero, NaN or infinite as well."""
    magnitudes = round(math.log10(_LARGEST / _SMALLEST))
    return math.log2(2 * 9 * 10 ** (digits - 1) * magnitudes + 4)
