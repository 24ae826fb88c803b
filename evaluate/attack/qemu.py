"""Attacks of a QEMU that its guest has taken over: programs that have its user, namespaces and control group."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import cast

import psutil

from evaluate.attack.cases import GOT, NOT_TRIED, Case, Seen
from evaluate.attack.guests import Guests
from evaluate.core.model import Verdict
from evaluate.sandbox.assertions import file_limits
from evaluate.sandbox.connection import qemu_pid
from evaluate.sandbox.running import LibvirtSandbox

_SECONDS = 60.0
_NAMESPACES = ("mnt", "net", "ipc", "pid", "uts", "cgroup")


def from_qemu(case: Case, guests: Guests) -> Seen:
    """Run a case's program as the QEMU of a guest that runs; it gets the guest's folder, and what is in it."""
    if os.geteuid() != 0:
        return Seen(NOT_TRIED, "only root can become the user of another process")
    sandbox = cast(LibvirtSandbox, guests.used())
    qemu = qemu_of(sandbox)
    names = [str(path) for path in sorted(sandbox.folder.rglob("*"))]
    words = [str(sandbox.folder), *names]
    program = [sys.executable, "-I", "-c", (case.folder / "attack.py").read_text(), *words]
    done = subprocess.run(
        [*_entered(qemu.pid), *program], capture_output=True, text=True, timeout=_SECONDS, check=False, cwd="/"
    )
    said = (done.stdout + done.stderr).strip()
    reached = tuple(line for line in said.splitlines() if line.startswith(GOT))
    return Seen(Verdict.OK.value if done.returncode == 0 else Verdict.RUNTIME_ERROR.value, said, reached)


def qemu_of(sandbox: LibvirtSandbox) -> psutil.Process:
    """The process of a guest; SandboxFault if there is none."""
    return psutil.Process(qemu_pid(sandbox.handle.name()))


def _entered(pid: int) -> list[str]:
    """A command line that runs another with the namespaces, the user and the limit on files of a process."""
    uid, gid = psutil.Process(pid).uids().real, psutil.Process(pid).gids().real
    own = [name for name in _NAMESPACES if _namespace(pid, name) != _namespace(os.getpid(), name)]
    kinds = [{"mnt": "--mount"}.get(name, f"--{name}") for name in own]
    enter = ["nsenter", "--target", str(pid), *kinds, "--"] if kinds else []
    limit = ["prlimit", f"--fsize={':'.join(file_limits(Path(f'/proc/{pid}')))}", "--"]
    become = ["setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups", "--no-new-privs", "--"]
    return [*enter, *limit, *become]


def _namespace(pid: int, name: str) -> int:
    return Path(f"/proc/{pid}/ns/{name}").stat().st_ino
