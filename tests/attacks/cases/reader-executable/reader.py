from __future__ import annotations

import os
import sys

from evaluate.core.errors import EntryError


def taken_over(request: dict, secret: str) -> object:
    places = ["/proc/self/exe", "/proc/self/fd/0", "/proc/1/exe", "/proc/self/mem", sys.executable, os.__file__]
    places += [
        os.path.realpath(sys.executable),
        sys.modules["evaluate.confine.isolated_child"].__file__,
        "/usr/bin/bwrap",
    ]
    allowed = []
    for place in places:
        for flags in (os.O_WRONLY, os.O_RDWR | os.O_APPEND):
            try:
                os.close(os.open(place, flags))
                allowed.append(place)
            except OSError:
                continue
    raise EntryError(f"tried {len(places)}, allowed {allowed}")
