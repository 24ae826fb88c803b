"""The command line; a contract with outside programs (names, arguments, exit codes).

Exit codes: 0 the entry passed / done, 1 the entry's fault, 2 wrong usage or the organiser's fault,
3 an infrastructure fault, 130 interrupted (Ctrl-C), 143 terminated (SIGTERM).

A command's module is imported when the command is called, and a package when it is needed: what people type most often
(``--help``, ``status``) must not wait for what only a daemon uses.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from evaluate import DISTRIBUTION
from evaluate.commands import interrupts
from evaluate.commands.state import quoted
from evaluate.core.errors import EvaluateError, Fault, SandboxFault
from evaluate.core.packages import extra_to_install, search_path
from evaluate.core.sanitize import gist

COMMANDS: dict[str, dict[str, str]] = {
    "entry": {
        "recount": "Recount the instructions of RECORD in ENTRY under emulation, in a fresh virtual machine each time.",
        "demo": "Run the sample entry of cinc2017 through all four stages in a virtual machine.",
        "score": "Score answers without running an entry, by corrected and official rules side by side.",
    },
    "trial": {
        "new": "Create the folder ENTRY with a working entry to start from.",
        "try": "Evaluate ENTRY on this computer, with the same virtual machine and limits as on the server.",
    },
    "challenge": {"challenge": "List, check and create challenges."},
    "image": {"image": "Build, list and verify virtual machine images."},
    "queue": {
        "baseline": "Mark entry or team WHAT as a baseline, which is listed on leaderboards without a rank.",
        "board": "Show the leaderboard of challenge NAME: each team's best attempt in each phase.",
        "cancel": "Cancel entry ID in any state; a running stage finishes, and its result is discarded.",
        "extend": "Let TEAM submit to a phase that has ended, or ends before its deadline.",
        "report": "Show the report of entry ID, as its team sees it.",
        "resolve": "Mark internal error FAULT as resolved, and resume what it had stopped.",
        "retry": "Requeue the parked entry ID, or all parked entries, at no cost to the teams.",
        "status": "Show the queue: entries by state, running stages, newest entries; or the stages of entry ID.",
        "submit": "Submit ENTRY to the queue; print its id, phase, remaining attempts and position.",
        "withdraw": "Withdraw entry ID, or all entries of TEAM, from the leaderboard.",
        "why": "Explain in one sentence what entry ID is waiting for, where it is, and what happens next.",
    },
    "remote": {
        "remote": "Take part in a challenge on a web site: log in, submit, see entries, reports and leaderboards."
    },
    "serve": {"serve": "Run the web site: pages for browsers, and the API under /api/v1."},
    "team": {"team": "Manage teams: names, aliases, members and their email addresses."},
    "rejudge": {"rejudge": "Rejudge the entries of a challenge as a set: start, compare, then apply or discard."},
    "receipts": {
        "key": "List, rotate and revoke the keys that sign receipts.",
        "log": "Verify and export the log of receipts, the audit log of evaluations.",
        "verify": "Verify the RECEIPT of an evaluation: signature, entry, and inclusion in the log.",
    },
    "host": {
        "backup": "Back up everything that the queue needs to DIR, verified, without stopping the daemon.",
        "daemon": "Evaluate the entries in the queue, until SIGTERM or Ctrl-C.",
        "doctor": "Check this machine: what it has, what is missing, and the exact command that repairs it.",
        "host": "List and drain the hosts that evaluate entries.",
        "prune": "Delete what the retention rules in evaluate.yaml allow.",
        "verify-state": "Verify the queue against its journal: files, hash chain, tables, long texts, uploads.",
        "restore": "Restore the backup DIR as a new state directory.",
        "service": "Print a systemd unit for the daemon of this state directory.",
    },
}
"""Module of `evaluate.commands` -> its commands -> what each does, in one line."""

SECTIONS = {
    "Participants": ("demo", "new", "try", "remote", "recount", "verify"),
    "Scientists": ("score",),
    "Organisers": (
        *("challenge", "team", "submit", "status", "why", "report", "board"),
        *("retry", "resolve", "cancel", "withdraw", "extend", "baseline", "rejudge"),
    ),
    "Operators": (
        *("doctor", "image", "daemon", "serve", "host", "service"),
        *("backup", "restore", "verify-state", "prune", "key", "log"),
    ),
}
"""For whom each command is, in the order of `evaluate --help`."""

_REMAINS = {
    "demo": "nothing was judged; run the same command again",
    "remote": "the site keeps what has reached it: run the same command again, an upload continues where it stopped",
    "submit": "evaluate status shows whether the entry is in the queue; if not, submit it again",
    "try": "nothing was judged or submitted; run the same command again",
}
"""What is left of an interrupted command, and what to do next."""
_ANY_REMAINS = "what was finished is kept; run the same command again for the rest"

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
        width = max(map(len, lines))
        for title, names in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), lines[name]) for name in names])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, interrupts.Terminated, click.Abort) as e:
            if isinstance(e, click.Abort) and not isinstance(e.__context__, KeyboardInterrupt):
                raise  # the end of the input, where an answer was expected
            number = signal.SIGTERM if isinstance(e, interrupts.Terminated) else signal.SIGINT
            remains = _REMAINS.get(ctx.invoked_subcommand or "", _ANY_REMAINS)
            click.echo(quoted(interrupts.line(number, remains)), err=True)
            ctx.exit(128 + number)
        except EvaluateError as e:
            click.echo(quoted(f"evaluate: {e}"), err=True)
            for line in e.console if isinstance(e, SandboxFault) else ():
                click.echo(f"  console: {line}", err=True)
            ctx.exit(e.exit_code)
        except ImportError as e:
            missing = extra_to_install(e)
            if missing is None:
                raise
            click.echo(f"evaluate: this command {missing}", err=True)
            ctx.exit(Fault.exit_code)
        except (OSError, MemoryError) as e:
            if isinstance(e, BrokenPipeError):
                raise  # the reader of our output has gone; click ends quietly
            click.echo(f"evaluate: {_of_the_machine(e)}", err=True)
            ctx.exit(Fault.exit_code)
        except Exception as e:
            if not _is_of_the_database(e):
                raise
            click.echo(f"evaluate: the database cannot be used: {gist(str(getattr(e, 'orig', None) or e))}", err=True)
            ctx.exit(Fault.exit_code)
        finally:
            interrupts.work_ends()


class _Formatter(click.HelpFormatter):
    """Shows the names of commands in help as messages do."""

    def write(self, string: str) -> None:
        super().write(quoted(string))


click.Context.formatter_class = _Formatter


def _of_the_machine(error: OSError | MemoryError) -> str:
    if isinstance(error, MemoryError):
        return "there is not enough memory on this machine"
    names = [str(name) for name in (error.filename, error.filename2) if name is not None]
    again = "; free some, and try again" if error.errno in _FULL else ""
    return ": ".join([*names, error.strerror or f"{type(error).__name__}: {error}"]) + again


def _is_of_the_database(error: Exception) -> bool:
    """Whether a database, or its driver, failed; asked without importing what most commands do not use."""
    bases = (("sqlite3", "Error"), ("sqlalchemy.exc", "SQLAlchemyError"), ("psycopg", "Error"))
    return any(
        module in sys.modules and isinstance(error, getattr(sys.modules[module], name)) for module, name in bases
    )


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name=DISTRIBUTION, prog_name="evaluate")
@click.option(
    "--state",
    type=click.Path(path_type=Path, readable=False),  # `open_state` says whose it is
    help="Folder of images, layers and runs.  [default: $EVALUATE_STATE, else that of an installed server, else "
    "/var/lib/evaluate for root, ~/.local/state/evaluate for others]",
)
@click.pass_context
def main(ctx: click.Context, state: Path | None) -> None:
    """Evaluate challenge entries in virtual machines: prep, quiz, exam, score.

    \b
    First steps:
      evaluate doctor                                  check this machine
      evaluate demo                                    run a sample entry through all four stages
      evaluate new mine --challenge cinc2017           start from a working entry
      evaluate try entry.zip --challenge cinc2017      evaluate your own entry, as the server would

    Exit codes: 0 passed, 1 the entry's fault, 2 wrong usage or the organiser's fault, 3 infrastructure fault,
    130 interrupted by Ctrl-C, 143 by SIGTERM.
    """
    ctx.obj = state
    os.environ["PATH"] = search_path()
    interrupts.work_begins()
