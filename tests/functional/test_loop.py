"""A shell and a profile of an entry in real machines."""

import os
from pathlib import Path

import pytest

from evaluate.authoring.skeleton import write_entry
from evaluate.config.challenge.cache import load_challenge
from evaluate.core.model import Verdict
from evaluate.home.profile import profile
from evaluate.home.shell import Terminal, open_shell
from evaluate.home.trial import Trial
from evaluate.stages.job import NullMonitor

CHALLENGE = load_challenge("cinc2017")
pytestmark = [pytest.mark.vm, pytest.mark.slow]


def test_shell_has_the_record_and_the_rights_of_its_command(state: Path, hypervisor: object, tmp_path: Path) -> None:
    write_entry(tmp_path / "mine", CHALLENGE, "python")
    typed, write_typed = os.pipe()
    os.write(write_typed, b"id -un\nls S00002.mat S00003.mat\nbash next.sh S00002\ncat answers.txt\ntouch /etc/x\n")
    os.close(write_typed)
    with (tmp_path / "shown").open("wb") as shown:
        terminal = Terminal(read=typed, write=shown.fileno())
        run = open_shell(Trial(tmp_path / "mine", CHALLENGE, state, NullMonitor(), "tcg"), "S00002", terminal=terminal)
    text = (tmp_path / "shown").read_text()
    assert text.startswith("The command is: /bin/bash next.sh S00002\nchallenge\n"), text
    assert "\nS00002.mat\n" in text
    assert "cannot access 'S00003.mat'" in text
    assert "S00002,N\n" in text
    assert "/etc/x" in text and run.verdict is not Verdict.WALL_LIMIT


def test_profile_names_lines_of_python_and_other_programs(state: Path, hypervisor: object, tmp_path: Path) -> None:
    write_entry(tmp_path / "mine", CHALLENGE, "python")
    program = tmp_path / "mine" / "classify.py"
    slow = "def much_work():\n    total = 0\n    for i in range(3_000_000):\n        total += i * i\n\n\nmuch_work()\n"
    program.write_text(program.read_text() + slow)
    script = tmp_path / "mine" / "next.sh"  # a shell that computes: the profile looks every few milliseconds
    script.write_text(script.read_text().replace("\n", "\nfor ((i = 0; i < 100000; i++)); do :; done\n", 1))
    measured = profile(Trial(tmp_path / "mine", CHALLENGE, state, NullMonitor()))
    work = sum(share for line, share in measured.lines if line.startswith("classify.py:") and "much_work" in line)
    assert work > 0.4, measured
    assert any(file.endswith("/bash") for _, file, _ in measured.functions)
    assert sum(instructions for _, _, instructions in measured.functions) > 0.9 * measured.instructions > 3e7
