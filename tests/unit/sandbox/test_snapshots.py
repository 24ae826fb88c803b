"""Snapshots are complete or absent, are checked before use, and give way to newer ones."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from evaluate.sandbox.channel import Conversation
from evaluate.sandbox.snapshots import (
    MANIFEST,
    MEMORY,
    STATE,
    DamagedSnapshot,
    SavedGuest,
    Snapshots,
    sparse_copy,
    sparse_digest,
)

KNOWN = SavedGuest(
    conversation=Conversation(nonce="ab" * 16, sent=7, received=9), overhead=5, overhead_at_once=6, error=0.0
)
MANIFEST_OF = json.dumps({"key": "key", "known": asdict(KNOWN), "files": "FILES"}).replace('"FILES"', "FILES").encode()


def made(store: Snapshots, key: str = "key", memory: bytes = b"m" * 8192, of: Path | None = None) -> Path:
    folder = store.path.parent / f"making-{key}"
    folder.mkdir(parents=True)
    with (folder / MEMORY).open("wb") as f:
        f.truncate(1 << 24)
        f.seek(1 << 20)
        f.write(memory)
    (folder / STATE).write_bytes(b"state")
    store.publish(key, folder, KNOWN, of)
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
        with pytest.raises(DamagedSnapshot, match=problem), reader.using("key"):
            pass
    store.discard("key")
    with store.using("key") as found:
        assert found is None


def test_oldest_ones_give_way_and_those_in_use_stay(store: Snapshots) -> None:
    for n, key in enumerate(("first", "second", "third")):
        os.utime(made(store, key, os.urandom(1 << 20)), (n, n))
    small = Snapshots(store.path, most_bytes=1 << 20)
    with store.using("first") as held:
        assert held is not None
        os.utime(held.folder, (0, 0))
        assert small.trim() == ["second", "third"]
        assert held.state.exists()
    assert small.trim() == ["first"]
    for key in ("larger than the space", "newest"):
        made(Snapshots(store.path, most_bytes=1), key)
    assert [path.name for path in store.path.iterdir() if path.is_dir()] == ["newest"]


def test_those_of_entries_that_were_prepared_in_a_folder_that_is_gone_go_unless_a_guest_uses_them(
    store: Snapshots, tmp_path: Path
) -> None:
    prepared = [tmp_path / "runs" / name for name in ("recount-1", "recount-2", "entry")]
    for path in prepared:
        path.mkdir(parents=True)
    folders = [made(store, path.name, of=path) for path in prepared]
    image = made(store, "image")
    for path in prepared[:2]:
        path.rmdir()
    with store.using("recount-2"):
        assert store.trim() == ["recount-1"]
    made(store, "next")  # whoever makes one sweeps
    assert [path.exists() for path in (*folders, image)] == [False, False, True, True]


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
    sparse_copy(source, target)
    assert target.stat().st_size == 1 << 31
    assert target.stat().st_blocks < 1 << 10
    assert sparse_digest(target) == sparse_digest(source)
    with target.open("rb") as f:
        f.seek(1 << 30)
        assert f.read(6) == b"middle"


@pytest.mark.parametrize(
    "content",
    [b"[" * 100_000, b'{"of": "' + b"x" * 10_000 + b'"}', b'{"of": "\\u0000"}', b'{"of": 5}', b"[]", b"\xff", b""],
    ids=lambda content: repr(content[:20]),
)
def test_damaged_manifest_keeps_nothing_from_being_made_room_for(store: Snapshots, content: bytes) -> None:
    path = made(store) / MANIFEST
    path.unlink()
    path.write_bytes(content)
    assert store.trim(kept="") in ([], ["key"])
