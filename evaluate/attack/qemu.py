"""Attacks of a QEMU that its guest has taken over: programs behind the walls of that QEMU, as its user."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import cast

import psutil

from evaluate.attack.cases import GOT, NOT_TRIED, Case, Seen
from evaluate.attack.guests import Guests
from evaluate.core.model import Verdict
from evaluate.sandbox.assertions import file_limits
from evaluate.sandbox.connection import qemu_pid
from evaluate.sandbox.domain import walls_of
from evaluate.sandbox.qemu_walls import VARIABLE, starter
from evaluate.sandbox.running import LibvirtSandbox

_SECONDS = 60.0
_NAMESPACES = {"mnt": "--mount", "net": "--net", "ipc": "--ipc", "uts": "--uts", "cgroup": "--cgroup"}
_PYTHON = "/usr/bin/python3"


def from_qemu(case: Case, guests: Guests, state: Path) -> Seen:
    """Run a case's program as the QEMU of a guest that runs; it gets the guest's folder, and what is in it."""
    sandbox = cast(LibvirtSandbox, guests.used())
    qemu = qemu_of(sandbox)
    walls = walls_of(sandbox.live_xml)
    uid, gid = qemu.uids().real, qemu.gids().real
    if os.geteuid() not in (0, uid) and not walls:
        return Seen(NOT_TRIED, "only root can become the user of another process")
    names = [str(path) for path in sorted(sandbox.folder.rglob("*"))]
    program = ["-I", "-c", (case.folder / "attack.py").read_text(), str(sandbox.folder), *names]
    limit = ["prlimit", f"--fsize={':'.join(file_limits(Path(f'/proc/{qemu.pid}')))}", "--"]
    become = []
    if os.geteuid() == 0:
        become = ["setpriv", f"--reuid={uid}", f"--regid={gid}", "--clear-groups", "--"]
    # this program gets walls of its own, built in the same way: no process can enter those of another
    argv = [*become, *limit, str(starter(state / "cache", _PYTHON) if walls else _PYTHON), *program]
    if not walls and os.geteuid() == 0:
        own = [option for name, option in _NAMESPACES.items() if _namespace(qemu.pid, name) != _namespace(None, name)]
        argv = ["nsenter", "--target", str(qemu.pid), *own, "--", *argv] if own else argv
    environment = {**os.environ, **({VARIABLE: walls} if walls else {})}
    done = subprocess.run(argv, capture_output=True, text=True, timeout=_SECONDS, check=False, cwd="/", env=environment)
    said = (done.stdout + done.stderr).strip()
    reached = tuple(line for line in said.splitlines() if line.startswith(GOT))
    return Seen(Verdict.OK.value if done.returncode == 0 else Verdict.RUNTIME_ERROR.value, said, reached)


def qemu_of(sandbox: LibvirtSandbox) -> psutil.Process:
    """The process of a guest; SandboxFault if there is none."""
    return psutil.Process(qemu_pid(sandbox.handle.name()))


def _namespace(pid: int | None, name: str) -> int:
    return Path(f"/proc/{pid or 'self'}/ns/{name}").stat().st_ino
