"""Makes files and folders appear whole or not at all, whatever is killed meanwhile.

What is built is built in a folder ``.build-…`` beside its place, under a lock that dies with its process; so
whoever holds the lock knows that every such folder is a dead one's, and removes it.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from evaluate.images.containment import remove_tree

_PREFIX = ".build-"


@contextmanager
def building(folder: Path, name: str, waiting: Callable[[], None]) -> Iterator[Path]:
    """A fresh scratch folder in ``folder`` for building ``name``, alone; it is gone at the end.

    ``waiting`` is called if another process is building the same and has to be waited for.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f".{name}.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(lock, fcntl.LOCK_EX)
        for dead in folder.glob(f"{_PREFIX}{name}-*"):
            remove_tree(dead)
        scratch = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{name}-", dir=folder))
        try:
            yield scratch
        finally:
            if scratch.exists():
                remove_tree(scratch)


def sync(path: Path) -> None:
    """Bring a file, or a folder's list of files, to the disk."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def publish(source: Path, target: Path) -> None:
    """Rename a file or folder of files to its place after everything in it has reached the disk."""
    for path in source.iterdir() if source.is_dir() else ():
        sync(path)
    sync(source)
    source.rename(target)
    sync(target.parent)


def point(link: Path, target: str) -> None:
    """Make a symbolic link, or turn an old one, in one step."""
    temporary = link.with_name(f"{_PREFIX}{link.name}-link")
    temporary.unlink(missing_ok=True)
    temporary.symlink_to(target)
    temporary.replace(link)
    sync(link.parent)


def write_file(path: Path, data: bytes) -> None:
    """Write a whole file in one step; many processes may do so at once."""
    fd, temporary = tempfile.mkstemp(prefix=f"{_PREFIX}{path.name}-", dir=path.parent)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            os.fchmod(fd, 0o644)
        publish(Path(temporary), path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
