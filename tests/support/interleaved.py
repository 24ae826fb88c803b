"""Runs pieces of work at once, in an order of their statements or transactions that the test chooses."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from typing import Any

import pytest
import sqlalchemy as sa

from evaluate.store.db.database import Database

_mine = threading.local()
_POLL_SECONDS = 0.01
"""Between two looks whether a piece of work waits for a lock; its order of steps does not depend on it."""


class Interleaving:
    """Lets one of several threads run at a time, from one stop to the next (`stop_at`).

    ``steps``: numbers of steps of the first, then the next, and so on in turn; and from the beginning again.
    ``waits``: true if a thread that goes on waits for a lock of one that has stopped; then another goes on as well.
    """

    def __init__(self, steps: Sequence[int], waits: Callable[[], bool] = lambda: False) -> None:
        self._steps, self._waits = steps, waits
        self._back: queue.Queue[tuple[int, bool]] = queue.Queue()
        """Numbers of threads that have stopped, and whether they ended."""
        self._errors: list[BaseException] = []

    def run(self, *works: Callable[[], object]) -> list[int]:
        """Run all to their ends; returns how many steps each took, or raises the first error."""
        turns = [threading.Semaphore(0) for _ in works]

        def begin(number: int) -> None:
            turns[number].acquire()
            _mine.stop = lambda: (self._back.put((number, False)), turns[number].acquire())
            try:
                works[number]()
            except BaseException as e:  # raised below
                self._errors.append(e)
            self._back.put((number, True))

        threads = [threading.Thread(target=begin, args=(number,)) for number in range(len(works))]
        for thread in threads:
            thread.start()
        stopped, going, taken = list(range(len(works))), 0, [0] * len(works)
        order = (number for number, steps in zip(cycle(stopped[:]), cycle(self._steps)) for _ in range(steps))
        while stopped or going:
            if stopped and (not going or self._waits()):
                number = next(order)
                number = number if number in stopped else stopped[0]
                stopped.remove(number)
                turns[number].release()
                taken[number] += 1
                going += 1
            try:
                number, ended = self._back.get(timeout=_POLL_SECONDS if stopped else None)
            except queue.Empty:
                continue
            going -= 1
            if not ended:
                stopped = sorted([*stopped, number])
        for thread in threads:
            thread.join()
        if self._errors:
            raise self._errors[0]
        return taken


def stop_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let threads of an `Interleaving` stop before and after each transaction that writes.

    On PostgreSQL they also stop within it, before each statement: there another process may come in between.
    """
    for name in ("change", "step"):
        monkeypatch.setattr(Database, name, _stopping(getattr(Database, name)))
    init = Database.__init__

    def made(database: Database, *words: Any, **named: Any) -> None:
        init(database, *words, **named)
        if database.shared:
            sa.event.listen(database.engine, "before_cursor_execute", lambda *_: _stop())

    monkeypatch.setattr(Database, "__init__", made)


def _stop() -> None:
    getattr(_mine, "stop", lambda: None)()


def _stopping(change: Callable[..., Any]) -> Callable[..., Any]:
    @contextmanager
    def changed(database: Database, *names: str) -> Iterator[sa.Connection]:
        _stop()
        with change(database, *names) as connection:
            yield connection
        _stop()

    return changed
