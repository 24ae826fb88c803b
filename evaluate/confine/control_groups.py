"""Control groups (cgroup v2) for guests and walled-in processes: what all processes of one may use together.

The bounds of `evaluate.confine.children` are those of each process; a group bounds all that one starts.  systemd lets a
service have a part of its tree (``Delegate=``), in which this process makes a group for each guest and each process
behind walls.  Where nothing is delegated, the other bounds hold alone, and `evaluate doctor` says so.
"""

from __future__ import annotations

import errno
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evaluate.core.errors import Fault
from evaluate.core.waiting import Deadline

CONTROLLERS = ("cpu", "io", "memory", "pids")
_OWN = "supervisor"
"""The group of this process itself: a group that has others in it, with bounds, must have no processes."""
_DELEGATED = "user.delegate"
"""The attribute by which systemd marks a group that it leaves to a service."""
_WEIGHT = 50
"""Share of processors and disks beside the supervisor's 100."""
_PERIOD = 100_000
"""Microseconds in which a group has its share of the processors."""
_OF_A_GUEST = (".scope", ".libvirt-qemu")
"""Ends of the names of groups that libvirt makes, with systemd and without."""
_END_SECONDS, _LOOK_SECONDS = 10.0, 0.01
_PROCESSES = "cgroup.procs"
_SELF = Path("/proc/self")


@dataclass(frozen=True, kw_only=True)
class GroupLimits:
    """Limits on what all processes of a group may use together."""

    memory_bytes: int
    processes: int
    """And threads."""
    processors: int

    @property
    def settings(self) -> dict[str, str]:
        """File of a group -> what is written to it; those of controllers that are not delegated do not exist."""
        return {
            "memory.max": str(self.memory_bytes),
            "memory.swap.max": "0",
            "memory.oom.group": "1",
            "pids.max": str(self.processes),
            "cpu.max": f"{self.processors * _PERIOD} {_PERIOD}",
            "cpu.weight": str(_WEIGHT),
            "io.weight": f"default {_WEIGHT}",
        }


@dataclass(frozen=True)
class Group:
    """A group that is there."""

    path: Path

    @property
    def entering(self) -> tuple[str, ...]:
        """Words that come before a command so that it runs in the group."""
        return ("/bin/sh", "-c", 'echo 0 >"$0" && exec "$@"', str(self.path / _PROCESSES))

    @property
    def ran_out_of_memory(self) -> bool:
        """True if the kernel ended processes of it because all together had too much."""
        try:
            lines = (self.path / "memory.events").read_text().splitlines()
        except OSError:
            return False
        return any(line.startswith("oom_kill ") and line != "oom_kill 0" for line in lines)


@contextmanager
def own_group(name: str, limits: GroupLimits) -> Iterator[Group | None]:
    """A group with limits; what is left in it at the end is killed.  None where this process may make none.

    Raises Fault if the kernel refuses one.
    """
    top = delegated()
    if top is None:
        yield None
        return
    path = top / f"{name}-{secrets.token_hex(8)}"
    try:
        path.mkdir()
        for file, value in limits.settings.items():
            _set(path / file, value)
    except OSError as e:
        with suppress(OSError):
            path.rmdir()
        raise Fault(f"a control group for a process behind walls cannot be made: {e}") from e
    try:
        yield Group(path)
    finally:
        _remove(path)


def _set(file: Path, value: str) -> None:
    """Write a setting, if there is such a one here."""
    with suppress(FileNotFoundError):
        number = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.write(number, value.encode())
        finally:
            os.close(number)


def _remove(path: Path) -> None:
    deadline = Deadline(_END_SECONDS)
    with suppress(OSError):
        _set(path / "cgroup.kill", "1")
    while path.exists() and not deadline.passed:
        try:
            path.rmdir()
        except OSError:  # what was killed is still there
            time.sleep(_LOOK_SECONDS)


def bound(process: int, limits: GroupLimits) -> None:
    """Bound the group that libvirt has made for one guest, not the one above, where other guests will be.

    Does nothing where there is none, where the process is not alone in it, or where it may not.
    """
    try:
        group = group_of(Path("/proc", str(process)))
        above = (group, *group.parents) if group is not None else ()
        guests = next((folder for folder in above if folder.suffix in _OF_A_GUEST), None)
        if guests is not None and _processes(guests) <= {process}:
            for file, value in limits.settings.items():
                _set(guests / file, value)
    except OSError:
        return


def _processes(group: Path) -> set[int]:
    """All in a group and in those below it."""
    numbers: set[int] = set()
    for top, _, _ in os.walk(group):
        with suppress(FileNotFoundError):
            try:
                numbers |= {int(word) for word in Path(top, _PROCESSES).read_text().split()}
            except OSError as e:
                if e.errno != errno.EOPNOTSUPP:  # a group of threads, whose process is counted above
                    raise
    return numbers


@cache
def delegated() -> Path | None:
    """The group in which this process may make others, after it has moved down into one of its own; None if none."""
    try:
        top = group_of()
        if top is None or os.getxattr(top, _DELEGATED) != b"1" or not os.access(top / _PROCESSES, os.W_OK):
            return None
        _make_room(top)
    except OSError:
        return None
    return top


def group_of(process: Path = _SELF) -> Path | None:
    """The folder of the group that a process is in, or of that above if it is the supervisor's; None without v2.

    ``process``: its folder in ``/proc``.
    """
    lines = (process / "cgroup").read_text().splitlines()
    words = next((line[3:] for line in lines if line.startswith("0::")), "")
    for row in (_SELF / "mountinfo").read_text().splitlines():
        mount, _, kind = row.partition(" - ")
        root, mount_point = mount.split()[3:5]
        if kind.startswith("cgroup2 ") and Path(words).is_relative_to(root):
            group = Path(mount_point, Path(words).relative_to(root))
            return group.parent if group.name == _OWN else group
    return None


def mounted() -> Path | None:
    """Return the folder where the groups of version 2 are; None if they are nowhere."""
    rows = (line.partition(" - ") for line in (_SELF / "mountinfo").read_text().splitlines())
    return next((Path(mount.split()[4]) for mount, _, kind in rows if kind.startswith("cgroup2 ")), None)


def _make_room(top: Path) -> None:
    lower = top / _OWN
    lower.mkdir(exist_ok=True)
    deadline = Deadline(_END_SECONDS)
    while processes := (top / _PROCESSES).read_text().split():  # some may start others meanwhile
        for process in processes:
            with suppress(ProcessLookupError):
                _set(lower / _PROCESSES, process)
        if deadline.passed:
            raise TimeoutError(f"processes are left in {top}")
    available = (top / "cgroup.controllers").read_text().split()
    for name in CONTROLLERS:
        if name in available:
            _set(top / "cgroup.subtree_control", f"+{name}")
