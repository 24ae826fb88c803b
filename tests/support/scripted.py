"""An entry through its stages, on a sandbox that a script answers for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from evaluate.config.challenge.types import Challenge
from evaluate.core.model import Evaluation, Limits, Run
from evaluate.images.container import ContainerLayer
from evaluate.images.image import Image
from evaluate.sandbox.base import Command
from evaluate.stages.job import Job, NullMonitor
from evaluate.stages.pipeline import evaluate_entry
from evaluate.untrusted.archives import open_entry
from tests.support.fake_sandbox import FakeHypervisor

Script = Callable[[Command, Limits], Run]
IMAGE = Image(
    name="bookworm",
    digest="sha256:" + "0" * 64,
    kernel=Path("vmlinuz"),
    initrd=Path("initrd"),
    root=Path("root"),
    cpu_model="none",
    cpu_disabled=(),
    packages=(),
    recipe_digest="",
)


class NoLayers:
    """Entries that depend on nothing."""

    def debian(self, dependencies: bytes) -> None:
        return None

    def wheels(self, requirements: bytes) -> None:
        return None

    def places(self, links: Mapping[str, str]) -> None:
        return None

    def container(
        self, archive: Path, argument: str, limits: object, program: str = "", model: str = ""
    ) -> ContainerLayer:
        raise AssertionError("no container here")


def job_of(challenge: Challenge, entry: Path, work: Path, hypervisor: FakeHypervisor, **changes: Any) -> Job:
    """The job of an entry in the folder ``work``; it brings nothing to be installed, unless ``layers`` are given."""
    work.mkdir(parents=True, exist_ok=True)
    usual = {
        "kind": challenge.kinds[0],
        "quiz": challenge.quiz,
        "exam": challenge.exam,
        "image": IMAGE,
        "layers": NoLayers(),
        "monitor": NullMonitor(),
    }
    opened = open_entry(entry, work)
    return Job(entry=opened, challenge=challenge, folder=work, hypervisor=hypervisor, **{**usual, **changes})


def evaluated(
    challenge: Challenge, entry: Path, folder: Path, script: Script, **changes: Any
) -> tuple[Evaluation, FakeHypervisor]:
    """Evaluation in a new folder ``work``, and the hypervisor; all machines have ended."""
    hypervisor = FakeHypervisor(script)
    evaluation = evaluate_entry(job_of(challenge, entry, folder / "work", hypervisor, **changes))
    assert hypervisor.running == 0
    return evaluation, hypervisor
