"""How much of each limit a stage used: the worst record and the median one.

Only numbers and their texts; pages draw them, the console prints them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median

from evaluate.core.model import MIB, Limits, Stage, StageResult, Usage
from evaluate.report.words import counted_by_record, percent, power


@dataclass(frozen=True, kw_only=True)
class Share:
    """One limit, and what was used of it."""

    what: str
    """What is limited, such as "instructions"."""
    limit: float
    worst: float
    worst_record: str
    """Empty for a command that is not for a record."""
    middle: float | None
    """The median over the records; None where only the whole is known."""
    number: Callable[[float], str]

    @property
    def worst_percent(self) -> float:
        """What was used of the limit by the worst record, or by the whole."""
        return 100 * self.worst / self.limit

    @property
    def middle_percent(self) -> float | None:
        """The same of the median record."""
        return None if self.middle is None else 100 * self.middle / self.limit

    @property
    def used(self) -> str:
        """ "6.4e8 of 6.0e10 (1.1 %) on A00001; median 5.0e8 (0.83 %)" """
        of_limit = f"{self.number(self.worst)} of {self.number(self.limit)} ({percent(self.worst_percent)})"
        if self.middle is None or self.middle_percent is None:
            return of_limit
        middle = f"{self.number(self.middle)} ({percent(self.middle_percent)})"
        return f"{of_limit} on {self.worst_record}; median {middle}"


def _number(value: float) -> str:
    """Three digits: "0.005", "12.5", "16,800"."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


_LIMITS: tuple[tuple[str, Callable[[Limits], float], Callable[[Usage], float], Callable[[float], str]], ...] = (
    ("instructions", lambda of: of.instructions, lambda used: used.instructions, power),
    ("time", lambda of: of.wall_seconds, lambda used: used.wall_seconds, lambda x: f"{_number(x)} s"),
    ("memory", lambda of: of.memory_bytes, lambda used: used.memory_bytes, lambda x: f"{_number(x / MIB)} MiB"),
    ("output", lambda of: of.output_bytes, lambda used: used.output_bytes, lambda x: f"{_number(x / 1000)} kB"),
)
_COUNTED = ("instructions", "memory")
"""Limits that only a virtual machine has."""
_SUMMED = ("instructions", "time")
"""Limits of which a program that is started once for all records has the sum."""


def shares(stage: StageResult, limits: Mapping[str, Limits]) -> tuple[Share, ...]:
    """The share of each limit of a stage; of setup in prep.

    Empty where nothing ran, or where the records of an exam may not be seen: the limits of those are for each of them.
    """
    limit = limits.get("setup" if stage.stage is Stage.PREP else stage.stage.value)
    by_record = counted_by_record(stage)
    whole = stage.stage in (Stage.PREP, Stage.TRAIN) or bool(stage.records)
    if limit is None or not (by_record or (whole and stage.usage != Usage())):
        return ()
    counted = [outcome for outcome in stage.records if outcome.usage != Usage()]
    found = []
    for what, limit_of, used_of, number in _LIMITS:
        if what in _COUNTED and not any(one.instructions for one in (stage.usage, *(out.usage for out in counted))):
            continue  # it ran without a virtual machine
        times = len(stage.records) if what in _SUMMED and stage.records and not by_record else 1
        worst = max(counted, key=lambda outcome: used_of(outcome.usage)) if counted else None
        found.append(
            Share(
                what=what,
                limit=limit_of(limit) * times,
                worst=used_of(worst.usage if worst else stage.usage),
                worst_record=worst.record if worst else "",
                middle=median(used_of(outcome.usage) for outcome in counted) if counted else None,
                number=number,
            )
        )
    return tuple(found)
