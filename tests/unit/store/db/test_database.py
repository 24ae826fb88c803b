import random
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
import sqlalchemy as sa

from evaluate.core.errors import Fault, UsageError
from evaluate.core.model import Stage
from evaluate.operate.audit import verify
from evaluate.store.db import database, journal
from evaluate.store.db.database import FILE, IDLE_SECONDS, POOL, at_last, open_database, passes
from evaluate.store.db.reasons import NO_REASON
from evaluate.store.db.rows import State
from evaluate.store.db.settings import keep_in, setting_in
from evaluate.store.entries.store import Store, advance
from tests.chaos.audit import wait_for
from tests.support.postgres import Server
from tests.support.queues import ON_A_SERVER, keep_result, queue, result, upload

WRITERS, EACH = 3, 8
LIMIT = 600.0
SUBMIT = """
import sys
from pathlib import Path
from evaluate.store.entries.store import open_store
from tests.support.queues import upload
open_store(Path(sys.argv[1]), sys.argv[2]).submit([upload(sys.argv[3], n) for n in range(3)])
"""


@pytest.mark.slow
def test_processes_that_make_a_new_queue_at_once_make_one(tmp_path: Path, database_url: str) -> None:
    argv = [sys.executable, "-c", SUBMIT, str(tmp_path), database_url]
    writers = [subprocess.Popen([*argv, f"t{i}"]) for i in range(WRITERS)]
    assert [writer.wait(LIMIT) for writer in writers] == [0] * WRITERS
    with queue(tmp_path, database_url) as store:
        assert [entry.number for entry in store.entries()] == list(range(1, WRITERS * 3 + 1))
        assert list(verify.whole(store.database)) == []


def test_only_one_is_alone_at_a_time_until_an_error_and_hinders_no_writer(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.database.alone():
        store.submit([upload("a", 1)])
        raise ZeroDivisionError
    if not store.database.shared:
        with store.database.alone(), store.database.alone():
            return  # there is nobody else on one host
    inside = threading.Lock()

    def work(_: int) -> None:
        for _ in range(3):
            with store.database.alone():
                assert inside.acquire(blocking=False)
                time.sleep(0.002)
                inside.release()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, range(3)))


def test_database_of_another_program_is_a_fault(tmp_path: Path, database_url: str) -> None:
    engine = sa.create_engine(database_url or f"sqlite:///{tmp_path / FILE}")
    with engine.begin() as connection:
        connection.exec_driver_sql("create table entries (id integer)")
    engine.dispose()
    with pytest.raises(Fault, match=r"cannot be used: .*entries"):
        open_database(tmp_path, database_url)


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("postgresql+psycopg://user@127.0.0.1:port/name", "expected an address such as"),
        ("postgresql+psycopg://user:secret@127.0.0.1:1/name", r"user:\*\*\*@127.0.0.1:1/name"),
        ("sqlite:////none/such/queue.sqlite", "/none/such/queue.sqlite: No such file"),
    ],
)
def test_database_that_cannot_be_reached_is_named_without_its_password(tmp_path: Path, url: str, named: str) -> None:
    with pytest.raises((Fault, UsageError), match=named) as caught:
        open_database(tmp_path, url)
    assert "secret" not in str(caught.value)


@pytest.fixture
def server_url(postgres: Server) -> str:
    return postgres.database(f"database_{time.monotonic_ns()}")


def test_server_limits_every_connection(server_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "IDLE_SECONDS", 301.0)  # a busy machine
    limits = {"idle_in_transaction_session_timeout": "301s", "lock_timeout": "1min", "statement_timeout": "2min"}
    opened = open_database(tmp_path, server_url)
    with opened.engine.connect() as connection, opened.beat() as beats:
        for link in (connection, beats):
            assert {name: link.exec_driver_sql(f"show {name}").scalar() for name in limits} == limits
        given = connection.connection.driver_connection.info.get_parameters()
    opened.engine.dispose()
    wanted = {"connect_timeout": "10", "tcp_user_timeout": "20000", "keepalives_idle": "10"}
    assert {name: given[name] for name in wanted} == wanted


def test_own_settings_in_the_address_of_a_server_win(server_url: str, tmp_path: Path) -> None:
    opened = open_database(tmp_path, f"{server_url}?connect_timeout=3&options=-c%20lock_timeout%3D7s")
    with opened.engine.connect() as connection:
        assert connection.exec_driver_sql("show lock_timeout").scalar() == "7s"
        assert connection.connection.driver_connection.info.get_parameters()["connect_timeout"] == "3"
    opened.engine.dispose()


def test_process_stands_once_in_the_queue_of_writers_however_many_threads_want_to_write(
    server_url: str, tmp_path: Path
) -> None:
    with queue(tmp_path, server_url) as first, queue(tmp_path, server_url) as store:
        waiting = sa.text("select count(*) from pg_locks where locktype = 'advisory' and not granted")
        ready, written = threading.Barrier(WRITERS + 1), []

        def write() -> None:
            ready.wait()
            with store.change() as connection:
                written.append(connection.scalar(sa.select(1)))

        threads = [threading.Thread(target=write) for _ in range(WRITERS)]
        with first.change() as connection:
            for thread in threads:
                thread.start()
            ready.wait()
            wait_for(lambda: connection.scalar(waiting))
            assert {connection.scalar(waiting) for _ in range(20)} == {1}
        for thread in threads:
            thread.join()
        assert written == [1] * WRITERS


def test_steps_of_a_process_run_side_by_side_and_wait_for_the_journal_however_long(
    server_url: str, tmp_path: Path
) -> None:
    together, begun = threading.Barrier(2, timeout=LIMIT), threading.Event()

    def step(store: Store, entry: str, seconds: float) -> None:
        def write() -> None:
            begun.set()
            connection.exec_driver_sql(f"select pg_sleep({seconds})")

        with store.database.step() as connection:
            together.wait()
            if not seconds:
                assert begun.wait(LIMIT)
            journal.write(connection, entry, "note", {}, 1.0)
            if seconds:
                at_last(connection, write)

    with queue(tmp_path, server_url) as store:
        with ThreadPoolExecutor(2) as threads:
            for done in [
                threads.submit(step, store, name, seconds) for name, seconds in (("a", IDLE_SECONDS + 1), ("b", 0.0))
            ]:
                done.result()
        assert [line.entry for line in journal.read(store.database)] == ["a", "b"]


def test_readers_and_writers_wait_for_each_other_nowhere_and_a_change_that_fails_leaves_nothing(store: Store) -> None:
    store.settings.keep("mail", "before")
    lines = store.database.position().line
    with store.database.snapshot() as reading:
        assert setting_in(reading, "mail") == "before"
        for change in (store.change, store.database.step):
            with pytest.raises(ZeroDivisionError), change() as connection:
                keep_in(connection, "mail", "after")
                assert store.settings.get("mail") == store.settings.under("mail")[""] == "before"
                raise ZeroDivisionError
        assert (store.settings.get("mail"), store.database.position().line) == ("before", lines)
        store.settings.keep("mail", "after")
        assert setting_in(reading, "mail") == "before", "one moment"
    assert (store.settings.get("mail"), store.database.position().line) == ("after", lines + 1)


def test_readers_and_heartbeats_wait_for_no_writer_and_no_other_thread(server_url: str, tmp_path: Path) -> None:
    with queue(tmp_path, server_url) as store, store.change(), ExitStack() as busy:
        for _ in range(POOL - 1):
            busy.enter_context(store.engine.connect())
        with store.database.beat() as connection:
            assert connection.exec_driver_sql("select 1").scalar() == 1


def test_server_that_is_silent_is_said_to_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "CONNECT_SECONDS", 2)  # the least that its driver knows
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql+psycopg://user@127.0.0.1:{silent.getsockname()[1]}/name"
        with pytest.raises(Fault, match=r"cannot be reached: .*timeout"):
            open_database(tmp_path, url)


def test_host_that_froze_while_it_kept_the_others_out_does_not_do_so_for_ever(
    server_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "ALONE_SECONDS", 0.5)
    frozen, other = open_database(tmp_path, server_url), open_database(tmp_path, server_url)
    stuck = frozen.alone()
    stuck.__enter__()
    monkeypatch.undo()  # the other may be slow
    with other.alone(), other.engine.connect() as connection:
        assert connection.exec_driver_sql("show idle_session_timeout").scalar() == "0"
    with pytest.raises(sa.exc.OperationalError, match="idle-session timeout"):
        stuck.__exit__(None, None, None)
    for opened in (frozen, other):
        opened.engine.dispose()


def of_sqlite(name: str) -> sa.exc.OperationalError:
    error = sqlite3.OperationalError("what SQLite says")
    error.sqlite_errorname = name
    return sa.exc.OperationalError("", {}, error)


@pytest.mark.parametrize(
    ("error", "ends_by_itself"),
    [
        (of_sqlite("SQLITE_FULL"), True),
        (of_sqlite("SQLITE_BUSY"), True),
        (of_sqlite("SQLITE_ERROR"), False),
        (sa.exc.OperationalError("", {}, Exception("the server is restarting")), True),
        (sa.exc.TimeoutError("no connection is free"), True),
        (sa.exc.PendingRollbackError("the connection was lost within its transaction"), True),
        (sa.exc.InterfaceError("", {}, Exception("the connection is closed")), True),
        (sa.exc.InternalError("", {}, Exception("corrupt")), False),
        (sa.exc.IntegrityError("", {}, Exception("twice")), False),
        (sa.exc.ArgumentError("wrong"), False),
    ],
)
def test_errors_that_end_by_themselves_are_told_from_others(
    error: sa.exc.SQLAlchemyError, ends_by_itself: bool
) -> None:
    assert passes(error) is ends_by_itself


# Who waits for whom when several processes write, and that the journal has one order whatever they do.


@ON_A_SERVER
def test_on_a_server_the_path_of_an_entry_waits_for_no_step_of_another(queue_url: str, tmp_path: Path) -> None:
    with queue(tmp_path, queue_url) as store, queue(tmp_path, queue_url) as other:
        store.submit([upload("a", 1), upload("b", 1)])
        mine, theirs = store.next_entries(2)
        with store.database.step() as connection:
            advance(connection, mine, State.QUIZ, NO_REASON)
            other.submit([upload("c", 1)])
            assert [entry.team for entry in other.next_entries(1)] == ["c"]
            other.charge(theirs.id, 1)
            with other.database.step() as beside:
                advance(beside, theirs, State.QUIZ, NO_REASON)
            assert store.entry(mine.id).state is State.PREP
        events = [(line.entry, line.event) for line in journal.read(store.database)]
        assert events[-1] == (mine.id, "moved") and events[-2] == (theirs.id, "moved")
        assert list(verify.whole(store.database)) == []


def test_what_an_organiser_changes_waits_for_the_step_and_sees_what_it_did(tmp_path: Path, queue_url: str) -> None:
    with queue(tmp_path, queue_url) as store, queue(tmp_path, queue_url) as other:
        store.submit([upload("a", 1)])
        (entry,) = store.next_entries(1)
        errors: list[str] = []

        def cancel() -> None:
            try:
                other.cancel(entry.id)
            except UsageError as e:
                errors.append(str(e))

        with store.database.step() as connection:
            organiser = threading.Thread(target=cancel)
            organiser.start()
            advance(connection, entry, State.DONE, NO_REASON)
        organiser.join()
        assert errors == [f"{entry.id} is done already"]
        assert store.entry(entry.id).state is State.DONE


def test_journal_has_one_order_whatever_hosts_teams_and_organisers_do(tmp_path: Path, queue_url: str) -> None:
    ready = threading.Barrier(2 * WRITERS + 1, timeout=LIMIT)

    def host(number: int) -> None:
        with queue(tmp_path, queue_url) as store:
            ready.wait()
            idle = 0
            while idle < EACH:
                taken = store.next_entries(2)
                idle += not taken
                for entry in taken:
                    for stage in (Stage.PREP, Stage.QUIZ, Stage.EXAM):
                        if stage is Stage.EXAM:
                            store.charge(entry.id, 1)
                        with store.database.step() as connection:
                            advance(connection, store.entry(entry.id), State(stage.value), NO_REASON)
                        keep_result(store, entry.id, 1, stage.value, result(stage))
                    store.move(entry.id, State.DONE)

    def team(number: int) -> None:
        with queue(tmp_path, queue_url) as store:
            ready.wait()
            for n in range(EACH):
                store.submit([upload(f"t{number}", n), upload("all", n)])

    def organiser() -> None:
        chance = random.Random(0)
        with queue(tmp_path, queue_url) as store:
            ready.wait()
            for n in range(EACH):
                store.settings.keep("drained:h0", str(n))
                if entries := store.entries():
                    with suppress(UsageError):  # it has ended
                        store.cancel(chance.choice(entries).id)

    with queue(tmp_path, queue_url), ThreadPoolExecutor(2 * WRITERS + 1) as pool:
        works = [pool.submit(kind, number) for number in range(WRITERS) for kind in (host, team)]
        for work in (*works, pool.submit(organiser)):
            work.result()
    with queue(tmp_path, queue_url) as store:
        lines = list(journal.read(store.database))
        assert [line.number for line in lines] == list(range(1, len(lines) + 1))
        entries = store.entries()
        assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
        assert [line.entry for line in lines if line.event == "submitted"] == [entry.id for entry in entries]
        assert list(verify.whole(store.database)) == []
