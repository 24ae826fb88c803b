"""A counter that a test advances by hand."""

from __future__ import annotations

from pathlib import Path

from evaluate.counters.base import NoCounter, NoReading


class FakeReading(NoReading):
    """A count that `advance` increases."""

    def __init__(self) -> None:
        super().__init__()
        self._count = 0

    def advance(self, instructions: int) -> None:
        """Retire this many instructions."""
        self._count += instructions

    def instructions(self, *, settled: bool = False) -> int:
        return super().instructions(settled=settled) + self._count


class FakeCounter(NoCounter):
    """Never counts on its own."""

    kind = "fake"
    tolerance = 1e-3

    def attach(self, folder: Path, pid: int, processors: int = 1) -> FakeReading:
        """A new count, from zero."""
        del folder, pid, processors
        return FakeReading()
