"""Attacks from inside a guest; they share one as long as it can be used."""

from __future__ import annotations

import hashlib
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from evaluate.attack.cases import FAULT, GOT, Case, Seen, Via
from evaluate.core.errors import SandboxFault
from evaluate.core.model import MIB, Limits, Run
from evaluate.images.image import Image
from evaluate.sandbox.base import HOME, Command, Hypervisor, Machine, Sandbox
from evaluate.sandbox.disks import medium

LIMITS = Limits(instructions=2 * 10**10, wall_seconds=60, memory_bytes=256 * MIB, processes=64, output_bytes=MIB)
"""Of an attack, unless its case says otherwise."""
ANSWER = f"{HOME}/answers.txt"
RECORDS = ("first", "second", "third")
"""The records of the medium; attacks run for the first."""
_WITNESS = Command(argv=("/bin/echo", "unharmed"))
_SHOWN = 2000


class Guests:
    """Boots a guest when it is needed, and another when an attack has made it unusable."""

    def __init__(self, hypervisor: Hypervisor, image: Image, scratch: Path) -> None:
        records: dict[str, Path | bytes] = {f"{name}.txt": _secret(name) for name in RECORDS}
        self._machine = Machine(image=image, records=medium(scratch / "hostile.iso", records))
        self._hypervisor = hypervisor
        self._held = ExitStack()
        self._sandbox: Sandbox | None = None
        self._via = Via.RECORD
        self.boots = 0

    def __enter__(self) -> Guests:
        """Boot nothing yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Destroy the guest."""
        self._drop()

    def attack(self, case: Case) -> Seen:
        """Run a case's program; a guest that does not answer afterwards is replaced."""
        if case.via is not self._via:  # what a setup leaves must not meet records
            self._drop()
            self._via = case.via
        try:
            runs = [self._run(case, step) for step in case.steps]
            if self._used().run(_WITNESS, LIMITS).stdout != b"unharmed\n":
                self._drop()
        except SandboxFault as e:
            self._drop()
            return Seen(FAULT, str(e))
        run = runs[-1]
        said = (run.stdout + run.stderr).decode(errors="replace")
        reached = tuple(line for line in said.splitlines() if line.startswith(GOT))
        answer = run.problems.get(ANSWER) or f"{len(run.files[ANSWER])} bytes" if _answered(run) else "none"
        text = f"{said[:_SHOWN]}\n{run.detail}\nanswer: {answer}"
        if _known(RECORDS[1:], run):
            reached += (f"{GOT} the answer or the output has what another record says",)
        return Seen(run.verdict.value, text.strip(), reached)

    def used(self) -> Sandbox:
        """The guest, for a fault that is injected into it; it is not used afterwards."""
        found = self._used()
        self._sandbox = None
        return found

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
            self._drop()
            self._sandbox = self._held.enter_context(self._hypervisor.boot(self._machine))
            self.boots += 1
        return self._sandbox

    def _drop(self) -> None:
        self._sandbox = None
        self._held.close()


def _secret(record: str) -> bytes:
    return b"the secret of this record is " + hashlib.sha256(record.encode()).hexdigest().encode() + b"\n"


def _answered(run: Run) -> bool:
    return ANSWER in run.files or ANSWER in run.problems


def _known(records: tuple[str, ...], run: Run) -> bool:
    """Whether a run knows what records say that it was not given."""
    texts = (run.stdout, run.stderr, *run.files.values())
    return any(_secret(record).split()[-1] in text for record in records for text in texts)
