"""The chain of an attempt: how it begins, what follows when a stage has ended, and how it ends.

Theory of operation.  Each stage, and each shard of an exam, is a workflow in a queue of DBOS, and a row of `tasks`
that names it.  When it has ended, one transaction removes the row, writes the outcome and its lines of the journal, and
adds the rows and workflows of what follows.  Nothing of an attempt is in the memory of a process.  Killed before that
transaction, a stage is run again, by another workflow, and finds what it had produced; killed after it, nothing is left
to do.  So any host may run any stage.

Everything that is decided follows from the plan of the attempt, which is kept with it, and from the outcome of the
stage (`evaluate.run.flow`).

Infrastructure faults are counted; after each the attempt waits longer, and in the end it is parked.  They cost the team
nothing.  A GPU that is in use is not counted: the stage is started again later.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, replace

import sqlalchemy as sa
from dbos import DBOS

from evaluate.config.load import name_of as challenge_name
from evaluate.core.errors import ChallengeError, EvaluateError, Fault, UsageError
from evaluate.core.model import Stage, Verdict
from evaluate.operate.signing import sign
from evaluate.run.flow import (
    BUSY,
    CHALLENGE,
    FAULT,
    RESULT,
    FlowContext,
    Outcome,
    context,
    patiently,
    run,
    runs_in_guest,
    task_name,
)
from evaluate.store.db import journal
from evaluate.store.db.reasons import NO_REASON, Cause, Reason, ended_with
from evaluate.store.db.rows import ACTIVE, FaultyPart, Host, QueuedEntry, State
from evaluate.store.entries.bases import as_text, keep_rules, rules_of, with_rules
from evaluate.store.entries.rejudge_attempts import attempt_of, locked_attempt, shadow, take_shadows
from evaluate.store.entries.store import SIGNED, advance, enter_exam, keep_plan, keep_result, keep_score
from evaluate.store.files.lost_products import begins_again
from evaluate.store.files.stage_folders import Task, challenge_of, seconds_allowed
from evaluate.store.logs import LOG, about
from evaluate.store.schedule import tasks
from evaluate.store.schedule.engine import RECOVERIES, WORKFLOW
from evaluate.store.schedule.faults import FaultReport, ended_well, record
from evaluate.store.schedule.tasks import Begun, NewTask
from evaluate.views.board import same_data

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
    one_in_exam: bool
    charge_all: bool
    shadow: bool
    """True for an attempt next to that which counts."""

    def as_text(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> AttemptPlan:
        """Restore a plan from what `as_text` gave."""
        values = json.loads(text)
        return cls(**{**values, "stages": tuple(Stage(stage) for stage in values["stages"])})


@DBOS.workflow(name=WORKFLOW, max_recovery_attempts=RECOVERIES)
def stage_flow(flow: str) -> None:
    """Run the task of a workflow in a slot, and record its outcome with what follows."""
    own = context()
    with own.slots.taken(flow) as free:
        if not free:
            patiently(lambda: _put_back(own, flow))
            return
        begun = patiently(lambda: tasks.begin(own.store, flow, own.executor))
        if begun is None:
            return
        entry = patiently(lambda: with_rules(own.store, attempt_of(own.store, begun.entry, begun.attempt)))
        if entry.attempt != begun.attempt or entry.state not in ACTIVE:
            patiently(lambda: _end(own, flow))
        elif own.signals().stops(entry.challenge, begun.stage):
            patiently(lambda: _put_back(own, flow, held=True))
        elif (
            begun.turn < _LEFT_TO_OTHERS and patiently(lambda: _has_better(own, begun))
        ) or time.monotonic() + begun.seconds > own.until:
            patiently(lambda: _put_back(own, flow, delay=own.poll_seconds))
        else:
            _follow_or_fail(own, begun, entry, run(begun, entry))


def _end(own: FlowContext, flow: str) -> None:
    with own.store.database.step() as connection:
        tasks.end(connection, flow)


def _put_back(own: FlowContext, flow: str, *, delay: float = 0.0, held: bool = False) -> None:
    with own.store.database.step() as connection:
        tasks.again(connection, own.engine, flow, delay=delay, held=held)


def _has_better(own: FlowContext, begun: Begun) -> bool:
    """True if a task failed on this host, and a host takes work on which it has not failed."""
    if own.config.host not in begun.avoid:
        return False

    def takes(host: Host) -> bool:
        return host.slots > 0 and host.left_seconds > 0 and not host.draining and host.name not in begun.avoid

    return any(takes(host) for host in own.store.reader.hosts())


def admit(own: FlowContext, *, entries: bool, shadows: bool, hosts: int) -> None:
    """Let the next entries, and shadow attempts, begin: at most as many as have room, also if each is parked at once.

    * ``entries`` and ``shadows``: whether any wait.
    * ``hosts``: how many are alive.
    """
    most, stopped, store = ATTEMPTS_OF_HOST * hosts, own.signals().stopped, own.store

    def start(connection: sa.Connection, entry: QueuedEntry) -> None:
        _begin(own, connection, entry)

    if entries:
        inside = store.count_in_stages()
        if inside < most:
            store.next_entries(most - inside, start, stopped=stopped)
        else:  # a team whose entries are all in the queue does not wait for the long exams of others
            store.next_entries(most, start, teams_in_stages=False, stopped=stopped)
    if shadows and (room := most - store.count_in_stages(shadows=True)) > 0:
        take_shadows(store, room, start)


def begin_again(own: FlowContext, entry: QueuedEntry) -> None:
    """Let an attempt in its stages go on that has no task, as after a restore.

    It runs its stages from the first on, and finds what they had produced; where that is gone, another attempt begins.
    """
    about_it = about(entry=entry.id, attempt=entry.attempt)
    if gone := begins_again(own.store, own.depot, entry):
        LOG.warning("the products of %s are gone, as after a restore: it begins again", gone, extra=about_it)
        return
    with own.store.database.step() as connection:
        now = locked_attempt(connection, entry.id, entry.attempt)
        if now is not None and not tasks.has_any(connection, entry.id, entry.attempt):
            _begin(own, connection, now)
            LOG.warning("had no task: goes on", extra=about_it)


def let_go(own: FlowContext, identity: str, attempt: int) -> None:
    """Let an attempt go on whose tasks are held, if what they wait for is over."""
    entry = attempt_of(own.store, identity, attempt)
    if entry.state in ACTIVE and own.signals().stops(entry.challenge, Stage(entry.state.value)):
        return
    with own.store.database.step() as connection:
        now = locked_attempt(connection, identity, attempt)
        if now is None:
            tasks.end_all(connection, identity, attempt)
            return
        if now.reason.cause is Cause.TEAM and not _enter_exam(connection, now, AttemptPlan.from_text(now.plan)):
            return
        tasks.release(connection, own.engine, identity, attempt)


def _begin(own: FlowContext, connection: sa.Connection, entry: QueuedEntry) -> None:
    """Plan an attempt, unless it has a plan, and add its first task."""
    try:
        if entry.plan:
            plan, rules = AttemptPlan.from_text(entry.plan), None
        else:
            rules = rules_of(challenge_of(entry))
            plan = _planned(own, connection, entry, rules.stages)
            keep_plan(connection, entry, plan.as_text())
            keep_rules(connection, entry, own.store.details.keep(as_text(rules), connection))
        new = _tasks_of(own, replace(entry, rules=rules), plan.stages[0], plan)
    except EvaluateError as e:
        outcome = _challenge_at_fault(entry, e)
        _blame(own, connection, entry, entry.state.value, outcome, again=False)
        _park(connection, entry, entry.state.value, outcome)
        return
    except sa.exc.SQLAlchemyError:
        raise
    except Exception as e:  # the others must not wait for the one that is wrong
        LOG.exception("cannot begin", extra=about(entry=entry.id, attempt=entry.attempt))
        _park(connection, entry, entry.state.value, {"kind": FAULT, "message": f"{type(e).__name__}: {e}"})
        return
    for task in new:
        tasks.place(connection, own.engine, task, entry.team)


def _planned(own: FlowContext, connection: sa.Connection, entry: QueuedEntry, stages: tuple[Stage, ...]) -> AttemptPlan:
    beside = shadow(own.store, entry.id, entry.attempt, connection) if entry.shadow else None
    before = beside.first.before if beside is not None else ()
    terms = own.config.terms(entry.challenge)
    return AttemptPlan(
        stages=tuple(stage for stage in stages if stage not in before),
        shards=own.config.shards,
        tries=own.config.retries.attempts,
        delay=own.config.retries.delay_seconds,
        one_in_exam=terms.one_in_exam,
        charge_all=terms.charge_dry_runs,
        shadow=entry.shadow,
    )


def _follow_or_fail(own: FlowContext, begun: Begun, entry: QueuedEntry, outcome: Outcome) -> None:
    """Record an outcome; if that fails by itself, the failure is recorded in its place."""
    try:
        patiently(lambda: _follow(own, begun, entry, outcome))
        return
    except (ChallengeError, UsageError) as e:
        failure = _challenge_at_fault(entry, e)
    except (Fault, OSError, sa.exc.SQLAlchemyError) as e:
        failure = {"kind": FAULT, "message": str(e)}
    except Exception as e:
        failure = {"kind": FAULT, "message": f"{type(e).__name__}: {e}", "final": True}
    LOG.exception("cannot be continued", extra=about(entry=begun.entry, attempt=begun.attempt, task=begun.task))
    patiently(lambda: _follow(own, begun, entry, failure))


def _follow(own: FlowContext, begun: Begun, entry: QueuedEntry, outcome: Outcome) -> None:
    """Record the outcome of a task, and add what follows, in one transaction."""
    plan = AttemptPlan.from_text(entry.plan)
    if outcome["kind"] != RESULT:
        with own.store.database.step() as connection:
            if (now := _locked(connection, begun)) is not None:
                _without_result(own, connection, now, begun, outcome, plan)
    elif begun.shard is None and (outcome["verdict"] != Verdict.OK or begun.stage is plan.stages[-1]):
        _finish(own, begun, entry, outcome, plan)
    else:
        _continue(own, begun, entry, outcome, plan)


def _locked(connection: sa.Connection, begun: Begun) -> QueuedEntry | None:
    """The attempt of a task, kept from changes; None, and the task is removed, if it is not in its stages any more."""
    now = locked_attempt(connection, begun.entry, begun.attempt)
    if now is None:
        tasks.end(connection, begun.flow)
    return now


def _finish(own: FlowContext, begun: Begun, entry: QueuedEntry, outcome: Outcome, plan: AttemptPlan) -> None:
    """The attempt ends with the verdict of its last stage, and with a receipt of the results that are kept."""
    with own.store.database.step() as connection:
        if _locked(connection, begun) is None or not tasks.has(connection, begun.flow):
            return
        _keep(own, connection, entry, begun, outcome)
    signed = sign(own.receipts, own.store, own.shared, own.depot, own.config, entry, own.executor)
    with own.store.database.step() as connection:
        now = _locked(connection, begun)
        if now is not None and tasks.end(connection, begun.flow):
            if signed is not None:
                journal.write(connection, entry.id, SIGNED, signed, time.time())
            charged = True if plan.charge_all else None
            _leave(connection, now, State.DONE, ended_with(str(outcome["verdict"])), charged)


def _continue(own: FlowContext, begun: Begun, entry: QueuedEntry, outcome: Outcome, plan: AttemptPlan) -> None:
    """The attempt goes on to its next stage, or after the last of its shards to their joining."""
    joins = begun.shard is not None
    stage = begun.stage if joins else plan.stages[plan.stages.index(begun.stage) + 1]
    new, problem = list[NewTask](), None
    try:
        new = [_task_of(own, entry, stage, None, plan)] if joins else _tasks_of(own, entry, stage, plan)
    except EvaluateError as e:
        problem = _challenge_at_fault(entry, e)
    with own.store.database.step() as connection:
        now = _locked(connection, begun)
        if now is None or not tasks.end(connection, begun.flow):
            return
        _keep(own, connection, entry, begun, outcome)
        if problem is not None:
            _blame(own, connection, now, begun.task, problem, again=False)
            _park(connection, now, stage.value, problem)
        elif not joins or not tasks.shards_left(connection, entry.id, entry.attempt):
            _place(own, connection, now, new, plan)


def _tasks_of(own: FlowContext, entry: QueuedEntry, stage: Stage, plan: AttemptPlan) -> list[NewTask]:
    shards = range(plan.shards) if stage is Stage.EXAM else [None]
    return [_task_of(own, entry, stage, shard, plan) for shard in shards]


def _task_of(own: FlowContext, entry: QueuedEntry, stage: Stage, shard: int | None, plan: AttemptPlan) -> NewTask:
    challenge = challenge_of(entry)
    return NewTask(
        entry=entry.id,
        attempt=entry.attempt,
        task=task_name(stage, shard),
        stage=stage,
        cost=1.0 if shard is None else 1.0 / plan.shards,
        shards=plan.shards,
        seconds=seconds_allowed(Task(entry=entry, stage=stage, shard=shard, shards=plan.shards)),
        shadow=plan.shadow,
        needs_gpu=challenge.gpus > 0 and runs_in_guest(stage, shard),
    )


def _place(
    own: FlowContext, connection: sa.Connection, entry: QueuedEntry, new: list[NewTask], plan: AttemptPlan
) -> None:
    """Let an attempt go on with the tasks of its next stage."""
    stage, held = new[0].stage, False
    if stage is Stage.EXAM and new[0].task != Stage.EXAM.value:
        held = not _enter_exam(connection, entry, plan)
    else:
        advance(connection, entry, State(stage.value), NO_REASON)
    for task in new:
        tasks.place(connection, own.engine, task, entry.team, held=held)


def _enter_exam(connection: sa.Connection, entry: QueuedEntry, plan: AttemptPlan) -> bool:
    """Record that an attempt is in its exam; False where only one entry of a team may be, and another is."""
    if plan.one_in_exam and (other := enter_exam(connection, entry)) is not None:
        reason = Reason(cause=Cause.TEAM, entry=other)
        advance(connection, entry, State.QUIZ, reason)
        return False
    advance(connection, entry, State.EXAM, NO_REASON)
    return True


def _keep(own: FlowContext, connection: sa.Connection, entry: QueuedEntry, begun: Begun, outcome: Outcome) -> None:
    """Keep what a stage found, unless it is kept."""

    def warn() -> None:
        name = challenge_name(entry.challenge, own.config)
        LOG.warning(
            "%s: entries are judged by other records, references or metric than before, and are not compared with the "
            "earlier ones; %s",
            name,
            same_data(name),
        )

    if outcome.get("result"):
        keep_result(connection, entry.id, outcome["result"], entry.challenge)
    if outcome.get("score"):
        keep_score(connection, entry.id, outcome["score"], warn)
    if own.signals().faulty:
        image, packages = outcome.get("image", ""), outcome.get("packages", False)
        host = own.config.host
        ended_well(connection, entry.id, host, entry.challenge, begun.task, image, packages=packages)


def _without_result(
    own: FlowContext,
    connection: sa.Connection,
    entry: QueuedEntry,
    begun: Begun,
    outcome: Outcome,
    plan: AttemptPlan,
) -> None:
    """A task ended without a verdict: it runs again after a pause, or the attempt is parked."""
    stage, number = begun.stage, begun.number + 1
    if outcome["kind"] == BUSY:
        delay = tasks.delay_of(begun.turn, own.poll_seconds)
        reason = Reason(cause=Cause.GPU, stage=stage.value, gpus=outcome["gpus"], host=outcome["host"])
        if tasks.again(connection, own.engine, begun.flow, delay=delay):
            advance(connection, entry, State(stage.value), reason)
        return
    if outcome["kind"] == CHALLENGE or outcome.get("final") or number >= plan.tries:
        if tasks.end(connection, begun.flow):
            _blame(own, connection, entry, begun.task, outcome, again=begun.number > 0)
            _park(connection, entry, stage.value, outcome)
        return
    delay, message = plan.delay * 2 ** (number - 1), outcome["message"]
    until = time.time() + delay
    if tasks.again(connection, own.engine, begun.flow, delay=delay, failed_on=own.config.host):
        _blame(own, connection, entry, begun.task, outcome, again=begun.number > 0)
        reason = Reason(cause=Cause.RETRY, stage=stage.value, message=message, number=number + 1, until=until)
        advance(connection, entry, State(stage.value), reason)


def _challenge_at_fault(entry: QueuedEntry, error: EvaluateError) -> Outcome:
    part = FaultyPart.CHALLENGE.value
    return {"kind": CHALLENGE, "message": str(error), "part": part, "name": entry.challenge}


def _blame(
    own: FlowContext, connection: sa.Connection, entry: QueuedEntry, task: str, outcome: Outcome, *, again: bool
) -> None:
    report = FaultReport(
        part=FaultyPart(outcome.get("part", FaultyPart.HOST)),
        name=outcome.get("name", own.config.host),
        stage=task,
        message=outcome["message"],
        lines=tuple(outcome.get("lines", ())),
        challenge=entry.challenge,
        again=again,
    )
    record(connection, entry.id, entry.attempt, report, own.config.retries.stop_after)


def _park(connection: sa.Connection, entry: QueuedEntry, stage: str, outcome: Outcome) -> None:
    cause = Cause.CHALLENGE if outcome["kind"] == CHALLENGE else Cause.INFRASTRUCTURE
    # a fault that is not the team's costs it nothing, in whichever stage
    _leave(connection, entry, State.PARKED, Reason(cause=cause, stage=stage, message=outcome["message"]), False)


def _leave(connection: sa.Connection, entry: QueuedEntry, state: State, reason: Reason, charged: bool | None) -> None:
    tasks.end_all(connection, entry.id, entry.attempt)
    advance(connection, entry, state, reason, charged)
