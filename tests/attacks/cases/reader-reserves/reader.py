from __future__ import annotations

import ctypes
import os

from evaluate.core.errors import EntryError

KEEP_SIZE = 1


def taken_over(request: dict, secret: str) -> object:
    libc = ctypes.CDLL(None, use_errno=True)
    reserved = 0
    places = [word for word in request["arguments"] if isinstance(word, str) and word.startswith("/")]
    for place in ("/scratch/file", *places):
        try:
            fd = os.open(place, os.O_WRONLY | os.O_CREAT, 0o600)
        except OSError:
            continue
        for mode in (KEEP_SIZE, 0):
            if libc.fallocate(fd, mode, ctypes.c_long(0), ctypes.c_long(64 << 20)) == 0:
                reserved += os.fstat(fd).st_blocks * 512
        os.close(fd)
    raise EntryError(f"reserved {reserved} bytes")
