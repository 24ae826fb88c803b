"""Which team is next: start-time fair queueing over teams (Goyal, Vin and Cheng 1996), a share for each queue.

A queue has a virtual time, the start tag of what was started last.  What a team adds gets as start tag the end tag of
its own last one, or the virtual time if that is later; its end tag is its start tag plus its cost.  The smallest start
tag is next.  So teams that want more than is available get equal parts; a team that was away neither waits nor catches
up; and no slot stays empty while anything waits.
"""

from __future__ import annotations

import sqlalchemy as sa

from evaluate.queue.store.tables import SHARES, insert

_QUEUE = ""
"""Not a valid name of a team: the row of this name holds the virtual time."""


def tags(connection: sa.Connection, queue: str) -> tuple[float, dict[str, float]]:
    """The virtual time of a queue, and where each team's last one ends."""
    rows = connection.execute(sa.select(SHARES.c.team, SHARES.c.tag).where(SHARES.c.queue == queue))
    found: dict[str, float] = {row.team: row.tag for row in rows}
    return found.pop(_QUEUE, 0.0), found


def enter(connection: sa.Connection, queue: str, team: str, cost: float = 1.0) -> float:
    """Add something of a team; returns its start tag."""
    rows = connection.execute(
        sa.select(SHARES.c.team, SHARES.c.tag).where(SHARES.c.queue == queue, SHARES.c.team.in_((team, _QUEUE)))
    )
    found: dict[str, float] = {row.team: row.tag for row in rows}
    start = max(found.get(team, 0.0), found.get(_QUEUE, 0.0))
    _set(connection, queue, team, start + cost)
    return start


def begin(connection: sa.Connection, queue: str, start: float) -> None:
    """Record that the item with this start tag is started."""
    now = connection.scalar(sa.select(SHARES.c.tag).where(SHARES.c.queue == queue, SHARES.c.team == _QUEUE))
    if now is None or start > now:
        _set(connection, queue, _QUEUE, start)


def rest(connection: sa.Connection, queue: str) -> None:
    """Reset an empty queue: all start again at 0."""
    connection.execute(sa.delete(SHARES).where(SHARES.c.queue == queue))


def _set(connection: sa.Connection, queue: str, team: str, tag: float) -> None:
    statement = insert(connection, SHARES).values(queue=queue, team=team, tag=tag)
    connection.execute(statement.on_conflict_do_update(index_elements=["queue", "team"], set_={"tag": tag}))
