from __future__ import annotations

import os
import time

from evaluate.core.errors import EntryError

EACH, PROCESSES = 256 << 20, 6


def taken_over(request: dict, secret: str) -> object:
    """Twice the bound of one process is what all may have; without a group these take half as much again, and end."""
    reading, writing = os.pipe()
    for _ in range(PROCESSES):
        if os.fork() == 0:
            held = b"\1" * EACH
            os.write(writing, b"+")
            time.sleep(60)
            os._exit(len(held) & 1)
    has = 0
    while has < PROCESSES:
        has += len(os.read(reading, PROCESSES))
    raise EntryError(f"GOT {has * EACH >> 20} MiB in {has} processes")
