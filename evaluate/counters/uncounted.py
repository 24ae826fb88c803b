"""No counter: for hosts whose KVM works and whose processor shows no counters, such as the runners of a CI service.

What ran with it was not counted, and is never said to have been.  `evaluate.sandbox.cross_checked` has the limits
judged by another guest, under emulation.
"""

from __future__ import annotations

from pathlib import Path

from evaluate.core.errors import CounterFault

UNCOUNTED = "uncounted"


class NoReading:
    """Always zero."""

    def __init__(self) -> None:
        self._closed = False

    def instructions(self, *, settled: bool = False) -> int:
        """Zero."""
        del settled
        if self._closed:
            raise CounterFault("the guest has ended")
        return 0

    def await_mark(self) -> bool:
        """False."""
        return False

    def marked(self) -> int | None:
        """None."""
        return None

    def close(self) -> None:
        """Nothing was started."""
        self._closed = True


class NoCounter:
    """In the place of a counter."""

    kind = UNCOUNTED
    version = ""
    tolerance = 0.0

    def qemu_arguments(self, folder: Path, **_guest: object) -> tuple[str, ...]:
        """None."""
        del folder
        return ()

    def attach(self, folder: Path, pid: int) -> NoReading:
        """Nothing is attached."""
        del folder, pid
        return NoReading()
