"""Personal data that the queue keeps: handed out to the person, and forgotten.

The journal keeps that an address joined and left a team, since its lines are chained.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from evaluate.store.db.database import Database
from evaluate.store.db.settings import keep_in
from evaluate.store.db.tables import (
    ANSWERS,
    ENTRIES,
    IDENTITIES,
    LINKS,
    MEMBERS,
    SESSIONS,
    SETTINGS,
    TOKENS,
    UPLOADS,
)
from evaluate.store.people.logins import ORGANISES, ROLE, LinkKind
from evaluate.store.people.site_settings import accepted_by

_KEPT = {
    "sessions": (SESSIONS, ("created", "expires")),
    "tokens": (TOKENS, ("name", "scopes", "created", "expires")),
    "accounts at providers": (IDENTITIES, ("issuer", "subject", "since")),
    "uploads": (UPLOADS, ("id", "team", "challenge", "name", "bytes", "created")),
}
"""Tables with rows of a person, and what of a row is the person's to know; digests of secrets are not."""


def personal_data(database: Database, address: str) -> dict[str, Any]:
    """Everything that is kept of a person, as values of JSON."""
    mine = MEMBERS.c.person == address
    of_teams = sa.select(ENTRIES).where(ENTRIES.c.team.in_(sa.select(MEMBERS.c.team).where(mine)))
    of_teams = of_teams.order_by(ENTRIES.c.number)
    with database.engine.connect() as connection:
        values: dict[str, Any] = {"address": address}
        for name, (table, columns) in _KEPT.items():
            rows = connection.execute(sa.select(table).where(table.c.address == address)).mappings()
            values[name] = [{column: row[column] for column in columns} for row in rows]
        rows = connection.execute(sa.select(MEMBERS).where(mine)).mappings()
        values["teams"] = [{column: row[column] for column in ("team", "name", "role", "mail")} for row in rows]
        columns = ("id", "team", "challenge", "name", "sha256", "bytes", "submitted", "state")
        rows = connection.execute(of_teams).mappings()
        values["entries of the teams"] = [{column: row[column] for column in columns} for row in rows]
        values["settings"] = {row.key: row.value for row in connection.execute(_settings(address))}
    return values


def forget_person(database: Database, address: str) -> None:
    """Remove all that is kept of a person who is in no team, in one transaction."""
    with database.change() as connection:
        for table in (SESSIONS, TOKENS, IDENTITIES, ANSWERS):
            connection.execute(sa.delete(table).where(table.c.address == address))
        connection.execute(sa.delete(LINKS).where(LINKS.c.kind == LinkKind.LOGIN.value, LINKS.c.subject == address))
        connection.execute(sa.update(UPLOADS).where(UPLOADS.c.address == address).values(address=""))
        for key in connection.scalars(_settings(address).with_only_columns(SETTINGS.c.key)).all():
            keep_in(connection, key, "")


def _settings(address: str) -> sa.Select[tuple[Any, ...]]:
    """The settings about a person that have a value: roles, and rules that were accepted."""
    roles = SETTINGS.c.key.in_([ROLE + address, ORGANISES + address])
    keys = sa.or_(roles, SETTINGS.c.key.startswith(accepted_by(address), autoescape=True))
    return sa.select(SETTINGS.c.key, SETTINGS.c.value).where(keys, SETTINGS.c.value != "").order_by(SETTINGS.c.key)
