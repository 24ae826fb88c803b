"""The command line; a contract with outside programs (names, arguments, exit codes).

Exit codes: 0 the entry passed / done, 1 the entry's fault, 2 wrong usage or the organiser's fault,
3 an infrastructure fault, 130 interrupted (Ctrl-C), 143 terminated (SIGTERM).

A command's module is imported when the command is called, and a package when it is needed: what people type most often
(``--help``, ``status``) must not wait for what only a daemon uses.
"""

from __future__ import annotations

import errno
import os
import re
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

SECTIONS: dict[str, dict[str, str]] = {
    "Participants": {
        **{"demo": "entry", "new": "trial", "try": "trial", "remote": "remote", "recount": "entry"},
        "verify": "receipts",
    },
    "Scientists": {"score": "entry"},
    "Organisers": {
        **{"challenge": "challenge", "team": "team"},
        **dict.fromkeys(("submit", "status", "report", "board", "resolve", "cancel", "withdraw"), "queue"),
        "rejudge": "rejudge",
    },
    "Operators": {
        **{"doctor": "host", "image": "image", "daemon": "host", "serve": "serve"},
        **dict.fromkeys(("host", "backup", "restore", "verify-state", "prune"), "host"),
        **dict.fromkeys(("key", "log"), "receipts"),
    },
}
"""For whom each command is, in the order of `evaluate --help`, and its module in `evaluate.commands`."""
COMMANDS = {name: module for commands in SECTIONS.values() for name, module in commands.items()}
_OTHER_NAMES = {"why": "status"}
"""Name that outside programs use -> the command."""
_OF_METRICS = {"score": "Score answers without running an entry, by corrected and official rules side by side."}
"""Command of `metrics.command`, which `--help` does not read -> what it says of itself."""

_REMAINS = "what was finished is kept; run the same command again for the rest"
"""Words on what is left of an interrupted command, and what to do next."""
_FULL = (errno.ENOSPC, errno.EDQUOT)
"""Any command that writes may meet a full disk, which is the host's fault."""


class _LazyGroup(click.Group):
    """Imports a command when it is called, and turns errors into one message and the right exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        cmd_name = _OTHER_NAMES.get(cmd_name, cmd_name)
        if cmd_name not in COMMANDS:
            return None
        commands = import_module(f"evaluate.commands.{COMMANDS[cmd_name]}").COMMANDS
        named: click.Command = next(command for command in commands if command.name == cmd_name)
        return named

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for title, names in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), _meaning(name)) for name in names])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, interrupts.Terminated, click.Abort) as e:
            if isinstance(e, click.Abort) and not isinstance(e.__context__, KeyboardInterrupt):
                raise  # the end of the input, where an answer was expected
            number = signal.SIGTERM if isinstance(e, interrupts.Terminated) else signal.SIGINT
            click.echo(interrupts.line(number, _REMAINS), err=True)
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


def _meaning(name: str) -> str:
    """The first sentence of a command's docstring, which is read in the source: to import all commands takes long."""
    if name in _OF_METRICS:
        return _OF_METRICS[name]
    source = Path(__file__).with_name(f"{COMMANDS[name]}.py").read_text(encoding="utf-8")
    function = re.escape(name.replace("-", "_"))
    sentence = re.search(
        rf'^def {function}_?\(.*?\) -> \w+:\n    """(.+?\.)(?:\s|""")', source, re.DOTALL | re.MULTILINE
    )
    assert sentence is not None, name
    return " ".join(sentence[1].split())


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
    """True if a database, or its driver, failed; nothing that most commands do not use is imported."""
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
