"""Waits for readable descriptors, and deadlines."""

from __future__ import annotations

import math
import select
import time
from collections.abc import Iterable

_MOST_MILLISECONDS = (1 << 31) - 1


def readable(numbers: Iterable[int], seconds: float | None = None) -> list[int]:
    """The file descriptors that can be read now, or whose other end has closed; waits for the first, at most so long.

    `select.select` fails with numbers above 1023, which a daemon of many guests has where its limit of files is raised.
    """
    waiting = select.poll()
    for number in numbers:
        waiting.register(number, select.POLLIN)
    limit = None if seconds is None else min(math.ceil(1000 * max(seconds, 0.0)), _MOST_MILLISECONDS)
    return [number for number, _ in waiting.poll(limit)]


# How long something may still take, on the monotonic clock


class Deadline:
    """A moment ``seconds`` from now on the monotonic clock."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._at = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds until then, never below zero, so that it can be used as a timeout."""
        return max(0.0, self._at - time.monotonic())

    @property
    def passed(self) -> bool:
        """True if that moment has passed."""
        return time.monotonic() >= self._at
