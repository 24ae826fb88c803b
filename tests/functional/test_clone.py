"""A clone in a folder whose name needs quotes and an encoding: what the README shows first works there."""

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.support.documents import blocks

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def clone() -> Iterator[Path]:
    """The clone, with an environment in which the program is installed for development."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="a clone é ") as folder:
        clone = Path(folder, "evaluate")
        ignored = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache")
        shutil.copytree(CHECKOUT, clone, symlinks=True, ignore=ignored)
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", clone / ".venv"], check=True)
        (packages,) = (clone / ".venv").glob("lib/python*/site-packages")
        (packages / "clone.pth").write_text(f"{clone}\n{sysconfig.get_path('purelib')}\n", encoding="utf-8")
        yield clone


def run(clone: Path, command: str) -> str:
    """Run a command line of the clone; returns its output."""
    words = shlex.split(command)
    assert Path(words[0]).name == "evaluate"
    argv = [clone / ".venv/bin/python", "-m", "evaluate", *words[1:]]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "EVALUATE_"))}
    done = subprocess.run(argv, cwd=clone, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_first_commands_of_the_readme_run_there_and_readers_are_walled_in(clone: Path) -> None:
    first = next(blocks(CHECKOUT / "README.md"))
    lines = [line for line in first.commands if line.startswith("evaluate ")]
    printed = [run(clone, line) for line in lines]
    assert len(lines) == 2 and "verdict: OK" in printed[-1]
    assert "ok    walls" in run(clone, "evaluate doctor --all")


@pytest.mark.vm
@pytest.mark.usefixtures("hypervisor")
def test_demo_ends_there_with_the_score_calculated_by_hand(clone: Path) -> None:
    printed = run(clone, "evaluate demo")
    assert "OK, passed" in printed and "F1 0.8857" in printed
    assert "12 records, 12 answered" in printed
    assert "of the instruction limit on the worst record, T000" in printed
