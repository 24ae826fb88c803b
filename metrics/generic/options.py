"""Options of generic measures: how a mapping of ``challenge.yaml`` becomes a checked measure.

Every measure is a frozen dataclass; its fields are its options.  A field made by `option` carries a `Reader`, which
turns a value of YAML or JSON into the value of the field or refuses it.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from datetime import date
from typing import Any

from metrics.readers.files import excerpt


class SpecError(KeyError):
    """A specification that is not valid: which option, what was expected, what was found.

    A `KeyError`, because `metrics.get` promises one for a metric that does not exist.
    """

    def __init__(self, option: str, expected: str, value: object, *, nearest: str = "") -> None:
        self.option = option
        self.expected = expected
        self.value = value
        self.nearest = nearest
        hint = f" (did you mean {nearest!r}?)" if nearest else _yaml_hint(expected, value)
        super().__init__(f"{option}: expected {expected}, found {excerpt(value)}{hint}")

    def __str__(self) -> str:
        return str(self.args[0])


def _yaml_hint(expected: str, value: object) -> str:
    """Advise what to write where YAML made something else of expected words: ``[N, A, O, ~]``, ``[no, yes]``."""
    parts = [*value, *value.values()] if isinstance(value, Mapping) else value
    inside = isinstance(parts, list | tuple) and any(
        each is None or isinstance(each, bool | date) or _yaml_hint(expected, each) for each in parts
    )
    if not any(word in expected for word in ("word", "label")) or not (inside or isinstance(value, bool | date)):
        return ""
    return ' (YAML reads ~, null, yes, no, on, off and dates without quotes as values: write "~", "no")'


@dataclass(frozen=True)
class Reader:
    """Reader of the values that an option accepts."""

    wish: str
    """The words that follow "expected" in messages."""
    read: Callable[[Any], Any]
    """The value of the field; raises `ValueError` or `TypeError` for what it refuses."""
    words: tuple[str, ...] = ()
    """All valid values, where they can be listed."""


def option(default: Any, reader: Reader, meaning: str) -> Any:
    """A field of a measure.  ``MISSING`` as default makes the option required."""
    metadata = {"reader": reader, "meaning": meaning}
    return field(metadata=metadata) if default is MISSING else field(default=default, metadata=metadata)


def one_of(*words: str) -> Reader:
    """One of a few words."""

    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError
        return value

    return Reader(f"one of {', '.join(words)}", read, words)


def number(low: float = -math.inf, high: float = math.inf, *, above: bool = False) -> Reader:
    """A finite number from ``low`` (or above it) to ``high``."""

    def read(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ValueError
        if not low <= value <= high or (above and value == low):
            raise ValueError
        return float(value)

    wish = "a number"
    if math.isfinite(low):
        wish += f" above {low:g}" if above else f" from {low:g}"
    return Reader(wish + (f" to {high:g}" if math.isfinite(high) else ""), read)


def whole(low: int) -> Reader:
    """A whole number from ``low``."""

    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < low:
            raise ValueError
        return value

    return Reader(f"a whole number from {low}", read)


def _word(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int) or str(value) == "":
        raise ValueError
    return str(value)


TEXT = Reader("a word", _word)
"""A name; integers of YAML count as their digits, so that ``positive: 1`` names the label 1."""


def several(each: Reader, what: str, *, least: int = 1, unique: bool = False, exactly: int | None = None) -> Reader:
    """A list, as a tuple."""

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or len(value) < least:
            raise ValueError
        items = tuple(each.read(item) for item in value)
        if (unique and len(set(items)) < len(items)) or (exactly is not None and len(items) != exactly):
            raise ValueError
        return items

    return Reader(f"a list of {what}", read)


def mapping(each: Reader, what: str = "", *, least: int = 1) -> Reader:
    """A mapping of words."""

    def read(value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping) or len(value) < least:
            raise ValueError
        return {TEXT.read(key): each.read(item) for key, item in value.items()}

    return Reader(f"a mapping of {what}", read)


def or_none(reader: Reader) -> Reader:
    """The same, or null for "not given"."""
    return Reader(f"{reader.wish}, or null", lambda value: None if value is None else reader.read(value), reader.words)


def read_options(kind: type, given: Mapping[Any, Any], prefix: str) -> Any:
    """An instance of a dataclass of options.

    Raises SpecError if an option is unknown, missing, or has a value that its reader refuses.
    """
    options = {each.name: each for each in fields(kind) if "reader" in each.metadata}
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in options:
            wish = f"one of its options ({', '.join(options)})"
            raise SpecError(f"{prefix}: option", wish, name, nearest=nearest(name, options))
        reader: Reader = options[name].metadata["reader"]
        try:
            values[name] = reader.read(value)
        except (ValueError, TypeError):
            raise SpecError(f"{prefix}: {name}", reader.wish, value, nearest=nearest(value, reader.words)) from None
    for name, each in options.items():
        if name not in values and each.default is MISSING:
            raise SpecError(f"{prefix}: {name}", f"{each.metadata['reader'].wish} (it has no default)", None)
    return kind(**values)


def nearest(word: object, words: Iterable[str]) -> str:
    """The valid word that looks most like this one; empty if none does."""
    return next(iter(difflib.get_close_matches(str(word), list(words), n=1, cutoff=0.5)), "")


def differing(measure: Any) -> str:
    """The options that are not at their defaults, as ``name=value, …``."""
    shown = [
        f"{each.name}={_plain(getattr(measure, each.name))}"
        for each in fields(measure)
        if "reader" in each.metadata and getattr(measure, each.name) != each.default
    ]
    return ", ".join(shown)


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_plain(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(_plain, value)) + "]"
    return f"{value:g}" if isinstance(value, float) else str(value)
