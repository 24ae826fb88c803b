"""Archives of entries in the folder that all hosts reach: stored whole, and removed only while no entry needs them.

An archive is there before its entry is in the queue.  It is removed in two transactions: the first notes that it goes,
so that nobody takes it for lost; the second looks again whether an entry needs it now, and moves it away.  A submission
looks under the same lock whether the archive is there, and stores it again if it is not.
"""

from __future__ import annotations

import shutil
import time
import uuid
from collections.abc import Iterable
from pathlib import Path

import sqlalchemy as sa

from evaluate.confine.ownership import discard_tree
from evaluate.core.files import publish
from evaluate.store.db.rows import ACTIVE, QueuedEntry, State, entry_of
from evaluate.store.db.settings import keep_in
from evaluate.store.db.tables import ENTRIES, REJUDGING_ATTEMPTS, SETTINGS
from evaluate.store.entries.store import Store
from evaluate.store.files.stage_folders import UPLOADS, archive_of

PRUNED = "pruned:"
"""Start of the key of the setting that says when an archive was removed; the rest is its digest; empty: it is back."""
_DAY = 86400.0
_NEEDED = (State.QUEUED.value, *(state.value for state in ACTIVE), State.PARKED.value)
Users = tuple[tuple[str, int, str, float], ...]
"""Entries as they are at one moment."""


def keep(archive: Path, target: Path) -> None:
    """Copy an archive to its place, completely or not at all."""
    if target.is_file():
        return
    folder = target.parent
    folder.parent.mkdir(exist_ok=True, mode=0o700)
    part = folder.with_name(f".{uuid.uuid4().hex}.part")
    try:
        part.mkdir(mode=0o700)
        shutil.copyfile(archive, part / target.name)
        (part / target.name).chmod(0o444)  # a reader behind walls is another user; the folder is closed
        publish(part, folder)
    except OSError:
        if not target.is_file():  # another submission of the same archive was faster
            raise
    finally:
        discard_tree(part)


def is_kept(connection: sa.Connection, archive: Path) -> bool:
    """True if an archive is in its place; within the transaction in which an entry begins to need it."""
    if not archive.is_file():
        return False
    key = f"{PRUNED}{archive.parent.name}"
    if connection.scalar(sa.select(SETTINGS.c.value).where(SETTINGS.c.key == key)):
        keep_in(connection, key, "")
    return True


def users_of(entries: Iterable[QueuedEntry]) -> Users:
    """Entries as they are now, to see later whether anything about them changed."""
    return tuple(sorted((entry.id, entry.attempt, entry.state.value, entry.changed) for entry in entries))


def users_now(connection: sa.Connection, which: sa.ColumnElement[bool]) -> Users:
    """Some entries as they are now."""
    return users_of(entry_of(row) for row in connection.execute(sa.select(ENTRIES).where(which)).mappings())


def remove(store: Store, archive: Path, users: Users) -> bool:
    """Remove an archive, unless anything about its entries is not as it was ``users``; returns whether it was removed.

    Killed in between, it leaves the archive, or a folder that `sweep` removes.
    """
    digest = archive.parent.name
    going = archive.parent.with_name(f".{uuid.uuid4().hex}.part")
    with store.change() as connection:
        if users_now(connection, ENTRIES.c.sha256 == digest) != users:
            return False
        if users:
            keep_in(connection, f"{PRUNED}{digest}", f"{time.time():.0f}")
    with store.change() as connection:
        if users_now(connection, ENTRIES.c.sha256 == digest) != users or not archive.is_file():
            return False
        archive.parent.rename(going)
    discard_tree(going)
    return True


def pruned(store: Store) -> set[str]:
    """The digests of archives that were removed."""
    return {digest for digest, at in store.settings.under(PRUNED).items() if at}


def needed(store: Store) -> dict[str, str]:
    """The digests of archives that are still to be evaluated -> one of the entries."""
    rejudged = sa.select(REJUDGING_ATTEMPTS.c.entry).where(REJUDGING_ATTEMPTS.c.state.in_(_NEEDED))
    where = ENTRIES.c.state.in_(_NEEDED) | ENTRIES.c.id.in_(rejudged)
    with store.engine.connect() as connection:
        return {
            row.sha256: row.id for row in connection.execute(sa.select(ENTRIES.c.sha256, ENTRIES.c.id).where(where))
        }


def sweep(store: Store, shared: Path) -> int:
    """Remove what killed processes left: parts, and archives that became no entry; returns how many."""
    folder = shared / UPLOADS
    dead = [path for path in folder.glob(".*.part") if is_old(path)]
    for path in dead:
        discard_tree(path)
    with store.engine.connect() as connection:
        digests = set(connection.scalars(sa.select(ENTRIES.c.sha256).distinct()))
    orphans = [path for path in folder.glob("[!.]*") if path.name not in digests and is_old(path)]
    return len(dead) + sum(remove(store, archive_of(shared, path.name), ()) for path in orphans)


def is_old(path: Path) -> bool:
    """True if a file, a folder or a link was not changed for a day; else it may be somebody's."""
    try:
        return path.lstat().st_mtime < time.time() - _DAY
    except FileNotFoundError:
        return False
