"""The command line as a page of the documentation, from the commands' own help, and the files of a server.

`python -m evaluate.commands.reference FOLDER [PREFIX]` writes what a distribution has besides the program.  PREFIX
is the environment that the program will be in, by default that of `install.sh`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from evaluate.commands.main import main
from evaluate.config.types import Config
from evaluate.operate.service import BACKUPS, USER, units

PREFIX, STATE = Path("/opt/evaluate"), Path("/var/lib/evaluate")
"""Folders where `install.sh` puts the program and its state."""
_COMPLETIONS = {"evaluate.bash": BashComplete, "_evaluate": ZshComplete, "evaluate.fish": FishComplete}


def commands() -> Iterator[click.Context]:
    """Every command, whose `command_path` is such as "evaluate image build"; groups before their commands."""
    yield from _below(click.Context(main, info_name="evaluate", terminal_width=80))


def _below(ctx: click.Context) -> Iterator[click.Context]:
    yield ctx
    if isinstance(ctx.command, click.Group):
        for word in ctx.command.list_commands(ctx):
            child = ctx.command.get_command(ctx, word)
            if child is not None:
                yield from _below(click.Context(child, info_name=word, parent=ctx))


def markdown() -> str:
    """All commands as one page."""
    intro = (
        "# Command line\n",
        "Made from the program. Exit codes everywhere: **0** passed or done, **1** the entry's fault,",
        "**2** wrong usage or the organiser's fault, **3** an infrastructure fault,",
        "**130** interrupted by Ctrl-C, **143** ended by SIGTERM. `daemon` and `serve` end with **0**",
        "by either; Ctrl-C ends `try --watch` with the code of the last try.\n",
    )
    return "\n".join([*intro, *(f"## {ctx.command_path}\n\n```text\n{ctx.get_help()}\n```\n" for ctx in commands())])


def write(folder: Path, prefix: Path = PREFIX) -> None:
    """Write all of it into a folder, which may exist."""
    shells = {name: shell(main, {}, "evaluate", "_EVALUATE_COMPLETE") for name, shell in _COMPLETIONS.items()}
    files = {
        **{f"completions/{name}": shell.source_template % shell.source_vars() for name, shell in shells.items()},
        **{f"systemd/{name}": text for name, text in units(prefix / "bin" / "python", STATE, Config()).items()},
        "systemd/sysusers.conf": f'u {USER} - "evaluate daemon" {STATE} /usr/sbin/nologin\nm {USER} kvm\n',
        "systemd/tmpfiles.conf": f"d {STATE} 0710 {USER} {USER} -\nd {BACKUPS} 0700 {USER} {USER} -\n",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit("usage: python -m evaluate.commands.reference FOLDER [PREFIX]")
    write(*map(Path, sys.argv[1:]))
