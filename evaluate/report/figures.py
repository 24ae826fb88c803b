"""What a page draws of a stage: shares of its limits, and how instructions are distributed over records.

Only numbers; the templates draw them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from evaluate.core.model import MIB, Limits, RecordOutcome, Stage, StageResult, Usage
from evaluate.report.words import counted_by_record, percent, power, seconds

_BINS = 24
_NAMED = 5
_FEWEST = 5
"""Of fewer records the table says more than a histogram."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """How much of one limit was used, in percent."""

    of: str
    """What is limited, such as "instructions"."""
    worst: float
    median: float | None
    """Over the records; None where only the whole is known."""
    text: str


@dataclass(frozen=True, kw_only=True)
class Histogram:
    """How many records used how many instructions."""

    counts: tuple[int, ...]
    """Records in each of the bins, which are equally wide and begin at 0."""
    end: int
    """Instructions at the end of the last bin."""
    slowest: tuple[RecordOutcome, ...]
    """The records with the most instructions, worst first."""

    @property
    def tallest(self) -> int:
        """Records in the fullest bin."""
        return max(self.counts)


def bars(stage: StageResult, limits: Mapping[str, Limits]) -> tuple[Bar, ...]:
    """Shares of the limits of a stage; empty where nothing ran, or where only totals of an exam may be seen."""
    if stage.usage == Usage() and not counted_by_record(stage):
        return ()
    if stage.stage is Stage.PREP:
        return _bars((stage.usage,), limits["setup"], 1)
    if stage.stage not in (Stage.QUIZ, Stage.EXAM) or not stage.records:
        return ()
    limit = limits[stage.stage.value]
    if counted_by_record(stage):
        return _bars([outcome.usage for outcome in stage.records], limit, 1)
    return _bars((stage.usage,), limit, len(stage.records))  # one start for all records: the limits are averages


def _bars(usages: Sequence[Usage], limit: Limits, records: int) -> tuple[Bar, ...]:
    def bar(of: str, value: Callable[[Usage], float], most: float, text: Callable[[float], str]) -> Bar:
        values = [value(usage) for usage in usages]
        middle = 100 * median(values) / most if len(values) > 1 else None
        said = f"{percent(100 * max(values) / most)}: {text(max(values))} of {text(most)}"
        if middle is not None:
            said += f"; median {percent(middle)}"
        return Bar(of=of, worst=100 * max(values) / most, median=middle, text=said)

    return (
        bar("instructions", lambda usage: usage.instructions, limit.instructions * records, power),
        bar("time", lambda usage: usage.wall_seconds, limit.wall_seconds * records, seconds),
        bar("memory", lambda usage: usage.memory_bytes, limit.memory_bytes, _mebibytes),
    )


def _mebibytes(value: float) -> str:
    return f"{value / MIB:,.0f} MiB"


def histogram(stage: StageResult) -> Histogram | None:
    """Of the instructions of a stage's records; None where they are not known, or few."""
    counted = [outcome for outcome in stage.records if outcome.usage.instructions > 0]
    if len(counted) < _FEWEST:
        return None
    slowest = sorted(counted, key=lambda outcome: -outcome.usage.instructions)[:_NAMED]
    end = slowest[0].usage.instructions
    counts = [0] * _BINS
    for outcome in counted:
        counts[min(_BINS - 1, _BINS * outcome.usage.instructions // end)] += 1
    return Histogram(counts=tuple(counts), end=end, slowest=tuple(slowest))
