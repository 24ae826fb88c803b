"""`evaluate new` and `evaluate try --runner plain`, as somebody types them first."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.commands.main import COMMANDS, SECTIONS, main
from evaluate.core.deadline import Deadline
from evaluate.home.plain import NOTICE


def test_help_has_every_command_in_one_section() -> None:
    known = sorted(name for commands in COMMANDS.values() for name in commands)
    assert sorted(name for names in SECTIONS.values() for name in names) == known
    shown = CliRunner().invoke(main, ["--help"]).output
    assert [line for line in shown.splitlines() if line[:-1] in SECTIONS] == [f"{title}:" for title in SECTIONS]


@pytest.mark.slow
def test_entry_is_tried_without_a_virtual_machine_and_says_so_first_and_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    options = ["--state", str(tmp_path / "state")]
    made = CliRunner().invoke(main, [*options, "new", "mine", "--challenge", "cinc2017", "--lang", "python"])
    assert made.exit_code == 0, made.output
    words = ["try", "mine", "--challenge", "cinc2017", "--runner", "plain", "--json", "report.json"]
    found = CliRunner().invoke(main, [*options, *words])
    assert found.exit_code == 0, found.output
    said = found.stderr.splitlines()
    assert (said[0], said[-1]) == (NOTICE, NOTICE)
    report = json.loads(Path("report.json").read_text())
    assert (report["verdict"], report["accelerator"], report["counter"]["kind"]) == ("OK", "plain", "none")
    assert "instructions" not in found.stdout.replace("instructions and memory", "")
    assert not (tmp_path / "state" / "receipt-log").exists()
    Path("mine/next.sh").write_text("exit 3\n")
    assert CliRunner().invoke(main, [*options, *words]).exit_code == 1


@pytest.mark.parametrize("option", ["--shell", "--profile", "--receipt=r.json"])
def test_what_needs_the_machine_is_refused_with_the_plain_runner(tmp_path: Path, option: str) -> None:
    words = ["--state", str(tmp_path), "try", str(tmp_path), "--challenge", "cinc2017", "--runner", "plain", option]
    found = CliRunner().invoke(main, words)
    assert (found.exit_code, "need the virtual machine" in found.stderr) == (2, True)


def test_new_asks_on_a_terminal_and_not_elsewhere(tmp_path: Path) -> None:
    found = CliRunner().invoke(main, ["new"])
    assert (found.exit_code, "such as: new mine --challenge cinc2017" in found.stderr) == (2, True)
    leader, follower = pty.openpty()
    argv = [sys.executable, "-m", "evaluate", "new"]
    with subprocess.Popen(argv, cwd=tmp_path, stdin=follower, stdout=follower, stderr=follower) as process:
        os.close(follower)
        said, deadline = "", Deadline(120)
        for question, answer in (("challenge [", "cinc2017"), ("language [", "c"), ("new folder [", "mine")):
            while question not in said:
                assert not deadline.passed, said
                said += os.read(leader, 4096).decode()
            os.write(leader, f"{answer}\n".encode())
        process.wait(60)
    os.close(leader)
    assert process.returncode == 0, said
    assert (tmp_path / "mine" / "classify.c").is_file()
