"""The command line in the process of a test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from evaluate.commands.main import main


def run(state: Path | None, *argv: object, **options: Any) -> Result:
    """A command, on a state directory if one is given; errors that are no exit code are those of the test."""
    words = [*(("--state", state) if state else ()), *argv]
    return CliRunner().invoke(main, [*map(str, words)], catch_exceptions=False, **options)


def printed(state: Path | None, *argv: object) -> str:
    """The standard output of a command that succeeds."""
    done = run(state, *argv)
    assert done.exit_code == 0, (argv, done.output)
    return done.stdout


def command(state: Path | None, *argv: object) -> tuple[int, str]:
    """The exit code and the whole output of a command."""
    done = run(state, *argv)
    return done.exit_code, done.output
