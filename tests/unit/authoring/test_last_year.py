"""What docs/last-year.md shows is run."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from evaluate.config.load import load_config
from tests.conftest import CHECKOUT
from tests.support.documents import lay_out

IN_A_MACHINE = "evaluate daemon --once"
"""What `tests/functional/test_scorers.py` runs."""


@pytest.mark.slow
def test_commands_of_the_page(tmp_path: Path) -> None:
    commands = lay_out(CHECKOUT / "docs/last-year.md", tmp_path)
    phases = load_config(tmp_path / "state").terms(str(tmp_path / "hearts")).phases
    assert [phase.name for phase in phases] == ["trial", "final"]
    program = tmp_path / "bin" / "evaluate"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -W ignore -m evaluate "$@"\n')
    program.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "EVALUATE_STATE": str(tmp_path / "state"),
    }
    outputs = {}
    for line in commands:
        if line != IN_A_MACHINE:
            argv = ["sh", "-euc", line]
            done = subprocess.run(argv, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
            outputs[line] = done.stdout + done.stderr
    assert IN_A_MACHINE in commands
    check = outputs["evaluate challenge check hearts --runner plain"]
    assert "no problems" in check and "the exam: macro_f1 0.3333" in check
    assert "macro_f1 0.3333" in outputs["evaluate try hearts/sample_entry --challenge hearts --runner plain"]
