from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.sandbox import connection
from evaluate.sandbox.connection import answered

LIMIT = 20.0


def test_answer_and_error_of_a_call_are_those_of_the_call() -> None:
    assert answered("asking", lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        answered("asking", lambda: 1 // 0)


def test_call_that_hangs_is_a_fault_that_says_what_was_done() -> None:
    ends = threading.Event()
    with pytest.raises(SandboxFault, match=r"libvirt did not answer for 0 s \(starting domain x\)"):
        answered("starting domain x", ends.wait, seconds=0.01)
    ends.set()


def test_answer_that_comes_too_late_is_undone() -> None:
    ends, undone, found = threading.Event(), threading.Event(), list[str]()

    def start() -> str:
        ends.wait(LIMIT)
        return "domain"

    def undo(late: str) -> None:
        found.append(late)
        undone.set()

    with pytest.raises(SandboxFault):
        answered("starting domain x", start, undo, seconds=0.01)
    ends.set()
    assert undone.wait(LIMIT) and found == ["domain"]


def test_error_that_comes_too_late_is_nobodys() -> None:
    ends = threading.Event()

    def start() -> None:
        ends.wait(LIMIT)
        raise OSError

    with pytest.raises(SandboxFault):
        answered("starting domain x", start, seconds=0.01)
    ends.set()


def test_hung_creation_of_a_domain_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    libvirt = pytest.importorskip("libvirt", reason="libvirt-python is not installed (extra vm)")
    from evaluate.sandbox.connection import connect

    ends = threading.Event()
    monkeypatch.setattr(connection, "ANSWER_SECONDS", 0.01)
    monkeypatch.setattr(libvirt, "open", lambda _: ends.wait(LIMIT))
    with pytest.raises(SandboxFault, match="connecting to test:///default"):
        connect("test:///default")
    ends.set()


_ENDS_DURING_A_CALL = """
import sys, threading, time
from contextlib import suppress
from evaluate.core.errors import SandboxFault
from evaluate.sandbox import connection
from evaluate.sandbox import connection
from evaluate.sandbox.connection import answered

connection._END_SECONDS = float(sys.argv[2])
def call():
    time.sleep(float(sys.argv[1]))
    print("called back", flush=True)
with suppress(SandboxFault):
    answered("asking", call, seconds=0.01)
sys.exit(1)
"""


@pytest.mark.parametrize(("takes", "waits", "printed"), [("0.5", "60", "called back\n"), ("60", "0.1", "")])
def test_process_that_ends_waits_a_while_for_calls_under_way(takes: str, waits: str, printed: str) -> None:
    """libvirt calls back into Python, where nothing may run any more once the interpreter has ended."""
    argv = [sys.executable, "-c", _ENDS_DURING_A_CALL, takes, waits]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=50)
    assert (done.returncode, done.stdout, done.stderr) == (1, printed, "")
