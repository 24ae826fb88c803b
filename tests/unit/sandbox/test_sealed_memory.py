"""The memory that rooms have in common: a shell in QEMU's place gets it at the gate, and may not change it."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from evaluate.protocol.guest import RECORDS_AT
from evaluate.sandbox.memory_medium import NUMBER, PATH, SealedMemory
from evaluate.sandbox.qemu_walls import VARIABLE, orders
from evaluate.sandbox.start_gate import Gate

PAGE = 1 << 12
SIZE = RECORDS_AT + PAGE


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[SealedMemory]:
    path = tmp_path / "memory"
    with path.open("wb") as file:
        file.write(b"saved" + bytes(1 << 20))
        file.seek(RECORDS_AT)
        file.write((5).to_bytes(8, "little"))
        file.truncate(SIZE)
    with closing(SealedMemory(path)) as found:
        yield found


def test_it_is_a_copy_without_pages_that_are_zero(memory: SealedMemory) -> None:
    status = os.fstat(memory.number)
    assert (status.st_size, status.st_blocks * 512) == (SIZE, 2 * PAGE)
    assert os.pread(memory.number, 6, 0) == b"saved\0"
    assert memory.medium_bytes == 5


def started(shell: Path, script: str, gate: Path) -> subprocess.CompletedProcess[str]:
    env = {VARIABLE: orders(reads=(), writes=(), memory=gate), "PATH": "/usr/bin"}
    return subprocess.run([str(shell), "-c", script], capture_output=True, text=True, check=False, env=env)


def test_process_behind_walls_gets_it_at_the_gate_and_cannot_change_it(
    shell: Path, memory: SealedMemory, tmp_path: Path
) -> None:
    with closing(Gate(tmp_path / "gate", memory.number)) as gate:
        script = f"head -c 5 {PATH}; echo; exec 2>&1; echo other 1<>{PATH}; echo other >&{NUMBER}; ls {tmp_path}"
        lines = started(shell, script, gate.path).stdout.splitlines()
    assert lines[0] == "saved"
    assert [os.strerror(errno.EPERM) in line for line in lines[1:3]] == [True, True]
    assert "No such file" in lines[3], "the gate is not in its root"
    assert os.pread(memory.number, 5, 0) == b"saved"


def test_process_that_gets_no_memory_does_not_start(shell: Path, tmp_path: Path) -> None:
    done = started(shell, "echo well", tmp_path / "gate")
    assert (done.stdout, done.returncode) == ("", 126)
    assert "the walls of this guest: the guest's memory: No such file" in done.stderr
    with closing(Gate(tmp_path / "gate")) as gate:
        gate._listener.shutdown(2)  # as one that has ended
        assert started(shell, "echo well", gate.path).returncode == 126
