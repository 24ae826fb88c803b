"""The connection to libvirt and QEMU without a guest; `tests/functional/test_sandbox.py` has the rest."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.sandbox import connection
from evaluate.sandbox.connection import answered, capabilities, daemon_version, kill, sweep
from evaluate.sandbox.domain import PREFIX
from evaluate.sandbox.run_folders import RunFolders

LIMIT = 60.0
_DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); signal.pause()"


def test_qemu_ends_at_once_whatever_it_wants_and_one_that_has_ended_is_well() -> None:
    with subprocess.Popen([sys.executable, "-c", _DEAF], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        descriptors = [os.pidfd_open(process.pid) for _ in range(2)]
        assert kill(descriptors[0])
        assert process.poll() == -signal.SIGKILL
    assert kill(descriptors[1])


def test_qemu_of_another_user_is_left_to_libvirt(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(signal, "pidfd_send_signal", refused)
    assert not kill(os.pidfd_open(os.getpid()))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        # a guest that has taken over its QEMU writes them
        *(
            (text, "no reply to query-status that can be read")
            for text in ("", "[" * 100_000, "[]", "5", "{}", '{"error": 5}', '{"error": {}, "return"')
        ),
        ('{"error": {"desc": "no such command"}}', "QEMU refuses query-status: no such command"),
    ],
)
def test_reply_of_a_monitor_is_a_value_or_a_fault(monkeypatch: pytest.MonkeyPatch, text: str, problem: str) -> None:
    monkeypatch.setattr(connection, "answered", lambda *_: ('{"return": {"status": "paused"}}', []))
    assert connection.monitor(None, "query-status") == {"status": "paused"}
    monkeypatch.setattr(connection, "answered", lambda *_: (text, []))
    with pytest.raises(SandboxFault, match=problem):
        connection.monitor(None, "query-status")


def test_answer_and_error_of_a_call_are_those_of_the_call() -> None:
    assert answered("asking", lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        answered("asking", lambda: 1 // 0)


@pytest.mark.parametrize("fails", [False, True])
def test_call_that_hangs_is_a_fault_and_a_late_answer_is_undone(fails: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "ANSWER_SECONDS", 0.01)
    ends, undone = threading.Event(), threading.Event()
    late: list[str] = []

    def start() -> str:
        ends.wait(LIMIT)
        if fails:
            raise OSError
        return "domain"

    def undo(answer: str) -> None:
        late.append(answer)
        undone.set()

    with pytest.raises(SandboxFault, match=r"libvirt did not answer for 0 s \(starting domain x\)"):
        answered("starting domain x", start, undo)
    ends.set()
    assert fails or (undone.wait(LIMIT) and late == ["domain"])


class Daemon:
    """A libvirt, and a domain of it, that answers a question by an error, or never."""

    def __init__(self, hangs: threading.Event | None) -> None:
        self.hangs = hangs

    def getCapabilities(self) -> str:
        if self.hangs is None:
            raise connection.libvirt.libvirtError("the daemon has ended")
        self.hangs.wait(LIMIT)
        return ""

    getLibVersion = getCapabilities
    XMLDesc = getCapabilities

    def listAllDomains(self) -> list[Daemon]:
        return [self] if self.hangs else self.getCapabilities()  # type: ignore[return-value]

    def name(self) -> str:
        return f"{PREFIX}guest-1"


@pytest.mark.parametrize("hangs", [True, False])
@pytest.mark.parametrize(
    "ask", [capabilities, daemon_version, lambda daemon: sweep(daemon, object.__new__(RunFolders))]
)
def test_daemon_that_ends_or_hangs_is_a_fault_whatever_it_is_asked(
    ask: Callable[[Any], object], hangs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "ANSWER_SECONDS", 0.01 if hangs else LIMIT)
    ends = threading.Event()
    with pytest.raises(SandboxFault, match="libvirt did not answer" if hangs else "libvirt cannot .*daemon has ended"):
        ask(Daemon(ends if hangs else None))
    ends.set()


_ENDS_DURING_A_CALL = """
import sys, time
from contextlib import suppress
from evaluate.core.errors import SandboxFault
from evaluate.sandbox import connection

connection.ANSWER_SECONDS, connection._CALLS_END_SECONDS = 0.01, float(sys.argv[2])
def call():
    time.sleep(float(sys.argv[1]))
    print("called back", flush=True)
with suppress(SandboxFault):
    connection.answered("asking", call)
sys.exit(1)
"""


@pytest.mark.parametrize(("takes", "waits", "printed"), [("0.5", "60", "called back\n"), ("60", "0.1", "")])
def test_process_that_ends_waits_a_while_for_calls_under_way(takes: str, waits: str, printed: str) -> None:
    """libvirt calls back into Python, where nothing may run any more once the interpreter has ended."""
    argv = [sys.executable, "-c", _ENDS_DURING_A_CALL, takes, waits]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=50)
    assert (done.returncode, done.stdout, done.stderr) == (1, printed, "")
