"""Teams that were disqualified and can no longer submit.

A bar is a setting, so the journal has it.  It holds for a team under each of its names, so a team that becomes a part
of another one, or changes how it is called, takes it along.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence

import sqlalchemy as sa

from evaluate.core.errors import EntryError
from evaluate.queue.db import journal
from evaluate.queue.db.rows import folded
from evaluate.queue.db.settings import put_setting
from evaluate.queue.db.tables import SETTINGS, TEAM_NAMES


def barred(connection: sa.Connection, team: str) -> str:
    """Why a team, by its own name, can no longer submit; empty: it may."""
    return next((str(json.loads(value)["reason"]) for value in _bars(connection, team).values()), "")


def refuse_barred(connection: sa.Connection, team: str) -> None:
    """Raise EntryError if a team was disqualified."""
    if why := barred(connection, team):
        raise EntryError(f"team {team} was disqualified and can no longer submit: {why}")


def bar(connection: sa.Connection, team: str, reason: str) -> None:
    """Let a team, by its own name, no longer submit."""
    _set(connection, _key(team), json.dumps({"team": team, "reason": reason}))


def lift(connection: sa.Connection, team: str) -> None:
    """Let a team submit again."""
    for key in _bars(connection, team):
        _set(connection, key, "")


def keep_without(connection: sa.Connection, team: str, dropped: Sequence[str]) -> None:
    """Let a bar under a name that the team is about to lose hold for the team itself."""
    if dropped and (why := barred(connection, team)):
        bar(connection, team, why)


def _bars(connection: sa.Connection, team: str) -> dict[str, str]:
    names = {team, *connection.scalars(sa.select(TEAM_NAMES.c.name).where(TEAM_NAMES.c.team == team))}
    keys = {_key(name) for name in names}
    query = sa.select(SETTINGS).where(SETTINGS.c.key.in_(keys), SETTINGS.c.value != "").order_by(SETTINGS.c.key)
    return {row.key: row.value for row in connection.execute(query)}


def _key(name: str) -> str:
    return "barred:" + hashlib.sha256(folded(name).encode()).hexdigest()


def _set(connection: sa.Connection, key: str, value: str) -> None:
    put_setting(connection, key, value)
    journal.write(connection, "", "set", {"key": key, "value": value}, time.time())
