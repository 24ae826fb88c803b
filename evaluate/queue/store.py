"""What the queue knows, in one SQL database: entries, results of stages, scores, teams, and a journal of it all.

Every change is one transaction with its line in the journal.  Results and scores have the key of what they are about,
so that a stage which ran twice, because its process was killed in between, counts once: the first result stays.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.dialects.sqlite import insert

from evaluate.errors import Fault, UsageError

FILE = "queue.sqlite"


class State(StrEnum):
    """Where an entry is.  `QUEUED` to `SCORE` go on by themselves; of the others each says what it waits for."""

    QUEUED = "queued"
    PREP = "prep"
    QUIZ = "quiz"
    EXAM = "exam"
    SCORE = "score"
    DONE = "done"
    PARKED = "parked"
    """Infrastructure or challenge at fault, after all attempts; the organiser must act."""

    @property
    def ended(self) -> bool:
        """Whether nothing is to be done any more."""
        return self is State.DONE


ACTIVE = (State.PREP, State.QUIZ, State.EXAM, State.SCORE)

_TABLES = sa.MetaData()
ENTRIES = sa.Table(
    "entries",
    _TABLES,
    sa.Column("id", sa.String(24), primary_key=True),
    sa.Column("number", sa.Integer, nullable=False, unique=True),
    sa.Column("challenge", sa.String(500), nullable=False),
    sa.Column("team", sa.String(100), nullable=False),
    sa.Column("name", sa.String(255), nullable=False),
    sa.Column("sha256", sa.String(64), nullable=False),
    sa.Column("bytes", sa.BigInteger, nullable=False),
    sa.Column("commit", sa.String(64), nullable=False),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
    sa.Column("charged", sa.Boolean, nullable=False),
    sa.Column("submitted", sa.Float, nullable=False),
    sa.Column("changed", sa.Float, nullable=False),
    sa.Index("entries_by_state", "state", "team", "number"),
    sa.Index("entries_by_challenge", "challenge", "team"),
)
RESULTS = sa.Table(
    "results",
    _TABLES,
    sa.Column("entry", sa.String(24), sa.ForeignKey("entries.id"), primary_key=True),
    sa.Column("attempt", sa.Integer, primary_key=True),
    sa.Column("stage", sa.String(10), primary_key=True),
    sa.Column("verdict", sa.String(20), nullable=False),
    sa.Column("instructions", sa.BigInteger, nullable=False),
    sa.Column("wall_seconds", sa.Float, nullable=False),
    sa.Column("result", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
SCORES = sa.Table(
    "scores",
    _TABLES,
    sa.Column("entry", sa.String(24), sa.ForeignKey("entries.id"), primary_key=True),
    sa.Column("attempt", sa.Integer, primary_key=True),
    sa.Column("key", sa.String(100), nullable=False),
    sa.Column("value", sa.Float),
    sa.Column("score", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
TEAMS = sa.Table(
    "teams",
    _TABLES,
    sa.Column("team", sa.String(100), primary_key=True),
    sa.Column("tag", sa.Float, nullable=False),
)
JOURNAL = sa.Table(
    "journal",
    _TABLES,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("entry", sa.String(24), nullable=False),
    sa.Column("event", sa.String(20), nullable=False),
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("chain", sa.String(64), nullable=False),
)


@dataclass(frozen=True, kw_only=True)
class QueuedEntry:
    """One entry as the database has it."""

    id: str
    number: int
    challenge: str
    team: str
    name: str
    sha256: str
    bytes: int
    commit: str
    state: State
    attempt: int
    detail: str
    charged: bool
    submitted: float
    changed: float


class Store:
    """The database of a state directory; any number of processes may have it open."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine

    @contextmanager
    def change(self) -> Iterator[sa.Connection]:
        """One transaction that writes."""
        with self.engine.begin() as connection:
            yield connection

    def submit(self, entries: Sequence[Mapping[str, Any]]) -> list[tuple[str, bool]]:
        """Put entries at the end of the queue.

        Parameters
        ----------
        entries : sequence of mappings
            With challenge, team, name, sha256, bytes, commit.

        Returns
        -------
        list of (str, bool)
            The id of each, and whether it is new: the same archive of the same team is the same entry.
        """
        found = []
        with self.change() as connection:
            now = time.time()
            number = connection.scalar(sa.select(sa.func.coalesce(sa.func.max(ENTRIES.c.number), 0))) or 0
            for entry in entries:
                identity = entry_id(str(entry["challenge"]), str(entry["team"]), str(entry["sha256"]))
                row = {**entry, "id": identity, "number": number + 1, "state": State.QUEUED.value, "attempt": 1}
                row |= {"detail": "", "charged": False, "submitted": now, "changed": now}
                done = connection.execute(insert(ENTRIES).values(row).on_conflict_do_nothing(index_elements=["id"]))
                new = done.rowcount > 0
                if new:
                    number += 1
                    _write(connection, identity, "submitted", {**entry, "number": number})
                found.append((identity, new))
        return found

    def entry(self, identity: str) -> QueuedEntry:
        """One entry.

        Raises
        ------
        UsageError
            There is none of this id.
        """
        with self.engine.connect() as connection:
            row = connection.execute(sa.select(ENTRIES).where(ENTRIES.c.id == identity)).mappings().first()
        if row is None:
            raise UsageError(f"no entry {identity!r}; `evaluate status` lists the newest")
        return _entry(row)

    def entries(self, *where: sa.ColumnElement[bool], newest: int | None = None) -> list[QueuedEntry]:
        """Entries in the order of submission, or the newest first."""
        query = sa.select(ENTRIES).where(*where)
        query = query.order_by(ENTRIES.c.number.desc()).limit(newest) if newest else query.order_by(ENTRIES.c.number)
        with self.engine.connect() as connection:
            return [_entry(row) for row in connection.execute(query).mappings()]

    def counts(self) -> dict[State, int]:
        """How many entries are in each state."""
        query = sa.select(ENTRIES.c.state, sa.func.count()).group_by(ENTRIES.c.state)
        with self.engine.connect() as connection:
            return {State(state): n for state, n in connection.execute(query)}

    def move(self, identity: str, state: State, detail: str = "", *, charged: bool | None = None) -> None:
        """Say where an entry is now."""
        values: dict[str, Any] = {"state": state.value, "detail": detail, "changed": time.time()}
        if charged is not None:
            values["charged"] = charged
        with self.change() as connection:
            before = connection.execute(
                sa.select(ENTRIES.c.state, ENTRIES.c.detail).where(ENTRIES.c.id == identity)
            ).one()
            if tuple(before) == (state.value, detail) and charged is None:
                return  # said again after a restart
            connection.execute(sa.update(ENTRIES).where(ENTRIES.c.id == identity).values(values))
            _write(connection, identity, "moved", {"to": state.value, "detail": detail, "charged": charged})

    def retry(self, identity: str) -> QueuedEntry:
        """Put a parked entry back into the queue, as a further attempt at it that costs the team nothing.

        Raises
        ------
        UsageError
            It is not parked.
        """
        entry = self.entry(identity)
        if entry.state is not State.PARKED:
            raise UsageError(f"{identity} is {entry.state}; only a parked entry is tried again")
        values = {"state": State.QUEUED.value, "detail": "", "attempt": entry.attempt + 1, "changed": time.time()}
        with self.change() as connection:
            connection.execute(sa.update(ENTRIES).where(ENTRIES.c.id == identity).values(values))
            _write(connection, identity, "retried", {"attempt": entry.attempt + 1})
        return self.entry(identity)

    def keep_result(self, identity: str, attempt: int, stage: str, result: Mapping[str, Any]) -> bool:
        """Keep the result of a stage unless there is one; whether this one was kept."""
        row = {
            "entry": identity,
            "attempt": attempt,
            "stage": stage,
            "verdict": result["verdict"],
            "instructions": result["usage"]["instructions"],
            "wall_seconds": result["usage"]["wall_seconds"],
            "result": json.dumps(result),
            "at": time.time(),
        }
        return self._keep(RESULTS, row, "result", {"stage": stage, "attempt": attempt, "result": result})

    def keep_score(self, identity: str, attempt: int, score: Mapping[str, Any]) -> bool:
        """Keep a score unless there is one; whether this one was kept."""
        row = {
            "entry": identity,
            "attempt": attempt,
            "key": score["primary"],
            "value": score["values"][score["primary"]],
            "score": json.dumps(score),
            "at": time.time(),
        }
        return self._keep(SCORES, row, "score", {"attempt": attempt, "score": score})

    def _keep(self, table: sa.Table, row: Mapping[str, Any], event: str, data: Mapping[str, Any]) -> bool:
        with self.change() as connection:
            kept = connection.execute(insert(table).values(row).on_conflict_do_nothing()).rowcount > 0
            if kept:
                _write(connection, row["entry"], event, data)
        return kept

    def results(self, identity: str, attempt: int) -> list[dict[str, Any]]:
        """The results of an entry's stages in the order they ended."""
        where = (RESULTS.c.entry == identity) & (RESULTS.c.attempt == attempt)
        with self.engine.connect() as connection:
            rows = connection.scalars(sa.select(RESULTS.c.result).where(where).order_by(RESULTS.c.at))
            return [json.loads(row) for row in rows]

    def score(self, identity: str, attempt: int) -> dict[str, Any] | None:
        """The score of an entry; None if it has none."""
        where = (SCORES.c.entry == identity) & (SCORES.c.attempt == attempt)
        with self.engine.connect() as connection:
            row = connection.scalar(sa.select(SCORES.c.score).where(where))
        found: dict[str, Any] | None = json.loads(row) if row is not None else None
        return found

    def next_entries(self, most: int) -> list[QueuedEntry]:
        """Take entries out of the queue by start-time fair queueing over teams, and mark them as begun.

        Each team has a tag; the team of the smallest is next, and its tag then moves on by one entry.  A team that was
        away begins at the smallest tag of those that are there, so it neither waits nor catches up.
        """
        taken: list[QueuedEntry] = []
        with self.change() as connection:
            queued = sa.select(ENTRIES.c.team, sa.func.min(ENTRIES.c.number).label("first"))
            queued = queued.where(ENTRIES.c.state == State.QUEUED.value).group_by(ENTRIES.c.team)
            for _ in range(most):
                rows = connection.execute(queued).all()
                if not rows:
                    break
                tags = {row.team: row.tag for row in connection.execute(sa.select(TEAMS.c.team, TEAMS.c.tag))}
                now = tags.get("", 0.0)  # the tag of the entry begun last stands under no team's name
                start, first, team = min((max(tags.get(team, now), now), first, team) for team, first in rows)
                for name, tag in ((team, start + 1), ("", start)):
                    statement = insert(TEAMS).values(team=name, tag=tag)
                    connection.execute(statement.on_conflict_do_update(index_elements=["team"], set_={"tag": tag}))
                where = ENTRIES.c.number == first
                connection.execute(sa.update(ENTRIES).where(where).values(state=State.PREP.value, changed=time.time()))
                entry = _entry(connection.execute(sa.select(ENTRIES).where(where)).mappings().one())
                _write(connection, entry.id, "moved", {"to": State.PREP.value, "detail": "", "charged": None})
                taken.append(entry)
        return taken

    def journal(self) -> Iterator[tuple[int, float, str, str, dict[str, Any]]]:
        """Everything that happened: number, time, entry, event, data.

        Raises
        ------
        Fault
            A line was changed or is missing: its link to the one before does not hold.
        """
        before = ""
        with self.engine.connect() as connection:
            for row in connection.execute(sa.select(JOURNAL).order_by(JOURNAL.c.number)):
                if row.chain != _link(before, row.number, row.at, row.entry, row.event, row.data):
                    raise Fault(f"the journal is damaged at line {row.number}: its chain does not hold")
                before = row.chain
                yield row.number, row.at, row.entry, row.event, json.loads(row.data)


def entry_id(challenge: str, team: str, sha256: str) -> str:
    """The id of an archive of a team: the same for the same."""
    return "e" + hashlib.sha256(json.dumps([challenge, team, sha256]).encode()).hexdigest()[:12]


def _entry(row: sa.RowMapping) -> QueuedEntry:
    return QueuedEntry(**{**{str(key): value for key, value in row.items()}, "state": State(row["state"])})


def _write(connection: sa.Connection, entry: str, event: str, data: Mapping[str, Any]) -> None:
    last = connection.execute(
        sa.select(JOURNAL.c.number, JOURNAL.c.chain).order_by(JOURNAL.c.number.desc()).limit(1)
    ).first()
    number, before = (last.number + 1, last.chain) if last else (1, "")
    now, text = time.time(), json.dumps(data)
    row = {"number": number, "at": now, "entry": entry, "event": event, "data": text}
    connection.execute(sa.insert(JOURNAL).values(**row, chain=_link(before, number, now, entry, event, text)))


def _link(before: str, number: int, at: float, entry: str, event: str, data: str) -> str:
    return hashlib.sha256(json.dumps([before, number, at, entry, event, data]).encode()).hexdigest()


def open_store(state: Path) -> Store:
    """The store of a state directory; made, or brought to the newest form, if need be.

    Raises
    ------
    Fault
        The file is damaged.
    """
    path = state / FILE
    new = not path.exists()
    if new:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": 60})

    @sa.event.listens_for(engine, "connect")
    def _settings(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where we say, not at the first write
        for setting in ("journal_mode=wal", "synchronous=full", "foreign_keys=on"):
            connection.execute(f"pragma {setting}")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("begin immediate")

    try:
        if not new:
            with engine.connect() as connection:
                said = connection.exec_driver_sql("pragma quick_check").scalar()
            if said != "ok":
                raise Fault(f"{path} is damaged: {said}; bring back a backup, or restore it from the journal")
        _migrate(engine)
    except sa.exc.DatabaseError as e:
        raise Fault(f"{path} cannot be used: {e.orig}") from e
    return Store(engine)


def _migrate(engine: sa.Engine) -> None:
    config = Config()
    config.set_main_option("script_location", str(files("evaluate.queue") / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
