"""Saving and restoring, with a monitor that a test plays."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
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


def test_state_that_qemu_hands_out_is_what_it_takes_in(tmp_path: Path) -> None:
    file = tmp_path / "state"
    monitor = Monitor()
    save(monitor, file)
    load(monitor, file)
    monitor.end()
    assert monitor.taken == file.read_bytes() == STATE


def test_state_is_loaded_only_when_the_host_is_seen_at_every_port(tmp_path: Path) -> None:
    """Otherwise the restored agent would see its host hang up, and switch the guest off."""
    (tmp_path / "state").write_bytes(STATE)
    closed = [{"filename": "file"}, {"filename": "disconnected:unix:/agent,server=on"}]
    monitor = Monitor(query_chardev=[closed, closed])
    load(monitor, tmp_path / "state")
    monitor.end()
    assert monitor.asked.index("migrate-incoming") > [i for i, c in enumerate(monitor.asked) if c == "query-chardev"][2]


def test_qemu_that_fails_to_save_or_restore_is_a_fault_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(STATE)
    failed = {"status": "failed", "error-desc": "no memory"}
    monitor = Monitor(query_migrate=[failed])
    with pytest.raises(SandboxFault, match="cannot be saved: no memory"):
        save(monitor, tmp_path / "other")
    monitor.end()
    monitor = Monitor(query_migrate=[failed])
    with pytest.raises(SandboxFault, match="cannot be restored: no memory"):
        load(monitor, tmp_path / "state")
    monitor.end()


def test_guest_that_runs_when_it_should_stand_still_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(STATE)
    monitor = Monitor(query_status=[{"status": "inmigrate"}, {"status": "running"}])
    with pytest.raises(SandboxFault, match="expected the restored guest to be paused, found running"):
        load(monitor, tmp_path / "state")
    monitor.end()


def test_state_without_end_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_medium, "_MOST_BYTES", 1000)
    monitor = Monitor()
    with pytest.raises(SandboxFault, match="has more than"):
        save(monitor, tmp_path / "state")
    monitor.end()


def test_qemu_that_ends_while_it_takes_a_state_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(STATE)
    monitor = Monitor()
    monitor.takes = 10
    with pytest.raises(SandboxFault, match="does not take the state of the guest"):
        load(monitor, tmp_path / "state")
    monitor.end()


def test_qemu_that_hands_out_or_takes_nothing_is_a_fault_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_medium, "_SECONDS", 0.01)
    (tmp_path / "state").write_bytes(STATE)
    nothing = {"migrate": [{}], "migrate_incoming": [{}]}
    works = {
        "hand out": partial(save, target=tmp_path / "other"),
        "take": partial(load, source=tmp_path / "state"),
    }
    for doing, work in works.items():
        monitor = Monitor(**nothing)
        with pytest.raises(SandboxFault, match=f"did not {doing} the state of the guest within"):
            work(monitor)


def test_no_end_of_a_pipe_is_left_open(tmp_path: Path) -> None:
    monitor = Monitor()
    before = len(list(Path("/proc/self/fd").iterdir()))
    save(monitor, tmp_path / "state")
    load(monitor, tmp_path / "state")
    monitor.end()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


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
def test_reply_of_another_form_is_a_fault_of_the_machine(replies: dict[str, list[Any]], tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(STATE)
    monitor = Monitor(**replies)
    with pytest.raises(SandboxFault, match="another form than its documentation says"):
        load(monitor, tmp_path / "state")
    monitor.end()
