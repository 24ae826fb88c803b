"""The host thread that runs a guest's only processor."""

from __future__ import annotations

import os
from pathlib import Path

import psutil

from evaluate.core.errors import CounterFault

ALL_PROCESSORS = "ALL CPUs/TCG"
_NAMES = "CPU ", ALL_PROCESSORS
"""One thread for each processor, or with -icount one for all."""


def vcpu_thread(pid: int) -> int:
    """The thread of QEMU process ``pid`` that runs the processor.

    Raises
    ------
    CounterFault
        There is no such thread, or more than one.
    """
    names = {
        thread.id: Path(f"/proc/{pid}/task/{thread.id}/comm").read_text().strip()
        for thread in psutil.Process(pid).threads()
    }
    found = [tid for tid, name in names.items() if name.startswith(_NAMES)]
    if len(found) != 1:
        raise CounterFault(f"QEMU process {pid}: expected one thread called 'CPU 0/…', found {sorted(names.values())}")
    return found[0]


def thread_name(tid: int) -> str:
    """What QEMU calls a thread."""
    try:
        return Path(f"/proc/{tid}/comm").read_text().strip()
    except OSError as e:
        raise CounterFault(f"thread {tid} is gone: the guest has ended") from e


def thread_state(tid: int) -> str:
    """The state letter of a thread: ``S`` sleeps, ``R`` runs or wants to."""
    return _fields(tid)[0]


def sleeps(pid: int) -> bool:
    """Whether every thread of a process sleeps: none of them works, so none keeps another one waiting."""
    try:
        threads = [int(task.name) for task in Path(f"/proc/{pid}/task").iterdir()]
    except OSError as e:
        raise CounterFault(f"process {pid} is gone: the guest has ended") from e
    try:
        return all(thread_state(tid) == "S" for tid in threads)
    except CounterFault:
        return False  # one has just ended; QEMU starts and ends threads for its disks


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
