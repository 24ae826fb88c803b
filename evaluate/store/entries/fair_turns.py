"""Turns of teams: start-time fair queueing over teams (Goyal, Vin and Cheng 1996), a share for each queue.

A queue has a virtual time, the start tag of what was started last.  What a team adds gets as start tag the end tag of
its own last one, or the virtual time if that is later; its end tag is its start tag plus its cost.  The smallest start
tag is next.  So teams that want more than is available get equal parts; a team that was away neither waits nor catches
up; and no slot stays empty while anything waits.
"""

from __future__ import annotations

import sqlalchemy as sa

from evaluate.store.db.tables import SHARES, insert

_QUEUE = ""
"""Not a valid name of a team: the row of this name holds the virtual time."""


def tags(connection: sa.Connection, queue: str) -> tuple[float, dict[str, float]]:
    """The virtual time of a queue, and where each team's last one ends."""
    rows = connection.execute(sa.select(SHARES.c.team, SHARES.c.tag).where(SHARES.c.queue == queue))
    ends: dict[str, float] = {row.team: row.tag for row in rows}
    return ends.pop(_QUEUE, 0.0), ends


def enter(connection: sa.Connection, queue: str, team: str, cost: float = 1.0) -> float:
    """Add something of a team; returns its start tag.  One statement, so that two that do it at once get two tags."""
    virtual = sa.select(SHARES.c.tag).where(SHARES.c.queue == queue, SHARES.c.team == _QUEUE).scalar_subquery()
    statement = insert(connection, SHARES).values(queue=queue, team=team, tag=sa.func.coalesce(virtual, 0.0) + cost)
    own_end = SHARES.c.tag + cost
    later = sa.case((own_end > statement.excluded.tag, own_end), else_=statement.excluded.tag)
    statement = statement.on_conflict_do_update(index_elements=["queue", "team"], set_={"tag": later})
    return float(connection.execute(statement.returning(SHARES.c.tag)).scalar_one()) - cost


def begin(connection: sa.Connection, queue: str, start: float) -> None:
    """Record that the item with this start tag is started."""
    statement = insert(connection, SHARES).values(queue=queue, team=_QUEUE, tag=start)
    later = SHARES.c.tag < statement.excluded.tag
    connection.execute(
        statement.on_conflict_do_update(index_elements=["queue", "team"], set_={"tag": start}, where=later)
    )
