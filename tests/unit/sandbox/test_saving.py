"""Saving and restoring, with a monitor that a test plays."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.sandbox import saving
from evaluate.sandbox.saving import load, save

STATE = b"state of a guest" * 100_000


class Monitor:
    """A QEMU that hands out or takes a state; ``replies`` are what it says instead, one after the other."""

    def __init__(self, **replies: list[Any]) -> None:
        self.replies = replies
        self.asked: list[str] = []
        self.taken = b""
        self.threads: list[threading.Thread] = []

    def __call__(self, command: str, **arguments: Any) -> Any:
        self.asked.append(command)
        waiting = self.replies.get(command.replace("-", "_"), [])
        if waiting:
            return waiting.pop(0)
        if command in ("migrate", "migrate-incoming"):
            self._start(command, arguments["uri"].removeprefix("unix:"))
        return {
            "query-chardev": [{"filename": "unix:/agent,server=on"}],
            "query-migrate": {"status": "completed"},
            "query-status": {"status": "paused"},
        }.get(command, {})

    def _start(self, command: str, address: str) -> None:
        end = socket.socket(socket.AF_UNIX)
        if command == "migrate":
            end.connect(address)
            work = threading.Thread(target=self._give, args=(end,))
        else:
            end.bind(address)
            end.listen()
            work = threading.Thread(target=self._take, args=(end,))
        work.start()
        self.threads.append(work)

    def _give(self, end: socket.socket) -> None:
        with end, suppress(OSError):
            end.sendall(STATE)

    def _take(self, listener: socket.socket) -> None:
        with listener, listener.accept()[0] as stream:
            while data := stream.recv(1 << 16):
                self.taken += data

    def end(self) -> None:
        for thread in self.threads:
            thread.join()


def test_state_that_qemu_hands_out_is_what_it_takes_in(tmp_path: Path) -> None:
    file = tmp_path / "state"
    monitor = Monitor()
    save(monitor, file, tmp_path)
    load(monitor, file, tmp_path)
    monitor.end()
    assert monitor.taken == file.read_bytes() == STATE


def test_state_is_loaded_only_when_the_host_is_seen_at_every_port(tmp_path: Path) -> None:
    """Otherwise the restored agent would see its host hang up, and switch the guest off."""
    (tmp_path / "state").write_bytes(STATE)
    closed = [{"filename": "file"}, {"filename": "disconnected:unix:/agent,server=on"}]
    monitor = Monitor(query_chardev=[closed, closed])
    load(monitor, tmp_path / "state", tmp_path)
    monitor.end()
    assert monitor.asked.index("migrate-incoming") > [i for i, c in enumerate(monitor.asked) if c == "query-chardev"][2]


def test_qemu_that_fails_to_save_or_restore_is_a_fault_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(STATE)
    failed = {"status": "failed", "error-desc": "no memory"}
    monitor = Monitor(query_migrate=[failed])
    with pytest.raises(SandboxFault, match="cannot be saved: no memory"):
        save(monitor, tmp_path / "other", tmp_path)
    monitor.end()
    monitor = Monitor(query_migrate=[failed])
    with pytest.raises(SandboxFault, match="cannot be restored: no memory"):
        load(monitor, tmp_path / "state", tmp_path)
    monitor.end()


def test_guest_that_runs_when_it_should_stand_still_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(STATE)
    monitor = Monitor(query_status=[{"status": "inmigrate"}, {"status": "running"}])
    with pytest.raises(SandboxFault, match="stands still, found it running"):
        load(monitor, tmp_path / "state", tmp_path)
    monitor.end()


def test_state_without_end_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "_MOST_BYTES", 1000)
    monitor = Monitor()
    with pytest.raises(SandboxFault, match="has more than"):
        save(monitor, tmp_path / "state", tmp_path)
    monitor.end()
