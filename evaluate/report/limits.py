"""How much of each limit the records of a stage used: the worst record and the middle one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from evaluate.core.model import Limits, StageResult, Usage
from evaluate.report.words import power


@dataclass(frozen=True, kw_only=True)
class Share:
    """One limit of one command, and what was used of it."""

    what: str
    limit: float
    worst: float
    worst_record: str
    """Empty for a command that is not for a record."""
    middle: float
    """The median over the records."""
    number: Callable[[float], str]

    @property
    def line(self) -> str:
        """ "instructions: 6.4e8 of 6.0e10 (1.1 %) on A00001; median 5.0e8 (0.83 %)" """
        where = f" on {self.worst_record}; median {self._of(self.middle)}" if self.worst_record else ""
        return (
            f"{self.what}: {self.number(self.worst)} of {self.number(self.limit)} ({self._percent(self.worst)}){where}"
        )

    def _of(self, value: float) -> str:
        return f"{self.number(value)} ({self._percent(value)})"

    def _percent(self, value: float) -> str:
        return f"{100 * value / self.limit:.2g} %"


_LIMITS: tuple[tuple[str, Callable[[Limits], float], Callable[[Usage], float], Callable[[float], str]], ...] = (
    ("instructions", lambda of: of.instructions, lambda used: used.instructions, power),
    ("time", lambda of: of.wall_seconds, lambda used: used.wall_seconds, lambda x: f"{x:.3g} s"),
    ("memory", lambda of: of.memory_bytes, lambda used: used.memory_bytes, lambda x: f"{x / (1 << 20):.3g} MiB"),
    ("output", lambda of: of.output_bytes, lambda used: used.output_bytes, lambda x: f"{x / 1000:.3g} kB"),
)


def shares(stage: StageResult, limits: Limits) -> tuple[Share, ...]:
    """The share of each limit that is counted; of setup where the stage has no records.

    A program that is started once for all records has the sum of the limits that are for each of them.
    """
    counted = [outcome for outcome in stage.records if outcome.usage != Usage()]
    n = 1 if counted else max(1, len(stage.records))
    found = []
    for what, limit_of, used_of, number in _LIMITS:
        if not counted and stage.usage == Usage():
            continue
        limit = limit_of(limits) * (n if what in ("instructions", "time") else 1)
        worst = max(counted, key=lambda outcome: used_of(outcome.usage)) if counted else None
        found.append(
            Share(
                what=what,
                limit=limit,
                worst=used_of(worst.usage if worst else stage.usage),
                worst_record=worst.record if worst else "",
                middle=median(used_of(outcome.usage) for outcome in counted) if counted else 0.0,
                number=number,
            )
        )
    return tuple(found)
