"""What only looks at a queue says what the store says, and takes no longer when more is over."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from evaluate.config.types import Heartbeat
from evaluate.queue.db.reader import file_of, reader_at
from evaluate.queue.db.reasons import Cause, Reason
from evaluate.queue.db.rows import State
from evaluate.queue.db.tables import TASKS
from evaluate.queue.entries.store import Store, open_store
from evaluate.queue.execution.engine import VERSION
from evaluate.queue.outbound.prometheus import Measures
from evaluate.queue.schedule.hosts import Lease, drain
from evaluate.queue.views.board import board_of, kept_board
from evaluate.queue.views.overview import overview
from evaluate.queue.views.why import why
from tests.support.ended_entries import TEAMS, fill_ended
from tests.support.queues import CHALLENGE, queue, submitted, upload


def test_a_file_read_without_sqlalchemy_says_what_the_store_says(tmp_path: Path) -> None:
    with queue(tmp_path) as store:
        first, second = submitted(store, "red", "blue")
        store.next_entries(1)
        store.charge(first, 1)
        store.move(second, State.PARKED, Reason(cause=Cause.CHALLENGE, stage="score", message="no reference"))
        Lease(store, "green:1", "here", Heartbeat(seconds=3600, ttl_seconds=3600), lambda _: None).take(2, VERSION)
        drain(store, "green")
        task = {"entry": first, "attempt": 1, "task": "prep", "number": 0, "stage": "prep", "tag": 1.0, "since": 5.0}
        with store.change() as connection:
            connection.execute(
                sa.insert(TASKS).values(**task, executor="green:1", deadline=9.0, gpus='["0000:01:00.0"]')
            )
        reader = reader_at(tmp_path)
        assert reader is not None
        assert reader.counts() == store.reader.counts() == {State.PREP: 1, State.PARKED: 1}
        assert reader.newest(9) == store.reader.newest(9) == list(reversed(store.entries()))
        assert reader.newest(1) == [store.entry(second)]
        assert reader.running() == store.reader.running()
        assert [task.gpus for task in reader.running()] == [("0000:01:00.0",)]
        (plain,), (through_store,) = reader.hosts(), store.reader.hosts()
        assert (plain.executor, plain.slots, plain.running, plain.draining) == ("green:1", 2, 1, True)
        assert abs(plain.left_seconds - through_store.left_seconds) < 60


def test_only_a_file_of_this_schema_is_read_without_the_store(tmp_path: Path) -> None:
    assert reader_at(tmp_path) is None
    assert not file_of(tmp_path).exists()
    file_of(tmp_path).write_text("no database")
    assert reader_at(tmp_path) is None
    file_of(tmp_path).unlink()
    store = open_store(tmp_path)
    with store.change() as connection:
        connection.exec_driver_sql("update alembic_version set version_num = '9999'")
    store.engine.dispose()
    assert reader_at(tmp_path) is None
    assert reader_at(tmp_path, "postgresql+psycopg://localhost/queue") is None


def steps(store: Store, monkeypatch: pytest.MonkeyPatch, work: Callable[[], object]) -> int:
    """How many steps of SQLite's virtual machine it takes, through a store or beside it."""
    found: list[int] = []
    connect = sqlite3.connect

    def watched(connection: Any) -> Any:
        connection.set_progress_handler(lambda: found.append(1), 1)
        return connection

    def watch(connection: Any, *_: object) -> None:
        watched(connection)

    def leave(connection: Any, *_: object) -> None:
        connection.set_progress_handler(None, 1)

    sa.event.listen(store.engine, "checkout", watch)
    sa.event.listen(store.engine, "checkin", leave)
    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", lambda *words, **options: watched(connect(*words, **options)))
        work()
    sa.event.remove(store.engine, "checkout", watch)
    sa.event.remove(store.engine, "checkin", leave)
    return len(found)


def test_what_is_asked_all_day_takes_as_many_steps_however_much_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[dict[str, int]] = []
    with queue(tmp_path) as store:
        submitted(store, "red", "blue")
        numbers = iter(range(10, 100))
        measures = Measures(store)
        for start, end in ((0, 2 * TEAMS), (2 * TEAMS, 10 * TEAMS)):
            fill_ended(store, start, end, 1)
            store.database.count_rows()
            shown = board_of(store, CHALLENGE, (), 0, 12)
            reader = reader_at(tmp_path)
            assert reader is not None
            assert kept_board(reader, CHALLENGE, (), 0, 12) == shown
            waiting = next(entry for entry in store.entries() if entry.state is State.QUEUED)
            asked: dict[str, Callable[[], object]] = {
                "status": partial(overview, reader),
                "board": partial(kept_board, reader, CHALLENGE, (), 0, 12),
                "why": partial(why, waiting, store),
                "Prometheus": lambda: list(measures.registry.collect()),
                "next entries": partial(store.next_entries, 0),
                "submit": lambda: store.submit([upload("green", next(numbers))]),
            }
            taken.append({what: steps(store, monkeypatch, work) for what, work in asked.items()})
            store.cancel(store.entries()[-1].id)  # as much waits as before
    before, after = taken
    assert min(before.values()) > 0
    assert {what: n for what, n in after.items() if n > 1.1 * before[what]} == {}, before


def test_opening_a_queue_checks_no_file(tmp_path: Path) -> None:
    open_store(tmp_path).engine.dispose()
    said: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        said.append(statement)

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        open_store(tmp_path).engine.dispose()
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)
    assert said and not [one for one in said if "check" in one.lower()]
