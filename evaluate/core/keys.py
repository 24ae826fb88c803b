"""YAML files read strictly: every mistake at once, with file, key, value found and value wanted.

The functions below `Keys` say what a value must be, and raise `ValueError` where it is something else.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import yaml

from evaluate.core.errors import ChallengeError
from evaluate.core.model import MIB

T = TypeVar("T")


class _Loader(yaml.SafeLoader):
    """YAML 1.2 floats: PyYAML takes ``6e10`` and ``6.0e10`` for text."""


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(\d[\d_]*)(\.[\d_]*)?([eE][-+]?\d+)$"),
    list("-+0123456789"),
)


def load_yaml(path: Path) -> Any:
    """The contents of a YAML file.

    Raises
    ------
    ChallengeError
        It cannot be read.
    """
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as e:
        raise ChallengeError(f"{path}: {e}") from e
    except RecursionError as e:
        raise ChallengeError(f"{path}: nested too deep") from e


class Keys:
    """Takes checked values out of a mapping and remembers every mistake."""

    def __init__(self, value: Any, where: str, problems: list[str]) -> None:
        self.where = where
        self.problems = problems
        self._known: list[str] = []
        if not isinstance(value, dict):
            problems.append(f"{where}: expected keys and values, found {value!r}")
            value = {}
        self._values: dict[str, Any] = value

    def take(self, key: str, wish: str, convert: Callable[[Any], T], default: T) -> T:
        """The converted value of ``key``; ``wish`` says what is wanted where ``convert`` raises ValueError."""
        self._known.append(key)
        if key in self._values:
            try:
                return convert(self._values[key])
            except UnfitItem as e:
                self.problems.append(f"{self.where}: {key}: expected {wish}, found {e.item!r} in it")
            except (TypeError, ValueError):
                self.problems.append(f"{self.where}: {key}: expected {wish}, found {self._values[key]!r}")
        return default

    def need(self, key: str, wish: str, convert: Callable[[Any], T], stand_in: T) -> T:
        """As `take`, for a key that must be there; ``stand_in`` serves to find the other mistakes."""
        if key not in self._values:
            self._known.append(key)
            self.problems.append(f"{self.where}: key {key!r} is missing; wanted {wish}")
            return stand_in
        return self.take(key, wish, convert, stand_in)

    def some(self, key: str, wish: str, convert: Callable[[Any], T], default: T, *, needed: bool) -> T:
        """As `need` or as `take`."""
        return (self.need if needed else self.take)(key, wish, convert, default)

    def has(self, key: str) -> bool:
        """Whether the key is there."""
        self._known.append(key)
        return key in self._values

    def below(self, key: str) -> Keys:
        """The mapping under ``key``; an empty one if it is absent."""
        self._known.append(key)
        return Keys(self._values.get(key, {}), f"{self.where}: {key}", self.problems)

    def each(self, key: str, wish: str) -> list[Keys]:
        """The mappings in the list under ``key``; none if it is absent."""
        nothing: tuple[Any, ...] = ()
        given = self.take(key, wish, list_of(_anything), nothing)
        return [Keys(one, f"{self.where}: {key}: {i}", self.problems) for i, one in enumerate(given, 1)]

    def named(self, key: str, wish: str) -> dict[str, Any]:
        """The values under ``key`` by their names; none if it is absent."""
        nothing: dict[str, Any] = {}
        return self.take(key, wish, by_name, nothing)

    def end(self) -> None:
        """Name the keys that nobody asked for."""
        for key in self._values:
            if key not in self._known:
                near = difflib.get_close_matches(str(key), self._known, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(self._known)}"
                self.problems.append(f"{self.where}: unknown key {key!r}{hint}")


class UnfitItem(ValueError):
    """What is wrong with a long list."""

    def __init__(self, item: Any) -> None:
        super().__init__()
        self.item = item


def checked(value: T, good: bool) -> T:
    """The value, if it is good."""
    if not good:
        raise ValueError
    return value


def text(value: Any) -> str:
    """Text that is not empty."""
    return str(checked(value, isinstance(value, str) and bool(value.strip())))


def word(value: Any) -> str:
    """Text without blanks."""
    return str(checked(value, isinstance(value, str) and value.split() == [value]))


def like(pattern: re.Pattern[str]) -> Callable[[Any], str]:
    """Text of a certain form."""
    return lambda value: str(checked(value, isinstance(value, str) and pattern.fullmatch(value) is not None))


def one_of(*choices: str) -> Callable[[Any], str]:
    """One of some words."""
    return lambda value: str(checked(value, value in choices))


def yes_no(value: Any) -> bool:
    """``true`` or ``false``."""
    return bool(checked(value, isinstance(value, bool)))


def number(value: Any) -> float:
    """A finite number from 0."""
    good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= sys.float_info.max
    return float(checked(value, good))


def positive(value: Any) -> float:
    """A finite number above 0."""
    return checked(number(value), value > 0)


def whole(value: Any) -> int:
    """A whole number from 0, such as ``6.0e10``."""
    return int(checked(value, number(value).is_integer()))


def from_one(value: Any) -> int:
    """A whole number from 1."""
    return checked(whole(value), value > 0)


def mebibytes(value: Any) -> int:
    """A positive number of MiB, in bytes."""
    return int(positive(value) * MIB)


def list_of(convert: Callable[[Any], T]) -> Callable[[Any], tuple[T, ...]]:
    """A list of values of a kind, be it empty."""

    def convert_all(value: Any) -> tuple[T, ...]:
        found = []
        for one in checked(value, isinstance(value, list)):
            try:
                found.append(convert(one))
            except (TypeError, ValueError) as e:
                raise UnfitItem(one) from e
        return tuple(found)

    return convert_all


def some_of(convert: Callable[[Any], T]) -> Callable[[Any], tuple[T, ...]]:
    """A list of at least one value of a kind."""
    return lambda value: checked(list_of(convert)(value), bool(value))


texts = some_of(text)
"""A list of at least one text."""


def by_name(value: Any) -> dict[str, Any]:
    """Names and values."""
    return dict(checked(value, isinstance(value, dict) and all(isinstance(name, str) for name in value)))


def _anything(value: Any) -> Any:
    return value
