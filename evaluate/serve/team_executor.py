"""Work for teams in threads: teams in turns, and of each team one thing at a time."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress


class Turns:
    """A queue in which every team stands once, for any amount of work."""

    def __init__(self, threads: int, name: str) -> None:
        self._pool = ThreadPoolExecutor(threads, name)
        self._lock = threading.Lock()
        self._wanted: dict[str, deque[tuple[str, Callable[[], None]]]] = {}
        """Work of each team in the queue, or whose turn it is."""
        self._futures: dict[str, Future[None]] = {}

    def add(self, team: str, key: str, work: Callable[[], None]) -> Future[None]:
        """Do some work when its turn has come; a key that waits already is ignored."""
        with self._lock:
            if (future := self._futures.get(key)) is not None:
                return future
            future = self._futures[key] = Future()
            future.set_running_or_notify_cancel()  # a waiter that goes away does not end it
            if team in self._wanted:
                self._wanted[team].append((key, work))
            else:
                self._wanted[team] = deque([(key, work)])
                self._pool.submit(self._turn, team)
        return future

    def _turn(self, team: str) -> None:
        with self._lock:
            key, work = self._wanted[team].popleft()
        error: BaseException | None = None
        try:
            work()
        except BaseException as e:  # it is the future's
            error = e
        with self._lock:
            future = self._futures.pop(key)
            if self._wanted[team]:
                with suppress(RuntimeError):  # the process ends
                    self._pool.submit(self._turn, team)
            else:
                del self._wanted[team]
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)
