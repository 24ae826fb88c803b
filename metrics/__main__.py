"""``python -m metrics``: score answers from the command line, with nothing but this package; see `metrics.command`."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

import click

from metrics.command import scoring_command

_SETTINGS: Any = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code, or raises SystemExit(2) on wrong usage."""
    command = scoring_command("metrics")
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with command.make_context("python -m metrics", words, **_SETTINGS) as context:
            command.invoke(context)
    except click.exceptions.Exit as e:
        return e.exit_code
    except click.ClickException as e:
        e.show()
        raise SystemExit(e.exit_code) from e
    return 0


def run(arguments: Sequence[str] | None = None) -> int:
    """`main` for a process of its own: quiet where the reader of its output has left, as ``| head`` does."""
    try:
        code = main(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # else the interpreter complains when it closes the stream
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    return code


if __name__ == "__main__":
    sys.exit(run())
