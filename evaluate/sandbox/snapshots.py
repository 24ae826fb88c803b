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
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from evaluate.confine.ownership import remove_tree, set_mode, take
from evaluate.core.errors import Fault, SandboxFault
from evaluate.core.files import exclusive, publish, write_file
from evaluate.core.model import CounterInfo, Limits, Run
from evaluate.sandbox.base import Command, Prepared
from evaluate.sandbox.channel import Conversation

MEMORY, STATE = "memory", "state"
MANIFEST = "manifest.json"
MOST_BYTES = 8 << 30
_MANIFEST_BYTES = 1 << 20
_CHUNK, _PAGE = 1 << 22, 1 << 12
_ZEROS = bytes(_PAGE)


class DamagedSnapshot(SandboxFault):
    """A snapshot does not match its manifest; it is unusable."""


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

    @contextmanager
    def making(self, key: str) -> Iterator[None]:
        """Hold the right to make this snapshot, so that several processes do not make it at the same time."""
        with exclusive(self.path / f"{key}.lock"):
            yield

    @contextmanager
    def using(self, key: str) -> Iterator[Snapshot | None]:
        """The snapshot with this key, kept on the disk until the context ends; None if there is none.

        Raises DamagedSnapshot if a file of it is missing or has other contents than when it was made.
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
                raise DamagedSnapshot(f"{folder}: its manifest is that of the snapshot {manifest['key']}")
            files: Mapping[str, Mapping[str, Any]] = manifest["files"]
            facts = dict(manifest["known"])
            saved = SavedGuest(**{**facts, "conversation": Conversation(**facts["conversation"])})
            if not {MEMORY, STATE} <= set(files) or any("/" in name for name in files):
                raise DamagedSnapshot(f"{folder / MANIFEST}: expected the files {MEMORY} and {STATE}, found {[*files]}")
            for name, wanted in files.items():
                self._check(folder / name, wanted["bytes"], wanted["sha256"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as e:
            raise DamagedSnapshot(f"{folder / MANIFEST} cannot be read: {type(e).__name__}: {e}") from e
        except OSError as e:
            raise DamagedSnapshot(f"{folder}: {e}") from e
        return Snapshot(folder=folder, guest=saved)

    def _check(self, path: Path, size: int, digest: str) -> None:
        status = path.stat()
        # read once by each process: afterwards the inode shows whether it was changed
        identity = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        if self._checked.get(path) == identity:
            return
        if status.st_size != size:
            raise DamagedSnapshot(f"{path}: expected {size} bytes, found {status.st_size}")
        if (actual := sparse_digest(path)) != digest:
            raise DamagedSnapshot(f"{path}: expected the SHA-256 {digest}, found {actual}")
        self._checked[path] = identity

    def publish(self, key: str, folder: Path, saved: SavedGuest, of: Path | None = None) -> None:
        """Make a snapshot of a folder of files, which is moved; the oldest ones give way to it.

        ``of``: the folder whose path is a part of the key: without it the snapshot can never be used again.
        """
        files = {
            path.name: {"bytes": path.stat().st_size, "sha256": sparse_digest(path)}
            for path in sorted(folder.iterdir())
        }
        for path in folder.iterdir():
            take(path)
            set_mode(path, 0o444)
        manifest = {"key": key, "files": files, "known": dataclasses.asdict(saved)}
        text = json.dumps(manifest if of is None else {**manifest, "of": str(of)}, indent=1)
        write_file(folder / MANIFEST, text.encode(), 0o444)
        take(folder)
        set_mode(folder, 0o711)
        self.discard(key)
        try:
            publish(folder, self.path / key)
        except OSError as e:
            raise SandboxFault(f"the snapshot {self.path / key} cannot be kept: {e.strerror or e}") from e
        self.trim(kept=key)

    def discard(self, key: str) -> None:
        """Remove a snapshot, whatever state it is in."""
        (self.path / key / MANIFEST).unlink(missing_ok=True)
        with suppress(OSError):
            remove_tree(self.path / key)

    def unused(self, since: float) -> list[Path]:
        """The folders of those that no guest runs from, and from which none was started since a time (since 1970)."""
        folders = [path for path in self.path.iterdir() if path.is_dir() and path.stat().st_mtime < since]
        return sorted(path for path in folders if not _in_use(path / MANIFEST))

    def discard_unused(self, key: str) -> bool:
        """Remove a snapshot unless a guest runs from it; returns whether it did."""
        with exclusive(self.path / "trim.lock"):
            if _in_use(self.path / key / MANIFEST):
                return False
            self.discard(key)
        return True

    def trim(self, *, kept: str = "") -> list[str]:
        """Remove those that can never be used again, and the least recently used beyond the space; returns the keys."""
        gone: list[str] = []
        with exclusive(self.path / "trim.lock"):
            folders = sorted((p for p in self.path.iterdir() if p.is_dir()), key=lambda p: p.stat().st_mtime)
            sizes = {path: _allocated(path) for path in folders}
            total = sum(sizes.values())
            for path in folders:
                if path.name == kept or (total <= self._most_bytes and _is_wanted(path / MANIFEST)):
                    continue
                if not _in_use(path / MANIFEST):
                    total -= sizes[path]
                    self.discard(path.name)
                    gone.append(path.name)
        return gone


def _is_wanted(manifest: Path) -> bool:
    """True if somebody may still ask for the snapshot of this manifest."""
    try:
        with manifest.open("rb") as file:
            manifest = json.loads(file.read(_MANIFEST_BYTES))
    except (OSError, ValueError, RecursionError):
        return manifest.exists()  # its user finds out what is wrong
    of = manifest.get("of") if isinstance(manifest, dict) else None
    return not isinstance(of, str) or os.path.exists(of)  # noqa: PTH110  # false also for what can be no name


def _in_use(manifest: Path) -> bool:
    try:
        with manifest.open("r") as f:
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _allocated(folder: Path) -> int:
    """Bytes on the disk: a sparse file takes less than its size."""
    try:
        return sum(path.stat().st_blocks * 512 for path in folder.iterdir())
    except OSError:
        return 0


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
    """Copy the written parts of a file; on a file system that can share them, they are shared."""
    with source.open("rb", buffering=0) as old, target.open("wb", buffering=0) as new:
        try:
            fcntl.ioctl(new.fileno(), _FICLONE, old.fileno())
            return
        except OSError:
            os.ftruncate(new.fileno(), os.fstat(old.fileno()).st_size)
        for begin, end in _extents(old.fileno()):
            offset = begin
            while offset < end and (n := os.copy_file_range(old.fileno(), new.fileno(), end - offset, offset, offset)):
                offset += n


_FICLONE = 0x40049409


# The guests of `Hypervisor.rooms`: which of them wait for a command, and when they go


class Room(Protocol):
    """A restored guest, for one command."""

    @property
    def folder(self) -> Path:
        """Its own on the host."""

    def run_alone(self, command: Command, limits: Limits) -> Run:
        """Run a command, the only one of this room."""


R = TypeVar("R", bound=Room)


class Rooms(Generic[R]):
    """A `Sandbox` whose every command has a guest of its own, restored from the same snapshot.

    While a command runs, the next guests are restored and the last one destroyed, so that a command waits for neither.
    """

    _WAITING = 2
    """Guests that wait, or are on their way: a short command ends before one is ready."""

    def __init__(
        self,
        restore: Callable[[ExitStack], R],
        counter: CounterInfo,
        after: Callable[[Path], None],
    ) -> None:
        """Begin to restore.

        * ``restore``: a guest, which exists as long as the stack that it gets.
        * ``after``: gets the folder of each guest when its command has ended.
        """
        self.restore, self._counter, self._after = restore, counter, after
        self._loader = ThreadPoolExecutor(self._WAITING, "restoring a guest")
        self._remover = ThreadPoolExecutor(1, "destroying a guest")
        self._waiting = deque(self._loader.submit(self._load) for _ in range(self._WAITING))
        self._last: Future[None] | None = None

    @property
    def counter(self) -> CounterInfo:
        return self._counter

    def run(self, command: Command, limits: Limits) -> Run:
        next_one = self._waiting.popleft()
        wait([next_one])
        self._waiting.append(self._loader.submit(self._load))
        try:
            room, sandbox = next_one.result()
        except Fault:  # nothing of the command has started
            room, sandbox = self._load()
        try:
            run = sandbox.run_alone(command, limits)
            self._after(sandbox.folder)
        finally:
            last, self._last = self._last, self._remover.submit(room.close)
        if last is not None:
            last.result()  # so that there are never more than four guests, and a fault is not lost
        return run

    def freeze(self, folder: Path) -> Prepared:
        """Impossible: a room leaves nothing."""
        raise SandboxFault(f"a restored guest leaves nothing to be kept in {folder}")

    def close(self) -> None:
        """Destroy the guests that wait, and the last one, also if another fails to end."""
        with ExitStack() as ending:
            if self._last is not None:
                ending.callback(self._last.result)
            ending.callback(self._remover.shutdown)
            ending.callback(self._loader.shutdown)
            for waiting in self._waiting:
                ending.callback(_end, waiting)

    def _load(self) -> tuple[ExitStack, R]:
        with ExitStack() as room:
            sandbox = self.restore(room)
            return room.pop_all(), sandbox


class NotLoaded:
    """A `Sandbox` for a server that could not be loaded: every command has that outcome."""

    def __init__(self, run: Run, counter: CounterInfo) -> None:
        self._run, self.counter = run, counter

    def run(self, command: Command, limits: Limits) -> Run:
        """Return how the server ended."""
        del command, limits
        return self._run

    def freeze(self, folder: Path) -> Prepared:
        """Impossible: nothing runs."""
        raise SandboxFault(f"a server that could not be loaded leaves nothing to be kept in {folder}")


def _end(waiting: Future[tuple[ExitStack, R]]) -> None:
    """Destroy a guest that waits; one that could not be restored is gone already."""
    with suppress(Fault):
        waiting.result()[0].close()
