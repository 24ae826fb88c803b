"""Definitions of other platforms: values with the lines that they are in, and of the types that their form asks for.

A definition has hundreds of keys of which each may be anything.  So each form says once which types its keys have
(`Shape`), all mistakes are named at once, each with its file and line, and what reads the values need not look again.
Keys that a shape does not name are left as they are: unknown ones are common.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluate.authoring.imports.base import Source
from evaluate.config.schema.document import Document, Where, dotted, load_document, shown
from evaluate.core.errors import ChallengeError

_MOST_VALUES = 100_000
"""Number of values in a definition, at most, with its aliases written out."""
_MOST_DIGITS = 18


@dataclass(frozen=True)
class OneValue:
    """Rule for what single values may be."""

    wish: str
    """Completes "expected …"."""
    fits: Callable[[Any], bool]


@dataclass(frozen=True)
class Required:
    """A key that must be there."""

    shape: Shape


Shape = OneValue | Required | list["Shape"] | Mapping[str, "Shape"]
"""A value, a list of such values, or keys and their values; `EACH` stands for the keys that it does not name."""
EACH = "*"


def _is_whole(value: Any) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or (
        isinstance(value, str) and value.isdecimal() and len(value) <= _MOST_DIGITS
    )


def _is_number(value: Any) -> bool:
    try:
        return not isinstance(value, bool | list | dict) and math.isfinite(float(value))
    except (TypeError, ValueError, OverflowError):
        return False


def _is_numbers(value: Any) -> bool:
    items = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else [value]
    return all(_is_whole(item.strip() if isinstance(item, str) else item) for item in items)


TEXT = OneValue("a text", lambda value: isinstance(value, str | int | float) and not isinstance(value, bool))
SWITCH = OneValue("true or false", lambda value: isinstance(value, bool) or value in (0, 1))
WHOLE = OneValue("a whole number", _is_whole)
NUMBER = OneValue("a number", _is_number)
NUMBERS = OneValue("whole numbers, as a list or with commas between them", _is_numbers)
SINGLE = OneValue("a single value", lambda value: not isinstance(value, list | dict))


class Definition:
    """A YAML file of another platform. Raises ChallengeError if it cannot be read."""

    def __init__(self, path: Path, source: Source) -> None:
        source.check(path)
        self.path, self._source = path, source
        self._repeated: list[Where] = []
        self._document = self._loaded(path)
        if not isinstance(self._document.value, dict):
            raise self.error(f"expected keys and values, found {shown(self._document.value)}")
        if not _is_bounded(self._document.value):
            raise self.error(f"has more than {_MOST_VALUES} values, those of its aliases written out")
        self.value: dict[str, Any] = self._document.value

    def checked(self, shape: Mapping[str, Shape]) -> Definition:
        """Itself. Raises ChallengeError, naming all values of other types than its form asks for, with their lines."""
        self.value = self._checked(self.value, shape, ())
        self._document.refuse_problems()
        return self

    def _loaded(self, path: Path) -> Document:
        def again(where: Where, _: str) -> None:
            self._repeated.append(where)

        return load_document(path, self._name, on_repeated=again)

    @property
    def _name(self) -> str:
        return self._source.shown(self.path)

    def _checked(self, value: Any, shape: Shape, where: Where) -> Any:
        """The value, in which keys without a value are as if they were not there."""
        while isinstance(shape, Required):
            shape = shape.shape
        if isinstance(shape, OneValue):
            if not shape.fits(value):
                self._document.complain(where, f"expected {shape.wish}, found {shown(value)}")
            return value
        if isinstance(shape, list):
            if not isinstance(value, list):
                self._document.complain(where, f"expected a list, found {shown(value)}")
                return []
            return [self._checked(part, shape[0], (*where, n)) for n, part in enumerate(value, 1)]
        if not isinstance(value, dict):
            self._document.complain(where, f"expected keys and values, found {shown(value)}")
            return {}
        for key, part in shape.items():
            if isinstance(part, Required) and value.get(key) is None:
                others = [str(other) for other in value if other not in shape and len(str(other)) <= 2 * len(key)]
                near = difflib.get_close_matches(key, others, n=1)
                named = f"; there is {shown(near[0])}" if near else ""
                self._document.complain(where, f"expected the key {key}, which is missing{named}")
        each = shape.get(EACH)
        values = {}
        for key, part in value.items():
            of = shape.get(key, each)
            if of is None or part is not None:
                values[key] = part if of is None else self._checked(part, of, (*where, str(key)))
        return values

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
