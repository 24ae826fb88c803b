"""The journal: what happened to every entry, in order, each line chained to the one before by its digest.

Nothing in it is ever changed.  A change, a gap or another order breaks the chain; that the last lines were cut off
does not, and is seen by comparing its end with a backup's.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from evaluate.core.errors import Fault
from evaluate.queue.store.tables import JOURNAL

_AT_ONCE = 1000


@dataclass(frozen=True)
class Line:
    """One thing that happened."""

    number: int
    at: float
    entry: str
    event: str
    data: dict[str, Any]


def write(connection: sa.Connection, entry: str, event: str, data: Mapping[str, Any]) -> None:
    """Append a line, in the transaction of the change that it records."""
    last = connection.execute(
        sa.select(JOURNAL.c.number, JOURNAL.c.chain).order_by(JOURNAL.c.number.desc()).limit(1)
    ).first()
    number, before = (last.number + 1, last.chain) if last else (1, "")
    now, text = time.time(), json.dumps(data)
    row = {"number": number, "at": now, "entry": entry, "event": event, "data": text}
    connection.execute(sa.insert(JOURNAL).values(**row, chain=_link(before, number, now, entry, event, text)))


def read(engine: sa.Engine) -> Iterator[Line]:
    """Every line, in order, at one moment.

    Raises
    ------
    Fault
        A line was changed or is missing: its link to the one before does not hold.
    """
    before, expected = "", 1
    query = sa.select(JOURNAL).order_by(JOURNAL.c.number)
    with engine.connect().execution_options(yield_per=_AT_ONCE) as connection:
        for row in connection.execute(query):
            link = _link(before, row.number, row.at, row.entry, row.event, row.data)
            if row.number != expected or row.chain != link:
                raise Fault(f"the journal is damaged at line {expected}: its chain does not hold")
            before, expected = row.chain, expected + 1
            yield Line(row.number, row.at, row.entry, row.event, json.loads(row.data))


def _link(before: str, number: int, at: float, entry: str, event: str, data: str) -> str:
    return hashlib.sha256(json.dumps([before, number, at, entry, event, data]).encode()).hexdigest()
