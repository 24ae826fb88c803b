"""The queue's database: one SQLite file in the state directory, or PostgreSQL for many hosts.

Theory of operation.  There is one writer at a time: SQLite allows no more, and on PostgreSQL a transaction that writes
first takes a lock of ours, so that numbers and the journal's chain have one order.  Readers never wait.  A process that
stops in the middle of a transaction, such as one on a machine that is suspended, loses it after a while.
"""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from evaluate.core.errors import Fault, UsageError
from evaluate.queue.store.anchor import Anchor, Position
from evaluate.queue.store.details import Details
from evaluate.queue.store.reading import IDENTITY, Reader, file_of, newest_schema
from evaluate.queue.store.tables import DETAILS, JOURNAL, JOURNAL_PARTS, SETTINGS, insert

LINE = "evaluate_line"
"""Under this name `evaluate.queue.store.journal` leaves a connection's newest line: its number and link."""
_WRITES = "evaluate_writes"
_LOCK, _ALONE = 0x6576616C, 0x6576616D
"""PostgreSQL's advisory locks for writers and for `alone`; arbitrary, but not used by other programs there."""
_ALONE_SECONDS = 0.1
IDLE_SECONDS = 15.0
"""After which PostgreSQL ends a transaction whose process does nothing, so that others can take its locks."""
_BUSY_SECONDS = 60
_IDENTIFIED = "0005"
"""The first schema whose queues have an identity and a second file."""


class Database:
    """An open database, with the newest schema.

    Parameters
    ----------
    beside : sqlalchemy.Engine, optional
        Of the second file, with the details; by default they are inside.
    anchor : Anchor, optional
        Where every new end of the journal is noted; a copy has none.
    """

    def __init__(self, engine: sa.Engine, beside: sa.Engine | None = None, anchor: Anchor | None = None) -> None:
        self.engine = engine
        self._writer = engine.execution_options(**{_WRITES: True})
        self.beside, self.anchor = beside, anchor
        self.identity = ""
        apart = engine if beside is None else beside
        self.details = Details(apart.execution_options(**{_WRITES: True}), apart, engine)
        if beside is not None:
            sa.event.listen(engine, "engine_disposed", lambda _engine: beside.dispose())

    @property
    def shared(self) -> bool:
        """Whether several hosts may use it."""
        return self.engine.dialect.name == "postgresql"

    @property
    def url(self) -> str:
        """The URL in the form that DBOS expects."""
        return self.engine.url.render_as_string(hide_password=False)

    @contextmanager
    def note(self) -> Iterator[sa.Connection]:
        """One transaction that writes rows no other process writes; on PostgreSQL it waits for no other writer."""
        with self._writer.begin() as connection:
            yield connection

    @contextmanager
    def change(self) -> Iterator[sa.Connection]:
        """One transaction that writes; there is one at a time."""
        with self.note() as connection:
            if self.shared:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
            connection.info.pop(LINE, None)
            yield connection
            line = connection.info.pop(LINE, None)
        if line is not None and self.anchor is not None:
            self.anchor.note(Position(self.identity, *line))

    @contextmanager
    def snapshot(self) -> Iterator[sa.Connection]:
        """One transaction that reads everything as it is at one moment."""
        with self.engine.connect() as connection:
            if self.shared:
                connection.execute(sa.text("set transaction isolation level repeatable read, read only"))
            yield connection

    def position(self) -> Position:
        """Which queue it is, and the end of its journal."""
        with self.engine.connect() as connection:
            return _position(connection)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other hosts out meanwhile, for work outside our transactions. Does nothing on one host."""
        if not self.shared:
            yield
            return
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            # no transaction may be open, not even one that waits: `create index concurrently` waits for all of them
            while not connection.scalar(sa.select(sa.func.pg_try_advisory_lock(_ALONE))):
                time.sleep(_ALONE_SECONDS)
            try:
                yield
            finally:
                connection.execute(sa.select(sa.func.pg_advisory_unlock(_ALONE)))

    @property
    def reader(self) -> Reader:
        """The questions of `evaluate status`."""

        def ask(statement: str, parameters: Mapping[str, Any]) -> Sequence[sa.RowMapping]:
            with self.engine.connect() as connection:
                return connection.execute(sa.text(statement), parameters).mappings().all()

        return Reader(ask, lambda: str(self.now().compile(self.engine, compile_kwargs={"literal_binds": True})))

    def now(self) -> sa.ColumnElement[float]:
        """The time of the database's clock, the one clock that all hosts share; seconds since 1970."""
        if self.shared:
            return sa.cast(sa.func.extract("epoch", sa.func.clock_timestamp()), sa.Float)
        return sa.literal(time.time(), sa.Float)


def open_database(state: Path, url: str = "", *, copy: bool = False, known: bool = True) -> Database:
    """The database of a state directory, or the one that ``url`` names; created, or migrated to the newest schema.

    Parameters
    ----------
    copy : bool
        Whether it is a copy of a queue, in one file, which no process works on.
    known : bool
        Whether it must have what the state directory knows of it (`evaluate.queue.store.anchor`).

    Raises
    ------
    UsageError
        ``url`` is not a database URL.
    Fault
        The database cannot be reached, is damaged, has a newer schema, or has less than is known of it.
    """
    anchor = None if copy else Anchor(state)
    if url.startswith("postgresql"):
        try:
            engine = _on_server(sa.make_url(url))
        except (sa.exc.ArgumentError, ValueError) as e:  # the URL may contain a password
            raise UsageError("database: expected an address such as postgresql+psycopg://user@host:5432/name") from e
        try:
            engine.connect().close()
        except sa.exc.OperationalError as e:
            engine.dispose()
            raise Fault(f"database {engine.url!r} cannot be reached: {str(e.orig).strip()}") from e
        database = Database(engine, anchor=anchor)
        try:
            _prepare(database, repr(engine.url), known=known)
        except sa.exc.DatabaseError as e:
            engine.dispose()
            raise Fault(f"database {engine.url!r} cannot be used: {str(e.orig).strip()}") from e
        except Fault:
            engine.dispose()
            raise
        return database
    path = file_of(state, url)
    if anchor is not None and known and not (path.exists() and path.stat().st_size):
        uploads = state / "entries"
        if anchor.read() is not None or (uploads.is_dir() and any(uploads.iterdir())):
            raise anchor.refuse(f"{path} is {'empty' if path.exists() else 'missing'}", "Put it back")
    return _open_file(path, anchor, known=known)


def _on_server(url: sa.URL) -> sa.Engine:
    given = url.query.get("options", "")
    ends = f"-c idle_in_transaction_session_timeout={IDLE_SECONDS * 1000:.0f}"
    options = " ".join([ends, *([given] if isinstance(given, str) else given)]).strip()
    return sa.create_engine(url, pool_pre_ping=True, pool_size=10, max_overflow=40, connect_args={"options": options})


def details_file(path: Path) -> Path:
    """The second file of a queue's file."""
    return path.with_name(f"{path.stem}-details{path.suffix}")


def _open_file(path: Path, anchor: Anchor | None, *, known: bool) -> Database:
    if not path.exists():
        _touch(path)
    engine = _engine(path)
    beside = _engine(details_file(path)) if anchor is not None else None
    database = Database(engine, beside, anchor)
    try:
        _prepare(database, str(path), known=known)
    except sa.exc.DatabaseError as e:
        engine.dispose()
        raise Fault(f"{path} cannot be used: {e.orig}") from e
    except Fault:
        engine.dispose()
        raise
    return database


def _touch(path: Path) -> None:
    """Create a file for its owner alone."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as e:
        raise UsageError(f"database {path}: {e.strerror}") from e


def _engine(path: Path) -> sa.Engine:
    engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": _BUSY_SECONDS})

    @sa.event.listens_for(engine, "connect")
    def _settings(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where we begin them, not at the first write
        for setting in ("journal_mode=wal", "synchronous=full", "foreign_keys=on"):
            connection.execute(f"pragma {setting}")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        # a transaction that read before it writes may be refused at once, without any waiting
        connection.exec_driver_sql("begin immediate" if connection.get_execution_options().get(_WRITES) else "begin")

    return engine


def _prepare(database: Database, name: str, *, known: bool) -> None:
    """Compare the database with what is known of it, migrate it, and give a new queue its identity."""
    anchor = database.anchor
    found = _version(database)
    if found < _IDENTIFIED:
        if anchor is not None and known and anchor.read() is not None:
            raise anchor.refuse(f"{name} is empty, or of an earlier version", "Put the right database back")
        _create_beside(database)
    elif database.beside is not None and not Path(str(database.beside.url.database)).exists():
        raise Fault(f"{database.beside.url.database} is missing, which belongs to {name}; put it back")
    _migrate(database, name, found)
    with database.engine.connect() as connection:
        position = _position(connection)
        noted = anchor.read() if anchor is not None and known else None
        chain = None
        if noted is not None:
            chain = connection.scalar(sa.select(JOURNAL.c.chain).where(JOURNAL.c.number == noted.line))
    database.identity = position.identity
    if anchor is None:
        return
    if noted is not None:
        anchor.check(position.identity, position.line, chain, name)
    if not position.identity:
        with database.change() as connection:
            # another process may be doing the same
            database.identity = _position(connection).identity or uuid.uuid4().hex
            statement = insert(connection, SETTINGS).values(key=IDENTITY, value=database.identity)
            connection.execute(statement.on_conflict_do_nothing())
    if known and (noted is None or not position.identity):
        anchor.note(Position(database.identity, position.line, position.chain), sync=True)


def _create_beside(database: Database) -> None:
    if database.beside is not None:
        _touch(Path(str(database.beside.url.database)))
        with database.beside.execution_options(**{_WRITES: True}).begin() as connection:
            DETAILS.create(connection, checkfirst=True)


def _position(connection: sa.Connection) -> Position:
    identity = connection.scalar(sa.select(SETTINGS.c.value).where(SETTINGS.c.key == IDENTITY)) or ""
    for number, chain in ((JOURNAL.c.number, JOURNAL.c.chain), (JOURNAL_PARTS.c.last, JOURNAL_PARTS.c.chain)):
        if (row := connection.execute(sa.select(number, chain).order_by(number.desc()).limit(1)).first()) is not None:
            return Position(identity, row[0], row[1])
    return Position(identity, 0, "")


def _version(database: Database) -> str:
    """Number of the schema; empty if there is none."""
    with database.engine.connect() as connection:
        version = sa.table("alembic_version", sa.column("version_num"))
        known = sa.inspect(connection).has_table(version.name)
        return str(connection.scalar(sa.select(version.c.version_num))) if known else ""


def _migrate(database: Database, name: str, found: str) -> None:
    """Migrate the tables to the newest schema; if they have it, nothing is written and no writer is waited for."""
    migrations = Path(str(files("evaluate.queue.store") / "migrations"))
    newest = newest_schema()
    if found > newest:
        database.engine.dispose()
        raise Fault(f"{name} has schema {found} of a newer version of evaluate; this version supports up to {newest}")
    if found == newest:
        return
    from alembic import command  # noqa: PLC0415  # a tenth of a second that most commands need not wait for
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(migrations))
    with database.change() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
