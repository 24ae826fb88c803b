"""An entry's way through its stages, as durable workflows of DBOS.

An attempt at an entry is a parent workflow; each stage, and each shard of an exam, is a child with a fixed id in the
queue ``slots``, of which a host runs as many at once as it has slots, those of earlier stages first.  What ended is
never run again: after any kill, and on any host, DBOS continues with the first child that has no outcome.

Infrastructure faults are values, so that the slot is free while the entry waits: the parent counts them, waits longer
each time, and parks the entry in the end.  They cost the team nothing.  So is a GPU that is in use: the child leaves
its slot at once, and the parent starts another one later, which is not counted as a try.

Everything a parent decides follows from its plan and its children's outcomes.  So a parent that was lost can be started
again under another id: it finds its children and their outcomes.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dbos import DBOS, SetEnqueueOptions, SetWorkflowID

from evaluate.core.codec import to_json
from evaluate.core.errors import ChallengeError, EvaluateError
from evaluate.core.model import Stage, Verdict
from evaluate.host.config import Config
from evaluate.host.devices import DEVICES, DevicesBusy, leased_gpus
from evaluate.queue.depot import Depot
from evaluate.queue.engine import RECOVERIES, SLOTS
from evaluate.queue.evidence import keep_evidence
from evaluate.queue.logs import LOG, about
from evaluate.queue.store import tasks
from evaluate.queue.store.entries import Store
from evaluate.queue.store.outcomes import to_row
from evaluate.queue.store.reasons import NO_REASON, Cause, Reason, ended_with
from evaluate.queue.store.rows import ACTIVE, QueuedEntry, State
from evaluate.queue.store.shadows import attempt_of, shadow
from evaluate.queue.store.tables import TASKS
from evaluate.queue.work import Performed, Runner, Task, challenge_of, perform, seconds_allowed, share_products

_FAULT, _CHALLENGE, _RESULT, _GONE, _BUSY = "fault", "challenge", "result", "gone", "busy"
Outcome = dict[str, Any]
"""Of a child: its kind, and a verdict, a message, or the GPUs it needs and the host on which they are in use."""
_GPU_SECONDS = 60.0
"""Longest wait for a GPU before looking again: a program outside this queue may hold it, and does not report back."""


@dataclass(frozen=True, kw_only=True)
class FlowContext:
    """What the workflows of this process use."""

    store: Store
    shared: Path
    """Where this host has what all hosts share; on one host the state directory."""
    depot: Depot
    runner: Runner
    config: Config
    executor: str
    poll_seconds: float = 1.0
    devices: Path = DEVICES
    """The kernel's list of PCI devices."""

    def plan(self, challenge: str) -> dict[str, Any]:
        """What a parent is started with, so that nothing changes for it while it runs."""
        rules = self.config.terms(challenge)
        return {
            "shards": self.config.shards,
            "tries": self.config.retries.attempts,
            "delay": self.config.retries.delay_seconds,
            "one_in_exam": rules.one_in_exam,
            "charge_all": rules.charge_dry_runs,
        }


class Gate:
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


gate = Gate()
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


def flow_id(entry: QueuedEntry) -> str:
    """The id of the workflow that takes an attempt through its stages."""
    return f"{entry.id}:{entry.attempt}:{entry.flow}"


@DBOS.workflow(name="entry", max_recovery_attempts=RECOVERIES)
def entry_flow(identity: str, attempt: int, plan: dict[str, Any]) -> str:
    """Take an attempt at an entry through its stages; returns how it ended."""
    started = _begin(identity, attempt)
    if started["kind"] != _RESULT:
        return _parked(identity, attempt, State.PREP, started)
    for stage in started["stages"]:
        outcome = _stage(identity, attempt, Stage(stage), plan)
        if outcome["kind"] == _GONE:
            return _GONE
        if outcome["kind"] != _RESULT:
            return _parked(identity, attempt, stage, outcome)
        if outcome["verdict"] != Verdict.OK:
            return _ended(identity, attempt, outcome["verdict"], plan)
    return _ended(identity, attempt, Verdict.OK, plan)


def _stage(identity: str, attempt: int, stage: Stage, plan: Mapping[str, Any]) -> Outcome:
    if stage is Stage.EXAM and plan["one_in_exam"]:
        _wait_for_turn(identity, attempt)
    if not _advance(identity, attempt, stage, NO_REASON):
        return {"kind": _GONE}
    parts = list(range(plan["shards"])) if stage is Stage.EXAM else []
    for outcome in _run_all(identity, attempt, stage, parts, plan):
        if outcome["kind"] != _RESULT:
            return outcome
    (outcome,) = _run_all(identity, attempt, stage, [None], plan)  # of an exam: the shards together
    return outcome


def _run_all(
    identity: str, attempt: int, stage: Stage, shards: Sequence[int | None], plan: Mapping[str, Any]
) -> list[Outcome]:
    """Run tasks at the same time; each is tried again after a fault."""
    outcomes = []
    for shard, handle in [(shard, _start(identity, attempt, stage, shard, 0, plan)) for shard in shards]:
        outcome = _with_gpus(_outcome(handle), identity, attempt, stage, shard, 0, plan)
        for number in range(1, plan["tries"]):
            if outcome["kind"] != _FAULT:
                break
            delay = plan["delay"] * 2 ** (number - 1)
            until = time.time() + delay
            message, again = outcome["message"], number + 1
            reason = Reason(cause=Cause.RETRY, stage=stage.value, message=message, number=again, until=until)
            _advance(identity, attempt, stage, reason)
            _rest(delay)
            outcome = _outcome(_start(identity, attempt, stage, shard, number, plan))
            outcome = _with_gpus(outcome, identity, attempt, stage, shard, number, plan)
        outcomes.append(outcome)
    return outcomes


def _with_gpus(
    outcome: Outcome,
    identity: str,
    attempt: int,
    stage: Stage,
    shard: int | None,
    number: int,
    plan: Mapping[str, Any],
) -> Outcome:
    """The outcome of a task; if the GPUs of its host are in use, it leaves its slot and starts again later."""
    turn = 0
    while outcome["kind"] == _BUSY:
        turn += 1
        reason = Reason(cause=Cause.GPU, stage=stage.value, gpus=outcome["gpus"], host=outcome["host"])
        if not _advance(identity, attempt, stage, reason):
            return {"kind": _GONE}
        _wait_for_gpu(turn)
        outcome = _outcome(_start(identity, attempt, stage, shard, number, plan, turn))
    return outcome


def _start(
    identity: str,
    attempt: int,
    stage: Stage,
    shard: int | None,
    number: int,
    plan: Mapping[str, Any],
    turn: int = 0,
) -> Any:
    shards = plan["shards"]
    priority = _enqueue(identity, attempt, stage.value, shard, shards, number)
    name = _name(stage, shard)
    with SetWorkflowID(_child(identity, attempt, name, number, turn)), SetEnqueueOptions(priority=priority):
        return DBOS.enqueue_workflow(SLOTS, stage_flow, identity, attempt, stage.value, shard, shards, number, turn)


def _outcome(handle: Any) -> Outcome:
    try:
        found: Outcome = handle.get_result(polling_interval_sec=context().poll_seconds)
    except Exception as e:  # DBOS could not complete the child itself
        return {"kind": _FAULT, "message": f"{type(e).__name__}: {e}"}
    return found


def _child(identity: str, attempt: int, name: str, number: int, turn: int) -> str:
    return f"{identity}:{attempt}:{name}:{number}" + (f":{turn}" if turn else "")


def _name(stage: Stage, shard: int | None) -> str:
    return stage.value if shard is None else f"{stage.value}-{shard}"


@DBOS.workflow(name="stage", max_recovery_attempts=RECOVERIES)
def stage_flow(
    identity: str, attempt: int, stage: str, shard: int | None, shards: int, number: int, turn: int = 0
) -> Outcome:
    """Run one stage, or one shard of an exam, in a slot; returns its outcome, faults included."""
    return _run(identity, attempt, stage, shard, shards, number, turn)


@DBOS.step(name="run")
def _run(identity: str, attempt: int, stage: str, shard: int | None, shards: int, number: int, turn: int) -> Outcome:
    own, name = context(), _name(Stage(stage), shard)
    with gate.passed(_child(identity, attempt, name, number, turn)), ExitStack() as held:
        entry = attempt_of(own.store, identity, attempt)
        if entry.attempt != attempt or entry.state.ended:
            return {"kind": _GONE}
        task = Task(entry=entry, stage=Stage(stage), shard=shard, shards=shards)
        about_it = about(entry=identity, attempt=attempt, task=name, number=number + 1)
        try:
            task = replace(task, gpus=_lease_gpus(task, own, held))
            LOG.info("started", extra=about_it)
            done = _perform(task, own)
            _keep(task, done, own)
            LOG.info("ended with %s", done.outcome.result.verdict, extra=about_it)
            outcome = {
                "kind": _RESULT,
                "verdict": done.outcome.result.verdict.value,
                "message": done.outcome.result.message,
            }
        except _NoGpu as e:
            LOG.info("waits for a GPU of host %s", e.host, extra=about_it)
            return {"kind": _BUSY, "gpus": e.wanted, "host": e.host}
        except ChallengeError as e:
            outcome = {"kind": _CHALLENGE, "message": str(e)}
        except Exception as e:  # any other error is not the team's fault
            keep_evidence(own.shared, own.depot, task, number, own.executor, e)
            outcome = {"kind": _FAULT, "message": f"{type(e).__name__}: {e}"}
        tasks.end(own.store, identity, attempt, name)
    return outcome


class _NoGpu(Exception):
    """The devices are in use; a slot is not held while a task waits for them."""

    def __init__(self, wanted: int, host: str) -> None:
        super().__init__(wanted, host)
        self.wanted, self.host = wanted, host


def _lease_gpus(task: Task, own: FlowContext, held: ExitStack) -> tuple[str, ...]:
    """The devices that a task needs, held until the stack is left."""
    in_guest = task.stage in (Stage.PREP, Stage.QUIZ) or task.shard is not None
    challenge = challenge_of(task.entry)
    wanted = challenge.gpus if in_guest else 0
    if not wanted:
        return ()
    if wanted > len(own.config.gpus):
        others = [host.name for host in own.store.reader.hosts() if host.gpus >= wanted and host.left_seconds > 0]
        if others:
            raise _NoGpu(wanted, others[0])
    try:
        return held.enter_context(leased_gpus(challenge.name, wanted, own.config.gpus, own.devices))
    except DevicesBusy as e:
        raise _NoGpu(wanted, own.config.host) from e


def _perform(task: Task, own: FlowContext) -> Performed:
    entry = task.entry
    tasks.begin(own.store, entry.id, entry.attempt, task.name, own.executor, seconds_allowed(task), task.gpus)
    if task.stage is Stage.EXAM:  # it starts to reveal hidden data
        own.store.charge(entry.id, entry.attempt)
    return perform(task, own.shared, own.runner, own.executor, own.depot)


def _keep(task: Task, done: Performed, own: FlowContext) -> None:
    entry = task.entry
    if task.shard is not None:
        return
    own.store.keep_result(entry.id, entry.attempt, task.stage.value, to_row(done.outcome, done.executor))
    if done.outcome.score is not None:
        own.store.keep_score(entry.id, entry.attempt, to_json(done.outcome.score))


@DBOS.step(name="begin")
def _begin(identity: str, attempt: int) -> dict[str, Any]:
    """The stages that this attempt runs itself; the earlier ones were run by another attempt."""
    own = context()
    entry = attempt_of(own.store, identity, attempt)
    stages = list(Stage)
    try:
        if challenge_of(entry).exam.references is None:
            stages.remove(Stage.SCORE)
    except EvaluateError as e:
        return {"kind": _CHALLENGE, "message": str(e)}
    if (beside := shadow(own.store, identity, attempt)) is not None:
        before = stages[: list(Stage).index(beside.first)]
        share_products(own.shared, entry, beside.base, before, own.depot)
        stages = stages[len(before) :]
    return {"kind": _RESULT, "stages": [stage.value for stage in stages]}


@DBOS.step(name="say")
def _advance(identity: str, attempt: int, stage: Stage, reason: Reason) -> bool:
    """Record which stage an attempt is in; returns whether it continues, as it does if it was further already."""
    store = context().store
    if store.move(identity, State(stage.value), reason, attempt=attempt):
        return True
    entry = attempt_of(store, identity, attempt)
    return entry.attempt == attempt and entry.state in ACTIVE


@DBOS.step(name="rest")
def _rest(seconds: float) -> None:
    """Sleep; after an interruption for the full time again, since the clock may have been set back."""
    time.sleep(seconds)


@DBOS.step(name="gpu")
def _wait_for_gpu(turn: int) -> None:
    """Wait until a stage of this queue has freed devices, but at most for a while, which gets longer every time."""
    own = context()
    before = _holders(own)
    end = time.monotonic() + min(own.poll_seconds * 2**turn, _GPU_SECONDS)
    while time.monotonic() < end and before <= _holders(own):
        time.sleep(own.poll_seconds)


def _holders(own: FlowContext) -> set[tuple[str, int, str, float]]:
    return {(row.entry, row.attempt, row.task, row.since) for row in tasks.tasks(own.store, TASKS.c.gpus != "[]")}


@DBOS.step(name="enqueue")
def _enqueue(identity: str, attempt: int, stage: str, shard: int | None, shards: int, number: int) -> int:
    own = context()
    beside = shadow(own.store, identity, attempt) is not None
    cost = 1.0 if shard is None else 1.0 / shards
    name = _name(Stage(stage), shard)
    return tasks.enqueue(own.store, identity, attempt, name, Stage(stage), number, cost, shadow=beside)


@DBOS.step(name="turn")
def _wait_for_turn(identity: str, attempt: int) -> None:
    """Only one entry of a team may be in the exam at once."""
    own = context()
    while (other := own.store.enter_exam(identity, attempt)) is not None:
        waits = Reason(cause=Cause.TEAM, entry=other)
        if not own.store.move(identity, State.QUIZ, waits, attempt=attempt):
            return  # cancelled
        time.sleep(own.poll_seconds)


@DBOS.step(name="end")
def _end(identity: str, attempt: int, state: State, reason: Reason, charged: bool | None) -> None:
    own = context()
    tasks.end(own.store, identity, attempt)
    own.store.move(identity, state, reason, charged=charged, attempt=attempt)


def _ended(identity: str, attempt: int, verdict: str, plan: Mapping[str, Any]) -> str:
    _end(identity, attempt, State.DONE, ended_with(verdict), True if plan["charge_all"] else None)
    return verdict


def _parked(identity: str, attempt: int, stage: str, outcome: Mapping[str, Any]) -> str:
    cause = Cause.CHALLENGE if outcome["kind"] == _CHALLENGE else Cause.INFRASTRUCTURE
    # a fault that is not the team's costs it nothing, in whichever stage
    _end(identity, attempt, State.PARKED, Reason(cause=cause, stage=stage, message=outcome["message"]), False)
    return State.PARKED.value
