"""Kind ``python``: a repository with a program ``python PROGRAM DATA RESULT``, as in the 2021 CPSC challenge.

Where the organiser allows it, a function file ``FUNCTION(DATA, RESULT)`` under Octave may take its place.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path, PurePosixPath

from evaluate.config.challenge.types import Challenge, RecordSet
from evaluate.core.errors import EntryError
from evaluate.core.model import Program, Stage, StageResult, Verdict
from evaluate.sandbox.base import HOME
from evaluate.stages import entry_image, image_build, pins
from evaluate.stages.contracts import contract_of
from evaluate.stages.contracts.contract import WAITS
from evaluate.stages.entry_image import DockerfileImage
from evaluate.stages.image_build import NotBuilt
from evaluate.stages.job import MEDIUM, PYTHON, Job, PreparedEntry
from evaluate.stages.kinds.entry_kind import (
    Answered,
    EntryKind,
    Prepped,
    blank_machine,
    guest,
    loads_once,
    not_unpacked,
    put,
    put_in_container,
    unpack,
)
from evaluate.stages.kinds.folders import DATA, RESULT, answer_by_folder
from evaluate.stages.missing_dependencies import hint
from evaluate.untrusted.archives import Listing, inspect
from evaluate.untrusted.dockerfile import FILE as DOCKERFILE
from evaluate.untrusted.requirements import parse_requirements

REQUIREMENTS = "requirements.txt"


class Python(EntryKind):
    """Repositories with a program in Python."""

    def check(self, archive: Path, challenge: Challenge) -> Listing:
        """The listing."""
        listing, octave, image = self._read(archive, challenge)
        if image is not None:
            image.check()
        elif not octave and REQUIREMENTS in listing.members:
            parse_requirements(listing.read(REQUIREMENTS, challenge.archive.text_bytes))
        return listing

    def _read(self, archive: Path, challenge: Challenge) -> tuple[Listing, bool, DockerfileImage | None]:
        """The listing, whether an Octave function takes the program's place, and what the Dockerfile says."""
        rules, contract = challenge.run, contract_of(challenge)
        listing = inspect(archive, challenge, (REQUIREMENTS, DOCKERFILE))
        octave = bool(rules.octave) and rules.program not in listing.members and rules.octave in listing.members
        if octave:
            return listing, True, None
        needed, train = contract.needs or (rules.program,), challenge.train
        trained = train is not None and not train.is_skipped_for(listing.members)
        image = entry_image.image_of(listing, challenge)
        if contract.needs or image is None or not image.is_built:
            listing.need(needed)
        if train is not None and trained and train.program and not contract.train:
            listing.need([train.program])
        return listing, False, image

    def prep(self, job: Job) -> Prepped:
        """Check, install wheels, unpack; nothing of the entry runs yet."""
        job.monitor.step("checking the archive")
        rules = job.challenge.run
        listing, octave, image = self._read(job.entry.archive, job.challenge)
        layers: list[Path | None] = []
        replaced: list[str] = []
        if octave and rules.matlab:
            pass  # MATLAB is in the image or in one of the organiser's layers
        elif octave:
            job.monitor.step("installing Octave")
            layers = [job.layers.debian("".join(f"{name}\n" for name in rules.octave_packages).encode())]
        elif image is not None and image.is_built:
            image.check()
            return self._built(job, listing, image)
        elif image is not None:
            try:
                layers[:], replaced = entry_image.install(job, image)
            except EntryError:
                if not entry_image.installs_in_builds(job.challenge, image):
                    raise
                return self._built(job, listing, image)
        elif REQUIREMENTS in listing.members:
            job.monitor.step("installing requirements")
            text = listing.read(REQUIREMENTS, job.challenge.archive.text_bytes)
            layer, replaced = pins.install(job.layers, text, newer=rules.newer_pins)
            layers = [layer]
        present = [layer for layer in layers if layer is not None]
        organisers = job.contract.files
        files = job.medium(job.folder / f"contract{MEDIUM}", dict(organisers)) if organisers else None
        machine = blank_machine(job, present, files)
        job.monitor.step("starting the machine")
        with guest(job, machine) as sandbox:
            unpacked = unpack(job, sandbox, listing)
            if unpacked.verdict is not Verdict.OK:
                return not_unpacked(unpacked), None
            if organisers and (replacing := put(sandbox, organisers)).verdict is not Verdict.OK:
                return not_unpacked(replacing, f"{', '.join(organisers)} cannot be replaced"), None
            job.monitor.step("keeping the prepared disks")
            sandbox.freeze(job.folder)
        wanted = listing.notes(job.challenge.wanted_files)
        notes = "\n".join([*replaced, *wanted, unpacked.stdout.decode(errors="replace").strip()]).strip()
        program = Program(
            argv=_argv(job.challenge, octave=octave),
            env=image.plan.env if image is not None else {},
            cwd=HOME,
            user=None,
        )
        return StageResult(stage=Stage.PREP, verdict=Verdict.OK, message=notes), PreparedEntry(
            kind=job.kind, folder=job.folder, layers=tuple(present), program=program, dry_run=listing.dry_run
        )

    def _built(self, job: Job, listing: Listing, image: DockerfileImage) -> Prepped:
        """Build the image of the entry's Dockerfile, and put the organiser's programs in its folder."""
        contract = job.contract
        calls_image = not contract.run and job.challenge.run.program not in listing.members
        try:
            made = image_build.build(job, listing, image.plan, "" if calls_image else PYTHON)
        except NotBuilt as e:
            return e.result, None
        program = made.program
        prepared = PreparedEntry(
            kind=job.kind, folder=job.folder, layers=(made.layer,), program=program, dry_run=listing.dry_run
        )
        if not calls_image:
            argv = prepared.called(_argv(job.challenge, octave=False))
            prepared = replace(prepared, program=replace(program, argv=argv))
        files = job.medium(job.folder / f"contract{MEDIUM}", dict(contract.files)) if contract.files else None
        machine = replace(blank_machine(job, (), files), layers=prepared.layers, container=True, entry=None)
        job.monitor.step("starting the machine")
        with guest(job, machine) as sandbox:
            if contract.files and (failed := put_in_container(sandbox, program.cwd, contract.files)) is not None:
                return failed, None
            job.monitor.step("keeping the prepared disks")
            sandbox.freeze(job.folder)
        wanted = listing.notes(job.challenge.wanted_files)
        result = StageResult(stage=Stage.PREP, verdict=Verdict.OK, message="\n".join([*made.notes, *wanted]))
        return result, prepared

    def lacking(self, job: Job, printed: str) -> str:
        listing, octave, image = self._read(job.entry.archive, job.challenge)
        if image is not None:
            listed = frozenset(line.specification.name.lower() for line in image.requirements)
            # of several files the last, where nothing that a later line installs can lack what is added
            file = image.requirements[-1].file if image.requirements else DOCKERFILE
            return hint(printed, file, listed, of_debian=False)
        if octave:
            listed = frozenset(job.challenge.run.octave_packages)
            return hint(printed, "octave_packages of the challenge", listed, of_debian=True)
        text = listing.read(REQUIREMENTS, job.challenge.archive.text_bytes) if REQUIREMENTS in listing.members else b""
        listed = frozenset(line.specification.name.lower() for line in parse_requirements(text))
        return hint(printed, REQUIREMENTS, listed, of_debian=False)

    def answer(
        self, job: Job, prepared: PreparedEntry, stage: Stage, record_set: RecordSet, answers: Path
    ) -> Generator[Answered, None, None]:
        """One start for the set or for each record, by the challenge's rules."""
        program, server = prepared.program, job.contract.waits and loads_once(job)
        if server:
            program = replace(program, env={**program.env, WAITS: "1"})
        yield from answer_by_folder(job, prepared, stage, record_set, answers, program, server=server)


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
