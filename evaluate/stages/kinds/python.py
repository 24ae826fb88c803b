"""Kind ``python``: a repository with a program ``python PROGRAM DATA RESULT``, as in the 2021 CPSC challenge.

Where the organiser allows it, a function file ``FUNCTION(DATA, RESULT)`` under Octave may take its place.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from evaluate.challenge.types import Challenge, RecordSet
from evaluate.core.model import Stage, StageResult, Verdict
from evaluate.sandbox.base import Command
from evaluate.stages import pins
from evaluate.stages.contracts.table import contract_of
from evaluate.stages.job import MEDIUM, Job, Payload, PreparedEntry
from evaluate.stages.kinds.base import (
    Answered,
    Prepped,
    blank_machine,
    guest,
    not_unpacked,
    prepared_machine,
    put,
    unpack,
)
from evaluate.stages.kinds.folders import DATA, RESULT, answer_by_folder
from evaluate.stages.missing_dependencies import hint
from evaluate.untrusted.archives import Listing, inspect
from evaluate.untrusted.requirements import parse_requirements

REQUIREMENTS = "requirements.txt"


@dataclass(frozen=True, kw_only=True)
class PythonPayload(Payload):
    """An unpacked repository on the prepared disks."""

    argv: tuple[str, ...]
    """How its program is started."""


class Python:
    """See `evaluate.stages.kinds.base.EntryKind`."""

    payload = PythonPayload
    runs = True
    stops_at_first_failure = True

    def check(self, archive: Path, challenge: Challenge) -> tuple[Listing, bool]:
        """The listing, and whether an Octave function takes the program's place."""
        rules = challenge.run
        listing = inspect(archive, challenge, (REQUIREMENTS,))
        octave = bool(rules.octave) and rules.program not in listing.members and rules.octave in listing.members
        if not octave:
            listing.need(contract_of(challenge).needs or [rules.program])
            if REQUIREMENTS in listing.members:
                parse_requirements(listing.read(REQUIREMENTS, challenge.archive.text_bytes))
        train = challenge.train
        own = train is not None and not contract_of(challenge).train
        if train is not None and own and train.program and not train.is_skipped_for(listing.members):
            listing.need([train.program])
        return listing, octave

    def prep(self, job: Job) -> Prepped[PythonPayload]:
        """Check, install wheels, unpack; nothing of the entry runs yet."""
        job.monitor.step("checking the archive")
        rules = job.challenge.run
        listing, octave = self.check(job.entry.archive, job.challenge)
        layers: list[Path | None] = []
        replaced: list[str] = []
        if octave and rules.matlab:
            pass  # MATLAB is in the image or in one of the organiser's layers
        elif octave:
            job.monitor.step("installing Octave")
            layers = [job.layers.debian("".join(f"{name}\n" for name in rules.octave_packages).encode())]
        elif REQUIREMENTS in listing.members:
            job.monitor.step("installing requirements")
            text = listing.read(REQUIREMENTS, job.challenge.archive.text_bytes)
            layer, replaced = pins.install(job.layers, text, newer=rules.newer_pins)
            layers = [layer]
        found = [layer for layer in layers if layer is not None]
        organisers = contract_of(job.challenge).files
        files = job.medium(job.folder / f"contract{MEDIUM}", dict(organisers)) if organisers else None
        machine = blank_machine(job, found, files)
        job.monitor.step("starting the machine")
        with guest(job, machine) as sandbox:
            unpacked = unpack(job, sandbox, listing)
            if unpacked.verdict is not Verdict.OK:
                return Prepped(result=not_unpacked(unpacked))
            if organisers and (replacing := put(sandbox, organisers)).verdict is not Verdict.OK:
                return Prepped(result=not_unpacked(replacing, f"{', '.join(organisers)} cannot be replaced"))
            job.monitor.step("keeping the prepared disks")
            sandbox.freeze(job.folder)
        wanted = listing.notes(job.challenge.wanted_files)
        notes = "\n".join([*replaced, *wanted, unpacked.stdout.decode(errors="replace").strip()]).strip()
        return Prepped(
            result=StageResult(stage=Stage.PREP, verdict=Verdict.OK, message=notes),
            payload=PythonPayload(layers=tuple(found), argv=_argv(job.challenge, octave=octave)),
            dry_run=listing.dry_run,
        )

    def expected(self, payload: PythonPayload) -> None:
        """See `EntryKind`."""

    def lacking(self, job: Job, printed: str) -> str:
        """See `EntryKind`."""
        listing, octave = self.check(job.entry.archive, job.challenge)
        if octave:
            listed = frozenset(job.challenge.run.octave_packages)
            return hint(printed, "octave_packages of the challenge", listed, of_debian=True)
        text = listing.read(REQUIREMENTS, job.challenge.archive.text_bytes) if REQUIREMENTS in listing.members else b""
        listed = frozenset(one.specification.name.lower() for one in parse_requirements(text))
        return hint(printed, REQUIREMENTS, listed, of_debian=False)

    def answer(
        self, job: Job, prepared: PreparedEntry[PythonPayload], stage: Stage, record_set: RecordSet, answers: Path
    ) -> Generator[Answered, None, None]:
        """One start for the set or for each record, by the challenge's rules."""
        command = Command(argv=prepared.payload.argv)
        yield from answer_by_folder(
            job,
            partial(prepared_machine, job, prepared),
            stage,
            record_set,
            answers,
            command,
            record_list=job.challenge.contract is None,
        )


def _argv(challenge: Challenge, *, octave: bool) -> tuple[str, ...]:
    rules, contract = challenge.run, contract_of(challenge)
    if contract.run:
        lenient = contract.lenient if rules.allow_failures else ()
        return contract.command((*contract.run, *lenient), data=DATA, output=RESULT)
    if not octave:
        return ("/usr/bin/python3", rules.program, DATA, RESULT)
    function = PurePosixPath(rules.octave).stem
    if rules.matlab:
        return (rules.matlab, "-nodisplay", "-batch", f"{function}('{DATA}', '{RESULT}')")
    return ("/usr/bin/octave-cli", "--no-history", "--eval", f"{function}('{DATA}', '{RESULT}')")
