"""The journal: what happened to every entry, in order, each line chained to the one before by its digest.

Nothing in it is ever changed.  A change, a gap or another order breaks the chain; that the last lines were cut off
does not, and is seen by comparing its end with what the state directory knows (`evaluate.queue.db.anchor`).

Lines that nobody needs any more move out of the table, in parts that are kept as they were, under their digests
(`evaluate.queue.db.texts`): the table stays small, however much is over.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

import sqlalchemy as sa

from evaluate.core.errors import Fault
from evaluate.queue.db.database import LAST, LINE, Database
from evaluate.queue.db.tables import JOURNAL, JOURNAL_PARTS, insert

Row = tuple[int, float, str, str, str, str]
_AT_ONCE = 1000
_TOGETHER = 100
"""Lines in one statement."""
PART = 2000
"""Lines of a part that has moved out."""
KEPT = 20_000
"""Lines that stay at least: what notices, which may be delayed, still look at."""


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
    known: tuple[int, str] | None = connection.info.get(LINE)
    if known is not None:
        return known
    for number, chain in ((JOURNAL.c.number, JOURNAL.c.chain), (JOURNAL_PARTS.c.last, JOURNAL_PARTS.c.chain)):
        if (last := connection.execute(sa.select(number, chain).order_by(number.desc()).limit(1)).first()) is not None:
            return last[0], last[1]
    return 0, ""


def read(
    database: Database, after: int = 0, chain: str = "", *, connection: sa.Connection | None = None
) -> Iterator[JournalLine]:
    """Every line after one, in order, at one moment.

    Raises Fault if a line was changed or is missing: its hash does not match the line before.

    * ``after`` and ``chain``: the number and link of a line that is known to be right; by default from the first line
      on.
    * ``connection``: the transaction to read in.
    """
    for number, at, entry, event, data, found in rows(database, after, chain, connection=connection):
        yield JournalLine(number, at, entry, event, json.loads(data), found)


def rows(
    database: Database, after: int = 0, chain: str = "", *, connection: sa.Connection | None = None
) -> Iterator[Row]:
    """The same with their data as text: number, time, entry, event, data, link."""
    with database.snapshot() if connection is None else nullcontext(connection) as reading:
        before, expected = chain, after + 1
        for number, at, entry, event, data, found in _rows(database, reading, after):
            if number != expected or found != _link(before, number, at, entry, event, data):
                raise Fault(f"the journal is damaged at line {expected}: its hash chain is broken")
            before, expected = found, expected + 1
            yield number, at, entry, event, data, found


def at_hand(connection: sa.Connection) -> Iterator[JournalLine]:
    """The lines that have not moved out, unchecked."""
    query = sa.select(JOURNAL).order_by(JOURNAL.c.number).execution_options(yield_per=_AT_ONCE)
    with connection.execute(query) as found:
        for row in found:
            yield JournalLine(row.number, row.at, row.entry, row.event, json.loads(row.data), row.chain)


def _rows(database: Database, connection: sa.Connection, after: int) -> Iterator[Any]:
    parts = sa.select(JOURNAL_PARTS).where(JOURNAL_PARTS.c.last > after).order_by(JOURNAL_PARTS.c.first)
    hot = sa.select(JOURNAL).where(JOURNAL.c.number > after).order_by(JOURNAL.c.number)
    for part in connection.execute(parts).all():
        for line in json.loads(database.details.text(part.lines, connection)):
            if line[0] > after:
                yield line
    with connection.execute(hot.execution_options(yield_per=_AT_ONCE)) as found:
        yield from found


def move_out(database: Database, kept: int = KEPT, needed: int | None = None) -> int:
    """Move old lines into parts; returns how many.

    * ``kept``: the newest lines that stay.
    * ``needed``: lines after this one stay as well: somebody has not read them yet.
    """
    moved = 0
    while (part := _oldest(database, kept, needed)) is not None:
        text = json.dumps([list(row) for row in part])
        lines = database.details.keep(text)
        first, last = part[0].number, part[-1].number
        with database.change() as connection:
            found = connection.execute(
                insert(connection, JOURNAL_PARTS)
                .values(first=first, last=last, chain=part[-1].chain, lines=lines)
                .on_conflict_do_nothing()
                .returning(JOURNAL_PARTS.c.first)
            ).first()
            if found is not None:  # else another process was faster
                connection.execute(sa.delete(JOURNAL).where(JOURNAL.c.number.between(first, last)))
                moved += len(part)
    return moved


def _oldest(database: Database, kept: int, needed: int | None) -> Sequence[sa.Row[Any]] | None:
    with database.engine.connect() as connection:
        number, _ = _end(connection)
        last = number - kept if needed is None else min(number - kept, needed)
        rows = connection.execute(sa.select(JOURNAL).order_by(JOURNAL.c.number).limit(PART)).all()
    return rows if len(rows) == PART and rows[-1].number <= last else None


def _link(before: str, number: int, at: float, entry: str, event: str, data: str) -> str:
    return hashlib.sha256(json.dumps([before, number, at, entry, event, data]).encode()).hexdigest()
