"""The queue's database: one SQLite file in the state directory, or PostgreSQL for many hosts.

Theory of operation.  There is one writer at a time: SQLite allows no more, and on PostgreSQL a transaction that writes
first takes a lock of ours, so that numbers and the journal's chain have one order.  Readers never wait.  Threads of a
process take turns before they ask the server for that lock, so that a process stands in its queue once: if it freezes,
all others together lose `IDLE_SECONDS`, after which the server ends its transaction.  The server's limits are set for
every connection, and nothing waits for a network that is silent longer than `CONNECT_SECONDS` or `SILENT_SECONDS`.

A process has a fixed number of connections: those of a pool, which DBOS shares, one for heartbeats, which wait for
nothing else, and in a daemon one on which DBOS listens.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from evaluate.core.errors import Fault, UsageError
from evaluate.queue.store.reading import Reader, file_of, newest_schema
from evaluate.queue.store.tables import HOSTS

_WRITES = "evaluate_writes"
_LOCK, _ALONE = 0x6576616C, 0x6576616D
"""PostgreSQL's advisory locks for writers and for `alone`; arbitrary, but not used by other programs there."""
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
COMMAND_CONNECTIONS, DAEMON_CONNECTIONS = 1, 8
"""How many connections to a PostgreSQL server a command and a daemon have at most."""
POOL = DAEMON_CONNECTIONS - 2
"""Connections of a daemon besides those for heartbeats and for what DBOS listens to."""
_POOL_SECONDS = 30.0
_SPARE = 5
"""Connections that `check_connections` wants to be left for commands and the administrator's own tools."""


class Database:
    """An open database, with the newest schema.

    Parameters
    ----------
    beats : Engine, optional
        For heartbeats, which must not wait for a free connection of ``engine``; by default that one.
    """

    def __init__(self, engine: sa.Engine, beats: sa.Engine | None = None) -> None:
        self.engine = engine
        self._writer = engine.execution_options(**{_WRITES: True})
        self._beats = beats or engine
        self._turn = threading.Lock()
        if beats is not None:
            sa.event.listen(engine, "engine_disposed", lambda _: beats.dispose())

    @property
    def shared(self) -> bool:
        """Whether several hosts may use it."""
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
    def change(self) -> Iterator[sa.Connection]:
        """One transaction that writes; there is one at a time."""
        with self._turn, self._writer.begin() as connection:
            if self.shared:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
            yield connection

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other hosts out meanwhile, for work outside our transactions. Does nothing on one host.

        Raises
        ------
        Fault
            Another host does not let go for a long time.
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


def _limit_idle_session(connection: sa.Connection, seconds: float) -> None:
    """Let the server end a session that does nothing, outside a transaction too; 0: as usual."""
    if (connection.dialect.server_version_info or (0,)) >= (14,):
        name = "idle_session_timeout"
        connection.exec_driver_sql(f"set {name} = {seconds * 1000:.0f}" if seconds else f"reset {name}")


def open_database(state: Path, url: str = "", *, pool: int = POOL) -> Database:
    """The database of a state directory, or the one that ``url`` names; created, or migrated to the newest schema.

    Parameters
    ----------
    pool : int
        How many connections to a server there may be at once, apart from that of heartbeats.

    Raises
    ------
    UsageError
        ``url`` is not a database URL.
    Fault
        The database cannot be reached, is damaged, or has a newer schema.
    """
    if url.startswith("postgresql"):
        return _open_server(url, pool)
    return _open_file(file_of(state, url))


def _open_server(url: str, pool: int) -> Database:
    try:
        engine = _on_server(sa.make_url(url), pool)
    except (sa.exc.ArgumentError, ValueError) as e:  # the URL may contain a password
        raise UsageError("database: expected an address such as postgresql+psycopg://user@host:5432/name") from e
    database = Database(engine, _on_server(engine.url, 1))
    try:
        engine.connect().close()
    except sa.exc.OperationalError as e:
        engine.dispose()
        raise Fault(f"database {engine.url!r} cannot be reached: {str(e.orig).strip()}") from e
    try:
        _migrate(database, repr(engine.url))
    except sa.exc.DatabaseError as e:
        engine.dispose()
        raise Fault(f"database {engine.url!r} cannot be used: {str(e.orig).strip()}") from e
    return database


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
    own = {name: value for name, value in connect.items() if name == "options" or name not in url.query}
    return sa.create_engine(
        url, pool_pre_ping=True, pool_size=pool, max_overflow=0, pool_timeout=_POOL_SECONDS, connect_args=own
    )


def passes(error: sa.exc.SQLAlchemyError) -> bool:
    """Whether an error of the database is one that ends by itself: a restart, a cut network, a full disk, a timeout."""
    if isinstance(error, sa.exc.TimeoutError):
        return True  # no free connection
    if not isinstance(error, sa.exc.DBAPIError):
        return False
    name = getattr(error.orig, "sqlite_errorname", None)
    if name is not None:
        return str(name).startswith(("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN"))
    idle = getattr(error.orig, "sqlstate", None) == "25P03"  # this process did nothing for `IDLE_SECONDS`
    return idle or error.connection_invalidated or isinstance(error, sa.exc.OperationalError | sa.exc.InterfaceError)


def check_connections(database: Database) -> tuple[bool, str]:
    """Whether a server has enough connections for the hosts that are alive, and what was found."""
    limits = ("max_connections", "superuser_reserved_connections")
    with database.engine.connect() as connection:
        most, reserved = (int(connection.exec_driver_sql(f"show {name}").scalar_one()) for name in limits)
        used = connection.scalar(sa.text("select count(*) from pg_stat_activity where backend_type = 'client backend'"))
        alive = connection.scalar(sa.select(sa.func.count()).select_from(HOSTS)) or 0
    needed = DAEMON_CONNECTIONS * max(alive, 1) + _SPARE
    free = most - reserved
    text = (
        f"{max(alive, 1)} hosts with up to {DAEMON_CONNECTIONS} connections each, and {_SPARE} for commands: "
        f"{needed} of the {free} that the server allows (max_connections {most}); {used} are in use now"
    )
    if needed > free:
        text += f"; set max_connections to at least {needed + reserved}, and restart the server"
    return needed <= free, text


def _open_file(path: Path) -> Database:
    new = not path.exists()
    if new:
        try:
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        except OSError as e:
            raise UsageError(f"database {path}: {e.strerror}") from e
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

    database = Database(engine)
    try:
        if not new:
            with engine.connect() as connection:
                said = connection.exec_driver_sql("pragma quick_check").scalar()
            if said != "ok":
                raise Fault(f"{path} is damaged: {said}; restore a backup, or rebuild it from the journal")
        _migrate(database, str(path))
    except sa.exc.DatabaseError as e:
        engine.dispose()
        raise Fault(f"{path} cannot be used: {e.orig}") from e
    except Fault:
        engine.dispose()
        raise
    return database


def _migrate(database: Database, name: str) -> None:
    """Migrate the tables to the newest schema; if they have it, nothing is written and no writer is waited for."""
    migrations = Path(str(files("evaluate.queue.store") / "migrations"))
    newest = newest_schema()
    with database.engine.connect() as connection:
        version = sa.table("alembic_version", sa.column("version_num"))
        known = sa.inspect(connection).has_table(version.name)
        found = str(connection.scalar(sa.select(version.c.version_num))) if known else ""
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
        if database.shared:
            connection.exec_driver_sql("set local statement_timeout = 0")  # it may have to write every row
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
