"""Where images and layers are built: a folder ``.build-…`` next to the result, with a lock that ends with its process.

So a process that gets the lock knows that every such folder was left by a process that died, and removes it.
"""

from __future__ import annotations

import fcntl
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from evaluate.core.files import SCRATCH
from evaluate.images.containment import remove_tree


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
