"""Answers to requests with an ``Idempotency-Key``, so that a request that is sent again is not done again."""

from __future__ import annotations

import time
from collections.abc import Collection

import sqlalchemy as sa

from evaluate.core.errors import UsageError
from evaluate.store.db.database import Database
from evaluate.store.db.tables import ANSWERS, insert

KEPT_SECONDS = 86400.0
_DEAD_SECONDS = 60.0
"""After which a request that nobody renews counts as one whose process was killed, or lost its database."""
_BEGUN = 0


class InProgress(UsageError):
    """The same request is being worked on."""


def begin(database: Database, address: str, key: str, request: str) -> tuple[int, str] | None:
    """Status and body of the answer that was given; None: there is none, and now this request is worked on.

    Raises InProgress if the first of these requests is still being worked on. Raises UsageError if the key was used for
    another request.

    ``request``: a digest of what is asked.
    """
    now = time.time()
    row = {"address": address, "key": key, "request": request, "status": _BEGUN, "body": "", "at": now}
    same = (ANSWERS.c.address == address) & (ANSWERS.c.key == key)
    with database.step() as connection:
        dead = same & (ANSWERS.c.status == _BEGUN) & (ANSWERS.c.at < now - _DEAD_SECONDS)
        connection.execute(sa.delete(ANSWERS).where(dead | (ANSWERS.c.at < now - KEPT_SECONDS)))
        begun = insert(connection, ANSWERS).values(row).on_conflict_do_nothing().returning(ANSWERS.c.key)
        if connection.execute(begun).first() is not None:  # PostgreSQL's driver gives no row count for an insert
            return None
        earlier = connection.execute(sa.select(ANSWERS).where(same)).one()
    if earlier.request != request:
        raise UsageError("this Idempotency-Key was used for a different request; use a new one for each")
    if earlier.status == _BEGUN:
        raise InProgress("the same request is still being processed; retry in a moment")
    return earlier.status, earlier.body


def is_known(database: Database, address: str, key: str) -> bool:
    """True if a request with this key was answered, or is being worked on."""
    same = (ANSWERS.c.address == address) & (ANSWERS.c.key == key)
    with database.ask() as connection:
        return connection.scalar(sa.select(ANSWERS.c.key).where(same)) is not None


def renew(database: Database, requests: Collection[tuple[str, str]]) -> None:
    """Note that requests, by address and key, are still being worked on."""
    if requests:
        same = sa.tuple_(ANSWERS.c.address, ANSWERS.c.key).in_(list(requests)) & (ANSWERS.c.status == _BEGUN)
        with database.step() as connection:
            connection.execute(sa.update(ANSWERS).where(same).values(at=time.time()))


def finish(database: Database, address: str, key: str, status: int, body: str) -> None:
    """Keep the answer."""
    same = (ANSWERS.c.address == address) & (ANSWERS.c.key == key)
    with database.step() as connection:
        connection.execute(sa.update(ANSWERS).where(same).values(status=status, body=body))


def forget(database: Database, address: str, key: str) -> None:
    """The request failed, and may be sent again."""
    same = (ANSWERS.c.address == address) & (ANSWERS.c.key == key) & (ANSWERS.c.status == _BEGUN)
    with database.step() as connection:
        connection.execute(sa.delete(ANSWERS).where(same))
