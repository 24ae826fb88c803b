"""Files and folders that appear complete or not at all, even if a process is killed, and that survive a power cut."""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import tempfile
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_LOG = logging.getLogger("evaluate")
SILENT_SECONDS = 2.0
SCRATCH = ".build-"
"""Prefix of the name of everything unfinished; `evaluate.images.staging` removes what killed processes left."""


def is_there(path: Path, kind: Callable[[int], bool] = lambda _mode: True) -> bool:
    """True if a path leads to something, of a kind such as `stat.S_ISDIR`; a name that cannot exist leads nowhere."""
    try:
        return kind(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def is_read_only(path: Path) -> bool:
    """True if a folder is on a file system that is mounted read-only, as after an error of its disk."""
    try:
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def sync(path: Path) -> None:
    """Flush a file, or a folder's list of files, to the disk."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def sha256_file(path: Path) -> str:
    """Hexadecimal SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_digests: dict[tuple[int, ...], str] = {}


def sha256_kept(path: Path) -> str:
    """The same for a large file that seldom changes: read once by each process, as long as its inode is the same."""
    status = path.stat()
    identity = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    if identity not in _digests:
        _digests[identity] = sha256_file(path)
    return _digests[identity]


def publish(source: Path, target: Path, mode: int | None = None) -> None:
    """Rename a file or folder of files to its final name once everything in it has reached the disk.

    An existing file is replaced. Raises OSError if the target is an existing folder, or the disk is full.
    """
    if mode is not None:
        source.chmod(mode)
    for path in source.rglob("*") if source.is_dir() else ():
        if not path.is_symlink():
            sync(path)
    sync(source)
    source.replace(target)
    sync(target.parent)


def publish_once(source: Path, target: Path) -> None:
    """The same for what several processes make alike: if another one was faster, its folder stays."""
    try:
        publish(source, target)
    except OSError:
        if not target.exists():
            raise


def point(link: Path, target: str) -> None:
    """Create a symbolic link, or point an existing one elsewhere, in one step; several processes may do so at once."""
    temporary = link.with_name(f"{SCRATCH}{link.name}-{uuid.uuid4().hex}")
    temporary.symlink_to(target)
    temporary.replace(link)
    sync(link.parent)


def write_file(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Write a whole file in one step; several processes may do so at the same time."""
    fd, temporary = tempfile.mkstemp(prefix=f"{SCRATCH}{path.name}-", dir=path.parent)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
        publish(Path(temporary), path, mode)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@contextmanager
def exclusive(path: Path, holder: str = "another process") -> Iterator[None]:
    """Hold an advisory lock on ``path``; the kernel releases it when the holder ends.

    A wait of more than two seconds is in the log, or on standard error where there is none.

    ``holder``: whoever may hold it, in words.
    """
    with path.open("a") as f:
        message = threading.Timer(SILENT_SECONDS, _LOG.warning, ("waiting for %s, which holds %s", holder, path))
        message.daemon = True
        try:
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message.start()
            fcntl.flock(f, fcntl.LOCK_EX)
        finally:
            message.cancel()
        yield


# Where the package keeps its files: challenges, image recipes, guest agent, hostile cases


_PACKAGE = Path(__file__).resolve().parent.parent


def data_folder(name: str) -> Path:
    """The folder ``challenges``, ``vm_images`` or ``tests/hostile``: in an installed wheel, or next to the package."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name
