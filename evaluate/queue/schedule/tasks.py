"""What waits for a slot and what holds one: a row for every stage, and every shard of an exam, that has to run.

A host with a free slot claims the first that it may run, in one statement; DBOS runs it there and keeps its outcome.
When a host dies, its rows wait again, one turn later (`release`).  They are deleted when the task has ended.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields

import sqlalchemy as sa

from evaluate.core.model import Stage
from evaluate.queue.db.reader import DRAIN
from evaluate.queue.db.rows import State, TaskRow, task_of
from evaluate.queue.db.tables import ENTRIES, FAULTS, HOSTS, SETTINGS, SHADOWS, TASKS, insert
from evaluate.queue.entries import fair_turns
from evaluate.queue.entries.store import Store

_CLASS = 4 * 10**8
_CLASSES = {Stage.PREP: 0, Stage.QUIZ: 1, Stage.SCORE: 2, Stage.TRAIN: 3, Stage.EXAM: 3}
"""Order of the stages when slots are scarce. A score is short, an exam and a training are long."""
_SHADOW = 4
_STEPS = 64
"""A start tag is a number of entries, in steps of 1/64."""


def priority(stage: Stage, tag: float, *, shadow: bool = False) -> int:
    """Priority of a task in the queue of slots; lower is earlier.  Classes of stages first, start tags within."""
    return 1 + (_SHADOW if shadow else _CLASSES[stage]) * _CLASS + min(int(tag * _STEPS), _CLASS - 1)


@dataclass(frozen=True, kw_only=True)
class NewTask:
    """A task that is to wait for a slot."""

    entry: str
    attempt: int
    task: str
    """``prep``, ``exam-2``."""
    stage: Stage
    number: int = 0
    """Of its try, from 0."""
    turn: int = 0
    """How often it was started before without that being counted as a try."""
    cost: float = 1.0
    shards: int = 1
    """Of the exam that it is of."""
    seconds: float = 0.0
    """How long it takes if every limit is reached."""
    shadow: bool = False
    avoid: tuple[str, ...] = ()
    """Hosts on which it failed; others come first."""

    @property
    def is_short(self) -> bool:
        """Whether it joins the shards of an exam: no other exam is worth making it wait."""
        return self.task == Stage.EXAM.value


def start_tags(store: Store, team: str, new: Sequence[NewTask]) -> list[float]:
    """The start tags of new tasks of a team (`evaluate.queue.entries.fair_turns`)."""
    with store.database.at_once() as connection:
        return [fair_turns.enter(connection, _turns_of(one.stage, one.task), team, one.cost) for one in new]


def place(connection: sa.Connection, new: NewTask, tag: float) -> int:
    """Let a task wait for a slot, unless this try of it, or a later one, does already; returns the turn that waits."""
    values = {
        **{name: getattr(new, name) for name in ("number", "turn", "shards", "seconds")},
        "stage": new.stage.value,
        "tag": tag,
        "executor": "",
        "since": time.time(),
        "deadline": None,
        "gpus": "[]",
        "place": priority(Stage.SCORE if new.is_short else new.stage, tag, shadow=new.shadow),
        "avoid": _names(new.avoid),
    }
    key = {"entry": new.entry, "attempt": new.attempt, "task": new.task}
    earlier = sa.or_(
        TASKS.c.number < new.number, (TASKS.c.number == new.number) & ((TASKS.c.turn < new.turn) | (TASKS.c.place == 0))
    )
    statement = insert(connection, TASKS).values({**key, **values})
    statement = statement.on_conflict_do_update(index_elements=list(key), set_=values, where=earlier)
    if (row := connection.execute(statement.returning(TASKS.c.turn)).first()) is not None:
        return int(row.turn)
    known = connection.scalar(sa.select(TASKS.c.turn).where(_is(new.entry, new.attempt, new.task)))
    return new.turn if known is None else int(known)


@dataclass(frozen=True, kw_only=True)
class Claimed:
    """A task that this process holds a slot for."""

    entry: str
    attempt: int
    task: str
    stage: Stage
    number: int
    turn: int
    shards: int

    @property
    def shard(self) -> int | None:
        """Which part of an exam it is."""
        number = self.task.partition("-")[2]
        return int(number) if number else None


def claim(
    store: Store, executor: str, most: int, within: float = math.inf, stopped: Mapping[str, bool] | None = None
) -> list[Claimed]:
    """Give this process the first tasks that wait and that it may run; no other process gets them.

    A task that failed on this host is left to others while one is alive on which it has not failed.

    * ``within``: only tasks whose limits end in so many seconds.
    * ``stopped``: challenges whose tasks wait, and whether that concerns only prep (`evaluate.queue.schedule.faults`).
    """
    now, key = time.time(), (TASKS.c.entry, TASKS.c.attempt, TASKS.c.task)
    first = (
        sa.select(*key)
        .where(_waiting(store, executor, within), *_goes_on(stopped or {}))
        .order_by(TASKS.c.place, TASKS.c.since, *key)
    )
    first = first.limit(most).with_for_update(skip_locked=True, of=TASKS)
    mine = {"executor": executor, "since": now, "deadline": now + TASKS.c.seconds, "gpus": "[]"}
    where = sa.tuple_(*key).in_(sa.select(first.cte("first")))
    with store.database.at_once() as connection:
        rows = connection.execute(sa.update(TASKS).where(where).values(mine).returning(TASKS)).all()
        for turns in {_turns_of(row.stage, row.task) for row in rows}:
            fair_turns.begin(connection, turns, max(row.tag for row in rows if _turns_of(row.stage, row.task) == turns))
    found = sorted(rows, key=lambda row: (row.place, row.entry, row.task))
    names = [field.name for field in fields(Claimed)]
    return [Claimed(**{**{name: getattr(row, name) for name in names}, "stage": Stage(row.stage)}) for row in found]


def none_fits(store: Store, executor: str, within: float, stopped: Mapping[str, bool] | None = None) -> bool:
    """Whether tasks wait that this process may run, but the limits of none end in time; parameters as of `claim`.

    While a task runs on any host, others that fit may follow it.
    """
    goes_on = _goes_on(stopped or {})
    query = sa.select(
        sa.exists().where(_waiting(store, executor, math.inf), *goes_on).label("waits"),
        sa.exists().where(_waiting(store, executor, within), *goes_on).label("fits"),
        sa.exists().where(TASKS.c.executor != "").label("runs"),
    )
    with store.database.ask() as connection:
        row = connection.execute(query).one()
    return bool(row.waits) and not row.fits and not row.runs


@dataclass(frozen=True, kw_only=True)
class QueueSignals:
    """What a host asks about once a second."""

    queued: bool
    """Whether entries wait for their turn."""
    waiting: bool
    """Whether tasks wait for a slot."""
    elsewhere: bool
    """Whether other hosts run, or have run, tasks of attempts that this process owns."""
    draining: bool
    stopped: bool
    """Whether a fault stops something."""
    faulty: bool
    """Whether any fault is not resolved."""
    shadows: bool
    """Whether shadows wait for their turn."""
    beside: bool
    """Whether this process takes shadows through their stages."""


def news(store: Store, executor: str) -> QueueSignals:
    """One question to the database, which costs the same whatever waits."""
    own_entries = sa.select(ENTRIES.c.id).where(
        ENTRIES.c.id == TASKS.c.entry, ENTRIES.c.attempt == TASKS.c.attempt, ENTRIES.c.owner == executor
    )
    own_shadows = sa.select(SHADOWS.c.entry).where(
        SHADOWS.c.entry == TASKS.c.entry, SHADOWS.c.attempt == TASKS.c.attempt, SHADOWS.c.owner == executor
    )
    key = DRAIN + executor.rpartition(":")[0]
    elsewhere = TASKS.c.executor.not_in(["", executor]) & (sa.exists(own_entries) | sa.exists(own_shadows))
    stages = SHADOWS.c.state.in_([stage.value for stage in Stage])
    query = sa.select(
        sa.exists().where(ENTRIES.c.state == State.QUEUED.value).label("queued"),
        sa.exists().where(stages, SHADOWS.c.owner == executor).label("beside"),
        sa.exists().where(SHADOWS.c.state == State.QUEUED.value).label("shadows"),
        sa.exists().where(TASKS.c.executor == "", TASKS.c.place > 0).label("waiting"),
        (sa.exists().where(elsewhere) if store.database.shared else sa.false()).label("elsewhere"),
        sa.exists().where(SETTINGS.c.key == key, SETTINGS.c.value != "").label("draining"),
        sa.exists().where(FAULTS.c.resolved == 0, FAULTS.c.stopped).label("stopped"),
        sa.exists().where(FAULTS.c.resolved == 0).label("faulty"),
    )
    with store.database.ask() as connection:
        row = connection.execute(query).one()
    return QueueSignals(**{field.name: bool(getattr(row, field.name)) for field in fields(QueueSignals)})


def _waiting(store: Store, executor: str, within: float) -> sa.ColumnElement[bool]:
    """What waits, and an executor may claim."""
    host = executor.rpartition(":")[0]
    draining = sa.select(SETTINGS.c.key).where(SETTINGS.c.key == DRAIN + HOSTS.c.name, SETTINGS.c.value != "")
    better = sa.select(HOSTS.c.executor).where(
        HOSTS.c.expires >= store.database.now(),
        HOSTS.c.slots > 0,
        HOSTS.c.name != host,
        ~_failed_on(HOSTS.c.name),
        ~draining.exists(),
    )
    mine = ~_failed_on(sa.literal(host)) | ~better.exists()
    me, owner = HOSTS.alias(), HOSTS.alias()
    flow = sa.select(me.c.flow).where(me.c.executor == executor).scalar_subquery()
    # what another version of the flow has begun, hosts of that version take further
    other = sa.select(owner.c.executor).where(
        ENTRIES.c.id == TASKS.c.entry, ENTRIES.c.owner == owner.c.executor, owner.c.flow != flow
    )
    found = (TASKS.c.executor == "") & (TASKS.c.place > 0) & mine & ~other.exists()
    return found if within == math.inf else found & (TASKS.c.seconds <= within)


def _failed_on(host: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """Whether a task failed on a host before, whatever letters its name has."""
    return sa.func.replace(TASKS.c.avoid, sa.literal("\n") + host + "\n", "") != TASKS.c.avoid


def _goes_on(stopped: Mapping[str, bool]) -> list[sa.ColumnElement[bool]]:
    """That its challenge is not stopped."""
    found = []
    for challenges, where in (
        ([name for name, only_prep in stopped.items() if not only_prep], sa.true()),
        ([name for name, only_prep in stopped.items() if only_prep], TASKS.c.stage == Stage.PREP.value),
    ):
        if challenges:
            own = sa.select(ENTRIES.c.id).where(ENTRIES.c.id == TASKS.c.entry, ENTRIES.c.challenge.in_(challenges))
            found.append(~(own.exists() & where))
    return found


def _turns_of(stage: str, task: str) -> str:
    """The queue in which teams take turns for a task: joins are not exams, whose virtual time they would advance."""
    if task == Stage.EXAM.value:
        return "join"
    # of one class, so by one virtual time
    return Stage.EXAM.value if stage == Stage.TRAIN else Stage(stage).value


def _names(hosts: Sequence[str]) -> str:
    return "".join(f"\n{host}\n" for host in hosts)


def begin(
    store: Store, identity: str, attempt: int, task: str, executor: str, seconds: float, gpus: Sequence[str] = ()
) -> None:
    """Record that a task holds a slot and devices of ``executor``, and that all its limits end after ``seconds``."""
    now = time.time()
    values = {"executor": executor, "since": now, "deadline": now + seconds, "gpus": json.dumps(list(gpus))}
    with store.database.at_once() as connection:
        connection.execute(sa.update(TASKS).where(_is(identity, attempt, task)).values(values))


def end(store: Store, identity: str, attempt: int, task: str = "") -> None:
    """Record that a task, or every task of an attempt, has ended."""
    with store.database.at_once() as connection:
        remove(connection, identity, attempt, task)


def remove(
    connection: sa.Connection,
    identity: str,
    attempt: int,
    task: str = "",
    number: int | None = None,
    turn: int | None = None,
) -> None:
    """The same in a transaction; perhaps only if it is a certain try."""
    where = (TASKS.c.entry == identity) & (TASKS.c.attempt == attempt)
    for column, value in ((TASKS.c.task, task or None), (TASKS.c.number, number), (TASKS.c.turn, turn)):
        if value is not None:
            where &= column == value
    connection.execute(sa.delete(TASKS).where(where))


def set_aside(connection: sa.Connection, identity: str, attempt: int, task: str) -> None:
    """Let a task wait without a place: nobody claims it until it is placed again."""
    where = _is(identity, attempt, task)
    aside = {"executor": "", "since": time.time(), "deadline": None, "gpus": "[]", "place": 0}
    connection.execute(sa.update(TASKS).where(where).values(aside))


def release(
    store: Store, alive: Collection[str], stray: Collection[TaskRow] = (), left: Collection[TaskRow] = ()
) -> None:
    """Let tasks of executors other than these wait again, and remove those of attempts that ended.

    What still runs of an attempt that was cancelled stays until its machine is gone.

    * ``stray``: what no thread of its executor runs, although that is alive.
    * ``left``: what has ended.
    """
    lost = sa.or_(TASKS.c.executor.not_in(["", *alive]), *map(_same, stray))
    within = [State.QUEUED.value, *(stage.value for stage in Stage)]
    entries = sa.select(ENTRIES.c.id).where(ENTRIES.c.id == TASKS.c.entry, ENTRIES.c.attempt == TASKS.c.attempt)
    shadows = sa.select(SHADOWS.c.entry).where(SHADOWS.c.entry == TASKS.c.entry, SHADOWS.c.attempt == TASKS.c.attempt)
    goes_on = sa.exists(entries.where(ENTRIES.c.state.in_(within))) | sa.exists(
        shadows.where(SHADOWS.c.state.in_(within))
    )
    cancelled = sa.exists(entries.where(ENTRIES.c.state == State.CANCELLED.value)) | sa.exists(
        shadows.where(SHADOWS.c.state == State.CANCELLED.value)
    )
    over = ~goes_on & sa.or_(TASKS.c.executor == "", ~cancelled, *map(_same, left))
    with store.database.ask() as connection:  # usually nothing has ended, and writers must take turns
        if connection.scalar(sa.select(sa.func.count()).select_from(TASKS).where(lost | over)) == 0:
            return
    again = {"executor": "", "since": time.time(), "deadline": None, "gpus": "[]", "turn": TASKS.c.turn + 1}
    with store.change() as connection:
        connection.execute(sa.update(TASKS).where(lost).values(again))
        connection.execute(sa.delete(TASKS).where(over))


def _same(row: TaskRow) -> sa.ColumnElement[bool]:
    """The row as it was read."""
    same = (TASKS.c.executor == row.executor) & (TASKS.c.number == row.number) & (TASKS.c.turn == row.turn)
    return _is(row.entry, row.attempt, row.task) & same


def of_owner(store: Store, owner: str) -> list[TaskRow]:
    """Those of attempts that an executor takes through their stages."""
    found = []
    for table, key in ((ENTRIES, ENTRIES.c.id), (SHADOWS, SHADOWS.c.entry)):
        own = sa.select(key).where(key == TASKS.c.entry, table.c.attempt == TASKS.c.attempt, table.c.owner == owner)
        found.append(own.exists())
    return tasks(store, sa.or_(*found))


def running(store: Store, executor: str) -> list[TaskRow]:
    """Those that an executor has claimed."""
    return tasks(store, TASKS.c.executor == executor)


def tasks(store: Store, *where: sa.ColumnElement[bool]) -> list[TaskRow]:
    """Those that run, then those that wait in their order."""
    query = sa.select(TASKS).where(*where).order_by(TASKS.c.executor == "", TASKS.c.tag, TASKS.c.since)
    with store.database.ask() as connection:
        return [task_of(row) for row in connection.execute(query).mappings()]


def overdue(store: Store) -> int:
    """How many stages have run longer than all their limits together."""
    late = (TASKS.c.deadline < time.time()) & (TASKS.c.executor != "")
    with store.database.ask() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(TASKS).where(late)) or 0


def _is(identity: str, attempt: int, task: str) -> sa.ColumnElement[bool]:
    return (TASKS.c.entry == identity) & (TASKS.c.attempt == attempt) & (TASKS.c.task == task)
