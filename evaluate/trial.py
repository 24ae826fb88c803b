"""`evaluate try` and `evaluate demo`: one evaluation on this machine, without a queue."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from evaluate.challenge import Challenge, Kind, record_set
from evaluate.config import FILE, Config, load_config
from evaluate.errors import ChallengeError, UsageError
from evaluate.evaluation import evaluate_entry
from evaluate.host import open_hypervisor
from evaluate.images.build import build_image
from evaluate.images.recipe import load_recipe
from evaluate.intake import open_entry
from evaluate.kinds.choice import kind_of
from evaluate.model import Evaluation
from evaluate.monitor import Monitor
from evaluate.provision import StateLayers
from evaluate.sandbox.base import LicenceServer
from evaluate.sandbox.folders import RunFolders
from evaluate.stages.job import ANSWERS, Job


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
    nested = Kind.SCRIPTS not in challenge.kinds
    own = record_set(records, challenge.exam.inputs, references, nested=nested)
    own = replace(own, strip_comments=challenge.exam.strip_comments)
    return replace(challenge, quiz=own, exam=own)


def needs_machine(kind: Kind) -> bool:
    """Whether entries of this kind run anything."""
    return kind is not Kind.ANSWERS


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
        Run only the first so many records in the quiz.
    keep : Path, optional
        A folder for the answers, and for what an extra run left.
    """
    quiz = challenge.quiz
    if quiz_records is not None:
        quiz = replace(quiz, records=quiz.records[:quiz_records])
    with RunFolders(state / "runs").new("evaluation") as folder:
        opened = open_entry(entry, folder)
        with_machine = needs_machine(kind_of(opened.archive, challenge))
        recipe = load_recipe(challenge.image) if with_machine else None
        image = build_image(recipe, state, monitor.say) if recipe is not None else None
        hypervisor = open_hypervisor(state, image, accelerator, monitor.say) if image is not None else None
        config = load_config(state)
        if hypervisor is not None:
            check_accelerator(challenge, hypervisor.accelerator)
        job = Job(
            entry=opened,
            challenge=challenge,
            quiz=quiz,
            exam=challenge.exam,
            image=image,
            hypervisor=hypervisor,
            layers=StateLayers(image, recipe, state, monitor),
            monitor=monitor,
            licence_server=licence_server(challenge, config) if with_machine else None,
            gpus=gpus(challenge, config) if with_machine else (),
            own_records=own_records,
            folder=folder,
        )
        evaluation = evaluate_entry(job)
        if keep is not None:
            for name in (ANSWERS, "extra"):
                if (folder / name).is_dir():
                    shutil.copytree(folder / name, keep / name, dirs_exist_ok=True)
        return evaluation


def licence_server(challenge: Challenge, config: Config) -> LicenceServer | None:
    """The licence server for entries of this challenge; None if they need none.

    Raises
    ------
    ChallengeError
        They need one and this host names none.
    """
    if not challenge.licence:
        return None
    if config.licence_server is None:
        raise ChallengeError(
            f"{challenge.name}: its entries need a licence server; name it in {FILE} of the state directory: "
            "licence_server: {host: …, ports: [27000]}"
        )
    return config.licence_server


def gpus(challenge: Challenge, config: Config) -> tuple[str, ...]:
    """The devices that an entry of this challenge is given.

    Raises
    ------
    ChallengeError
        This host names fewer.
    """
    if challenge.gpus > len(config.gpus):
        raise ChallengeError(
            f"{challenge.name}: its entries need {challenge.gpus} GPU, and {FILE} of the state directory names "
            f"{len(config.gpus)}: gpus: [0000:65:00.0]"
        )
    return config.gpus[: challenge.gpus]


def check_accelerator(challenge: Challenge, accelerator: str) -> None:
    """A hidden exam under software emulation needs the organiser's word.

    Raises
    ------
    ChallengeError
        It was not given.
    """
    if challenge.exam.hidden and accelerator == "tcg" and not challenge.allow_tcg_exam:
        raise ChallengeError(
            f"{challenge.name}: its exam is hidden, and QEMU does not call software emulation a security boundary; "
            "use a host with KVM and a PMU, or set allow_tcg_exam: true in challenge.yaml"
        )
