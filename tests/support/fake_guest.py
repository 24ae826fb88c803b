"""A guest's counter that a test advances by hand, and how the agent of a test reports the end of its command."""

from __future__ import annotations

from evaluate.core.errors import CounterFault
from evaluate.counters.base import Reading
from evaluate.counters.perf import PerfCounter
from evaluate.protocol import messages
from evaluate.sandbox.base import Command

COMMAND = Command(argv=("/bin/true",), collect=("a", "b"))
ENDED = messages.Ended(
    exit_code=0,
    signal=None,
    oom=False,
    forks_refused=0,
    memory_peak=5_000_000,
    output_bytes=8,
    stdout=b"out",
    stderr=b"error",
    disk_full=(),
    files=(messages.Collected(data=b"N", problem=""), messages.Collected(data=None, problem="missing")),
    gather_problem="",
)


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
