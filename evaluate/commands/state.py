"""Common parts of groups of commands: the state directory that the command line names, files to write, words."""

from __future__ import annotations

import math
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from evaluate.host.state import adopt_own_home, continue_as_owner, default_state, open_state

if TYPE_CHECKING:
    from evaluate.receipts.keys import PublicKey

_SERVICES = ("daemon", "serve")


class Finite(click.FloatRange):
    """A number that is neither infinite nor NaN."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read it."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"expected a number, found {value!r}", param, ctx)
        return number


def quoted(text: str) -> str:
    """A text for a terminal, where backticks mark nothing."""
    return text.replace("`", "'")


def state_of(ctx: click.Context) -> Path:
    """The state directory, created if it does not exist; root continues as its owner.

    Raises UsageError if it cannot be created or written.
    """
    return open_state(owned(ctx))


def owned(ctx: click.Context, words: Sequence[str] | None = None) -> Path:
    """The state directory, whether it exists or not, and this program that of its owner.

    ``words``: the command line with which the owner goes on, after the program's name; default: this one.
    """
    state: Path = ctx.obj or default_state()
    continue_as_owner(state, sys.argv[1:] if words is None else words, serves=ctx.info_name in _SERVICES)
    adopt_own_home()
    return state


def check_writable(*files: Path | None) -> None:
    """Before long work: check that output files can be written by this user, without writing them.

    Raises UsageError for the first that cannot.
    """
    for path in files:
        if path is None or str(path) == "-":
            continue
        exists = os.path.lexists(path)  # not by Path: false, too, where this user may not look
        target, rights = (path, os.W_OK) if exists else (path.parent, os.W_OK | os.X_OK)
        if os.path.isdir(path):  # noqa: PTH112
            why = "it is a folder"
        elif not os.path.isdir(path.parent):  # noqa: PTH112
            why = f"the user {os.geteuid()} sees no folder {path.parent}"
        elif not os.access(target, rights, effective_ids=True):
            why = f"the user {os.geteuid()} may not write there"
        else:
            continue
        raise click.UsageError(f"{path} cannot be written: {why}; nothing was started")


def write(path: Path, text: str) -> None:
    """Write a command's output file."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as e:
        raise click.UsageError(f"{path} cannot be written: {e.strerror}") from e


def keys_in(*files: Path) -> list[PublicKey]:
    """The public keys of some files, JSON or PEM."""
    from evaluate.receipts.keys import public_keys

    return [key for file in files for key in public_keys(file.read_bytes(), str(file))]


def submitted_words(team: str, phase: str, limits: Sequence[tuple[str, int, int]], state: str, turn: int | None) -> str:
    """The line of `submit` about an entry, here or at a site.

    * ``phase``: empty if there are none.
    * ``limits``: of attempts: for phase, day or week, how many the team has, and how many of them are left.
    * ``turn``: its place in the queue.
    """
    words = [f"team {team}", *([f"phase {phase}"] if phase else [])]
    when = {"phase": "", "day": " today", "week": " this week"}
    words += [f"{left} of {most} attempts left{when[name]}" for name, most, left in limits] or [
        "any number of attempts"
    ]
    words.append(state if turn is None else f"place {turn} in the queue")
    return ", ".join(words)


# The folder of an entry as an archive, for the commands that submit one


all_files_option = click.option(
    "--all-files",
    is_flag=True,
    help="Also pack files that git does not track or ignores; never credentials, .git, caches or virtual environments.",
)


@contextmanager
def packed(entry: str, say: Callable[[str], None], *, all_files: bool, state: Path | None = None) -> Iterator[str]:
    """Yield the archive or address to submit: a folder is packed, after the list of its files was shown.

    Raises UsageError if a line of a file looks like a secret.
    """
    folder = Path(entry)
    if "://" in entry or not folder.is_dir():
        yield entry
        return
    from evaluate.untrusted.packing import pack, to_send

    selection = to_send(folder, say, all_files=all_files, state=state)
    with tempfile.TemporaryDirectory(prefix="evaluate-") as scratch:
        yield str(pack(selection, Path(scratch) / f"{folder.resolve().name}.tar.gz"))
