"""How long stages and entries usually take: a running median for each challenge, over the newest that ended.

A row has the newest few durations, so what an entry that waits is told costs the same however much is over.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from statistics import median

import sqlalchemy as sa

from evaluate.queue.store.tables import ENTRIES, RESULTS, USUAL, insert

NEWEST = 20
"""How many earlier ones an estimate rests on, at most."""
ALL = ("", "all")
"""Key of the row of whole entries, to any challenge."""


@dataclass(frozen=True, kw_only=True)
class Usual:
    """How long programs ran in earlier entries."""

    seconds: float
    """Median."""
    of: int
    """Entries."""


def ended_stage(connection: sa.Connection, identity: str, stage: str, seconds: float) -> None:
    """A stage of an entry ended."""
    challenge = connection.scalar(sa.select(ENTRIES.c.challenge).where(ENTRIES.c.id == identity))
    _add(connection, str(challenge), stage, seconds)


def ended_entry(connection: sa.Connection, identity: str) -> None:
    """An entry ended, with the results that count."""
    same = (RESULTS.c.entry == ENTRIES.c.id) & (RESULTS.c.attempt == ENTRIES.c.attempt)
    query = sa.select(sa.func.sum(RESULTS.c.wall_seconds)).join(ENTRIES, same).where(ENTRIES.c.id == identity)
    if (seconds := connection.scalar(query)) is not None:
        _add(connection, *ALL, seconds)


def usual_stage(connection: sa.Connection, challenge: str, stage: str) -> Usual | None:
    """How long a stage takes in a challenge; None if none has ended."""
    return _usual(_newest(connection, challenge, stage))


def usual_entry(connection: sa.Connection) -> Usual | None:
    """How long all stages of an entry take; None if none has ended."""
    return _usual(_newest(connection, *ALL))


def _usual(seconds: list[float]) -> Usual | None:
    return Usual(seconds=median(seconds), of=len(seconds)) if seconds else None


def _newest(connection: sa.Connection, challenge: str, stage: str) -> list[float]:
    same = (USUAL.c.challenge == challenge) & (USUAL.c.stage == stage)
    text = connection.scalar(sa.select(USUAL.c.seconds).where(same))
    found: list[float] = json.loads(text) if text else []
    return found


def _add(connection: sa.Connection, challenge: str, stage: str, seconds: float) -> None:
    text = as_text([*_newest(connection, challenge, stage), seconds])
    statement = insert(connection, USUAL).values(challenge=challenge, stage=stage, seconds=text)
    connection.execute(statement.on_conflict_do_update(index_elements=["challenge", "stage"], set_={"seconds": text}))


def as_text(seconds: list[float]) -> str:
    """Durations for a row."""
    return json.dumps(seconds[-NEWEST:])
