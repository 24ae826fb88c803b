"""Uploads to the site that are not entries yet: how much of each has arrived, and what became of it.

The bytes are a file of the state directory; the rows say whose they are.  A request that writes holds the upload for a
time (`hold`), so that two requests cannot write at once, in however many processes.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import asdict, dataclass

import sqlalchemy as sa

from evaluate.core.errors import UsageError
from evaluate.queue.store.database import Database
from evaluate.queue.store.tables import UPLOADS

MOST_OPEN = 4
"""Uploads of one team that are not complete."""
KEPT_SECONDS = 2 * 86400.0
"""How long an upload may take, and how long it is known what became of it."""


@dataclass(frozen=True, kw_only=True)
class Upload:
    """One upload."""

    id: str
    address: str
    """Who uploads."""
    team: str
    challenge: str
    """The challenge's name in the store."""
    name: str
    """Of the file, as the browser said."""
    bytes: int
    received: int
    busy: float
    entry: str
    """The entry that it became; empty before."""
    error: str
    """Why it became none."""
    created: float

    @property
    def complete(self) -> bool:
        """Whether every byte has arrived."""
        return self.received == self.bytes


def begin_upload(database: Database, *, address: str, team: str, challenge: str, name: str, size: int) -> Upload:
    """Note that an upload begins.

    Raises
    ------
    UsageError
        The team has too many that are not complete.
    """
    now = time.time()
    found = Upload(
        id=secrets.token_urlsafe(24),
        address=address,
        team=team,
        challenge=challenge,
        name=name,
        bytes=size,
        received=0,
        busy=0.0,
        entry="",
        error="",
        created=now,
    )
    with database.change() as connection:
        same = (UPLOADS.c.team == team) & (UPLOADS.c.entry == "") & (UPLOADS.c.error == "")
        unfinished = connection.scalar(sa.select(sa.func.count()).where(same, UPLOADS.c.created > now - KEPT_SECONDS))
        if (unfinished or 0) >= MOST_OPEN:
            raise UsageError(f"team {team} has {MOST_OPEN} unfinished uploads; finish or remove one first")
        connection.execute(sa.insert(UPLOADS).values(asdict(found)))
    return found


def find_upload(database: Database, identity: str) -> Upload | None:
    """The upload with this id; None if there is none."""
    with database.engine.connect() as connection:
        row = connection.execute(sa.select(UPLOADS).where(UPLOADS.c.id == identity)).mappings().first()
    return None if row is None else Upload(**row)


def uploads_of(database: Database, teams: tuple[str, ...]) -> list[Upload]:
    """The uploads of teams that are not entries, the newest first."""
    mine = UPLOADS.c.team.in_(teams) & (UPLOADS.c.entry == "")
    query = sa.select(UPLOADS).where(mine, UPLOADS.c.created > time.time() - KEPT_SECONDS)
    with database.engine.connect() as connection:
        return [Upload(**row) for row in connection.execute(query.order_by(UPLOADS.c.created.desc())).mappings()]


def hold(database: Database, identity: str, seconds: float) -> bool:
    """Let nobody else write for some seconds; False if somebody does."""
    now = time.time()
    statement = sa.update(UPLOADS).where(UPLOADS.c.id == identity, UPLOADS.c.busy <= now).values(busy=now + seconds)
    with database.change() as connection:
        return connection.execute(statement).rowcount > 0


def let_go(database: Database, identity: str, received: int) -> None:
    """Note how much has arrived, and let others write."""
    statement = sa.update(UPLOADS).where(UPLOADS.c.id == identity).values(busy=0.0, received=received)
    with database.change() as connection:
        connection.execute(statement)


def end_upload(database: Database, identity: str, *, entry: str = "", error: str = "") -> None:
    """Note what became of an upload."""
    statement = sa.update(UPLOADS).where(UPLOADS.c.id == identity).values(entry=entry, error=error, busy=0.0)
    with database.change() as connection:
        connection.execute(statement)


def drop_upload(database: Database, identity: str) -> None:
    """Forget an upload."""
    with database.change() as connection:
        connection.execute(sa.delete(UPLOADS).where(UPLOADS.c.id == identity))


def drop_old(database: Database) -> list[str]:
    """Forget uploads that began long ago; returns their ids."""
    old = UPLOADS.c.created <= time.time() - KEPT_SECONDS
    with database.change() as connection:
        found = [str(one) for one in connection.scalars(sa.select(UPLOADS.c.id).where(old))]
        connection.execute(sa.delete(UPLOADS).where(old))
    return found


def finish_form(database: Database, identity: str, size: int) -> None:
    """Note the size of an upload that is known only at its end."""
    statement = sa.update(UPLOADS).where(UPLOADS.c.id == identity).values(bytes=size, received=size)
    with database.change() as connection:
        connection.execute(statement)


def waiting(database: Database) -> list[str]:
    """The ids of uploads that are complete, that nobody works on, and of which nothing became yet."""
    left = (UPLOADS.c.received == UPLOADS.c.bytes) & (UPLOADS.c.entry == "") & (UPLOADS.c.error == "")
    with database.engine.connect() as connection:
        return list(connection.scalars(sa.select(UPLOADS.c.id).where(left, UPLOADS.c.busy <= time.time())))
