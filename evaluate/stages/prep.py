"""prep: is the entry complete, can its dependencies be had, does its setup succeed?

The archive is only listed on the host.  What has to be unpacked is unpacked in the guest.
"""

from __future__ import annotations

from evaluate.core.errors import EntryError
from evaluate.core.model import Stage, StageResult, Verdict
from evaluate.stages.job import Job, PreparedEntry
from evaluate.stages.kinds.choice import handler, kind_of


def prep(job: Job) -> tuple[StageResult, PreparedEntry | None]:
    """Check, install, unpack, set up; the prepared entry if all went well, also saved in ``job.folder``."""
    try:
        result, prepared = handler(kind_of(job.entry.archive, job.challenge)).prep(job)
    except EntryError as e:
        return StageResult(stage=Stage.PREP, verdict=Verdict.INVALID_ENTRY, message=str(e)), None
    if prepared is not None:
        prepared.save(job.folder)
    return result, prepared
