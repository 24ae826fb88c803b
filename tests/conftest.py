"""Fixtures of all tests."""

import fcntl
import logging
import os
import signal
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from logging.handlers import BufferingHandler
from pathlib import Path
from typing import IO, Any

import pytest
from hypothesis import settings

from tests.support import unflushed  # noqa: F401
from tests.support.postgres import BINARIES, Server, server
from tests.support.servers import Held

# the gate gives the same answer twice; `--hypothesis-profile default` goes looking for new cases
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)  # a busy host is no failure
settings.load_profile("repeatable")

# a shell lets what it starts in the background ignore Ctrl-C, and so what the tests start in turn
signal.signal(signal.SIGINT, signal.default_int_handler)

# daemons of tests are started by whoever runs them, also by root on a machine that is a server
os.environ.setdefault("EVALUATE_AS_ROOT", "1")

CHECKOUT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("EVALUATE_SHARED", CHECKOUT.parent / "shared"))
"""Conformance vectors and real data, which for their licences are not part of the project."""


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name of an argument in place of bytes, which may hold the time at which a worker compressed them.

    Workers that collect tests of other names run none of them.
    """
    return argname if isinstance(val, bytes) else None


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of conformance vectors and real data; the test is skipped where it is absent."""
    if not (SHARED / "conformance").is_dir():
        pytest.skip(f"no folder of conformance vectors at {SHARED} (set EVALUATE_SHARED)")
    return SHARED


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server; the test is skipped where Debian's package ``postgresql`` is not installed."""
    if not BINARIES:
        pytest.skip("no PostgreSQL server on this machine (Debian package postgresql)")
    from evaluate.store.db import database

    # a busy machine may let this process wait for longer in the middle of a transaction
    with pytest.MonkeyPatch.context() as patch, server() as postgres_server:
        patch.setattr(database, "IDLE_SECONDS", 300.0)
        yield postgres_server


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A browser; the test is skipped where Debian's package ``chromium`` is not installed."""
    from tests.support.browser import CHROMIUM, chromium

    if not CHROMIUM.is_file():
        pytest.skip(f"no browser on this machine: {CHROMIUM} (Debian package chromium)")
    with chromium() as browser_:
        yield browser_


@pytest.fixture
def passable() -> Iterator[Path]:
    """A folder that other users of this machine can enter."""
    from tests.support.passable import passable_folder

    with passable_folder() as folder:
        yield folder


@pytest.fixture
def log() -> Iterator[list[logging.LogRecord]]:
    """Log of the program, each record once, whatever earlier tests did to the handlers of its logger."""
    logger, handler = logging.getLogger("evaluate"), BufferingHandler(sys.maxsize)
    logger.addHandler(handler)
    yield handler.buffer
    logger.removeHandler(handler)


#: Daily work asks the file alone: tests on a server are a sixth of the time.
DATABASES = ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)]


@pytest.fixture
def held() -> Iterator[Held]:
    """The ends of a server that holds when it is loaded."""
    with closing(Held()) as ends:
        yield ends


@pytest.fixture(params=DATABASES)
def database_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """A database of each kind for a queue of its own; empty: the SQLite file of the state directory."""
    with _databases(request, Server.database) as new:
        yield new()


@pytest.fixture(params=DATABASES)
def queue_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """As `database_url`, with the tables of an empty queue."""
    with _databases(request, Server.queue) as new:
        yield new()


@pytest.fixture(scope="module", params=DATABASES)
def queue_urls(request: pytest.FixtureRequest) -> Iterator[Callable[[], str]]:
    """Makes such databases, for a test that needs a new one for each of its examples."""
    with _databases(request, Server.queue) as new:
        yield new


@contextmanager
def _databases(request: pytest.FixtureRequest, make: Callable[[Server, str], str]) -> Iterator[Callable[[], str]]:
    """Makes databases, which are dropped afterwards."""
    if request.param == "sqlite":
        yield str
        return
    server: Server = request.getfixturevalue("postgres")
    names: list[str] = []

    def new() -> str:
        names.append(f"queue_{uuid.uuid4().hex}")
        return make(server, names[-1])

    yield new
    for name in names:
        server.drop(name)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Let so many tests run virtual machines at once as a guest under emulation has processors here.

    More workers than processors run the others meanwhile, which mostly wait.
    """
    if item.get_closest_marker("vm") is None:
        return (yield)
    with ExitStack() as held:
        folder = Path(tempfile.gettempdir(), f"evaluate-tests-{os.geteuid()}")
        folder.mkdir(mode=0o700, exist_ok=True)
        files = [held.enter_context((folder / f"machine-{n}").open("w")) for n in range(os.cpu_count() or 1)]
        while not any(map(_is_locked, files)):
            time.sleep(0.2)
        return (yield)


def _is_locked(file: IO[str]) -> bool:
    """Lock a file, which closing it unlocks; False if another process holds it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def pytest_addoption(parser: pytest.Parser) -> None:
    """Our own option."""
    parser.addoption("--regenerate", action="store_true", help="rewrite the kept files that tests compare with")
