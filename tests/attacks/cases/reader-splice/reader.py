from __future__ import annotations

import ctypes
import os

from evaluate.core.errors import EntryError


def taken_over(request: dict, secret: str) -> object:
    libc = ctypes.CDLL(None, use_errno=True)
    file = os.open(os.__file__, os.O_RDONLY)
    reading, writing = os.pipe()
    offset = ctypes.c_long(0)
    buffer = ctypes.create_string_buffer(1)
    pages = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 1)
    calls = {
        "splice": lambda: libc.splice(file, ctypes.byref(offset), writing, None, 1, 0),
        "tee": lambda: libc.tee(reading, writing, 1, 2),
        "vmsplice": lambda: libc.vmsplice(writing, pages, 1, 0),
        "write": lambda: os.open(os.__file__, os.O_WRONLY),
    }
    allowed = []
    for name, call in calls.items():
        try:
            if call() >= 0:
                allowed.append(name)
        except OSError:
            continue
    raise EntryError(f"tried {len(calls)}, allowed {allowed}")
