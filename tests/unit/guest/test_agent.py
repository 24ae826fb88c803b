from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evaluate.protocol import frames
from evaluate.protocol.frames import Frame, FrameError, Reader, Writer
from tests.support.guest_modules import GUEST, guest_module

agent = guest_module("agent")
NONCE = b"n" * 16
KIB = 1 << 10


@dataclass
class Line:
    """The agent's port and the supervisor at its other end."""

    port: Any
    socket: socket.socket

    def say(self, *said: Frame) -> None:
        writer = Writer(NONCE)
        self.socket.sendall(b"".join(writer.pack(frame) for frame in said))

    def heard(self, reader: Reader) -> list[Frame]:
        found: list[Frame] = []
        while not found:
            found = reader.feed(self.socket.recv(1 << 20))
        return found


@pytest.fixture
def line() -> Iterator[Line]:
    near, far = socket.socketpair()
    with near, far:
        far.settimeout(10)
        yield Line(agent.Port(near.fileno()), far)


def test_types_hold_strictly_with_the_frames_as_a_neighbour() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", *sorted(path.name for path in GUEST.glob("*.py"))],
        cwd=GUEST,
        env={**os.environ, "MYPYPATH": f"{GUEST}:{Path(frames.__file__).parent}", "MYPY_CACHE_DIR": os.devnull},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_port_adopts_the_nonce_of_the_first_frame_and_answers_with_it(line: Line) -> None:
    line.say(Frame("hello", {"version": 1}))
    assert line.port.receive().kind == "hello"
    line.port.send("ready", agent=1)
    assert line.heard(Reader(NONCE)) == [Frame("ready", {"agent": 1})]


def test_port_says_nothing_before_it_is_spoken_to(line: Line) -> None:
    line.port.send("fault", message="no disk")
    line.socket.setblocking(False)
    with pytest.raises(BlockingIOError):
        line.socket.recv(1)


def test_port_sends_frames_larger_than_the_channel_takes_at_once(line: Line) -> None:
    line.say(Frame("hello"))
    line.port.receive()
    sender = threading.Thread(target=line.port.send, args=("ended", bytes(3 << 20)))
    sender.start()
    (frame,) = line.heard(Reader(NONCE))
    sender.join()
    assert len(frame.blob) == 3 << 20


def test_late_kill_is_let_go_and_anything_else_is_refused(line: Line) -> None:
    line.say(*(Frame(kind, {"id": n}) for kind, n in (("kill", 3), ("counted", 3), ("kill", 2), ("go", 4))))
    line.port.expect("counted", 3)
    with pytest.raises(FrameError, match="expected 'counted' of command 3, found 'kill'"):
        line.port.expect("counted", 3)
    with pytest.raises(FrameError, match="expected 'go' of command 3, found 'go'"):
        line.port.expect("go", 3)


def test_supervisor_that_hangs_up_ends_the_machine(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    def power_off() -> None:
        raise SystemExit

    monkeypatch.setattr(agent, "power_off", power_off)
    line.say(Frame("hello"))
    line.port.receive()
    line.socket.close()
    with pytest.raises(SystemExit):
        line.port.receive()


def stream_of(*writes: bytes) -> Any:
    ours, theirs = os.pipe()
    stream = agent.Stream(ours)
    for data in writes:
        os.write(theirs, data)
        stream.drain()
    os.close(theirs)
    stream.drain()
    os.close(ours)
    return stream


def test_stream_of_64_kib_is_kept_whole() -> None:
    data = os.urandom(64 * KIB)
    stream = stream_of(data[: 40 * KIB], data[40 * KIB :])
    assert stream.kept() == data
    assert stream.total == 64 * KIB


def test_stream_one_byte_longer_says_what_is_left_out() -> None:
    data = b"a" * (32 * KIB) + b"?" + b"b" * (32 * KIB)
    stream = stream_of(data[: 30 * KIB], data[30 * KIB :])
    kept = stream.kept().decode()
    assert kept == "a" * (32 * KIB) + "\n[… 1 bytes left out …]\n" + "b" * (32 * KIB)


def test_stream_keeps_a_bounded_part_of_many_writes() -> None:
    stream = stream_of(*(b"%05d " % i * 1000 for i in range(100)))
    kept = stream.kept()
    assert stream.total == 600_000
    assert len(kept) < 66_000
    assert kept.startswith(b"00000 ")
    assert kept.endswith(b"00099 ")
    assert f"{600_000 - 64 * KIB} bytes left out".encode() in kept


@pytest.mark.parametrize(
    ("status", "exit_code", "signal"), [(0, 0, None), (7 << 8, 7, None), (9, None, 9), (0x8B, None, 11)]
)
def test_wait_status_becomes_exit_code_or_signal(status: int, exit_code: int | None, signal: int | None) -> None:
    assert agent._end(status.to_bytes(4, "little")) == {"exit_code": exit_code, "signal": signal}


def test_command_whose_end_nobody_saw_was_killed() -> None:
    assert agent._end(b"") == {"exit_code": None, "signal": 9}


def test_supervisor_of_another_version_is_refused() -> None:
    with pytest.raises(FrameError, match="version 99"):
        agent.Machine({"version": 99})


def test_group_reads_the_kernels_event_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    group = object.__new__(agent.Group)
    group.path = str(tmp_path)
    (tmp_path / "memory.events").write_text("low 0\nhigh 0\nmax 9\noom 2\noom_kill 1\noom_group_kill 1\n")
    assert group.oom()
    (tmp_path / "memory.events").write_text("low 0\nhigh 0\nmax 9\noom 0\noom_kill 0\noom_group_kill 0\n")
    assert not group.oom()
