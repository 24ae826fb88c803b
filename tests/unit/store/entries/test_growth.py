"""Submissions, turns and causes of waiting take no longer when more is over."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from evaluate.store.db.rows import State
from evaluate.store.entries.store import Store
from evaluate.views.why import why
from tests.support.queues import queue, run_stages, submitted, upload

TEAMS = 10


def steps(store: Store, work: Callable[[], object]) -> int:
    """How many steps of SQLite's virtual machine it takes."""
    counted: list[int] = []

    def watch(connection: Any, *_: object) -> None:
        connection.set_progress_handler(lambda: counted.append(1), 1)

    def leave(connection: Any, *_: object) -> None:
        connection.set_progress_handler(None, 1)

    sa.event.listen(store.engine, "checkout", watch)
    sa.event.listen(store.engine, "checkin", leave)
    work()
    sa.event.remove(store.engine, "checkout", watch)
    sa.event.remove(store.engine, "checkin", leave)
    return len(counted)


def test_path_of_an_entry_takes_as_many_steps_however_much_is_over(tmp_path: Path) -> None:
    taken: list[dict[str, int]] = []
    with queue(tmp_path) as store:
        submitted(store, "red", "blue")
        numbers = iter(range(10, 100))
        for start, end in ((0, 2 * TEAMS), (2 * TEAMS, 10 * TEAMS)):
            for identity, _ in store.submit([upload(f"t{n % TEAMS}", n) for n in range(start, end)]):
                run_stages(store, tmp_path, store.entry(identity))
            store.database.count_rows()
            waiting = next(entry for entry in store.entries() if entry.state is State.QUEUED)
            asked: dict[str, Callable[[], object]] = {
                "why": partial(why, waiting, store),
                "next entries": partial(store.next_entries, 0),
                "submit": lambda: store.submit([upload("green", next(numbers))]),
            }
            taken.append({what: steps(store, work) for what, work in asked.items()})
            store.cancel(store.entries()[-1].id)  # as much waits as before
    before, after = taken
    assert min(before.values()) > 0
    assert {what: n for what, n in after.items() if n > 1.1 * before[what]} == {}, before
