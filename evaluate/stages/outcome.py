"""How a stage ends: with one `StageOutcome`, whatever the entry did."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec

from evaluate.core.errors import EntryError
from evaluate.core.model import MachineInfo, Stage, StageOutcome, StageResult, Verdict
from evaluate.stages.job import Job

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
                found = StageResult(stage=stage, verdict=Verdict.INVALID_ENTRY, message=str(e), reason=str(e))
            if isinstance(found, StageOutcome):
                return found
            return StageOutcome(result=found, machine=machine_info(job))

        run.__doc__ = work.__doc__
        return run

    return made


def machine_info(job: Job) -> MachineInfo | None:
    """What a job runs on; None where nothing runs."""
    if job.hypervisor is None or job.image is None:
        return None
    return MachineInfo(accelerator=job.hypervisor.accelerator, image=job.image.digest, counter=job.hypervisor.counter)
