"""Reports the progress of a build to people."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[str], None]
"""Called with one line of text at a time."""

_HEARTBEAT_SECONDS = 5.0


@contextmanager
def phase(progress: Progress, name: str) -> Iterator[None]:
    """Announce a phase, repeat its name while it lasts, and report how long it took."""
    start = time.monotonic()
    over = threading.Event()

    def heartbeat() -> None:
        while not over.wait(_HEARTBEAT_SECONDS):
            progress(f"{name} … {time.monotonic() - start:.0f} s")

    progress(f"{name} …")
    beating = threading.Thread(target=heartbeat, daemon=True)
    beating.start()
    try:
        yield
    finally:
        over.set()
        beating.join()
    progress(f"{name}: {time.monotonic() - start:.1f} s")
