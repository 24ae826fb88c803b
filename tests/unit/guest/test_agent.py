import contextlib
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from evaluate import protocol
from evaluate.protocol import messages
from evaluate.protocol.frames import Frame, FrameError, FrameReader, FrameWriter, pack
from tests.support.fake_sandbox import ENDED
from tests.support.guest_modules import GUEST, guest_module

agent = guest_module("agent")
container = guest_module("container")
NONCE = b"n" * 16
HELLO = messages.Hello(layers=0, container=False, entry=False, records=False, answers=False, licence=(), fresh=True)


@dataclass
class Line:
    """The agent's port and the host at its other end."""

    port: Any
    socket: socket.socket

    def say(self, *said: messages.Message) -> None:
        writer = FrameWriter(NONCE)
        self.socket.sendall(b"".join(writer.pack(messages.encode(message)) for message in said))

    def heard(self, reader: FrameReader) -> list[Frame]:
        found: list[Frame] = []
        while not found:
            found = reader.feed(self.socket.recv(1 << 20))
        return found


@pytest.fixture
def line() -> Iterator[Line]:
    near, far = socket.socketpair()
    with near, far:
        far.settimeout(600)
        yield Line(agent.Port(near.fileno()), far)


@pytest.fixture
def greeted(line: Line) -> Line:
    line.say(HELLO)
    line.port.receive()
    return line


def test_types_hold_strictly_with_the_protocol_beside_them() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", *sorted(path.name for path in GUEST.glob("*.py"))],
        cwd=GUEST,
        env={**os.environ, "MYPYPATH": f"{GUEST}:{Path(protocol.__file__).parents[1]}", "MYPY_CACHE_DIR": os.devnull},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_port_says_nothing_before_it_is_spoken_to_and_then_frames_larger_than_the_channel_takes(line: Line) -> None:
    line.port.send(messages.AgentFault(message="no disk"))
    line.socket.setblocking(False)
    with pytest.raises(BlockingIOError):
        line.socket.recv(1)
    line.socket.settimeout(600)
    line.say(HELLO)
    line.port.receive()
    ended = replace(ENDED, files=(messages.Collected(data=bytes(3 << 20), problem=""),))
    sender = threading.Thread(target=line.port.send, args=(ended,))
    sender.start()
    (frame,) = line.heard(FrameReader(NONCE))
    sender.join()
    assert messages.decode(frame, messages.FROM_GUEST) == ended


def test_late_kill_is_ignored_and_anything_else_is_refused(line: Line) -> None:
    line.say(messages.Kill(), messages.Counted(), messages.Kill(), messages.Counted())
    line.port.expect(messages.Counted)
    for kind in ("kill", "counted"):
        with pytest.raises(FrameError, match=f"expected 'go', found '{kind}'"):
            line.port.expect(messages.Go)


def test_agent_says_that_it_is_busy_while_it_waits(greeted: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent, "_BUSY_SECONDS", 0.01)
    reader, heard = FrameReader(NONCE), []
    with greeted.port.busy, subprocess.Popen(["sleep", "600"]) as process:
        while len(heard) < 3:
            heard += greeted.heard(reader)
        process.kill()
    assert {frame.kind for frame in heard} == {"busy"}


def test_host_that_hangs_up_ends_the_machine(greeted: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    def power_off() -> None:
        raise SystemExit

    monkeypatch.setattr(agent, "power_off", power_off)
    monkeypatch.setattr(agent, "_HUNG_UP_SECONDS", 0)
    greeted.socket.close()
    with pytest.raises(SystemExit):
        greeted.port.receive()


class Borrower:
    """In the place of the keeper: it is lent the port, and reports."""

    def __init__(self, report: Any) -> None:
        self.report = report
        self.numbers: tuple[int, int] | None = None

    def watch(self, sent: int, heard: int, **how: bool) -> Any:
        self.numbers = sent, heard
        assert how == {"waits": True, "at_once": False}
        return self.report


def report(sent: int, heard: int, unread: bytes = b"") -> Any:
    nothing = container.Output(0, b"", b"")
    return container.Report(sent, heard, unread, bytes(4), False, nothing, nothing, 0, 0, 0, [])


INVOKED = messages.Invoke()


def test_port_continues_the_numbers_where_its_borrower_stopped(greeted: Line) -> None:
    greeted.port.send(messages.Ready())
    reader = FrameReader(NONCE)
    greeted.heard(reader)
    keeper = Borrower(report(sent=2, heard=1))
    greeted.port.lend(keeper, INVOKED)
    assert keeper.numbers == (1, 1)
    greeted.socket.sendall(pack(messages.encode(messages.Counted()), NONCE, 2))
    greeted.port.expect(messages.Counted)
    greeted.port.send(ENDED)
    reader.number = 3
    assert [frame.kind for frame in greeted.heard(reader)] == ["ended"]


def test_what_the_borrower_did_not_expect_is_judged_by_the_port(greeted: Line) -> None:
    greeted.port.send(messages.Ready())
    greeted.port.lend(
        Borrower(report(sent=1, heard=0, unread=pack(messages.encode(messages.Kill()), NONCE, 1))), INVOKED
    )
    with pytest.raises(FrameError, match="expected 'go', found 'kill'"):
        greeted.port.expect(messages.Go)
    with pytest.raises(FrameError, match="expected frame number 2, found 7"):
        unread = pack(messages.encode(messages.Kill()), NONCE, 7)
        greeted.port.lend(Borrower(report(sent=1, heard=0, unread=unread)), INVOKED)


def test_server_that_is_restored_has_its_clock_set_or_is_killed_and_takes_no_other_order(
    greeted: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    medium, inbox = tmp_path / "medium", tmp_path / "inbox"
    (medium / "sub").mkdir(parents=True)
    (medium / "sub" / "a.txt").write_text("a record")
    inbox.mkdir()
    monkeypatch.setattr(agent, "MEDIUM", str(medium))
    monkeypatch.setattr(agent, "INBOX", str(inbox))
    server, line = SimpleNamespace(medium_of=inbox, medium=contextlib.nullcontext), greeted
    line.port.send(messages.Ready())
    set_to: list[int] = []
    monkeypatch.setattr(agent.time, "clock_settime", lambda _clock, seconds: set_to.append(seconds))
    orders = (messages.Invoke(clock=7), messages.Invoke(), messages.Kill(), messages.Finish())
    for number, order in enumerate(orders, 1):
        line.socket.sendall(pack(messages.encode(order), NONCE, number))
    for _ in range(2):
        agent._invoked(line.port, server)
    assert set_to == [7]
    shutil.rmtree(inbox)
    inbox.mkdir()
    assert agent._invoked(line.port, server) == messages.Kill()
    assert list(inbox.iterdir()) == [], "it is not invoked"
    with pytest.raises(FrameError, match="expected 'await', 'invoke' or 'kill', found 'finish'"):
        agent._invoked(line.port, server)


@pytest.mark.parametrize("names", [["latency_ns", "min_granularity_ns", "wakeup_granularity_ns"], ["base_slice_ns"]])
def test_slices_are_lengthened_where_the_kernel_has_these_settings(
    names: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sched").mkdir()
    for name in names:
        (tmp_path / "sched" / name).write_text("3000000\n")
    done: list[tuple[str, ...]] = []
    monkeypatch.setattr(agent, "_DEBUG", str(tmp_path))
    monkeypatch.setattr(agent, "mount", lambda *arguments: done.append(("mount", *arguments[:3])))
    monkeypatch.setattr(agent, "call", lambda *arguments: done.append(arguments))
    agent._lengthen_slices()
    assert done == [("mount", "debug", str(tmp_path), "debugfs"), ("umount2", str(tmp_path), 0)]
    found = {path.name: path.read_text() for path in (tmp_path / "sched").iterdir()}
    assert found == {name: "3000000\n" if name == "base_slice_ns" else "100000000" for name in names}


def test_command_without_a_reported_end_was_killed() -> None:
    assert agent.end_of(b"") == (None, 9)
