"""One record's command in a machine with the prepared entry: the beginning of `--shell` and `--profile`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial

from evaluate.config.challenge.types import Isolation, Kind, RecordSet
from evaluate.core.errors import UsageError
from evaluate.core.model import CounterInfo, Limits, Run, Stage
from evaluate.home.trial import Trial, chosen
from evaluate.host.wiring import make_job
from evaluate.sandbox.base import Command, Hypervisor, Machine, Sandbox
from evaluate.sandbox.run_folders import RunFolders
from evaluate.stages.job import Job, PreparedEntry
from evaluate.stages.kinds.detection import handler, kind_of
from evaluate.stages.train import ready
from evaluate.untrusted.archives import open_entry
from evaluate.untrusted.packing import to_try

Instead = Callable[[Sandbox, Command, Limits], Run]
"""Runs something in a guest that is ready for a command, given its limits; its result counts as the command's."""


@dataclass(frozen=True, kw_only=True)
class OneRecord:
    """An entry that has passed prep, and the record."""

    job: Job
    prepared: PreparedEntry
    stage: Stage
    records: RecordSet
    """Only this one."""

    @property
    def name(self) -> str:
        """Name of the record."""
        return self.records.records[0]

    def run(self, instead: Instead, machine: Callable[[Machine], Machine] = lambda machine: machine) -> Run:
        """Run ``instead`` in place of the record's command, in a guest of its machine, changed by ``machine``."""
        answers = self.job.folder / "one-record"
        answers.mkdir()
        assert self.job.hypervisor is not None  # entries of these kinds run
        job = replace(self.job, hypervisor=_Instead(self.job.hypervisor, instead, machine))
        with closing(handler(job.kind).answer(job, self.prepared, self.stage, self.records, answers)) as ran:
            return next(answered.run for answered in ran if answered.run is not None)


class _Instead:
    """A hypervisor in whose guests something else runs in place of each command."""

    def __init__(self, hypervisor: Hypervisor, instead: Instead, machine: Callable[[Machine], Machine]) -> None:
        self._hypervisor, self._instead, self._machine = hypervisor, instead, machine
        self.accelerator, self.parts, self.rooms = hypervisor.accelerator, hypervisor.parts, hypervisor.rooms

    @property
    def counter(self) -> CounterInfo | None:
        return self._hypervisor.counter

    @contextmanager
    def boot(self, machine: Machine) -> Iterator[Sandbox]:
        with self._hypervisor.boot(self._machine(machine)) as sandbox:
            yield _InsteadSandbox(sandbox, self._instead)


class _InsteadSandbox:
    def __init__(self, sandbox: Sandbox, instead: Instead) -> None:
        self.counter, self.freeze, self.run = sandbox.counter, sandbox.freeze, partial(instead, sandbox)


@contextmanager
def prepared_for_record(
    trial: Trial,
    record: str | None,
    *,
    option: str,
    all_files: bool,
    hypervisor: Callable[[], Hypervisor] | None = None,
) -> Iterator[OneRecord]:
    """Prepare an entry for one record, by default the first of the quiz.

    Raises UsageError if there is no such record, or no program of the entry's own that could be looked at. Raises
    EntryError if the entry does not pass prep.

    * ``option``: the option of `evaluate try` that this is for.
    * ``hypervisor``: opens the hypervisor; by default that of the trial's accelerator.
    """
    challenge = trial.challenge
    quiz, exam = chosen(challenge, record or challenge.quiz.records[0])
    stage, records = (Stage.EXAM, exam) if exam.records else (Stage.QUIZ, quiz)
    challenge = replace(challenge, isolation=Isolation.NAMESPACE)
    with RunFolders(trial.state / "runs").new(option) as folder:
        choose = partial(to_try, say=trial.monitor.say, all_files=all_files, state=trial.state)
        opened = open_entry(trial.entry, folder, choose)
        kind = kind_of(opened.archive, challenge)
        if kind not in (Kind.SCRIPTS, Kind.PYTHON):
            other = "; use docker run -it --entrypoint sh" if kind is Kind.IMAGE else ""
            raise UsageError(f"--{option} is for entries of scripts and Python, not for kind {kind}{other}")
        means = replace(trial.means, hypervisor=hypervisor() if hypervisor else None)
        job = make_job(means, opened, challenge, folder, kind=kind)
        yield OneRecord(job=job, prepared=ready(job)[0], stage=stage, records=records)
