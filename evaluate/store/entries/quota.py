"""Attempts at a challenge that teams used, counted by the database from one index.

Only entries that were charged, or are in progress, are read: what a team costs follows from its quota, not from all
that it ever sent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import sqlalchemy as sa

from evaluate.config.terms import AttemptLimits, Phase
from evaluate.store.db.rows import ACTIVE, State
from evaluate.store.db.tables import ENTRIES

_IN_PROGRESS = [state.value for state in (State.QUEUED, *ACTIVE, State.PARKED)]
_ANY = [state.value for state in State]
_DAY = 86400.0
_MONDAY = 4 * _DAY
"""The first Monday after the beginning of 1970."""


@dataclass(frozen=True, kw_only=True)
class Quota:
    """Number of attempts in a span of time, and what a team used of it."""

    name: str = "phase"
    """Its key in ``evaluate.yaml``: phase, day, week."""
    most: int = 0
    """0: any number."""
    begins: float = -math.inf
    """Seconds since 1970, as below: of a phase the time as which entries count, else that of their arrival."""
    ends: float = math.inf
    data: str = ""
    """The name of the exam of its entries; empty: of any."""
    used: int = 0
    waiting: int = 0
    """Number of entries that are in progress, and not charged yet."""

    @property
    def left(self) -> int:
        """Number of further entries that may come; meaningless if any number may."""
        return max(0, self.most - self.used - self.waiting)


def quotas(limits: AttemptLimits, phase: Phase, at: float) -> list[Quota]:
    """The quota of a phase, and, where they are limited, those of the day and the week (from Monday) in UTC."""
    spans = [Quota(most=limits.phase or 0, begins=phase.begins, ends=phase.ends)]
    for name, most, since, seconds in (("day", limits.day, 0.0, _DAY), ("week", limits.week, _MONDAY, 7 * _DAY)):
        if most:
            begins = at - (at - since) % seconds
            spans.append(Quota(name=name, most=most, begins=begins, ends=begins + seconds, data=phase.data))
    return spans


def counted(connection: sa.Connection, challenge: str, team: str, spans: Sequence[Quota]) -> list[Quota]:
    """The quotas with the attempts at a challenge that one team used."""

    def count(quota: Quota, states: Sequence[str], *, charged: bool) -> sa.ScalarSelect[int]:
        same = (ENTRIES.c.challenge == challenge) & (ENTRIES.c.team == team) & ENTRIES.c.state.in_(states)
        at = ENTRIES.c.submitted if quota.name == "phase" else ENTRIES.c.arrived
        same &= (ENTRIES.c.charged == charged) & (at >= quota.begins) & (at < quota.ends)
        same &= (ENTRIES.c.data == quota.data) if quota.data else sa.true()
        return sa.select(sa.func.count()).where(same).scalar_subquery()

    # in one statement, so that an entry which another host charges meanwhile counts once
    both = [(count(quota, _ANY, charged=True), count(quota, _IN_PROGRESS, charged=False)) for quota in spans]
    counts = connection.execute(sa.select(*(query for pair in both for query in pair))).one()
    return [
        replace(quota, used=used, waiting=waiting)
        for quota, used, waiting in zip(spans, counts[::2], counts[1::2], strict=True)
    ]
