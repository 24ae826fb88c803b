"""What docs/last-year.md shows is run."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.commands.main import main
from evaluate.config.load import load_config
from tests.conftest import CHECKOUT
from tests.support.documents import lay_out

IN_A_MACHINE = "evaluate daemon --once"
"""What `tests/functional/test_scorers.py` runs."""


@pytest.mark.slow
def test_commands_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands = lay_out(CHECKOUT / "docs/last-year.md", tmp_path)
    phases = load_config(tmp_path / "state").terms(str(tmp_path / "hearts")).phases
    assert [phase.name for phase in phases] == ["trial", "final"]
    monkeypatch.chdir(tmp_path)
    outputs = {}
    for line in commands:
        if line.startswith("evaluate ") and line != IN_A_MACHINE:
            done = CliRunner().invoke(main, ["--state", str(tmp_path / "state"), *line.split()[1:]])
            assert done.exit_code == 0, f"{line}: {done.output}"
            outputs[line] = done.output
        elif line != IN_A_MACHINE:
            subprocess.run(["sh", "-euc", line], check=True)
    assert IN_A_MACHINE in commands
    check = outputs["evaluate challenge check hearts --runner plain"]
    assert "no problems" in check and "the exam: macro_f1 0.3333" in check
    assert "macro_f1 0.3333" in outputs["evaluate try hearts/sample_entry --challenge hearts --runner plain"]
