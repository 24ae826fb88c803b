"""Kind ``image``: a container image whose entry point reads ``/input`` and writes ``/output``, as in AdaptOR 2021.

The image is turned into a read-only layer on the host; nothing of it is executed there.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

from evaluate.challenge import Challenge, Kind, RecordSet
from evaluate.core.errors import EntryError
from evaluate.core.model import Stage, StageResult, Verdict
from evaluate.sandbox.base import Command
from evaluate.stages.job import Job, PreparedEntry
from evaluate.stages.kinds.base import Answered
from evaluate.stages.kinds.folders import answer_by_folder
from evaluate.untrusted.archives import looks_like_container


class ContainerImage:
    """See `evaluate.stages.kinds.base.EntryKind`."""

    def check(self, archive: Path, challenge: Challenge) -> None:
        """Its size and form; the layers are read when it is merged."""
        size, most = archive.stat().st_size, challenge.archive.bytes
        if size > most:
            raise EntryError(f"the archive has {size >> 20} MiB; at most {most >> 20} are allowed")
        if not looks_like_container(archive):
            raise EntryError("no container image: wanted an OCI layout or what 'docker save' writes, gzipped or not")

    def prep(self, job: Job) -> tuple[StageResult, PreparedEntry | None]:
        """Check the image and make it into a layer."""
        job.monitor.step("turning the image into a layer")
        made = job.layers.container(job.entry.archive, job.challenge.run.argument, job.challenge.archive)
        result = StageResult(stage=Stage.PREP, verdict=Verdict.OK, message="\n".join(made.notes))
        return result, PreparedEntry(kind=Kind.IMAGE, layers=[made.layer], program=made.program)

    def answer(
        self, job: Job, prepared: PreparedEntry, stage: Stage, record_set: RecordSet, answers: Path
    ) -> Generator[Answered, None, None]:
        """One start for the set or for each record, by the challenge's rules."""
        program = prepared.program
        if program is None:
            raise ValueError("a prepared image has a program")
        command = Command(argv=program.argv, env=program.env, cwd=program.cwd, user=program.user)
        yield from answer_by_folder(job, prepared, stage, record_set, answers, command, record_list=False)
