"""A PostgreSQL server for the tests, on loopback; see the fixture `postgres` in ``tests/conftest.py``."""

import os
import pwd
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import psycopg

from evaluate.store.entries.store import open_store
from tests.support.loopback import free_port

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
USER = "postgres"
"""The user that Debian's package creates; the server refuses to run as root."""


_MEMORY, _ENOUGH_BYTES = Path("/dev/shm"), 4 << 30
_STATEMENT = re.compile(r" LOG:  (?:statement|execute [^:]*): ")


@dataclass(kw_only=True)
class Server:
    """A server that was started."""

    folder: Path
    port: int

    def database(self, name: str, template: str = "") -> str:
        """Create a database, or copy another; returns its URL."""
        words = f"template {template} strategy file_copy" if template else ""
        self._execute(f"create database {name} {words}")
        return f"postgresql+psycopg://{self._user}@127.0.0.1:{self.port}/{name}"

    def queue(self, name: str) -> str:
        """Create a database with an empty queue, as a copy, since migrations take long; returns its URL."""
        return self.database(name, self._empty)

    def drop(self, name: str) -> None:
        """Remove a database, whoever still uses it."""
        self._execute(f"drop database if exists {name} with (force)")

    @cached_property
    def _empty(self) -> str:
        with tempfile.TemporaryDirectory() as state:
            open_store(Path(state), self.database("empty_queue")).engine.dispose()
        return "empty_queue"

    def logged_statements(self) -> int:
        """Number of statements sent to the databases that log all of theirs, transactions' ends included."""
        return len(_STATEMENT.findall((self.folder / "log").read_text(errors="replace")))

    def logged_locks(self, number: int) -> int:
        """Number of times that the lock of this number was taken by one alone, in the same databases."""
        alone = rf"pg_advisory_xact_lock\(\$1::\w+\)[^\n]*\n[^\n]*DETAIL:  [Pp]arameters: \$1 = '{number}'"
        return len(re.findall(alone, (self.folder / "log").read_text(errors="replace")))

    def log_statements(self, name: str) -> None:
        """Let the server log every statement of new sessions of a database."""
        self._execute(f"alter database {name} set log_statement = 'all'")

    def start(self) -> None:
        """Start it; ready when this returns."""
        # a killed server loses nothing by this, only a machine whose power fails
        options = f"-c fsync=off -c full_page_writes=off -c listen_addresses=127.0.0.1 -p {self.port} -k {self.folder}"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-t", "60", "-l", log, "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it: ``fast``, or ``immediate`` as if it were killed."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-m", mode, "stop")

    @property
    def _user(self) -> str:
        return USER if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name

    def _execute(self, statement: str) -> None:
        address = f"host={self.folder} port={self.port} user={self._user} dbname=postgres"
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(statement.encode())

    def _run(self, program: str, *words: str) -> None:
        argv = [str(BINARIES[-1].with_name(program)), *words]
        if os.geteuid() == 0:
            argv = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups", *argv]
        done = subprocess.run(argv, cwd="/", capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{program}: {done.stdout}{done.stderr}"


def _parent() -> Path:
    """Memory, if there is enough: on a disk, making and removing databases took longer than what tests ask of them."""
    return _MEMORY if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ENOUGH_BYTES else Path("/var/tmp")


@contextmanager
def server() -> Iterator[Server]:
    """A new server on a free port, which trusts all that reach it, stopped and removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="evaluate-pg-", dir=_parent()) as name:
        folder = Path(name)
        if os.geteuid() == 0:
            shutil.chown(folder, USER, USER)
        postgres = Server(folder=folder, port=free_port())
        postgres._run(
            "initdb", "-D", str(folder / "data"), "--auth=trust", "--encoding=UTF8", "--no-sync", "--locale=C.UTF-8"
        )
        postgres.start()
        try:
            yield postgres
        finally:
            if (folder / "data" / "postmaster.pid").exists():
                postgres.stop("immediate")
