"""Threads that serve a daemon: each notes when it last did its work, and begins again after an error."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from evaluate.store.logs import LOG

FIRST_SECONDS, MOST_SECONDS = 1.0, 60.0
"""Before a thread that failed begins again; doubles each time until it has worked for as long as the longest."""


@dataclass
class Life:
    """Known state of one thread."""

    worked: float = field(default_factory=time.monotonic)
    """When it last did its work, by the clock that nobody sets; or when it began."""
    failures: int = 0

    def beat(self) -> None:
        """Note that it did its work just now."""
        self.worked = time.monotonic()

    @property
    def age(self) -> float:
        """Seconds since it last did its work."""
        return time.monotonic() - self.worked


Work = Callable[[threading.Event, Callable[[], None]], None]
"""Work of a thread until the event is set; it calls the function whenever it has done its work once."""


class Threads:
    """The threads of one process, by their names."""

    def __init__(self) -> None:
        self._lives: dict[str, Life] = {}

    def start(self, name: str, work: Work, stop: threading.Event) -> threading.Thread:
        """Begin a thread, which ends when ``stop`` is set; if its work ends before, by whatever, it begins again."""
        life = self._lives[name] = Life()

        def supervised() -> None:
            pause = FIRST_SECONDS
            while not stop.is_set():
                began = time.monotonic()
                try:
                    work(stop, life.beat)
                    if stop.is_set():
                        return
                    LOG.error("%s: ended by itself, and begins again", name)
                except Exception:
                    LOG.exception("%s: failed, and begins again", name)
                life.failures += 1
                pause = FIRST_SECONDS if time.monotonic() - began > MOST_SECONDS else pause
                stop.wait(pause)
                pause = min(2 * pause, MOST_SECONDS)

        thread = threading.Thread(target=supervised, name=name, daemon=True)
        thread.start()
        return thread

    def lives(self) -> dict[str, Life]:
        """The state of each thread."""
        return dict(self._lives)
