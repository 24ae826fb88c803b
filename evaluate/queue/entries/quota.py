"""What teams used of their attempts at a challenge, counted by the database from one index.

Only entries that were charged, or are in progress, are read: what a team costs follows from its quota, not from all
that it ever sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from evaluate.queue.db.rows import ACTIVE, State
from evaluate.queue.db.tables import ENTRIES

_IN_PROGRESS = [state.value for state in (State.QUEUED, *ACTIVE, State.PARKED)]
_ANY = [state.value for state in State]


@dataclass(frozen=True, kw_only=True)
class Used:
    """The entries of a team that count in a phase."""

    charged: int
    waiting: int
    """In progress, and not charged yet."""


def used(connection: sa.Connection, challenge: str, team: str, begins: float, ends: float) -> Used:
    """What one team used of a phase.

    ``begins`` and ``ends``: of the phase, in seconds since 1970.
    """

    def count(states: Sequence[str], *, charged: bool) -> sa.ScalarSelect[int]:
        same = (ENTRIES.c.challenge == challenge) & (ENTRIES.c.team == team) & ENTRIES.c.state.in_(states)
        same &= (ENTRIES.c.charged == charged) & (ENTRIES.c.submitted >= begins) & (ENTRIES.c.submitted < ends)
        return sa.select(sa.func.count()).where(same).scalar_subquery()

    # in one statement, so that an entry which another host charges meanwhile counts once
    both = count(_ANY, charged=True).label("charged"), count(_IN_PROGRESS, charged=False).label("waiting")
    found = connection.execute(sa.select(*both)).one()
    return Used(charged=found.charged, waiting=found.waiting)


def teams_of(connection: sa.Connection, challenge: str, after: str = "", most: int | None = None) -> list[str]:
    """The names of the teams that have entries to a challenge, in order, from the one after ``after`` on."""
    found: list[str] = []
    while most is None or len(found) < most:
        # from one team to the next by looks into an index, however many entries they have
        following = sa.select(sa.func.min(ENTRIES.c.team))
        following = following.where(ENTRIES.c.challenge == challenge, ENTRIES.c.team > (found[-1] if found else after))
        if (team := connection.scalar(following)) is None:
            break
        found.append(team)
    return found
