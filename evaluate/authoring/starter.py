"""`evaluate new`: start from a working entry piece by piece."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from evaluate.challenge.types import Challenge, Kind
from evaluate.confine.ownership import discard_tree
from evaluate.core.errors import UsageError
from evaluate.core.resources import data_folder

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
    known, named = languages(challenge), named or challenge.name
    if language is not None and language not in known:
        there = f"there is {', '.join(known)}" if known else "leave --lang out for the files of its sample entry"
        raise UsageError(f"--lang {language}: {challenge.name} has no first entry in this language; {there}")
    answers = language is None and Kind.ANSWERS in challenge.kinds
    if language is None and known and not answers:
        language = known[0]
    kind = Kind.ANSWERS if answers else next(kind for kind in challenge.kinds if kind is not Kind.ANSWERS)
    sample = challenge.folder / "sample_entry"
    own = [sample] if language is None else [challenge.folder / _FOLDER / name for name in (_COMMON, language)]
    part = folder.with_name(f".{folder.name}.{os.getpid()}.part")
    try:
        part.mkdir(parents=True)
        for name in _TERMS if kind in (Kind.SCRIPTS, Kind.PYTHON) else ():
            shutil.copyfile(_BY_KIND / _COMMON / name, part / name)
        for source in (_BY_KIND / kind.value, *filter(Path.is_dir, own)):
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
