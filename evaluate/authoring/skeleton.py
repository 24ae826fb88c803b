"""`evaluate challenge new`: a challenge that works at once, to be changed piece by piece."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
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


_METRIC = "accuracy.py"


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Yield an empty folder that becomes this one once all is in it. Raises UsageError if there is one already."""
    if folder.exists():
        raise UsageError(f"{folder}: already exists; nothing was changed; expected the name of a new folder")
    part = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    try:
        part.mkdir(parents=True)
        yield part
        part.rename(folder)
    finally:
        discard_tree(part)


def check_name(folder: Path) -> None:
    """Raise `UsageError` if a folder's name is not valid for a challenge."""
    if not _NAME.fullmatch(folder.name):
        wish = "expected small letters, digits, '_' and '-', such as 'hearts'"
        raise UsageError(f"{folder.name!r} is not a valid challenge name: {wish}")


def write_skeleton(folder: Path, kind: Kind, *, scorer: bool = False) -> list[str]:
    """Write a challenge for entries of this kind, or one with a scoring program; returns the next steps, as lines.

    Raises UsageError if the folder exists, or its name is not valid.
    """
    check_name(folder)
    kind = Kind.ANSWERS if scorer else kind
    sample, metric = _SAMPLES.get(kind, "sample_entry"), "scorer/score.py" if scorer else _METRIC
    with new_folder(folder) as part:
        for template in ("common", kind.value, *(["scorer"] if scorer else [])):
            _copy(_TEMPLATES / template, part)
        if scorer:
            (part / _METRIC).unlink()
        for path in filter(Path.is_file, (part / file for file in _FILLED_IN)):
            path.write_text(path.read_text().replace("NAME", folder.name).replace("SAMPLE", sample))
        notes = [note for script in ("make_sample_data.py", "make_sample_entry.py") for note in _run(part / script)]
    return [
        f"{folder}: a challenge of kind {'scorer' if scorer else kind}, with a sample entry that passes",
        *notes,
        f"  {folder}/challenge.yaml   the definition: limits, files, where the data are",
        f"  {folder}/{metric:<16} the metric; `evaluate score --list` shows those that exist already",
        f"  evaluate challenge check {_word(folder)}",
        f"  evaluate try {_word(folder / sample)} --challenge {_word(folder)}",
    ]


def _copy(template: Path, folder: Path) -> None:
    shutil.copytree(template, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))


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
    """Write a first entry; returns the next steps, as lines.

    Raises UsageError if the folder exists, or the challenge has no first entry in this language.

    * ``language``: one of `languages`; by default answers where they may be uploaded, else the first language, or the
      challenge's sample entry where it has none.
    * ``named``: what the caller calls the challenge, by default its name.
    """
    available, named = languages(challenge), named or challenge.name
    if language is not None and language not in available:
        way_out = (
            f"there is {', '.join(available)}" if available else "leave --lang out for the files of its sample entry"
        )
        raise UsageError(f"--lang {language}: {challenge.name} has no first entry in this language; {way_out}")
    answers = language is None and Kind.ANSWERS in challenge.kinds
    if language is None and available and not answers:
        language = available[0]
    kind = Kind.ANSWERS if answers else next(kind for kind in challenge.kinds if kind is not Kind.ANSWERS)
    sample = challenge.folder / "sample_entry"
    sources = [sample] if language is None else [challenge.folder / _FOLDER / name for name in (_COMMON, language)]
    with new_folder(folder) as part:
        for name in _TERMS if kind in (Kind.SCRIPTS, Kind.PYTHON) else ():
            shutil.copyfile(_BY_KIND / _COMMON / name, part / name)
        for source in (_BY_KIND / kind.value, *filter(Path.is_dir, sources)):
            _copy(source, part)
        for script in part.glob("*.sh"):
            script.chmod(0o755)  # an installed package may have lost it
        readme = part / "README.md"
        text = (_BY_KIND / kind.value / readme.name).read_text()
        for word, value in (("PROGRAM", _programs(part)), ("CHALLENGE", named), ("TITLE", challenge.title)):
            text = text.replace(word, value)
        text = re.sub(r"(?m)^(    .*)FOLDER", lambda command: command[1] + _word(folder.name), text)
        readme.write_text(text.replace("FOLDER", folder.name))
    archive = [f"  sh {_word(folder / 'make_archive.sh')}"] if kind is Kind.IMAGE else []
    entry = folder / "entry.tar" if kind is Kind.IMAGE else folder
    what = f"an entry in {language}" if language else "the answers of the sample entry" if answers else "an entry"
    return [
        f"{folder}: {what} that passes; {folder}/README.md says what to change",
        *archive,
        f"  evaluate try {_word(entry)} --challenge {_word(named)}",
    ]


def _word(path: Path | str) -> str:
    """A path as one word of a shell."""
    return shlex.quote(str(path))


def _programs(folder: Path) -> str:
    names = sorted(path.name for path in folder.iterdir() if path.suffix in _PROGRAMS)
    return ", ".join(f"`{name}`" for name in names if name not in _OUR_SCRIPTS) or "`next.sh`"
