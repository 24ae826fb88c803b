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
import os
import secrets
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from evaluate.challenge import Challenge, load_challenge
from evaluate.errors import ChallengeError
from evaluate.host import open_hypervisor
from evaluate.images.build import build_image
from evaluate.images.recipe import load_recipe
from evaluate.kinds.choice import kind_of
from evaluate.model import Entry, RecordOutcome, Score, Stage, StageResult, Usage, Verdict
from evaluate.monitor import Monitor, Silence
from evaluate.provision import StateLayers
from evaluate.queue.store import QueuedEntry
from evaluate.report import score_json
from evaluate.settings import load_settings
from evaluate.stages.exam import exam, join_exam, shards
from evaluate.stages.job import ANSWERS, Job, PreparedEntry
from evaluate.stages.prep import prep
from evaluate.stages.quiz import quiz
from evaluate.stages.score import score_answers
from evaluate.trial import check_accelerator, gpus, licence_server, needs_machine

RESULT, SCORE, MACHINE = "result.json", "score.json", "machine.json"


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
    return state / "entries" / sha256 / "archive"


def work_folder(state: Path, entry: QueuedEntry) -> Path:
    """Where the products of an entry's stages lie."""
    return state / "work" / entry.id / str(entry.attempt)


def perform(task: Task, state: Path, runner: Runner) -> dict[str, Any]:
    """Run a task, or find that it was run; its result as JSON values."""
    parent = work_folder(state, task.entry)
    place = parent / task.name
    if not (place / RESULT).is_file():
        for folder in (state / "work", parent.parent, parent):
            folder.mkdir(exist_ok=True, mode=0o711)  # QEMU's own user passes through to the disks
        own = parent / f"{task.name}.{secrets.token_hex(4)}.part"
        own.mkdir(mode=0o711)
        try:
            result = runner(task, own)
            machine = json.loads((own / MACHINE).read_text()) if (own / MACHINE).is_file() else None
            _write(own / RESULT, {**result_json(result), "machine": machine})
            try:
                own.rename(place)
            except OSError:
                if not (place / RESULT).is_file():
                    raise
        finally:
            shutil.rmtree(own, ignore_errors=True)
    found: dict[str, Any] = json.loads((place / RESULT).read_text())
    return found


def sweep_parts(state: Path) -> int:
    """Remove what dead processes left unfinished; how many folders.  Nobody else may be at work."""
    parts = list((state / "work").glob("*/*/*.part"))
    for part in parts:
        shutil.rmtree(part, ignore_errors=True)
    return len(parts)


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


@dataclass(frozen=True, kw_only=True)
class StageRunner:
    """The runner of a daemon: the stages of `evaluate.stages` in real virtual machines."""

    state: Path
    accelerator: str = "auto"
    say: Callable[[str], None] = lambda _: None

    def __call__(self, task: Task, folder: Path) -> StageResult:
        """See `Runner`."""
        challenge = load_challenge(task.entry.challenge)
        done = work_folder(self.state, task.entry)
        if task.stage is Stage.SCORE:
            return self._score(challenge, done / Stage.EXAM.value / ANSWERS, folder)
        if task.stage is Stage.EXAM and task.shard is None:
            places = [done / f"exam-{i}" for i in range(task.shards)]
            parts = [(read_result(json.loads((p / RESULT).read_text())), p / ANSWERS) for p in places]
            return join_exam(challenge, challenge.exam.records, parts, folder / ANSWERS)
        job = self._job(task, challenge, folder)
        result = self._in_machine(task, challenge, job, done)
        if job.hypervisor is not None and job.image is not None:
            counter = job.hypervisor.counter
            machine = {
                "accelerator": job.hypervisor.accelerator,
                "image": job.image.digest,
                "counter": asdict(counter) if counter else None,
            }
            _write(folder / MACHINE, machine)
        return result

    def _in_machine(self, task: Task, challenge: Challenge, job: Job, done: Path) -> StageResult:
        if task.stage is Stage.PREP:
            return prep(job)[0]
        prepared = PreparedEntry.load(done / Stage.PREP.value)
        if task.stage is Stage.QUIZ:
            return quiz(job, prepared)
        parts = shards(challenge.exam.records, task.shards)
        number = task.shard or 0
        return exam(job, prepared, parts[number] if number < len(parts) else ())

    def _score(self, challenge: Challenge, answers: Path, folder: Path) -> StageResult:
        result, score = score_answers(challenge, challenge.exam, answers)
        if score is not None:
            _write(folder / SCORE, score_json(score))
        return result

    def _job(self, task: Task, challenge: Challenge, folder: Path) -> Job:
        archive = archive_of(self.state, task.entry.sha256)
        if not archive.is_file():
            raise ChallengeError(f"{archive}: the archive of entry {task.entry.id} is gone")
        monitor: Monitor = Silence()
        with_machine = needs_machine(kind_of(archive, challenge))
        recipe = load_recipe(challenge.image) if with_machine else None
        image = build_image(recipe, self.state, self.say) if recipe is not None else None
        hypervisor = open_hypervisor(self.state, image, self.accelerator, self.say) if image is not None else None
        settings = load_settings(self.state)
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
            layers=StateLayers(image, recipe, self.state, monitor),
            monitor=monitor,
            licence_server=licence_server(challenge, settings) if with_machine else None,
            gpus=gpus(challenge, settings) if with_machine else (),
            folder=folder,
        )
