"""How much a team learns of a hidden exam: each thing that is revealed has a size in bits, and a phase has a budget.

A thing's size is the logarithm of how many values it can take, so the sum is an upper bound of what an entry that was
written to send something out can send.  There are three levels of feedback, and the rule between them is said before:

full     verdict, counts and usage to two digits, numbers of the score to so many digits
ladder   verdict, and the score only when it is better than what was revealed to the team before by at least one step,
         then rounded down to a multiple of the step (A. Blum and M. Hardt, The Ladder: a reliable leaderboard for
         machine learning competitions, ICML 2015)
verdict  the verdict alone until the phase ends; then the score, rounded down to a multiple of the step

An attempt gets full feedback if the budget has room for it, and for the ladder in every attempt that the team has left;
else the ladder, if there is room for it and for the verdicts of the attempts that are left; else its verdict.  That is
decided once, when the attempt is charged (`LeakTerms.decide`), and kept (`evaluate.queue.entries.leak_accounts`): what
a team has read never changes.  `evaluate.report.audience` decides by it what is shown.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from evaluate.challenge.types import Challenge, FeedbackRules
from evaluate.core.model import Score, Usage, Verdict

_TEAMS = 1024
"""A board is taken to have at most so many teams."""
_SMALLEST, _LARGEST = 1e-9, 1e10
"""Numbers of a score that are nearer to zero are shown as zero, larger ones as infinite."""
_MINUTE = 60.0
_FAILURES = sum(not verdict.passed for verdict in Verdict)
_SECOND_DIGITS = 90
"""Numbers of two digits."""


class Level(StrEnum):
    """How much is revealed."""

    FULL = "full"
    LADDER = "ladder"
    VERDICT = "verdict"


Sizes = Mapping[str, float]
"""What is revealed -> its size: the binary logarithm of how many values it can have."""


@dataclass(frozen=True, kw_only=True)
class LeakTerms:
    """What the size of feedback in a phase of a hidden exam follows from."""

    rules: FeedbackRules
    records: int
    """Of the exam."""
    seconds: float
    """That the exam may take by its limits."""
    instructions: int
    """The same."""
    memory_bytes: int
    attempts: int = 0
    """How many a team has in the phase; 0: any number."""
    phase: str = ""

    def decide(self, number: int, used: float) -> Feedback:
        """What is revealed of an attempt.

        * ``number``: which of the team's in the phase it is, from 1.
        * ``used``: bits of the earlier ones, which may still be in progress.
        """
        left = max(0, self.attempts - number)
        needed = {
            Level.FULL: self._bits(Level.FULL) + left * self._bits(Level.LADDER),
            Level.LADDER: self._bits(Level.LADDER) + left * self._bits(Level.VERDICT),
        }
        room = (level for level, bits in needed.items() if used + bits <= self.rules.bits)
        return self.at(next(room, Level.VERDICT), number, used)

    def at(self, level: Level, number: int, used: float, sizes: Sizes | None = None) -> Feedback:
        """The feedback at a level."""
        sizes = self.sizes(level) if sizes is None else sizes
        return Feedback(
            rules=self.rules,
            attempts=self.attempts,
            phase=self.phase,
            number=number,
            used=used,
            level=level,
            sizes=sizes,
        )

    def sizes(self, level: Level, numbers: int | None = None) -> Sizes:
        """What is revealed at a level; ``numbers`` of a score, by default as many as the rules allow."""
        always = {
            "verdict": math.log2(len(Verdict)),
            "the minute of its end": math.log2(2 + self.seconds // _MINUTE),
        }
        if level is Level.VERDICT:
            return always
        always["place on the board"] = math.log2(_TEAMS)
        if level is Level.LADDER:
            return {**always, "a better score": math.log2(2 + math.ceil(1 / self.rules.step))}
        counts = (_FAILURES + 2) * _two_digits(self.records)
        counts = min(counts, math.log2(math.comb(self.records + _FAILURES + 1, _FAILURES + 1)))
        numbers = self.rules.numbers if numbers is None else numbers
        return {
            **always,
            "counts of records": counts,
            "instructions": _two_digits(self.instructions),
            "tenths of seconds": _two_digits(10 * self.seconds),
            "memory": _two_digits(self.memory_bytes),
            "numbers of the score": numbers * _number(self.rules.digits),
        }

    def _bits(self, level: Level) -> float:
        return sum(self.sizes(level).values())


@dataclass(frozen=True, kw_only=True)
class Feedback:
    """What is revealed to a team of one attempt at a hidden exam; it never changes, but for ``over``."""

    rules: FeedbackRules
    number: int
    """Which attempt of the team in the phase it is, from 1; 0: it has not reached the exam."""
    level: Level
    sizes: Sizes = field(default_factory=dict)
    attempts: int = 0
    """How many the team has in the phase; 0: any number."""
    phase: str = ""
    used: float = 0.0
    """Bits of earlier attempts."""
    best: float | None = None
    """The best score that was revealed to the team before."""
    over: bool = False
    """Whether the phase has ended."""

    @property
    def bits(self) -> float:
        """The size of what is revealed."""
        return sum(self.sizes.values())

    def number_shown(self, value: float) -> float:
        """A number of the score as it is shown at the level ``full``."""
        if not math.isfinite(value) or abs(value) < _SMALLEST:
            return value if not math.isfinite(value) else 0.0
        if abs(value) >= _LARGEST:
            return math.copysign(math.inf, value)
        return float(f"{value:.{self.rules.digits - 1}e}")

    def score_shown(self, value: float) -> float | None:
        """The score as it is shown; None: not at all, or only that it is not better by a step."""
        if self.level is Level.FULL:
            return self.number_shown(value)
        if self.level is Level.VERDICT:
            return self.stepped(value) if self.over else None
        if math.isnan(value) or (self.best is not None and value < self.best + self.rules.step):
            return None
        return self.stepped(value)

    def stepped(self, value: float) -> float:
        """Rounded down to a multiple of the step."""
        if not math.isfinite(value):
            return value
        digits = max(0, 2 - math.floor(math.log10(self.rules.step)))
        return round(math.floor(value / self.rules.step + _SMALLEST) * self.rules.step, digits)

    def numbers_shown(self, score: Score) -> Score:
        """A score as it is shown at the level ``full``: as many numbers as were charged for.

        The primary value comes first, then its interval, the other values, those of the official program, and the
        other intervals.
        """
        left = self.rules.numbers - 1
        first = [score.primary] if score.primary in score.intervals and left >= 2 else []
        left -= 2 * len(first)
        values = [score.primary, *[key for key in score.values if key != score.primary][:left]]
        left -= len(values) - 1
        official = list(score.official)[:left]
        left -= len(official)
        intervals = [*first, *[key for key in score.intervals if key != score.primary][: left // 2]]
        shown = self.number_shown
        return Score(
            primary=score.primary,
            values={key: shown(value) for key, value in score.values.items() if key in values},
            official={key: shown(value) for key, value in score.official.items() if key in official},
            intervals={
                key: (shown(low), shown(high)) for key, (low, high) in score.intervals.items() if key in intervals
            },
            clusters=score.clusters,
        )

    @property
    def sentence(self) -> str:
        """What the team reads about its budget."""
        if not self.number:
            return f"it has not reached the exam, so none of the {self.rules.bits} bits of the phase are used by it"
        left = self.rules.bits - self.used - self.bits
        rest = f"{left:.0f} are left" if left >= 0 else f"{-left:.0f} more than that"
        of = f"attempt {self.number}" + (f" of {self.attempts}" if self.number <= self.attempts else "")
        step = f"better by {self.rules.step:g} than the best one that was shown"
        rule = {
            Level.FULL: f"when they no longer suffice, a score is shown only if it is {step}; at last verdicts alone",
            Level.LADDER: f"so a score is shown only if it is {step}; when they are used up, verdicts alone are shown",
            Level.VERDICT: "they are used up, so only verdicts are shown until the phase ends",
        }[self.level]
        return (
            f"{of} reveals at most {self.bits:.0f} bits of the hidden records; "
            f"{self.used + self.bits:.0f} of {self.rules.bits} in this phase, {rest}; {rule}"
        )


def terms_of(challenge: Challenge, attempts: int = 0, phase: str = "") -> LeakTerms:
    """The terms of a phase of a challenge in which a team has so many attempts."""
    limits, records = challenge.limits["exam"], len(challenge.exam.records)
    return LeakTerms(
        rules=challenge.feedback,
        records=records,
        seconds=limits.wall_seconds * records,
        instructions=limits.instructions * records,
        memory_bytes=limits.memory_bytes,
        attempts=attempts,
        phase=phase,
    )


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


def _two_digits(most: float) -> float:
    """Bits of a whole number from 0 to ``most`` that is shown to two digits."""
    if most < 100:
        return math.log2(int(most) + 1)
    return math.log2(100 + _SECOND_DIGITS * (math.floor(math.log10(most)) - 1))


def _number(digits: int) -> float:
    """Bits of a number of a score that is shown to so many digits; it may be zero, NaN or infinite as well."""
    magnitudes = round(math.log10(_LARGEST / _SMALLEST))
    return math.log2(2 * 9 * 10 ** (digits - 1) * magnitudes + 4)
