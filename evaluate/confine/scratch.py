"""A place for one walled-in process to write to, of a fixed size, which is gone when the process is.

Nothing looks into it afterwards: what the process found comes out as plain data, as files of
`evaluate.confine.delivery`, or in a file that the host made.  Where the size comes from, the first that this machine
allows:

* for root, a file system of that size in a file (ext4 on a loop device), mounted where only the process sees it;
* a file system in memory (tmpfs), if the size is small for this machine;
* a folder, which is looked at while the process runs: it may hold more for a moment, what a disk takes in between.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evaluate.confine.children import tool
from evaluate.confine.ownership import give, remove_tree

PLACE = Path("/scratch")
"""Where the process finds it."""
_SMALL = 8
"""The part of this machine's memory that a file system in memory may take, as a divisor."""
_ROOM_FOR_ITSELF = 1.05, 32 << 20
"""What ext4 needs in addition for its lists of files."""
_MOUNT_OPTIONS = "loop,nosuid,nodev,noatime,nobarrier,noinit_itable"
_ADMIN_PATH = "/usr/sbin:/sbin:/usr/bin:/bin"
_MOUNTED = 'mount -t ext4 -o "$1" "$2" "$3" && shift 3 && exec "$@"'


@dataclass(frozen=True, kw_only=True)
class Scratch:
    """How much may be written, and the folder on whose disk it is kept meanwhile."""

    folder: Path
    most_bytes: int


@dataclass(frozen=True, kw_only=True)
class Provided:
    """A place that is there."""

    words: tuple[str, ...]
    """Arguments of bubblewrap."""
    prefix: tuple[str, ...] = ()
    """Comes before bubblewrap."""
    watched: Path | None = None
    """The folder that must be looked at; None if its file system has an end."""


@contextmanager
def provided(scratch: Scratch, uid: int | None) -> Iterator[Provided]:
    """A place for a process of the user ``uid``, or of this user."""
    work = Path(tempfile.mkdtemp(prefix=".scratch-", dir=scratch.folder))
    try:
        place = work / "place"
        place.mkdir()
        if uid is not None and has_loops():
            image = work / "image"
            factor, more = _ROOM_FOR_ITSELF
            make_file_system(image, int(scratch.most_bytes * factor) + more, uid)
            mount = ("unshare", "--mount", "--propagation", "private", "sh", "-c", _MOUNTED, "sh")
            prefix = (*mount, _MOUNT_OPTIONS, str(image), str(place))
            yield Provided(words=("--bind", str(place), str(PLACE)), prefix=prefix)
        elif scratch.most_bytes <= _memory_bytes() // _SMALL:
            yield Provided(
                words=("--perms", "0777", "--size", str(max(scratch.most_bytes, 4096)), "--tmpfs", str(PLACE))
            )
        else:
            if uid is not None:
                give(place, uid, uid)
            yield Provided(words=("--bind", str(place), str(PLACE)), watched=place)
    finally:
        remove_tree(work)


def make_file_system(image: Path, size: int, uid: int) -> None:
    """An empty ext4 in a sparse file, whose top folder belongs to a user."""
    with image.open("xb") as f:
        f.truncate(size)
    options = f"lazy_itable_init=1,nodiscard,root_owner={uid}:{uid}"
    words = ["-q", "-t", "ext4", "-O", "^has_journal,^resize_inode", "-m", "0", "-E", options, str(image)]
    tool([_program("mke2fs"), *words], doing="making a place to write to")


@cache
def has_loops() -> bool:
    """Whether this process may mount a file, tried with a small one."""
    if os.geteuid() != 0 or not all(shutil.which(name, path=_ADMIN_PATH) for name in ("mke2fs", "unshare", "mount")):
        return False
    with tempfile.TemporaryDirectory(prefix="loops-") as made:
        image, place = Path(made, "image"), Path(made, "place")
        place.mkdir()
        make_file_system(image, 1 << 20, 0)
        mount: Sequence[str | Path] = ("unshare", "--mount", "--propagation", "private", "sh", "-c", _MOUNTED, "sh")
        argv = [*mount, _MOUNT_OPTIONS, image, place, "true"]
        done = subprocess.run(argv, capture_output=True, check=False, env={"PATH": _ADMIN_PATH})
        return done.returncode == 0


def _program(name: str) -> str:
    return shutil.which(name, path=_ADMIN_PATH) or name


def _memory_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
