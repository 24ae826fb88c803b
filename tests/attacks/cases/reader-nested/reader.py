from __future__ import annotations

import os

from evaluate.core.errors import EntryError


def taken_over(request: dict, secret: str) -> object:
    os.chdir("/scratch")
    made = 0
    try:
        while made < 5_000:
            os.mkdir("d")
            os.chdir("d")
            made += 1
    except OSError:
        pass
    raise EntryError(f"made {made} folders")
