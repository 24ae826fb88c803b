"""The slots of this process: how many stages run in it at once, and whether more may begin."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Slots:
    """Counts the stages that run here."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._most = 0
        self._running: dict[str, float] = {}
        self.changed_at = time.monotonic()
        """Time of the last change of a slot, by the monotonic clock."""

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

    def seconds_held(self, flow: str) -> float | None:
        """Seconds that a workflow has held its slot; None if it has none, or this process offers fewer now."""
        with self._changed:
            if flow not in self._running or len(self._running) > self._most:
                return None
            return time.monotonic() - self._running[flow]

    @contextmanager
    def taken(self, flow: str) -> Iterator[bool]:
        """Hold a slot for a workflow meanwhile; gives False, and holds none, where all are taken."""
        with self._changed:
            if free := len(self._running) < self._most:
                self._running[flow] = self.changed_at = time.monotonic()
        try:
            yield free
        finally:
            if free:
                with self._changed:
                    del self._running[flow]
                    self.changed_at = time.monotonic()
                    self._changed.notify_all()

    def wait(self, seconds: float) -> None:
        """Wait until a stage leaves its slot, but not longer than this."""
        with self._changed:
            if self._running:
                self._changed.wait(seconds)
