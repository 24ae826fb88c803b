"""Usual durations of stages and entries: medians over the newest that ended.

Few rows are read, from the newest on, so that an estimate for a waiting entry costs the same however many have ended.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

import sqlalchemy as sa

from evaluate.store.db.rows import State
from evaluate.store.db.tables import ENTRIES, RESULTS

NEWEST = 20
"""Number of earlier durations that an estimate rests on, at most."""
_LOOKED_AT = 2000
"""Newest results of a stage, to any challenge, among which those of one challenge are."""


@dataclass(frozen=True, kw_only=True)
class Usual:
    """Running time of programs in earlier entries."""

    seconds: float
    """Median."""
    of: int
    """Entries."""


def usual_stage(connection: sa.Connection, challenge: str, stage: str) -> Usual | None:
    """Duration of a stage in a challenge; None if none has ended lately."""
    newest = sa.select(RESULTS.c.entry, RESULTS.c.at, RESULTS.c.wall_seconds).where(RESULTS.c.stage == stage)
    newest_first = newest.order_by(RESULTS.c.at.desc()).limit(_LOOKED_AT).subquery()
    query = sa.select(newest_first.c.wall_seconds).join(ENTRIES, ENTRIES.c.id == newest_first.c.entry)
    query = query.where(ENTRIES.c.challenge == challenge).order_by(newest_first.c.at.desc()).limit(NEWEST)
    return _usual(connection.scalars(query))


def usual_entry(connection: sa.Connection) -> Usual | None:
    """Duration of all stages of an entry to any challenge; None if none has ended."""
    newest = sa.select(ENTRIES.c.id, ENTRIES.c.attempt).where(ENTRIES.c.state == State.DONE.value)
    newest_first = newest.order_by(ENTRIES.c.changed.desc()).limit(NEWEST).subquery()
    same = (RESULTS.c.entry == newest_first.c.id) & (RESULTS.c.attempt == newest_first.c.attempt)
    query = sa.select(sa.func.sum(RESULTS.c.wall_seconds)).join(newest_first, same).group_by(RESULTS.c.entry)
    return _usual(connection.scalars(query))


def _usual(durations: Iterable[float]) -> Usual | None:
    seconds = list(durations)
    return Usual(seconds=median(seconds), of=len(seconds)) if seconds else None
