"""Which guests wait for a command and when they go, with guests that are only counted."""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable
from concurrent.futures import wait
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from evaluate.core.errors import CounterFault, SandboxFault
from evaluate.core.model import CounterInfo, Limits, Run, Usage, Verdict
from evaluate.sandbox.base import Command, host_faults
from evaluate.sandbox.snapshots import Rooms

COMMAND = Command(argv=("/bin/true",))
LIMITS = Limits(instructions=10**9, wall_seconds=10)
COUNTER = CounterInfo(kind="tcg", calibration_error=0.0)


@dataclass
class Guests:
    """Restores guests that are numbers."""

    faults: set[int] = field(default_factory=set)
    """Which of them cannot be restored."""
    error: Callable[[int], Exception] = lambda number: SandboxFault(f"guest {number} cannot be restored")
    restored: int = 0
    alive: set[int] = field(default_factory=set)
    most: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def restore(self, stack: ExitStack) -> Any:
        with self._lock:
            number, self.restored = self.restored, self.restored + 1
            if number in self.faults:
                raise self.error(number)
            self.alive.add(number)
            self.most = max(self.most, len(self.alive))
        stack.callback(self.alive.remove, number)
        return Guest(number, self)

    def rooms(self) -> Rooms[Guest]:
        return Rooms(self.restore, COUNTER)


@dataclass
class Guest:
    """A restored guest."""

    number: int
    guests: Guests

    def run_alone(self, command: Command, limits: Limits) -> Run:
        assert self.number in self.guests.alive
        if command.argv == ("/bin/false",):
            raise SandboxFault("the guest ended")
        return Run(verdict=Verdict.OK, usage=Usage(instructions=self.number))


def test_every_command_has_a_guest_of_its_own_that_waits_for_it_and_few_are_there_at_once() -> None:
    guests = Guests()
    rooms = guests.rooms()
    wait(rooms._waiting)
    assert len(guests.alive) == 2
    ran = [rooms.run(COMMAND, LIMITS).usage.instructions for _ in range(20)]
    wait(rooms._waiting)
    assert guests.restored == 22
    rooms.close()
    assert sorted(set(ran)) == sorted(ran)
    assert (guests.alive, guests.most <= 4) == (set(), True)


@pytest.mark.parametrize(("faults", "replaced"), [({0}, True), (set(range(100)), False)])
def test_guest_that_could_not_be_restored_is_replaced_before_anything_starts_or_is_a_fault(
    faults: set[int], replaced: bool
) -> None:
    guests = Guests(faults=faults)
    rooms = guests.rooms()
    for _ in range(5):
        with nullcontext() if replaced else pytest.raises(SandboxFault, match="cannot be restored"):
            rooms.run(COMMAND, LIMITS)
    rooms.close()
    assert guests.alive == set()


def test_guest_that_ends_within_its_command_is_a_fault_and_the_next_command_has_another() -> None:
    guests = Guests()
    rooms = guests.rooms()
    with pytest.raises(SandboxFault, match="the guest ended"):
        rooms.run(Command(argv=("/bin/false",)), LIMITS)
    assert rooms.run(COMMAND, LIMITS).verdict is Verdict.OK
    rooms.close()
    assert guests.alive == set()


@pytest.mark.parametrize(
    "error",
    [
        lambda _: OSError(errno.ENOSPC, "No space left on device"),
        lambda _: CounterFault("the guest has ended"),
        lambda _: ValueError("a defect"),
    ],
    ids=["a full disk", "a fault of the counter", "a defect"],
)
@pytest.mark.parametrize("failed", [0, 1])
def test_guest_that_waits_is_destroyed_whatever_the_other_failed_of(
    error: Callable[[int], Exception], failed: int
) -> None:
    guests = Guests(faults={failed}, error=error)
    rooms = guests.rooms()
    wait(rooms._waiting)
    with suppress(OSError, ValueError):
        rooms.close()
    assert guests.alive == set()


def test_error_of_the_host_is_a_fault_that_says_what_was_done() -> None:
    @host_faults("restoring a guest")
    def work() -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/state/memory")

    with pytest.raises(SandboxFault, match=r"^restoring a guest: .*No space left on device: '/state/memory'"):
        work()
