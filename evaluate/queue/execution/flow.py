"""One stage of an attempt, or one shard of an exam, as a durable workflow of DBOS: what runs in a slot.

Its id is fixed, so it is run once, however often it is asked for; killed at any moment, its task is claimed again by
any host (`evaluate.queue.schedule.tasks`), which finds what it had produced.  It writes nothing about the attempt but
that it is charged: what it returns is recorded, and what comes next decided, by `evaluate.queue.execution.progress`.

Infrastructure faults are values, so that the slot is free while the entry waits.  So is a GPU that is in use: the
workflow leaves its slot at once.  A database that is away is neither: what a stage has to write waits for it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

import sqlalchemy as sa
from dbos import DBOS

from evaluate.challenge.types import Challenge
from evaluate.config.types import Config
from evaluate.core.codec import to_json
from evaluate.core.errors import ChallengeError, ImageFault, MirrorFault
from evaluate.core.model import Stage
from evaluate.host.devices import DEVICES, DevicesBusy, leased_gpus
from evaluate.queue.db.database import passes
from evaluate.queue.db.outcomes import to_row
from evaluate.queue.db.rows import FaultyPart, TaskRow
from evaluate.queue.entries.bases import begin_exam, exam_of, judged_as_begun, with_rules
from evaluate.queue.entries.shadows import attempt_of, shadow
from evaluate.queue.entries.store import Store
from evaluate.queue.execution.engine import RECOVERIES, Engine
from evaluate.queue.feedback import charge
from evaluate.queue.logs import LOG, about
from evaluate.queue.schedule import tasks
from evaluate.queue.schedule.tasks import Claimed
from evaluate.queue.storage.depot import Depot
from evaluate.queue.storage.evidence import keep_evidence, last_lines
from evaluate.queue.storage.stage_folders import (
    Performed,
    Runner,
    Task,
    archive_of,
    challenge_of,
    perform,
    seconds_allowed,
    share_products,
)
from evaluate.receipts.exam_data import ExamData
from evaluate.receipts.issue import Registry
from evaluate.stages.kinds.detection import handler, kind_of

FAULT, CHALLENGE, RESULT, GONE, BUSY = "fault", "challenge", "result", "gone", "busy"
Outcome = dict[str, Any]
"""Of a stage: its kind, and a verdict with its result and score, a message, or the GPUs it needs and the host on which
they are in use."""
_PATIENCE_SECONDS = 10.0
_T = TypeVar("_T")


class Running(Protocol):
    """Notified of what runs in this process; `evaluate.queue.execution.engine.Engine`."""

    def running(self, identity: str) -> AbstractContextManager[None]:
        """Around what a workflow does."""


class Unwatched:
    """Does nothing."""

    def running(self, _identity: str) -> AbstractContextManager[None]:
        return nullcontext()


@dataclass(frozen=True, kw_only=True)
class FlowContext:
    """What the workflows of this process use."""

    store: Store
    shared: Path
    """Where this host has what all hosts share; on one host the state directory."""
    depot: Depot
    runner: Runner
    config: Config
    receipts: Registry
    executor: str
    engine: Running = field(default_factory=Unwatched)
    """Notified when a stage leaves its slot."""
    poll_seconds: float = 1.0
    devices: Path = DEVICES
    """The kernel's list of PCI devices."""


class StopGate:
    """Every stage passes through it, so that a process that is stopping starts no more of them."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside: set[str] = set()
        self._closed = False

    @property
    def inside(self) -> frozenset[str]:
        """The ids of the workflows whose stages run."""
        with self._changed:
            return frozenset(self._inside)

    def close(self) -> frozenset[str]:
        """Let no further stage in (it waits for the end of the process); returns those that are inside."""
        with self._changed:
            self._closed = True
            return frozenset(self._inside)

    def wait(self, seconds: float) -> None:
        """Wait until a stage leaves, but not longer than this."""
        with self._changed:
            self._changed.wait(seconds)

    @contextmanager
    def passed(self, identity: str) -> Iterator[None]:
        """Run a stage."""
        with self._changed:
            while self._closed:
                self._changed.wait()
            self._inside.add(identity)
        try:
            yield
        finally:
            with self._changed:
                self._inside.remove(identity)
                self._changed.notify_all()


gate = StopGate()
_context: FlowContext | None = None


def set_context(context: FlowContext) -> None:
    """Set what the workflows of this process use; call it before DBOS is launched."""
    global _context  # noqa: PLW0603  # workflows are functions of the process, found by their name
    _context = context


def context() -> FlowContext:
    """What `set_context` set."""
    if _context is None:
        raise RuntimeError("set_context must be called before the first workflow")
    return _context


def child_id(identity: str, attempt: int, name: str, number: int, turn: int = 0) -> str:
    """The id of the workflow for a try of a task.

    * ``name``: of the task, such as ``exam-2``.
    * ``number``: number of the try, from 0.
    * ``turn``: how often it was started before without that being counted as a try.
    """
    return f"{identity}:{attempt}:{name}:{number}" + (f":{turn}" if turn else "")


def flow_of(row: TaskRow) -> str:
    """The id of the workflow that runs, or will run, a task."""
    return child_id(row.entry, row.attempt, row.task, row.number, row.turn)


@DBOS.workflow(name="stage", max_recovery_attempts=RECOVERIES)
def stage_flow(
    identity: str, attempt: int, stage: str, shard: int | None, shards: int, number: int, turn: int = 0
) -> Outcome:
    """Run one stage, or one shard of an exam, in a slot; returns its outcome, faults included."""
    own, name = context(), task_name(Stage(stage), shard)
    identity_of_this = child_id(identity, attempt, name, number, turn)
    with own.engine.running(identity_of_this), gate.passed(identity_of_this), ExitStack() as held:
        entry = _patiently(lambda: attempt_of(own.store, identity, attempt))
        if entry.attempt != attempt or entry.state.ended:
            return {"kind": GONE}
        entry = _patiently(lambda: with_rules(own.store, entry))
        task = Task(entry=entry, stage=Stage(stage), shard=shard, shards=shards)
        about_it = about(entry=identity, attempt=attempt, task=name, number=number + 1)
        try:
            task = replace(task, gpus=_lease_gpus(task, own, held))
            LOG.info("started", extra=about_it)
            done = _perform(task, own)
            LOG.info("ended with %s", done.outcome.result.verdict, extra=about_it)
            return {
                "kind": RESULT,
                "verdict": done.outcome.result.verdict.value,
                "message": done.outcome.result.message,
                "image": challenge_of(entry).image if done.outcome.machine is not None else "",
                "packages": bool(done.outcome.result.installed),
                **_kept(task, done, own),
            }
        except _NoGpu as e:
            LOG.info("waits for a GPU of host %s", e.host, extra=about_it)
            return {"kind": BUSY, "gpus": e.wanted, "host": e.host}
        except ChallengeError as e:
            return _failed(task, number, own, CHALLENGE, e, str(e))
        except Exception as e:  # any other error is not the team's fault
            return _failed(task, number, own, FAULT, e, f"{type(e).__name__}: {e}")


def _failed(task: Task, number: int, own: FlowContext, kind: str, error: Exception, message: str) -> Outcome:
    keep_evidence(own.shared, own.depot, task, number, own.executor, error)
    part, name = _guilty(task, own, error)
    return {"kind": kind, "message": message, "part": part.value, "name": name, "lines": last_lines(error)}


def _guilty(task: Task, own: FlowContext, error: Exception) -> tuple[FaultyPart, str]:
    """Which part failed, by the class of the error."""
    if isinstance(error, ChallengeError):
        return FaultyPart.CHALLENGE, task.entry.challenge
    if isinstance(error, MirrorFault):
        return FaultyPart.MIRROR, "of packages"
    if isinstance(error, ImageFault):
        try:
            return FaultyPart.IMAGE, challenge_of(task.entry).image
        except ChallengeError:
            return FaultyPart.CHALLENGE, task.entry.challenge
    return FaultyPart.HOST, own.config.host


def start(engine: Engine, task: Claimed) -> bool:
    """Run a task that this process has claimed; False if this turn of it was begun before."""
    identity = child_id(task.entry, task.attempt, task.task, task.number, task.turn)
    stage = (task.stage.value, task.shard, task.shards, task.number, task.turn)
    return engine.start(stage_flow, identity, task.entry, task.attempt, *stage)


def task_name(stage: Stage, shard: int | None) -> str:
    """``prep``, ``exam-2``."""
    return stage.value if shard is None else f"{stage.value}-{shard}"


def _patiently(work: Callable[[], _T]) -> _T:
    """Use the database, again and again while it is away: hours of a stage must not be lost to that."""
    pause = context().poll_seconds
    while True:
        try:
            return work()
        except sa.exc.SQLAlchemyError as e:
            if not passes(e):
                raise
            LOG.warning("a stage waits for the database, next try in %.1f s: %s", pause, getattr(e, "orig", e))
        time.sleep(pause)
        pause = min(2 * pause, _PATIENCE_SECONDS)


class _NoGpu(Exception):
    """The devices are in use; a slot is not held while a task waits for them."""

    def __init__(self, wanted: int, host: str) -> None:
        super().__init__(wanted, host)
        self.wanted, self.host = wanted, host


def _lease_gpus(task: Task, own: FlowContext, held: ExitStack) -> tuple[str, ...]:
    """The devices that a task needs, held until the stack is left."""
    in_guest = task.stage in (Stage.PREP, Stage.TRAIN, Stage.QUIZ) or task.shard is not None
    challenge = challenge_of(task.entry)
    wanted = challenge.gpus if in_guest else 0
    if not wanted or not _runs(task, challenge, own):
        return ()
    if wanted > len(own.config.gpus):
        others = [host.name for host in _patiently(own.store.reader.hosts) if host.gpus >= wanted]
        if others:
            raise _NoGpu(wanted, others[0])
    try:
        return held.enter_context(leased_gpus(challenge.name, wanted, own.config.gpus, own.devices))
    except DevicesBusy as e:
        raise _NoGpu(wanted, own.config.host) from e


def _runs(task: Task, challenge: Challenge, own: FlowContext) -> bool:
    """Whether an entry's programs are run; uploaded answers need no device."""
    if len(challenge.kinds) > 1:
        own.depot.fetch(str(archive_of(Path(), task.entry.sha256)))
    return handler(kind_of(archive_of(own.shared, task.entry.sha256), challenge)).runs


def _perform(task: Task, own: FlowContext) -> Performed:
    entry = task.entry
    if task.gpus:
        key = (own.store, entry.id, entry.attempt, task.name)
        _patiently(lambda: tasks.begin(*key, own.executor, seconds_allowed(task), task.gpus))
    beside = _patiently(lambda: shadow(own.store, entry.id, entry.attempt)) if entry.shadow else None
    if beside is not None and beside.first is task.stage:
        before = [stage for stage in challenge_of(entry).stages if stage in beside.first.before]
        share_products(own.shared, entry, beside.base, before, own.depot)
    if task.stage not in (Stage.EXAM, Stage.SCORE):
        return perform(task, own.shared, own.runner, own.executor, own.depot)

    def look() -> ExamData:
        return own.receipts.exam_data(challenge_of(entry))

    now, base = look(), beside.base if beside is not None and beside.first is Stage.SCORE else None
    began = _patiently(lambda: begin_exam(own.store, entry, now))
    answered = _patiently(lambda: exam_of(own.store, entry.id, base)) if base is not None else None
    with judged_as_begun(entry, look, began, answered):
        if task.shard is not None:  # of an exam: it starts to reveal hidden data
            _patiently(lambda: charge(own.config, own.store, entry, began.digest))
        return perform(task, own.shared, own.runner, own.executor, own.depot)


def _kept(task: Task, done: Performed, own: FlowContext) -> Outcome:
    """What is recorded of a stage; of a shard nothing."""
    entry, score = task.entry, done.outcome.score
    if task.shard is not None:
        return {}
    row = to_row(done.outcome, done.executor)
    result = _patiently(lambda: own.store.result_line(entry.attempt, task.stage.value, row))
    if score is None:
        return {"result": result}
    by = _patiently(lambda: exam_of(own.store, entry.id, entry.attempt))
    digest = by.digest if by is not None else ""
    return {"result": result, "score": _patiently(lambda: own.store.score_line(entry.attempt, to_json(score), digest))}
