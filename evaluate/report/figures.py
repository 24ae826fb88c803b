"""How instructions are distributed over the records of a stage: only numbers, the templates draw them."""

from __future__ import annotations

from dataclasses import dataclass

from evaluate.core.model import RecordOutcome, StageResult

_BINS = 24
_NAMED = 5
_FEWEST = 5
"""Of fewer records the table says more than a histogram."""


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
