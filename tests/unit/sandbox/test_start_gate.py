"""The gate of a guest, with a socket in the place of the plugin."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.sandbox.memory_medium import Gate


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Gate]:
    with closing(Gate(tmp_path / "gate")) as found:
        yield found


@pytest.fixture
def plugin(gate: Gate) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as end:
        end.connect(str(gate.path))
        end.setblocking(False)
        yield end


def test_paused_guest_is_resumed_with_what_is_written_to_its_memory(gate: Gate, plugin: socket.socket) -> None:
    plugin.send(b"s")
    gate.wait()
    with pytest.raises(BlockingIOError):
        plugin.recv(1)
    gate.open([(4096, b"medium"), (0, b"order")])
    assert plugin.recv(100) == b"".join(
        (struct.pack("=QQ", 4096, 6), b"medium", struct.pack("=QQ", 0, 5), b"order", bytes(16))
    )


def test_guest_goes_on_when_the_host_hangs_up_before_or_after_it_comes(gate: Gate, plugin: socket.socket) -> None:
    plugin.send(b"s")
    gate.wait()
    for _ in range(2):
        gate.close()
    assert plugin.recv(1) == b""
    with pytest.raises(BrokenPipeError):
        plugin.send(b"s")
    with gate.path.with_name("memory").open("wb") as memory:
        Gate(gate.path.with_name("gate to which nobody comes"), memory.fileno()).close()


def test_guest_that_ends_at_the_gate_or_on_its_way_is_a_fault(
    gate: Gate, plugin: socket.socket, tmp_path: Path
) -> None:
    plugin.send(b"s")
    gate.wait()
    plugin.close()
    with pytest.raises(SandboxFault, match="ended while it waited"):
        gate.open()
    with closing(Gate(tmp_path / "other")) as other, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as end:
        end.connect(str(other.path))
        end.close()
        with pytest.raises(SandboxFault, match="ended before its command"):
            other.wait()


def test_path_that_is_too_long_for_a_socket_is_a_fault(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    with pytest.raises(SandboxFault, match=r"gate .*/gate cannot be made: AF_UNIX path too long"):
        Gate(folder / "gate")
