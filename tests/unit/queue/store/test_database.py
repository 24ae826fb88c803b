from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from evaluate.core.errors import Fault, UsageError
from evaluate.queue.store.database import open_database
from evaluate.queue.store.entries import Store
from evaluate.queue.store.reading import FILE
from evaluate.queue.store.tables import JOURNAL, TABLES
from tests.support.queues import queue, upload

WRITERS, EACH = 3, 8
SUBMIT = """
import sys
from pathlib import Path
from tests.support.queues import queue, upload
with queue(Path(sys.argv[1]), sys.argv[2]) as store:
    print("open", flush=True)
    sys.stdin.readline()
    for i in range(int(sys.argv[4])):
        store.submit([upload(sys.argv[3], i)])
"""


@pytest.fixture
def store(tmp_path: Path, database_url: str) -> Iterator[Store]:
    with queue(tmp_path, database_url) as found:
        yield found


def test_every_column_of_the_tables_is_made_by_the_migrations(store: Store) -> None:
    found = sa.inspect(store.engine)
    made = {name: {column["name"] for column in found.get_columns(name)} for name in TABLES.tables}
    assert made == {name: {column.name for column in table.c} for name, table in TABLES.tables.items()}
    for name, table in TABLES.tables.items():
        wanted = {index.name for index in table.indexes}
        assert wanted <= {index["name"] for index in found.get_indexes(name)}, name


@pytest.mark.slow
def test_processes_that_open_a_new_queue_and_write_at_once_have_one_order(tmp_path: Path, database_url: str) -> None:
    argv = [sys.executable, "-c", SUBMIT, str(tmp_path), database_url]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    writers = [subprocess.Popen([*argv, f"t{i}", str(EACH)], **pipes) for i in range(WRITERS)]  # type: ignore[call-overload]
    for writer in writers:
        assert writer.stdout.readline() == "open\n", writer.stderr.read()
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        _, problem = writer.communicate(timeout=60)
        assert writer.returncode == 0, problem
    with queue(tmp_path, database_url) as store:
        entries = store.entries()
        assert [entry.number for entry in entries] == list(range(1, WRITERS * EACH + 1))
        assert [line[0] for line in store.journal()] == list(range(1, WRITERS * EACH + 1))
        assert [line[2] for line in store.journal()] == [entry.id for entry in entries]


def test_threads_that_write_at_once_have_one_order(store: Store) -> None:
    ready = threading.Barrier(WRITERS)

    def write(team: str) -> None:
        ready.wait()
        for i in range(EACH):
            store.submit([upload(team, i)])

    threads = [threading.Thread(target=write, args=(f"t{i}",)) for i in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(store.journal())) == WRITERS * EACH
    assert sorted(entry.number for entry in store.entries()) == list(range(1, WRITERS * EACH + 1))


def test_of_many_who_submit_the_same_archive_one_makes_the_entry(store: Store) -> None:
    ready = threading.Barrier(4)
    said: list[tuple[str, bool]] = []

    def write() -> None:
        ready.wait()
        said.extend(store.submit([upload("a", 1)]))

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(new for _, new in said) == [False, False, False, True]
    assert len({identity for identity, _ in said}) == 1


def test_entry_is_taken_once_by_many_hosts(store: Store) -> None:
    store.submit([upload(f"t{i % 3}", i) for i in range(12)])
    ready = threading.Barrier(4)
    taken: list[str] = []

    def take(owner: str) -> None:
        ready.wait()
        while found := store.next_entries(1, owner):
            taken.extend(entry.id for entry in found)

    threads = [threading.Thread(target=take, args=(f"green:{i}",)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == len(set(taken)) == 12


def test_change_that_fails_leaves_nothing_and_no_lock(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.change() as connection:
        connection.execute(sa.insert(JOURNAL).values(number=1, at=0.0, entry="e", event="x", data="{}", chain=""))
        raise ZeroDivisionError
    assert store.journal_length() == 0
    store.submit([upload("a", 1)])
    assert store.journal_length() == 1


def test_readers_do_not_wait_for_a_writer(store: Store) -> None:
    store.submit([upload("a", 1)])
    with store.change() as connection:
        connection.exec_driver_sql("update entries set name = 'half'")
        assert "half" not in [entry.name for entry in store.entries()]
        assert store.waiting() and len(list(store.journal())) == 1


def test_only_one_is_alone_at_a_time(store: Store) -> None:
    if not store.database.shared:
        with store.database.alone(), store.database.alone():
            return  # there is nobody else on one host
    inside, most = [0], [0]
    guard = threading.Lock()

    def one() -> None:
        for _ in range(3):
            with store.database.alone():
                with guard:
                    inside[0] += 1
                    most[0] = max(most[0], inside[0])
                time.sleep(0.002)
                with guard:
                    inside[0] -= 1

    threads = [threading.Thread(target=one) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_who_is_alone_ends_it_also_by_an_error_and_hinders_no_writer(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), store.database.alone():
        store.submit([upload("a", 1)])
        raise ZeroDivisionError
    with store.database.alone():
        assert len(store.entries()) == 1


def test_clock_goes_on_within_a_transaction(store: Store) -> None:
    with store.change() as connection:
        first = connection.scalar(sa.select(store.database.now()))
        second = connection.scalar(sa.select(store.database.now()))
    assert first is not None and second is not None
    assert first < second < first + 60
    assert abs(first - time.time()) < 60


def test_queue_of_a_newer_version_is_a_fault_and_stays_as_it_is(tmp_path: Path, database_url: str) -> None:
    with queue(tmp_path, database_url) as store:
        store.submit([upload("a", 1)])
        with store.change() as connection:
            connection.exec_driver_sql("update alembic_version set version_num = '9999'")
    with pytest.raises(Fault, match="has schema 9999 of a newer version of evaluate"):
        open_database(tmp_path, database_url)


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
