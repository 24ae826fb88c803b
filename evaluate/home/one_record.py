"""One record's command, in a machine in which the entry was prepared: what `--shell` and `--profile` begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from evaluate.config.challenge.types import Challenge, Isolation, Kind, RecordSet
from evaluate.core.errors import UsageError
from evaluate.core.model import Run, Stage
from evaluate.home.trial import chosen
from evaluate.host.wiring import make_job
from evaluate.sandbox.base import Hypervisor
from evaluate.sandbox.folders import RunFolders
from evaluate.stages.job import Job, Monitor, PreparedEntry, Trial
from evaluate.stages.kinds.detection import handler, kind_of
from evaluate.stages.train import ready
from evaluate.untrusted.archives import open_entry
from evaluate.untrusted.packing import to_try


@dataclass(frozen=True, kw_only=True)
class OneRecord:
    """An entry that has passed prep, and the record."""

    job: Job
    prepared: PreparedEntry[Any]
    stage: Stage
    records: RecordSet
    """Only this one."""

    @property
    def name(self) -> str:
        """Name of the record."""
        return self.records.records[0]

    def run(self, hypervisor: Hypervisor) -> Run:
        """Run the record's command, with machines that come from elsewhere."""
        answers = self.job.folder / "one-record"
        answers.mkdir()
        job = replace(self.job, hypervisor=hypervisor)
        with closing(handler(job.kind).answer(job, self.prepared, self.stage, self.records, answers)) as ran:
            return next(answered.run for answered in ran if answered.run is not None)


@contextmanager
def prepared_for_record(
    entry: Path | str,
    challenge: Challenge,
    record: str | None,
    state: Path,
    monitor: Monitor,
    *,
    option: str,
    all_files: bool,
    accelerator: str = "auto",
    hypervisor: Callable[[], Hypervisor] | None = None,
) -> Iterator[OneRecord]:
    """Prepare an entry for one record, by default the first of the quiz.

    Raises UsageError if there is no such record, or no program of the entry's own that could be looked at. Raises
    EntryError if the entry does not pass prep.

    * ``option``: the option of `evaluate try` that this is for.
    * ``hypervisor``: opens what the machines come from; by default what ``accelerator`` says.
    """
    quiz, exam = chosen(challenge, record or challenge.quiz.records[0])
    stage, records = (Stage.EXAM, exam) if exam.records else (Stage.QUIZ, quiz)
    challenge = replace(challenge, isolation=Isolation.NAMESPACE, run=replace(challenge.run, extra=""))
    with RunFolders(state / "runs").new(option) as folder:
        choose = partial(to_try, say=monitor.say, all_files=all_files, state=state)
        opened = open_entry(entry, folder, choose, monitor.say)
        kind = kind_of(opened.archive, challenge)
        if kind not in (Kind.SCRIPTS, Kind.PYTHON):
            other = "; use docker run -it --entrypoint sh" if kind is Kind.IMAGE else ""
            raise UsageError(f"--{option} is for entries of scripts and Python, not for kind {kind}{other}")
        job = make_job(
            opened,
            challenge,
            folder,
            state,
            monitor,
            accelerator=accelerator,
            kind=kind,
            hypervisor=hypervisor() if hypervisor else None,
        )
        job = replace(job, trial=Trial(packed_here=Path(entry).is_dir()))
        yield OneRecord(job=job, prepared=ready(job)[0], stage=stage, records=records)
