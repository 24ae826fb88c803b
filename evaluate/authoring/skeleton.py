"""`evaluate challenge new`: a challenge that works at once, to be changed piece by piece."""

from __future__ import annotations

import os
import re
import runpy
import shutil
from collections.abc import Iterator
from pathlib import Path

from evaluate.config.challenge.load import FILE
from evaluate.config.challenge.types import Challenge, Kind
from evaluate.confine.ownership import discard_tree
from evaluate.core.errors import UsageError
from evaluate.core.files import data_folder

_TEMPLATES = data_folder("challenges") / "_templates"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_SAMPLES = {Kind.IMAGE: "sample_entry.tar"}
"""Files that are uploaded as the sample entry, where that is not its folder."""
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


# `evaluate new`: start from a working entry piece by piece


LANGUAGES = ("python", "c", "octave", "r", "java")
"""The first that a challenge has is written where none is asked for."""
_FOLDER, _COMMON = "starters", "common"
_BY_KIND = data_folder("challenges") / "_starters"
_TERMS = ("AUTHORS.txt", "LICENSE.txt")
_PROGRAMS = (".c", ".py", ".m", ".R", ".java", ".sh")
_OUR_SCRIPTS = ("setup.sh", "next.sh", "make_archive.sh")


def languages(challenge: Challenge) -> tuple[str, ...]:
    """The languages that a challenge has a first entry in."""
    return tuple(language for language in LANGUAGES if (challenge.folder / _FOLDER / language).is_dir())


def write_entry(folder: Path, challenge: Challenge, language: str | None = None, named: str = "") -> list[str]:
    """Write a first entry; returns what to do next, as lines.

    Raises UsageError if the folder exists, or the challenge has no first entry in this language.

    * ``language``: one of `languages`; by default answers where they may be uploaded, else the first language, or the
      challenge's sample entry where it has none.
    * ``named``: what the caller calls the challenge, by default its name.
    """
    if folder.exists():
        raise UsageError(f"{folder}: already exists; nothing was changed; expected the name of a new folder")
    available, named = languages(challenge), named or challenge.name
    if language is not None and language not in available:
        there = (
            f"there is {', '.join(available)}" if available else "leave --lang out for the files of its sample entry"
        )
        raise UsageError(f"--lang {language}: {challenge.name} has no first entry in this language; {there}")
    answers = language is None and Kind.ANSWERS in challenge.kinds
    if language is None and available and not answers:
        language = available[0]
    kind = Kind.ANSWERS if answers else next(kind for kind in challenge.kinds if kind is not Kind.ANSWERS)
    sample = challenge.folder / "sample_entry"
    sources = [sample] if language is None else [challenge.folder / _FOLDER / name for name in (_COMMON, language)]
    part = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    try:
        part.mkdir(parents=True)
        for name in _TERMS if kind in (Kind.SCRIPTS, Kind.PYTHON) else ():
            shutil.copyfile(_BY_KIND / _COMMON / name, part / name)
        for source in (_BY_KIND / kind.value, *filter(Path.is_dir, sources)):
            shutil.copytree(source, part, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        for script in part.glob("*.sh"):
            script.chmod(0o755)  # an installed package may have lost it
        readme = part / "README.md"
        text = (_BY_KIND / kind.value / readme.name).read_text()
        for word, value in (("PROGRAM", _programs(part)), ("CHALLENGE", named), ("TITLE", challenge.title)):
            text = text.replace(word, value)
        readme.write_text(text.replace("FOLDER", folder.name))
        part.rename(folder)
    finally:
        discard_tree(part)
    archive = [f"  sh {folder}/make_archive.sh"] if kind is Kind.IMAGE else []
    entry = folder / "entry.tar" if kind is Kind.IMAGE else folder
    what = f"an entry in {language}" if language else "the answers of the sample entry" if answers else "an entry"
    return [
        f"{folder}: {what} that passes; {folder}/README.md says what to change",
        *archive,
        f"  evaluate try {entry} --challenge {named}",
    ]


def _programs(folder: Path) -> str:
    names = sorted(path.name for path in folder.iterdir() if path.suffix in _PROGRAMS)
    return ", ".join(f"`{name}`" for name in names if name not in _OUR_SCRIPTS) or "`next.sh`"
