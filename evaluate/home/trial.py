"""`evaluate try` and `evaluate demo`: one evaluation on this machine, without a queue.

The stages are those of a server.  What is different is what a person at home wants: every mismatch at once, one record
alone, the entry's own answers written by the machine, and the records that were answered wrongly.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from evaluate import __version__
from evaluate.config.challenge.load import record_set
from evaluate.config.challenge.types import Challenge, RecordSet
from evaluate.config.load import load_config
from evaluate.core.errors import EntryError, UsageError
from evaluate.core.files import write_file
from evaluate.core.model import Entry, Evaluation, Stage, StageOutcome, StageResult, Verdict
from evaluate.home.plain_job import plain_job
from evaluate.host.accelerators import check_libvirt
from evaluate.host.capacity import leased_gpus
from evaluate.host.wiring import HostMeans, make_job
from evaluate.sandbox.base import Hypervisor
from evaluate.sandbox.run_folders import RunFolders
from evaluate.stages.confined import Rows
from evaluate.stages.job import ANSWERS, Job, Monitor, TrialRules
from evaluate.stages.kinds.detection import handler, kind_of
from evaluate.stages.pipeline import evaluate_entry
from evaluate.stages.quiz import QUIZ_ANSWERS
from evaluate.stages.score import in_lines, wrong_records
from evaluate.untrusted.archives import open_entry, upload
from evaluate.untrusted.packing import to_try
from evaluate.untrusted.selection import IGNORE, UNTRACKED, LeftOut, Selection

_SHOWN = 20
"""Lines of a list that a person reads."""


@dataclass(frozen=True)
class Trial:
    """An entry to be tried on this machine, and where."""

    entry: Path | str
    """An archive, a folder, or the address of a repository."""
    challenge: Challenge
    state: Path
    monitor: Monitor
    accelerator: str = "auto"

    @property
    def means(self) -> HostMeans:
        """Means of this host."""
        return HostMeans(state=self.state, monitor=self.monitor, accelerator=self.accelerator)


@dataclass(frozen=True, kw_only=True)
class TryOptions:
    """Options that a person at home may ask for beyond what a server does."""

    own_records: bool = False
    """The records are the caller's own, in quiz and exam."""
    record: str | None = None
    """Run only this record, in the exam if it is there, otherwise in the quiz; there is no score."""
    write_answers: bool = False
    """Write the entry's own answers into its folder, instead of comparing them."""
    all_files: bool = False
    """Pack what git does not track or ignores as well."""
    plain: bool = False
    """Run it with the programs of this host, without a virtual machine."""
    first: frozenset[str] = frozenset()
    """Records to run before the others."""
    train: bool = True
    """True if the entry is trained, in a challenge that says so."""
    model: Path | None = None
    """A folder with a trained model, which replaces training."""
    keep: Path | None = None
    """A folder for the answers, and for what was scored where that was made of them."""


DEFAULTS = TryOptions()


def with_records(challenge: Challenge, records: Path | None, references: Path | None) -> Challenge:
    """The challenge with the caller's own records, which are then used in both quiz and exam.

    Raises UsageError or ChallengeError if the folder or a file is missing.
    """
    if records is not None and not records.is_dir():
        raise UsageError(f"--records {records}: no such folder")
    if references is not None and not references.exists():
        raise UsageError(f"--references {references}: no such file or folder")
    if records is None:
        if references is None:
            return challenge
        return challenge.with_records(exam=replace(challenge.exam, references=references))
    beside = records / "REFERENCE.csv"
    if references is None and beside.is_file():
        references = beside
    if references is None and challenge.exam.references == challenge.exam.folder and _annotated(challenge, records):
        references = records  # the annotations are beside the signals
    given = record_set(records, challenge.exam.inputs, references, nested=not challenge.answers_are_lines)
    exam = challenge.exam
    given = replace(given, strip_comments=exam.strip_comments, input_data=exam.input_data)
    return challenge.with_records(quiz=given, exam=given)


def _annotated(challenge: Challenge, records: Path) -> bool:
    """True if a folder has files of the kinds that the references of the challenge have, besides inputs."""
    folder, inputs = challenge.exam.folder, {Path(name).suffix for name in challenge.exam.inputs}
    kinds = {path.suffix for path in folder.iterdir() if path.suffix} - inputs
    return any(path.suffix in kinds for path in records.iterdir())


def _refused(source: Path | str, opened: Entry | None, challenge: Challenge, error: EntryError) -> Evaluation:
    """The evaluation of what needs no machine to be refused, such as a damaged git bundle or a file that is missing."""
    path = Path(source)
    message = str(error)
    result = StageResult(
        stage=Stage.PREP, verdict=Verdict.INVALID_ENTRY, message=message, reason=message, refusals=error.refusals
    )
    return Evaluation(
        entry=opened or (upload(path) if path.is_file() else Entry(archive=path, sha256="", size=0)),
        challenge=challenge.name,
        outcomes=(StageOutcome(result=result),),
    )


def chosen(challenge: Challenge, record: str | None) -> tuple[RecordSet, RecordSet]:
    """The records of quiz and exam; with a record, that one in one of them, without a score."""
    if record is None:
        return challenge.quiz, challenge.exam
    for records in (challenge.exam, challenge.quiz):
        if record in records.records and not records.hidden:
            here = replace(records, records=(record,), references=None)
            none = replace(records, records=())
            return (none, here) if records is challenge.exam else (here, none)
    some = ", ".join(challenge.quiz.records[:3])
    raise UsageError(f"{challenge.name} has no record {record!r}; there is {some}, …")


def _untrained(challenge: Challenge, options: TryOptions) -> Challenge:
    """The challenge, whose entries are not trained if the options say so."""
    if options.train and options.model is None:
        return challenge
    if challenge.train is None:
        raise UsageError(f"--no-train and --model: entries of {challenge.name} are not trained")
    if options.model is not None and not options.model.is_dir():
        raise UsageError(f"--model {options.model}: no such folder")
    return replace(challenge, train=replace(challenge.train, program=""))


def _check_writes_answers(entry: Path | str, challenge: Challenge) -> None:
    if not challenge.answers_are_lines:
        raise UsageError(f"--write-answers: entries of {challenge.name} contain no answers of their own")
    if not Path(entry).is_dir():
        raise UsageError(f"--write-answers: {entry} is not a folder that {challenge.answers.file} can be written to")
    if not os.access(entry, os.W_OK):
        raise UsageError(f"--write-answers: no permission to write {challenge.answers.file} into {entry}")


def _without_answers(selection: Selection, challenge: Challenge, folder: Path) -> Selection:
    """A copy of an entry that may lack its own answers, or have some that are not well-formed."""
    copy, answers = folder / "entry" / selection.folder.resolve().name, challenge.answers.file
    for name in selection.files:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(selection.folder / name, copy / name, follow_symlinks=False)
    (copy / answers).unlink(missing_ok=True)
    (copy / answers).write_text("")
    return replace(selection, folder=copy, names=tuple(sorted({*selection.names, answers})))


def _write_answers(file: Path, stages: Sequence[StageResult]) -> str:
    """Write the answers of the quiz; says how many."""
    quiz = next((stage for stage in stages if stage.stage is Stage.QUIZ), None)
    if quiz is None or not quiz.verdict.passed:
        return f"{file}: not written, because not every record was answered"
    write_file(file, "".join(f"{outcome.record},{outcome.answer}\n" for outcome in quiz.records).encode())
    return f"{file}: {len(quiz.records)} answers written"


def _report_wrong_answers(job: Job, stages: Sequence[StageResult], rows: Rows, monitor: Monitor) -> None:
    """The records of the last stage with answers whose answers are not the references.

    ``rows``: what the metric said of each record when the exam was scored; empty: it was not.
    """
    ran = next((stage for stage in reversed(stages) if stage.records), None)
    if ran is None or ran.stage not in (Stage.QUIZ, Stage.EXAM):
        return
    rules = job.challenge
    if ran.stage is Stage.EXAM:
        records, answers = replace(rules.exam, records=job.exam.records), job.answers
    else:
        records, answers = replace(rules.quiz, records=job.quiz.records), job.folder / QUIZ_ANSWERS
    given = frozenset(outcome.record for outcome in ran.records if outcome.answer is not None)
    answered = tuple(record for record in records.records if record in given)
    if rows:
        lines = in_lines({record: rows[record] for record in answered if record in rows})
    else:
        lines = wrong_records(rules, replace(records, records=answered), answers) if answered else ()
    if lines:
        monitor.say(f"wrong answers, out of {len(answered)} records of the {ran.stage}:")
        for line in lines[:_SHOWN]:
            monitor.say(f"  {line}")
    if len(lines) > _SHOWN:
        monitor.say(f"  and {len(lines) - _SHOWN} more")
    if len(ran.records) < len(records.records):
        monitor.say(
            f"not run: {len(records.records) - len(ran.records)} of {len(records.records)} records of the {ran.stage}"
        )


def _advice(item: LeftOut) -> str:
    """Say how to get something packed that was left out."""
    if item.reason == UNTRACKED:
        return "git add --force it, or use --all-files"
    if item.reason == f"ignored by {IGNORE}":
        return f"remove it from {IGNORE}"
    if item.reason.startswith("ignored by "):
        return "use --all-files, or remove it from .gitignore"
    return "give it another name if it must go"


def differs_on_a_server(challenge: Challenge, evaluation: Evaluation, options: TryOptions) -> tuple[str, ...]:
    """Say what would be different if the entry were submitted, in sentences."""
    differences = []
    machine = evaluation.machine
    if options.plain:
        differences.append(
            "the entry runs in a virtual machine with its own programs, and instructions and memory are limited"
        )
    if machine is not None and machine.accelerator == "tcg":
        differences.append(
            "seconds are longer here than with KVM; instructions are counted exactly, and are what decides"
        )
    if challenge.train is not None and (options.model is not None or not options.train):
        differences.append("the entry is trained with the records of the challenge")
    if options.own_records:
        differences.append("these are your own records; the server uses its own, in the quiz too")
    elif not challenge.exam.hidden:
        differences.append(
            "these are the public records; the exam records may be hidden, and then only counts are reported"
        )
    return tuple(differences)


def try_entry(
    trial: Trial,
    options: TryOptions = DEFAULTS,
    *,
    hypervisor: Hypervisor | None = None,
) -> Evaluation:
    """Evaluate one entry from archive to score.

    Raises UsageError if there is no such record, no file of answers to be written, or no training that could be left
    out.

    ``hypervisor``: the one of the caller; by default that of the trial's accelerator.
    """
    entry, state, monitor = trial.entry, trial.state, trial.monitor
    challenge = _untrained(trial.challenge, options)
    quiz, exam = chosen(challenge, options.record)
    writes_answers = options.write_answers
    if writes_answers:
        _check_writes_answers(entry, challenge)
    with RunFolders(state / "runs").new("evaluation") as folder, ExitStack() as held:
        opened: Entry | None = None
        rows: dict[str, Mapping[str, float | str]] = {}

        def choose(source: Path) -> Selection:
            selection = to_try(source, monitor.say, all_files=options.all_files, state=state)
            for item in selection.left_out:
                if item.name in challenge.required_files:
                    monitor.say(
                        f"warning: {item.name}, which the challenge requires, is left out ({item.reason}): "
                        f"{_advice(item)}"
                    )
            return _without_answers(selection, challenge, folder) if writes_answers else selection

        try:
            opened = open_entry(entry, folder, choose)
            kind = kind_of(opened.archive, challenge)
            if handler(kind).runs and not options.plain and hypervisor is None:
                handler(kind).check(opened.archive, challenge)  # before a machine is waited for
                check_libvirt()
        except EntryError as e:
            monitor.stage_started(Stage.PREP, 0)
            refused = _refused(entry, opened, challenge, e)
            monitor.stage_ended(refused.stages[0])
            return refused
        if options.plain:
            job = plain_job(opened, challenge, kind, folder, state, monitor)
        else:
            wanted = challenge.gpus if handler(kind).runs else 0  # uploaded answers need no device
            gpus = held.enter_context(leased_gpus(challenge.name, wanted, load_config(state).gpus))
            means = replace(trial.means, hypervisor=hypervisor)
            job = make_job(means, opened, challenge, folder, gpus=gpus, kind=kind)
        job = replace(
            job,
            quiz=quiz,
            exam=exam,
            trial=TrialRules(
                own_records=options.own_records,
                every_mismatch=True,
                writes_answers=writes_answers,
                first=options.first,
                take_rows=rows.update,
                model=options.model,
            ),
        )
        evaluation = evaluate_entry(job)
        if writes_answers:
            monitor.say(_write_answers(Path(entry) / challenge.answers.file, evaluation.stages))
        _report_wrong_answers(job, evaluation.stages, rows, monitor)
        if options.keep is not None and (folder / ANSWERS).is_dir():
            shutil.copytree(folder / ANSWERS, options.keep / ANSWERS, dirs_exist_ok=True)
        return replace(evaluation, judged=time.time(), version=__version__)
