"""`evaluate try` and `evaluate demo`: one evaluation on this machine, without a queue."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from evaluate.challenge import Challenge, record_set
from evaluate.errors import ChallengeError, UsageError
from evaluate.evaluation import evaluate_entry
from evaluate.host import open_hypervisor
from evaluate.images.build import build_image
from evaluate.images.image import Image
from evaluate.images.layers import build_layer, parse_dependencies
from evaluate.images.recipe import load_recipe
from evaluate.intake import open_entry
from evaluate.model import Evaluation
from evaluate.monitor import Monitor
from evaluate.stages.job import Job


def with_records(challenge: Challenge, records: Path | None, references: Path | None) -> Challenge:
    """The challenge on the caller's own records, which then serve in quiz and exam alike.

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
    own = record_set(records, challenge.exam.inputs, references)
    return replace(challenge, quiz=own, exam=own)


def ready_image(name: str, state: Path, monitor: Monitor) -> Image:
    """The image, built first if it is not there."""
    return build_image(load_recipe(name), state, monitor.say)


def try_entry(
    entry: Path,
    challenge: Challenge,
    state: Path,
    monitor: Monitor,
    *,
    own_records: bool = False,
    accelerator: str = "auto",
    quiz_records: int | None = None,
) -> Evaluation:
    """Evaluate one entry from archive to score.

    Parameters
    ----------
    quiz_records : int, optional
        Run only the first so many records in the quiz.
    """
    image = ready_image(challenge.image, state, monitor)
    hypervisor = open_hypervisor(state, image, accelerator, monitor.say)
    if challenge.exam.hidden and hypervisor.accelerator == "tcg" and not challenge.allow_tcg_exam:
        raise ChallengeError(
            f"{challenge.name}: its exam is hidden, and QEMU does not call software emulation a security boundary; "
            "use a host with KVM and a PMU, or set allow_tcg_exam: true in challenge.yaml"
        )
    recipe = load_recipe(challenge.image)
    quiz = challenge.quiz
    if quiz_records is not None:
        quiz = replace(quiz, records=quiz.records[:quiz_records])
    with hypervisor.runs.new("evaluation") as folder:
        job = Job(
            entry=open_entry(entry, folder),
            challenge=challenge,
            quiz=quiz,
            exam=challenge.exam,
            image=image,
            hypervisor=hypervisor,
            build_layer=lambda text: build_layer(image, recipe, parse_dependencies(text), state, monitor.say),
            monitor=monitor,
            own_records=own_records,
            folder=folder,
        )
        return evaluate_entry(job)
