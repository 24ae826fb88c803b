"""A place for one walled-in process to write to, of a fixed size, which is gone when the process is.

Nothing looks into it afterwards: what the process found comes out as plain data, as files of
`evaluate.confine.delivery`, or in a file that the host made.  Where the size comes from, the first that this machine
allows:

* a file system of that size in a file (`evaluate.confine.root_helper`), mounted where only the process sees it: for
  root, and for the user of the services by `evaluate.confine.root_helper`;
* a file system in memory (tmpfs), if the size is small for this machine: for an ordinary user before the first;
* a folder, which is looked at while the process runs: it may hold more for a moment, what a disk takes in between.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evaluate.confine import root_helper
from evaluate.confine.ownership import give, remove_tree
from evaluate.confine.root_helper import ADMIN_PATH, attaching, made
from evaluate.core.errors import Fault

PLACE = Path("/scratch")
"""Path at which the process finds its place to write to."""
_SMALL = 8
"""The part of this machine's memory that a file system in memory may take, as a divisor."""
_TRIAL_BYTES = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Scratch:
    """Number of bytes that may be written, and the folder on whose disk they are kept meanwhile."""

    folder: Path
    most_bytes: int


@dataclass(frozen=True, kw_only=True)
class Provided:
    """A place that is there."""

    words: tuple[str, ...]
    """Arguments of bubblewrap."""
    prefix: tuple[str, ...] = ()
    """Comes before bubblewrap."""
    pass_fds: tuple[int, ...] = ()
    """Descriptors that the prefix needs."""
    watched: Path | None = None
    """The folder that must be looked at; None if its file system has an end."""


@contextmanager
def provided(scratch: Scratch, uid: int | None) -> Iterator[Provided]:
    """A place for a process of the user ``uid``, or of this user. Raises Fault if it cannot be made."""
    work = Path(tempfile.mkdtemp(prefix=".scratch-", dir=scratch.folder))
    try:
        folder = work / "place"
        folder.mkdir()
        in_memory = scratch.most_bytes <= _memory_bytes() // _SMALL
        mount = None
        if uid is not None and has_loops():
            try:
                mount = made(scratch.most_bytes, uid, uid, work)
            except OSError as e:
                raise Fault(f"a place to write to cannot be made: {e}") from e
        elif uid is None and not in_memory and has_helper():
            with suppress(OSError):  # it has no space to reserve
                mount = root_helper.ask(scratch.most_bytes)
        words = ("--bind", str(folder), str(PLACE))
        if mount is not None:
            try:
                yield Provided(words=words, prefix=attaching([(mount, folder)]), pass_fds=(mount,))
            finally:
                os.close(mount)
        elif in_memory:
            size = str(max(scratch.most_bytes, 4096))
            yield Provided(words=("--perms", "0777", "--size", size, "--tmpfs", str(PLACE)))
        else:
            if uid is not None:
                give(folder, uid, uid)
            yield Provided(words=words, watched=folder)
    finally:
        remove_tree(work)


@cache
def has_loops() -> bool:
    """True if this process may mount a file, tried with a small one."""
    if os.geteuid() != 0 or not all(shutil.which(name, path=ADMIN_PATH) for name in ("mke2fs", "unshare")):
        return False
    with tempfile.TemporaryDirectory(prefix="loops-") as folder:
        return _works(lambda: made(_TRIAL_BYTES, 0, 0, Path(folder)))


@cache
def has_helper() -> bool:
    """True if the helper of the services mounts a file for this user, tried with a small one."""
    return os.geteuid() != 0 and _works(lambda: root_helper.ask(_TRIAL_BYTES))


def _works(make: Callable[[], int]) -> bool:
    with tempfile.TemporaryDirectory(prefix="loops-") as target:
        try:
            mount = make()
        except OSError:
            return False
        try:
            argv = [*attaching([(mount, Path(target))]), "true"]
            return subprocess.run(argv, pass_fds=(mount,), capture_output=True, check=False).returncode == 0
        finally:
            os.close(mount)


def _memory_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
