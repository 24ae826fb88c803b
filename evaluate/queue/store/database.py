"""The queue's database: one SQLite file in the state directory, or PostgreSQL for many hosts.

Theory of operation.  There is one writer at a time: SQLite allows no more, and on PostgreSQL a transaction that writes
first takes a lock of ours, so that numbers and the journal's chain have one order.  Readers never wait.  A process that
stops in the middle of a transaction, such as one on a machine that is suspended, loses it after a while.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from evaluate.core.errors import Fault, UsageError
from evaluate.queue.store.reading import Reader, file_of, newest_schema

_WRITES = "evaluate_writes"
_LOCK, _ALONE = 0x6576616C, 0x6576616D
"""PostgreSQL's advisory locks for writers and for `alone`; arbitrary, but not used by other programs there."""
_ALONE_SECONDS = 0.1
IDLE_SECONDS = 15.0
"""After which PostgreSQL ends a transaction whose process does nothing, so that others can take its locks."""
_BUSY_SECONDS = 60


class Database:
    """An open database, with the newest schema."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine
        self._writer = engine.execution_options(**{_WRITES: True})

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
            yield connection

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


def open_database(state: Path, url: str = "") -> Database:
    """The database of a state directory, or the one that ``url`` names; created, or migrated to the newest schema.

    Raises
    ------
    UsageError
        ``url`` is not a database URL.
    Fault
        The database cannot be reached, is damaged, or has a newer schema.
    """
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
        database = Database(engine)
        try:
            _migrate(database, repr(engine.url))
        except sa.exc.DatabaseError as e:
            engine.dispose()
            raise Fault(f"database {engine.url!r} cannot be used: {str(e.orig).strip()}") from e
        return database
    return _open_file(file_of(state, url))


def _on_server(url: sa.URL) -> sa.Engine:
    given = url.query.get("options", "")
    ends = f"-c idle_in_transaction_session_timeout={IDLE_SECONDS * 1000:.0f}"
    options = " ".join([ends, *([given] if isinstance(given, str) else given)]).strip()
    return sa.create_engine(url, pool_pre_ping=True, pool_size=10, max_overflow=40, connect_args={"options": options})


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
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
