"""Work for one stage of one entry, and the place of its products.

A stage may run more than once, since any process may be killed at any time; it is published once: it works in a folder
of its own, which gets the stage's name by one rename when everything in it is complete. A second run finds it there.

    work/<entry>/<attempt>/prep       prepared disks, prepared.json, result.json
                           train      disks above the prepared ones, result.json; only where entries are trained
                           quiz       result.json
                           exam-<i>   answers, result.json
                           exam       the shards joined: answers, result.json
                           score      result.json, with the score
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.load import FILE
from evaluate.config.challenge.types import Challenge
from evaluate.confine.ownership import discard_tree
from evaluate.core.codec import to_json
from evaluate.core.errors import ChallengeError, ImageFault, UsageError
from evaluate.core.files import publish_once
from evaluate.core.model import Stage, StageOutcome
from evaluate.stages.exam import shards
from evaluate.store.db.reasons import Cause, Reason
from evaluate.store.db.rows import QueuedEntry, State, from_row, to_row
from evaluate.store.entries.store import Store, attempt_in, retry_attempt
from evaluate.store.files.depot import Depot

UPLOADS, WORK, EVIDENCE = "entries", "work", "evidence"
RESULT = "result.json"
_WITH_DISKS = (Stage.PREP, Stage.TRAIN)
"""Stages that leave disks for later ones."""
DISK = ".qcow2"
"""End of the name of a prepared disk."""
_SCORINGS = 2
"""Number of times that a scorer may run for one score: some are compared with a second one."""
BESIDE_SECONDS = 3600.0
"""Time for what the entry's limits do not cover: layers, boots, media, the metric."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """One stage, or one shard of an exam."""

    entry: QueuedEntry
    stage: Stage
    shard: int | None = None
    shards: int = 1
    gpus: tuple[str, ...] = ()
    """PCI addresses of the devices that are reserved for it."""

    @property
    def name(self) -> str:
        """Name of its folder, and of its workflow below the entry's: ``prep``, ``exam-2``."""
        return self.stage.value if self.shard is None else f"{self.stage.value}-{self.shard}"

    @property
    def runs_in_guest(self) -> bool:
        """True if it runs an entry's programs in a guest."""
        return self.stage in (Stage.PREP, Stage.TRAIN, Stage.QUIZ) or self.shard is not None


@dataclass(frozen=True, kw_only=True)
class Performed:
    """A task that is done."""

    outcome: StageOutcome
    executor: str
    """Executor that ran it, perhaps another host earlier."""


class Runner(Protocol):
    """Does the work of a task in the folder it is given."""

    def __call__(self, task: Task, folder: Path) -> StageOutcome:
        """Run it; raises Fault or ChallengeError where no verdict can be given."""


def archive_of(state: Path, sha256: str) -> Path:
    """Path at which an uploaded archive is kept."""
    return state / UPLOADS / sha256 / "archive"


def work_folder(state: Path, entry: QueuedEntry) -> Path:
    """The folder with the products of an entry's stages."""
    return state / WORK / entry.id / str(entry.attempt)


def challenge_of(entry: QueuedEntry) -> Challenge:
    """The challenge that an attempt at an entry is judged by, with the rules that it began with.

    Raises ChallengeError if it is wrong or missing, or has no longer a stage with which the attempt began.
    """
    try:
        challenge = load_challenge(entry.challenge).with_exam(entry.data)
    except UsageError as e:
        raise ChallengeError(str(e)) from e
    if entry.rules is not None:
        if lacking := [str(stage) for stage in entry.rules.stages if stage not in challenge.stages]:
            raise ChallengeError(
                f"{challenge.folder / FILE}: the attempt began with the stages {', '.join(entry.rules.stages)}, and "
                f"what {', '.join(lacking)} needs is no longer there; put it back, or leave it out and let the entry "
                "begin again"
            )
        challenge = replace(challenge, limits={**challenge.limits, **entry.rules.limits})
    if not entry.references:
        return challenge
    return challenge.with_records(exam=replace(challenge.exam, references=Path(entry.references)))


def fetch_image(shared: Path, depot: Depot, digest: str) -> str:
    """Bring the image with this digest to this host, whatever challenges and recipes are called by now; its name.

    Raises ImageFault if no host has it any more.

    ``digest`` is ``sha256:…``, as the result of prep states it.
    """
    ending = f"-{digest.removeprefix('sha256:')[:16]}"
    for name in depot.below("images"):
        image = name.removeprefix("images/")
        if image.endswith(ending) and not image.startswith("."):
            depot.fetch(name)
            return image
    raise ImageFault(
        f"the image {digest}, which the entry was prepared on, is not in {shared / 'images'} any more; "
        f"copy its folder, NAME{ending}, there, or rejudge the entry from prep"
    )


def seconds_allowed(task: Task) -> float:
    """Seconds that a task takes if every limit of the challenge is reached."""
    challenge = challenge_of(task.entry)
    return BESIDE_SECONDS + _limited_seconds(task, challenge)


def _limited_seconds(task: Task, challenge: Challenge) -> float:
    seconds = {name: limits.wall_seconds for name, limits in challenge.limits.items()}
    if task.stage is Stage.PREP:
        build = challenge.dockerfile.build if challenge.dockerfile is not None else None
        return seconds["setup"] + (build.wall_seconds if build is not None else 0)
    if task.stage is Stage.TRAIN:
        return seconds.get("train", 0)  # the stage itself names what is missing
    if task.stage is Stage.QUIZ:
        return seconds["quiz"] * len(challenge.quiz.records)
    if task.stage is Stage.EXAM and task.shard is not None:
        return seconds["exam"] * len(shards(challenge.exam.records, task.shards)[0])
    if task.stage is Stage.SCORE and challenge.scorer is not None:
        return _SCORINGS * challenge.scorer.limits.wall_seconds
    return 0


def needed_by(stage: Stage, challenge: Challenge) -> tuple[Stage, ...]:
    """The stages whose products a stage begins with; the parts of an exam are joined from those."""
    if stage is Stage.SCORE:
        return (Stage.EXAM,)
    return tuple(earlier for earlier in challenge.stages if earlier in _WITH_DISKS and earlier in stage.before)


def perform(task: Task, shared: Path, runner: Runner, executor: str, depot: Depot) -> Performed:
    """Run a task, unless it has been run already.

    * ``shared``: the folder where this host has the files that all hosts share, exchanged by ``depot``.
    * ``executor``: the executor that runs it. Its second part, new at every start, marks the unfinished folders that it
      owns.
    """
    parent = work_folder(shared, task.entry)
    target = parent / task.name
    name = str(target.relative_to(shared))
    depot.fetch(name)
    if not (target / RESULT).is_file():
        for folder in (shared / WORK, parent.parent, parent):
            folder.mkdir(exist_ok=True, mode=0o711)  # QEMU's own user passes through to the disks
        part = part_of(parent, task.name, executor.rpartition(":")[2])
        part.mkdir(mode=0o711)
        try:
            outcome = runner(task, part)
            (part / RESULT).write_text(json.dumps({**to_row(outcome, executor), "score": to_json(outcome.score)}))
            _close(part, task.stage)
            publish_once(part, target)
        finally:
            discard_tree(part)
    depot.publish(name)
    return _load(target)


def _close(folder: Path, stage: Stage) -> None:
    """Keep the products of a stage from QEMU's user, all but disks, which it opens in later stages."""
    if stage not in _WITH_DISKS:
        folder.chmod(0o700)
        return
    for path in folder.iterdir():
        if path.is_file() and path.suffix != DISK:
            path.chmod(0o600)


def load_outcome(folder: Path) -> StageOutcome:
    """The outcome that a stage left in its folder."""
    return _load(folder).outcome


def _load(folder: Path) -> Performed:
    values = json.loads((folder / RESULT).read_text())
    return Performed(outcome=from_row(values, values.get("score")), executor=values["executor"])


def part_of(folder: Path, name: str, boot: str) -> Path:
    """Path at which an executor of this boot writes what will be called ``name`` when it is complete."""
    return folder / f"{name}.{boot}.{secrets.token_hex(4)}.part"


def sweep_parts(shared: Path, boots: Callable[[], Collection[str]]) -> int:
    """Remove unfinished products of executors that are not alive any more; returns how many folders or files.

    The folders are listed before the live executors are looked up, so what a newly started host works on is not
    removed.
    """
    paths = [path for folder in (WORK, EVIDENCE) for path in (shared / folder).glob("*/*/*.part")]
    alive = boots() if paths else ()
    parts = [path for path in paths if path.name.split(".")[-3] not in alive]
    for part in parts:
        discard(part)
    return len(parts)


def discard(path: Path) -> None:
    """Remove a file, a link, or a folder with everything in it."""
    if path.is_dir() and not path.is_symlink():
        discard_tree(path)
    else:
        path.unlink(missing_ok=True)


def share_products(shared: Path, entry: QueuedEntry, base: int, stages: Sequence[Stage], depot: Depot) -> None:
    """Give an attempt the products of ``stages`` of another attempt at the same entry."""
    folder = work_folder(shared, entry)
    folder.mkdir(parents=True, exist_ok=True, mode=0o711)
    for stage in stages:
        link = folder / stage.value
        with suppress(FileExistsError):  # several stages of the attempt may begin at once
            link.symlink_to(Path("..") / str(base) / stage.value)
        depot.publish(str(link.relative_to(shared)))


def begins_again(store: Store, depot: Depot, entry: QueuedEntry) -> str:
    """Let an attempt begin again whose stages left results, but no products, as after a restore; which stages.

    Else others would be made, and its receipt would state those of before.
    """
    stages = [result["stage"] for result in store.results(entry.id, entry.attempt)]
    work = work_folder(Path(), entry)
    gone = [stage for stage in stages if stage not in entry.first.before and not depot.has(str(work / stage))]
    if not gone:
        return ""
    names = ", ".join(gone)
    if entry.rejudging:
        message = f"the products of {names} are gone; `evaluate rejudge retry` begins again"
        reason = Reason(cause=Cause.INFRASTRUCTURE, stage=entry.state.value, message=message)
        store.move(entry.id, State.PARKED, reason, attempt=entry.attempt)
        return names
    with store.change() as connection:
        now = attempt_in(connection, entry.id)
        if (now.attempt, now.state) == (entry.attempt, entry.state):
            retry_attempt(connection, now)
    return names
