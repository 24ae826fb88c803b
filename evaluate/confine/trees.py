"""What a folder takes of a disk, while a process that we do not trust is filling it.

Every step is relative to a descriptor and follows no link, and nothing here calls itself, however deep the folders are.
Their removal is that of `evaluate.confine.ownership`.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

MOST_DEPTH = 128
"""Folders in each other; nothing that a reader writes comes near."""
_MOST_FILES = 1_000_000
_BLOCK = 512
"""Bytes that `st_blocks` counts in, on every file system."""


def holds_at_most(top: Path, most_bytes: int, most_files: int = _MOST_FILES) -> bool:
    """Whether a folder that another process may be changing takes no more space than that, and is not too deep."""
    found = space_taken(top)
    return found is not None and found[0] <= most_bytes and found[1] <= most_files


def space_taken(top: Path) -> tuple[int, int] | None:
    """Bytes on the disk and number of files of a folder that another process may be changing; None if it is too deep.

    Blocks are counted and not lengths: a file may be longer than what it holds, and may hold more than its length.
    """
    taken = files = 0
    # the folders on the way down: a descriptor, and the names in it that are still to be looked at
    waiting: list[tuple[int, list[str]]] = []
    try:
        try:
            first = os.open(top, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:  # not yet
            return 0, 0
        waiting.append((first, os.listdir(first)))
        while waiting:
            at, names = waiting[-1]
            if not names:
                os.close(waiting.pop()[0])
                continue
            name = names.pop()
            with suppress(FileNotFoundError, NotADirectoryError, PermissionError):  # it changes meanwhile
                found = os.stat(name, dir_fd=at, follow_symlinks=False)
                taken, files = taken + found.st_blocks * _BLOCK, files + 1
                if stat.S_ISDIR(found.st_mode):
                    if len(waiting) == MOST_DEPTH:
                        return None
                    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
                    below = os.open(name, flags, dir_fd=at)
                    waiting.append((below, os.listdir(below)))
        return taken, files
    finally:
        for fd, _ in waiting:
            os.close(fd)
