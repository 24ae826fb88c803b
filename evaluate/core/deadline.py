"""How long something may still take, on the monotonic clock."""

from __future__ import annotations

import time


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
        """Whether that moment has passed."""
        return time.monotonic() >= self._at
