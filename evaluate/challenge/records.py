"""The records of a folder, by its list or by the names of its files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from glob import escape
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from evaluate.challenge.types import RecordSet
from evaluate.core.errors import ChallengeError
from evaluate.core.files import is_there
from metrics.readers.files import stand_in
from metrics.readers.foreign import decoded, is_data

RECORDS = "RECORDS"
_SHOWN = 20
_RECORD_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
"""A record's name becomes an argument of a shell script and a part of file names."""
_NESTED_NAME = re.compile(rf"{_RECORD_NAME.pattern}(/{_RECORD_NAME.pattern})*")
"""Where no shell script gets it, a record may be a file somewhere below the data folder."""


def record_set(
    folder: Path, inputs: Sequence[str], references: Path | None = None, *, nested: bool = False
) -> RecordSet:
    """The records of a folder, by its RECORDS file or, without one, by the files of the first input pattern.

    Raises ChallengeError if the folder, a record's file or the references are missing, or a name is not valid; the
    first 20 are named.

    ``nested``: whether a record may be in a subfolder; its name is then a path.
    """
    if not is_there(folder, S_ISDIR):
        raise ChallengeError(f"{folder}: no such folder of records")
    if not inputs:
        raise ChallengeError(f"{folder}: no names of input files are given")
    listing = folder / RECORDS
    if listing.is_file():
        source = str(listing)
        lines = decoded(listing.read_bytes(), errors="replace").splitlines()
        named = [
            (_listed(line.strip(), folder, inputs), f"{listing}:{n}") for n, line in enumerate(lines, 1) if line.strip()
        ]
    else:
        source = str(folder)
        before, *after = inputs[0].split("{record}")
        files = folder.glob(f"{escape(before)}{'**/' if nested else ''}*{'*'.join(map(escape, after))}")
        again = "(?P=record)".join(map(re.escape, after))
        form = re.compile(f"{re.escape(before)}(?P<record>.+){again}")
        paths = (str(path.relative_to(folder)) for path in files)
        matches = (form.fullmatch(path) for path in paths if is_data(path))
        named = [(name, source) for name in sorted(match["record"] for match in matches if match)]
    problems = [] if named else [f"{source}: no records; expected a {RECORDS} file or files like {inputs[0]}"]
    valid = _NESTED_NAME if nested else _RECORD_NAME
    first: dict[str, str] = {}
    for name, where in named:
        if not valid.fullmatch(name):
            problems.append(f"{where}: {name!r} is not a valid record name")
        elif name in first:
            problems.append(f"{where}: record {name} appears twice; first at {first[name]}")
        first.setdefault(name, where)
    found = RecordSet(folder=folder, records=tuple(first), inputs=tuple(inputs), references=references)
    if not problems:
        missing = [path for name in first for path in found.files(name).values() if not is_there(path, S_ISREG)]
        problems += [f"{path}: missing, although its record is in {source}{_instead(path)}" for path in missing]
    if len(problems) > _SHOWN:
        problems[_SHOWN:] = [f"{source}: and {len(problems) - _SHOWN} more problems"]
    if references is not None and not is_there(references):
        problems.append(f"{references}: no such references{_instead(references)}")
    if problems:
        raise ChallengeError("\n".join(problems))
    return found


def _instead(path: Path) -> str:
    found = stand_in(path)
    return f"; there is {found}" if found else ""


def _listed(name: str, folder: Path, inputs: Sequence[str]) -> str:
    """The record of a line of RECORDS, which may have the suffix of its file, or a folder where the files have none."""
    for pattern in inputs:
        before, _, suffix = pattern.partition("{record}")
        if not before and suffix.startswith(".") and "*" not in suffix:
            name = name.removesuffix(suffix)
    if not _NESTED_NAME.fullmatch(name):
        return name
    alone = name.rpartition("/")[2]
    places = [folder / inputs[0].format(record=each) for each in (name, alone)]
    return alone if is_there(places[1], S_ISREG) and not is_there(places[0], S_ISREG) else name
