"""An entry through its stages, on a sandbox that a script answers for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from evaluate.config.challenge.types import Challenge
from evaluate.core.model import Evaluation, Limits, Run
from evaluate.sandbox.base import Command
from evaluate.stages.job import Job, NullMonitor
from evaluate.stages.pipeline import evaluate_entry
from evaluate.untrusted.archives import open_entry
from tests.support.fake_sandbox import FakeHypervisor
from tests.unit.stages.test_stages import IMAGE, NoLayers

Script = Callable[[Command, Limits], Run]


def job_of(challenge: Challenge, entry: Path, work: Path, hypervisor: FakeHypervisor, **changes: Any) -> Job:
    """The job of an entry; it brings nothing to be installed, unless ``layers`` are given."""
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
    work = folder / "work"
    work.mkdir()
    hypervisor = FakeHypervisor(script)
    evaluation = evaluate_entry(job_of(challenge, entry, work, hypervisor, **changes))
    assert hypervisor.running == 0
    return evaluation, hypervisor
