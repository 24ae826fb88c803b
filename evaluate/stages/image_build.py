"""The image of a Dockerfile that is not translated: buildah makes it, in a guest that does nothing else.

The guest has no network; what it reaches, if the organiser allows it, is the site's package index and mirror of Debian
(`evaluate.images.mirrors`).  It gets the entry, the organiser's base images and disks of a fixed size; what it leaves
is read as an uploaded container image is (`evaluate.images.container`).  Its host trusts nothing of it: whatever the
lines of the Dockerfile do there, they change the team's own image only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from evaluate.config.challenge.types import ArchiveLimits, BuildRules
from evaluate.confine.ownership import discard_tree
from evaluate.core.codec import to_json
from evaluate.core.errors import ChallengeError, EntryError
from evaluate.core.files import data_folder, sha256_file, sha256_kept
from evaluate.core.model import MIB, Limits, Refusal, RefusalKind, Run, Sizes, Stage, StageResult, User, Verdict
from evaluate.images.container import ContainerLayer
from evaluate.images.mirrors import Mirrors, mirrors_here
from evaluate.sandbox.base import Command, Machine
from evaluate.stages.job import MEDIUM, Job
from evaluate.stages.kinds.entry_kind import diagnostics, guest
from evaluate.untrusted.archives import Listing
from evaluate.untrusted.dockerfile import FILE, ImagePlan, LineRequest, full_name

_IGNORE_FILES = (f"{FILE}.dockerignore", ".dockerignore")
"""The first that exists counts."""
_BUILDER = b"buildah\n"
"""Package that the guest has besides the image of the challenge."""
FETCHED = "fetched.json"
"""Beside the prepared disks: what a build was given by the mirrors, with digests."""
_BASES, _OUTPUT, _IMAGE, _AT = "/bases", "/output", "image.tar", "at"
_NUMBERS, _NOTE_BYTES = re.compile(rb"([0-9]{1,4}) ([0-9]{1,4}) ([0-9]{1,4})\n"), 20
_LAST_LINES = 10
"""Number of last lines of what was printed, in a refusal."""
_ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8"}
_PROGRAMS = "build_image.py", "unpack.py"
_PROCESSES = 1024
_ROOM_BYTES, _ITS_OWN_BYTES = 256 * MIB, 512 * MIB


def refusals(plan: ImagePlan, translation: Sequence[Refusal], rules: BuildRules) -> tuple[Refusal, ...]:
    """Refusals of a build; empty: it may be tried.

    ``translation``: refusals of a translation.
    """
    names = {"scratch", *map(full_name, rules.images)}
    unknown = [
        Refusal(
            file=FILE,
            line=image.line,
            kind=RefusalKind.BASE,
            found=f"FROM {image.text}",
            expected=f"expected an image that this challenge has: {', '.join(rules.images)}",
            way_out=f"write: FROM {next(iter(rules.images))}",
        )
        for image in plan.images
        if not {image.text, full_name(image.text)} & names
    ]
    return (*unknown, *(refusal for refusal in translation if refusal.kind is RefusalKind.DOWNLOAD))


def build(job: Job, listing: Listing, plan: ImagePlan, program: str) -> ContainerLayer:
    """The layer of the image that an entry's Dockerfile makes.

    ``program``: what is called in an image that has no entry point; empty: it must have one, or a command.

    Raises NotBuilt if it cannot be built within the limits. Raises EntryError if what was built cannot be used.
    """
    rules = job.challenge.dockerfile.build if job.challenge.dockerfile else None
    if rules is None:
        raise ChallengeError(f"{job.challenge.name}: its challenge.yaml has no key dockerfile.build")
    mirrors = mirrors_here() if rules.indexes else None
    # the same files that are packed at home again are the same archive
    key = [job.entry.sha256, job.team, _settings(job, rules, mirrors), program]
    return job.layers.built(key, lambda: _built(job, listing, plan, rules, mirrors, program))


def _settings(job: Job, rules: BuildRules, mirrors: Mirrors | None) -> object:
    """Settings of the build."""
    assert job.image is not None
    bases = {full_name(name): sha256_kept(path) for name, path in rules.images.items()}
    limits = to_json(replace(rules, images={}))
    guests = {name: sha256_file(data_folder("vm_images") / "guest" / name) for name in _PROGRAMS}
    return [job.image.digest, bases, limits, guests, mirrors.index if mirrors is not None else ""]


def _built(
    job: Job, listing: Listing, plan: ImagePlan, rules: BuildRules, mirrors: Mirrors | None, program: str
) -> ContainerLayer:
    job.monitor.step("preparing the machine that builds the Dockerfile")
    run, archive = _run(job, listing, rules, mirrors)
    try:
        if run.verdict is not Verdict.OK:
            raise NotBuilt(run, failing(plan, archive.with_name(_AT)))
        limits = ArchiveLimits(bytes=rules.image_bytes, unpacked_bytes=rules.image_bytes, files=rules.image_files)
        job.monitor.step("turning the built image into a layer")
        if not archive.is_file():
            raise EntryError(f"the build of {FILE} left no image")
        if mirrors is not None:
            (job.folder / FETCHED).write_text(json.dumps(to_json(mirrors.fetched()), indent=1))
        return job.layers.container(archive, "", limits, program)
    finally:
        discard_tree(archive.parent)


class NotBuilt(EntryError):
    """The build failed, or exceeded a limit."""

    def __init__(self, run: Run, at: LineRequest | None) -> None:
        """``at``: the instruction that was carried out; None: none was yet."""
        streams = run.stdout, run.stderr
        printed = [line for stream in streams for line in stream.decode(errors="replace").strip().splitlines()]
        failed = run.verdict is Verdict.RUNTIME_ERROR
        refusals = () if at is None else (_failed(at, run, printed),)
        super().__init__(f"{FILE} cannot be built: {printed[-1] if printed and failed else run.detail}", refusals)
        self.result = StageResult(
            stage=Stage.PREP,
            verdict=Verdict.INVALID_ENTRY if run.verdict is Verdict.RUNTIME_ERROR else run.verdict,
            message=str(self),
            reason=str(self),
            refusals=refusals,
            usage=run.usage,
            diagnostics=diagnostics(run),
        )


def _failed(at: LineRequest, run: Run, printed: Sequence[str]) -> Refusal:
    """The line of an instruction that failed, or during which a limit was exceeded."""
    code = run.exit_code if run.verdict is Verdict.RUNTIME_ERROR else None
    return Refusal(
        file=FILE,
        line=at.line,
        kind=RefusalKind.BUILD,
        found=at.text,
        expected=f"expected exit code 0, found {code}" if code is not None else f"expected an end: {run.detail}",
        way_out="",
        exit_code=code,
        printed=tuple(printed[-_LAST_LINES:]),
    )


def failing(plan: ImagePlan, note: Path) -> LineRequest | None:
    """The instruction that the guest noted last; None: there is no such note, or it names none.

    What a base image adds (ONBUILD) comes after FROM, and is called FROM.
    """
    try:
        with note.open("rb") as file:
            match = _NUMBERS.fullmatch(file.read(_NOTE_BYTES))
    except OSError:
        return None
    stage, step, steps = map(int, match.groups()) if match else (0, 0, 0)
    if not 1 <= stage <= len(plan.stages):
        return None
    instructions = plan.stages[stage - 1]
    at = max(1, step - max(0, steps - len(instructions)))
    return instructions[at - 1] if at <= len(instructions) else None


def _run(job: Job, listing: Listing, rules: BuildRules, mirrors: Mirrors | None) -> tuple[Run, Path]:
    """Return how the build ended, and the place of its image if it ended well."""
    if job.image is None:
        raise ChallengeError(f"{job.challenge.name}: its challenge.yaml names no image to build in")
    builder = job.layers.debian(_BUILDER)
    names = {f"{n}.tar": path for n, path in enumerate(rules.images.values())}
    medium = job.medium(job.folder / f"bases{MEDIUM}", {f"0/{name}": path for name, path in names.items()})
    machine = Machine(
        image=job.image,
        layers=[*([builder] if builder is not None else []), job.image.root],
        container=True,
        entry=job.entry.archive,
        records=medium,
        answers_bytes=rules.image_bytes,
        licence_server=mirrors,
        sizes=Sizes(
            memory_bytes=rules.memory_bytes + _ITS_OWN_BYTES,
            root_bytes=_ROOM_BYTES,
            home_bytes=rules.image_bytes + _ROOM_BYTES,
            tmp_bytes=rules.disk_bytes,
        ),
    )
    job.monitor.step("starting the machine that builds the Dockerfile")
    folder = job.folder / "built"
    with guest(job, machine) as sandbox:
        job.monitor.step(f"building the image of {FILE}")
        command = _command(job, listing, dict(zip(rules.images, names, strict=True)), mirrors)
        run = sandbox.run(replace(command, gather=folder), _limits(rules))
    medium.unlink()
    return run, folder / _IMAGE


def _command(job: Job, listing: Listing, bases: Mapping[str, str], mirrors: Mirrors | None) -> Command:
    guests = data_folder("vm_images") / "guest"
    plan = {
        "bases": {full_name(name): f"{_BASES}/{file}" for name, file in bases.items()},
        "context": [listing.kind, str(job.entry.size), listing.prefix],
        "dockerfile": FILE,
        "ignore": next((name for name in _IGNORE_FILES if name in listing.members), ""),
        "proxy": f"http://127.0.0.1:{mirrors.ports[0]}" if mirrors is not None else "",
        "index": mirrors.index if mirrors is not None else "",
        "target": f"{_OUTPUT}/{_IMAGE}",
        "at": f"{_OUTPUT}/{_AT}",
    }
    program, unpack = ((guests / name).read_text() for name in _PROGRAMS)
    builder = ("/usr/bin/python3", "-I", "-S", "-c", program, json.dumps(plan), unpack)
    return Command(
        argv=("/usr/bin/unshare", "--mount", *builder),
        cwd="/",
        env=_ENVIRONMENT,
        user=User(uid=0, gid=0),
        builds=True,
        stdin_entry=True,
        mounts={_BASES: "0"},
        output=_OUTPUT,
        using=job.monitor.using,
    )


def _limits(rules: BuildRules) -> Limits:
    return Limits(
        instructions=rules.instructions,
        wall_seconds=rules.wall_seconds,
        memory_bytes=rules.memory_bytes,
        processes=_PROCESSES,
        output_bytes=64 * MIB,
        answer_bytes=rules.image_bytes,
        answers_bytes=rules.image_bytes,
    )
