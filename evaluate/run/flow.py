"""Work in a slot: one stage of an attempt, or one shard of an exam.

It writes nothing about the attempt but that it is charged: what it returns is recorded, and what comes next decided, by
`evaluate.run.chain`.  Run again after a kill, it finds what it had produced.

Infrastructure faults are values, so that the slot is free while the entry waits.  So is a GPU that is in use.  A
database that is away is neither: what a stage has to write waits for it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa

from evaluate.config.challenge.types import Challenge
from evaluate.config.types import Config
from evaluate.core.codec import to_json
from evaluate.core.errors import ChallengeError, ImageFault, MirrorFault
from evaluate.core.model import Stage
from evaluate.host.capacity import DEVICES, DevicesBusy, leased_gpus
from evaluate.receipts.exam_data import ExamData
from evaluate.receipts.issue import Registry
from evaluate.stages.kinds.detection import handler, kind_of
from evaluate.store.db.database import passes
from evaluate.store.db.rows import FaultyPart, QueuedEntry, TaskRow, to_row
from evaluate.store.entries.bases import begin_exam, exam_of, judged_as_begun
from evaluate.store.entries.store import Store
from evaluate.store.files.depot import Depot
from evaluate.store.files.evidence import keep_evidence, last_lines
from evaluate.store.files.stage_folders import (
    Performed,
    Runner,
    Task,
    archive_of,
    challenge_of,
    perform,
    share_products,
)
from evaluate.store.logs import LOG, about
from evaluate.store.schedule import tasks
from evaluate.store.schedule.engine import Engine
from evaluate.store.schedule.faults import Signals
from evaluate.store.schedule.hosts import hosts
from evaluate.store.schedule.slots import Slots
from evaluate.views.feedback import charge
from evaluate.views.words import gpus

FAULT, CHALLENGE, RESULT, BUSY = "fault", "challenge", "result", "busy"
Outcome = dict[str, Any]
"""Outcome of a stage: its kind, and a verdict with its result and score, a message, or the GPUs it needs and the host
on which they are in use, if one has them."""
_PATIENCE_SECONDS = 10.0
_T = TypeVar("_T")


@dataclass(frozen=True, kw_only=True)
class FlowContext:
    """Context that the workflows of this process use."""

    store: Store
    shared: Path
    """Folder in which this host has what all hosts share; on one host the state directory."""
    depot: Depot
    runner: Runner
    config: Config
    receipts: Registry
    executor: str
    engine: Engine
    slots: Slots = field(default_factory=Slots)
    signals: Callable[[], Signals] = Signals
    """Gives what organisers and faults have changed, as of about a second ago."""
    until: float = math.inf
    """When the limits of every stage must have ended, by the monotonic clock."""
    poll_seconds: float = 1.0
    share_seconds: float = 1.0
    """Seconds for which an attempt keeps its slot from stage to stage, whatever waits: finding the next work costs as
    much."""
    devices: Path = DEVICES
    """The kernel's list of PCI devices."""


_context: FlowContext | None = None


def set_context(context: FlowContext) -> None:
    """Set what the workflows of this process use; call it before DBOS is launched."""
    global _context  # noqa: PLW0603  # workflows are functions of the process, found by their name
    _context = context


def context() -> FlowContext:
    """Return the context that `set_context` set."""
    if _context is None:
        raise RuntimeError("set_context must be called before the first workflow")
    return _context


def run(begun: TaskRow, entry: QueuedEntry) -> Outcome:
    """Run one stage, or one shard of an exam; returns its outcome, faults included.

    ``entry``: the attempt, with the rules that it began with.
    """
    host = context()
    task = Task(entry=entry, stage=begun.stage, shard=begun.shard, shards=begun.shards)
    about_it = about(entry=entry.id, attempt=entry.attempt, task=begun.task, number=begun.number + 1)
    with ExitStack() as held:
        try:
            task = replace(task, gpus=_lease_gpus(task, host, held))
            if task.gpus:
                patiently(lambda: tasks.begin(host.store, begun.flow, host.executor, task.gpus))
            LOG.info("started", extra=about_it)
            done, judged_by = _perform(task, host)
            LOG.info("ended with %s", done.outcome.result.verdict, extra=about_it)
            return {
                "kind": RESULT,
                "verdict": done.outcome.result.verdict.value,
                "message": done.outcome.result.message,
                "image": challenge_of(entry).image if done.outcome.machine is not None else "",
                "packages": bool(done.outcome.result.installed),
                **_kept(task, done, host, judged_by),
            }
        except _NoGpu as e:
            if e.host or e.wanted <= host.signals().gpus:
                LOG.info("waits for a GPU of host %s", e.host or "that is away", extra=about_it)
                return {"kind": BUSY, "gpus": e.wanted, "host": e.host}
            absent = f"with {gpus(e.wanted)}"
            message = f"no host {absent} has been alive for a while (`gpus` in the evaluate.yaml of each host)"
            return {"kind": FAULT, "final": True, "name": absent, "message": message}
        except ChallengeError as e:
            return _failed(task, begun.number, host, CHALLENGE, e, str(e))
        except Exception as e:  # any other error is not the team's fault
            return _failed(task, begun.number, host, FAULT, e, f"{type(e).__name__}: {e}")


def _failed(task: Task, number: int, host: FlowContext, kind: str, error: Exception, message: str) -> Outcome:
    keep_evidence(host.shared, host.depot, task, number, host.executor, error)
    part, name = _guilty(task, host, error)
    return {"kind": kind, "message": message, "part": part.value, "name": name, "lines": last_lines(error)}


def _guilty(task: Task, host: FlowContext, error: Exception) -> tuple[FaultyPart, str]:
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
    return FaultyPart.HOST, host.config.host


def patiently(work: Callable[[], _T]) -> _T:
    """Repeat what uses the database while that is away: hours of a stage must not be lost to it."""
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
    """The devices are in use, or no host has as many; a slot is not held while a task waits for them."""

    def __init__(self, wanted: int, host: str) -> None:
        super().__init__(wanted, host)
        self.wanted, self.host = wanted, host


def _lease_gpus(task: Task, host: FlowContext, held: ExitStack) -> tuple[str, ...]:
    """The devices that a task needs, held until the stack is left."""
    challenge = challenge_of(task.entry)
    wanted = challenge.gpus if task.runs_in_guest else 0
    if not wanted or not _runs(task, challenge, host):
        return ()
    if wanted > len(host.config.gpus):
        others = [other.name for other in patiently(partial(hosts, host.store)) if other.gpus >= wanted]
        raise _NoGpu(wanted, next(iter(others), ""))
    try:
        return held.enter_context(leased_gpus(challenge.name, wanted, host.config.gpus, host.devices))
    except DevicesBusy as e:
        raise _NoGpu(wanted, host.config.host) from e


def _runs(task: Task, challenge: Challenge, host: FlowContext) -> bool:
    """True if an entry's programs are run; uploaded answers need no device."""
    if len(challenge.kinds) > 1:
        host.depot.fetch(str(archive_of(Path(), task.entry.sha256)))
    return handler(kind_of(archive_of(host.shared, task.entry.sha256), challenge)).runs


def _perform(task: Task, host: FlowContext) -> tuple[Performed, str]:
    """Perform a stage or shard; returns also the digest of the data that an exam is judged by, else no text."""
    entry = task.entry
    if entry.rejudging and entry.first is task.stage:
        before = [stage for stage in challenge_of(entry).stages if stage in entry.first.before]
        share_products(host.shared, entry, entry.base, before, host.depot)
    if task.stage not in (Stage.EXAM, Stage.SCORE):
        return perform(task, host.shared, host.runner, host.executor, host.depot), ""

    def look() -> ExamData:
        return host.receipts.exam_data(challenge_of(entry))

    now = look()
    began = patiently(lambda: begin_exam(host.store, entry, now))
    scored_again = entry.first is Stage.SCORE
    answered = patiently(lambda: exam_of(host.store, entry.id, entry.base)) if scored_again else None
    with judged_as_begun(entry, now, look, began, answered):
        if task.shard is not None:  # of an exam: it starts to reveal hidden data
            patiently(lambda: charge(host.config, host.store, entry, began.digest))
        return perform(task, host.shared, host.runner, host.executor, host.depot), began.digest


def _kept(task: Task, done: Performed, host: FlowContext, judged_by: str) -> Outcome:
    """Return what is recorded of a stage; of a shard nothing."""
    entry, score = task.entry, done.outcome.score
    if task.shard is not None:
        return {}
    row = to_row(done.outcome, done.executor)
    result = patiently(lambda: host.store.result_line(entry.attempt, task.stage.value, row))
    if score is None:
        return {"result": result}
    line = patiently(lambda: host.store.score_line(entry.attempt, to_json(score), judged_by))
    return {"result": result, "score": line}
