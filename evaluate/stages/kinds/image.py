"""Kind ``image``: a container image whose entry point reads ``/input`` and writes ``/output``, as in AdaptOR 2021.

The image is turned into a read-only layer on the host; nothing of it is executed there.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

from evaluate.config.challenge.types import Challenge, RecordSet
from evaluate.core.errors import EntryError
from evaluate.core.model import Stage, StageResult, Verdict
from evaluate.stages.job import Job, PreparedEntry
from evaluate.stages.kinds.entry_kind import Answered, EntryKind, Prepped
from evaluate.stages.kinds.folders import answer_by_folder
from evaluate.stages.missing_dependencies import lacks
from evaluate.untrusted.archives import inspect, looks_like_container
from evaluate.untrusted.oci import MODEL

_SHOWN = 5
"""Names of files in a message."""


class ContainerImage(EntryKind):
    """Container images."""

    def check(self, archive: Path, challenge: Challenge) -> None:
        """Check its size and form; the layers are read when they are merged."""
        size, most = archive.stat().st_size, challenge.archive.bytes
        if size > most:
            raise EntryError(f"the archive has {size >> 20} MiB; at most {most >> 20} are allowed")
        if not looks_like_container(archive):
            held = ", ".join(sorted(inspect(archive, challenge).members)[:_SHOWN]) or "nothing"
            raise EntryError(
                "not a container image: expected an OCI layout (with index.json) or what 'docker save' writes "
                f"(with manifest.json); the archive contains {held}"
            )

    def prep(self, job: Job) -> Prepped:
        """Check the image and turn it into a layer."""
        contract, archive, rules = job.contract, job.entry.archive, job.challenge
        job.monitor.step("turning the image into a layer")
        made = job.layers.container(archive, rules.run.argument, rules.archive, rules.run.program, contract.tarball)
        message = f"{MODEL}, sha256:{made.model}, is in {contract.tarball}" if made.model else ""
        result = StageResult(stage=Stage.PREP, verdict=Verdict.OK, message=message)
        return result, PreparedEntry(kind=job.kind, folder=job.folder, layers=(made.layer,), program=made.program)

    def lacking(self, job: Job, printed: str) -> str:
        """Say what an image lacks; what it has is the team's own affair."""
        missing = lacks(printed)
        return f"the image has no {missing[0].kind} {missing[0].name}; install it in the Dockerfile" if missing else ""

    def answer(
        self, job: Job, prepared: PreparedEntry, stage: Stage, record_set: RecordSet, answers: Path
    ) -> Generator[Answered, None, None]:
        """One start for the set or for each record, by the challenge's rules."""
        program = job.contract.started(prepared.program)
        server = job.contract.serves(program)
        yield from answer_by_folder(job, prepared, stage, record_set, answers, program, server=server)
