"""Attacks from inside a guest; they share one as long as it can be used."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import cast

import psutil

from evaluate.attack.cases import FAULT, GOT, NOT_TRIED, Case, Seen, Via
from evaluate.core.errors import Fault
from evaluate.core.model import MIB, Limits, Run, Verdict
from evaluate.images.image import Image
from evaluate.sandbox.assertions import file_limits
from evaluate.sandbox.base import HOME, Command, Hypervisor, Machine, Sandbox
from evaluate.sandbox.connection import described, qemu_pid
from evaluate.sandbox.disks import medium
from evaluate.sandbox.domain import walls_of
from evaluate.sandbox.qemu_walls import VARIABLE, starter
from evaluate.sandbox.running import LibvirtSandbox

LIMITS = Limits(instructions=2 * 10**10, wall_seconds=60, memory_bytes=256 * MIB, processes=64, output_bytes=MIB)
"""Limits of an attack, unless its case says otherwise."""
ANSWER = f"{HOME}/answers.txt"
RECORDS = ("first", "second", "third")
"""The records of the medium; attacks run for the first."""
_WITNESS = Command(argv=("/bin/echo", "unharmed"))
_SHOWN = 2000


class Guests:
    """Boots a guest when it is needed, and another when an attack has made it unusable."""

    def __init__(self, hypervisor: Hypervisor, image: Image, scratch: Path, gpus: Sequence[str] = ()) -> None:
        records: dict[str, Path | bytes] = {f"{name}.txt": _secret(name) for name in RECORDS}
        self._machine = Machine(image=image, records=medium(scratch / "hostile.iso", records), gpus=gpus)
        self._hypervisor = hypervisor
        self._held = ExitStack()
        self._sandbox: Sandbox | None = None
        self._via = Via.RECORD

    def attack(self, case: Case) -> Seen:
        """Run a case's program; a guest that does not answer afterwards is replaced."""
        if case.via is not self._via:  # what a setup leaves must not meet records
            self.drop()
            self._via = case.via
        try:
            runs = [self._run(case, step) for step in case.steps]
            if self._used().run(_WITNESS, LIMITS).stdout != b"unharmed\n":
                self.drop()
        except Fault as e:
            self.drop()
            return Seen(FAULT, str(e))
        run = runs[-1]
        output = (run.stdout + run.stderr).decode(errors="replace")
        reached = tuple(line for line in output.splitlines() if line.startswith(GOT))
        answer = run.problems.get(ANSWER) or f"{len(run.files[ANSWER])} bytes" if _answered(run) else "none"
        text = f"{output[:_SHOWN]}\n{run.detail}\nanswer: {answer}"
        if _known(RECORDS[1:], run):
            reached += (f"{GOT} the answer or the output has what another record says",)
        return Seen(run.verdict.value, text.strip(), reached)

    def used(self) -> Sandbox:
        """The guest, for an attack from outside it; it is not used afterwards."""
        sandbox = self._used()
        self._sandbox = None
        return sandbox

    def _run(self, case: Case, step: str) -> Run:
        command = Command(
            argv=case.command(step),
            inputs={f"{HOME}/{RECORDS[0]}.txt": f"{RECORDS[0]}.txt"},
            remove=(ANSWER,),
            collect=(ANSWER,),
            keep=case.via is Via.SETUP,
        )
        return self._used().run(command, replace(LIMITS, **case.limits))

    def _used(self) -> Sandbox:
        if self._sandbox is None:
            self.drop()
            self._sandbox = self._held.enter_context(self._hypervisor.boot(self._machine))
        return self._sandbox

    def drop(self) -> None:
        """Destroy the guest."""
        self._sandbox = None
        self._held.close()


def _secret(record: str) -> bytes:
    return b"the secret of this record is " + hashlib.sha256(record.encode()).hexdigest().encode() + b"\n"


def _answered(run: Run) -> bool:
    return ANSWER in run.files or ANSWER in run.problems


def _known(records: tuple[str, ...], run: Run) -> bool:
    """True if a run has the content of records that it was not given."""
    texts = (run.stdout, run.stderr, *run.files.values())
    return any(_secret(record).split()[-1] in text for record in records for text in texts)


# Attacks of a QEMU that its guest has taken over: programs behind the walls of that QEMU, as its user


_SECONDS = 60.0
_NAMESPACES = {"mnt": "--mount", "net": "--net", "ipc": "--ipc", "uts": "--uts", "cgroup": "--cgroup"}
_PYTHON = "/usr/bin/python3"


def from_qemu(case: Case, guests: Guests, state: Path) -> Seen:
    """Run a case's program as the QEMU of a guest that runs; it gets the guest's folder, and the names of its files."""
    sandbox = cast(LibvirtSandbox, guests.used())
    qemu = psutil.Process(qemu_pid(sandbox.handle.name()))
    walls = walls_of(described(sandbox.handle))
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
        options = [
            option for name, option in _NAMESPACES.items() if _namespace(qemu.pid, name) != _namespace(None, name)
        ]
        argv = ["nsenter", "--target", str(qemu.pid), *options, "--", *argv] if options else argv
    environment = {**os.environ, **({VARIABLE: walls} if walls else {})}
    done = subprocess.run(argv, capture_output=True, text=True, timeout=_SECONDS, check=False, cwd="/", env=environment)
    output = (done.stdout + done.stderr).strip()
    reached = tuple(line for line in output.splitlines() if line.startswith(GOT))
    return Seen(Verdict.OK.value if done.returncode == 0 else Verdict.RUNTIME_ERROR.value, output, reached)


def _namespace(pid: int | None, name: str) -> int:
    return Path(f"/proc/{pid or 'self'}/ns/{name}").stat().st_ino
