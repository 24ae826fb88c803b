"""A busy host is no fault of an entry: how guests share the processors at their start, and whose time is counted."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_POLL_SECONDS = 0.2
_SLOWEST = 0.1
"""The clock runs at least at this pace, so that every deadline passes."""


class GuestClock:
    """Seconds that a guest could use: it nearly stops while the guest's processor waits for one of the host's.

    The kernel measures the waiting (the second number of a thread's ``schedstat``), so no speed is guessed.  A guest on
    an idle host sees the monotonic clock.
    """

    def __init__(self, thread: int, *, proc: Path = Path("/proc"), now: Callable[[], float] = time.monotonic) -> None:
        self._schedstat = proc / str(thread) / "schedstat"
        self._now = now
        self._start = now()
        self._latest = 0.0

    def __call__(self) -> float:
        """Seconds since the clock was made; never less than before."""
        elapsed = self._now() - self._start
        # a wait is known to the kernel only when it is over, so the difference alone could go back
        self._latest = max(self._latest, elapsed - min(self._waited(), (1 - _SLOWEST) * elapsed))
        return self._latest

    def _waited(self) -> float:
        try:
            return int(self._schedstat.read_text().split()[1]) / 1e9
        except (OSError, IndexError):
            return 0.0  # the guest has ended, or the kernel does not measure it


@contextmanager
def turn(folder: Path, places: int) -> Iterator[None]:
    """One of ``places`` in a queue of all processes of this host that use ``folder``; waits until one is free.

    A booting guest keeps a core busy: many at once take minutes each, and their kernels give up.
    """
    folder.mkdir(parents=True, exist_ok=True)
    while True:
        for number in range(places):
            with (folder / str(number)).open("a") as lock:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    continue
                yield
                return
        time.sleep(_POLL_SECONDS)


def cores() -> int:
    """Number of processors that this process may use."""
    return len(os.sched_getaffinity(0))
