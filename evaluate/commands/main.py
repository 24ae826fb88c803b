"""The command line; a contract with outside programs (names, arguments, exit codes).

Exit codes: 0 the entry passed / done, 1 the entry's fault, 2 wrong usage or the organiser's fault,
3 an infrastructure fault.

A command's module is imported when the command is called, and a package when it is needed: what people type most often
(``--help``, ``status``) must not wait for what only a daemon uses.
"""

from __future__ import annotations

import errno
import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import click

from evaluate import __version__
from evaluate.core.errors import EvaluateError, Fault, SandboxFault

COMMANDS: dict[str, dict[str, str]] = {
    "entry": {
        "recount": "Count the record RECORD of an entry again, under emulation: the same number each time.",
        "demo": "Take the sample entry of cinc2017 through all four stages in a real virtual machine.",
        "score": "Score answers without running anything; no virtual machine is needed.",
        "try": "Evaluate ENTRY here: the same machine, limits and words as on the server.",
    },
    "challenge": {"challenge": "List, check and start challenges."},
    "image": {"image": "Build and look at virtual machine images."},
    "queue": {
        "board": "The board of the challenge NAME: the best of each team's attempts in each phase.",
        "cancel": "End the entry ID wherever it is; a stage that runs still ends, and counts for nothing.",
        "report": "The report of the entry ID, as its team gets it.",
        "retry": "Put the parked entry ID back into the queue; it costs the team nothing.",
        "status": "How many entries are where, what runs, and the newest entries; or the stages of the entry ID.",
        "submit": "Put ENTRY into the queue; prints its id.",
        "why": "What the entry ID waits for, who holds it, and what comes next and when, in one sentence.",
    },
    "rejudge": {"rejudge": "Rejudge the entries of a challenge as a set: start, show, then apply or discard."},
    "receipts": {
        "key": "The keys that receipts are signed with: publish them, replace them.",
        "log": "The log of receipts of this state directory: check it, copy it, prove what is in it.",
        "verify": "Check the RECEIPT of an evaluation: signature, entry, and place in the log.",
    },
    "host": {
        "backup": "Copy everything that the queue needs to DIR, verified, while everything runs.",
        "daemon": "Take entries out of the queue and evaluate them, until SIGTERM or Ctrl-C.",
        "doctor": "What this machine has, what is missing, and the exact command that repairs it.",
        "host": "The hosts that evaluate: list them, drain them.",
        "prune": "Remove what the rules in evaluate.yaml allow.",
        "verify-state": "Compare the queue with its journal: files, chain, tables, long texts, uploads.",
        "restore": "Bring everything back from DIR, a backup, into an empty state directory.",
        "service": "Print a systemd unit for the daemon of this state directory.",
    },
}
"""Module of `evaluate.commands` -> its commands -> what each does, in one line."""


_FULL = (errno.ENOSPC, errno.EDQUOT)
"""Any command that writes may meet a full disk, which is the host's fault."""


class _LazyGroup(click.Group):
    """Imports a command when it is called, and turns errors into one message and the right exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(name for commands in COMMANDS.values() for name in commands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = next((module for module, commands in COMMANDS.items() if cmd_name in commands), None)
        if module is None:
            return None
        commands = import_module(f"evaluate.commands.{module}").COMMANDS
        found: click.Command = next(command for command in commands if command.name == cmd_name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        lines = {name: line for commands in COMMANDS.values() for name, line in commands.items()}
        with formatter.section("Commands"):
            formatter.write_dl([(name, lines[name]) for name in self.list_commands(ctx)])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except EvaluateError as e:
            click.echo(f"evaluate: {e}", err=True)
            for line in e.console if isinstance(e, SandboxFault) else ():
                click.echo(f"  console: {line}", err=True)
            ctx.exit(e.exit_code)
        except OSError as e:
            if e.errno not in _FULL:
                raise
            click.echo(
                f"evaluate: {e.filename or 'the state folder'}: {e.strerror}; free some, and try again", err=True
            )
            ctx.exit(Fault.exit_code)


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="evaluate")
@click.option(
    "--state",
    type=click.Path(path_type=Path),
    help="Folder of images, layers and runs.  [default: $EVALUATE_STATE, else /var/lib/evaluate for root, "
    "~/.local/state/evaluate for others]",
)
@click.pass_context
def main(ctx: click.Context, state: Path | None) -> None:
    """Evaluate challenge entries in virtual machines: prep, quiz, exam, score.

    \b
    First steps:
      evaluate doctor                                  what this machine has and lacks
      evaluate demo                                    a sample entry through all four stages
      evaluate try entry.zip --challenge cinc2017      your own entry, as the server would

    Exit codes: 0 passed, 1 the entry's fault, 2 wrong usage or the organiser's fault, 3 infrastructure fault.
    """
    ctx.obj = state
    signal.signal(signal.SIGTERM, _terminated)


def _terminated(_number: int, _frame: object) -> NoReturn:
    sys.exit(3)  # raised as an exception, so that every guest is destroyed on the way out
