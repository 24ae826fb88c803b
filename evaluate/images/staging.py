"""Folders that images and layers are built in: ``.build-…`` next to the result, with a lock that ends with its process.

So a process that gets the lock knows that every such folder was left by a process that died, and removes it.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from evaluate.confine import ownership
from evaluate.confine.children import tool
from evaluate.core.errors import ImageFault
from evaluate.core.files import SCRATCH

# Runs programs of packages on the host, confined: in their own namespaces, without network or other processes


def remove_tree(path: Path) -> None:
    """Remove a folder and everything in it, also files that belong to users of a user namespace."""
    try:
        ownership.remove_tree(path)
    except PermissionError:
        tool(
            ["unshare", "--map-root-user", "--map-auto", "rm", "-rf", path], doing=f"removing {path}", fault=ImageFault
        )


def enclosed(argv: Sequence[str]) -> list[str]:
    """The same command in its own namespaces: no network, no other processes, mounts that end with it.

    For an ordinary user, in a user namespace in which it appears as root.
    """
    user = [] if os.geteuid() == 0 else ["--map-root-user", "--map-auto"]
    return ["unshare", *user, "--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "--kill-child", *argv]


@contextmanager
def building(folder: Path, name: str, waiting: Callable[[], None]) -> Iterator[Path]:
    """A new scratch folder in ``folder`` for building ``name``, held exclusively and removed at the end.

    ``waiting`` is called if another process is building the same and must finish first.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f".{name}.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(lock, fcntl.LOCK_EX)
        for dead in folder.glob(f"{SCRATCH}{name}-*"):
            remove_tree(dead)
        scratch = Path(tempfile.mkdtemp(prefix=f"{SCRATCH}{name}-", dir=folder))
        try:
            yield scratch
        finally:
            if scratch.exists():
                remove_tree(scratch)


# Reports the progress of a build to people


Progress = Callable[[str], None]
"""Called with one line of text at a time."""

_HEARTBEAT_SECONDS = 5.0


@contextmanager
def phase(progress: Progress, name: str) -> Iterator[None]:
    """Announce a phase, repeat its name while it lasts, and report how long it took."""
    start = time.monotonic()
    over = threading.Event()

    def heartbeat() -> None:
        while not over.wait(_HEARTBEAT_SECONDS):
            progress(f"{name} … {time.monotonic() - start:.0f} s")

    progress(f"{name} …")
    beating = threading.Thread(target=heartbeat, daemon=True)
    beating.start()
    try:
        yield
    finally:
        over.set()
        beating.join()
    progress(f"{name}: {time.monotonic() - start:.1f} s")
