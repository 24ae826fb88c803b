"""The command line in the process of a test, and in one of its own; and other programs."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from evaluate.commands.main import main
from tests.conftest import CHECKOUT


def words_of(state: Path | None, *argv: object) -> list[str]:
    """The words of a command, on a state directory if one is given."""
    return [str(word) for word in (*(("--state", state) if state else ()), *argv)]


def run(state: Path | None, *argv: object, code: int | None = None, **options: Any) -> Result:
    """A command; errors that are no exit code are those of the test, as is another than ``code``, if that is given."""
    done = CliRunner().invoke(main, words_of(state, *argv), catch_exceptions=False, **options)
    assert code in (None, done.exit_code), (argv, done.output)
    return done


def program(state: Path | None, *argv: object) -> list[str]:
    """The words that start a command in a process of its own, as a daemon needs and a signal."""
    return [sys.executable, "-W", "ignore", "-m", "evaluate", *words_of(state, *argv)]


def process(state: Path | None, *argv: object, seconds: float = 900.0) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, to its end."""
    return subprocess.run(program(state, *argv), capture_output=True, text=True, check=False, timeout=seconds)


def output_of(*argv: object, env: Mapping[str, str] | None = None, **popen: Any) -> str:
    """The output of a program that must succeed, with few variables; as Python it finds the checkout."""
    few = {"PATH": os.environ["PATH"], "PYTHONPATH": str(CHECKOUT), **(env or {})}
    done = subprocess.run([*map(str, argv)], cwd="/", env=few, capture_output=True, text=True, check=False, **popen)
    assert done.returncode == 0, done.stderr
    return done.stdout


def printed(state: Path | None, *argv: object) -> str:
    """The standard output of a command that succeeds."""
    return run(state, *argv, code=0).stdout


def command(state: Path | None, *argv: object) -> tuple[int, str]:
    """The exit code and the whole output of a command, of a daemon from a process to which its threads belong."""
    if "daemon" in argv:
        daemon = process(state, *argv)
        return daemon.returncode, daemon.stdout + daemon.stderr
    done = run(state, *argv)
    return done.exit_code, done.output
