"""Runs pieces of work at once, in an order of their transactions that the test chooses."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from evaluate.queue.db.database import Database

_mine = threading.local()


class Interleaving:
    """Lets one of several threads run at a time, from one transaction that writes to the next.

    Parameters
    ----------
    choices : sequence of int
        Which of those that have not ended goes on, in turn; when they are used up, the first.
    """

    def __init__(self, choices: Sequence[int]) -> None:
        self._choices = iter(choices)
        self._back = threading.Semaphore(0)
        self._errors: list[BaseException] = []

    def run(self, *works: Callable[[], object]) -> None:
        """Run all to their ends; raises the first error."""
        turns = [threading.Semaphore(0) for _ in works]
        ended = [False] * len(works)

        def begin(number: int) -> None:
            _mine.stop = lambda: (self._back.release(), turns[number].acquire())
            turns[number].acquire()
            try:
                works[number]()
            except BaseException as e:  # raised below
                self._errors.append(e)
            ended[number] = True
            self._back.release()

        threads = [threading.Thread(target=begin, args=(number,)) for number in range(len(works))]
        for thread in threads:
            thread.start()
        while going := [number for number, done in enumerate(ended) if not done]:
            turns[going[next(self._choices, 0) % len(going)]].release()
            self._back.acquire()
        for thread in threads:
            thread.join()
        if self._errors:
            raise self._errors[0]


def stop_at_transactions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let threads of an `Interleaving` stop before and after each transaction that writes."""
    change = Database.change

    @contextmanager
    def changed(database: Database) -> Iterator[sa.Connection]:
        stop = getattr(_mine, "stop", lambda: None)
        stop()
        with change(database) as connection:
            yield connection
        stop()

    monkeypatch.setattr(Database, "change", changed)
