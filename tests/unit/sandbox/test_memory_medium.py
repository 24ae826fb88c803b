"""The medium in a guest's memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.protocol.guest import ORDER_BEGIN, RECORDS_AT, RECORDS_BEGIN, RECORDS_BYTES
from evaluate.sandbox.memory_medium import write_medium


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    path = tmp_path / "memory"
    with path.open("wb") as file:
        file.truncate(RECORDS_AT + RECORDS_BYTES)
    return path


def seen(memory: Path, n: int) -> tuple[int, bytes]:
    """What the agent reads: the length, and the first bytes of the medium."""
    with memory.open("rb") as file:
        file.seek(RECORDS_AT)
        size = int.from_bytes(file.read(8), "little")
        file.seek(RECORDS_AT + RECORDS_BEGIN)
        return size, file.read(n)


def test_agent_finds_the_last_medium_and_order_and_nothing_of_those_before(memory: Path, tmp_path: Path) -> None:
    (tmp_path / "one.iso").write_bytes(b"first" * 1000)
    (tmp_path / "two.iso").write_bytes(b"2nd")
    write_medium(memory, tmp_path / "one.iso")
    write_medium(memory, tmp_path / "two.iso", b"an order")
    assert seen(memory, 5000) == (3, b"2nd" + bytes(4997))
    with memory.open("rb") as file:
        file.seek(RECORDS_AT)
        begin = file.read(ORDER_BEGIN + 9)
    assert int.from_bytes(begin[8:ORDER_BEGIN], "little") == 8
    assert begin[ORDER_BEGIN:] == b"an order\0"
    write_medium(memory, None)
    assert seen(memory, 5000) == (0, bytes(5000))


def test_medium_or_order_that_does_not_fit_is_refused_with_its_size(memory: Path, tmp_path: Path) -> None:
    with (tmp_path / "large.iso").open("wb") as file:
        file.truncate(RECORDS_BYTES)
    with pytest.raises(SandboxFault, match=r"large.iso: 256 MiB; .* at most"):
        write_medium(memory, tmp_path / "large.iso")
    with pytest.raises(SandboxFault, match=r"order of a command has 1048576 bytes; .* 1048560 at most"):
        write_medium(memory, None, bytes(1 << 20))
