"""`evaluate challenge new`: a challenge that works at once, to be changed piece by piece."""

from __future__ import annotations

import os
import re
import runpy
import shutil
from collections.abc import Iterator
from pathlib import Path

from evaluate.challenge import Kind
from evaluate.core.errors import UsageError
from evaluate.core.resources import data_folder

_TEMPLATES = data_folder("challenges") / "_templates"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_AUTHORS = "The organisers of NAME\n"
_LICENSE = "Free to copy as a beginning of your own entry.\n"


def write_skeleton(folder: Path, kind: Kind) -> list[str]:
    """Write a challenge for entries of this kind; what to do next, a line each.

    Raises
    ------
    UsageError
        The folder exists, or its name is unfit.
    """
    name = folder.name
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} is no fit name for a challenge: small letters, digits, '_' and '-', such as 'hearts'"
        )
    if folder.exists():
        raise UsageError(f"{folder}: is there already; nothing was changed")
    part = folder.with_name(f".{name}.{os.getpid()}.part")
    try:
        for template in ("common", kind.value):
            shutil.copytree(
                _TEMPLATES / template, part, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
            )
        sample = "sample_entry.tar" if kind is Kind.IMAGE else "sample_entry"
        for path in (part / "challenge.yaml", part / "README.md"):
            path.write_text(path.read_text().replace("NAME", name).replace("SAMPLE", sample))
        runpy.run_path(str(part / "make_sample_data.py"), run_name="__main__")
        notes = list(_sample_entry(part, kind, name))
        part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return [
        f"{folder}: a challenge of kind {kind}, with a sample entry that passes",
        *notes,
        f"  {folder}/challenge.yaml   the rules: limits, files, where the data are",
        f"  {folder}/accuracy.py      the measure; name one of `python -m metrics --list` instead if it is there",
        f"  evaluate challenge check {folder}",
        f"  evaluate try {folder / sample} --challenge {folder}",
    ]


def _sample_entry(folder: Path, kind: Kind, name: str) -> Iterator[str]:
    """What of the sample entry follows from the sample data, or from this machine."""
    sample = folder / "sample_entry"
    sample.mkdir(exist_ok=True)
    if kind in (Kind.SCRIPTS, Kind.PYTHON):
        (sample / "AUTHORS.txt").write_text(_AUTHORS.replace("NAME", name))
        (sample / "LICENSE.txt").write_text(_LICENSE)
    if kind is Kind.SCRIPTS:
        shutil.copyfile(folder / "sample_data" / "validation" / "REFERENCE.csv", sample / "answers.txt")
    if kind is Kind.ANSWERS:
        for line in (folder / "sample_data" / "test" / "REFERENCE.csv").read_text().splitlines():
            record, _, label = line.partition(",")
            (sample / f"{record}.txt").write_text(f"{label}\n")
    if kind is Kind.IMAGE:
        try:
            runpy.run_path(str(folder / "make_sample_entry.py"), run_name="__main__")
        except SystemExit as e:
            yield f"  {e}; install it and run make_sample_entry.py"
