"""Copies the queue while it is in use, and restores it from a copy or from the copy's journal alone.

A copy is one SQLite file, whatever database the queue is in: the rows of our own tables at one moment.  What runs
now, which team is next, and DBOS's own tables are not in it: the next daemon restarts every entry that was in its
stages, and finds what they produced in the folders of its stages.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from evaluate.confine.ownership import remove_tree
from evaluate.core.errors import Fault, UsageError
from evaluate.core.files import publish
from evaluate.queue.audit import verify
from evaluate.queue.audit.replay import OF_ENTRIES, TABLES, replayed
from evaluate.queue.db import journal
from evaluate.queue.db.anchor import Anchor, Position
from evaluate.queue.db.database import details_file, open_database
from evaluate.queue.db.reader import FILE, IDENTITY, file_of
from evaluate.queue.db.tables import JOURNAL, JOURNAL_PARTS, MEMBERS, SETTINGS, TEAM_NAMES, TEAMS, USUAL
from evaluate.queue.db.texts import PREFIX
from evaluate.queue.entries.store import Store

_COPIED = (*TABLES, USUAL, JOURNAL_PARTS, JOURNAL)
_AT_ONCE = 1000


def backup(store: Store, target: Path, begun: Callable[[], object] = lambda: None) -> Position:
    """Write a complete, consistent copy of the queue to ``target``; daemons and submissions continue meanwhile.

    Raises UsageError if the file exists already, or cannot be created.

    ``begun``: called as soon as what is written from then on is no part of the copy.

    Returns the end of the copy's journal.
    """
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise UsageError(f"{target}: its folder does not exist, or is not writable for this user")
    if target.exists():
        raise UsageError(f"{target}: exists already; nothing was written")
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as scratch:
        copy = _opened_copy(Path(scratch))
        try:
            _copy(store, copy, begun)
            _refuse(copy, "nothing was written")
            position = copy.database.position()
        finally:
            copy.engine.dispose()  # this moves what SQLite keeps next to the file into it
        part = Path(scratch) / FILE
        publish(part, target, 0o600)
    return position


def backup_since(store: Store, target: Path, earlier: Sequence[Path], begun: Callable[[], object]) -> Position:
    """As `backup`, but only what was added to earlier copies: lines of the journal, and texts.

    Raises UsageError if the queue does not continue the earlier copies.

    ``earlier``: a whole copy, and what was added to it since, in order.
    """
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as scratch:
        known, copy = _merged(earlier, Path(scratch) / "known"), _opened_copy(Path(scratch))
        try:
            end = known.database.position()
            with store.database.snapshot() as reading, copy.change() as connection:
                reading.execute(sa.select(SETTINGS.c.key).limit(1))  # this is the moment
                begun()
                _clear_settings(connection)
                settings = sa.select(SETTINGS).where(SETTINGS.c.key == IDENTITY)
                _insert(connection, SETTINGS, [{**row} for row in reading.execute(settings).mappings()])
                names = [column.name for column in JOURNAL.c]
                try:
                    rows = journal.rows(store.database, end.line, end.chain, connection=reading)
                    while part := list(islice(rows, _AT_ONCE)):
                        _insert(connection, JOURNAL, [dict(zip(names, row, strict=True)) for row in part])
                except Fault as e:
                    raise UsageError(f"the queue does not continue the earlier backup at line {end.line}") from e
                moved_out = set(reading.scalars(sa.select(JOURNAL_PARTS.c.lines)))
            for texts in store.details.rows():
                new = known.details.missing([str(row["sha256"]) for row in texts])
                parts = [row for row in texts if row["sha256"] in new and f"{PREFIX}{row['sha256']}" not in moved_out]
                if parts:
                    copy.details.put(parts)
            position = copy.database.position()
        finally:
            copy.engine.dispose()
            known.engine.dispose()
        publish(Path(scratch) / FILE, target, 0o600)
    return position if position.line else end


def _merged(copies: Sequence[Path], folder: Path) -> Store:
    """A queue with the journal and the texts of a whole copy and of what was added to it; its tables are not made."""
    folder.mkdir()
    shutil.copyfile(copies[0], folder / FILE)
    found = _opened_copy(folder)
    for n, path in enumerate(copies[1:]):
        part = folder / str(n)
        part.mkdir()
        shutil.copyfile(path, part / FILE)
        added = _opened_copy(part)
        with added.database.snapshot() as reading, found.change() as connection:
            _copy_table(reading, connection, JOURNAL)
        _copy_details(added, found)
        added.engine.dispose()
        remove_tree(part)
    return found


def restore(
    copy: Path,
    state: Path,
    url: str = "",
    *,
    added: Sequence[Path] = (),
    from_journal: bool = False,
    check: bool = False,
) -> int:
    """Restore the queue of a state directory, or of the database ``url``; returns how many entries it has.

    Raises UsageError if there is another queue already, or the copy does not exist. Raises Fault if the copy, or its
    journal, is damaged.

    * ``added``: what `backup_since` added to the copy later; tables are then rebuilt from the journal.
    * ``from_journal``: use only the journal of the copy, and rebuild everything else from it.
    * ``check``: only look whether that would succeed.
    """
    file = None if url.startswith("postgresql") else file_of(state, url)
    if file is not None and file.exists() and not url:
        raise UsageError(f"{file}: exists already; move it away first")
    if not copy.is_file():
        raise UsageError(f"{copy}: no such file")
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=state) as scratch:
        source = _merged((copy, *added), Path(scratch) / "copy")
        from_journal = from_journal or bool(added)
        try:
            if from_journal:
                count = _replayed(source)
            else:
                _refuse(source, "nothing was restored")
                count = sum(source.reader.counts().values())
            fill = rebuild if from_journal else _copy
            if file is not None and file.exists():
                return _known(source, state, file, url)
            if check:
                _rehearse(source, state, url)
                return count
            return _into_server(source, state, url, fill) if file is None else _into_file(source, state, file, fill)
        finally:
            source.engine.dispose()


def _known(source: Store, state: Path, file: Path, url: str) -> int:
    """Accept a file that a restore left which was killed afterwards."""
    target = Store(open_database(state, url, known=False))
    try:
        position = target.database.position()
        if position != source.database.position():
            raise UsageError(f"{file}: exists already; move it away first")
        Anchor(state).note(position, sync=True)
        return sum(target.reader.counts().values())
    finally:
        target.engine.dispose()


def _rehearse(source: Store, state: Path, url: str) -> None:
    """Refuse what `_into_server` would refuse."""
    if url.startswith("postgresql"):
        engine = sa.create_engine(url)
        used = sa.inspect(engine).has_table(JOURNAL.name)
        engine.dispose()
        if used:
            _server(source, state, url).engine.dispose()


def _into_file(source: Store, state: Path, file: Path, fill: Callable[[Store, Store], None]) -> int:
    """Fill the two files of a queue, which appear when they are whole; the queue's own is the last."""
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=file.parent) as scratch:
        new = Path(scratch) / FILE
        target = Store(open_database(new.parent))
        try:
            fill(source, target)
            count, position = sum(target.reader.counts().values()), target.database.position()
        finally:
            target.engine.dispose()
        Anchor(state).forget()
        publish(details_file(new), details_file(file), 0o600)
        publish(new, file, 0o600)
    Anchor(state).note(position, sync=True)
    return count


def _into_server(source: Store, state: Path, url: str, fill: Callable[[Store, Store], None]) -> int:
    """Fill a database in one transaction, unless a restore that was killed has done so."""
    target = _server(source, state, url)
    try:
        if not target.journal_length():
            target.database.anchor = None
            fill(source, target)
        Anchor(state).forget()
        Anchor(state).note(target.database.position(), sync=True)
        return sum(target.reader.counts().values())
    finally:
        target.engine.dispose()


def _server(source: Store, state: Path, url: str) -> Store:
    """A database that is empty, or has exactly what ``source`` has."""
    target = Store(open_database(state, url, known=False))
    if target.journal_length() and target.database.position() != source.database.position():
        name = repr(target.engine.url)
        target.engine.dispose()
        raise UsageError(f"{name}: it already contains a queue")
    return target


def _replayed(source: Store) -> int:
    """Check that the journal alone makes a queue, and of how many entries; raises Fault where it does not."""
    with replayed(journal.rows(source.database)) as said:
        return sum(1 for _ in said.entries())


def _opened_copy(folder: Path) -> Store:
    return Store(open_database(folder, copy=True))


def _refuse(copy: Store, consequence: str) -> None:
    """Raise a `Fault` that says what is wrong with a copy, if anything is."""
    if found := list(verify.whole(copy.database)):
        more = f", and {len(found) - 1} more" if len(found) > 1 else ""
        raise Fault(f"{found[0]}{more}; {consequence} (evaluate verify-state names everything)")


def rebuild(source: Store, target: Store) -> None:
    """Make every table of ``target``, which is empty, from the journal of ``source`` and the texts it refers to."""
    _copy_details(source, target)
    with (
        source.database.snapshot() as reading,
        replayed(journal.rows(source.database, connection=reading)) as said,
        target.change() as connection,
    ):
        _clear_settings(connection)
        for table in (TEAMS, TEAM_NAMES, MEMBERS, SETTINGS):
            _insert(connection, table, list(said.general.rows(table).values()))
        entries = said.entries()
        while part := list(islice(entries, _AT_ONCE)):
            for table in OF_ENTRIES:
                _insert(connection, table, [row for _, one in part for row in one.rows(table).values()])
        _insert(connection, USUAL, list(said.general.usual()))
        _insert(connection, SETTINGS, [{"key": IDENTITY, "value": source.database.identity}])
        for table in (JOURNAL_PARTS, JOURNAL):
            _copy_table(reading, connection, table)


def _copy(source: Store, target: Store, begun: Callable[[], object] = lambda: None) -> None:
    """Every row of every table at one moment."""
    with source.database.snapshot() as reading, target.change() as connection:
        reading.execute(sa.select(SETTINGS.c.key).limit(1))  # this is the moment
        begun()
        _clear_settings(connection)
        for table in _COPIED:
            _copy_table(reading, connection, table)
    _copy_details(source, target)  # all that the rows refer to was kept before they were written


def _clear_settings(connection: sa.Connection) -> None:
    connection.execute(sa.delete(SETTINGS))  # a new queue's identity


def _copy_table(reading: sa.Connection, connection: sa.Connection, table: sa.Table) -> None:
    rows = reading.execute(sa.select(table).execution_options(yield_per=_AT_ONCE)).mappings()
    for part in rows.partitions(_AT_ONCE):
        _insert(connection, table, [{str(key): row[key] for key in row} for row in part])


def _copy_details(source: Store, target: Store) -> None:
    for part in source.details.rows():
        target.details.put(part)


def _insert(connection: sa.Connection, table: sa.Table, rows: list[dict[str, Any]]) -> None:
    if rows:
        names = [column.name for column in table.c]
        connection.execute(sa.insert(table), [{name: row[name] for name in names} for row in rows])
