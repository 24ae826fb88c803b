from __future__ import annotations

import errno
import os


def taken_over(request: dict, secret: str) -> object:
    raise OSError(errno.EIO, os.strerror(errno.EIO))
