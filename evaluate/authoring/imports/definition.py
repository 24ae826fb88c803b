"""Definitions of other platforms: values with the lines that they are in, and of the types that their form asks for.

A definition has hundreds of keys of which each may be anything.  So each form says once which types its keys have, as
the files of this program do (`evaluate.config.schema.keys`): all mistakes are named at once, each with its file and
line, and what reads the values need not look again.  Keys that a form does not name are left as they are: unknown ones
are common.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from evaluate.authoring.imports.base import Source
from evaluate.config.schema.document import Where, dotted, load_document, shown
from evaluate.config.schema.keys import Form, Key, ListOf, Section, Value, read
from evaluate.core.errors import ChallengeError

_MOST_VALUES = 100_000
"""Number of values in a definition, at most, with its aliases written out."""
_MOST_DIGITS = 18


def _whole(value: Any) -> Any:
    is_text = isinstance(value, str) and value.isdecimal() and len(value) <= _MOST_DIGITS
    if not is_text and (isinstance(value, bool) or not isinstance(value, int)):
        raise ValueError
    return value


def _number(value: Any) -> Any:
    if isinstance(value, bool | list | dict) or not math.isfinite(float(value)):
        raise ValueError
    return value


def _numbers(value: Any) -> Any:
    items = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else [value]
    for item in items:
        _whole(item.strip() if isinstance(item, str) else item)
    return value


def _single(value: Any) -> Any:
    if isinstance(value, list | dict):
        raise ValueError
    return value


TEXT = Value(expected="a text", type=str | int | float)
WHOLE = Value(expected="a whole number", type=Any, read=_whole)
NUMBER = Value(expected="a number", type=Any, read=_number)
NUMBERS = Value(expected="whole numbers, as a list or with commas between them", type=Any, read=_numbers)
SINGLE = Value(expected="a single value", type=Any, read=_single)


def described(required: Mapping[str, Form], others: Mapping[str, Form]) -> Section[dict[str, Any]]:
    """Keys and values of a definition: those that must be there, and others that may."""
    keys = {name: Key("", form, required=True) for name, form in required.items()}
    return Section(dict, {**keys, **{name: Key("", form) for name, form in others.items()}}, open=True)


def several(what: str, item: Value | Section[Any], *, empty: bool = True) -> ListOf:
    """A list of a definition, of ``what``."""
    return ListOf(expected=f"a list of {what}", item=item, empty=empty)


class Definition:
    """A YAML file of another platform. Raises ChallengeError if it cannot be read."""

    def __init__(self, path: Path, source: Source) -> None:
        source.check(path)
        self.path, self._source = path, source
        self._repeated: list[Where] = []
        self._document = load_document(
            path, source.shown(path), on_repeated=lambda where, _: self._repeated.append(where)
        )
        if not isinstance(self._document.value, dict):
            raise self.error(f"expected keys and values, found {shown(self._document.value)}")
        if not _is_bounded(self._document.value):
            raise self.error(f"has more than {_MOST_VALUES} values, those of its aliases written out")
        self.value: dict[str, Any] = _without_nothing(self._document.value)

    def checked(self, section: Section[dict[str, Any]]) -> Definition:
        """Itself. Raises ChallengeError, naming all values of other types than its form asks for, with their lines."""
        self._document.value = self.value
        self.value = read(self._document, section) or {}
        self._document.refuse_problems()
        return self

    def place(self, *where: str | int) -> str:
        """``file:line`` of a key; items of a list are counted from 1."""
        return f"{self.path.name}:{self._line(where)}"

    def _line(self, at: Where) -> int:
        lines = self._document.lines
        return next((lines[at[:n]] for n in range(len(at), -1, -1) if at[:n] in lines), 1)

    def error(self, problem: str, *where: str | int) -> ChallengeError:
        """Return the error that says that something in it cannot be imported."""
        location = self._source.shown(self.path, self._line(where))
        return ChallengeError(": ".join(filter(None, (location, dotted(where), problem))))

    def leave_repeated(self, leave: Callable[[str, str, str], None]) -> None:
        """Note the keys that appear again."""
        for where in self._repeated:
            leave(f"{dotted(where)}, which appears again", self.place(*where), "the last one counts, as there")

    def file(self, name: object, *where: str | int) -> Path:
        """A file or folder beside it, which need not exist, named by the key ``where``.

        Raises ChallengeError if it leads out of the folder.
        """
        try:
            return self._source.find(str(name))
        except ChallengeError as e:
            raise self.error(str(e), *where) from e

    def folder_or_zip(self, name: object, *where: str | int) -> Path | None:
        """A folder or a ``.zip``, with or without the suffix; None if there is neither."""
        path = self.file(name, *where)
        if path == self.path.parent:
            return None
        both = (path, path.with_name(f"{path.name}.zip"), path.with_suffix(""))
        return next((candidate for candidate in both if candidate.is_dir() or candidate.is_file()), None)


def _is_bounded(value: Any) -> bool:
    """True if a value with its aliases written out is of a size that can be shown; one within itself is not."""
    sizes: dict[int, float] = {}

    def size(part: Any) -> float:
        if not isinstance(part, dict | list):
            return 1
        if id(part) not in sizes:
            sizes[id(part)] = math.inf  # found again before it is known, it is within itself
            sizes[id(part)] = 1 + sum(map(size, part.values() if isinstance(part, dict) else part))
        return sizes[id(part)]

    try:
        return size(value) <= _MOST_VALUES
    except RecursionError:
        return False


def _without_nothing(value: Any) -> Any:
    """A value in which keys without a value are as if they were not there."""
    if isinstance(value, dict):
        return {key: _without_nothing(part) for key, part in value.items() if part is not None}
    return [_without_nothing(part) for part in value] if isinstance(value, list) else value
