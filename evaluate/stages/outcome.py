"""How a stage ends: with one `StageOutcome`, whatever the entry did."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Concatenate, ParamSpec

from evaluate.challenge.types import Isolation
from evaluate.core.errors import EntryError
from evaluate.core.files import sha256_kept
from evaluate.core.model import MachineInfo, Stage, StageOutcome, StageResult, Verdict
from evaluate.sandbox.domain import processor
from evaluate.stages.job import Job, PreparedEntry

P = ParamSpec("P")


def of_stage(
    stage: Stage,
) -> Callable[[Callable[Concatenate[Job, P], StageResult | StageOutcome]], Callable[Concatenate[Job, P], StageOutcome]]:
    """Make a function the stage ``stage``: what it says about the entry, and what it ran on, become one value.

    An `EntryError`, wherever in the stage it is raised, is this stage's verdict.  Other errors are not verdicts and
    pass through.
    """

    def made(
        work: Callable[Concatenate[Job, P], StageResult | StageOutcome],
    ) -> Callable[Concatenate[Job, P], StageOutcome]:
        def run(job: Job, /, *args: P.args, **kwargs: P.kwargs) -> StageOutcome:
            try:
                found = work(job, *args, **kwargs)
            except EntryError as e:
                found = StageResult(
                    stage=stage, verdict=Verdict.INVALID_ENTRY, message=str(e), reason=str(e), refusals=e.refusals
                )
            if isinstance(found, StageOutcome):
                return found
            own = [layer for one in args if isinstance(one, PreparedEntry) for layer in one.payload.layers]
            return StageOutcome(result=found, machine=machine_info(job, own, stage))

        run.__doc__ = work.__doc__
        return run

    return made


def machine_info(job: Job, layers: Sequence[Path] = (), stage: Stage = Stage.EXAM) -> MachineInfo | None:
    """What a stage of a job runs on, with these layers of the entry; None where nothing runs."""
    if job.hypervisor is None or job.image is None:
        return None
    # these two are in a machine that lives on, whose time is the host's
    alone = stage not in (Stage.PREP, Stage.TRAIN)
    isolation = job.challenge.isolation if alone else Isolation.NAMESPACE
    found = MachineInfo(
        accelerator=job.hypervisor.accelerator,
        image=job.image.digest,
        counter=job.hypervisor.counter,
        parts=job.hypervisor.parts(job.image),
        layers=tuple(sha256_kept(layer) for layer in (*layers, *job.challenge.layers)),
        isolation=job.challenge.isolation.value,
        processor=processor(),
        host=platform.node(),
        processors=job.challenge.sizes_of(stage).processors,
    )
    if found.counter is None:
        return found
    mode = replace(found, isolation=isolation.value).mode
    return replace(found, counter=replace(found.counter, mode=mode))
