"""Interface of a counter of guest instructions."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from evaluate.core.errors import CounterFault


@dataclass(frozen=True, kw_only=True)
class GatePlace:
    """Place where an exact guest is paused until its supervisor resumes it; see `evaluate.sandbox.memory_medium`."""

    socket: Path
    """Socket at which it says that it has come."""
    at: int
    """Address of its first pause."""
    memory: Path | None = None
    """The file that QEMU maps as the guest's memory, to which its supervisor writes meanwhile; None: it does not."""


class Reading(Protocol):
    """A running count of one guest."""

    def instructions(self, *, settled: bool = False) -> int:
        """User-mode instructions the guest has retired so far; never decreases.

        Raises CounterFault if the counter does not work, or the guest has ended.

        ``settled``: wait until everything retired before this call is included. For use while the guest is idle, before
        and after a command; without it the number may be some milliseconds old.
        """

    def await_mark(self) -> bool:
        """Have the next command's begin noted; whether this counter can.  For use while the guest is idle."""
        return False

    def marked(self) -> int | None:
        """The count at which the command began that was awaited, in a guest with a gate the first behind that.

        0: it has not yet begun; None: this counter cannot tell.
        """
        return None

    def close(self) -> None:
        """Stop counting."""


class Counter(Protocol):
    """A way of counting: the exact one of software emulation, or the processor's own."""

    @property
    def kind(self) -> str:
        """``tcg`` or ``perf``."""

    @property
    def version(self) -> str:
        """Changes when it may count otherwise."""

    @property
    def tolerance(self) -> float:
        """Largest relative error against the probe of known count; with a larger one it is refused."""

    def qemu_arguments(
        self, folder: Path, *, exact: bool = False, gate: GatePlace | None = None, mark: int = 0, processors: int = 1
    ) -> tuple[str, ...]:
        """Arguments for QEMU; files it needs are made in ``folder``, the guest's own.

        * ``exact``: the guest's time passes with its instructions (``-icount``).
        * ``mark``: the address that the guest comes to when a command begins; 0: it is not looked for.
        """

    def attach(self, folder: Path, pid: int, processors: int = 1) -> Reading:
        """Count the guest that the QEMU process ``pid`` runs, on all of its processors together."""


# The probe that counters are checked against: how many instructions it retires.
#
# The program is `vm_images/guest/probe.S`; change both together.


def probe_instructions(loops: int) -> int:
    """User instructions of ``probe LOOPS``, exactly.

    Three before the first digit, seven per digit, three at the end of the string, two per loop, three to exit.
    """
    if loops < 1:
        raise ValueError(f"the probe needs at least one loop, found {loops}")
    return 3 + 7 * len(str(loops)) + 3 + 2 * loops + 3


# The host threads that run a guest's processors


_NAMES = "CPU ", "ALL CPUs/TCG"
"""One thread for each processor, or with -icount one for all."""


def vcpu_threads(pid: int, processors: int = 1) -> tuple[int, ...]:
    """The threads of QEMU process ``pid`` that run its processors.

    Raises CounterFault if there are other than one for each processor, or one for all. Raises OSError if it has ended.
    """
    names = {}
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):  # one that works beside the processors has just ended
            names[int(thread.name)] = (thread / "comm").read_text().strip()
    threads = tuple(tid for tid, name in names.items() if name.startswith(_NAMES))
    if len(threads) not in (1, processors):
        expected = "one thread" if processors == 1 else f"{processors} threads"
        raise CounterFault(f"QEMU process {pid}: expected {expected} called 'CPU 0/…', found {sorted(names.values())}")
    return threads


def is_alive(tid: int) -> bool:
    """True if a thread exists."""
    return Path(f"/proc/{tid}").exists()


def is_waiting(tid: int) -> bool:
    """True if a thread sleeps in a system call, or has ended."""
    return _fields(tid)[0] in (b"S", b"Z")


def cpu_seconds(tid: int) -> float:
    """Processor time a thread has used."""
    fields = _fields(tid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _fields(tid: int) -> list[bytes]:
    """Fields 3 and on of proc(5) stat, counted after the name, which a QEMU that was taken over may have chosen."""
    try:
        return Path(f"/proc/{tid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError as e:
        raise CounterFault(f"thread {tid} is gone: the guest has ended") from e
