"""Walks through folders that somebody else has filled, or is filling, and what they take of a disk.

Every step is relative to a descriptor and follows no link, and nothing here calls itself, however deep the folders are.
Their removal is that of `evaluate.confine.ownership`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MOST_DEPTH = 128
"""Folders in each other; nothing that a reader writes comes near."""
_MOST_FILES = 1_000_000
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_BLOCK = 512
"""Bytes that `st_blocks` counts in, on every file system."""


class TooDeep(Exception):
    """More than `MOST_DEPTH` folders in each other."""


@dataclass(frozen=True)
class TreeItem:
    """A file, folder, link or device in a folder."""

    parts: tuple[str, ...]
    """Its name below the top; as one path it may be longer than the kernel takes."""
    folder: int
    """A descriptor of the folder that it is in, for as long as the walk stands here."""
    status: os.stat_result
    """Status of the item itself, not of the target of a link."""

    @property
    def name(self) -> str:
        """Its name in its folder."""
        return self.parts[-1]


def walk(top: Path) -> Iterator[TreeItem]:
    """Everything in a folder, each folder before what is in it, sorted; what vanishes meanwhile is left out.

    A folder that is closed to this user is found, and nothing in it. Raises TooDeep at the first folder beyond
    `MOST_DEPTH`.
    """
    # the folders on the way down: a descriptor, and the names in it that are still to be looked at
    waiting: list[tuple[int, list[str]]] = []
    above: list[str] = []
    try:
        try:
            first = os.open(top, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:  # not yet
            return
        waiting.append((first, sorted(os.listdir(first), reverse=True)))
        while waiting:
            at, names = waiting[-1]
            if not names:
                os.close(waiting.pop()[0])
                del above[-1:]
                continue
            name = names.pop()
            try:
                status = os.stat(name, dir_fd=at, follow_symlinks=False)
            except (FileNotFoundError, PermissionError):
                continue
            yield TreeItem((*above, name), at, status)
            if stat.S_ISDIR(status.st_mode):
                if len(waiting) == MOST_DEPTH:
                    raise TooDeep(f"more than {MOST_DEPTH} folders in each other below {top}")
                with suppress(FileNotFoundError, NotADirectoryError, PermissionError):  # it changes meanwhile
                    below = os.open(name, _FOLDER, dir_fd=at)
                    waiting.append((below, sorted(os.listdir(below), reverse=True)))
                    above.append(name)
    finally:
        for fd, _ in waiting:
            os.close(fd)


def holds_at_most(top: Path, most_bytes: int, most_files: int = _MOST_FILES) -> bool:
    """True if a folder that another process may be changing takes no more space than that, and is not too deep.

    Blocks are counted and not lengths: a file may be longer than what it holds, and may hold more than its length.
    """
    taken = files = 0
    try:
        for item in walk(top):
            taken, files = taken + item.status.st_blocks * _BLOCK, files + 1
            if taken > most_bytes or files > most_files:
                return False
    except TooDeep:
        return False
    return True
