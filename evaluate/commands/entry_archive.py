"""The folder of an entry as an archive, for the commands that submit one."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

all_files_option = click.option(
    "--all-files",
    is_flag=True,
    help="Also pack files that git does not track or ignores; never credentials, .git, caches or virtual environments.",
)


@contextmanager
def packed(entry: str, say: Callable[[str], None], *, all_files: bool, state: Path | None = None) -> Iterator[str]:
    """What to submit: a folder is packed, after what leaves the machine was shown; anything else is left as it is.

    Raises UsageError if a line of a file looks like a secret.
    """
    folder = Path(entry)
    if "://" in entry or not folder.is_dir():
        yield entry
        return
    from evaluate.packing.archive import pack, to_send

    selection = to_send(folder, say, all_files=all_files, state=state)
    with tempfile.TemporaryDirectory(prefix="evaluate-") as scratch:
        yield str(pack(selection, Path(scratch) / f"{folder.resolve().name}.tar.gz", say))
