from __future__ import annotations

import fcntl
import os


def taken_over(request: dict, secret: str) -> object:
    for fd in range(3, 64):
        try:
            if fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY and fd not in request["arguments"]:
                with os.fdopen(fd, "wb", closefd=False) as out:
                    out.write(b'{"value": ' + b"[" * 500_000)
                os._exit(0)
        except OSError:
            continue
    return None
