"""The queue's database: one SQLite file in the state directory, or PostgreSQL for many hosts.

Theory of operation. On SQLite there is one writer at a time. On PostgreSQL, what organisers do (`Database.change`) is
one at a time too, by a lock of its own; everything on the path of an entry (`Database.step`) shares that lock: it
changes rows of its own, or takes a lock on a name with those who change the same. Only the journal's chain has one
order for all: a step takes its lock last, for the moment in which its lines are added. Readers never wait.

Threads of a process take turns before they ask the server for a lock that all writers want, so that a process stands in
its queue once: if it freezes, all others together lose `IDLE_SECONDS`, after which the server ends its transaction.
The server's limits are set for every connection, and nothing waits for a network that is silent longer than
`CONNECT_SECONDS` or `SILENT_SECONDS`.

A process has a fixed number of connections: those of a pool, one for heartbeats, which wait for nothing else, and in a
daemon those of DBOS, which has a pool of its own: one of its connections is always in use, and a stage that ends needs
one of either pool.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa

from evaluate.core.errors import Fault, UsageError
from evaluate.core.files import is_read_only
from evaluate.store.db.anchor import Anchor, Position
from evaluate.store.db.blobs import Details
from evaluate.store.db.tables import JOURNAL, SETTINGS, insert

FILE = "queue.sqlite"
IDENTITY = "identity"
"""Key of the setting that says which queue this is; the same in its backups."""
LINE = "evaluate_line"
"""Under this name `evaluate.store.db.journal` leaves a connection's newest line: its number and link."""
LAST = "evaluate_last"
"""Under this name a connection has what its step does last (`Last`)."""
_WRITES = "evaluate_writes"
_CACHE_KIB = 32 << 10
"""KiB of a file that SQLite keeps in memory at most: a board reads indexes of all ended entries."""
_LOCK, _ALONE, _CHAIN = 0x6576616C, 0x6576616D, 0x6576616E
"""PostgreSQL's advisory locks for writers, for `alone` and for the journal; arbitrary, but not used by others there."""
_ALONE_SECONDS = 0.1
IDLE_SECONDS = 5.0
"""After which PostgreSQL ends a transaction whose process does nothing, so that others can take its locks."""
ALONE_SECONDS = 120.0
"""The same for a process that keeps the others out (`Database.alone`)."""
_BUSY_SECONDS = 60
"""The longest that a writer waits for the others."""
_STATEMENT_SECONDS = 120.0
CONNECT_SECONDS, SILENT_SECONDS = 10, 20
"""Until a server that does not answer at all counts as gone: for a new connection, and for one that exists."""
POOL, ENGINE_POOL = 6, 3
"""Connections of a daemon to a PostgreSQL server besides that of heartbeats: its own, and those of DBOS."""
COMMAND_CONNECTIONS = 1
"""Connections of a command; a daemon has three more than those above: DBOS listens on one, and its client has one."""
_POOL_SECONDS = 30.0
_QUIET_SECONDS = 2.0
"""After which a connection is asked first whether it still works; what breaks before is seen by its user."""
_SNAPSHOT_SECONDS = 600
"""The same as `IDLE_SECONDS` for a transaction that only reads."""


class ReadOnly(Fault):
    """The disk is mounted read-only, so nothing can be changed."""


class Last:
    """Work that a step does last, while it holds the lock of the journal's chain."""

    def __init__(self) -> None:
        self.lines: list[Any] = []
        """Lines of the journal (`evaluate.store.db.journal`)."""
        self.works: list[Callable[[], object]] = []


class Database:
    """An open database, with the newest schema.

    * ``beats``: for heartbeats, which must not wait for a free connection of ``engine``; by default that one.
    * ``anchor``: where every new end of the journal is noted; a copy has none.
    * ``steps``: number of steps at once on a server. Each may ask by a second connection, which must be free.
    """

    def __init__(
        self,
        engine: sa.Engine,
        beats: sa.Engine | None = None,
        anchor: Anchor | None = None,
        steps: int = 1,
    ) -> None:
        self.engine = engine
        self._writer = engine.execution_options(**{_WRITES: True})
        self._asking = engine.execution_options(isolation_level="AUTOCOMMIT") if self.shared else engine
        self._beats = beats or engine
        self._turn, self._chain = threading.Lock(), threading.Lock()
        self._steps = threading.Semaphore(max(1, steps)) if self.shared else self._turn
        self.anchor = anchor
        self.identity = ""
        self.details = Details(engine, self.at_once, self.ask)
        if beats is not None:
            sa.event.listen(engine, "engine_disposed", lambda _engine: self._beats.dispose())

    @property
    def shared(self) -> bool:
        """True if several hosts may use it."""
        return self.engine.dialect.name == "postgresql"

    @property
    def url(self) -> str:
        """The URL in the form that DBOS expects."""
        return self.engine.url.render_as_string(hide_password=False)

    @contextmanager
    def beat(self) -> Iterator[sa.Connection]:
        """For one statement about leases, which on PostgreSQL waits for no writer and no other thread."""
        if not self.shared:
            with self.engine.begin() as connection:
                yield connection
            return
        # without a transaction: a process that freezes behind its statement leaves no lock on the row
        with self._beats.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            yield connection

    @contextmanager
    def ask(self) -> Iterator[sa.Connection]:
        """For questions that need not see one moment; on PostgreSQL each is one statement, without a transaction."""
        with self._asking.connect() as connection:
            yield connection

    @contextmanager
    def at_once(self) -> Iterator[sa.Connection]:
        """For statements that write, each of which is right alone; on PostgreSQL they wait for no other writer."""
        if self.shared:
            with self._asking.connect() as connection:
                yield connection
        else:
            with self.change() as connection:
                yield connection

    @contextmanager
    def change(self) -> Iterator[sa.Connection]:
        """One transaction that writes; there is one at a time.

        Raises ReadOnly if the disk of the database, or of the state directory, is read-only.
        """
        with self._noted(self._turn) as connection:
            if self.shared:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
            yield connection

    @contextmanager
    def step(self, *names: str) -> Iterator[sa.Connection]:
        """One transaction that writes beside others: on PostgreSQL it waits for `change`, and for one of the same name.

        ``names``: of what it changes besides rows of attempts that this process owns.
        """
        with ExitStack() as chain, self._noted(self._steps) as connection:
            if self.shared:
                locks = [sa.func.pg_advisory_xact_lock_shared(_LOCK)]
                locks += [
                    sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(name, _LOCK)) for name in sorted(names)
                ]
                connection.execute(sa.select(*locks))
            connection.info[LAST] = last = Last()
            try:
                yield connection
            finally:
                del connection.info[LAST]
            if last.works and self.shared:
                while not self._chain.acquire(timeout=IDLE_SECONDS / 5):
                    connection.execute(sa.select(1))  # the server ends a transaction that does nothing
                chain.callback(self._chain.release)
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_CHAIN)))
            for work in last.works:
                work()

    @contextmanager
    def _noted(self, turn: threading.Lock | threading.Semaphore) -> Iterator[sa.Connection]:
        self._refuse_read_only()
        with turn, self._writer.begin() as connection:
            connection.info.pop(LINE, None)
            yield connection
            line = connection.info.pop(LINE, None)
        if line is not None and self.anchor is not None:
            self.anchor.note(Position(self.identity, *line))

    def _refuse_read_only(self) -> None:
        folders = [] if self.anchor is None else [self.anchor.path.parent]
        if not self.shared:
            folders.append(Path(str(self.engine.url.database)).parent)
        for folder in folders:
            if is_read_only(folder):
                raise ReadOnly(f"{folder} is on a disk that is mounted read-only; nothing was changed")

    @contextmanager
    def snapshot(self) -> Iterator[sa.Connection]:
        """One transaction that reads everything as it is at one moment."""
        with self.engine.connect() as connection:
            if self.shared:
                connection.execute(sa.text("set transaction isolation level repeatable read, read only"))
                # it keeps no writer waiting
                connection.exec_driver_sql(
                    f"set local idle_in_transaction_session_timeout = {_SNAPSHOT_SECONDS * 1000}"
                )
            yield connection

    def count_rows(self) -> None:
        """Let SQLite estimate what its indexes select, so that it chooses well among them; takes milliseconds."""
        if not self.shared:
            with self._turn, self._writer.begin() as connection:
                connection.exec_driver_sql("pragma analysis_limit = 400")
                connection.exec_driver_sql("analyze")

    def position(self) -> Position:
        """Identity of the queue, and the end of its journal."""
        with self.ask() as connection:
            return _position(connection)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other hosts out meanwhile, for work outside our transactions. Does nothing on one host.

        Raises Fault if another host does not let go for a long time.
        """
        if not self.shared:
            yield
            return
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            # no transaction may be open, not even one that waits: `create index concurrently` waits for all of them
            until = time.monotonic() + 2 * ALONE_SECONDS
            while not connection.scalar(sa.select(sa.func.pg_try_advisory_lock(_ALONE))):
                if time.monotonic() > until:
                    raise Fault(
                        f"database: another host has been starting for {2 * ALONE_SECONDS:.0f} s; look for a frozen one"
                    )
                time.sleep(_ALONE_SECONDS)
            _limit_idle_session(connection, ALONE_SECONDS)
            try:
                yield
            finally:
                connection.execute(sa.select(sa.func.pg_advisory_unlock(_ALONE)))
                _limit_idle_session(connection, 0)

    def now(self) -> sa.ColumnElement[float]:
        """The time of the database's clock, the one clock that all hosts share; seconds since 1970."""
        if self.shared:
            return sa.cast(sa.func.extract("epoch", sa.func.clock_timestamp()), sa.Float)
        return sa.literal(time.time(), sa.Float)


def at_last(connection: sa.Connection, work: Callable[[], object]) -> None:
    """Change rows that all share at the end of a step, when no other process does; in another transaction at once."""
    last: Last | None = connection.info.get(LAST)
    if last is None:
        work()
    else:
        last.works.append(work)


def _limit_idle_session(connection: sa.Connection, seconds: float) -> None:
    """Let the server end a session that does nothing, outside a transaction too; 0: as usual."""
    name = "idle_session_timeout"
    connection.exec_driver_sql(f"set {name} = {seconds * 1000:.0f}" if seconds else f"reset {name}")


def open_database(
    state: Path, url: str = "", *, pool: int = POOL, copy: bool = False, compare: bool = True
) -> Database:
    """The database of a state directory, or the one that ``url`` names; created, or migrated to the newest schema.

    Raises UsageError if ``url`` is not a database URL. Raises Fault if the database cannot be reached, is damaged, has
    a newer schema, or has less than is known of it.

    * ``pool``: number of connections to a server at once, apart from that of heartbeats.
    * ``copy``: true for a copy of a queue, in one file, which no process works on.
    * ``compare``: true if it must have what the state directory knows of it (`evaluate.store.db.anchor`).
    """
    anchor = None if copy else Anchor(state)
    if url.startswith("postgresql"):
        database = _server(url, pool, anchor)
        name = f"database {database.engine.url!r}"
    else:
        path = file_of(state, url)
        name = str(path)
        if anchor is not None and compare:
            noted, uploads = anchor.read(), state / "entries"
            used = noted is not None or (uploads.is_dir() and any(uploads.iterdir()))
            if used and not (path.exists() and path.stat().st_size):
                raise anchor.refuse(noted, f"{path} is {'empty' if path.exists() else 'missing'}", "Put it back")
        if not path.exists():
            _touch(path)
        database = Database(_engine(path), anchor=anchor)
    try:
        _prepare(database, name, compare=compare)
    except (sa.exc.DatabaseError, UnicodeDecodeError) as e:  # the latter where a name in its schema is damaged
        database.engine.dispose()
        raise Fault(f"{name} cannot be used: {str(getattr(e, 'orig', e)).strip()}") from e
    except Fault:
        database.engine.dispose()
        raise
    return database


def _server(url: str, pool: int, anchor: Anchor | None) -> Database:
    try:
        engine = _on_server(sa.make_url(url), pool)
    except (sa.exc.ArgumentError, ValueError) as e:  # the URL may contain a password
        raise UsageError("database: expected an address such as postgresql+psycopg://user@host:5432/name") from e
    try:
        engine.connect().close()
    except sa.exc.OperationalError as e:
        engine.dispose()
        raise Fault(f"database {engine.url!r} cannot be reached: {str(e.orig).strip()}") from e
    return Database(engine, _on_server(engine.url, 1), anchor=anchor, steps=pool // 3)


def _on_server(url: sa.URL, pool: int) -> sa.Engine:
    given = url.query.get("options", "")
    limits = {
        "idle_in_transaction_session_timeout": IDLE_SECONDS,
        "lock_timeout": _BUSY_SECONDS,
        "statement_timeout": _STATEMENT_SECONDS,
        # the server's side of a network that was cut
        "tcp_user_timeout": SILENT_SECONDS,
    }
    settings = [f"-c {name}={seconds * 1000:.0f}" for name, seconds in limits.items()]
    connect = {
        "options": " ".join([*settings, *([given] if isinstance(given, str) else given)]).strip(),
        "connect_timeout": CONNECT_SECONDS,
        "tcp_user_timeout": SILENT_SECONDS * 1000,
        "keepalives_idle": CONNECT_SECONDS,
        "keepalives_interval": 5,
        "keepalives_count": 2,
        "application_name": "evaluate",
    }
    arguments = {name: value for name, value in connect.items() if name == "options" or name not in url.query}
    engine = sa.create_engine(url, pool_size=pool, max_overflow=0, pool_timeout=_POOL_SECONDS, connect_args=arguments)
    used = "evaluate_used"

    @sa.event.listens_for(engine, "checkin")
    def _used(_connection: Any, record: Any) -> None:
        record.info[used] = time.monotonic()

    @sa.event.listens_for(engine, "checkout")
    def _ask(connection: Any, record: Any, _proxy: Any) -> None:
        now = time.monotonic()
        if now - record.info.get(used, now) < _QUIET_SECONDS:
            return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as e:
            raise sa.exc.DisconnectionError from e

    return engine


def passes(error: sa.exc.SQLAlchemyError) -> bool:
    """True if an error of the database is one that ends by itself: a restart, a cut network, a full disk, a timeout."""
    if isinstance(error, sa.exc.TimeoutError | sa.exc.PendingRollbackError):
        return True  # no free connection, or one that was lost within its transaction
    if not isinstance(error, sa.exc.DBAPIError):
        return False
    name = getattr(error.orig, "sqlite_errorname", None)
    if name is not None:
        return str(name).startswith(("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN"))
    idle = getattr(error.orig, "sqlstate", None) == "25P03"  # this process did nothing for `IDLE_SECONDS`
    return idle or error.connection_invalidated or isinstance(error, sa.exc.OperationalError | sa.exc.InterfaceError)


def newest_schema() -> str:
    """The number of the schema that this version writes."""
    versions = Path(str(files("evaluate.store.db"))) / "migrations" / "versions"
    return max(path.name for path in versions.glob("*.py")).partition("_")[0]


def file_of(state: Path, url: str = "") -> Path:
    """The SQLite file of a state directory, or the one that ``url`` names."""
    return Path(url.removeprefix("sqlite:///")) if url else state / FILE


def connected(path: Path, timeout: float) -> sqlite3.Connection:
    """A connection to a SQLite file, which may be used by one thread after another; on a read-only disk, to look."""
    if not is_read_only(path.parent):
        return sqlite3.connect(path, timeout=timeout, check_same_thread=False)
    log = path.with_name(f"{path.name}-wal")
    # without a log nothing else is needed, and SQLite may not ask for it
    mode = "mode=ro" if log.exists() and log.stat().st_size else "immutable=1"
    return sqlite3.connect(f"file:{quote(str(path))}?{mode}", timeout=timeout, uri=True, check_same_thread=False)


def _touch(path: Path) -> None:
    """Create a file for its owner alone."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as e:
        raise UsageError(f"database {path}: {e.strerror}") from e


def _engine(path: Path) -> sa.Engine:
    url = sa.URL.create("sqlite", database=str(path))  # DBOS reads it: a path may have any letters
    engine = sa.create_engine(url, creator=lambda: connected(path, _BUSY_SECONDS))
    changes = () if is_read_only(path.parent) else ("journal_mode=wal",)

    @sa.event.listens_for(engine, "connect")
    def _settings(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where we begin them, not at the first write
        for setting in (*changes, "synchronous=full", "foreign_keys=on", f"cache_size=-{_CACHE_KIB}"):
            connection.execute(f"pragma {setting}")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        # a transaction that read before it writes may be refused at once, without any waiting
        connection.exec_driver_sql("begin immediate" if connection.get_execution_options().get(_WRITES) else "begin")

    return engine


def _prepare(database: Database, name: str, *, compare: bool) -> None:
    """Compare the database with what is known of it, migrate it, and give a new queue its identity."""
    anchor = database.anchor
    noted = anchor.read() if anchor is not None and compare else None  # before the database, to which others may add
    version = _version(database)
    if not version and anchor is not None and noted is not None:
        raise anchor.refuse(noted, f"{name} is empty", "Put the right database back")
    _migrate(database, name, version)
    with database.engine.connect() as connection:
        position = _position(connection)
        chain = None
        if noted is not None:
            chain = connection.scalar(sa.select(JOURNAL.c.chain).where(JOURNAL.c.number == noted.line))
    database.identity = position.identity
    if anchor is not None:
        if noted is not None:
            anchor.check(noted, position, chain, name)
        if is_read_only(anchor.path.parent):
            return
    if not position.identity:
        with database.change() as connection:
            # another process may be doing the same
            database.identity = _position(connection).identity or uuid.uuid4().hex
            statement = insert(connection, SETTINGS).values(key=IDENTITY, value=database.identity)
            connection.execute(statement.on_conflict_do_nothing())
    if anchor is not None and compare and (noted is None or not position.identity):
        anchor.note(Position(database.identity, position.line, position.chain), sync=True)


def _position(connection: sa.Connection) -> Position:
    identity = connection.scalar(sa.select(SETTINGS.c.value).where(SETTINGS.c.key == IDENTITY)) or ""
    newest = sa.select(JOURNAL.c.number, JOURNAL.c.chain).order_by(JOURNAL.c.number.desc()).limit(1)
    row = connection.execute(newest).first()
    return Position(identity, 0, "") if row is None else Position(identity, row[0], row[1])


def _version(database: Database) -> str:
    """Number of the schema; empty if there is none."""
    with database.engine.connect() as connection:
        version = sa.table("alembic_version", sa.column("version_num"))
        migrated = sa.inspect(connection).has_table(version.name)
        return str(connection.scalar(sa.select(version.c.version_num))) if migrated else ""


def _migrate(database: Database, name: str, version: str) -> None:
    """Migrate the tables to the newest schema; if they have it, nothing is written and no writer is waited for."""
    migrations = Path(str(files("evaluate.store.db") / "migrations"))
    newest = newest_schema()
    if version > newest:
        database.engine.dispose()
        raise Fault(
            f"{name} has schema {version} of a newer version of evaluate; this version supports up to {newest}. "
            "Nothing was changed: install that version again, or restore a backup from before the upgrade"
        )
    if version == newest:
        return
    if not database.shared and is_read_only(Path(str(database.engine.url.database)).parent):
        raise ReadOnly(
            f"{name} is empty or of an earlier version, and on a disk that is mounted read-only: it cannot be migrated"
        )
    from alembic import command  # noqa: PLC0415  # a tenth of a second that most commands need not wait for
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(migrations))
    with database.change() as connection:
        if database.shared:
            connection.exec_driver_sql("set local statement_timeout = 0")  # it may have to write every row
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
