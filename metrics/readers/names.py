"""Answers that name no record of the list: what is probably wrong with their names.

A reader of spreadsheets drops leading zeros or writes ``1.0`` for ``1``; a program writes the name of a file, or
capital letters.  All records would then be missing, and the score 0 would look like that of a poor program.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path, PurePosixPath

from metrics.base import AnswerError, Note, some

_RULES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("leading zeros are missing or added", lambda name: re.sub(r"(?<![0-9])0+(?=[0-9])", "", name)),
    ("numbers are written with decimals", lambda name: re.sub(r"\.0+$", "", name)),
    (
        "leading zeros are missing and numbers are written with decimals",
        lambda name: re.sub(r"(?<![0-9])0+(?=[0-9])", "", re.sub(r"\.0+$", "", name)),
    ),
    ("a folder is part of the name", lambda name: PurePosixPath(name).name),
    ("the suffix of a file is part of the name", lambda name: PurePosixPath(name).name.partition(".")[0]),
    ("capital and small letters differ", str.casefold),
    ("letters or digits are other characters that look alike", partial(unicodedata.normalize, "NFKC")),
    ("blanks, hyphens or underscores differ", lambda name: re.sub(r"[\s_-]+", "", name)),
    ("a word is part of the name", lambda name: re.sub(r"[^0-9]+", "", name).lstrip("0")),
)
"""Probable differences between two names, each with a function that makes such names equal."""
_WFDB_SUFFIX = re.compile(r"\.(hea|dat|mat|atr)$")


def as_known(listed: Iterable[str], is_known: Callable[[str], bool]) -> tuple[str, ...]:
    """The names of a list without the suffix of a WFDB file, or the folder, where a reference has that name."""

    def name_of(name: str) -> str:
        stem = _WFDB_SUFFIX.sub("", name)
        forms = (name, stem, PurePosixPath(name).name, PurePosixPath(stem).name)
        return next(filter(is_known, forms), name)

    return tuple(map(name_of, listed))


def probable_cause(names: Iterable[str], given: Iterable[str]) -> str:
    """Why names that are given are none of the list, where one rule makes most of them equal; else empty."""
    wanted, answered = list(names), list(given)
    for cause, equal in _RULES:
        equal_names = {equal(name) for name in wanted} - {""}
        if 2 * sum(equal(name) in equal_names for name in answered) > len(answered):
            return cause
    return ""


def probably(names: Iterable[str], given: Iterable[str]) -> str:
    """`probable_cause` in brackets, for the end of a message."""
    cause = probable_cause(names, given)
    return f" (probably {cause})" if cause else ""


def check_some_match(
    names: Sequence[str], given: Sequence[str], file: Path | None, others: Iterable[str] = ()
) -> tuple[Note, ...]:
    """Notes on answers of which most name no record; none where most do.

    Raises AnswerError if there are answers, and none names a record.

    * ``names``: the record list.
    * ``others``: further records that there are, outside the list.
    """
    listed = {*names, *others}
    strangers = [name for name in given if name not in listed]
    if not strangers:
        return ()
    cause = probable_cause(names, strangers)
    spelled = f"the list has {some(names, 3)}, the answers have {some(strangers, 3)}"
    probably = f"; probably {cause}" if cause else ""
    if len(strangers) == len(given):
        raise AnswerError(f"no answer names a record of the list: {spelled}{probably}", file=file, record=strangers[0])
    if 2 * len(strangers) > len(given):
        few = f"only {len(given) - len(strangers)} of {len(given)} answers name a record of the list"
        return (Note(f"{few}{probably}"), Note(f"{few}: {spelled}{probably}", strangers[0]))
    return ()
