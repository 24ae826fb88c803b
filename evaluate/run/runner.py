"""The runner of a daemon: what is done for a task in real virtual machines, by `evaluate.stages`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from evaluate.config.challenge.types import Challenge, Kind
from evaluate.core.errors import ChallengeError
from evaluate.core.model import Entry, Stage, StageOutcome
from evaluate.host.wiring import HostMeans, make_job, scorer_means
from evaluate.images.build import build_image
from evaluate.images.image import Image, load_image
from evaluate.images.recipe import Recipe
from evaluate.stages.exam import Shard, exam, join_exam, shards
from evaluate.stages.job import ANSWERS, MEDIUM, Job, Lines, PreparedEntry, ScorerMeans
from evaluate.stages.prep import load_prepared, prep
from evaluate.stages.quiz import quiz
from evaluate.stages.score import score_answers
from evaluate.stages.train import train, trained
from evaluate.store.files.depot import Depot
from evaluate.store.files.stage_folders import (
    RESULT,
    Task,
    archive_of,
    challenge_of,
    fetch_image,
    load_outcome,
    needed_by,
    work_folder,
)


def _with_model(prepared: PreparedEntry, folder: Path) -> PreparedEntry:
    """The entry as training left it there.

    Raises ChallengeError if it was not trained: its stages began before the challenge had training.
    """
    if not (folder / RESULT).is_file():
        raise ChallengeError(f"{folder}: expected what training left, found nothing; rejudge the entry from prep")
    return trained(prepared, folder)


@dataclass(frozen=True, kw_only=True)
class StageRunner:
    """The runner of a daemon: the stages of `evaluate.stages` in real virtual machines."""

    state: Path
    """State directory of this host: what runs, and what was measured on this machine."""
    shared: Path
    """The folder that all hosts reach: uploads, images, layers, products of stages."""
    depot: Depot
    accelerator: str = "auto"
    say: Callable[[str], None] = lambda _: None

    def __call__(self, task: Task, folder: Path) -> StageOutcome:
        challenge = challenge_of(task.entry)
        done = self._products(task, challenge)
        if task.stage is Stage.SCORE:
            answers = done / Stage.EXAM.value / ANSWERS
            means = self._scorer(challenge, folder)
            return score_answers(challenge, challenge.exam, answers, means)
        if task.stage is Stage.EXAM and task.shard is None:
            folders = [done / f"exam-{i}" for i in range(task.shards)]
            parts = [Shard(outcome=load_outcome(path), answers=path / ANSWERS) for path in folders]
            return join_exam(challenge, challenge.exam.records, parts, folder / ANSWERS)
        outcome = self._in_machine(task, challenge, folder, done)
        for medium in folder.glob(f"*{MEDIUM}"):
            medium.unlink()  # copies of the records, one for every entry: secret, and not a product
        return outcome

    def _scorer(self, challenge: Challenge, folder: Path) -> ScorerMeans | None:
        """Return the means to run the challenge's own scoring program; None if it has none."""
        if challenge.scorer is None:
            return None
        return scorer_means(self._host, challenge, folder)

    @property
    def _host(self) -> HostMeans:
        return HostMeans(
            state=self.state,
            monitor=Lines(self.say),
            accelerator=self.accelerator,
            image_of=self._newest_image,
            scorer_image_of=self._newest_image,
            layers_in=self.shared,
            agree=lambda layer: self.depot.agree(f"layers/{layer.name}"),
        )

    def _products(self, task: Task, challenge: Challenge) -> Path:
        """The folder of this attempt, with what its other stages have produced."""
        done = work_folder(self.shared, task.entry)
        needed = [stage.value for stage in needed_by(task.stage, challenge)]
        if task.stage is Stage.EXAM and task.shard is None:
            needed = [f"exam-{i}" for i in range(task.shards)]
        for name in needed:
            self.depot.fetch(str((done / name).relative_to(self.shared)))
        return done

    def _in_machine(self, task: Task, challenge: Challenge, folder: Path, done: Path) -> StageOutcome:
        if task.stage is Stage.PREP:
            return prep(self._job(task, challenge, folder))
        prepared = self._prepared(done / Stage.PREP.value)
        job = self._job(task, challenge, folder, prepared.kind)
        if task.stage is Stage.TRAIN:
            return train(job, prepared)
        if challenge.train is not None:
            prepared = _with_model(prepared, done / Stage.TRAIN.value)
        if task.stage is Stage.QUIZ:
            return quiz(job, prepared)
        parts = shards(challenge.exam.records, task.shards)
        number = task.shard or 0
        return exam(job, prepared, parts[number] if number < len(parts) else ())

    def _prepared(self, folder: Path) -> PreparedEntry:
        """The paths of layers on this host, whichever host made them."""
        prepared = load_prepared(folder)
        names = [f"layers/{layer.name}" for layer in prepared.layers]
        for name in names:
            self.depot.fetch(name)
        layers = tuple(self.shared / name for name in names)
        return replace(prepared, layers=layers)

    def _image(self, task: Task, recipe: Recipe) -> Image:
        """The newest image for prep; for later stages that of prep, whatever was built in the meantime."""
        if task.stage is not Stage.PREP:
            machine = load_outcome(work_folder(self.shared, task.entry) / Stage.PREP.value).machine
            return load_image(fetch_image(self.shared, self.depot, machine.image if machine else ""), self.shared)
        return self._newest_image(recipe)

    def _newest_image(self, recipe: Recipe) -> Image:
        self.depot.fetch(f"images/{recipe.name}")
        image = build_image(recipe, self.shared, self.say)
        self.depot.publish(f"images/{image.folder.name}")
        self.depot.publish(f"images/{recipe.name}")
        return image

    def _job(self, task: Task, challenge: Challenge, folder: Path, kind: Kind | None = None) -> Job:
        archive = archive_of(self.shared, task.entry.sha256)
        self.depot.fetch(str(archive.relative_to(self.shared)))
        if not archive.is_file():
            raise ChallengeError(f"{archive}: the archive of entry {task.entry.id} is missing")
        entry = task.entry
        job = make_job(
            replace(self._host, image_of=lambda recipe: self._image(task, recipe)),
            Entry(archive=archive, sha256=entry.sha256, size=entry.bytes, commit=entry.commit),
            challenge,
            folder,
            gpus=task.gpus,
            kind=kind,
        )
        return replace(job, team=entry.team)
