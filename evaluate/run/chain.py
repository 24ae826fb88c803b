"""The chain of an attempt: how it begins, what follows when a stage has ended, and how it ends.

Theory of operation.  Each stage, and each shard of an exam, is a task: a row of `tasks` that names the workflow of DBOS
which runs it.  When it has ended, one transaction removes the row, writes the outcome and its lines of the journal, and
adds the rows of what follows.  The first is given to the same workflow, in the same slot, if nothing that waits
has precedence; each other one to a new workflow in the queue.  Nothing of an attempt is in the memory of a process.
Killed before that transaction, a stage is run again, by another workflow, and finds what it had produced; killed after
it, what follows is in the database.  So any host may run any stage.

Everything that is decided follows from the plan of the attempt, which is kept with it, and from the outcome of the
stage (`evaluate.run.flow`).

Infrastructure faults are counted; after each the attempt waits longer, and in the end it is parked.  They cost the team
nothing.  A GPU that is in use is not counted: the stage is started again later.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace

import sqlalchemy as sa
from dbos import DBOS

from evaluate.core.codec import from_json, to_json
from evaluate.core.errors import ChallengeError, EvaluateError, Fault, UsageError
from evaluate.core.model import Stage, Verdict
from evaluate.operate.signing import sign
from evaluate.run.flow import BUSY, CHALLENGE, FAULT, RESULT, FlowContext, Outcome, context, patiently, run
from evaluate.store.db import journal
from evaluate.store.db.reasons import NO_REASON, Cause, Reason, ended_with
from evaluate.store.db.rows import ACTIVE, FaultyPart, Host, QueuedEntry, State, TaskRow
from evaluate.store.entries.bases import as_text, keep_rules, rules_of, with_rules
from evaluate.store.entries.store import (
    SIGNED,
    advance,
    keep_plan,
    keep_result,
    keep_score,
    locked_attempt,
)
from evaluate.store.files.stage_folders import Task, begins_again, challenge_of, seconds_allowed
from evaluate.store.logs import LOG, about
from evaluate.store.schedule import tasks
from evaluate.store.schedule.engine import RECOVERIES, WORKFLOW
from evaluate.store.schedule.faults import FaultReport, ended_well, record
from evaluate.store.schedule.hosts import hosts
from evaluate.store.schedule.tasks import NewTask

ATTEMPTS_OF_HOST = 32
"""Attempts in their stages at once for each host; the others wait in the queue, where order can still change."""

_LEFT_TO_OTHERS = 15
"""Times that a host leaves a task on which it failed to others, since DBOS gives it to any; each costs a second."""


@dataclass(frozen=True, kw_only=True)
class AttemptPlan:
    """Plan that an attempt is started with, so that nothing changes for it while it is in its stages."""

    stages: tuple[Stage, ...]
    """Stages that it runs itself; the earlier ones were run by another attempt."""
    shards: int
    tries: int
    delay: float
    """Seconds before the second try of a stage; doubles each time."""
    charge_all: bool


@DBOS.workflow(name=WORKFLOW, max_recovery_attempts=RECOVERIES)
def stage_flow(flow: str) -> None:
    """Run the task of a workflow in a slot, and record its outcome with what follows."""
    with context().slots.taken(flow) as free:
        if not free:
            patiently(lambda: _put_back(context(), flow))
            return
        task = _begun_task(context(), flow)
        while task is not None:
            task = _run_task(context(), *task)


_Running = tuple[TaskRow, QueuedEntry]
"""A task that holds a slot of this process, and its attempt with its rules."""


def _begun_task(host: FlowContext, flow: str) -> _Running | None:
    """Let the task of a workflow hold the slot; None if it has none."""
    begun = patiently(lambda: tasks.begin(host.store, flow, host.executor))
    if begun is None:
        return None
    return begun, patiently(lambda: with_rules(host.store, host.store.attempt(begun.entry, begun.attempt)))


def _run_task(host: FlowContext, begun: TaskRow, entry: QueuedEntry) -> _Running | None:
    """Run a task; returns the next one of its workflow, if there is one."""
    flow = begun.flow
    if entry.attempt != begun.attempt or entry.state not in ACTIVE:
        patiently(lambda: _end(host, begun))
    elif host.signals().stops(entry.challenge, begun.stage):
        patiently(lambda: _put_back(host, flow, held=True))
    elif (
        begun.turn < _LEFT_TO_OTHERS and patiently(lambda: _has_better(host, begun))
    ) or time.monotonic() + begun.seconds > host.until:
        patiently(lambda: _put_back(host, flow, delay=host.poll_seconds))
    else:
        return _follow_or_fail(host, begun, entry, run(begun, entry))
    return None


def _end(host: FlowContext, begun: TaskRow) -> None:
    with host.store.database.step() as connection:
        tasks.end(connection, begun.flow, begun.task)


def _put_back(host: FlowContext, flow: str, *, delay: float = 0.0, held: bool = False) -> None:
    with host.store.database.step() as connection:
        tasks.again(connection, host.engine, flow, delay=delay, held=held)


def _has_better(host: FlowContext, begun: TaskRow) -> bool:
    """True if a task failed on this host, and a host takes work on which it has not failed."""
    if host.config.host not in begun.avoid:
        return False

    def takes(other: Host) -> bool:
        return other.slots > 0 and other.left_seconds > 0 and not other.draining and other.name not in begun.avoid

    return any(takes(other) for other in hosts(host.store))


def admit(host: FlowContext, *, entries: bool, rejudgings: bool, hosts: int) -> None:
    """Let the next entries and attempts of rejudgings begin: at most as many as have room, also if each is parked.

    * ``entries`` and ``rejudgings``: whether any wait.
    * ``hosts``: how many are alive.
    """
    most, stopped, store = ATTEMPTS_OF_HOST * hosts, host.signals().stopped, host.store

    def start(connection: sa.Connection, entry: QueuedEntry) -> None:
        _begin(host, connection, entry)

    if entries:
        inside = store.count_in_stages()
        if inside < most:
            store.next_entries(most - inside, start, stopped=stopped)
        else:  # a team whose entries are all in the queue does not wait for the long exams of others
            store.next_entries(most, start, teams_in_stages=False, stopped=stopped)
    if rejudgings and (room := most - store.count_in_stages(rejudging=True)) > 0:
        store.next_rejudging_attempts(room, start)


def begin_again(host: FlowContext, entry: QueuedEntry) -> None:
    """Let an attempt in its stages go on that has no task, as after a restore.

    It runs its stages from the first on, and finds what they had produced; where that is gone, another attempt begins.
    """
    about_it = about(entry=entry.id, attempt=entry.attempt)
    if gone := begins_again(host.store, host.depot, entry):
        LOG.warning("the products of %s are gone, as after a restore: it begins again", gone, extra=about_it)
        return
    with host.store.database.step() as connection:
        now = locked_attempt(connection, entry.id, entry.attempt)
        if now is not None and not tasks.has_any(connection, entry.id, entry.attempt):
            _begin(host, connection, now)
            LOG.warning("had no task: goes on", extra=about_it)


def let_go(host: FlowContext, identity: str, attempt: int) -> None:
    """Let an attempt go on whose tasks are held, if what they wait for is over."""
    entry = host.store.attempt(identity, attempt)
    if entry.state in ACTIVE and host.signals().stops(entry.challenge, Stage(entry.state.value)):
        return
    with host.store.database.step() as connection:
        if locked_attempt(connection, identity, attempt) is None:
            tasks.end_all(connection, identity, attempt)
        else:
            tasks.release(connection, host.engine, identity, attempt)


def _begin(host: FlowContext, connection: sa.Connection, entry: QueuedEntry) -> None:
    """Plan an attempt, unless it has a plan, and add its first task."""
    try:
        if entry.plan:
            plan, rules = from_json(AttemptPlan, json.loads(entry.plan)), None
        else:
            rules = rules_of(challenge_of(entry))
            plan = _planned(host, entry, rules.stages)
            keep_plan(connection, entry, json.dumps(to_json(plan)))
            keep_rules(connection, entry, host.store.details.keep(as_text(rules), connection))
        new = _new_tasks(replace(entry, rules=rules), plan.stages[0], plan)
    except EvaluateError as e:
        outcome = _challenge_at_fault(entry, e)
        _blame(host, connection, entry, entry.state.value, outcome, again=False)
        _park(connection, entry, entry.state.value, outcome)
        return
    except sa.exc.SQLAlchemyError:
        raise
    except Exception as e:  # the others must not wait for the one that is wrong
        LOG.exception("cannot begin", extra=about(entry=entry.id, attempt=entry.attempt))
        _park(connection, entry, entry.state.value, {"kind": FAULT, "message": f"{type(e).__name__}: {e}"})
        return
    for task in new:
        tasks.place(connection, host.engine, task, entry.team)


def _planned(host: FlowContext, entry: QueuedEntry, stages: tuple[Stage, ...]) -> AttemptPlan:
    terms = host.config.terms(entry.challenge)
    return AttemptPlan(
        stages=tuple(stage for stage in stages if stage not in entry.first.before),
        shards=host.config.shards,
        tries=host.config.retries.attempts,
        delay=host.config.retries.delay_seconds,
        charge_all=terms.charge_dry_runs,
    )


def _follow_or_fail(host: FlowContext, begun: TaskRow, entry: QueuedEntry, outcome: Outcome) -> _Running | None:
    """Record an outcome; if that fails by itself, the failure is recorded in its place.  Returns as `_follow`."""
    try:
        return patiently(lambda: _follow(host, begun, entry, outcome))
    except (ChallengeError, UsageError) as e:
        failure = _challenge_at_fault(entry, e)
    except (Fault, OSError, sa.exc.SQLAlchemyError) as e:
        failure = {"kind": FAULT, "message": str(e)}
    except Exception as e:
        failure = {"kind": FAULT, "message": f"{type(e).__name__}: {e}", "final": True}
    LOG.exception("cannot be continued", extra=about(entry=begun.entry, attempt=begun.attempt, task=begun.task))
    return patiently(lambda: _follow(host, begun, entry, failure))


def _follow(host: FlowContext, begun: TaskRow, entry: QueuedEntry, outcome: Outcome) -> _Running | None:
    """Record the outcome of a task, and add what follows, in one transaction.

    Returns the next task of the workflow, if it has one; also if the outcome was recorded before, by a transaction
    whose end the database did not report.
    """
    plan = from_json(AttemptPlan, json.loads(entry.plan))
    if outcome["kind"] != RESULT:
        with host.store.database.step() as connection:
            if (now := _locked(connection, begun)) is not None:
                _without_result(host, connection, now, begun, outcome, plan)
        return None
    if begun.shard is None and (outcome["verdict"] != Verdict.OK or begun.stage is plan.stages[-1]):
        _finish(host, begun, entry, outcome, plan)
        return None
    return _continue(host, begun, entry, outcome, plan)


def _locked(connection: sa.Connection, begun: TaskRow) -> QueuedEntry | None:
    """The attempt of a task, kept from changes; None, and the task is removed, if it is not in its stages any more."""
    now = locked_attempt(connection, begun.entry, begun.attempt)
    if now is None:
        tasks.end(connection, begun.flow, begun.task)
    return now


def _finish(host: FlowContext, begun: TaskRow, entry: QueuedEntry, outcome: Outcome, plan: AttemptPlan) -> None:
    """The attempt ends with the verdict of its last stage, and with a receipt of the results that are kept."""
    with host.store.database.step() as connection:
        if _locked(connection, begun) is None or not tasks.has(connection, begun.flow, begun.task):
            return
        _keep(host, connection, entry, begun, outcome)
    signed = sign(host.receipts, host.store, host.shared, host.depot, host.config, entry, host.executor)
    with host.store.database.step() as connection:
        now = _locked(connection, begun)
        if now is not None and tasks.end(connection, begun.flow, begun.task):
            if signed is not None:
                journal.write(connection, entry.id, SIGNED, signed, time.time())
            charged = True if plan.charge_all else None
            _leave(connection, now, State.DONE, ended_with(str(outcome["verdict"])), charged)


def _continue(
    host: FlowContext, begun: TaskRow, entry: QueuedEntry, outcome: Outcome, plan: AttemptPlan
) -> _Running | None:
    """The attempt goes on to its next stage, or after the last of its shards to their joining."""
    joins = begun.shard is not None
    stage = begun.stage if joins else plan.stages[plan.stages.index(begun.stage) + 1]
    new, problem = list[NewTask](), None
    try:
        new = _new_tasks(entry, stage, plan, joins=joins)
    except EvaluateError as e:
        problem = _challenge_at_fault(entry, e)
    with host.store.database.step() as connection:
        now = _locked(connection, begun)
        if ended := now is not None and tasks.end(connection, begun.flow, begun.task):
            _keep(host, connection, entry, begun, outcome)
            if problem is not None:
                _blame(host, connection, now, begun.task, problem, again=False)
                _park(connection, now, stage.value, problem)
            elif not joins or not tasks.shards_left(connection, entry.id, entry.attempt):
                return _place(host, connection, replace(now, rules=entry.rules), new, begun)
    return None if ended else _begun_task(host, begun.flow)


def _new_tasks(entry: QueuedEntry, stage: Stage, plan: AttemptPlan, *, joins: bool = False) -> list[NewTask]:
    """The task of a stage; of an exam those of its shards, unless it joins them."""
    shards = range(plan.shards) if stage is Stage.EXAM and not joins else [None]
    return [_new_task(Task(entry=entry, stage=stage, shard=shard, shards=plan.shards)) for shard in shards]


def _new_task(task: Task) -> NewTask:
    entry = task.entry
    return NewTask(
        entry=entry.id,
        attempt=entry.attempt,
        task=task.name,
        stage=task.stage,
        cost=1.0 if task.shard is None else 1.0 / task.shards,
        shards=task.shards,
        seconds=seconds_allowed(task),
        rejudging=entry.rejudging,
        needs_gpu=challenge_of(entry).gpus > 0 and task.runs_in_guest,
    )


def _place(
    host: FlowContext,
    connection: sa.Connection,
    entry: QueuedEntry,
    new: list[NewTask],
    begun: TaskRow,
) -> _Running | None:
    """Let an attempt go on with the tasks of its next stage; returns the one that the workflow of ``begun`` has now."""
    entry = advance(connection, entry, State(new[0].stage.value), NO_REASON)
    seconds = host.slots.seconds_held(begun.flow)
    before, at_once = (begun if seconds is not None else None), seconds is not None and seconds < host.share_seconds
    next_task = None
    for task in new:
        begins = tasks.place(
            connection, host.engine, task, entry.team, before=None if next_task else before, at_once=at_once
        )
        next_task = next_task or begins
    return None if next_task is None else (next_task, entry)


def _keep(host: FlowContext, connection: sa.Connection, entry: QueuedEntry, begun: TaskRow, outcome: Outcome) -> None:
    """Keep what a stage found, unless it is kept."""
    if outcome.get("result"):
        keep_result(connection, entry.id, outcome["result"])
    if outcome.get("score"):
        keep_score(connection, entry.id, outcome["score"])
    if host.signals().faulty:
        image, packages = outcome.get("image", ""), outcome.get("packages", False)
        name = host.config.host
        ended_well(connection, entry.id, name, entry.challenge, begun.task, image, packages=packages)


def _without_result(
    host: FlowContext,
    connection: sa.Connection,
    entry: QueuedEntry,
    begun: TaskRow,
    outcome: Outcome,
    plan: AttemptPlan,
) -> None:
    """A task ended without a verdict: it runs again after a pause, or the attempt is parked."""
    stage, number = begun.stage, begun.number + 1
    if outcome["kind"] == BUSY:
        delay = tasks.delay_of(begun.turn, host.poll_seconds)
        reason = Reason(cause=Cause.GPU, stage=stage.value, gpus=outcome["gpus"], host=outcome["host"])
        if tasks.again(connection, host.engine, begun.flow, delay=delay, needs_gpu=True):
            advance(connection, entry, State(stage.value), reason)
        return
    if outcome["kind"] == CHALLENGE or outcome.get("final") or number >= plan.tries:
        if tasks.end(connection, begun.flow, begun.task):
            _blame(host, connection, entry, begun.task, outcome, again=begun.number > 0)
            _park(connection, entry, stage.value, outcome)
        return
    delay, message = plan.delay * 2 ** (number - 1), outcome["message"]
    until = time.time() + delay
    if tasks.again(connection, host.engine, begun.flow, delay=delay, failed_on=host.config.host):
        _blame(host, connection, entry, begun.task, outcome, again=begun.number > 0)
        reason = Reason(cause=Cause.RETRY, stage=stage.value, message=message, number=number + 1, until=until)
        advance(connection, entry, State(stage.value), reason)


def _challenge_at_fault(entry: QueuedEntry, error: EvaluateError) -> Outcome:
    part = FaultyPart.CHALLENGE.value
    return {"kind": CHALLENGE, "message": str(error), "part": part, "name": entry.challenge}


def _blame(
    host: FlowContext, connection: sa.Connection, entry: QueuedEntry, task: str, outcome: Outcome, *, again: bool
) -> None:
    report = FaultReport(
        part=FaultyPart(outcome.get("part", FaultyPart.HOST)),
        name=outcome.get("name", host.config.host),
        stage=task,
        message=outcome["message"],
        lines=tuple(outcome.get("lines", ())),
        challenge=entry.challenge,
        again=again,
    )
    record(connection, entry.id, entry.attempt, report, host.config.retries.stop_after)


def _park(connection: sa.Connection, entry: QueuedEntry, stage: str, outcome: Outcome) -> None:
    cause = Cause.CHALLENGE if outcome["kind"] == CHALLENGE else Cause.INFRASTRUCTURE
    # a fault that is not the team's costs it nothing, in whichever stage
    _leave(connection, entry, State.PARKED, Reason(cause=cause, stage=stage, message=outcome["message"]), False)


def _leave(connection: sa.Connection, entry: QueuedEntry, state: State, reason: Reason, charged: bool | None) -> None:
    tasks.end_all(connection, entry.id, entry.attempt)
    advance(connection, entry, state, reason, charged)
