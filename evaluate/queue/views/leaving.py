"""Which entries would leave their phase, and so their board, if the dates of a challenge changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import sqlalchemy as sa

from evaluate.config.terms import Terms
from evaluate.queue.db.rows import State
from evaluate.queue.db.tables import ENTRIES
from evaluate.queue.entries.store import Store


def leaving(store: Store, challenge: str, before: Terms, after: Terms) -> Mapping[str, int]:
    """Team -> number of its entries that would belong to no phase any more, or to another one; most first.

    A phase that only gets another name keeps its entries, and an entry that belongs to none stays where it is.

    ``challenge``: by its name in the store.
    """
    out = (State.CANCELLED.value, State.WITHDRAWN.value)
    query = sa.select(ENTRIES.c.team, ENTRIES.c.submitted)
    query = query.where(ENTRIES.c.challenge == challenge, ENTRIES.c.state.not_in(out))
    with store.engine.connect() as connection:
        rows = connection.execute(query.order_by(ENTRIES.c.number)).all()
    found = Counter(row.team for row in rows if _leaves(row.submitted, before, after))
    return dict(found.most_common())


def _leaves(at: float, before: Terms, after: Terms) -> bool:
    then, now = before.phase(at), after.phase(at)
    if not after.phases or (before.phases and then is None):
        return False
    if now is None or then is None:
        return now is None
    return now.name != then.name and then.name in {one.name for one in after.phases}
