"""What needs no guest; `tests/functional/test_sandbox.py` has the rest."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from contextlib import ExitStack

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.sandbox import connection
from evaluate.sandbox.connection import kill

_DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); signal.pause()"


def test_qemu_ends_at_once_whatever_it_wants() -> None:
    with subprocess.Popen([sys.executable, "-c", _DEAF], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert kill(os.pidfd_open(process.pid))
        assert process.poll() == -signal.SIGKILL


def test_qemu_that_has_ended_is_left_alone() -> None:
    with subprocess.Popen(["true"]) as process:
        descriptor = os.pidfd_open(process.pid)
    assert kill(descriptor)


def test_qemu_ends_however_many_files_its_host_has_open() -> None:
    many = 1100
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, many + 100), hard))
    try:
        with ExitStack() as files, subprocess.Popen(["sleep", "60"]) as process:
            for _ in range(many):
                files.callback(os.close, os.open(os.devnull, os.O_RDONLY))
            assert (descriptor := os.pidfd_open(process.pid)) > 1023
            assert kill(descriptor)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_qemu_of_another_user_is_left_to_libvirt(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(signal, "pidfd_send_signal", refused)
    assert not kill(os.pidfd_open(os.getpid()))


@pytest.mark.parametrize("text", ["", "[" * 100_000, "[]", "5", "{}", '{"error": 5}', '{"error": {}, "return"'])
def test_reply_of_a_monitor_that_cannot_be_read_is_a_fault(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """A guest that has taken over its QEMU writes them."""
    monkeypatch.setattr(connection, "answered", lambda *_: (text, []))
    with pytest.raises(SandboxFault, match="no reply to query-status that can be read"):
        connection.monitor(None, "query-status")


def test_reply_of_a_monitor_is_its_value_or_its_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "answered", lambda *_: ('{"return": {"status": "paused"}}', []))
    assert connection.monitor(None, "query-status") == {"status": "paused"}
    monkeypatch.setattr(connection, "answered", lambda *_: ('{"error": {"desc": "no such command"}}', []))
    with pytest.raises(SandboxFault, match="QEMU refuses query-status: no such command"):
        connection.monitor(None, "query-status")
