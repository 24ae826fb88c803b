"""What waits for a slot and what holds one: a row for every stage, and every shard of an exam, that has to run.

The rows describe what happens; DBOS decides which host runs what.  They are deleted when the task has ended.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Sequence

import sqlalchemy as sa

from evaluate.core.model import Stage
from evaluate.queue.store import fair
from evaluate.queue.store.entries import Store
from evaluate.queue.store.rows import State, TaskRow, task_of
from evaluate.queue.store.tables import ENTRIES, SHADOWS, TASKS, insert

_CLASS = 4 * 10**8
_CLASSES = {Stage.PREP: 0, Stage.QUIZ: 1, Stage.SCORE: 2, Stage.EXAM: 3}
"""Order of the stages when slots are scarce. A score is short, an exam is long."""
_SHADOW = 4
_STEPS = 64
"""A start tag is a number of entries, in steps of 1/64."""


def priority(stage: Stage, tag: float, *, shadow: bool = False) -> int:
    """Priority of a task in the queue of slots; lower is earlier.  Classes of stages first, start tags within."""
    return 1 + (_SHADOW if shadow else _CLASSES[stage]) * _CLASS + min(int(tag * _STEPS), _CLASS - 1)


def enqueue(
    store: Store, identity: str, attempt: int, task: str, stage: Stage, number: int, cost: float, *, shadow: bool
) -> int:
    """Record that a task waits; returns its priority, which is the same if it is recorded again."""
    key = {"entry": identity, "attempt": attempt, "task": task}
    with store.change() as connection:
        known = connection.execute(sa.select(TASKS.c.number, TASKS.c.tag).where(_is(identity, attempt, task))).first()
        if known is not None and known.number == number:
            return priority(stage, known.tag, shadow=shadow)
        others = connection.scalar(sa.select(sa.func.count()).select_from(TASKS).where(TASKS.c.stage == stage.value))
        if not others:
            fair.rest(connection, stage.value)
        team = connection.scalar(sa.select(ENTRIES.c.team).where(ENTRIES.c.id == identity)) or ""
        tag = fair.enter(connection, stage.value, team, cost)
        row = {**key, "number": number, "stage": stage.value, "tag": tag, "executor": "", "since": time.time()}
        statement = insert(connection, TASKS).values({**row, "deadline": None})
        statement = statement.on_conflict_do_update(index_elements=list(key), set_={**row, "deadline": None})
        connection.execute(statement)
    return priority(stage, tag, shadow=shadow)


def begin(
    store: Store, identity: str, attempt: int, task: str, executor: str, seconds: float, gpus: Sequence[str] = ()
) -> None:
    """Record that a task holds a slot and devices of ``executor``, and that all its limits end after ``seconds``."""
    now = time.time()
    values = {"executor": executor, "since": now, "deadline": now + seconds, "gpus": json.dumps(list(gpus))}
    with store.change() as connection:
        row = connection.execute(sa.select(TASKS.c.stage, TASKS.c.tag).where(_is(identity, attempt, task))).first()
        if row is not None:
            connection.execute(sa.update(TASKS).where(_is(identity, attempt, task)).values(values))
            fair.begin(connection, row.stage, row.tag)


def end(store: Store, identity: str, attempt: int, task: str = "") -> None:
    """Record that a task, or every task of an attempt, has ended."""
    where = _is(identity, attempt, task) if task else (TASKS.c.entry == identity) & (TASKS.c.attempt == attempt)
    with store.change() as connection:
        connection.execute(sa.delete(TASKS).where(where))


def release(store: Store, alive: Collection[str]) -> None:
    """Record that tasks of executors other than these wait again, and that tasks of attempts that ended are over.

    What still runs of an attempt that was cancelled stays until its machine is gone (`end`).
    """
    lost = TASKS.c.executor.not_in(["", *alive])
    within = [State.QUEUED.value, *(stage.value for stage in Stage)]
    entries = sa.select(ENTRIES.c.id).where(ENTRIES.c.id == TASKS.c.entry, ENTRIES.c.attempt == TASKS.c.attempt)
    shadows = sa.select(SHADOWS.c.entry).where(SHADOWS.c.entry == TASKS.c.entry, SHADOWS.c.attempt == TASKS.c.attempt)
    goes_on = sa.exists(entries.where(ENTRIES.c.state.in_(within))) | sa.exists(
        shadows.where(SHADOWS.c.state.in_(within))
    )
    cancelled = sa.exists(entries.where(ENTRIES.c.state == State.CANCELLED.value)) | sa.exists(
        shadows.where(SHADOWS.c.state == State.CANCELLED.value)
    )
    over = ~goes_on & ((TASKS.c.executor == "") | ~cancelled)
    with store.engine.connect() as connection:  # mostly there is nothing to do, and writers must take turns
        if connection.scalar(sa.select(sa.func.count()).select_from(TASKS).where(lost | over)) == 0:
            return
    with store.change() as connection:
        connection.execute(
            sa.update(TASKS).where(lost).values(executor="", since=time.time(), deadline=None, gpus="[]")
        )
        connection.execute(sa.delete(TASKS).where(over))


def tasks(store: Store, *where: sa.ColumnElement[bool]) -> list[TaskRow]:
    """Those that run, then those that wait in their order."""
    query = sa.select(TASKS).where(*where).order_by(TASKS.c.executor == "", TASKS.c.tag, TASKS.c.since)
    with store.engine.connect() as connection:
        return [task_of(row) for row in connection.execute(query).mappings()]


def _is(identity: str, attempt: int, task: str) -> sa.ColumnElement[bool]:
    return (TASKS.c.entry == identity) & (TASKS.c.attempt == attempt) & (TASKS.c.task == task)
