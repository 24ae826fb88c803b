"""The journal: what happened to every entry, in order, each line chained to the one before by its digest.

Nothing in it is ever changed.  A change, a gap or another order breaks the chain; that the last lines were cut off
does not, and is seen by comparing its end with what the state directory knows (`evaluate.store.db.anchor`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import sqlalchemy as sa

from evaluate.core.errors import Fault
from evaluate.store.db.database import LAST, LINE, Database
from evaluate.store.db.tables import JOURNAL

Row = tuple[int, float, str, str, str, str]
_AT_ONCE = 1000
_TOGETHER = 100
"""Lines in one statement."""


@dataclass(frozen=True)
class JournalLine:
    """One thing that happened."""

    number: int
    at: float
    entry: str
    event: str
    data: dict[str, Any]
    chain: str
    """Its link."""


def write(connection: sa.Connection, entry: str, event: str, data: Mapping[str, Any], at: float) -> None:
    """Append a line, in the transaction of the change that it records.

    * ``entry``: empty for what concerns no entry.
    * ``at``: when it happened; the same as in the rows of the change.
    """
    write_all(connection, [(entry, event, data)], at)


def write_all(connection: sa.Connection, events: Sequence[tuple[str, str, Mapping[str, Any]]], at: float) -> None:
    """Append a line for each (entry, event, data); see `write`."""
    lines = [(at, entry, event, json.dumps(data)) for entry, event, data in events]
    last = connection.info.get(LAST)
    if last is None:
        _append(connection, lines)
        return
    if not last.lines:
        last.works.append(partial(_append, connection, last.lines))
    last.lines += lines


def _append(connection: sa.Connection, lines: Sequence[tuple[float, str, str, str]]) -> None:
    number, link = _end(connection)
    rows = []
    for at, entry, event, text in lines:
        number += 1
        link = _link(link, number, at, entry, event, text)
        rows.append({"number": number, "at": at, "entry": entry, "event": event, "data": text, "chain": link})
    if rows:
        for start in range(0, len(rows), _TOGETHER):  # one statement for many lines
            connection.execute(sa.insert(JOURNAL).values(rows[start : start + _TOGETHER]))
        connection.info[LINE] = (number, link)


def _end(connection: sa.Connection) -> tuple[int, str]:
    """The number and the link of the last line."""
    newest_line: tuple[int, str] | None = connection.info.get(LINE)
    if newest_line is not None:
        return newest_line
    newest = sa.select(JOURNAL.c.number, JOURNAL.c.chain).order_by(JOURNAL.c.number.desc()).limit(1)
    last = connection.execute(newest).first()
    return (0, "") if last is None else (last[0], last[1])


def read(database: Database) -> Iterator[JournalLine]:
    """Every line in order, at one moment.

    Raises Fault if a line was changed or is missing: its hash does not match the line before.
    """
    with database.snapshot() as connection:
        yield from map(line_of, rows(connection))


def line_of(row: Sequence[Any]) -> JournalLine:
    """The line of a row, with its data as values."""
    number, at, entry, event, data, chain = row
    return JournalLine(number, at, entry, event, json.loads(data), chain)


def rows(connection: sa.Connection) -> Iterator[Row]:
    """Every line, with its data as text: number, time, entry, event, data, link. Raises Fault as `read`."""
    link_before, expected = "", 1
    query = sa.select(JOURNAL).order_by(JOURNAL.c.number)
    with connection.execute(query.execution_options(yield_per=_AT_ONCE)) as lines:
        for number, at, entry, event, data, link in lines:
            if number != expected or link != _link(link_before, number, at, entry, event, data):
                raise Fault(f"the journal is damaged at line {expected}: its hash chain is broken")
            link_before, expected = link, expected + 1
            yield number, at, entry, event, data, link


def unchecked(
    connection: sa.Connection, *where: sa.ColumnElement[bool], by_entry: bool = False
) -> Iterator[JournalLine]:
    """Some lines in order, or one entry after another, without a look at the chain."""
    entry = JOURNAL.c.entry if connection.dialect.name == "sqlite" else sa.collate(JOURNAL.c.entry, "C")
    query = sa.select(JOURNAL).where(*where).order_by(*([entry] if by_entry else []), JOURNAL.c.number)
    with connection.execute(query.execution_options(yield_per=_AT_ONCE)) as rows:
        yield from map(line_of, rows)


def _link(before: str, number: int, at: float, entry: str, event: str, data: str) -> str:
    return hashlib.sha256(json.dumps([before, number, at, entry, event, data]).encode()).hexdigest()
