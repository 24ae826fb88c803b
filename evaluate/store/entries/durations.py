"""Usual durations of stages and entries: a running median for each challenge, over the newest that ended.

A row has the newest few durations, so an estimate for a waiting entry costs the same however many entries have ended.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

import sqlalchemy as sa

from evaluate.store.db.database import LAST, Last
from evaluate.store.db.tables import ENTRIES, RESULTS, USUAL, insert

NEWEST = 20
"""Number of earlier durations that an estimate rests on, at most."""
ALL = ("", "all")
"""Key of the row of whole entries, to any challenge."""


@dataclass(frozen=True, kw_only=True)
class Usual:
    """Running time of programs in earlier entries."""

    seconds: float
    """Median."""
    of: int
    """Entries."""


def ended_stage(connection: sa.Connection, identity: str, stage: str, seconds: float, challenge: str = "") -> None:
    """A stage of an entry ended; its challenge is asked for where it is not known."""
    if not challenge:
        challenge = str(connection.scalar(sa.select(ENTRIES.c.challenge).where(ENTRIES.c.id == identity)))
    _add(connection, challenge, stage, seconds)


def ended_entry(connection: sa.Connection, identity: str) -> None:
    """An entry ended, with the results that count."""
    same = (RESULTS.c.entry == ENTRIES.c.id) & (RESULTS.c.attempt == ENTRIES.c.attempt)
    query = sa.select(sa.func.sum(RESULTS.c.wall_seconds)).join(ENTRIES, same).where(ENTRIES.c.id == identity)
    if (seconds := connection.scalar(query)) is not None:
        _add(connection, *ALL, seconds)


def usual_stage(connection: sa.Connection, challenge: str, stage: str) -> Usual | None:
    """Return how long a stage takes in a challenge; None if none has ended."""
    return _usual(_newest(connection, challenge, stage))


def usual_entry(connection: sa.Connection) -> Usual | None:
    """Return how long all stages of an entry take; None if none has ended."""
    return _usual(_newest(connection, *ALL))


def _usual(seconds: list[float]) -> Usual | None:
    return Usual(seconds=median(seconds), of=len(seconds)) if seconds else None


def _newest(connection: sa.Connection, challenge: str, stage: str) -> list[float]:
    return _newest_of(connection, [(challenge, stage)]).get((challenge, stage), [])


def _newest_of(connection: sa.Connection, keys: Collection[tuple[str, str]]) -> dict[tuple[str, str], list[float]]:
    query = sa.select(USUAL).where(sa.tuple_(USUAL.c.challenge, USUAL.c.stage).in_(keys))
    return {(row.challenge, row.stage): json.loads(row.seconds) for row in connection.execute(query)}


def _add(connection: sa.Connection, challenge: str, stage: str, seconds: float) -> None:
    found = ((challenge, stage), seconds)
    last: Last | None = connection.info.get(LAST)
    if last is None:
        _add_now(connection, [found])
        return
    if not last.seconds:
        last.works.append(partial(_add_now, connection, last.seconds))
    last.seconds.append(found)


def _add_now(connection: sa.Connection, found: Sequence[tuple[tuple[str, str], float]]) -> None:
    new: dict[tuple[str, str], list[float]] = {}
    for key, seconds in found:
        new.setdefault(key, []).append(seconds)
    known: dict[tuple[str, str], list[float]] = {}
    if alone := all(len(seconds) == 1 for seconds in new.values()):  # then one statement can do it
        known = new
    else:
        known = _newest_of(connection, new)
        for key, some in new.items():
            known.setdefault(key, []).extend(some)
    rows = [{"challenge": key[0], "stage": key[1], "seconds": as_text(seconds)} for key, seconds in known.items()]
    statement = insert(connection, USUAL).values(rows)
    newer = _appended(connection, statement.excluded.seconds) if alone else statement.excluded.seconds
    statement = statement.on_conflict_do_update(index_elements=["challenge", "stage"], set_={"seconds": newer})
    connection.execute(statement)


def _appended(connection: sa.Connection, one: sa.ColumnElement[str]) -> sa.ColumnElement[str]:
    """The row's list with the only one of another list after it, and without its first if it is full."""
    old, func = USUAL.c.seconds, sa.func
    place = func.strpos if connection.dialect.name == "postgresql" else func.instr
    count = func.length(old) - func.length(func.replace(old, ",", "")) + 1
    kept = sa.case((count >= NEWEST, func.substr(old, place(old, ", ") + 2)), else_=func.substr(old, 2))
    return sa.literal("[") + func.substr(kept, 1, func.length(kept) - 1) + ", " + func.substr(one, 2)


def as_text(seconds: list[float]) -> str:
    """Durations for a row."""
    return json.dumps(seconds[-NEWEST:])
