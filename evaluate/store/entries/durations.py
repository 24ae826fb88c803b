"""Usual duration of an entry: the median over the newest that ended."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

import sqlalchemy as sa

from evaluate.store.db.rows import State
from evaluate.store.db.tables import ENTRIES, RESULTS

NEWEST = 20
"""Number of earlier entries that an estimate rests on, at most: few rows are read, however many have ended."""


@dataclass(frozen=True, kw_only=True)
class Usual:
    """Running time of programs in earlier entries."""

    seconds: float
    """Median."""
    of: int
    """Entries."""


def usual_entry(connection: sa.Connection) -> Usual | None:
    """Duration of all stages of an entry to any challenge; None if none has ended."""
    newest = sa.select(ENTRIES.c.id, ENTRIES.c.attempt).where(ENTRIES.c.state == State.DONE.value)
    newest_first = newest.order_by(ENTRIES.c.changed.desc()).limit(NEWEST).subquery()
    same = (RESULTS.c.entry == newest_first.c.id) & (RESULTS.c.attempt == newest_first.c.attempt)
    query = sa.select(sa.func.sum(RESULTS.c.wall_seconds)).join(newest_first, same).group_by(RESULTS.c.entry)
    seconds = connection.scalars(query).all()
    return Usual(seconds=median(seconds), of=len(seconds)) if seconds else None
