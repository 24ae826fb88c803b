"""The key of a saved machine's random numbers."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from evaluate.sandbox.running import fix_random_key

AT, SIZE = 0x42002840, 5 << 30
"""As seen in a machine; the memory is a sparse file."""
FOUND = bytes(range(32)) + struct.pack("<2Q", 0xFFFEEF89, 2)
"""As Linux 6.1 had it: a tick of its first minutes, and the second key."""


def memory(path: Path, place: int, content: bytes, size: int = SIZE) -> Path:
    with path.open("wb") as file:
        file.truncate(size)
        file.seek(place)
        file.write(content)
    return path


def read(path: Path, place: int) -> bytes:
    with path.open("rb") as file:
        file.seek(place - 8)
        return file.read(64)


def test_two_machines_have_the_same_key_which_never_gets_old(tmp_path: Path) -> None:
    one = memory(tmp_path / "one", AT, FOUND)
    two = memory(tmp_path / "two", AT, FOUND[::-1][16:] + FOUND[32:])
    fix_random_key(one, AT)
    fix_random_key(two, AT)
    before, key, made, generation, after = struct.unpack("<8s32s2Q8s", read(one, AT))
    assert read(one, AT) == read(two, AT)
    assert key != FOUND[:32]
    assert made > 1 << 50 and generation > 2
    assert before + after == bytes(16)


def test_key_above_4_gib_is_behind_the_memory_below(tmp_path: Path) -> None:
    path = memory(tmp_path / "memory", 3 << 30, FOUND)
    fix_random_key(path, 5 << 30)
    assert FOUND not in read(path, 3 << 30)


@pytest.mark.parametrize("at", [0, SIZE - 20, SIZE, 1 << 50])
def test_nothing_is_written_outside_of_the_memory(tmp_path: Path, at: int) -> None:
    path = memory(tmp_path / "memory", SIZE - len(FOUND), FOUND)
    fix_random_key(path, at)
    assert path.stat().st_size == SIZE
    assert FOUND in read(path, SIZE - len(FOUND))


def test_what_is_no_key_stays(tmp_path: Path) -> None:
    other = b"something of another kernel, which is not to be changed."
    path = memory(tmp_path / "memory", AT, other)
    fix_random_key(path, AT)
    assert other in read(path, AT)
