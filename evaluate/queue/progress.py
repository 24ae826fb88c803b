"""Decides what comes next for every attempt that this host takes through its stages.

Theory of operation.  An attempt waits in the database, as its row, and nothing waits in a thread: about once a second
the daemon asks which of the stages that it waits for have ended, and takes the attempts concerned one step further.
Everything that is decided follows from the plan of the attempt, which is kept with it, and from the outcomes of its
stages (`evaluate.queue.flow`), whose ids are fixed.  So a step may be taken twice, and by two hosts; a host that takes
over needs nothing that another had in memory.  Only pauses are kept there: after a takeover they begin again.

Infrastructure faults are counted; after each the attempt waits longer, and in the end it is parked.  They cost the team
nothing.  A GPU that is in use, and a database that was away, are not counted: the stage is started again later.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa

from evaluate.core.errors import EvaluateError
from evaluate.core.model import Stage, Verdict
from evaluate.queue.engine import Engine, Flow
from evaluate.queue.flow import BUSY, CHALLENGE, FAULT, GONE, RESULT, FlowContext, Outcome, child_id, stage_flow
from evaluate.queue.flow import task_name as name_of
from evaluate.queue.logs import LOG, about
from evaluate.queue.signing import sign
from evaluate.queue.store import tasks
from evaluate.queue.store.reasons import NO_REASON, Cause, Reason, ended_with
from evaluate.queue.store.rows import ACTIVE, QueuedEntry, State
from evaluate.queue.store.shadows import attempt_of, attempts_in_stages, shadow
from evaluate.queue.store.tables import TASKS
from evaluate.queue.work import challenge_of

_LOST = "lost"
"""The kind of a stage that ended because the database was away."""
_DATABASE_ERRORS = frozenset(
    name
    for name, kind in vars(sa.exc).items()
    if isinstance(kind, type) and issubclass(kind, sa.exc.DBAPIError | sa.exc.TimeoutError)
)
_AGAIN_SECONDS = 60.0
"""Longest pause before a stage is started again that was not counted as a try: a GPU may be held by a program outside
this queue, which does not report back."""

_LOOK_SECONDS = 1.0

_Attempt = tuple[str, int]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What an attempt is started with, so that nothing changes for it while it is in its stages."""

    stages: tuple[Stage, ...]
    """Those that it runs itself; the earlier ones were run by another attempt."""
    shards: int
    tries: int
    delay: float
    """Seconds before the second try of a stage; doubles each time."""
    one_in_exam: bool
    charge_all: bool
    shadow: bool
    """Whether the attempt is one next to that which counts."""

    def as_text(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Plan:
        """What `as_text` gave."""
        values = json.loads(text)
        return cls(**{**values, "stages": tuple(Stage(stage) for stage in values["stages"])})


@dataclass(frozen=True, kw_only=True)
class _Pause:
    """Before something is tried again."""

    until: float
    """By the clock of `Progress`."""
    holders: frozenset[Any] | None = None
    """The tasks that held GPUs when it began; it is over when one of them does not any more."""


class Progress:
    """The attempts of one process; not to be used by two threads.

    Parameters
    ----------
    context : callable
        What the workflows of this process use, which may change.
    """

    def __init__(
        self, engine: Engine, context: Callable[[], FlowContext], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._engine, self._context, self._clock = engine, context, clock
        self._waits: dict[_Attempt, frozenset[str]] = {}
        """The workflows that an attempt waits for; an attempt that is not in it has not been looked at."""
        self._pauses: dict[_Attempt, dict[str, _Pause]] = {}
        """Attempt -> what is started when the pause is over -> the pause."""
        self._looked: dict[_Attempt, float] = {}
        """When an attempt was last taken further."""

    def look(self) -> None:
        """Take the attempts further for which something has happened, for about a second; the others wait for the next
        look, since whoever calls this has more to do.
        """
        store, me = self._context().store, self._context().executor
        found = {(entry.id, entry.attempt): entry for entry in attempts_in_stages(store, me)}
        for known in (self._waits, self._pauses, self._looked):
            for gone in [key for key in known if key not in found]:
                del known[gone]
        ended = self._engine.ended({child for children in self._waits.values() for child in children})
        holders = self._holders() if any(self._wants_gpu(key) for key in found) else frozenset()
        end = self._clock() + _LOOK_SECONDS
        for key in sorted(found, key=lambda key: self._looked.get(key, -math.inf)):
            waits = self._waits.get(key)
            if waits is None or not waits.isdisjoint(ended) or self._pause_is_over(key, holders):
                self._advance(key, found[key])
                self._looked[key] = self._clock()
                if self._clock() >= end:
                    return

    def _advance(self, key: _Attempt, entry: QueuedEntry) -> None:
        try:
            self._waits[key] = _Step(self, key, entry).take()
        except sa.exc.SQLAlchemyError:
            raise  # it concerns all attempts
        except Exception:  # the other attempts must not wait for this one
            LOG.exception("cannot be continued", extra=about(entry=entry.id, attempt=entry.attempt))
            self._waits[key] = frozenset()
            self.pause(key, "", self._context().config.heartbeat.seconds)

    def _pause_is_over(self, key: _Attempt, holders: frozenset[Any]) -> bool:
        return any(self._is_over(pause, holders) for pause in self._pauses.get(key, {}).values())

    def _is_over(self, pause: _Pause, holders: frozenset[Any]) -> bool:
        return self._clock() >= pause.until or (pause.holders is not None and not pause.holders <= holders)

    def _wants_gpu(self, key: _Attempt) -> bool:
        return any(pause.holders is not None for pause in self._pauses.get(key, {}).values())

    def pause(self, key: _Attempt, what: str, seconds: float, *, for_gpu: bool = False) -> None:
        """Begin a pause, after which the attempt is looked at again."""
        holders = self._holders() if for_gpu else None
        self._pauses.setdefault(key, {})[what] = _Pause(until=self._clock() + seconds, holders=holders)

    def paused(self, key: _Attempt, what: str) -> bool | None:
        """Whether the pause before something is under way; None if it never started. A pause is over once."""
        pause = self._pauses.get(key, {}).get(what)
        if pause is None:
            return None
        if not self._is_over(pause, self._holders() if pause.holders is not None else frozenset()):
            return True
        del self._pauses[key][what]
        return False

    def _holders(self) -> frozenset[Any]:
        rows = tasks.tasks(self._context().store, TASKS.c.gpus != "[]")
        return frozenset((row.entry, row.attempt, row.task, row.since) for row in rows)

    @property
    def own(self) -> FlowContext:
        """What the workflows of this process use now."""
        return self._context()

    @property
    def engine(self) -> Engine:
        """Where stages wait for slots, and their outcomes are."""
        return self._engine


class _Step:
    """One look at one attempt."""

    def __init__(self, progress: Progress, key: _Attempt, entry: QueuedEntry) -> None:
        self._progress, self._key, self._entry = progress, key, entry
        self._own, self._store = progress.own, progress.own.store
        self._children: Mapping[str, Flow] = {}
        self._waits: set[str] = set()

    def take(self) -> frozenset[str]:
        """Do what can be done now; returns the workflows that it waits for then."""
        self._progress.paused(self._key, "")
        plan = self._plan()
        if plan is not None:
            self._children = self._progress.engine.children(self._key)
            self._through(plan)
        return frozenset(self._waits)

    def _plan(self) -> Plan | None:
        entry, own = self._entry, self._own
        if entry.plan:
            return Plan.from_text(entry.plan)
        stages = list(Stage)
        beside = shadow(self._store, entry.id, entry.attempt)
        if beside is not None:
            stages = stages[stages.index(beside.first) :]
        try:
            if challenge_of(entry).exam.references is None and Stage.SCORE in stages:
                stages.remove(Stage.SCORE)
        except EvaluateError as e:
            self._park(State.PREP.value, {"kind": CHALLENGE, "message": str(e)})
            return None
        rules = own.config.terms(entry.challenge)
        plan = Plan(
            stages=tuple(stages),
            shards=own.config.shards,
            tries=own.config.retries.attempts,
            delay=own.config.retries.delay_seconds,
            one_in_exam=rules.one_in_exam,
            charge_all=rules.charge_dry_runs,
            shadow=beside is not None,
        )
        return Plan.from_text(self._store.keep_plan(entry, plan.as_text()))

    def _through(self, plan: Plan) -> None:
        for stage in plan.stages:
            outcome = self._stage(stage, plan)
            if outcome is None:
                return
            if outcome["kind"] != RESULT:
                self._park(stage.value, outcome)
                return
            if outcome["verdict"] != Verdict.OK:
                self._end(outcome["verdict"], plan)
                return
        self._end(Verdict.OK.value, plan)

    def _stage(self, stage: Stage, plan: Plan) -> Outcome | None:
        """The outcome of a stage; None while it has none."""
        shards = list(range(plan.shards)) if stage is Stage.EXAM else []
        first = self._child(stage, shards[0] if shards else None, 0, 0)
        if first not in self._children:
            if stage is Stage.EXAM and plan.one_in_exam and not self._has_turn():
                return None
            if not self._say(stage, NO_REASON):
                return None
        parts = [self._task(stage, shard, plan) for shard in shards]
        found = [part for part in parts if part is not None]
        if len(found) < len(parts):
            return None
        failed = next((part for part in found if part["kind"] != RESULT), None)
        return failed or self._task(stage, None, plan)  # of an exam: the shards together

    def _task(self, stage: Stage, shard: int | None, plan: Plan) -> Outcome | None:
        number = turn = 0
        before: Outcome | None = None
        while True:
            identity = self._child(stage, shard, number, turn)
            child = self._children.get(identity)
            if child is None:
                if before is None or self._has_paused(identity, stage, shard, number, turn, before, plan):
                    self._enqueue(identity, stage, shard, number, turn, plan)
                return None
            if not child.over:
                self._waits.add(identity)
                return None
            before = _outcome(child)
            if before["kind"] in (BUSY, _LOST):
                turn += 1
            elif before["kind"] == FAULT and number + 1 < plan.tries:
                number, turn = number + 1, 0
            else:
                return None if before["kind"] == GONE else before

    def _has_paused(
        self, identity: str, stage: Stage, shard: int | None, number: int, turn: int, before: Outcome, plan: Plan
    ) -> bool:
        paused = self._progress.paused(self._key, identity)
        if paused is not None:
            return not paused
        again = min(self._own.poll_seconds * 2.0 ** min(turn, 30), _AGAIN_SECONDS)
        seconds = again if turn else plan.delay * 2 ** (number - 1)
        if before["kind"] == BUSY:
            reason = Reason(cause=Cause.GPU, stage=stage.value, gpus=before["gpus"], host=before["host"])
        else:
            reason = Reason(
                cause=Cause.RETRY,
                stage=stage.value,
                message=before["message"],
                number=number + 1,
                until=time.time() + seconds,
            )
        if before["kind"] == _LOST:
            tasks.end(self._store, self._entry.id, self._entry.attempt, name_of(stage, shard))
        if self._say(stage, reason):
            self._progress.pause(self._key, identity, seconds, for_gpu=before["kind"] == BUSY)
        return False

    def _enqueue(self, identity: str, stage: Stage, shard: int | None, number: int, turn: int, plan: Plan) -> None:
        entry, name = self._entry, name_of(stage, shard)
        cost = 1.0 if shard is None else 1.0 / plan.shards
        priority = tasks.enqueue(self._store, entry.id, entry.attempt, name, stage, number, cost, shadow=plan.shadow)
        arguments = (entry.id, entry.attempt, stage.value, shard, plan.shards, number, turn)
        self._progress.engine.enqueue(stage_flow, identity, priority, *arguments)
        self._waits.add(identity)

    def _has_turn(self) -> bool:
        """Only one entry of a team may be in the exam at once."""
        other = self._store.enter_exam(self._entry.id, self._entry.attempt)
        if other is not None and self._say(Stage.QUIZ, Reason(cause=Cause.TEAM, entry=other)):
            self._progress.pause(self._key, "", self._own.poll_seconds)
        return other is None

    def _say(self, stage: Stage, reason: Reason) -> bool:
        """Record which stage the attempt is in; returns whether it continues, as it does if it was further already."""
        if self._store.move(self._entry.id, State(stage.value), reason, attempt=self._entry.attempt):
            return True
        now = attempt_of(self._store, self._entry.id, self._entry.attempt)
        return now.attempt == self._entry.attempt and now.state in ACTIVE

    def _end(self, verdict: str, plan: Plan) -> None:
        own = self._own
        sign(own.receipts, own.store, own.shared, own.depot, own.config, self._entry, own.executor)
        self._leave(State.DONE, ended_with(verdict), True if plan.charge_all else None)

    def _park(self, stage: str, outcome: Outcome) -> None:
        cause = Cause.CHALLENGE if outcome["kind"] == CHALLENGE else Cause.INFRASTRUCTURE
        # a fault that is not the team's costs it nothing, in whichever stage
        self._leave(State.PARKED, Reason(cause=cause, stage=stage, message=outcome["message"]), False)

    def _leave(self, state: State, reason: Reason, charged: bool | None) -> None:
        self._waits.clear()
        tasks.end(self._store, self._entry.id, self._entry.attempt)
        self._store.move(self._entry.id, state, reason, charged=charged, attempt=self._entry.attempt)

    def _child(self, stage: Stage, shard: int | None, number: int, turn: int) -> str:
        return child_id(self._entry.id, self._entry.attempt, name_of(stage, shard), number, turn)


def _outcome(child: Flow) -> Outcome:
    if child.status == "SUCCESS":
        found: Outcome = child.output
        return found
    lost = child.status == "CANCELLED" or child.error in _DATABASE_ERRORS
    return {"kind": _LOST if lost else FAULT, "message": f"{child.error or child.status}: {child.message}"}
