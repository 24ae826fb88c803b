"""The walls around each guest's QEMU, which hold a QEMU that its guest has taken over (`walled_qemu.c`).

Where libvirt confines QEMU by AppArmor or SELinux, its profile would not let it start another program in QEMU's place;
there that profile is the wall.  A guest with a GPU has none of these: its devices belong to the host.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from evaluate.confine.children import compiled
from evaluate.core.errors import SandboxFault

VARIABLE = "EVALUATE_WALLS"
NAMESPACES = ("user", "mnt", "net", "ipc", "uts", "cgroup")
"""Namespaces of QEMU's own; process numbers are not, since libvirt knows QEMU's threads by them."""
_SOURCE = Path(__file__).with_name("walled_qemu.c")
_CC = ("cc", "-O2", "-Wall", "-Wextra", "-Werror")
_BETWEEN = "|"
_SECONDS = 20.0


def orders(
    *,
    reads: Iterable[Path],
    writes: Iterable[Path],
    shows: Iterable[Path] = (),
    user: tuple[int, int] | None = None,
    group: Path | None = None,
    memory: Path | None = None,
) -> str:
    """Return the orders that the program gets in its variable.

    * ``group``: the control group that it enters first.
    * ``memory``: the socket at which it gets the file of the guest's memory (`evaluate.sandbox.memory_medium`).
    * ``shows``: folders that are there with all that is in them, and so sockets, but of which nothing may be opened.
    * ``user`` (int, int): subordinate numbers of its user and group that QEMU becomes.
    """
    lines = [f"user {user[0]} {user[1]}"] if user else []
    lines += [f"group {group}"] if group else []
    lines += [f"memory {memory}"] if memory else []
    lines += [f"show {path}" for path in shows]
    lines += [f"read {path}" for path in reads] + [f"write {path}" for path in writes]
    if strange := [line for line in lines if _BETWEEN in line or not line.isprintable()]:
        raise SandboxFault(f"a path of a guest cannot be given to its walls: {strange[0]}; choose another --state")
    return _BETWEEN.join(lines)


def starter(cache: Path, program: str) -> Path:
    """The program that becomes another one behind walls, compiled for it.

    Raises SandboxFault if there is no C compiler, or no such program.
    """
    path = shutil.which(program)
    if path is None:
        raise SandboxFault(f"{program} is not installed")
    name = f"walled_{Path(path).name}"
    return compiled(_SOURCE, cache.resolve(), name, (*_CC, f'-DQEMU="{path}"'), SandboxFault)


def refused(program: Path, user: tuple[int, int] | None, sub: tuple[int, int] | None = None) -> str:
    """The reason why walls cannot be built around a process of a user here, found by a trial; empty if they can."""
    number, group = user or (None, None)
    try:
        done = subprocess.run(
            [str(program), "--version"],
            env={**os.environ, VARIABLE: orders(reads=(), writes=(), user=sub)},
            user=number,
            group=group,
            extra_groups=() if user else None,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            cwd="/",
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as e:
        return str(e)
    return done.stderr.strip() if done.returncode != 0 else ""
