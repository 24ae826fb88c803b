"""Saved machines on the disk of this host: complete or absent, checked before use, bounded in space.

A snapshot is a folder named by a key, a digest of everything that the saved guest consists of::

    memory          the guest's memory, a sparse file
    state           QEMU's stream of everything else
    NAME.qcow2      what the guest had written to its disk NAME, if it had any
    manifest.json   sizes and digests of these files, and what the host knows of the guest

The folder gets its name by one rename when everything in it has reached the disk.  Until then it is in the run folder
of its maker, which is removed when that process ends, however it ends.  A snapshot in use is locked, so that the sweep
for space leaves it.
"""

from __future__ import annotations

import dataclasses
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluate.confine.children import tool
from evaluate.confine.ownership import remove_tree, set_mode, take
from evaluate.core.errors import SandboxFault
from evaluate.core.files import exclusive, publish, write_file
from evaluate.sandbox.channel import Conversation
from evaluate.sandbox.run_folders import is_free

MEMORY, STATE = "memory", "state"
MANIFEST = "manifest.json"
MOST_BYTES = 8 << 30
_MANIFEST_BYTES = 1 << 20
_CHUNK, _PAGE = 1 << 22, 1 << 12
_ZEROS = bytes(_PAGE)


@dataclass(frozen=True, kw_only=True)
class SavedGuest:
    """Facts that the host knows about a saved guest."""

    conversation: Conversation
    overhead: int
    """Instructions of the agent in each count."""
    overhead_at_once: int
    """The same for a command that starts at once; 0 where none is run."""
    error: float
    """Error of the counter, when it was calibrated."""


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """A snapshot that is locked, and was found to be complete."""

    folder: Path
    guest: SavedGuest

    @property
    def memory(self) -> Path:
        """The file of the guest's memory."""
        return self.folder / MEMORY

    @property
    def state(self) -> Path:
        """QEMU's stream."""
        return self.folder / STATE

    def disk(self, name: str) -> Path:
        """Return the file with what the guest had written to one of its disks."""
        return self.folder / f"{name}.qcow2"


class Snapshots:
    """All snapshots of a state directory."""

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        self.path = path
        self._most_bytes = most_bytes
        self._checked: dict[Path, tuple[int, ...]] = {}
        path.mkdir(parents=True, exist_ok=True, mode=0o711)
        set_mode(path.resolve(), 0o711)  # QEMU's user may open files with known names, but not list the folder

    def making(self, key: str) -> AbstractContextManager[None]:
        """Hold the right to make this snapshot, so that several processes do not make it at the same time."""
        return exclusive(self.path / f"{key}.lock")

    @contextmanager
    def using(self, key: str) -> Iterator[Snapshot | None]:
        """The snapshot with this key, kept on the disk until the context ends; None if there is none.

        Raises SandboxFault if a file of it is missing or has other contents than when it was made.
        """
        folder = self.path / key
        try:
            lock = (folder / MANIFEST).open("rb")
        except OSError:
            yield None
            return
        with lock:
            fcntl.flock(lock, fcntl.LOCK_SH)
            if not (folder / MANIFEST).exists():  # removed while we waited for the lock
                yield None
                return
            snapshot = self._checked_snapshot(folder, lock.read(_MANIFEST_BYTES), key)
            os.utime(folder)
            yield snapshot

    def _checked_snapshot(self, folder: Path, text: bytes, key: str) -> Snapshot:
        try:
            manifest = json.loads(text)
            if manifest["key"] != key:
                raise SandboxFault(f"{folder}: its manifest is that of the snapshot {manifest['key']}")
            files: Mapping[str, Mapping[str, Any]] = manifest["files"]
            facts = dict(manifest["known"])
            saved = SavedGuest(**{**facts, "conversation": Conversation(**facts["conversation"])})
            if not {MEMORY, STATE} <= set(files) or any("/" in name for name in files):
                raise SandboxFault(f"{folder / MANIFEST}: expected the files {MEMORY} and {STATE}, found {[*files]}")
            for name, wanted in files.items():
                self._check(folder / name, wanted["bytes"], wanted["sha256"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as e:
            raise SandboxFault(f"{folder / MANIFEST} cannot be read: {type(e).__name__}: {e}") from e
        except OSError as e:
            raise SandboxFault(f"{folder}: {e}") from e
        return Snapshot(folder=folder, guest=saved)

    def _check(self, path: Path, size: int, digest: str) -> None:
        status = path.stat()
        # read once by each process: afterwards the inode shows whether it was changed
        identity = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        if self._checked.get(path) == identity:
            return
        if status.st_size != size:
            raise SandboxFault(f"{path}: expected {size} bytes, found {status.st_size}")
        if (actual := sparse_digest(path)) != digest:
            raise SandboxFault(f"{path}: expected the SHA-256 {digest}, found {actual}")
        self._checked[path] = identity

    def publish(self, key: str, folder: Path, saved: SavedGuest) -> None:
        """Make a snapshot of a folder of files, which is moved; the least recently used ones give way to it."""
        files = {
            path.name: {"bytes": path.stat().st_size, "sha256": sparse_digest(path)}
            for path in sorted(folder.iterdir())
        }
        for path in folder.iterdir():
            take(path)
            set_mode(path, 0o444)
        manifest = {"key": key, "files": files, "known": dataclasses.asdict(saved)}
        write_file(folder / MANIFEST, json.dumps(manifest, indent=1).encode(), 0o444)
        take(folder)
        set_mode(folder, 0o711)
        self.discard(key)
        try:
            publish(folder, self.path / key)
        except OSError as e:
            raise SandboxFault(f"the snapshot {self.path / key} cannot be kept: {e.strerror or e}") from e
        self._trim(key)

    def discard(self, key: str) -> None:
        """Remove a snapshot, whatever state it is in."""
        (self.path / key / MANIFEST).unlink(missing_ok=True)
        with suppress(OSError):
            remove_tree(self.path / key)

    def _trim(self, kept: str) -> None:
        """Remove the least recently used ones beyond the space, except those in use and one that is kept."""
        with exclusive(self.path / "trim.lock"):
            oldest_first = sorted((*_use(path), path.name) for path in self.path.iterdir() if path.is_dir())
            total = sum(size for _, size, _ in oldest_first)
            for _, size, name in oldest_first:
                if total > self._most_bytes and name != kept and is_free(self.path / name / MANIFEST):
                    total -= size
                    self.discard(name)


def _use(folder: Path) -> tuple[float, int]:
    """Time of its last use, and bytes on the disk: a sparse file takes less than its size; zeros if it is gone."""
    try:
        return folder.stat().st_mtime, sum(path.stat().st_blocks * 512 for path in folder.iterdir())
    except OSError:
        return 0.0, 0


def _extents(fd: int) -> Iterator[tuple[int, int]]:
    """Begin and end of the parts of a sparse file that have been written."""
    end, size = 0, os.fstat(fd).st_size
    while end < size:
        try:
            begin = os.lseek(fd, end, os.SEEK_DATA)
        except OSError:
            return  # only a hole is left
        end = os.lseek(fd, begin, os.SEEK_HOLE)
        yield begin, end


def sparse_digest(path: Path) -> str:
    """Hexadecimal SHA-256 of the pages of a file that are not zero, and their places: a hole is as good as zeros."""
    total = hashlib.sha256()
    with path.open("rb", buffering=0) as file:
        for offset, data in written(file.fileno()):
            total.update(offset.to_bytes(8) + len(data).to_bytes(8))
            total.update(data)
    return total.hexdigest()


def written(number: int) -> Iterator[tuple[int, memoryview]]:
    """The runs of pages of an open file that are not zero, and their places; one that is long is divided."""
    parts = [range(begin // _CHUNK, -(-end // _CHUNK)) for begin, end in _extents(number)]
    for chunk in sorted({n for part in parts for n in part}):
        data = os.pread(number, _CHUNK, chunk * _CHUNK)
        for begin, end in _filled(data):
            yield chunk * _CHUNK + begin, memoryview(data)[begin:end]


def _filled(data: bytes) -> Iterator[tuple[int, int]]:
    """Begin and end of the runs of pages that are not zero."""
    begin = None
    for i in range(0, len(data), _PAGE):
        if data[i] == 0 and data.startswith(_ZEROS[: len(data) - i], i):
            if begin is not None:
                yield begin, i
            begin = None
        elif begin is None:
            begin = i
    if begin is not None:
        yield begin, len(data)


def sparse_copy(source: Path, target: Path) -> None:
    """Copy the written parts of a file, which may be written to; a file system that can share them does."""
    argv: list[str | Path] = ["cp", "--no-preserve=mode", "--reflink=auto", "--sparse=auto", source, target]
    tool(argv, doing="copying a memory", fault=SandboxFault)
