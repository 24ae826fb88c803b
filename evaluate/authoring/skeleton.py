"""`evaluate challenge new`: a challenge that works at once, to be changed piece by piece."""

from __future__ import annotations

import os
import re
import runpy
import shutil
from collections.abc import Iterator
from pathlib import Path

from evaluate.challenge.load import FILE
from evaluate.challenge.types import Kind
from evaluate.confine.ownership import discard_tree
from evaluate.core.errors import UsageError
from evaluate.core.resources import data_folder

_TEMPLATES = data_folder("challenges") / "_templates"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_SAMPLES = {Kind.IMAGE: "sample_entry.tar"}
"""What is uploaded as the sample entry, where that is not its folder."""
_FILLED_IN = (FILE, "README.md", "sample_entry/AUTHORS.txt")
"""Files with the placeholders NAME and SAMPLE."""


SPECIAL = {"scorer": ("common", "answers", "scorer")}
"""Challenges of one purpose -> the templates that they consist of, a later one above an earlier one."""
_METRICS = {"scorer": "scorer/score.py"}
_METRIC = "accuracy.py"


def check_place(folder: Path) -> None:
    """Raise `UsageError` if no challenge can be written there: the folder exists, or its name is not valid."""
    name = folder.name
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} is not a valid challenge name: expected small letters, digits, '_' and '-', such as 'hearts'"
        )
    if folder.exists():
        raise UsageError(f"{folder}: already exists; nothing was changed; expected the name of a new folder")


def write_skeleton(folder: Path, kind: Kind, special: str = "") -> list[str]:
    """Write a challenge for entries of this kind, or one of `SPECIAL`; returns what to do next, as lines.

    Raises UsageError if the folder exists, or its name is not valid.
    """
    check_place(folder)
    name = folder.name
    kind = Kind.ANSWERS if special else kind
    sample, metric = _SAMPLES.get(kind, "sample_entry"), _METRICS.get(special, _METRIC)
    part = folder.with_name(f".{name}.{os.getpid()}.part")
    try:
        for template in SPECIAL.get(special, ("common", kind.value)):
            shutil.copytree(
                _TEMPLATES / template, part, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
            )
        if metric != _METRIC:
            (part / _METRIC).unlink(missing_ok=True)
        for path in filter(Path.is_file, (part / file for file in _FILLED_IN)):
            path.write_text(path.read_text().replace("NAME", name).replace("SAMPLE", sample))
        notes = [note for script in ("make_sample_data.py", "make_sample_entry.py") for note in _run(part / script)]
        part.rename(folder)
    finally:
        discard_tree(part)
    return [
        f"{folder}: a challenge of kind {special or kind}, with a sample entry that passes",
        *notes,
        f"  {folder}/challenge.yaml   the definition: limits, files, where the data are",
        f"  {folder}/{metric:<16} the metric; `evaluate score --list` shows those that exist already",
        f"  evaluate challenge check {folder}",
        f"  evaluate try {folder / sample} --challenge {folder}",
    ]


def _run(script: Path) -> Iterator[str]:
    """Run a script of the template, if it has it; a note where something that it needs is not installed."""
    if script.is_file():
        try:
            runpy.run_path(str(script), run_name="__main__")
        except SystemExit as e:
            yield f"  {e}; install it and run {script.name}"
