"""Image of an entry with a ``Dockerfile``: its plan, its layers, and the folder of its files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evaluate.config.challenge.types import Challenge
from evaluate.confine.isolated import Bounds, isolated
from evaluate.core.errors import EntryError, Fault, refused
from evaluate.core.model import Refusal
from evaluate.protocol.guest import HOME
from evaluate.stages import image_build, pins
from evaluate.stages.contracts import contract_of
from evaluate.stages.job import Job
from evaluate.untrusted.archives import Listing
from evaluate.untrusted.dockerfile import FILE, MOST_BYTES, ImagePlan, is_free, translate
from evaluate.untrusted.oci import is_word
from evaluate.untrusted.requirements import PYTHON, Dependency, Requirement, dependency, parse_requirements, requirement

_SECONDS, _SECONDS_A_FILE = 30, 0.001
_REPLY_BYTES, _REPLY_BYTES_A_FILE = 1 << 20, 1 << 10


@dataclass(frozen=True, kw_only=True)
class DockerfileImage:
    """Requests of a Dockerfile, with the lines of its requirements."""

    plan: ImagePlan
    packages: tuple[Dependency, ...]
    requirements: tuple[Requirement, ...]
    refusals: tuple[Refusal, ...]
    """Refusals that can be stated without the network."""
    is_built: bool = False
    """True if it is outside the usual shape, or has another program than the challenge's, and there are builds."""

    def check(self) -> None:
        """Raise EntryError if it cannot be translated, nor built where the challenge has builds."""
        if self.refusals:
            raise refused(self.refusals)


def image_of(listing: Listing, challenge: Challenge) -> DockerfileImage | None:
    """The image of an entry; None: it has no Dockerfile, or the challenge does not use it.

    Raises EntryError if the Dockerfile cannot be read at all.
    """
    if challenge.dockerfile is None or FILE not in listing.members:
        return None
    names = [name for name, member in listing.members.items() if member.kind != "folder"]
    bounds = Bounds(
        doing=f"reading {FILE}",
        seconds=_SECONDS + len(names) * _SECONDS_A_FILE,
        reply_bytes=_REPLY_BYTES + len(names) * _REPLY_BYTES_A_FILE,
    )
    text = listing.read(FILE, MOST_BYTES)
    bases = challenge.dockerfile.bases
    plan = isolated(bounds, translate, text, names, bases, PYTHON)
    _check_places(plan)
    refusals = list(plan.refusals)
    packages = _packages(plan, refusals)
    requirements = _requirements(plan, listing, challenge, refusals)
    rules = challenge.dockerfile.build
    has_program = bool(contract_of(challenge).run) or challenge.run.program in listing.members
    is_built = rules is not None and (bool(refusals) or not has_program)
    if rules is not None and is_built:
        refusals = list(image_build.refusals(plan, refusals, rules))
    return DockerfileImage(
        plan=plan,
        packages=packages,
        requirements=requirements,
        refusals=tuple(dict.fromkeys(refusals)),
        is_built=is_built,
    )


def _check_places(plan: ImagePlan) -> None:
    """Check that the reader, which its text may have taken over, names no place and no word that it would not itself.

    Raises Fault if it does.
    """
    words = (*plan.env, *plan.env.values())
    if not (plan.top in ("", HOME) or is_free(plan.top)) or not all(map(is_word, words)):
        raise Fault(f"reading {FILE} ended without a reply that can be used: a place that is the machine's, or no text")


def _packages(plan: ImagePlan, refusals: list[Refusal]) -> tuple[Dependency, ...]:
    packages: dict[Dependency, None] = {}
    for request in plan.packages:
        try:
            packages[dependency(request.text, request.line, FILE)] = None
        except EntryError as e:
            refusals += e.refusals
    return tuple(packages)


def _requirements(
    plan: ImagePlan, listing: Listing, challenge: Challenge, refusals: list[Refusal]
) -> tuple[Requirement, ...]:
    requirements: list[Requirement | None] = []
    for request in plan.requirements:
        try:
            requirements.append(requirement(request.text, request.line, file=FILE))
        except EntryError as e:
            refusals += e.refusals
    for name in dict.fromkeys(file.text for file in plan.requirement_files if file.text in listing.members):
        try:
            requirements += parse_requirements(listing.read(name, challenge.archive.text_bytes), file=name)
        except EntryError as e:
            refusals += e.refusals
    return tuple({str(line.specification): line for line in requirements if line is not None}.values())


def install(job: Job, image: DockerfileImage) -> tuple[tuple[Path, ...], list[str]]:
    """The layers of an image, the uppermost first, and notes for the team.

    Raises EntryError, which names all that cannot be installed or translated.
    """
    plan = image.plan
    if image.refusals:
        raise refused(image.refusals)
    notes = list(plan.notes)
    layers: list[Path | None] = []
    errors: list[EntryError] = []
    if image.requirements:
        job.monitor.step("installing Python packages")
        try:
            layer, replaced = pins.install(job.layers, image.requirements, newer=job.challenge.run.newer_pins)
            layers.append(layer)
            notes += replaced
        except EntryError as e:
            errors.append(e)
    if image.packages:
        job.monitor.step("installing Debian packages")
        try:
            layers.append(job.layers.debian(image.packages))
        except EntryError as e:
            errors.append(e)
    if errors:
        raise EntryError("\n".join(map(str, errors)), [refusal for e in errors for refusal in e.refusals])
    links = {"/usr/local/bin/python": "/usr/bin/python3"}
    if plan.top not in ("", HOME):
        links[plan.top] = HOME
    return tuple(filter(None, [job.layers.places(links), *layers])), notes


def installs_in_builds(challenge: Challenge, image: DockerfileImage) -> bool:
    """True if what cannot be installed in the machine's own Python and Debian may be installed in a build."""
    rules = challenge.dockerfile.build if challenge.dockerfile is not None else None
    return rules is not None and rules.indexes and not image_build.refusals(image.plan, image.refusals, rules)
