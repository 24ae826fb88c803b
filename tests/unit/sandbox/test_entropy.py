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


def memory(path: Path, place: int, content: bytes) -> Path:
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
    one = memory(tmp_path / "one", AT, FOUND)
    two = memory(tmp_path / "two", AT, FOUND[::-1][16:] + FOUND[32:])
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
    path = memory(tmp_path / "memory", place, content)
    fix_random_key(path, at)
    assert (content in read(path, place)) is stays
    assert path.stat().st_size == SIZE
