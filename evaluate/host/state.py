"""The state directory of this host: images, layers, runs, and a queue's database."""

from __future__ import annotations

import os
from pathlib import Path

from evaluate.core.access import close, qemu_user
from evaluate.core.errors import UsageError
from evaluate.core.files import is_read_only

_OURS = {"queue.sqlite", "images", "layers", "runs", "cache"}
"""Names in a state directory; it has one of them."""
RESTORING = ".restoring"
"""In a state directory, or after its name beside it: what a restore has not finished (`evaluate.queue.restoring`)."""


def default_state() -> Path:
    """``EVALUATE_STATE``, else /var/lib/evaluate for root, else the user's XDG state folder."""
    if given := os.environ.get("EVALUATE_STATE"):
        return Path(given)
    if os.geteuid() == 0:
        return Path("/var/lib/evaluate")
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "evaluate"


def open_state(path: Path) -> Path:
    """The state folder, created if necessary, and closed to everybody but its owner and QEMU's user.

    On a disk that is mounted read-only it is what it is: it can be looked at, and what writes fails with that reason.

    Raises
    ------
    UsageError
        It cannot be created or written, or is half restored.
    """
    if (path / RESTORING).exists():
        raise UsageError(f"--state {path}: a restore of it was interrupted; run `evaluate restore` again")
    if path.is_dir() and is_read_only(path):
        return path.resolve()
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        # hidden answers and scores are in it; QEMU of the system's libvirt only passes through it to disks
        mode = path.stat().st_mode
        if (mode & 0o007 or not mode & 0o070) and _is_state(path):
            close(path, qemu_user())
    except OSError as e:
        raise UsageError(f"--state {path}: {e.strerror}") from e
    if not os.access(path, os.W_OK | os.X_OK):
        raise UsageError(f"--state {path}: this folder is not writable for this user")
    return path.resolve()


def _is_state(path: Path) -> bool:
    """Whether a folder is empty or was used before: `--state /var/lib` must not close that to everybody."""
    names = {one.name for one in path.iterdir()}
    return not names or bool(names & _OURS)
