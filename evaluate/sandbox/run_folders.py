"""Folders of running guests and evaluations, which do not outlive the process that created them.

Each is locked by the process that created it while that process runs; the kernel releases the lock even after
``kill -9``.  If another process gets the lock, the creator has ended, and the folder and what belongs to it may be
removed.
"""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from evaluate.confine.ownership import remove_tree, set_mode
from evaluate.core.files import exclusive

LOCK = "owner.lock"


class RunFolders:
    """The folder ``runs`` of a state directory."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # QEMU's user may open files with known names, but not list the folder
        path.mkdir(parents=True, exist_ok=True, mode=0o711)

    @contextmanager
    def new(self, purpose: str) -> Iterator[Path]:
        """A new folder of this process, removed when the context ends."""
        with exclusive(self.path / "lock"):  # a sweep must not see it before it is locked
            folder = self.path / f"{purpose}-{secrets.token_hex(4)}"
            folder.mkdir(mode=0o711)
            set_mode(folder, 0o711)
            lock = (folder / LOCK).open("w")
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.write(f"{os.getpid()}\n")
            lock.flush()
        try:
            yield folder
        finally:
            with lock, suppress(OSError):  # a sweep removes the rest
                remove_tree(folder)

    def sweep(self, purposes: Collection[str] | None = None) -> list[str]:
        """Remove the folders of dead processes, all or those of some purposes; returns their names."""
        with exclusive(self.path / "lock"):
            dead = [
                folder
                for folder in self.path.iterdir()
                if (purposes is None or folder.name.rpartition("-")[0] in purposes)
                and folder.is_dir()
                and is_free(folder / LOCK)
            ]
            for folder in dead:
                with suppress(OSError):
                    remove_tree(folder)
        return [folder.name for folder in dead]


def is_free(lock: Path) -> bool:
    """True if no running process holds this lock; a lock file that does not exist is free."""
    try:
        with lock.open("r") as f:
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return True
    except BlockingIOError:
        return False
    return True
