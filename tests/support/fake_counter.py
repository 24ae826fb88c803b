"""A counter that a test advances by hand."""

from __future__ import annotations

from evaluate.core.errors import CounterFault
from evaluate.counters.base import Reading
from evaluate.counters.perf import PerfCounter


class FakeReading(Reading):
    """A count that `advance` increases."""

    def __init__(self) -> None:
        self._count: int | None = 0

    def advance(self, instructions: int) -> None:
        """Retire this many instructions."""
        assert self._count is not None
        self._count += instructions

    def instructions(self, *, settled: bool = False) -> int:
        del settled
        if self._count is None:
            raise CounterFault("the guest has ended")
        return self._count

    def close(self) -> None:
        self._count = None


class FakeCounter(PerfCounter):
    """Never attached."""

    kind = "fake"
    tolerance = 1e-3
