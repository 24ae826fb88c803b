from __future__ import annotations

import os
import time

from evaluate.core.errors import EntryError

MOST = 1000


def taken_over(request: dict, secret: str) -> object:
    started = 0
    try:
        while started < MOST:
            if os.fork() == 0:
                time.sleep(60)
                os._exit(0)
            started += 1
    except OSError:
        pass
    raise EntryError(f"started {started} processes")
