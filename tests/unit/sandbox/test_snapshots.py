"""Snapshots are complete or absent, are checked before use, and give way to newer ones."""

import errno
import json
import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Collection
from concurrent.futures import wait
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from evaluate.core.errors import CounterFault, SandboxFault
from evaluate.core.model import CounterInfo, Limits, Run, Usage, Verdict
from evaluate.sandbox import running
from evaluate.sandbox.base import Command, Machine, host_faults
from evaluate.sandbox.channel import Conversation
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.sandbox.running import Rooms, fix_random_key
from evaluate.sandbox.snapshots import (
    MANIFEST,
    MEMORY,
    STATE,
    SavedGuest,
    Snapshots,
    sparse_copy,
    sparse_digest,
)

KNOWN = SavedGuest(
    conversation=Conversation(nonce="ab" * 16, sent=7, received=9), overhead=5, overhead_at_once=6, error=0.0
)
MANIFEST_OF = json.dumps({"key": "key", "known": asdict(KNOWN), "files": "FILES"}).replace('"FILES"', "FILES").encode()


def made(store: Snapshots, key: str = "key", memory: bytes = b"m" * 8192) -> Path:
    folder = store.path.parent / f"making-{key}"
    folder.mkdir(parents=True)
    with (folder / MEMORY).open("wb") as f:
        f.truncate(1 << 24)
        f.seek(1 << 20)
        f.write(memory)
    (folder / STATE).write_bytes(b"state")
    store.publish(key, folder, KNOWN)
    return store.path / key


@pytest.fixture
def store(tmp_path: Path) -> Snapshots:
    return Snapshots(tmp_path / "snapshots")


def test_what_was_published_is_found_by_every_process_with_what_is_known_of_it(store: Snapshots) -> None:
    folder = made(store)
    for reader in (store, Snapshots(store.path)):
        with reader.using("key") as snapshot, reader.using("other") as missing:
            assert snapshot is not None and snapshot.guest == KNOWN and missing is None
            assert (snapshot.memory, snapshot.state.read_bytes()) == (folder / MEMORY, b"state")


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        (MEMORY, b"x", "expected 16777216 bytes, found 1"),
        (STATE, b"stale", "expected the SHA-256 .*, found"),
        (STATE, None, "No such file"),
        (MANIFEST, b"{", "cannot be read"),
        (MANIFEST, b'{"key": "key"}', "cannot be read: KeyError: 'files'"),
        (MANIFEST, b'{"key": "another"}', "its manifest is that of the snapshot another"),
        (MANIFEST, b"[]", "cannot be read: TypeError"),
        (MANIFEST, b"[" * 100_000, "cannot be read: RecursionError"),
        (MANIFEST, b"\xff", "cannot be read: UnicodeDecodeError"),
        (MANIFEST, MANIFEST_OF.replace(b"FILES", b"{}"), "expected the files memory and state, found .."),
        (MANIFEST, MANIFEST_OF.replace(b"FILES", b'["memory", "state"]'), "cannot be read: AttributeError"),
        (MANIFEST, MANIFEST_OF.replace(b"FILES", b'{"memory": {}, "state": {}, "../x": {}}'), "expected the files"),
        (MANIFEST, MANIFEST_OF.replace(b"FILES", b'{"memory": {}, "state": {}}'), "cannot be read: KeyError"),
    ],
)
def test_damaged_or_foreign_snapshot_is_refused_and_says_what_is_wrong(
    store: Snapshots, name: str, content: bytes | None, problem: str
) -> None:
    path = made(store) / name
    with store.using("key"):
        pass
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    for reader in (store, Snapshots(store.path)):
        with pytest.raises(SandboxFault, match=problem), reader.using("key"):
            pass
    store.discard("key")
    with store.using("key") as found:
        assert found is None


def test_oldest_ones_give_way_and_those_in_use_stay(store: Snapshots) -> None:
    def names() -> set[str]:
        return {path.name for path in store.path.iterdir() if path.is_dir()}

    for n, key in enumerate(("first", "second", "third")):
        os.utime(made(store, key, os.urandom(1 << 20)), (n, n))
    small = Snapshots(store.path, most_bytes=1 << 20)
    with store.using("first") as held:
        assert held is not None
        os.utime(held.folder, (0, 0))
        made(small, "fourth", os.urandom(1 << 20))
        assert names() == {"first", "fourth"} and held.state.exists()
    for key in ("larger than the space", "newest"):
        made(Snapshots(store.path, most_bytes=1), key)
    assert names() == {"newest"}


def test_one_that_another_process_removes_meanwhile_stops_no_making(
    store: Snapshots, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(store, "old")
    is_dir = Path.is_dir

    def removed(path: Path) -> bool:
        was_there = is_dir(path)
        if path.name == "old":
            monkeypatch.undo()
            store.discard("old")
        return was_there

    monkeypatch.setattr(Path, "is_dir", removed)
    assert made(store, "new").is_dir() and not (store.path / "old").exists()


def test_maker_that_is_killed_leaves_no_snapshot_and_no_lock(store: Snapshots, tmp_path: Path) -> None:
    """Killed at the worst moment: all files are in place and only the rename is missing."""
    program = f"""
import os, signal
from pathlib import Path
from evaluate.sandbox import snapshots
from tests.unit.sandbox.test_snapshots import made
store = snapshots.Snapshots(Path({str(store.path)!r}))
snapshots.publish = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
with store.making("key"):
    made(store)
"""
    ended = subprocess.run([sys.executable, "-c", program], check=False)
    assert ended.returncode == -signal.SIGKILL
    with store.making("key"), store.using("key") as found:
        assert found is None


def test_copy_of_a_sparse_file_is_sparse_and_has_the_same_digest(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    with source.open("wb") as f:
        f.write(b"begin")
        f.seek(1 << 30)
        f.write(b"middle")
        f.truncate(1 << 31)
    source.chmod(0o444)
    sparse_copy(source, target)
    assert target.stat().st_mode & 0o200, "that of a snapshot is read-only, and a guest writes to its own"
    assert target.stat().st_size == 1 << 31
    assert target.stat().st_blocks < 1 << 10
    assert sparse_digest(target) == sparse_digest(source)
    with target.open("rb") as f:
        f.seek(1 << 30)
        assert f.read(6) == b"middle"


COMMAND = Command(argv=("/bin/true",))
LIMITS = Limits(instructions=10**9, wall_seconds=10)
COUNTER = CounterInfo(kind="tcg", calibration_error=0.0)


class Guests:
    """Restores guests that are numbers, of which some cannot be restored."""

    def __init__(self, faults: Collection[int] = (), error: Exception | None = None) -> None:
        self.faults, self.error = faults, error or SandboxFault("the guest cannot be restored")
        self.restored, self.most, self.alive = 0, 0, set[int]()
        self._lock = threading.Lock()

    def restore(self, stack: ExitStack) -> Any:
        with self._lock:
            number, self.restored = self.restored, self.restored + 1
            if number in self.faults:
                raise self.error
            self.alive.add(number)
            self.most = max(self.most, len(self.alive))
        stack.callback(self.alive.remove, number)
        stack.callback(time.sleep, 0.01)

        def run_alone(command: Command, _limits: Limits) -> Run:
            assert number in self.alive
            if command.argv == ("/bin/false",):
                raise SandboxFault("the guest ended")
            return Run(verdict=Verdict.OK, usage=Usage(instructions=number))

        return SimpleNamespace(folder=Path(str(number)), run_alone=run_alone)

    def rooms(self) -> Rooms:
        return Rooms(self.restore, COUNTER, lambda _: None)


def test_every_command_has_a_guest_of_its_own_that_waits_for_it_also_after_one_that_ended_within_its_command() -> None:
    guests = Guests()
    rooms = guests.rooms()
    wait(rooms._waiting)
    assert len(guests.alive) == 2
    ran = [rooms.run(COMMAND, LIMITS).usage.instructions for _ in range(20)]
    wait(rooms._waiting)
    assert guests.restored == 22
    with pytest.raises(SandboxFault, match="the guest ended"):
        rooms.run(Command(argv=("/bin/false",)), LIMITS)
    assert rooms.run(COMMAND, LIMITS).verdict is Verdict.OK
    rooms.close()
    assert sorted(set(ran)) == sorted(ran)
    assert (guests.alive, guests.most <= 4) == (set(), True), "few are there at once"


@pytest.mark.parametrize(("faults", "replaced"), [({0}, True), (set(range(100)), False)])
def test_guest_that_could_not_be_restored_is_replaced_before_anything_starts_or_is_a_fault(
    faults: set[int], replaced: bool
) -> None:
    guests = Guests(faults=faults)
    rooms = guests.rooms()
    for _ in range(5):
        with nullcontext() if replaced else pytest.raises(SandboxFault, match="cannot be restored"):
            rooms.run(COMMAND, LIMITS)
    rooms.close()
    assert guests.alive == set()


@pytest.mark.parametrize(
    "error",
    [OSError(errno.ENOSPC, "No space left on device"), CounterFault("the guest has ended"), ValueError("a defect")],
    ids=["a full disk", "a fault of the counter", "a defect"],
)
@pytest.mark.parametrize("failed", [0, 1])
def test_guest_that_waits_is_destroyed_whatever_the_other_failed_of(error: Exception, failed: int) -> None:
    guests = Guests(faults={failed}, error=error)
    rooms = guests.rooms()
    wait(rooms._waiting)
    with suppress(OSError, ValueError):
        rooms.close()
    assert guests.alive == set()


def test_guest_that_was_waited_for_when_ctrl_c_came_is_destroyed(monkeypatch: pytest.MonkeyPatch) -> None:
    guests = Guests()
    rooms = guests.rooms()

    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        rooms.run(COMMAND, LIMITS)
    rooms.close()
    assert guests.alive == set()


def test_error_while_a_server_that_was_not_loaded_is_asked_is_that_error(tmp_path: Path) -> None:
    hypervisor: Any = object.__new__(LibvirtHypervisor)
    vars(hypervisor).update(_accelerator="tcg", _state=tmp_path, _attempts=2, _calibrations=[COUNTER])
    hypervisor._key_of_entry = lambda *_: "key"
    ended = Run(verdict=Verdict.RUNTIME_ERROR, usage=Usage())
    hypervisor._save_entry = lambda *_: ended
    machine = Machine(image=None)  # type: ignore[arg-type]
    with (
        pytest.raises(SandboxFault, match="making a disk"),
        hypervisor.rooms(machine, COMMAND, LIMITS) as rooms,
    ):
        assert rooms.run(COMMAND, LIMITS) is ended
        raise SandboxFault("making a disk")


def test_error_of_the_host_is_a_fault_that_says_what_was_done() -> None:
    @host_faults("restoring a guest")
    def work() -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/state/memory")

    with pytest.raises(SandboxFault, match=r"^restoring a guest: .*No space left on device: '/state/memory'"):
        work()


# The key of a saved machine's random numbers


AT, SIZE = 0x42002840, 5 << 30
"""As seen in a machine; the memory is a sparse file."""
FOUND = bytes(range(32)) + struct.pack("<2Q", 0xFFFEEF89, 2)
"""As Linux 6.1 had it: a tick of its first minutes, and the second key."""


def with_key(path: Path, place: int, content: bytes) -> Path:
    with path.open("wb") as file:
        file.truncate(SIZE)
        file.seek(place)
        file.write(content)
    return path


def read(path: Path, place: int) -> bytes:
    with path.open("rb") as file:
        file.seek(place - 8)
        return file.read(64)


def test_two_machines_have_the_same_key_which_never_gets_old(tmp_path: Path) -> None:
    one = with_key(tmp_path / "one", AT, FOUND)
    two = with_key(tmp_path / "two", AT, FOUND[::-1][16:] + FOUND[32:])
    fix_random_key(one, AT)
    fix_random_key(two, AT)
    before, key, made, generation, after = struct.unpack("<8s32s2Q8s", read(one, AT))
    assert read(one, AT) == read(two, AT)
    assert key != FOUND[:32]
    assert made > 1 << 50 and generation > 2
    assert before + after == bytes(16)


@pytest.mark.parametrize(
    ("at", "place", "content", "stays"),
    [
        (5 << 30, 3 << 30, FOUND, False),  # memory above 4 GiB lies behind that below
        *((at, SIZE - len(FOUND), FOUND, True) for at in (0, SIZE - 20, SIZE, 1 << 50)),  # outside of the memory
        (AT, AT, b"something of another kernel, which is not to be changed.", True),
    ],
)
def test_key_is_replaced_where_it_is_and_nothing_else(
    tmp_path: Path, at: int, place: int, content: bytes, stays: bool
) -> None:
    path = with_key(tmp_path / "memory", place, content)
    fix_random_key(path, at)
    assert (content in read(path, place)) is stays
    assert path.stat().st_size == SIZE


def test_memory_that_a_qemu_makes_shorter_meanwhile_is_no_defect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = with_key(tmp_path / "memory", AT, FOUND)
    status = path.stat()
    os.truncate(path, AT + 20)
    with monkeypatch.context() as before:
        before.setattr(Path, "stat", lambda _: status)
        fix_random_key(path, AT)
    assert path.stat().st_size == AT + 20
