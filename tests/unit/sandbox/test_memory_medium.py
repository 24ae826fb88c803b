"""A guest's memory: its medium, its sealed form for rooms, its gate, and its state, with a monitor that is played."""

import errno
import os
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.protocol.guest import ORDER_BEGIN, RECORDS_AT, RECORDS_BEGIN, RECORDS_BYTES
from evaluate.sandbox import memory_medium
from evaluate.sandbox.memory_medium import NUMBER, PATH, Gate, SealedMemory, load, save, write_medium
from tests.unit.sandbox.conftest import Walled


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    path = tmp_path / "memory"
    with path.open("wb") as file:
        file.truncate(RECORDS_AT + RECORDS_BYTES)
    return path


def read(memory: Path, at: int, n: int) -> bytes:
    with memory.open("rb") as file:
        return os.pread(file.fileno(), n, RECORDS_AT + at)


def seen(memory: Path, n: int) -> tuple[int, bytes]:
    """What the agent reads: the length, and the first bytes of the medium."""
    return int.from_bytes(read(memory, 0, 8), "little"), read(memory, RECORDS_BEGIN, n)


def test_agent_finds_the_last_medium_and_order_and_nothing_of_those_before(memory: Path, tmp_path: Path) -> None:
    (tmp_path / "one.iso").write_bytes(b"first" * 1000)
    (tmp_path / "two.iso").write_bytes(b"2nd")
    write_medium(memory, tmp_path / "one.iso")
    write_medium(memory, tmp_path / "two.iso", b"an order")
    assert seen(memory, 5000) == (3, b"2nd" + bytes(4997))
    assert read(memory, 8, ORDER_BEGIN - 8 + 9) == (8).to_bytes(ORDER_BEGIN - 8, "little") + b"an order\0"
    write_medium(memory, None)
    assert seen(memory, 5000) == (0, bytes(5000))


def test_medium_or_order_that_does_not_fit_is_refused_with_its_size(memory: Path, tmp_path: Path) -> None:
    with (tmp_path / "large.iso").open("wb") as file:
        file.truncate(RECORDS_BYTES)
    with pytest.raises(SandboxFault, match=r"large.iso: 256 MiB; .* at most"):
        write_medium(memory, tmp_path / "large.iso")
    with pytest.raises(SandboxFault, match=r"order of a command has 1048576 bytes; .* 1048560 at most"):
        write_medium(memory, None, bytes(1 << 20))


PAGE = 1 << 12
SIZE = RECORDS_AT + PAGE


@pytest.fixture
def sealed(tmp_path: Path) -> Iterator[SealedMemory]:
    path = tmp_path / "memory"
    with path.open("wb") as file:
        file.write(b"saved" + bytes(1 << 20))
        file.seek(RECORDS_AT)
        file.write((5).to_bytes(8, "little"))
        file.truncate(SIZE)
    with closing(SealedMemory(path)) as found:
        yield found


def test_copy_without_pages_that_are_zero_comes_behind_walls_at_the_gate_and_cannot_be_changed(
    walled: Walled, sealed: SealedMemory, tmp_path: Path
) -> None:
    status = os.fstat(sealed.number)
    assert (status.st_size, status.st_blocks * 512, sealed.medium_bytes) == (SIZE, 2 * PAGE, 5)
    with closing(Gate(tmp_path / "gate", sealed.number)) as gate:
        script = f"head -c 5 {PATH}; echo; echo other 1<>{PATH}; echo other >&{NUMBER}; ls {tmp_path}"
        lines = walled(script, memory=gate.path).stdout.splitlines()
    assert lines[0] == "saved"
    assert [os.strerror(errno.EPERM) in line for line in lines[1:3]] == [True, True]
    assert "No such file" in lines[3], "the gate is not in its root"
    assert os.pread(sealed.number, 6, 0) == b"saved\0"


def test_process_that_gets_no_memory_does_not_start(walled: Walled, tmp_path: Path) -> None:
    done = walled("echo well", memory=tmp_path / "gate")
    assert done.returncode == 126
    assert done.stdout.startswith("the walls of this guest: the guest's memory: No such file")
    with closing(Gate(tmp_path / "gate")) as gate:
        gate._listener.shutdown(2)  # as one that has ended
        assert walled("echo well", memory=gate.path).returncode == 126


# The gate of a guest, with a socket in the place of the plugin


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


STATE = b"state of a guest" * 100_000


class Monitor:
    """A QEMU that hands out or takes a state; ``replies`` are what it says instead, one after the other."""

    def __init__(self, **replies: list[Any]) -> None:
        self.replies = replies
        self.asked: list[str] = []
        self.taken = b""
        self.threads: list[threading.Thread] = []
        self.pipes: dict[str, int] = {}
        self.takes = -1
        """Bytes that it takes before it ends; -1: all."""
        self.trickles = False
        """True if it hands out one byte after the other, without an end."""

    def __call__(self, command: str, *, files: Sequence[int] = (), **arguments: Any) -> Any:
        self.asked.append(command)
        waiting = self.replies.get(command.replace("-", "_"), [])
        if waiting:
            return waiting.pop(0)
        if command == "getfd":
            self.pipes[arguments["fdname"]] = os.dup(files[0])
        if command in ("migrate", "migrate-incoming"):
            end = self.pipes.pop(arguments["uri"].removeprefix("fd:"))
            work = threading.Thread(target=self._give if command == "migrate" else self._take, args=(end,))
            work.start()
            self.threads.append(work)
        return {
            "query-chardev": [{"filename": "unix:/agent,server=on"}],
            "query-migrate": {"status": "completed"},
            "query-status": {"status": "paused"},
        }.get(command, {})

    def _give(self, end: int) -> None:
        with suppress(OSError), open(end, "wb", buffering=0) as stream:
            while self.trickles:
                stream.write(b"x")
                time.sleep(0.001)
            stream.write(STATE)

    def _take(self, end: int) -> None:
        with open(end, "rb") as stream:
            while data := stream.read(self.takes):
                self.taken += data
                if self.takes > 0:
                    return

    def end(self) -> None:
        for thread in self.threads:
            thread.join()


@pytest.fixture
def state(tmp_path: Path) -> Path:
    (tmp_path / "state").write_bytes(STATE)
    return tmp_path / "state"


def test_state_that_qemu_hands_out_is_what_it_takes_in_and_no_end_of_a_pipe_is_left_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, pipes, pipe2 = tmp_path / "state", set[str](), os.pipe2

    def noted(flags: int) -> tuple[int, int]:
        ends = pipe2(flags)
        pipes.add(str(Path(f"/proc/self/fd/{ends[0]}").readlink()))
        return ends

    monkeypatch.setattr(os, "pipe2", noted)
    monitor = Monitor()
    with pytest.raises(FileNotFoundError):
        load(monitor, file)  # its snapshot was removed meanwhile
    with pytest.raises(FileExistsError):
        save(monitor, tmp_path.parent)
    save(monitor, file)
    load(monitor, file)
    monitor.end()
    assert monitor.taken == file.read_bytes() == STATE
    assert len(pipes) == 4
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # of another thread, closed meanwhile
            assert str(descriptor.readlink()) not in pipes


def test_state_is_loaded_only_when_the_host_is_seen_at_every_port(state: Path) -> None:
    """Otherwise the restored agent would see its host hang up, and switch the guest off."""
    closed = [{"filename": "file"}, {"filename": "disconnected:unix:/agent,server=on"}]
    monitor = Monitor(query_chardev=[closed, closed])
    load(monitor, state)
    monitor.end()
    assert monitor.asked.index("migrate-incoming") > [i for i, c in enumerate(monitor.asked) if c == "query-chardev"][2]


FAILED = {"status": "failed", "error-desc": "no memory"}


@pytest.mark.parametrize(
    ("work", "replies", "does", "problem"),
    [
        (save, {"query_migrate": [FAILED]}, {}, "cannot be saved: no memory"),
        (load, {"query_migrate": [FAILED]}, {}, "cannot be restored: no memory"),
        (
            load,
            {"query_status": [{"status": "inmigrate"}, {"status": "running"}]},
            {},
            "expected the restored guest to be paused, found running",
        ),
        (save, {}, {}, "has more than"),
        (load, {}, {"takes": 10}, "does not take the state of the guest"),
        (save, {"migrate": [{}]}, {}, "did not hand out the state of the guest within"),
        (save, {}, {"trickles": True}, "did not hand out the state of the guest within"),
        (load, {"migrate_incoming": [{}]}, {}, "did not take the state of the guest within"),
    ],
)
def test_qemu_that_fails_to_hand_out_or_take_a_state_in_its_time_is_a_fault_with_its_reason(
    work: Any,
    replies: dict[str, list[Any]],
    does: dict[str, Any],
    problem: str,
    state: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory_medium, "_MOST_BYTES", 1000 if problem == "has more than" else 1 << 30)
    if problem.startswith("did not"):
        monkeypatch.setattr(memory_medium, "_SECONDS", 0.1)
    monitor = Monitor(**replies)
    vars(monitor).update(does)
    with pytest.raises(SandboxFault, match=problem):
        work(monitor, state if work is load else state.with_name("other"))
    monitor.end()


@pytest.mark.parametrize("reply", [5, [{}], ["x"]])
def test_reply_of_another_form_is_a_fault_of_the_machine(reply: Any, state: Path) -> None:
    for command in ("query_chardev", "query_status", "query_migrate"):
        monitor = Monitor(**{command: [reply]})
        with pytest.raises(SandboxFault, match="another form than its documentation says"):
            load(monitor, state)
        monitor.end()
