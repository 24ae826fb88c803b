"""Two sides compared in turns, of which those count in which nobody else worked on the cores of this machine.

A virtual machine shares its cores: while the other thread of a core works for somebody else, which it does for tenths
of seconds to seconds, a guest under emulation takes up to 1.7 times as long, and `/proc/stat` shows nothing.  Work of a
fixed size on each processor, before and after each side, does show it.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from statistics import median

from tests.benchmarks._spent import Spent, middle

_WORK = bytes(1 << 20)
_SLOWER = 1.15
"""Work that takes longer than this, times the shortest, is disturbed."""
_TRIES = 3
_LOOKS = 100
_WAIT_SECONDS = 0.1
_MOST_WAITS = 3000
_MOST_DISTURBED = 10
Side = Callable[[int], Spent]
"""Does its part of a turn, which has a number, and returns what that took."""


class Cores:
    """Whether others work on them."""

    def __init__(self) -> None:
        """Finds how fast undisturbed work is, some tenths of a second long."""
        self._processors = sorted(os.sched_getaffinity(0))
        self._shortest = dict.fromkeys(self._processors, float("inf"))
        for _ in range(_LOOKS):
            self.are_free()

    def are_free(self) -> bool:
        """Whether each processor does its work as fast as ever."""
        try:
            return all(self._is_free(processor) for processor in self._processors)
        finally:
            os.sched_setaffinity(0, self._processors)

    def _is_free(self, processor: int) -> bool:
        os.sched_setaffinity(0, [processor])
        took = min(_seconds_of_work() for _ in range(_TRIES))
        self._shortest[processor] = min(took, self._shortest[processor])
        return took < _SLOWER * self._shortest[processor]


def _seconds_of_work() -> float:
    begin = time.perf_counter()
    hashlib.blake2b(_WORK).digest()  # many instructions a cycle, as translated code has
    return time.perf_counter() - begin


@dataclass(frozen=True)
class Compared:
    """What one side takes of another."""

    ours: Spent
    bare: Spent
    """Medians of the turns."""
    ratio: float
    """The median of the turns' ratios of seconds."""
    interval: tuple[float, float]
    """Of 95 %, by the binomial distribution; of few turns, all their range."""
    turns: int
    disturbed: int
    """Turns that were left out."""

    def __str__(self) -> str:
        """For people."""
        low, high = self.interval
        found = f"{self.ours}, bare {self.bare}, ratio {self.ratio:.3f} ({low:.3f} to {high:.3f}, {self.turns} turns"
        return found + (f", {self.disturbed} more were disturbed)" if self.disturbed else ")")


def compared(cores: Cores, ours: Side, bare: Side, turns: int) -> Compared:
    """Both sides in turns, until so many were not disturbed.

    Raises RuntimeError if the machine is never free for long enough.
    """
    found: list[tuple[Spent, Spent]] = []
    disturbed = waits = 0
    while len(found) < turns:
        if not cores.are_free():
            waits += 1
            if waits > _MOST_WAITS or disturbed > _MOST_DISTURBED * turns:
                raise RuntimeError(f"other work disturbs this machine: {len(found)} of {turns} turns were undisturbed")
            time.sleep(_WAIT_SECONDS)
            continue
        one = ours(len(found))
        between = cores.are_free()
        other = bare(len(found))
        if between and cores.are_free():
            found.append((one, other))
        else:
            disturbed += 1
    ratios = [one.seconds / other.seconds for one, other in found]
    first, second = zip(*found, strict=True)
    return Compared(middle(first), middle(second), median(ratios), interval_of_median(ratios), turns, disturbed)


def interval_of_median(values: Sequence[float]) -> tuple[float, float]:
    """The narrowest pair of values, at equal distance from both ends, with the median between them in 95 of 100 cases.

    Without assumptions on the distribution (binomial); of five values or fewer the smallest and the largest.
    """
    n, beyond, cut = len(values), 0.0, 0
    while cut < n // 2 and (beyond := beyond + comb(n, cut) / 2**n) <= 0.025:
        cut += 1
    ordered = sorted(values)
    outermost = max(cut - 1, 0)
    return ordered[outermost], ordered[n - 1 - outermost]
