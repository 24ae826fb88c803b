"""Logins at the site: sessions, tokens, links, the roles of people, and all personal data.

A person is a mail address.  Of sessions, tokens and links only the SHA-256 is kept: who reads the database cannot use
them.  Roles are settings, so the journal has them; it keeps that an address joined and left a team, since its lines
are chained.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from evaluate.config.schema.keys import is_address
from evaluate.core.errors import UsageError
from evaluate.store.db.database import Database
from evaluate.store.db.settings import Settings, keep_in, setting_in
from evaluate.store.db.tables import (
    ENTRIES,
    IDENTITIES,
    LINKS,
    MEMBERS,
    SESSIONS,
    SETTINGS,
    TOKENS,
    UPLOADS,
    insert,
)
from evaluate.store.people.site_settings import accepted_by
from evaluate.store.people.teams import INVITE, person_of

ROLE, ORGANISES = "role:", "organises:"
"""Starts of the keys of settings; the rest is an address."""
SESSION_SECONDS = 14 * 86400.0
_DAY = 86400.0
MOST_TOKENS, MOST_TOKEN_DAYS = 20, 366
_MOST_ADDRESS = 190  # the key of a setting has room for 200


class Rank(StrEnum):
    """Right of a person beside being in a team."""

    NONE = ""
    ORGANISER = "organiser"
    ADMIN = "admin"
    """An organiser who also says who is one."""


class Scope(StrEnum):
    """Purpose of a token."""

    READ = "read"
    SUBMIT = "submit"
    """Whatever changes something as a member of a team."""


class LinkKind(StrEnum):
    """Purpose of a link."""

    LOGIN = "login"
    """Its subject is an address; it works once."""
    OIDC = "oidc"
    """Its subject is what the answer of a provider is checked against."""
    INVITE = INVITE
    """Its subject is a team; it works until it expires, or a member leaves."""


@dataclass(frozen=True, kw_only=True)
class Token:
    """A token of the API, without its secret."""

    id: str
    address: str
    name: str
    scopes: tuple[Scope, ...]
    created: float
    expires: float


def digest_of(secret: str) -> str:
    """Return the digest that is kept of a secret.  Secrets are 32 random bytes, so that a plain hash suffices."""
    return hashlib.sha256(secret.encode()).hexdigest()


def normal_address(text: str) -> str:
    """A mail address as a person's name here: without blanks around it, in lower case.

    Raises UsageError if it is none.
    """
    address = text.strip()
    # before it is in lower case: that of the Kelvin sign is a k, and so the address would be somebody else's
    if not is_address(address) or len(address) > _MOST_ADDRESS:
        raise UsageError(f"expected a mail address, found {text[:_MOST_ADDRESS]!r}")
    return address.lower()


def begin_session(database: Database, address: str) -> str:
    """Log a person in; returns what the browser keeps."""
    secret, now = secrets.token_urlsafe(32), time.time()
    with database.change() as connection:
        connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.expires < now))
        row = {"digest": digest_of(secret), "address": address, "created": now, "expires": now + SESSION_SECONDS}
        connection.execute(sa.insert(SESSIONS).values(row))
    return secret


def session_of(database: Database, secret: str) -> str | None:
    """The person of a session; None if there is none, or it has expired."""
    query = sa.select(SESSIONS.c.address).where(
        SESSIONS.c.digest == digest_of(secret), SESSIONS.c.expires > time.time()
    )
    with database.engine.connect() as connection:
        return connection.scalar(query)


def end_session(database: Database, secret: str) -> None:
    """Log out."""
    with database.change() as connection:
        connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.digest == digest_of(secret)))


def end_sessions(database: Database, address: str) -> None:
    """Log a person out everywhere: no session, token or link to log in of it is valid any more."""
    with database.change() as connection:
        for table in (SESSIONS, TOKENS):
            connection.execute(sa.delete(table).where(table.c.address == address))
        connection.execute(sa.delete(LINKS).where(LINKS.c.kind == LinkKind.LOGIN.value, LINKS.c.subject == address))


def person_at(database: Database, issuer: str, subject: str, address: str) -> str | None:
    """The person behind an account at a provider, which is that of its first login here whatever address it has now.

    Returns its address here; None if the address is that of another account at the provider.
    """
    same = (IDENTITIES.c.issuer == issuer) & (IDENTITIES.c.subject == subject)
    row = {"issuer": issuer, "subject": subject, "address": address, "since": time.time()}
    with database.change() as connection:
        connection.execute(insert(connection, IDENTITIES).values(row).on_conflict_do_nothing())
        return connection.scalar(sa.select(IDENTITIES.c.address).where(same))


def make_token(database: Database, address: str, name: str, scopes: Sequence[Scope], days: float) -> tuple[Token, str]:
    """A new token and its secret, which nobody can see again.

    Raises UsageError if the name, the scopes or the time are not valid, or the person has too many tokens.
    """
    if not name.isprintable() or not 0 < len(name.strip()) <= 100:
        raise UsageError("expected a name of 1 to 100 printable characters for the token")
    if not scopes:
        raise UsageError(f"expected at least one scope of {', '.join(Scope)}")
    if not 0 < days <= MOST_TOKEN_DAYS:
        raise UsageError(f"expected 1 to {MOST_TOKEN_DAYS} days, found {days:g}")
    secret, now = f"ev_{secrets.token_urlsafe(32)}", time.time()
    token = Token(
        id=f"t{secrets.token_hex(6)}",
        address=address,
        name=name.strip(),
        scopes=tuple(dict.fromkeys(scopes)),
        created=now,
        expires=now + days * _DAY,
    )
    row = {"digest": digest_of(secret), "id": token.id, "address": address, "name": token.name}
    row["scopes"] = " ".join(token.scopes)
    with database.change() as connection:
        connection.execute(sa.delete(TOKENS).where(TOKENS.c.expires < now))
        of_person = sa.select(sa.func.count()).where(TOKENS.c.address == address)
        if (connection.scalar(of_person) or 0) >= MOST_TOKENS:
            raise UsageError(f"you have {MOST_TOKENS} tokens; remove one first")
        connection.execute(sa.insert(TOKENS).values({**row, "created": now, "expires": token.expires}))
    return token, secret


def token_of(database: Database, secret: str) -> Token | None:
    """The token with this secret; None if there is none, or it has expired."""
    tokens = _tokens(database, TOKENS.c.digest == digest_of(secret))
    return tokens[0] if tokens else None


def tokens_of(database: Database, address: str) -> list[Token]:
    """The tokens of a person, the oldest first."""
    return _tokens(database, TOKENS.c.address == address)


def _tokens(database: Database, where: sa.ColumnElement[bool]) -> list[Token]:
    query = sa.select(TOKENS).where(where, TOKENS.c.expires > time.time()).order_by(TOKENS.c.created)
    with database.engine.connect() as connection:
        rows = connection.execute(query).all()
    return [
        Token(
            id=row.id,
            address=row.address,
            name=row.name,
            scopes=tuple(map(Scope, row.scopes.split())),
            created=row.created,
            expires=row.expires,
        )
        for row in rows
    ]


def remove_token(database: Database, address: str, identity: str) -> bool:
    """Remove a token of a person; returns whether there was one."""
    with database.change() as connection:
        same = (TOKENS.c.address == address) & (TOKENS.c.id == identity)
        return connection.execute(sa.delete(TOKENS).where(same)).rowcount > 0


def make_link(database: Database, kind: LinkKind, subject: str, seconds: float) -> str:
    """The secret part of a new link."""
    secret, now = secrets.token_urlsafe(32), time.time()
    row = {"digest": digest_of(secret), "kind": kind.value, "subject": subject}
    with database.change() as connection:
        connection.execute(sa.delete(LINKS).where(LINKS.c.expires < now))
        connection.execute(sa.insert(LINKS).values({**row, "created": now, "expires": now + seconds}))
    return secret


def link_subject(database: Database, kind: LinkKind, secret: str) -> str | None:
    """Return the subject of a link; None if there is no link of this kind, or it was used, or has expired."""
    same = (LINKS.c.digest == digest_of(secret)) & (LINKS.c.kind == kind.value) & (LINKS.c.expires > time.time())
    with database.engine.connect() as connection:
        return connection.scalar(sa.select(LINKS.c.subject).where(same))


def use_link(database: Database, kind: LinkKind, secret: str) -> str | None:
    """As `link_subject`, and the link does not work any more: of two who use it at once, one gets None."""
    same = (LINKS.c.digest == digest_of(secret)) & (LINKS.c.kind == kind.value)
    with database.change() as connection:
        row = connection.execute(sa.select(LINKS).where(same)).first()
        if row is None or not connection.execute(sa.delete(LINKS).where(same)).rowcount:
            return None
    return str(row.subject) if row.expires > time.time() else None


def drop_links(database: Database, kind: LinkKind, subject: str) -> int:
    """End every link of a kind about something; returns how many there were."""
    with database.change() as connection:
        return connection.execute(
            sa.delete(LINKS).where(LINKS.c.kind == kind.value, LINKS.c.subject == subject)
        ).rowcount


def rank_of(database: Database, address: str) -> Rank:
    """The role that an admin gave a person."""
    return Rank(Settings(database).get(ROLE + address))


def ranks(database: Database) -> dict[str, Rank]:
    """Everybody whom an admin gave a role."""
    return {address: Rank(rank) for address, rank in Settings(database).under(ROLE).items() if rank}


def give_rank(database: Database, address: str, rank: Rank) -> None:
    """Give a person a role, or take it away; every session of the person ends."""
    with database.change() as connection:
        keep_in(connection, ROLE + address, rank.value)
        connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.address == address))


def organised_by(database: Database, address: str) -> tuple[str, ...]:
    """The challenges, by their names in the configuration, that an admin made a person the organiser of."""
    return tuple(json.loads(Settings(database).get(ORGANISES + address) or "[]"))


def organisers_of_challenges(database: Database) -> dict[str, tuple[str, ...]]:
    """Everybody whom an admin made the organiser of some challenges, and of which."""
    values = Settings(database).under(ORGANISES)
    return {address: tuple(names) for address, text in values.items() if (names := json.loads(text or "[]"))}


def let_organise(database: Database, address: str, challenge: str, *, on: bool = True) -> None:
    """Make a person the organiser of one challenge, or not any more; every session of the person ends."""
    with database.change() as connection:
        names = set(json.loads(setting_in(connection, ORGANISES + address) or "[]"))
        value = json.dumps(sorted(names | {challenge} if on else names - {challenge}))
        keep_in(connection, ORGANISES + address, value)
        connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.address == address))


def teams_of(database: Database, address: str) -> tuple[str, ...]:
    """The teams that a person is in, sorted; most are in one."""
    query = sa.select(MEMBERS.c.team).where(MEMBERS.c.person == person_of(address)).order_by(MEMBERS.c.team)
    with database.engine.connect() as connection:
        return tuple(str(team) for team in connection.scalars(query))


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
        for table in (SESSIONS, TOKENS, IDENTITIES):
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
