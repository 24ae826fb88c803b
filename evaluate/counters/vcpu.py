"""The host thread that runs a guest's only processor."""

from __future__ import annotations

import os
from pathlib import Path

import psutil

from evaluate.core.errors import CounterFault

_NAMES = "CPU ", "ALL CPUs/TCG"
"""One thread for each processor, or with -icount one for all."""


def vcpu_thread(pid: int) -> int:
    """The thread of QEMU process ``pid`` that runs the processor.

    Raises CounterFault if there is no such thread, or more than one.
    """
    names = {
        thread.id: Path(f"/proc/{pid}/task/{thread.id}/comm").read_text().strip()
        for thread in psutil.Process(pid).threads()
    }
    found = [tid for tid, name in names.items() if name.startswith(_NAMES)]
    if len(found) != 1:
        raise CounterFault(f"QEMU process {pid}: expected one thread called 'CPU 0/…', found {sorted(names.values())}")
    return found[0]


def is_alive(tid: int) -> bool:
    """Whether a thread exists."""
    return Path(f"/proc/{tid}").exists()


def is_waiting(tid: int) -> bool:
    """Whether a thread sleeps in a system call, or has ended."""
    return _fields(tid)[0] in ("S", "Z")


def cpu_seconds(tid: int) -> float:
    """Processor time a thread has used."""
    fields = _fields(tid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _fields(tid: int) -> list[str]:
    """Fields 3 and on of proc(5) stat, counted after the command name, which may hold blanks."""
    try:
        return Path(f"/proc/{tid}/stat").read_text().rpartition(")")[2].split()
    except OSError as e:
        raise CounterFault(f"thread {tid} is gone: the guest has ended") from e
