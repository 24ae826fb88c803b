"""Leftovers of killed processes in the folders of a queue, and saved machines that nothing can start from any more."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from evaluate.confine.ownership import discard_tree
from evaluate.core.files import SCRATCH
from evaluate.receipts.issue import LOG
from evaluate.sandbox.run_folders import RunFolders
from evaluate.store.entries.store import Store
from evaluate.store.files import archives
from evaluate.store.files.stage_folders import EVIDENCE, UPLOADS

SNAPSHOTS = "snapshots"
"""The folder of saved machines in a state directory."""
_DAY = 86400.0
_WITHOUT_MACHINES = ("submission",)
"""Purposes of folders in ``runs`` without a virtual machine, which nobody else looks at."""


def sweep(store: Store, state: Path, shared: Path) -> int:
    """Remove all of it, but for what is younger than a day, which may be somebody's; returns how many things."""
    count = archives.sweep(store, shared)
    for path in (path for path in _unfinished(state, shared) if _is_old(path)):
        discard(path)
        count += 1
    if (state / "runs").is_dir():
        count += len(RunFolders(state / "runs").sweep(_WITHOUT_MACHINES))
    return count


def discard(path: Path) -> None:
    """Remove a file, a link, or a folder with everything in it."""
    if path.is_dir() and not path.is_symlink():
        discard_tree(path)
    else:
        path.unlink(missing_ok=True)


def _unfinished(state: Path, shared: Path) -> Iterator[Path]:
    yield from (state / LOG / "receipts").glob(f"{SCRATCH}*")
    for folder in (shared / UPLOADS, shared / EVIDENCE, shared / "images", shared / "layers", state / "cache"):
        yield from folder.glob("*.pruned.*.part")


def _is_old(path: Path) -> bool:
    try:
        return path.lstat().st_mtime < time.time() - _DAY
    except FileNotFoundError:
        return False
