"""Copies the queue while it is in use, and restores it from a copy or from the copy's journal alone.

A copy is one SQLite file, whatever database the queue is in: the rows of our own tables at one moment.  What runs
now, which team is next, and DBOS's own tables are not in it: the next daemon restarts every entry that was in its
stages, and finds what they produced in the folders of its stages.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from evaluate.core.errors import Fault, UsageError
from evaluate.core.files import publish
from evaluate.queue.store import teams
from evaluate.queue.store.entries import Store, open_store, put_result, put_score
from evaluate.queue.store.journal import Line
from evaluate.queue.store.journal import read as read_journal
from evaluate.queue.store.reading import FILE
from evaluate.queue.store.reasons import reason_of_event
from evaluate.queue.store.rows import State
from evaluate.queue.store.shadows import put_adopted, put_shadow, put_shadow_state, shadow_in
from evaluate.queue.store.tables import (
    ENTRIES,
    JOURNAL,
    MEMBERS,
    OUTCOMES,
    RESULTS,
    SCORES,
    SETTINGS,
    SHADOWS,
    TEAM_NAMES,
    TEAMS,
)

_TABLES = (TEAMS, TEAM_NAMES, MEMBERS, ENTRIES, SHADOWS, RESULTS, OUTCOMES, SCORES, SETTINGS, JOURNAL)
_AT_ONCE = 1000


def backup(store: Store, target: Path) -> None:
    """Write a complete, consistent copy of the queue to ``target``; daemons and submissions continue meanwhile.

    Raises
    ------
    UsageError
        The file exists already, or cannot be created.
    """
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise UsageError(f"{target}: its folder does not exist, or is not writable for this user")
    if target.exists():
        raise UsageError(f"{target}: exists already; nothing was written")
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as scratch:
        copy = open_store(Path(scratch))
        try:
            _copy(store, copy)
        finally:
            copy.engine.dispose()  # this moves what SQLite keeps next to the file into it
        part = Path(scratch) / FILE
        publish(part, target, 0o600)


def restore(copy: Path, state: Path, url: str = "", *, from_journal: bool = False) -> int:
    """Restore the queue of a state directory, or of the database ``url``; returns how many entries it has.

    Parameters
    ----------
    from_journal : bool
        Use only the journal of the copy, and rebuild everything else from it.

    Raises
    ------
    UsageError
        There is a queue already, or the copy does not exist.
    Fault
        The copy, or its journal, is damaged.
    """
    if not url and (state / FILE).exists():
        raise UsageError(f"{state / FILE}: exists already; move it away first")
    if not copy.is_file():
        raise UsageError(f"{copy}: no such file")
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=state) as scratch:
        shutil.copyfile(copy, Path(scratch) / FILE)
        source = open_store(Path(scratch))
        try:
            for _ in read_journal(source.engine):  # nothing is restored from a damaged journal
                pass
            target = open_store(state, url)
            try:
                if target.journal_length():
                    raise UsageError(f"{target.engine.url!r}: it holds a queue already")
                (rebuild if from_journal else _copy)(source, target)
                return sum(target.reader.counts().values())
            finally:
                target.engine.dispose()
        finally:
            source.engine.dispose()


def _copy(source: Store, target: Store) -> None:
    """Every row of every table at one moment."""
    with source.engine.connect() as reading, target.change() as connection:
        if source.database.shared:
            reading.execute(sa.text("set transaction isolation level repeatable read, read only"))
        for table in _TABLES:
            rows = reading.execution_options(yield_per=_AT_ONCE).execute(sa.select(table)).mappings()
            for part in rows.partitions(_AT_ONCE):
                connection.execute(sa.insert(table), [{str(key): row[key] for key in row} for row in part])


def rebuild(source: Store, target: Store) -> None:
    """Make every table of ``target``, which is empty, from the journal of ``source``."""
    with target.change() as connection:
        for line in read_journal(source.engine):
            if line.event not in _EVENTS:
                raise Fault(f"the journal has an event of an unknown kind in line {line.number}: {line.event!r}")
            _EVENTS[line.event](connection, line)
        with source.engine.connect() as reading:
            rows = reading.execution_options(yield_per=_AT_ONCE).execute(sa.select(JOURNAL)).mappings()
            for part in rows.partitions(_AT_ONCE):
                connection.execute(sa.insert(JOURNAL), [{str(key): row[key] for key in row} for row in part])


def _submitted(connection: sa.Connection, line: Line) -> None:
    teams.enter(connection, line.data["team"], line.at)
    row = {**line.data, "id": line.entry, "state": State.QUEUED.value, "attempt": 1, "charged": False}
    connection.execute(sa.insert(ENTRIES).values(**row, submitted=line.at, changed=line.at))


def _moved(connection: sa.Connection, line: Line) -> None:
    values: dict[str, Any] = {
        "state": line.data["to"],
        "reason": reason_of_event(line.data).as_text(),
        "changed": line.at,
    }
    if line.data["charged"] is not None:
        values["charged"] = line.data["charged"]
    connection.execute(sa.update(ENTRIES).where(ENTRIES.c.id == line.entry).values(values))


def _charged(connection: sa.Connection, line: Line) -> None:
    connection.execute(sa.update(ENTRIES).where(ENTRIES.c.id == line.entry).values(charged=line.data["charged"]))


def _retried(connection: sa.Connection, line: Line) -> None:
    values = {"state": State.QUEUED.value, "reason": "", "attempt": line.data["attempt"], "changed": line.at}
    connection.execute(sa.update(ENTRIES).where(ENTRIES.c.id == line.entry).values(values))


def _result(connection: sa.Connection, line: Line) -> None:
    data = line.data
    put_result(connection, line.entry, data["attempt"], data["stage"], data["result"], line.at)


def _score(connection: sa.Connection, line: Line) -> None:
    put_score(connection, line.entry, line.data["attempt"], line.data["score"], line.at)


def _shadowed(connection: sa.Connection, line: Line) -> None:
    put_shadow(connection, line.entry, line.data, line.at)


def _shadow_moved(connection: sa.Connection, line: Line) -> None:
    state = State(line.data["to"])
    put_shadow_state(connection, line.entry, line.data["attempt"], state, reason_of_event(line.data), line.at)


def _adopted(connection: sa.Connection, line: Line) -> None:
    put_adopted(connection, shadow_in(connection, line.entry, line.data["attempt"]), line.at)


def _team(connection: sa.Connection, line: Line) -> None:
    teams.put_team(connection, line.data, line.at)


def _renamed(connection: sa.Connection, line: Line) -> None:
    teams.rename_entry(connection, line.entry, line.data["team"])


_EVENTS: dict[str, Callable[[sa.Connection, Line], None]] = {
    "submitted": _submitted,
    "moved": _moved,
    "charged": _charged,
    "retried": _retried,
    "result": _result,
    "score": _score,
    "shadowed": _shadowed,
    "shadow-moved": _shadow_moved,
    "adopted": _adopted,
    teams.EVENT: _team,
    teams.RENAMED: _renamed,
}
