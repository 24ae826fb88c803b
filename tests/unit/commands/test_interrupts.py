"""Ctrl-C and SIGTERM in a real process."""

import os
import pty
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from evaluate.core.waiting import Deadline
from tests.chaos.audit import wait_until


def _interrupted(argv: list[str], words: str, number: int = signal.SIGINT) -> tuple[int, str]:
    """Exit code, and standard error after the line that contains ``words``, at which the signal is sent."""
    child = subprocess.Popen(argv, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, stdin=subprocess.PIPE, text=True)
    assert child.stderr is not None
    with child:
        for line in child.stderr:
            if words in line:
                break
        child.send_signal(number)
        rest = child.stderr.read()
    return child.returncode, rest


def _doctor(tmp_path: Path, before: str) -> list[str]:
    """The command `doctor` in a Python that runs this first."""
    run = f'sys.argv = ["evaluate", "--state", {str(tmp_path)!r}, "doctor"]\nrun()\n'
    stay = (
        "import sys, time\n"
        "def stay(*_):\n    print('HERE', file=sys.stderr, flush=True)\n    while True: time.sleep(0.05)\n"
    )
    return [sys.executable, "-c", f"{stay}{before}\nfrom evaluate.__main__ import run\n{run}"]


@pytest.mark.parametrize("module", ["click", "evaluate.core.errors", "evaluate.commands.host"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_start_up_ends_with_one_line(tmp_path: Path, module: str, number: int) -> None:
    stop = f"""
class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}: stay()
sys.meta_path.insert(0, Stop())"""
    returned, rest = _interrupted(_doctor(tmp_path, stop), "HERE", number)
    assert returned == 128 + number
    (line,) = rest.splitlines()
    assert line.startswith(("Interrupted; ", "Terminated; "))


CLEANS_UP = """
    try: stay()
    finally: print("cleaned up", file=sys.stderr, flush=True)"""
SWALLOWS = """
    slow = type("Slow", (), {"__del__": stay})()
    del slow
    while True: time.sleep(0.05)"""


@pytest.mark.parametrize(
    ("work", "number", "lines"),
    [
        pytest.param(CLEANS_UP, signal.SIGINT, ["cleaned up", "Interrupted"], id="Ctrl-C"),
        pytest.param(CLEANS_UP, signal.SIGTERM, ["cleaned up", "Terminated"], id="SIGTERM"),
        pytest.param(SWALLOWS, signal.SIGINT, ["Interrupted"], id="a destructor swallowed it"),
    ],
)
def test_a_working_command_ends_with_one_line(tmp_path: Path, work: str, number: int, lines: list[str]) -> None:
    works = f"\nimport evaluate.host.doctor as doctor\ndef diagnose(state):{work}\ndoctor.diagnose = diagnose"
    returned, rest = _interrupted(_doctor(tmp_path, works), "HERE", number)
    assert returned == 128 + number
    *before, word = lines
    *first, line = rest.splitlines()
    assert first == before
    assert line == f"{word}; what was finished is kept; run the same command again for the rest"


def test_a_question_ends_with_one_line(tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    argv = [sys.executable, "-m", "evaluate", "remote", "login", "https://challenge.example.org"]
    printed, deadline = "", Deadline(120)
    with subprocess.Popen(argv, cwd=tmp_path, stdin=follower, stdout=follower, stderr=follower) as process:
        while "/account" not in printed:
            assert not deadline.passed, printed
            printed += os.read(leader, 4096).decode()
        asked = psutil.Process(process.pid)
        assert wait_until(lambda: asked.status() == psutil.STATUS_SLEEPING, 60)  # Python may miss it just before
        process.send_signal(signal.SIGINT)
        assert process.wait(600) == 130
    os.close(follower)
    rest = b""
    with suppress(OSError):  # EIO is the end of a terminal that nobody has open
        while part := os.read(leader, 4096):
            rest += part
    os.close(leader)
    lines = [line for line in rest.decode().splitlines() if line]
    assert lines[-1].startswith("Interrupted; what was finished is kept")
    assert len([line for line in lines if "Interrupted" in line or "Traceback" in line]) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_site_ends_in_order(tmp_path: Path, number: int) -> None:
    argv = [sys.executable, "-W", "ignore", "-m", "evaluate", "--state", str(tmp_path), "serve", "--port", "0"]
    assert _interrupted(argv, "the site is at", number) == (0, "")


def test_a_program_that_ignores_the_signal_from_its_start_goes_on_ignoring_it(tmp_path: Path) -> None:
    code = """
import signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
from evaluate.__main__ import run
signal.raise_signal(signal.SIGINT)
sys.argv = ["evaluate", "--help"]
run()
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
