"""`evaluate try` and `evaluate demo`: one evaluation on this machine, without a queue."""

from __future__ import annotations

import shutil
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from evaluate import __version__
from evaluate.challenge import Challenge, record_set
from evaluate.core.errors import EntryError, UsageError
from evaluate.core.model import Entry, Evaluation, Stage, StageOutcome, StageResult, Verdict
from evaluate.host.config import load_config
from evaluate.host.devices import leased_gpus
from evaluate.host.wiring import make_job
from evaluate.images.build import build_image
from evaluate.sandbox.folders import RunFolders
from evaluate.stages.job import ANSWERS
from evaluate.stages.kinds.choice import handler, kind_of
from evaluate.stages.monitor import Monitor
from evaluate.stages.pipeline import evaluate_entry
from evaluate.untrusted.archives import open_entry, upload


def with_records(challenge: Challenge, records: Path | None, references: Path | None) -> Challenge:
    """The challenge with the caller's own records, which are then used in both quiz and exam.

    Raises
    ------
    UsageError, ChallengeError
        The folder or a file is missing.
    """
    if records is None:
        if references is None:
            return challenge
        if not references.exists():
            raise UsageError(f"--references {references}: no such file or folder")
        return replace(challenge, exam=replace(challenge.exam, references=references))
    if not records.is_dir():
        raise UsageError(f"--records {records}: no such folder")
    if references is not None and not references.exists():
        raise UsageError(f"--references {references}: no such file or folder")
    beside = records / "REFERENCE.csv"
    if references is None and beside.is_file():
        references = beside
    if references is None and challenge.exam.references == challenge.exam.folder and _annotated(challenge, records):
        references = records  # the annotations are beside the signals
    own = record_set(records, challenge.exam.inputs, references, nested=challenge.records_may_be_nested)
    own = replace(own, strip_comments=challenge.exam.strip_comments)
    return replace(challenge, quiz=own, exam=own)


def _annotated(challenge: Challenge, records: Path) -> bool:
    """Whether a folder has files of the kinds that the references of the challenge have, besides inputs."""
    folder, inputs = challenge.exam.folder, {Path(name).suffix for name in challenge.exam.inputs}
    kinds = {path.suffix for path in folder.iterdir() if path.suffix} - inputs
    return any(path.suffix in kinds for path in records.iterdir())


def _refused(source: Path | str, opened: Entry | None, challenge: Challenge, error: EntryError) -> Evaluation:
    """The evaluation of what needs no machine to be refused, such as a damaged git bundle or a file that is missing."""
    path = Path(source)
    result = StageResult(stage=Stage.PREP, verdict=Verdict.INVALID_ENTRY, message=str(error), reason=str(error))
    return Evaluation(
        entry=opened or (upload(path) if path.is_file() else Entry(archive=path, sha256="", size=0)),
        challenge=challenge.name,
        outcomes=(StageOutcome(result=result),),
    )


def try_entry(
    entry: Path | str,
    challenge: Challenge,
    state: Path,
    monitor: Monitor,
    *,
    own_records: bool = False,
    accelerator: str = "auto",
    quiz_records: int | None = None,
    keep: Path | None = None,
) -> Evaluation:
    """Evaluate one entry from archive to score.

    Parameters
    ----------
    quiz_records : int, optional
        Run only this many records of the quiz, the first ones.
    keep : Path, optional
        A folder for the answers, and for what an extra run left.
    """
    quiz = challenge.quiz
    if quiz_records is not None:
        quiz = replace(quiz, records=quiz.records[:quiz_records])
    with RunFolders(state / "runs").new("evaluation") as folder, ExitStack() as held:
        opened: Entry | None = None
        try:
            opened = open_entry(entry, folder)
            kind = kind_of(opened.archive, challenge)
            if handler(kind).runs:
                handler(kind).check(opened.archive, challenge)  # before a machine is waited for
        except EntryError as e:
            monitor.stage_started(Stage.PREP, 0)
            refused = _refused(entry, opened, challenge, e)
            monitor.stage_ended(refused.stages[0])
            return refused
        wanted = challenge.gpus if handler(kind).runs else 0  # uploaded answers need no device
        gpus = held.enter_context(leased_gpus(challenge.name, wanted, load_config(state).gpus))
        job = make_job(
            opened,
            challenge,
            folder,
            state,
            monitor,
            image_of=lambda recipe: build_image(recipe, state, monitor.say),
            layers_in=state,
            gpus=gpus,
            accelerator=accelerator,
            kind=kind,
        )
        evaluation = evaluate_entry(replace(job, quiz=quiz, own_records=own_records))
        if keep is not None:
            for name in (ANSWERS, "extra"):
                if (folder / name).is_dir():
                    shutil.copytree(folder / name, keep / name, dirs_exist_ok=True)
        return replace(evaluation, judged=time.time(), version=__version__)
