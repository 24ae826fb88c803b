"""Uploads to the site that are not entries yet: how much of each has arrived, when all had, and the outcome.

The bytes are a file of the state directory; the rows say whose they are.  An upload by a git address has no bytes: all
of it arrives with the address.  One that has arrived stays until it is an entry, or its team can read why it is none.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial

import sqlalchemy as sa

from evaluate.core.codec import from_json, to_json
from evaluate.core.errors import UsageError
from evaluate.core.model import Refusal
from evaluate.core.sanitize import in_one_line
from evaluate.store.db.database import Database
from evaluate.store.db.tables import UPLOADS
from evaluate.store.people.teams import own_name

MOST_OPEN, MOST_OF_ALL = 4, 500
"""Uploads of one team, and of all, that are neither entries nor refused."""
KEPT_SECONDS = 2 * 86400.0
"""Seconds that an upload may take, and that its outcome is kept."""
COPIES = 2
"""An upload takes its size twice on the disk: while it arrives, and while it is copied to its place in the queue."""
_FIRST_WAIT, _MOST_WAIT = 5.0, 600.0
"""Seconds before an intake is tried again; twice as many each time."""


@dataclass(frozen=True, kw_only=True)
class Upload:
    """One upload."""

    address: str
    """Address of the person who uploads."""
    team: str
    challenge: str
    """The challenge's name in addresses of the site."""
    name: str
    """Name of the file, as the browser said."""
    source: str = ""
    """The address of a git repository; empty: a file."""
    commit: str = ""
    """The commit that counts, which is that of the first fetch; empty before."""
    bytes: int = 0
    received: int = 0
    arrived: float | None = None
    """When all of it had arrived, in seconds since 1970: phase and quota are judged by that time."""
    entry: str = ""
    """The entry that it became; empty before."""
    error: str = ""
    """Reason for which it became none."""
    refusals: str = "[]"
    """JSON list of the lines that its team must change."""
    fault: str = ""
    """The error of the infrastructure or the challenge for which it still waits; for the organiser alone."""
    tries: int = 0
    """Number of times that happened."""
    again: float = 0.0
    """When its intake is tried again."""
    id: str = field(default_factory=partial(secrets.token_urlsafe, 24))
    created: float = field(default_factory=time.time)

    @property
    def complete(self) -> bool:
        """True if the upload is complete."""
        return self.arrived is not None

    @property
    def ended(self) -> bool:
        """True if it is an entry or was refused."""
        return bool(self.entry or self.error)

    @property
    def unanswered(self) -> bool:
        """True if the server of a repository has not named its newest commit yet."""
        return bool(self.source and self.fault and not self.commit and self.arrived != self.created)

    @property
    def to_change(self) -> tuple[Refusal, ...]:
        """Lines that its team must change."""
        return from_json(tuple[Refusal, ...], json.loads(self.refusals))

    @property
    def other_reasons(self) -> list[str]:
        """The lines of its error that are not among these."""
        changes = set(map(str, self.to_change))
        return [line for line in self.error.splitlines() if line not in changes]


class TooMany(UsageError):
    """There are as many unfinished uploads as there may be."""


_OPEN = (UPLOADS.c.entry == "") & (UPLOADS.c.error == "")


def begin_upload(database: Database, upload: Upload, room: Callable[[int], None] = lambda _promised: None) -> Upload:
    """Note that an upload begins, or, of a git address, that it has arrived; the same address that waits is the same.

    Raises TooMany if the team, or all together, have too many that are not finished.

    ``room``: called, while nobody else can begin one, with the bytes of the disk that are promised to other uploads and
    not taken yet; raises an error if there is no room.
    """
    upload = replace(upload, arrived=upload.created if upload.source else None)
    count, promised = sa.func.count(), sa.func.coalesce(sa.func.sum(COPIES * UPLOADS.c.bytes - UPLOADS.c.received), 0)
    with database.step("uploads") as connection:
        upload = replace(upload, team=own_name(connection, upload.team) or upload.team)  # it may just have been merged
        same = [UPLOADS.c[name] == getattr(upload, name) for name in ("team", "challenge", "source")]
        row = connection.execute(sa.select(UPLOADS).where(_OPEN, *same)).mappings().first()
        if row is not None and upload.source:
            return Upload(**row)
        if (connection.scalar(sa.select(count).where(_OPEN, UPLOADS.c.team == upload.team)) or 0) >= MOST_OPEN:
            raise TooMany(f"team {upload.team} has {MOST_OPEN} unfinished uploads; finish or remove one first")
        others = connection.execute(sa.select(count.label("n"), promised.label("bytes")).where(_OPEN)).one()
        if others.n >= MOST_OF_ALL:
            raise TooMany(f"the site has {MOST_OF_ALL} unfinished uploads; try again later")
        room(int(others.bytes))
        connection.execute(sa.insert(UPLOADS).values(asdict(upload)))
    return upload


def find_upload(database: Database, identity: str) -> Upload | None:
    """The upload with this id; None if there is none."""
    with database.engine.connect() as connection:
        row = connection.execute(sa.select(UPLOADS).where(UPLOADS.c.id == identity)).mappings().first()
    return None if row is None else Upload(**row)


def uploads_of(database: Database, teams: tuple[str, ...]) -> list[Upload]:
    """The uploads of teams that are not entries, the newest first."""
    mine = UPLOADS.c.team.in_(teams) & (UPLOADS.c.entry == "")
    return _listed(database, sa.select(UPLOADS).where(mine).order_by(UPLOADS.c.created.desc()))


def delayed(database: Database) -> list[Upload]:
    """The uploads that cannot be taken into the queue now, for no fault of their teams, the oldest first."""
    return _listed(database, sa.select(UPLOADS).where(_OPEN, UPLOADS.c.fault != "").order_by(UPLOADS.c.arrived))


def _listed(database: Database, query: sa.Select[tuple[object, ...]]) -> list[Upload]:
    with database.engine.connect() as connection:
        return [Upload(**row) for row in connection.execute(query).mappings()]


def keep_received(
    database: Database, identity: str, received: int, *, size: int | None = None, arrived: float | None = None
) -> None:
    """Note how much has arrived.

    * ``size``: of the whole, where that is known only at the end.
    * ``arrived``: when the last byte did; by default something is missing.
    """
    _note(database, identity, received=received, arrived=arrived, **({} if size is None else {"bytes": size}))


def become(connection: sa.Connection, identity: str, entry: str) -> None:
    """Note which entry an upload became, in the transaction in which it does."""
    values = {"entry": entry, "error": "", "fault": ""}
    connection.execute(sa.update(UPLOADS).where(UPLOADS.c.id == identity, UPLOADS.c.entry == "").values(values))


def refuse(database: Database, identity: str, error: str, refusals: Sequence[Refusal] = ()) -> None:
    """Note for its team why an upload became no entry, and what to change, unless it became one."""
    _note(database, identity, error=error, fault="", refusals=json.dumps(to_json(tuple(refusals))))


def keep_commit(database: Database, identity: str, commit: str) -> None:
    """Note the commit that counts, which a later push does not change."""
    _note(database, identity, commit=commit)


def put_off(database: Database, upload: Upload, fault: str, *, unanswered: bool = False) -> None:
    """Note for the organiser why an upload cannot be taken in now; it is tried again, each time later.

    ``unanswered``: true if the server of a repository did not name its commit, so that it counts from the next try on.
    """
    again = time.time() + min(_FIRST_WAIT * 2.0 ** min(upload.tries, 30), _MOST_WAIT)
    later = {"arrived": again} if unanswered and not upload.commit else {}
    _note(database, upload.id, fault=in_one_line(fault) or "error", tries=upload.tries + 1, again=again, **later)


def _note(database: Database, identity: str, **values: object) -> None:
    with database.step() as connection:
        connection.execute(sa.update(UPLOADS).where(UPLOADS.c.id == identity, _OPEN).values(values))


def drop_upload(database: Database, identity: str) -> None:
    """Forget an upload."""
    with database.step() as connection:
        connection.execute(sa.delete(UPLOADS).where(UPLOADS.c.id == identity))


def old_uploads(database: Database) -> list[str]:
    """The ids of uploads that began long ago and either never arrived or have ended."""
    over = UPLOADS.c.arrived.is_(None) | ~_OPEN
    query = sa.select(UPLOADS.c.id).where(UPLOADS.c.created <= time.time() - KEPT_SECONDS, over)
    with database.engine.connect() as connection:
        return list(connection.scalars(query))


def waiting(database: Database) -> list[Upload]:
    """The uploads that have arrived, of which nothing became yet and that may be tried now, the oldest first."""
    due = _OPEN & UPLOADS.c.arrived.is_not(None) & (UPLOADS.c.again <= time.time())
    return _listed(database, sa.select(UPLOADS).where(due).order_by(UPLOADS.c.arrived))
