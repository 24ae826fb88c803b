"""Attempts at a challenge that teams used, counted by the database from one index.

Only entries that were charged, or are in progress, are read: what a team costs follows from its quota, not from all
that it ever sent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from evaluate.store.db.rows import ACTIVE, State
from evaluate.store.db.tables import ENTRIES

_IN_PROGRESS = [state.value for state in (State.QUEUED, *ACTIVE, State.PARKED)]
_ANY = [state.value for state in State]
_DAY = 86400.0
_MONDAY = 4 * _DAY
"""The first Monday after the beginning of 1970."""


@dataclass(frozen=True, kw_only=True)
class QuotaSpan:
    """A time in which entries count as attempts."""

    begins: float = -math.inf
    """Seconds since 1970, as below."""
    ends: float = math.inf
    by_arrival: bool = False
    """True if entries are of it that arrived then, not those that count as submitted then."""
    data: str = ""
    """The name of the exam of its entries; empty: of any."""


def day_of(at: float, data: str = "") -> QuotaSpan:
    """The day in UTC, for entries to one exam or to any."""
    begins = at - at % _DAY
    return QuotaSpan(begins=begins, ends=begins + _DAY, by_arrival=True, data=data)


def week_of(at: float, data: str = "") -> QuotaSpan:
    """The week from Monday on, likewise."""
    begins = at - (at - _MONDAY) % (7 * _DAY)
    return QuotaSpan(begins=begins, ends=begins + 7 * _DAY, by_arrival=True, data=data)


@dataclass(frozen=True, kw_only=True)
class Used:
    """The entries of a team that count in a span."""

    charged: int
    waiting: int
    """In progress, and not charged yet."""


def used(connection: sa.Connection, challenge: str, team: str, *spans: QuotaSpan) -> list[Used]:
    """Count the attempts at a challenge that one team used in each span."""

    def count(span: QuotaSpan, states: Sequence[str], *, charged: bool) -> sa.ScalarSelect[int]:
        same = (ENTRIES.c.challenge == challenge) & (ENTRIES.c.team == team) & ENTRIES.c.state.in_(states)
        at = ENTRIES.c.arrived if span.by_arrival else ENTRIES.c.submitted
        same &= (ENTRIES.c.charged == charged) & (at >= span.begins) & (at < span.ends)
        same &= (ENTRIES.c.data == span.data) if span.data else sa.true()
        return sa.select(sa.func.count()).where(same).scalar_subquery()

    # in one statement, so that an entry which another host charges meanwhile counts once
    both = [(count(span, _ANY, charged=True), count(span, _IN_PROGRESS, charged=False)) for span in spans]
    counts = connection.execute(sa.select(*(query for pair in both for query in pair))).one()
    return [Used(charged=charged, waiting=waiting) for charged, waiting in zip(counts[::2], counts[1::2], strict=True)]


def teams_of(connection: sa.Connection, challenge: str, after: str = "", most: int | None = None) -> list[str]:
    """The names of the teams that have entries to a challenge, in order, from the one after ``after`` on."""
    names: list[str] = []
    while most is None or len(names) < most:
        # from one team to the next by looks into an index, however many entries they have
        following = sa.select(sa.func.min(ENTRIES.c.team))
        following = following.where(ENTRIES.c.challenge == challenge, ENTRIES.c.team > (names[-1] if names else after))
        if (team := connection.scalar(following)) is None:
            break
        names.append(team)
    return names
