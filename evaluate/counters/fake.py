"""A counter that a test advances by hand."""

from __future__ import annotations

from pathlib import Path

from evaluate.core.errors import CounterFault


class FakeReading:
    """A count that `advance` increases."""

    def __init__(self) -> None:
        self._count = 0
        self._closed = False

    def advance(self, instructions: int) -> None:
        """Retire this many instructions."""
        self._count += instructions

    def instructions(self, *, settled: bool = False) -> int:
        """See `Reading.instructions`; always settled."""
        del settled
        if self._closed:
            raise CounterFault("the fake counter was closed")
        return self._count

    def await_mark(self) -> bool:
        """False."""
        return False

    def marked(self) -> int | None:
        """None."""
        return None

    def close(self) -> None:
        """Stop counting."""
        self._closed = True


class FakeCounter:
    """Never counts on its own."""

    kind = "fake"
    version = ""
    tolerance = 1e-3

    def qemu_arguments(self, folder: Path, **_guest: object) -> tuple[str, ...]:
        """None."""
        del folder
        return ()

    def attach(self, folder: Path, pid: int) -> FakeReading:
        """A new count, from zero."""
        del folder, pid
        return FakeReading()
