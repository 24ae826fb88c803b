"""Copies the database of a queue while it is in use, and brings it back.

A copy is one SQLite file, whatever database the queue is in: the rows of our own tables at one moment.  What runs
now, which team is next, and DBOS's own tables are not in it: the next daemon restarts every entry that was in its
stages, and finds what they produced in the folders of its stages.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa

from evaluate.core.errors import Fault, UsageError
from evaluate.core.files import publish
from evaluate.operate.audit import verify
from evaluate.operate.audit.verify import TABLES
from evaluate.store.db.anchor import Anchor, Position
from evaluate.store.db.database import FILE, open_database
from evaluate.store.db.tables import BASES, DETAILS, JOURNAL, SETTINGS
from evaluate.store.entries.store import Store

_COPIED = (*TABLES, BASES, JOURNAL, DETAILS)
_AT_ONCE = 1000


def backup(store: Store, target: Path, begun: Callable[[], object] = lambda: None) -> Position:
    """Write a complete, consistent copy of the queue to ``target``; daemons and submissions continue meanwhile.

    ``begun``: called as soon as what is written from then on is no part of the copy.

    Returns the end of the copy's journal. Raises Fault if the queue is damaged.
    """
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as scratch:
        copy = Store(open_database(Path(scratch), copy=True))
        try:
            _copy(store, copy, begun)
            if findings := list(verify.whole(copy.database)):
                more = f", and {len(findings) - 1} more" if len(findings) > 1 else ""
                raise Fault(f"{findings[0]}{more}; nothing was written (evaluate verify-state names everything)")
            position = copy.database.position()
        finally:
            copy.engine.dispose()  # this moves what SQLite keeps next to the file into it
        publish(Path(scratch) / FILE, target)
    return position


def restore(copy: Path, state: Path, url: str = "", *, check: bool = False) -> int:
    """Restore the queue of a state directory, or of the database ``url``; returns how many entries it has.

    Raises UsageError if there is another queue already.

    * ``copy``: as `backup` wrote it, which has verified it.
    * ``check``: only look whether that would succeed.
    """
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=state) as scratch:
        shutil.copyfile(copy, Path(scratch) / FILE)
        source = Store(open_database(Path(scratch), copy=True))
        try:
            if not check or _has_tables(url):
                _fill(source, state, url, check=check)
            return sum(source.counts().values())
        finally:
            source.engine.dispose()


def _has_tables(url: str) -> bool:
    """True if a server has a queue, perhaps without entries."""
    if not url.startswith("postgresql"):
        return False
    engine = sa.create_engine(url)
    try:
        return sa.inspect(engine).has_table(JOURNAL.name)
    finally:
        engine.dispose()


def _fill(source: Store, state: Path, url: str, *, check: bool) -> None:
    """Fill a database in one transaction, unless a restore that was killed has done so."""
    target = Store(open_database(state, url, compare=False))
    try:
        position, there = source.database.position(), target.database.position()
        if there.line and there != position:
            raise UsageError(f"{target.engine.url!r}: it already contains a queue")
        if check:
            return
        if not there.line:
            _copy(source, target)
        anchor = Anchor(state)
        anchor.forget()
        anchor.note(position, sync=True)
    finally:
        target.engine.dispose()


def _copy(source: Store, target: Store, begun: Callable[[], object] = lambda: None) -> None:
    """Every row of every table at one moment; all texts that rows refer to were kept before the rows."""
    with source.database.snapshot() as reading, target.change() as connection:
        reading.execute(sa.select(SETTINGS.c.key).limit(1))  # this is the moment
        begun()
        connection.execute(sa.delete(SETTINGS))  # a new queue's identity
        for table in _COPIED:
            _copy_table(reading, connection, table)


def _copy_table(reading: sa.Connection, connection: sa.Connection, table: sa.Table) -> None:
    rows = reading.execute(sa.select(table).execution_options(yield_per=_AT_ONCE)).mappings()
    for part in rows.partitions(_AT_ONCE):
        connection.execute(sa.insert(table), [{str(key): row[key] for key in row} for row in part])
