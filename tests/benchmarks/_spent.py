"""What work takes: seconds, and seconds of processors."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

import psutil


@dataclass(frozen=True)
class Spent:
    """What something takes."""

    seconds: float
    processors: float
    """Seconds of processors."""

    def __str__(self) -> str:
        """For people."""
        return f"{self.seconds:.2f} s ({self.processors:.2f} s of processors)"

    def each(self, count: int) -> Spent:
        """The share of one of some."""
        return Spent(self.seconds / count, self.processors / count)


def middle(found: Sequence[Spent]) -> Spent:
    """The medians."""
    return Spent(median(one.seconds for one in found), median(one.processors for one in found))


def total(found: Sequence[Spent]) -> Spent:
    """The sums."""
    return Spent(sum(one.seconds for one in found), sum(one.processors for one in found))


def busy_seconds() -> float:
    """What the processors of the machine have worked since its start."""
    times = psutil.cpu_times()
    return float(times.user + times.nice + times.system + times.irq + times.softirq)


def timed(work: Callable[[], object], processors: Callable[[], float] = busy_seconds) -> Spent:
    """What it takes; ``processors``: their seconds so far, by default those of the whole machine."""
    begin, busy = time.monotonic(), processors()
    work()
    return Spent(time.monotonic() - begin, processors() - busy)
