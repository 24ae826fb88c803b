"""Tasks that wait for a slot or hold one: a row for every stage, and every shard of an exam, that has to run.

The row names the workflow of DBOS that runs it, and only that one may end it: the transaction that records an outcome
removes the row, and adds those of what follows.  Whatever else happens to a workflow, the row is still there, and is
given to another one (`again`).  A workflow without a row has nothing to do.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sqlalchemy as sa

from evaluate.core.model import Stage
from evaluate.store.db.database import at_last
from evaluate.store.db.rows import TaskRow, task_of
from evaluate.store.db.tables import TASKS
from evaluate.store.entries import fair_turns
from evaluate.store.entries.store import Store

if TYPE_CHECKING:  # `status` reads tasks, and does not wait for DBOS to load
    from evaluate.store.schedule.engine import Engine

_CLASS = 4 * 10**8
_CLASSES = {Stage.PREP: 0, Stage.QUIZ: 1, Stage.SCORE: 2, Stage.TRAIN: 3, Stage.EXAM: 3}
"""Order of the stages when slots are scarce. A score is short, an exam and a training are long."""
_REJUDGING = 4
_STEPS = 64
"""A start tag is a number of entries, in steps of 1/64."""
_LONG_WAIT = 10.0
"""Seconds of waiting for a slot, after which no attempt keeps its slot whatever waits."""
_LONGEST_DELAY = 60.0
"""Seconds until a task is tried again that could not begin: a GPU may be held by a program outside this queue, which
does not report back."""


def priority(stage: Stage, tag: float, *, rejudging: bool = False) -> int:
    """Priority of a task in the queue of slots; lower is earlier.  Classes of stages first, start tags within."""
    return 1 + (_REJUDGING if rejudging else _CLASSES[stage]) * _CLASS + min(int(tag * _STEPS), _CLASS - 1)


@dataclass(frozen=True, kw_only=True)
class NewTask:
    """A task that is to run."""

    entry: str
    attempt: int
    task: str
    """``prep``, ``exam-2``."""
    stage: Stage
    cost: float = 1.0
    shards: int = 1
    """Number of shards of the exam that it is of."""
    seconds: float = 0.0
    """Seconds that it takes if every limit is reached."""
    rejudging: bool = False
    needs_gpu: bool = False


def place(
    connection: sa.Connection,
    engine: Engine,
    new: NewTask,
    team: str,
    *,
    before: TaskRow | None = None,
    at_once: bool = False,
) -> TaskRow | None:
    """Add a task of a team, with its fair place among those of others (`evaluate.store.entries.fair_turns`).

    ``before``: the task of the attempt that has just ended, if its slot is still free for the attempt: its workflow
    continues with the new task where nothing that waits has precedence, or with ``at_once`` if nothing beyond prep has
    waited long: many short attempts of a team must not keep every slot until all have ended.

    Returns the task as it holds that slot, if the workflow continues with it.
    """
    tag = fair_turns.enter(connection, _turns_of(new.stage, new.task), team, new.cost)
    joins = new.task == Stage.EXAM.value  # the shards of an exam: no other exam is worth making it wait
    rank = priority(Stage.SCORE if joins else new.stage, tag, rejudging=new.rejudging)
    if before is not None and not _keeps_slot(connection, before, new, rank, at_once=at_once):
        before = None
    now = time.time()
    flow, executor = (before.flow, before.executor) if before else (new_flow(new.entry, new.attempt), "")
    row = {name: getattr(new, name) for name in ("entry", "attempt", "task", "seconds", "shards", "needs_gpu")}
    row |= {"stage": new.stage.value, "tag": tag, "flow": flow, "number": 0, "turn": 0, "avoid": "[]"}
    row |= {"place": rank, "since": now, "executor": executor, "delay": 0.0}
    row |= {"deadline": now + new.seconds if before else None}
    kept = connection.execute(sa.insert(TASKS).values(row).returning(TASKS)).mappings().one()
    if before is None:
        engine.place(connection, flow, rank, needs_gpu=new.needs_gpu)
        return None
    at_last(connection, lambda: _take_turn(connection, kept))
    return task_of(kept)


def _is_any(connection: sa.Connection, *where: sa.ColumnElement[bool]) -> bool:
    return bool(connection.scalar(sa.select(sa.exists().where(*where))))


def new_flow(entry: str, attempt: int) -> str:
    """An id for a workflow."""
    return f"{entry}:{attempt}:{uuid.uuid4().hex[:12]}"


def _keeps_slot(connection: sa.Connection, before: TaskRow, new: NewTask, rank: int, *, at_once: bool) -> bool:
    """True if a workflow that has run one task may continue with the next one of its attempt."""

    def waits(first: int, last: int, *where: sa.ColumnElement[bool]) -> bool:
        between = TASKS.c.place.between(first, last)
        return _is_any(connection, TASKS.c.executor == "", TASKS.c.needs_gpu == new.needs_gpu, between, *where)

    if before.needs_gpu != new.needs_gpu:
        return False
    long = TASKS.c.since + TASKS.c.delay < time.time() - _LONG_WAIT
    if at_once and not waits(_CLASS + 1, _REJUDGING * _CLASS, long):
        return True
    return not waits(1, rank - 1)


def begin(store: Store, flow: str, executor: str, gpus: Sequence[str] = ()) -> TaskRow | None:
    """Record that the task of a workflow holds a slot, and devices, of ``executor``; None if it has no task."""
    now = time.time()
    values = {"executor": executor, "since": now, "deadline": now + TASKS.c.seconds, "gpus": json.dumps(list(gpus))}
    with store.database.at_once() as connection:
        begins = sa.update(TASKS).where(TASKS.c.flow == flow).values(values)
        row = connection.execute(begins.returning(TASKS)).mappings().first()
        if row is None:
            return None
        _take_turn(connection, row)
    return task_of(row)


def _take_turn(connection: sa.Connection, row: sa.RowMapping) -> None:
    fair_turns.begin(connection, _turns_of(row["stage"], row["task"]), row["tag"])


def end(connection: sa.Connection, flow: str, task: str) -> bool:
    """Remove a task that a workflow has; False if it does not have it any more, so that it may record nothing."""
    removed = sa.delete(TASKS).where(TASKS.c.flow == flow, TASKS.c.task == task)
    return connection.execute(removed.returning(TASKS.c.entry)).first() is not None


def has(connection: sa.Connection, flow: str, task: str) -> bool:
    """True while a workflow has a task."""
    return _is_any(connection, TASKS.c.flow == flow, TASKS.c.task == task)


def has_any(connection: sa.Connection, entry: str, attempt: int) -> bool:
    """True while an attempt has tasks."""
    return _is_any(connection, TASKS.c.entry == entry, TASKS.c.attempt == attempt)


def end_all(connection: sa.Connection, entry: str, attempt: int) -> None:
    """Remove all tasks of an attempt."""
    connection.execute(sa.delete(TASKS).where(TASKS.c.entry == entry, TASKS.c.attempt == attempt))


def shards_left(connection: sa.Connection, entry: str, attempt: int) -> bool:
    """True while shards of an attempt's exam have to run."""
    shards = TASKS.c.task.like(f"{Stage.EXAM}-%")
    return _is_any(connection, TASKS.c.entry == entry, TASKS.c.attempt == attempt, shards)


def again(
    connection: sa.Connection,
    engine: Engine,
    flow: str,
    *,
    delay: float = 0.0,
    held: bool = False,
    failed_on: str = "",
    needs_gpu: bool | None = None,
) -> bool:
    """Give the task of a workflow to a new one; False if it has none.

    * ``delay``: seconds before it may run.
    * ``held``: it waits until `release`.
    * ``failed_on``: the host on which it failed, which is counted as a try.
    * ``needs_gpu``: false: it may run on hosts without GPUs, too; None: as before.
    """
    row = connection.execute(sa.select(TASKS).where(TASKS.c.flow == flow)).first()
    if row is None:
        return False
    new, rank = new_flow(row.entry, row.attempt), abs(row.place)
    values = {"flow": new, "turn": row.turn + 1, "place": -rank if held else rank, "since": time.time()}
    values |= {"executor": "", "deadline": None, "gpus": "[]"}
    values["needs_gpu"] = row.needs_gpu if needs_gpu is None else needs_gpu
    values["delay"] = delay
    if failed_on:
        avoid = dict.fromkeys([*json.loads(row.avoid), failed_on])
        values |= {"number": row.number + 1, "turn": 0, "avoid": json.dumps(list(avoid))}
    if not connection.execute(sa.update(TASKS).where(TASKS.c.flow == flow).values(values)).rowcount:
        return False
    if not held:
        engine.place(connection, new, rank, needs_gpu=bool(values["needs_gpu"]), delay=delay)
    return True


def delay_of(turn: int, poll_seconds: float) -> float:
    """Seconds until a task is tried again that could not begin: doubles each time, up to a minute."""
    return min(poll_seconds * 2.0 ** min(turn, 30), _LONGEST_DELAY)


def release(connection: sa.Connection, engine: Engine, entry: str, attempt: int) -> None:
    """Let the held tasks of an attempt run."""
    held = (TASKS.c.entry == entry) & (TASKS.c.attempt == attempt) & (TASKS.c.place < 0)
    for flow in connection.scalars(sa.select(TASKS.c.flow).where(held)).all():
        again(connection, engine, flow)


def held(store: Store) -> list[tuple[str, int]]:
    """Attempts with held tasks, those that wait longest first."""
    first = sa.func.min(TASKS.c.since)
    query = sa.select(TASKS.c.entry, TASKS.c.attempt).where(TASKS.c.place < 0)
    with store.database.ask() as connection:
        rows = connection.execute(query.group_by(TASKS.c.entry, TASKS.c.attempt).order_by(first))
        return [(row.entry, row.attempt) for row in rows]


def longest(store: Store, *, gpus: bool) -> float:
    """Seconds that the longest task takes at its limits of those that wait for a host with ``gpus``; 0: none waits."""
    query = sa.select(sa.func.max(TASKS.c.seconds)).where(TASKS.c.executor == "", TASKS.c.place > 0)
    query = query if gpus else query.where(~TASKS.c.needs_gpu)
    with store.database.ask() as connection:
        return connection.scalar(query) or 0.0


def _turns_of(stage: str, task: str) -> str:
    """The queue in which teams take turns for a task: joins are not exams, whose virtual time they would advance."""
    if task == Stage.EXAM.value:
        return "join"
    # of one class, so by one virtual time
    return Stage.EXAM.value if stage == Stage.TRAIN else Stage(stage).value


def tasks(store: Store, *where: sa.ColumnElement[bool]) -> list[TaskRow]:
    """Return the tasks that run, then those that wait in their order."""
    query = sa.select(TASKS).where(*where).order_by(TASKS.c.executor == "", TASKS.c.tag, TASKS.c.since)
    with store.database.ask() as connection:
        return [task_of(row) for row in connection.execute(query).mappings()]


def overdue(store: Store) -> int:
    """Count the stages that have run longer than all their limits together."""
    late = (TASKS.c.deadline < time.time()) & (TASKS.c.executor != "")
    with store.database.ask() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(TASKS).where(late)) or 0
