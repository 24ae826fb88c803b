"""True if a queue is what its journal says: the chain, the rows of the tables, the long texts, the database's files.

`whole` compares everything, as it is at one moment; `newest` what happened since a line that is known to be right.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Any

import sqlalchemy as sa

from evaluate.core.errors import Fault
from evaluate.operate.audit.replay import FOR_ALL, OF_ENTRIES, TABLES, Replay, Replayed, Row, replayed
from evaluate.store.db import journal
from evaluate.store.db.anchor import Position
from evaluate.store.db.blobs import PREFIX
from evaluate.store.db.database import Database
from evaluate.store.db.tables import ENTRIES, JOURNAL, SETTINGS

_TEXTS = ("result", "score")
_PASSING = ("plan",)
"""Columns that say who does something now."""
_AT_ONCE = 500
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
    """Statement of what was expected, and what was found."""
    absent: bool = False
    """True if it is an upload that is not there, which keeps nobody from copying the rest."""

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
    """Damage that SQLite finds in its own file."""
    if database.shared:
        return
    try:
        with database.engine.connect() as connection:
            said = connection.exec_driver_sql("pragma quick_check").scalar()
    except sa.exc.DatabaseError as e:
        said = str(e.orig)
    if said != "ok":
        where = str(database.engine.url.database)
        yield Finding(kind="file", where=where, message=f"the file is damaged: {said}; restore a backup")


def _readable(database: Database, found: Iterator[Finding]) -> Iterator[Finding]:
    """Findings, the last of which is that a text cannot be read, where SQLite gives one that is none."""
    try:
        yield from found
    except (sa.exc.OperationalError, UnicodeDecodeError) as e:
        why = e if isinstance(e, UnicodeDecodeError) else e.orig
        if isinstance(e, sa.exc.OperationalError) and "Could not decode" not in str(why):
            raise
        where = str(database.engine.url.database)
        yield Finding(kind="file", where=where, message=f"a text cannot be read: {why}; restore a backup")


def whole(database: Database) -> Iterator[Finding]:
    """Everything that is wrong with a queue."""
    yield from _readable(database, _whole(database))


def _whole(database: Database) -> Iterator[Finding]:
    if wrong := list(files(database)):
        yield from wrong
        return
    with database.snapshot() as connection:
        try:
            with replayed(journal.rows(database, connection=connection)) as said:
                texts = _Texts(database)
                yield from _tables(connection, said, texts)
        except Fault as e:
            yield Finding(kind="journal", where="journal", message=f"{e}; restore a backup")
            return
    damaged = (_of_text(one, "damaged") for one in database.details.damaged())
    yield from first_of(damaged, "details", "texts are damaged")
    missing = (_of_text(one, "missing") for one in texts.missing)
    yield from first_of(missing, "details", "texts are missing")


def _of_text(digest: str, how: str) -> Finding:
    return Finding(kind="details", where=digest, message=f"the text is {how}; restore a backup")


class _Texts:
    """Looks whether the texts are there that rows refer to, few questions for many of them."""

    def __init__(self, database: Database) -> None:
        self._details, self._asked = database.details, list[str]()
        self.missing = dict[str, None]()

    def see(self, rows: Iterable[Row], connection: sa.Connection) -> None:
        """Look for those of some rows, at once or later."""
        texts = (row.get(name) for row in rows for name in _TEXTS)
        # the score of an account is a number
        self._asked += [one.removeprefix(PREFIX) for one in texts if isinstance(one, str) and one.startswith(PREFIX)]
        if len(self._asked) >= _AT_ONCE:
            self.end(connection)

    def end(self, connection: sa.Connection) -> None:
        """Look for those that were left."""
        found = self._details.missing(self._asked, connection)
        self.missing |= dict.fromkeys(one for one in self._asked if one in found)
        self._asked = []


def newest(database: Database, after: Position) -> Iterator[Finding]:
    """Yield what is wrong with what happened after a line: the chain, and the rows of entries that it is about."""
    yield from _readable(database, _newest_of(database, after))


def _newest_of(database: Database, after: Position) -> Iterator[Finding]:
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
        touched = sa.select(JOURNAL.c.entry).where(JOURNAL.c.number > after.line, JOURNAL.c.entry != "").distinct()
        said = Replay().take(journal.of_entries(connection, touched, FOR_ALL))
        ids = set(connection.scalars(touched))
        yield from _newest(connection, said, ids)


class _Found:
    """Differences between the tables and the journal, named for people: the first of each table, and how many more."""

    def __init__(self) -> None:
        self._named: dict[str, list[Finding]] = {}
        self._counts = Counter[str]()

    def add(self, table: sa.Table, key: Any, wanted: Row | None, row: Row | None) -> None:
        self._counts[table.name] += 1
        if self._counts[table.name] <= MOST:
            message = _said(wanted, row)
            one = Finding(kind="table", where=f"{table.name} {_name(key)}", message=message)
            self._named.setdefault(table.name, []).append(one)

    def named(self) -> Iterator[Finding]:
        for table in TABLES:
            yield from self._named.get(table.name, ())
            if (more := self._counts[table.name] - MOST) > 0:
                yield Finding(kind="table", where=table.name, message=f"{more} more rows differ from the journal")


def _tables(connection: sa.Connection, said: Replayed, texts: _Texts) -> Iterator[Finding]:
    """Yield the differences between the tables and the journal."""
    found = _Found()
    for one in _all_differences(connection, said, texts):
        found.add(*one)
    texts.end(connection)
    yield from found.named()


def _newest(connection: sa.Connection, said: Replay, ids: set[str]) -> Iterator[Finding]:
    """The same of some entries."""
    found = _Found()
    for table in OF_ENTRIES:
        for one in _differences(connection, table, said, ids):
            found.add(table, *one)
    yield from found.named()


Difference = tuple[sa.Table, Any, Row | None, Row | None]
"""A table, a key, what the journal says, what the table has."""


def _all_differences(connection: sa.Connection, said: Replayed, texts: _Texts | None = None) -> Iterator[Difference]:
    """One entry after another, as the journal and the tables have them in the same order; then all else."""
    nothing = Replay()
    journal_says = ((entry, None, one) for entry, one in said.entries())
    tables_say = [_rows_by_entry(connection, table) for table in OF_ENTRIES]
    together = merge(journal_says, *tables_say, key=itemgetter(0))
    for _, ones in groupby(together, itemgetter(0)):
        parts: dict[sa.Table | None, Any] = {table: one for _, table, one in ones}
        wanted = parts.get(None, nothing)
        for table in OF_ENTRIES:
            rows = parts.get(table, ())
            if texts is not None:
                texts.see(rows, connection)
            yield from ((table, *one) for one in _compared(table, wanted.rows(table), rows))
    for table in (table for table in TABLES if table not in OF_ENTRIES):
        yield from ((table, *one) for one in _differences(connection, table, said.general))


def _rows_by_entry(connection: sa.Connection, table: sa.Table) -> Iterator[tuple[str, sa.Table, list[Row]]]:
    column = table.c.id if table is ENTRIES else table.c.entry
    order = column if connection.dialect.name == "sqlite" else sa.collate(column, "C")  # as Python sorts text
    rows = connection.execute(sa.select(table).order_by(order).execution_options(yield_per=_AT_ONCE)).mappings()
    for entry, ones in groupby(rows, itemgetter(column.name)):
        yield entry, table, [{str(name): one[name] for name in one} for one in ones]


def _said(wanted: Row | None, row: Row | None) -> str:
    if wanted is None:
        return "this row is not in the journal"
    if row is None:
        return "this row is missing; the journal has it"
    parts = [
        f"{name} is {_short(row[name])}, the journal says {_short(wanted[name])}"
        for name in row
        if name in wanted and not _equal(name, wanted, row)
    ]
    return "; ".join(parts)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}…"


def _name(key: Any) -> str:
    return " ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _differences(
    connection: sa.Connection, table: sa.Table, said: Replay, ids: set[str] | None = None
) -> Iterator[tuple[Any, Row | None, Row | None]]:
    """Key, what the journal says, what the table has; of entries ``ids``, if they are given."""
    query, whose = sa.select(table), table.c.id if table is ENTRIES else table.c.get("entry")
    parts = [None] if ids is None or whose is None else _parts(ids)
    asked = (query if part is None or whose is None else query.where(whose.in_(part)) for part in parts)
    rows = (
        {str(name): one[name] for name in one}
        for part in asked
        for one in connection.execute(part.execution_options(yield_per=_AT_ONCE)).mappings()
    )
    yield from _compared(table, said.rows(table), rows)


def _compared(
    table: sa.Table, wanted: Mapping[Any, Row], rows: Iterable[Row]
) -> Iterator[tuple[Any, Row | None, Row | None]]:
    seen = set()
    keys = [column.name for column in table.primary_key.columns]
    for row in rows:
        key = row[keys[0]] if len(keys) == 1 else tuple(row[name] for name in keys)
        said = wanted.get(key)
        if said is None:
            if table is not SETTINGS:
                yield key, None, row
            continue
        seen.add(key)
        if not all(_equal(name, said, row) for name in row):
            yield key, said, row
    yield from ((key, row, None) for key, row in wanted.items() if key not in seen)


def _parts(ids: Iterable[str]) -> Iterator[list[str]]:
    known = sorted(ids)
    for start in range(0, len(known), _AT_ONCE):
        yield known[start : start + _AT_ONCE]


def _equal(name: str, wanted: Row, row: Any) -> bool:
    if name in _PASSING or name not in wanted:
        return True
    one, other = wanted[name], row[name]
    if one == other:
        return True
    return isinstance(one, float) and isinstance(other, float) and math.isnan(one) and math.isnan(other)
