"""Whether a queue is what its journal says: the chain, the rows of the tables, the long texts, the database's files.

`whole` compares everything, as it is at one moment; `newest` what happened since a line that is known to be right.
`repair` makes the tables what the journal says.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from evaluate.core.errors import Fault
from evaluate.queue.store import bests, journal
from evaluate.queue.store.anchor import Position
from evaluate.queue.store.database import Database
from evaluate.queue.store.details import SHORT, reference, same
from evaluate.queue.store.entries import Store
from evaluate.queue.store.replay import SINCE, TABLES, Replay, Row
from evaluate.queue.store.tables import ACCOUNTS, ENTRIES, JOURNAL, RESULTS, SCORES, SETTINGS, SHADOWS, USUAL

EXACT = "times-exact-after"
"""Setting: up to this line of the journal an earlier version wrote times a little later than into the tables."""
_LATER_SECONDS = 3600.0
_TEXTS = ("result", "score")
_TIMES = ("submitted", "changed", "at", "since")
_PASSING = ("owner", "flow", "plan")
"""Columns that say who does something now."""
_OF_ENTRIES = (ENTRIES, ACCOUNTS, SHADOWS, RESULTS, SCORES)
MOST = 20
"""Findings of one sort that are named; the others are counted."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is wrong."""

    kind: str
    """``file``, ``journal``, ``table``, ``details``, ``upload`` or ``receipts``."""
    where: str
    """The file, line, row, digest or entry."""
    message: str
    """What was expected, and what was found."""
    absent: bool = False
    """Whether it is an upload that is not there, which keeps nobody from copying the rest."""

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


def first_of(found: Iterable[Finding], where: str, what: str) -> Iterator[Finding]:
    """The first findings of one sort, and how many more there are of ``what``."""
    count, absent = 0, True
    for one in found:
        count += 1
        if count <= MOST:
            yield one
        else:
            absent, kind = absent and one.absent, one.kind
    if count > MOST:
        yield Finding(kind=kind, where=where, message=f"{count - MOST} more {what}", absent=absent)


def files(database: Database) -> Iterator[Finding]:
    """Damage that SQLite finds in its own files."""
    for engine in (database.engine, database.beside):
        if engine is None or engine.dialect.name != "sqlite":
            continue
        path = str(engine.url.database)
        try:
            with engine.connect() as connection:
                said = connection.exec_driver_sql("pragma quick_check").scalar()
        except sa.exc.DatabaseError as e:
            said = str(e.orig)
        if said != "ok":
            yield Finding(kind="file", where=path, message=f"the file is damaged: {said}; restore a backup")


def whole(database: Database) -> Iterator[Finding]:
    """Everything that is wrong with a queue."""
    damaged = list(files(database))
    if damaged:
        yield from damaged
        return
    with database.snapshot() as connection:
        try:
            said = Replay(standing).take(journal.read(database, connection=connection))
        except Fault as e:
            yield Finding(kind="journal", where="journal", message=f"{e}; restore a backup")
            return
        yield from _tables(connection, said)
        kept = [row.result for row in connection.execute(sa.select(RESULTS.c.result))]
        kept += [row.score for row in connection.execute(sa.select(SCORES.c.score))]
    for where, message in bests.wrong(Store(database)):
        yield Finding(kind="table", where=where, message=message)
    yield from _details(database, {text.partition(":")[2] for text in kept if text.startswith("sha256:")})


def newest(database: Database, after: Position) -> Iterator[Finding]:
    """What is wrong with what happened after a line: the chain, and the rows of entries whose lines are at hand."""
    damaged = list(files(database))
    if damaged:
        yield from damaged
        return
    with database.snapshot() as connection:
        try:
            for _ in journal.read(database, after.line, after.chain, connection=connection):
                pass
        except Fault as e:
            yield Finding(kind="journal", where="journal", message=f"{e}; restore a backup")
            return
        touched = sa.select(JOURNAL.c.entry).where(JOURNAL.c.number > after.line).distinct()
        begun = sa.select(JOURNAL.c.entry).where(JOURNAL.c.event == "submitted", JOURNAL.c.entry.in_(touched))
        ids = set(connection.scalars(begun))
        said = Replay(standing).take(line for line in journal.at_hand(connection) if line.entry in ids)
        yield from _tables(connection, said, ids)


def repair(database: Database) -> list[Finding]:
    """Make the tables what the journal says, in one transaction; returns what was wrong with them.

    Raises
    ------
    Fault
        The journal is damaged itself.
    """
    with database.change() as connection:
        said = Replay(lambda text: database.details.keep(text, connection)).take(
            journal.read(database, connection=connection)
        )
        found = list(_tables(connection, said))
        for table in reversed(TABLES):
            keys = list(table.primary_key.columns)
            for key, wanted, _ in _differences(connection, table, said):
                if wanted is None:
                    connection.execute(sa.delete(table).where(_is(keys, key)))
        for table in TABLES:
            keys = list(table.primary_key.columns)
            for key, wanted, row in _differences(connection, table, said):
                if wanted is None:
                    continue
                values = {name: value for name, value in wanted.items() if name in table.c}
                if row is None:
                    connection.execute(sa.insert(table).values(values))
                else:
                    changed = {name: value for name, value in values.items() if name not in _PASSING}
                    connection.execute(sa.update(table).where(_is(keys, key)).values(changed))
        bests.forget(connection)
        connection.execute(sa.delete(USUAL))
        if rows := list(said.usual()):
            connection.execute(sa.insert(USUAL), rows)
    return found


def _is(keys: list[sa.Column[Any]], key: Any) -> sa.ColumnElement[bool]:
    values = key if isinstance(key, tuple) else (key,)
    return sa.and_(*(column == value for column, value in zip(keys, values, strict=True)))


def _tables(connection: sa.Connection, said: Replay, ids: set[str] | None = None) -> Iterator[Finding]:
    """What differs between the tables and the journal, named for people."""
    for table in TABLES if ids is None else _OF_ENTRIES:
        found = (
            Finding(kind="table", where=f"{table.name} {_name(key)}", message=_said(connection, wanted, row))
            for key, wanted, row in _differences(connection, table, said, ids)
        )
        yield from first_of(found, table.name, "rows differ from the journal")


def _said(connection: sa.Connection, wanted: Row | None, row: Row | None) -> str:
    if wanted is None:
        return "this row is not in the journal"
    if row is None:
        return "this row is missing; the journal has it"
    exact = _exact(connection)
    parts = [
        f"{name} is {_short(row[name])}, the journal says {_short(wanted[name])}"
        for name in row
        if name in wanted and not _equal(name, wanted, row, exact)
    ]
    return "; ".join(parts)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}…"


def _name(key: Any) -> str:
    return " ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _exact(connection: sa.Connection) -> int:
    return int(connection.scalar(sa.select(SETTINGS.c.value).where(SETTINGS.c.key == EXACT)) or 0)


def _differences(
    connection: sa.Connection, table: sa.Table, said: Replay, ids: set[str] | None = None
) -> list[tuple[Any, Row | None, Row | None]]:
    """Key, what the journal says, what the table has; of entries ``ids``, if they are given."""
    rows = said.rows(table)
    found: list[tuple[Any, Row | None, Row | None]] = []
    exact, seen = _exact(connection), set()
    keys = [column.name for column in table.primary_key.columns]
    query = sa.select(table)
    whose = ENTRIES.c.id if table is ENTRIES else table.c.get("entry")
    for part in _parts(ids) if ids is not None and whose is not None else [None]:
        asked = query if part is None or whose is None else query.where(whose.in_(part))
        for one in connection.execute(asked.execution_options(yield_per=1000)).mappings():
            key = one[keys[0]] if len(keys) == 1 else tuple(one[name] for name in keys)
            wanted = rows.get(key)
            if wanted is None:
                if table is not SETTINGS:
                    found.append((key, None, {str(name): one[name] for name in one}))
                continue
            seen.add(key)
            if not all(_equal(str(name), wanted, one, exact) for name in one):
                found.append((key, wanted, {str(name): one[name] for name in one}))
    found += [(key, wanted, None) for key, wanted in rows.items() if key not in seen]
    return found


def _parts(ids: Iterable[str]) -> Iterator[list[str]]:
    known = sorted(ids)
    for start in range(0, len(known), 500):
        yield known[start : start + 500]


def _equal(name: str, wanted: Row, row: Any, exact: int) -> bool:
    if name in _PASSING or name not in wanted:
        return True
    one, other = wanted[name], row[name]
    if one == other:
        return True
    if name in _TEXTS:
        return same(one, other)
    if name in _TIMES and wanted[SINCE if name == "submitted" else "line"] <= exact:
        return bool(abs(one - other) < _LATER_SECONDS)
    return isinstance(one, float) and isinstance(other, float) and math.isnan(one) and math.isnan(other)


def _details(database: Database, wanted: set[str]) -> Iterator[Finding]:
    for what, ones in (("damaged", database.details.damaged()), ("missing", wanted - database.details.digests())):
        message = f"the text is {what}; restore a backup"
        found = (Finding(kind="details", where=one, message=message) for one in ones)
        yield from first_of(found, "details", f"texts are {what}")


def standing(text: str) -> str:
    """What stands for a text, without keeping it."""
    return text if len(text) <= SHORT else reference(text)
