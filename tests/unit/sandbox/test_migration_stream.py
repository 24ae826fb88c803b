"""Saving and restoring, with a monitor that a test plays."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.sandbox import memory_medium
from evaluate.sandbox.memory_medium import load, save

STATE = b"state of a guest" * 100_000


class Monitor:
    """A QEMU that hands out or takes a state; ``replies`` are what it says instead, one after the other."""

    def __init__(self, **replies: list[Any]) -> None:
        self.replies = replies
        self.asked: list[str] = []
        self.taken = b""
        self.threads: list[threading.Thread] = []
        self.pipes: dict[str, int] = {}
        self.state = STATE
        self.takes = -1
        """Bytes that it takes before it ends; -1: all."""

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
        with suppress(OSError), open(end, "wb") as stream:
            stream.write(self.state)

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


def test_state_that_qemu_hands_out_is_what_it_takes_in_and_no_end_of_a_pipe_is_left_open(tmp_path: Path) -> None:
    file, before = tmp_path / "state", len(list(Path("/proc/self/fd").iterdir()))
    monitor = Monitor()
    save(monitor, file)
    load(monitor, file)
    monitor.end()
    assert monitor.taken == file.read_bytes() == STATE
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_state_is_loaded_only_when_the_host_is_seen_at_every_port(state: Path) -> None:
    """Otherwise the restored agent would see its host hang up, and switch the guest off."""
    closed = [{"filename": "file"}, {"filename": "disconnected:unix:/agent,server=on"}]
    monitor = Monitor(query_chardev=[closed, closed])
    load(monitor, state)
    monitor.end()
    assert monitor.asked.index("migrate-incoming") > [i for i, c in enumerate(monitor.asked) if c == "query-chardev"][2]


FAILED = {"status": "failed", "error-desc": "no memory"}


@pytest.mark.parametrize(
    ("work", "replies", "takes", "problem"),
    [
        (save, {"query_migrate": [FAILED]}, -1, "cannot be saved: no memory"),
        (load, {"query_migrate": [FAILED]}, -1, "cannot be restored: no memory"),
        (
            load,
            {"query_status": [{"status": "inmigrate"}, {"status": "running"}]},
            -1,
            "expected the restored guest to be paused, found running",
        ),
        (save, {}, -1, "has more than"),
        (load, {}, 10, "does not take the state of the guest"),
        (save, {"migrate": [{}]}, -1, "did not hand out the state of the guest within"),
        (load, {"migrate_incoming": [{}]}, -1, "did not take the state of the guest within"),
    ],
)
def test_qemu_that_fails_to_hand_out_or_take_a_state_is_a_fault_with_its_reason(
    work: Any, replies: dict[str, list[Any]], takes: int, problem: str, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_medium, "_MOST_BYTES", 1000 if problem == "has more than" else 1 << 30)
    if problem.startswith("did not"):
        monkeypatch.setattr(memory_medium, "_SECONDS", 0.01)
    monitor = Monitor(**replies)
    monitor.takes = takes
    with pytest.raises(SandboxFault, match=problem):
        work(monitor, state if work is load else state.with_name("other"))
    monitor.end()


@pytest.mark.parametrize(
    "replies",
    [
        {"query_chardev": [5]},
        {"query_chardev": [[{}]]},
        {"query_chardev": [["x"]]},
        {"query_status": [{}]},
        {"query_status": [None]},
        {"query_migrate": [[]]},
    ],
    ids=repr,
)
def test_reply_of_another_form_is_a_fault_of_the_machine(replies: dict[str, list[Any]], state: Path) -> None:
    monitor = Monitor(**replies)
    with pytest.raises(SandboxFault, match="another form than its documentation says"):
        load(monitor, state)
    monitor.end()
