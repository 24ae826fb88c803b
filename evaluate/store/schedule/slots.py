"""The slots of this process: how many stages run in it at once, and whether more may begin."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Slots:
    """Counts the stages that run here.

    ``left``: called whenever a stage has left its slot.
    """

    def __init__(self, left: Callable[[], None] = lambda: None) -> None:
        self._changed = threading.Condition()
        self._most = 0
        self._running: set[str] = set()
        self._left = left

    def offer(self, most: int) -> None:
        """Let at most ``most`` stages run; those that run now end, however many they are."""
        self._most = most

    @property
    def offered(self) -> int:
        """Number of stages that may run."""
        return self._most

    @property
    def running(self) -> frozenset[str]:
        """The workflows whose stages run."""
        with self._changed:
            return frozenset(self._running)

    @contextmanager
    def taken(self, flow: str) -> Iterator[bool]:
        """Hold a slot for a workflow meanwhile; gives False, and holds none, where all are taken."""
        with self._changed:
            if free := len(self._running) < self._most:
                self._running.add(flow)
        try:
            yield free
        finally:
            if free:
                with self._changed:
                    self._running.discard(flow)
                    self._changed.notify_all()
                self._left()

    def wait(self, seconds: float) -> None:
        """Wait until a stage leaves its slot, but not longer than this."""
        with self._changed:
            if self._running:
                self._changed.wait(seconds)
