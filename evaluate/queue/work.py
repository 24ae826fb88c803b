"""What is done for one stage of one entry, and where its products lie.

A stage may run more than once, since any process may be killed at any time; it is published once: it works in a folder
of its own, which gets the stage's name by one rename when all in it is whole.  Whoever comes second finds it there.

    work/<entry>/<attempt>/prep       prepared disks, prepared.json, result.json
                           quiz       result.json
                           exam-<i>   answers, result.json
                           exam       the shards joined: answers, result.json
                           score      result.json, score.json
"""

from __future__ import annotations

import json
import math
import os
import secrets
import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from evaluate.challenge import ArchiveLimits, Challenge, load_challenge
from evaluate.config import load_config
from evaluate.errors import ChallengeError, UsageError
from evaluate.host import open_hypervisor
from evaluate.images.build import build_image
from evaluate.images.image import Image, load_image
from evaluate.images.recipe import Recipe, load_recipe
from evaluate.images.staging import sync
from evaluate.kinds.choice import kind_of
from evaluate.model import Entry, RecordOutcome, Score, Stage, StageResult, Usage, Verdict
from evaluate.monitor import Monitor, Silence
from evaluate.provision import StateLayers
from evaluate.queue.depot import Depot
from evaluate.queue.store import QueuedEntry
from evaluate.report import score_json
from evaluate.sandbox.base import Hypervisor
from evaluate.stages.exam import exam, join_exam, shards
from evaluate.stages.job import ANSWERS, MEDIUM, ContainerLayer, Job, PreparedEntry
from evaluate.stages.prep import prep
from evaluate.stages.quiz import quiz
from evaluate.stages.score import score_answers
from evaluate.trial import check_accelerator, gpus, licence_server, needs_machine

UPLOADS, WORK, EVIDENCE = "entries", "work", "evidence"
RESULT, SCORE, MACHINE = "result.json", "score.json", "machine.json"
_BESIDE_SECONDS = 3600.0
"""For what is not the entry's: layers, boots, media, the metric."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """One stage, or one shard of an exam."""

    entry: QueuedEntry
    stage: Stage
    shard: int | None = None
    shards: int = 1

    @property
    def name(self) -> str:
        """Name of its folder, and of its workflow below the entry's."""
        return self.stage.value if self.shard is None else f"{self.stage.value}-{self.shard}"


class Runner(Protocol):
    """Does the work of a task in the folder it is given."""

    def __call__(self, task: Task, folder: Path) -> StageResult:
        """Run it; raises Fault or ChallengeError where no verdict can be given."""


def archive_of(state: Path, sha256: str) -> Path:
    """Where an uploaded archive is kept."""
    return state / UPLOADS / sha256 / "archive"


def work_folder(state: Path, entry: QueuedEntry) -> Path:
    """Where the products of an entry's stages lie."""
    return state / WORK / entry.id / str(entry.attempt)


def rules_of(entry: QueuedEntry) -> Challenge:
    """The challenge that an attempt at an entry is judged by.

    Raises
    ------
    ChallengeError
        It is wrong, or gone.
    """
    try:
        challenge = load_challenge(entry.challenge)
    except UsageError as e:
        raise ChallengeError(str(e)) from e
    if not entry.references:
        return challenge
    return replace(challenge, exam=replace(challenge.exam, references=Path(entry.references)))


def seconds_allowed(task: Task) -> float:
    """After which time a task has ended, if every limit of the challenge was reached."""
    challenge = rules_of(task.entry)
    if task.stage is Stage.PREP:
        return challenge.limits["setup"].wall_seconds + _BESIDE_SECONDS
    if task.stage is Stage.QUIZ:
        return challenge.limits["quiz"].wall_seconds * len(challenge.quiz.records) + _BESIDE_SECONDS
    if task.stage is Stage.EXAM and task.shard is not None:
        records = shards(challenge.exam.records, task.shards)[0]
        return challenge.limits["exam"].wall_seconds * len(records) + _BESIDE_SECONDS
    return _BESIDE_SECONDS


def perform(task: Task, shared: Path, runner: Runner, executor: str, depot: Depot) -> dict[str, Any]:
    """Run a task, or find that it was run; its result as JSON values.

    Parameters
    ----------
    shared : Path
        Where this host has what all hosts reach, by way of ``depot``.
    executor : str
        Who does it.  Its second part, new at every start, tells whose an unfinished folder is.
    """
    parent = work_folder(shared, task.entry)
    place = parent / task.name
    name = str(place.relative_to(shared))
    depot.fetch(name)
    if not (place / RESULT).is_file():
        for folder in (shared / WORK, parent.parent, parent):
            folder.mkdir(exist_ok=True, mode=0o711)  # QEMU's own user passes through to the disks
        own = part_of(parent, task.name, executor.rpartition(":")[2])
        own.mkdir(mode=0o711)
        try:
            result = runner(task, own)
            machine = json.loads((own / MACHINE).read_text()) if (own / MACHINE).is_file() else None
            _write(own / RESULT, {**result_json(result), "machine": machine, "executor": executor})
            for path in own.rglob("*"):
                if not path.is_symlink():
                    sync(path)
            try:
                own.rename(place)
            except OSError:
                if not (place / RESULT).is_file():
                    raise
            sync(parent)
        finally:
            shutil.rmtree(own, ignore_errors=True)
    depot.publish(name)
    found: dict[str, Any] = json.loads((place / RESULT).read_text())
    return found


def part_of(folder: Path, name: str, boot: str) -> Path:
    """Where an executor of this boot writes what will be called ``name`` when it is whole."""
    return folder / f"{name}.{boot}.{secrets.token_hex(4)}.part"


def sweep_parts(shared: Path, boots: Callable[[], Collection[str]]) -> int:
    """Remove what was left unfinished by executors of other boots than those that live; how many folders or files.

    Who lives is asked when the folders are known: what a host that has just come begins is not among them.
    """
    found = [path for folder in (WORK, EVIDENCE) for path in (shared / folder).glob("*/*/*.part")]
    alive = boots() if found else ()
    parts = [path for path in found if path.name.split(".")[-3] not in alive]
    for part in parts:
        if part.is_dir():
            shutil.rmtree(part, ignore_errors=True)
        else:
            part.unlink(missing_ok=True)
    return len(parts)


def share_products(shared: Path, entry: QueuedEntry, base: int, stages: Sequence[Stage], depot: Depot) -> None:
    """Let an attempt have the products of ``stages`` of another attempt at the same entry."""
    folder = work_folder(shared, entry)
    folder.mkdir(parents=True, exist_ok=True, mode=0o711)
    for stage in stages:
        place = folder / stage.value
        if not place.is_symlink():
            place.symlink_to(Path("..") / str(base) / stage.value)
        depot.publish(str(place.relative_to(shared)))


def _write(path: Path, values: Mapping[str, Any]) -> None:
    with path.open("w") as f:
        json.dump(values, f)
        f.flush()
        os.fsync(f.fileno())


def result_json(result: StageResult) -> dict[str, Any]:
    """A stage's result as JSON values; `read_result` reads it."""
    return asdict(result)


def read_result(values: Mapping[str, Any]) -> StageResult:
    """What `result_json` wrote."""
    return StageResult(
        stage=Stage(values["stage"]),
        verdict=Verdict(values["verdict"]),
        message=values["message"],
        usage=Usage(**values["usage"]),
        records=tuple(
            RecordOutcome(**{**one, "verdict": Verdict(one["verdict"]), "usage": Usage(**one["usage"])})
            for one in values["records"]
        ),
        diagnostics=values["diagnostics"],
    )


def read_score(values: Mapping[str, Any]) -> Score:
    """A score from what a score stage wrote."""

    def numbers(found: Mapping[str, float | None]) -> dict[str, float]:
        return {key: float("nan") if value is None else value for key, value in found.items()}

    return Score(
        primary=values["primary"],
        values=numbers(values["values"]),
        official=numbers(values["official"]),
        intervals={key: (low, high) for key, (low, high) in values["intervals"].items()},
        notes=tuple(values["notes"]),
    )


@dataclass(frozen=True)
class AgreedLayers:
    """Layers that are the same on all hosts: the packages of a day are not those of another; see `Layers`."""

    layers: StateLayers
    depot: Depot

    def debian(self, dependencies: bytes) -> Path | None:
        """See `Layers`."""
        return self._agreed(self.layers.debian(dependencies))

    def wheels(self, requirements: bytes) -> Path | None:
        """See `Layers`."""
        return self._agreed(self.layers.wheels(requirements))

    def container(self, archive: Path, argument: str, limits: ArchiveLimits) -> ContainerLayer:
        """See `Layers`."""
        found = self.layers.container(archive, argument, limits)
        self._agreed(found.layer)
        return found

    def _agreed(self, layer: Path | None) -> Path | None:
        if layer is not None:
            self.depot.agree(f"layers/{layer.name}")
        return layer


@dataclass(frozen=True, kw_only=True)
class StageRunner:
    """The runner of a daemon: the stages of `evaluate.stages` in real virtual machines."""

    state: Path
    """Of this host: what runs, and what was found out of this machine."""
    shared: Path
    """What all hosts reach: uploads, images, layers, products of stages."""
    depot: Depot
    accelerator: str = "auto"
    say: Callable[[str], None] = lambda _: None
    watched: Callable[[Hypervisor], Hypervisor] = lambda hypervisor: hypervisor
    """Put around every hypervisor."""

    def __call__(self, task: Task, folder: Path) -> StageResult:
        """See `Runner`."""
        challenge = rules_of(task.entry)
        done = self._products(task)
        if task.stage is Stage.SCORE:
            return self._score(challenge, done / Stage.EXAM.value / ANSWERS, folder)
        if task.stage is Stage.EXAM and task.shard is None:
            places = [done / f"exam-{i}" for i in range(task.shards)]
            parts = [(read_result(json.loads((p / RESULT).read_text())), p / ANSWERS) for p in places]
            return join_exam(challenge, challenge.exam.records, parts, folder / ANSWERS)
        job = self._job(task, challenge, folder)
        result = self._in_machine(task, challenge, job, done)
        for medium in folder.glob(f"*{MEDIUM}"):
            medium.unlink()  # copies of the records, one for every entry: no product, and not for other eyes
        if job.hypervisor is not None and job.image is not None:
            counter = job.hypervisor.counter
            machine = {
                "accelerator": job.hypervisor.accelerator,
                "image": job.image.digest,
                "counter": asdict(counter) if counter else None,
            }
            _write(folder / MACHINE, machine)
        return result

    def _products(self, task: Task) -> Path:
        """The folder of this attempt, with what other stages of it have made."""
        done = work_folder(self.shared, task.entry)
        needed = {Stage.PREP: [], Stage.QUIZ: ["prep"], Stage.EXAM: ["prep"], Stage.SCORE: ["exam"]}[task.stage]
        if task.stage is Stage.EXAM and task.shard is None:
            needed = [f"exam-{i}" for i in range(task.shards)]
        for name in needed:
            self.depot.fetch(str((done / name).relative_to(self.shared)))
        return done

    def _in_machine(self, task: Task, challenge: Challenge, job: Job, done: Path) -> StageResult:
        if task.stage is Stage.PREP:
            return prep(job)[0]
        prepared = self._prepared(done / Stage.PREP.value)
        if task.stage is Stage.QUIZ:
            return quiz(job, prepared)
        parts = shards(challenge.exam.records, task.shards)
        number = task.shard or 0
        return exam(job, prepared, parts[number] if number < len(parts) else ())

    def _prepared(self, folder: Path) -> PreparedEntry:
        """Layers are where this host has them, whichever made them."""
        prepared = PreparedEntry.load(folder)
        names = [f"layers/{layer.name}" for layer in prepared.layers]
        for name in names:
            self.depot.fetch(name)
        return replace(prepared, layers=[self.shared / name for name in names])

    def _score(self, challenge: Challenge, answers: Path, folder: Path) -> StageResult:
        result, score = score_answers(challenge, challenge.exam, answers)
        if score is not None:
            resampled = [None if math.isnan(value) else value for value in score.resampled]
            _write(folder / SCORE, {**score_json(score), "resampled": resampled, "clusters": score.clusters})
        return result

    def _image(self, task: Task, recipe: Recipe) -> Image:
        """The newest image for prep; for later stages that of prep, whatever was built in the meantime."""
        if task.stage is not Stage.PREP:
            prepared = json.loads((work_folder(self.shared, task.entry) / Stage.PREP.value / RESULT).read_text())
            name = f"{recipe.name}-{prepared['machine']['image'].removeprefix('sha256:')[:16]}"
            self.depot.fetch(f"images/{name}")
            return load_image(name, self.shared)
        self.depot.fetch(f"images/{recipe.name}")
        image = build_image(recipe, self.shared, self.say)
        self.depot.publish(f"images/{image.folder.name}")
        self.depot.publish(f"images/{recipe.name}")
        return image

    def _job(self, task: Task, challenge: Challenge, folder: Path) -> Job:
        archive = archive_of(self.shared, task.entry.sha256)
        self.depot.fetch(str(archive.relative_to(self.shared)))
        if not archive.is_file():
            raise ChallengeError(f"{archive}: the archive of entry {task.entry.id} is gone")
        monitor: Monitor = Silence()
        with_machine = needs_machine(kind_of(archive, challenge))
        recipe = load_recipe(challenge.image) if with_machine else None
        image = self._image(task, recipe) if recipe is not None else None
        hypervisor: Hypervisor | None = None
        if image is not None:
            hypervisor = self.watched(open_hypervisor(self.state, image, self.accelerator, self.say))
        config = load_config(self.state)
        if hypervisor is not None:
            check_accelerator(challenge, hypervisor.accelerator)
        entry = task.entry
        return Job(
            entry=Entry(archive=archive, sha256=entry.sha256, size=entry.bytes, commit=entry.commit),
            challenge=challenge,
            quiz=challenge.quiz,
            exam=challenge.exam,
            image=image,
            hypervisor=hypervisor,
            layers=AgreedLayers(StateLayers(image, recipe, self.shared, monitor), self.depot),
            monitor=monitor,
            licence_server=licence_server(challenge, config) if with_machine else None,
            gpus=gpus(challenge, config) if with_machine else (),
            folder=folder,
        )
