"""What every group of commands needs: the state directory that the command line names, and files to write."""

from __future__ import annotations

from pathlib import Path

import click

from evaluate.host.state import default_state, open_state


def state_of(ctx: click.Context) -> Path:
    """The state directory, created if it does not exist.

    Raises
    ------
    UsageError
        It cannot be created or written.
    """
    return open_state(ctx.obj or default_state())


def write(path: Path, text: str) -> None:
    """Write what a command was told to leave in a file."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as e:
        raise click.UsageError(f"{path} cannot be written: {e.strerror}") from e
