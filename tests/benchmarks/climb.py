"""How many attempts it takes to read hidden labels out of the feedback: ``python -m tests.benchmarks.climb``.

Prints the table of docs/receipts.md.
"""

from __future__ import annotations

from collections.abc import Iterator

from evaluate.challenge.types import FeedbackRules
from evaluate.report.climb import MOST, climb, entropy, holding, words
from evaluate.report.leaks import Feedback, LeakTerms, Level

LABELS = "NAO~"
DEFAULT = FeedbackRules()
_RECORDS = (12, 40, 300, 1000)


def terms(records: int, rules: FeedbackRules = DEFAULT, attempts: int = 0) -> LeakTerms:
    """With the limits of ``cinc2017``."""
    return LeakTerms(
        rules=rules,
        records=records,
        seconds=600.0 * records,
        instructions=60_000_000_000 * records,
        memory_bytes=1 << 30,
        attempts=attempts,
    )


def labels(records: int) -> list[str]:
    """As many of each label."""
    return [LABELS[n % len(LABELS)] for n in range(records)]


class Endless(LeakTerms):
    """The Ladder in place of verdicts alone: what the end of the budget is for."""

    def decide(self, number: int, used: float) -> Feedback:
        found = super().decide(number, used)
        return found if found.level is not Level.VERDICT else self.at(Level.LADDER, number, used)


def lines() -> Iterator[str]:
    """The table as Markdown."""
    yield "| records | their labels hold | rules | a climb ends after | and has recovered | rules that hold |"
    yield "|---|---|---|---|---|---|"
    for records in _RECORDS:
        hidden = labels(records)
        endless = Endless(**vars(terms(records)))
        for name, one in (
            ("the Ladder without an end", endless),
            ("default", terms(records)),
            ("default, 10 attempts", terms(records, attempts=10)),
        ):
            found, hold = climb(one, hidden), None if one is endless else holding(one, hidden)
            kept = "" if one is endless else "these" if hold is None else words(hold)
            attempts = f"{found.attempts}" if found.attempts == found.most else f"{found.attempts} to {found.most}"
            ended = f"more than {MOST} attempts" if found.most >= MOST else f"{attempts} attempts"
            held = f"{entropy(hidden):.0f} bits"
            yield f"| {records} | {held} | {name} | {ended} | {found.recovered:.0%} | {kept} |"


if __name__ == "__main__":
    for line in lines():
        print(line)
