"""Comparison of a queue with its journal: the chain, the rows of the tables, the long texts, the database's files.

`whole` compares everything, as it is at one moment.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import merge
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

import sqlalchemy as sa

from evaluate.core.errors import Fault
from evaluate.operate.audit.replay import GENERAL, OF_ENTRIES, TABLES, Replay, Row, general, of_entries
from evaluate.store.db import journal
from evaluate.store.db.blobs import PREFIX
from evaluate.store.db.database import Database
from evaluate.store.db.tables import BASES, DETAILS, ENTRIES, RESULTS, SCORES, SETTINGS

_TEXTS = (RESULTS.c.result, SCORES.c.score, BASES.c.rules, BASES.c.exam)
"""Columns that `evaluate.store.db.blobs` keeps."""
_AT_ONCE = 500
MOST = 20
"""Findings of one sort that are named; the others are counted."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is wrong."""

    kind: str
    """``file``, ``journal``, ``table``, ``details``, ``upload``, ``receipts`` or ``challenge``."""
    where: str
    """The file, line, row, digest, entry or challenge."""
    message: str
    """Statement of what was expected, and what was found."""
    absent: bool = False
    """True if it is only something that is not there, which keeps nobody from copying the rest."""

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


def first_of(findings: Iterable[Finding], where: str, what: str) -> Iterator[Finding]:
    """The first findings of one sort, and how many more there are of ``what``."""
    count, absent = 0, True
    for finding in findings:
        count += 1
        if count <= MOST:
            yield finding
        else:
            absent, kind = absent and finding.absent, finding.kind
    if count > MOST:
        yield Finding(kind=kind, where=where, message=f"{count - MOST} more {what}", absent=absent)


def files(database: Database) -> Iterator[Finding]:
    """Damage that SQLite finds in its own file."""
    if database.shared:
        return
    try:
        with database.engine.connect() as connection:
            answer = connection.exec_driver_sql("pragma quick_check").scalar()
    except sa.exc.DatabaseError as e:
        answer = str(e.orig)
    if answer != "ok":
        where = str(database.engine.url.database)
        yield Finding(kind="file", where=where, message=f"the file is damaged: {answer}; restore a backup")


def whole(database: Database) -> Iterator[Finding]:
    """All damage of a queue, perhaps named by others where its file, the journal, or a text in it cannot be read."""
    if damaged := list(files(database)):
        yield from damaged
        return
    try:
        yield from _whole(database)
    except Fault as e:
        yield Finding(kind="journal", where="journal", message=f"{e}; restore a backup")
    except (sa.exc.OperationalError, UnicodeDecodeError) as e:
        why = e if isinstance(e, UnicodeDecodeError) else e.orig
        if isinstance(e, sa.exc.OperationalError) and "Could not decode" not in str(why):
            raise
        where = str(database.engine.url.database)
        yield Finding(kind="file", where=where, message=f"a text cannot be read: {why}; restore a backup")


def _whole(database: Database) -> Iterator[Finding]:
    with database.snapshot() as connection:
        with general(journal.rows(connection)) as wanted:
            yield from _named(chain(_of_entries(connection), _general(connection, wanted)))
        missing = [digest for column in _TEXTS for digest in _missing(connection, column)]
    damaged = (_of_text(digest, "damaged") for digest in database.details.damaged())
    yield from first_of(damaged, "details", "texts are damaged")
    absent = (_of_text(digest, "missing") for digest in dict.fromkeys(missing))
    yield from first_of(absent, "details", "texts are missing")


def _missing(connection: sa.Connection, column: sa.Column[str]) -> Iterator[str]:
    """The digests of texts that rows refer to, and that are not there."""
    digest = sa.func.substr(column, len(PREFIX) + 1)
    is_kept = sa.exists().where(DETAILS.c.sha256 == digest)
    return iter(connection.scalars(sa.select(digest).where(column.startswith(PREFIX), ~is_kept)))


def _of_text(digest: str, how: str) -> Finding:
    return Finding(kind="details", where=digest, message=f"the text is {how}; restore a backup")


Difference = tuple[sa.Table, Any, Row | None, Row | None]
"""A table, a key, what the journal says, what the table has."""


def _named(differences: Iterable[Difference]) -> Iterator[Finding]:
    """Differences for people: the first of each table, and how many more."""
    named, counts = defaultdict[sa.Table, list[Finding]](list), Counter[sa.Table]()
    for table, key, wanted, row in differences:
        counts[table] += 1
        if counts[table] <= MOST:
            where = " ".join(map(str, key)) if isinstance(key, tuple) else str(key)
            message = _message(wanted, row)
            named[table].append(Finding(kind="table", where=f"{table.name} {where}", message=message))
    for table in TABLES:
        yield from named[table]
        if (more := counts[table] - MOST) > 0:
            yield Finding(kind="table", where=table.name, message=f"{more} more rows differ from the journal")


def _of_entries(connection: sa.Connection) -> Iterator[Difference]:
    """One entry after another, as the journal and the tables have them in the same order."""
    nothing = Replay()
    by_journal = ((entry, None, replay) for entry, replay in of_entries(connection))
    by_tables = [_rows_by_entry(connection, table) for table in OF_ENTRIES]
    together = merge(by_journal, *by_tables, key=itemgetter(0))
    for _, parts_of_entry in groupby(together, itemgetter(0)):
        parts: dict[sa.Table | None, Any] = {table: part for _, table, part in parts_of_entry}
        wanted = parts.get(None, nothing)
        for table in OF_ENTRIES:
            yield from _compared(table, wanted.rows(table), parts.get(table, ()))


def _rows_by_entry(connection: sa.Connection, table: sa.Table) -> Iterator[tuple[str, sa.Table, list[Row]]]:
    column = table.c.id if table is ENTRIES else table.c.entry
    order = column if connection.dialect.name == "sqlite" else sa.collate(column, "C")  # as Python sorts text
    for entry, rows in groupby(_rows(connection, sa.select(table).order_by(order)), itemgetter(column.name)):
        yield entry, table, list(rows)


def _general(connection: sa.Connection, wanted: sa.Connection) -> Iterator[Difference]:
    """All that belongs to no entry, by a database that was made of the journal."""
    for table in GENERAL:
        rows = {_key(table, row): row for row in _rows(wanted, sa.select(table))}
        yield from _compared(table, rows, _rows(connection, sa.select(table)))


def _rows(connection: sa.Connection, query: sa.Select[Any]) -> Iterator[Row]:
    for row in connection.execute(query.execution_options(yield_per=_AT_ONCE)).mappings():
        yield {str(name): value for name, value in row.items()}


def _compared(table: sa.Table, wanted: Mapping[Any, Row], rows: Iterable[Row]) -> Iterator[Difference]:
    seen = set()
    for row in rows:
        key = _key(table, row)
        if key not in wanted:
            if table is not SETTINGS:
                yield table, key, None, row
            continue
        seen.add(key)
        if not all(_equal(name, wanted[key], row) for name in row):
            yield table, key, wanted[key], row
    yield from ((table, key, row, None) for key, row in wanted.items() if key not in seen)


def _key(table: sa.Table, row: Row) -> Any:
    first, *others = (row[column.name] for column in table.primary_key.columns)
    return (first, *others) if others else first


def _message(wanted: Row | None, row: Row | None) -> str:
    if wanted is None:
        return "this row is not in the journal"
    if row is None:
        return "this row is missing; the journal has it"
    parts = [
        f"{name} is {_short(row[name])}, the journal says {_short(wanted[name])}"
        for name in row
        if not _equal(name, wanted, row)
    ]
    return "; ".join(parts)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}…"


def _equal(name: str, wanted: Row, row: Row) -> bool:
    """True if a column says the same; what an attempt was started with is not in the journal."""
    value, other = wanted.get(name, row[name]), row[name]
    if value == other:
        return True
    return isinstance(value, float) and isinstance(other, float) and math.isnan(value) and math.isnan(other)
