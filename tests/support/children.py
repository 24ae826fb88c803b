"""Processes that a call started, beside those of the session's browser and servers, which start some at any time."""

from collections.abc import Collection
from contextlib import suppress

import psutil


def children(*, beside: Collection[psutil.Process] = ()) -> set[psutil.Process]:
    """The children of this process that are not in ``beside``, with all their descendants."""
    started = {child for child in psutil.Process().children() if child not in beside}
    for child in tuple(started):
        with suppress(psutil.NoSuchProcess):
            started.update(child.children(recursive=True))
    return started
