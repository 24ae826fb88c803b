"""Decides what comes next for every attempt that this host takes through its stages.

Theory of operation.  An attempt waits in the database, as its row, and nothing waits in a thread: when stages have
ended, the daemon takes the attempts concerned one step further, all in one transaction.  Everything that is decided
follows from the plan of the attempt, which is kept with it, and from the outcomes of its stages
(`evaluate.queue.execution.flow`), whose ids are fixed.  So a step may be taken twice, and by two hosts; a host that
takes over needs nothing that another had in memory.  Only pauses are kept there: after a takeover they begin again.  An
attempt whose step could not be written is looked at again, whatever was known of it.

Infrastructure faults are counted; after each the attempt waits longer, and in the end it is parked.  They cost the team
nothing.  A GPU that is in use, and a database that was away, are not counted: the stage is started again later.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import Any

import sqlalchemy as sa

from evaluate.config.load import name_of as challenge_name
from evaluate.core.errors import ChallengeError, EvaluateError, Fault, UsageError
from evaluate.core.model import Stage, Verdict
from evaluate.queue.db import journal
from evaluate.queue.db.database import passes
from evaluate.queue.db.reasons import NO_REASON, Cause, Reason, ended_with
from evaluate.queue.db.rows import ACTIVE, FaultyPart, QueuedEntry, State
from evaluate.queue.db.tables import TASKS
from evaluate.queue.entries.bases import as_text, keep_rules, rules_of
from evaluate.queue.entries.shadows import attempt_of, attempts_in_stages, shadow
from evaluate.queue.entries.store import SIGNED, advance, enter_exam, keep_plan, keep_result, keep_score, move
from evaluate.queue.execution.engine import Engine, Flow, attempt_in
from evaluate.queue.execution.flow import BUSY, CHALLENGE, FAULT, GONE, RESULT, FlowContext, Outcome, child_id, flow_of
from evaluate.queue.execution.flow import task_name as name_of
from evaluate.queue.logs import LOG, about
from evaluate.queue.schedule import tasks
from evaluate.queue.schedule.faults import FaultReport, ended_well, record
from evaluate.queue.signing import sign
from evaluate.queue.storage.stage_folders import Task, challenge_of, seconds_allowed
from evaluate.queue.views.board import same_data

_LOST, _TAKEN = "lost", "taken"
"""The kinds of a stage that ended because the database was away, and of one that was taken from a lost process."""
_DATABASE_ERRORS = frozenset(
    name
    for name, kind in vars(sa.exc).items()
    if isinstance(kind, type) and issubclass(kind, sa.exc.DBAPIError | sa.exc.TimeoutError)
)
_AGAIN_SECONDS = 60.0
"""Longest pause before a stage is started again that was not counted as a try: a GPU may be held by a program outside
this queue, which does not report back."""

_LOOK_SECONDS = 1.0
_AT_ONCE = 32
"""Attempts whose steps are written in one transaction."""

_Attempt = tuple[str, int]


@dataclass(frozen=True, kw_only=True)
class AttemptPlan:
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
    def from_text(cls, text: str) -> AttemptPlan:
        """What `as_text` gave."""
        values = json.loads(text)
        return cls(**{**values, "stages": tuple(Stage(stage) for stage in values["stages"])})


_NAMES = frozenset(field.name for field in fields(AttemptPlan))


def is_of_later_release(plan: str) -> bool:
    """Whether a plan says what this release does not know: a stage, or something else."""
    values = json.loads(plan or "{}")
    return not (set(values) <= _NAMES and set(values.get("stages", ())) <= set(Stage))


@dataclass(frozen=True, kw_only=True)
class _Pause:
    """Before something is tried again."""

    until: float
    """By the clock of `Progress`."""
    holders: frozenset[Any] | None = None
    """The tasks that held GPUs when it began; it is over when one of them does not any more."""


class Progress:
    """The attempts of one process; not to be used by two threads.

    ``context``: what the workflows of this process use, which may change.
    """

    def __init__(
        self, engine: Engine, context: Callable[[], FlowContext], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._engine, self._context, self._clock = engine, context, clock
        self._waits: dict[_Attempt, frozenset[str]] = {}
        """The workflows that an attempt waits for; an attempt that is not in it is looked at."""
        self._recorded: dict[_Attempt, frozenset[str]] = {}
        """Those whose outcomes were recorded by this process."""
        self._pauses: dict[_Attempt, dict[str, _Pause]] = {}
        """Attempt -> what is started when the pause is over -> the pause."""
        self._failures: dict[_Attempt, int] = {}
        """How often nothing could be decided of an attempt."""
        self._looked: dict[_Attempt, float] = {}
        """When an attempt was last taken further."""
        self._left: set[str] = set()
        """The workflows that have left their threads here, and whose outcomes DBOS does not have yet."""
        self._more = True
        """Whether the last look left something to do."""
        self.faulty = False
        """Whether any fault is not resolved."""

    def look(self, *, everywhere: bool = True, faulty: bool = True, shadows: bool = True) -> None:
        """Take the attempts further for which something has happened, for about a second; the others wait for the next
        look, since the caller has more to do.

        * ``everywhere``: whether stages may also have ended on other hosts.
        * ``faulty``: whether any fault may not be resolved.
        * ``shadows``: whether this process may have attempts next to those that count.
        """
        store, me = self._context().store, self._context().executor
        own = attempts_in_stages(store, me) if shadows else store.owned(me)
        found = {(entry.id, entry.attempt): entry for entry in own}
        self.faulty = faulty
        for known in (self._waits, self._recorded, self._pauses, self._failures, self._looked):
            for gone in [key for key in known if key not in found]:
                del known[gone]
        ended = self._ended(everywhere=everywhere)
        holders = self._holders() if any(self._wants_gpu(key) for key in found) else frozenset()
        due = [
            found[key]
            for key in sorted(found, key=lambda key: self._looked.get(key, -math.inf))
            if key in ended
            or self._pause_is_over(key, holders)
            or not (self._waits.get(key) or self._pauses.get(key))  # it waits for nothing
        ]
        self._more, end = True, self._clock() + _LOOK_SECONDS
        for start in range(0, len(due), _AT_ONCE):
            if start and self._clock() >= end:
                return
            self._advance(due[start : start + _AT_ONCE])
        self._more = False

    def is_due(self) -> bool:
        """Whether a look would find something to do, as far as this process knows without asking."""
        self._left |= self._engine.left()
        pauses = [pause for known in self._pauses.values() for pause in known.values()]
        over = any(pause.holders is not None or self._clock() >= pause.until for pause in pauses)
        return self._more or over or any(attempt_in(child) in self._waits for child in self._left)

    def _ended(self, *, everywhere: bool) -> set[_Attempt]:
        """The attempts of which a stage has ended, or, if it was here, is about to."""
        self._left = {child for child in self._left | self._engine.left() if attempt_in(child) in self._waits}
        found = {attempt_in(child) for child in self._left}
        if everywhere:  # a task whose host died before it began it has a further turn, which nobody has announced
            asked = {child for children in self._waits.values() for child in children}
            asked |= {flow_of(row) for row in tasks.of_owner(self._context().store, self._context().executor)}
            asked = {child for child in asked if attempt_in(child) not in found}
            found |= {attempt_in(child) for child in self._engine.ended(asked)} if asked else set()
        return found

    def _advance(self, entries: Sequence[QueuedEntry]) -> None:
        listed = False
        try:
            known: dict[_Attempt, dict[str, Flow]] = {(entry.id, entry.attempt): {} for entry in entries}
            for name, flow in self._engine.children(*known).items():
                known[flow.attempt][name] = flow
                if flow.over:
                    self._left.discard(name)
            left, listed = list(entries), True
            while left:
                left = self._together(left, known)
        except Exception as e:
            for entry in entries:
                self._waits.pop((entry.id, entry.attempt), None)
            if isinstance(e, sa.exc.SQLAlchemyError) and passes(e):
                raise  # it concerns all attempts
            if len(entries) > 1:  # the others must not wait for the one that is wrong
                for entry in entries:
                    self._advance([entry])
                return
            (entry,) = entries
            LOG.exception("cannot be continued", extra=about(entry=entry.id, attempt=entry.attempt))
            key = entry.id, entry.attempt
            if listed and self.failed(key) >= self._context().config.retries.attempts:
                message = f"{type(e).__name__}: {e}"
                reason = Reason(cause=Cause.INFRASTRUCTURE, stage=entry.state.value, message=message)
                self._context().store.move(entry.id, State.PARKED, reason, charged=False, attempt=entry.attempt)
            self._waits[key] = frozenset()
            self.pause(key, "", self._context().config.heartbeat.seconds)

    def _together(
        self, entries: Sequence[QueuedEntry], children: Mapping[_Attempt, Mapping[str, Flow]]
    ) -> list[QueuedEntry]:
        """Take attempts one step further; returns those that can be taken further at once."""
        steps = [_Step(self, entry, children[entry.id, entry.attempt]) for entry in entries]
        for step in steps:
            try:
                step.decide()
            except sa.exc.SQLAlchemyError:
                raise
            except Exception as e:
                LOG.exception("cannot be continued", extra=about(entry=step.entry.id, attempt=step.entry.attempt))
                step.fail(e)
        if writing := [step for step in steps if step.writes]:
            with self._context().store.database.step() as connection:
                for step in sorted(writing, key=lambda step: (step.entry.challenge, step.entry.team, step.entry.id)):
                    step.write(connection)
        for step in steps:
            self._waits[step.key] = frozenset(step.waits)
            self._recorded[step.key] = self.recorded(step.key) | step.recorded
            for what in step.paused:
                self._pauses.get(step.key, {}).pop(what, None)
            for what, seconds, for_gpu in step.pauses:
                self.pause(step.key, what, seconds, for_gpu=for_gpu)
            self._looked[step.key] = self._clock()
        return [step.entry for step in steps if step.again]

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
        """Whether the pause before something is under way; None if it never started."""
        pause = self._pauses.get(key, {}).get(what)
        if pause is None:
            return None
        return not self._is_over(pause, self._holders() if pause.holders is not None else frozenset())

    def failed(self, key: _Attempt) -> int:
        """How often nothing could be decided of an attempt, this time included."""
        self._failures[key] = self._failures.get(key, 0) + 1
        return self._failures[key]

    def recorded(self, key: _Attempt) -> frozenset[str]:
        """The workflows of an attempt whose outcomes this process has recorded."""
        return self._recorded.get(key, frozenset())

    def _holders(self) -> frozenset[Any]:
        rows = tasks.tasks(self._context().store, TASKS.c.gpus != "[]")
        return frozenset((row.entry, row.attempt, row.task, row.since) for row in rows)

    @property
    def own(self) -> FlowContext:
        """What the workflows of this process use now."""
        return self._context()


class _Step:
    """One step of one attempt: what is decided, and what is then written in one transaction with others."""

    def __init__(self, progress: Progress, entry: QueuedEntry, children: Mapping[str, Flow]) -> None:
        self._progress, self.entry, self._children = progress, entry, children
        self.key: _Attempt = (entry.id, entry.attempt)
        self._own, self._store = progress.own, progress.own.store
        self._acts: list[Callable[[sa.Connection], bool]] = []
        """What is written, in this order, until one of them is False: the attempt does not continue."""
        self.again = False
        """Whether the next step can be taken at once."""
        self.waits: set[str] = set()
        """The workflows that it waits for then."""
        self.recorded: set[str] = set()
        self.pauses: list[tuple[str, float, bool]] = []
        """Pauses that begin: before what, seconds, and whether they end when a GPU is free."""
        self.paused = {""}
        """Pauses that are over."""

    def decide(self) -> None:
        """Find out what can be done now."""
        plan = self._plan()
        if plan is not None:
            self._through(plan)

    def fail(self, error: Exception) -> None:
        """Nothing can be decided: a fault is tried again, as often as a stage is, anything else parks the attempt."""
        self._acts.clear()
        number, stage, retries = self._progress.failed(self.key), self.entry.state.value, self._own.config.retries
        message = str(error) if isinstance(error, EvaluateError) else f"{type(error).__name__}: {error}"
        if isinstance(error, ChallengeError | UsageError):
            self._park(stage, self._challenge_at_fault(stage, error))
        elif isinstance(error, Fault | OSError) and number < retries.attempts:
            seconds = retries.delay_seconds * 2 ** (number - 1)
            until, number = time.time() + seconds, number + 1
            reason = Reason(cause=Cause.RETRY, stage=stage, message=message, number=number, until=until)
            self._wait(Stage(stage), reason, "", seconds)
        else:
            self._park(stage, {"kind": FAULT, "message": message})

    @property
    def writes(self) -> bool:
        """Whether that changes anything."""
        return bool(self._acts)

    def write(self, connection: sa.Connection) -> None:
        """Do it."""
        for act in self._acts:
            if not act(connection):
                return

    def _plan(self) -> AttemptPlan | None:
        entry, own = self.entry, self._own
        if entry.plan:
            return AttemptPlan.from_text(entry.plan)
        beside = shadow(self._store, entry.id, entry.attempt) if entry.shadow else None
        first = beside.first if beside is not None else Stage.PREP
        try:
            begun = rules_of(challenge_of(entry))
        except EvaluateError as e:
            self._park(State.PREP.value, self._challenge_at_fault(Stage.PREP.value, e))
            return None
        stages = tuple(stage for stage in begun.stages if stage not in first.before)
        kept = self._store.details.keep(as_text(begun))
        rules = own.config.terms(entry.challenge)
        plan = AttemptPlan(
            stages=stages,
            shards=own.config.shards,
            tries=own.config.retries.attempts,
            delay=own.config.retries.delay_seconds,
            one_in_exam=rules.one_in_exam,
            charge_all=rules.charge_dry_runs,
            shadow=beside is not None,
        )
        self._acts.append(lambda connection: self._keep_plan(connection, plan, kept))
        return plan

    def _keep_plan(self, connection: sa.Connection, plan: AttemptPlan, begun: str) -> bool:
        kept = keep_plan(connection, self.entry, plan.as_text())
        if kept:
            keep_rules(connection, self.entry, begun)
        self.again = not kept  # another process was faster: by its plan, then
        if self.again:
            self.entry = attempt_of(self._store, *self.key)
            self.again = self.entry.attempt == self.key[1] and self.entry.state in ACTIVE
        self.waits = self.waits if kept else set()
        return kept

    def _through(self, plan: AttemptPlan) -> None:
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

    def _stage(self, stage: Stage, plan: AttemptPlan) -> Outcome | None:
        """The outcome of a stage; None while it has none."""
        shards = list(range(plan.shards)) if stage is Stage.EXAM else []
        if not any(self._tries(stage, shard) for shard in [*shards, None]):
            turn = self._enter_exam if stage is Stage.EXAM and plan.one_in_exam else self._enter
            self._acts.append(partial(turn, stage=stage))
        parts = [self._task(stage, shard, plan) for shard in shards]
        found = [part for part in parts if part is not None]
        if len(found) < len(parts):
            return None
        failed = next((part for part in found if part["kind"] != RESULT), None)
        return failed or self._task(stage, None, plan)  # of an exam: the shards together

    def _task(self, stage: Stage, shard: int | None, plan: AttemptPlan) -> Outcome | None:
        number = turn = 0
        before: Outcome | None = None
        avoid: list[str] = []
        while True:
            identity = self._child(stage, shard, number, turn)
            child = self._children.get(identity)
            if child is None and (later := [one for one in self._tries(stage, shard) if one > (number, turn)]):
                (number, turn), before = min(later), None  # the host that claimed this turn died before it began it
                continue
            if child is None:
                task = _Try(identity=identity, stage=stage, shard=shard, number=number, turn=turn, avoid=tuple(avoid))
                if before is None or before["kind"] == _TAKEN or self._has_paused(task, before, plan):
                    self._place(task, plan)
                return None
            if not child.over:
                self.waits.add(identity)
                return None
            before = _outcome(child)
            if before["kind"] != _TAKEN and identity not in self._progress.recorded(self.key):
                self._record(child, name_of(stage, shard), number, turn, before)
            if before["kind"] in (BUSY, _LOST, _TAKEN):
                turn += 1
            elif before["kind"] == FAULT and number + 1 < plan.tries:
                number, turn = number + 1, 0
                avoid.append(child.host)
            else:
                return None if before["kind"] == GONE else before

    def _record(self, child: Flow, task: str, number: int, turn: int, outcome: Outcome) -> None:
        """A stage has ended: what it found is kept, and its slot is nobody's."""
        identity, host = child.id, child.host
        entry, attempt = self.key

        def act(connection: sa.Connection) -> bool:
            if outcome["kind"] == BUSY:
                tasks.set_aside(connection, entry, attempt, task)
            else:
                tasks.remove(connection, entry, attempt, task, number, turn)
            if outcome.get("result"):
                keep_result(connection, entry, outcome["result"], self.entry.challenge)
            if outcome.get("score"):
                keep_score(connection, entry, outcome["score"], self._warn)
            if outcome["kind"] in (FAULT, CHALLENGE):
                self._blame(connection, host, task, outcome, again=number > 0)
            elif outcome["kind"] == RESULT and self._progress.faulty:
                image, packages = outcome.get("image", ""), outcome.get("packages", False)
                ended_well(connection, entry, host, self.entry.challenge, task, image, packages=packages)
            self.recorded.add(identity)
            return True

        self._acts.append(act)

    def _warn(self) -> None:
        name = challenge_name(self.entry.challenge, self._own.config)
        LOG.warning(
            "%s: entries are judged by other records, references or metric than before, and are not compared with the "
            "earlier ones; %s",
            name,
            same_data(name),
        )

    def _challenge_at_fault(self, stage: str, error: EvaluateError) -> Outcome:
        outcome = {
            "kind": CHALLENGE,
            "message": str(error),
            "part": FaultyPart.CHALLENGE.value,
            "name": self.entry.challenge,
        }

        def act(connection: sa.Connection) -> bool:
            self._blame(connection, "", stage, outcome, again=False)
            return True

        self._acts.append(act)
        return outcome

    def _blame(self, connection: sa.Connection, host: str, task: str, outcome: Outcome, *, again: bool) -> None:
        found = FaultReport(
            part=FaultyPart(outcome.get("part", FaultyPart.HOST)),
            name=outcome.get("name", host),
            stage=task,
            message=outcome["message"],
            lines=tuple(outcome.get("lines", ())),
            challenge=self.entry.challenge,
            again=again,
        )
        record(connection, *self.key, found, self._own.config.retries.stop_after)
        self._progress.faulty = True

    def _has_paused(self, task: _Try, before: Outcome, plan: AttemptPlan) -> bool:
        paused = self._progress.paused(self.key, task.identity)
        if paused is not None:
            if not paused:
                self.paused.add(task.identity)
            return not paused
        again = min(self._own.poll_seconds * 2.0 ** min(task.turn, 30), _AGAIN_SECONDS)
        seconds = again if task.turn else plan.delay * 2 ** (task.number - 1)
        if before["kind"] == BUSY:
            reason = Reason(cause=Cause.GPU, stage=task.stage.value, gpus=before["gpus"], host=before["host"])
        else:
            reason = Reason(
                cause=Cause.RETRY,
                stage=task.stage.value,
                message=before["message"],
                number=task.number + 1,
                until=time.time() + seconds,
            )
        self._wait(task.stage, reason, task.identity, seconds, for_gpu=before["kind"] == BUSY)
        return False

    def _wait(self, stage: Stage, reason: Reason, what: str, seconds: float, *, for_gpu: bool = False) -> None:
        """Say what the attempt waits for, and look again after a while."""

        def act(connection: sa.Connection) -> bool:
            if goes_on := self._say(connection, stage, reason):
                self.pauses.append((what, seconds, for_gpu))
            return goes_on

        self._acts.append(act)

    def _place(self, task: _Try, plan: AttemptPlan) -> None:
        """Let a task wait for a slot."""
        entry = self.entry
        try:
            whole = Task(entry=entry, stage=task.stage, shard=task.shard, shards=plan.shards)
            seconds = seconds_allowed(whole)
        except EvaluateError as e:
            self._park(task.stage.value, self._challenge_at_fault(task.stage.value, e))
            return
        new = tasks.NewTask(
            entry=entry.id,
            attempt=entry.attempt,
            task=whole.name,
            stage=task.stage,
            number=task.number,
            turn=task.turn,
            cost=1.0 if task.shard is None else 1.0 / plan.shards,
            shards=plan.shards,
            seconds=seconds,
            shadow=plan.shadow,
            avoid=task.avoid,
        )
        (tag,) = tasks.start_tags(self._store, entry.team, [new])

        def act(connection: sa.Connection) -> bool:
            turn = tasks.place(connection, new, tag)
            self.waits.add(self._child(task.stage, task.shard, task.number, turn))
            return True

        self._acts.append(act)

    def _enter(self, connection: sa.Connection, stage: Stage) -> bool:
        return self._say(connection, stage, NO_REASON)

    def _enter_exam(self, connection: sa.Connection, stage: Stage) -> bool:
        """Only one entry of a team may be in the exam at once."""
        other = enter_exam(connection, self.entry)
        if other is None:
            return self._enter(connection, stage)
        if self._say(connection, Stage.QUIZ, Reason(cause=Cause.TEAM, entry=other)):
            self.pauses.append(("", self._own.poll_seconds, False))
        return False

    def _say(self, connection: sa.Connection, stage: Stage, reason: Reason) -> bool:
        """Record which stage the attempt is in; returns whether it continues, as it does if it was further already."""
        return advance(connection, self.entry, State(stage.value), reason)

    def _end(self, verdict: str, plan: AttemptPlan) -> None:
        if self._acts:  # the receipt is of results that are kept
            self.again = True
            return
        own = self._own
        signed = sign(own.receipts, own.store, own.shared, own.depot, own.config, self.entry, own.executor)
        self._leave(State.DONE, ended_with(verdict), True if plan.charge_all else None, signed)

    def _park(self, stage: str, outcome: Outcome) -> None:
        cause = Cause.CHALLENGE if outcome["kind"] == CHALLENGE else Cause.INFRASTRUCTURE
        # a fault that is not the team's costs it nothing, in whichever stage
        self._leave(State.PARKED, Reason(cause=cause, stage=stage, message=outcome["message"]), False)

    def _leave(
        self, state: State, reason: Reason, charged: bool | None, signed: Mapping[str, Any] | None = None
    ) -> None:
        def act(connection: sa.Connection) -> bool:
            self.waits.clear()
            if signed is not None:
                journal.write(connection, self.entry.id, SIGNED, signed, time.time())
            tasks.remove(connection, *self.key)
            return move(connection, self.entry.id, state, reason, charged=charged, attempt=self.entry.attempt)

        self._acts.append(act)

    def _tries(self, stage: Stage, shard: int | None) -> list[tuple[int, int]]:
        """Number and turn of each try of a task that was ever begun."""
        start = f"{self.entry.id}:{self.entry.attempt}:{name_of(stage, shard)}:"
        found = [name.removeprefix(start).split(":") for name in self._children if name.startswith(start)]
        return [(int(words[0]), int(words[1]) if len(words) > 1 else 0) for words in found]

    def _child(self, stage: Stage, shard: int | None, number: int, turn: int) -> str:
        return child_id(self.entry.id, self.entry.attempt, name_of(stage, shard), number, turn)


@dataclass(frozen=True, kw_only=True)
class _Try:
    """A try of a task that has not begun."""

    identity: str
    stage: Stage
    shard: int | None
    number: int
    turn: int
    avoid: tuple[str, ...]


def _outcome(child: Flow) -> Outcome:
    if child.status == "SUCCESS":
        found: Outcome = child.output
        return found
    if child.status == "CANCELLED":
        return {"kind": _TAKEN, "message": ""}
    kind = _LOST if child.error in _DATABASE_ERRORS else FAULT
    return {"kind": kind, "message": f"{child.error or child.status}: {child.message}"}
