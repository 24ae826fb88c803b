"""Files of keys, each described once: reader and README table come from the same description.

The attributes of a dataclass are described where it has them::

    @dataclass(frozen=True, kw_only=True)
    class Heartbeat:
        seconds: float = key("Interval between two signs of life.", POSITIVE_SECONDS, 20.0)

    found = read(load_document(path), Section(Heartbeat))

msgspec converts the single values.  It stops at the first mistake and does not know line numbers, so the walk over the
keys is here.  (pydantic names all mistakes, but to import it and build the models takes 0.2 s of CPU, half of what
`evaluate status` may use; msgspec takes 0.01 s.)
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import re
import stat
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from evaluate.config.schema.document import Complain, Document, Where, shown
from evaluate.core.files import is_there
from evaluate.core.model import MIB

T = TypeVar("T")


def _same(value: Any) -> Any:
    return value


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """A single value, or a list that is checked as a whole."""

    expected: str
    """Completes the sentence "expected …"."""
    type: Any
    """Type that msgspec converts to, with its constraints."""
    pattern: str = ""
    """For text: the regular expression that it must match, compiled when it is needed."""
    read: Callable[[Any], Any] = _same
    """From the converted value to that of the attribute; raises ValueError if that is impossible."""
    write: Callable[[Any], Any] = _same
    """The reverse, to show a default."""
    leads_to: str = ""
    """``file``, ``folder`` or ``file or folder`` that a path must lead to; empty: it need not be there."""

    @property
    def constrained(self) -> Any:
        """The type with the pattern."""
        return Annotated[self.type, Meta(pattern=self.pattern)] if self.pattern else self.type

    def but(self, **changes: Any) -> Value:
        """The same with some attributes changed, such as what is expected."""
        return msgspec.structs.replace(self, **changes)


class ListOf(msgspec.Struct, frozen=True, kw_only=True):
    """A list of single values or sections; becomes a tuple."""

    expected: str
    item: Value | Section[Any]
    first: Value | None = None
    """Value that the first item must be besides, if that is more."""
    empty: bool = False
    """True if the list may be empty."""


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """Values of one form under names that the author chooses; becomes a dict."""

    expected: str
    item: Form
    placeholder: str = "NAME"
    """Word that a table uses for such a name."""


class Key(msgspec.Struct, frozen=True):
    """One key of a file."""

    meaning: str
    """A sentence for README."""
    form: Form
    name: str = ""
    """Name in the file, if it differs from the attribute's."""
    required: bool = False
    required_for: tuple[str, ...] = ()
    """Cases in which it is required."""
    unless: str = ""
    """A key at the top of the file that stands for it: where that is given, it is never required."""
    only_for: tuple[str, ...] = ()
    """Cases in which it is allowed; if empty, in all."""
    optional: bool = False
    """For a section: whether it may be missing although keys in it are required."""
    decides: bool = False
    """True if its value is the case, or the cases, that the two attributes above refer to."""
    default: str = ""
    """Text that a table shows as the default, if the value itself is unsuitable."""


_NONE: Any = dataclasses.MISSING


def key(meaning: str, form: Form, value: T = _NONE, *, factory: Any = _NONE, **more: Any) -> T:
    """An attribute of a dataclass that a file has as a key; ``value``, or what ``factory`` makes, is its default.

    ``more``: as in `Key`.
    """
    return dataclasses.field(default=value, default_factory=factory, metadata={"key": Key(meaning, form, **more)})


class Section(msgspec.Struct, Generic[T], frozen=True, dict=True):
    """Keys that together make one value, usually a dataclass whose attributes are made by `key`."""

    make: Callable[..., T]
    """Called with all attributes; ``dict`` gets those that the file has."""
    given_keys: Mapping[str, Key] = {}
    """Attribute -> key, for other types."""
    given_defaults: Mapping[str, Any] = {}
    """Attribute -> value, before the defaults of the dataclass."""
    finish: Callable[[T, Complain], T] = lambda value, _complain: value
    """Checks what concerns several keys, and fills in what follows from them.

    Runs only if each key is valid by itself, so that one mistake is reported once.
    """
    shorthand: str = ""
    """The key that is meant if the file has a text or a number in place of keys and values."""
    open: bool = False
    """True if other keys are left as they are, except one that is like a key that is missing; for ``dict``."""

    @cached_property
    def keys(self) -> Mapping[str, Key]:
        """Attribute -> key."""
        if self.given_keys or not dataclasses.is_dataclass(self.make):
            return self.given_keys
        return {f.name: f.metadata["key"] for f in dataclasses.fields(self.make) if "key" in f.metadata}

    @property
    def defaults(self) -> dict[str, Any]:
        """Attribute -> default, for attributes that have one."""
        defaults = dict(self.given_defaults)
        if dataclasses.is_dataclass(self.make):
            for f in dataclasses.fields(self.make):
                if f.default is not dataclasses.MISSING:
                    defaults.setdefault(f.name, f.default)
                elif f.default_factory is not dataclasses.MISSING:
                    defaults.setdefault(f.name, f.default_factory())
        return defaults

    def by_name(self) -> dict[str, tuple[str, Key]]:
        """Name in the file -> attribute and key."""
        return {key.name or attribute: (attribute, key) for attribute, key in self.keys.items()}


Form = Value | ListOf | Named | Section[Any]


def read(document: Document, section: Section[T], where: Where = ()) -> T | None:
    """Build the value that a document, or its part under these keys, describes; mistakes are noted in the document.

    A wrong or missing value gets its default, so that further checks are possible; None if there is no default.
    """
    value = document.value
    for key in where:
        value = value[key]
    result = _Reader(document).section(section, value, where)
    return None if result is _FAILED else result


_FAILED: Any = object()


class _Reader:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._complain = document.complain
        self._cases: set[str] | None = None

    def section(self, section: Section[Any], value: Any, where: Where) -> Any:
        value = _written_out(section, value)
        if not isinstance(value, dict):
            self._complain(where, f"expected keys and values, found {shown(value)}")
            return _FAILED
        keys = section.by_name()
        mistyped = self._unknown_keys(value, section, where)
        values = section.defaults
        if section.open:
            values |= {name: part for name, part in value.items() if name not in keys}
        failed = bool(mistyped)
        for name, (attribute, key) in sorted(keys.items(), key=lambda item: not item[1][1].decides):
            if name in value:
                self._refuse_other_cases(key, (*where, name))
                result = self._form(key.form, value[name], (*where, name))
            elif name in mistyped:
                result = _FAILED
            else:
                result = self._absent(key, name, where)
            if key.decides:
                given = name in value or key.required
                cases = result if given else values[attribute]
                several = (cases,) if isinstance(cases, str) else cases
                self._cases = None if cases is _FAILED else {str(case) for case in several}
            if result is not _FAILED:
                values[attribute] = result
            elif name in value:
                failed = True
        if section.make is not dict and any(attribute not in values for attribute in section.keys):
            return _FAILED
        made = values if section.make is dict else section.make(**values)
        if failed:
            return made
        return section.finish(made, lambda below, problem: self._complain((*where, *below), problem))

    def _unknown_keys(self, value: dict[Any, Any], section: Section[Any], where: Where) -> set[str]:
        """Report unknown keys; returns the known keys that were probably meant."""
        meant, keys = set(), section.by_name()
        lacking = [name for name, (_, key) in keys.items() if name not in value and self._required(key)]
        for key in value:
            if key not in keys:
                near = difflib.get_close_matches(str(key), lacking if section.open else keys, n=1)
                if section.open and not near:
                    continue
                meant |= set(near)
                hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(keys)}"
                self._complain(where, f"unknown key {shown(key)}; {hint}", key=str(key))
        return meant

    def _refuse_other_cases(self, key: Key, where: Where) -> None:
        if key.only_for and self._cases is not None and not self._cases & set(key.only_for):
            self._complain(where, f"only allowed for {' and '.join(key.only_for)}")

    def _required(self, key: Key) -> bool:
        if key.unless and isinstance(self._document.value, dict) and key.unless in self._document.value:
            return False
        return key.required or bool(self._cases and self._cases & set(key.required_for))

    def _absent(self, key: Key, name: str, where: Where) -> Any:
        if self._required(key):
            self._complain(where, f"key {name!r} is missing; expected {_expected(key.form)}")
            return _FAILED
        if not isinstance(key.form, Section) or key.optional:
            return _FAILED
        below = [n for n, (_, inner) in key.form.by_name().items() if self._required_below(inner)]
        if below:
            self._complain(where, f"key {name!r} is missing; expected it with {', '.join(below)}")
            return _FAILED
        return self.section(key.form, {}, (*where, name))

    def _required_below(self, key: Key) -> bool:
        if self._required(key):
            return True
        inner = key.form.keys.values() if isinstance(key.form, Section) and not key.optional else ()
        return any(self._required_below(below) for below in inner)

    def _form(self, form: Form, value: Any, where: Where) -> Any:
        match form:
            case Section():
                return self.section(form, value, where)
            case Value():
                return self._value(form, value, where)
            case Named():
                return self._named(form, value, where)
            case ListOf():
                return self._list(form, value, where)

    def _named(self, form: Named, value: Any, where: Where) -> Any:
        if not isinstance(value, dict):
            return self._wrong(form, value, where)
        values = {name: self._form(form.item, item, (*where, name)) for name, item in value.items()}
        return {name: item for name, item in values.items() if item is not _FAILED}

    def _list(self, form: ListOf, value: Any, where: Where) -> Any:
        if not isinstance(value, list) or not (value or form.empty):
            return self._wrong(form, value, where)
        values = []
        for n, part in enumerate(value, 1):
            item = form.first if n == 1 and form.first is not None else form.item
            values.append(self._form(item, part, (*where, n)))
            if values[-1] is _FAILED and isinstance(item, Value):
                return _FAILED  # one mistake of several equal ones
        return _FAILED if _FAILED in values else tuple(values)

    def _value(self, form: Value, value: Any, where: Where) -> Any:
        try:
            result = form.read(msgspec.convert(value, form.constrained))
        except (ValueError, TypeError, msgspec.ValidationError):
            return self._wrong(form, value, where)
        if isinstance(result, Path):
            result = self._document.path.parent.absolute() / result
            if form.leads_to and not is_there(result, _FILE_KINDS[form.leads_to]):
                self._complain(where, f"{result}: no such {form.leads_to}")
                return _FAILED
        return result

    def _wrong(self, form: Form, value: Any, where: Where) -> Any:
        self._complain(where, f"expected {_expected(form)}, found {shown(value)}")
        return _FAILED


def _written_out(section: Section[Any], value: Any) -> Any:
    if section.shorthand and isinstance(value, str | int | float):
        return {section.shorthand: value}
    if section.open and isinstance(value, dict):  # a key without a value is as if it were not there
        return {name: part for name, part in value.items() if part is not None}
    return value


def _expected(form: Form) -> str:
    return "keys and values" if isinstance(form, Section) else form.expected


# values that files have in common


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError
    return value


def scaled(value: Value, unit: int, name: str) -> Value:
    """A number of larger units, such as MiB, that becomes a whole number of small ones."""
    return value.but(
        expected=f"a number of {name}",
        read=lambda number: int(_finite(number) * unit),
        write=lambda default: default / unit,
    )


_HUGE = 2**63 - 1  # what a database can store

TEXT = Value(expected="text", type=str, pattern=r"\S")
PATH = TEXT.but(expected="the path of a file", read=Path)
"""Relative to the folder of the file that has it; absolute once that is read."""
_FILE_KINDS = {"file": stat.S_ISREG, "folder": stat.S_ISDIR, "file or folder": lambda _mode: True}
SWITCH = Value(expected="true or false", type=bool)
ANY_NUMBER = Value(expected="a number", type=float, read=_finite)
NUMBER = Value(expected="a number from 0", type=Annotated[float, Meta(ge=0)], read=_finite)
POSITIVE = Value(expected="a number above 0", type=Annotated[float, Meta(gt=0)], read=_finite)
SECONDS = NUMBER.but(expected="a number of seconds")
POSITIVE_SECONDS = POSITIVE.but(expected="a number of seconds above 0")
WHOLE = Value(expected="a whole number", type=Annotated[int, Meta(ge=0, le=_HUGE)])
COUNT = Value(expected="a whole number from 1", type=Annotated[int, Meta(ge=1, le=_HUGE)])
MEBIBYTES = scaled(POSITIVE, 1 << 20, "MiB")
PORT = Value(expected="a TCP port", type=Annotated[int, Meta(ge=1, le=65535)])


def like(pattern: str, expected: str) -> Value:
    """Text of a certain form; the pattern must fit the whole text."""
    return Value(expected=expected, type=str, pattern=rf"^(?:{pattern})(?!\n)$")


def one_of(choices: type[StrEnum], expected: str = "") -> Value:
    """One of the words of an enumeration."""
    return Value(expected=expected or f"one of {', '.join(choices)}", type=choices, write=str)


# What a mail address is here: name and domain in ASCII, as every mail server takes them


_ATOM = r"[A-Za-z0-9!#$%&'*+/=^_{}~-]+"
_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?"
ADDRESS = rf"(?!-){_ATOM}(\.{_ATOM})*@{_LABEL}(\.{_LABEL})*"
"""A pattern for the whole text.

No pipe, address of a host in brackets, quoted name or encoded word: what a program that sends mail might take for
something else.
"""


def is_address(text: str) -> bool:
    """True if a text is a mail address."""
    return re.fullmatch(ADDRESS, text) is not None


GIB = 1024 * MIB
LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Names of the machine itself."""


AUTO, AUTO_WORD = 0, "auto"
"""In the place of a number of slots: as many as the host bears."""


def _slots(given: int | str) -> int:
    return AUTO if isinstance(given, str) else given


SLOTS = COUNT.but(expected="auto or a whole number from 1", type=COUNT.type | Literal["auto"], read=_slots)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Address:
    """A TCP address to listen on."""

    host: str
    port: int


def seconds_since_1970(text: str) -> float:
    """A time without a zone is UTC, and a day is its first moment."""
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def address(text: str) -> Address:
    """The address that ``HOST:PORT`` names; ValueError if the port is none."""
    host, _, port = text.rpartition(":")
    if int(port) not in range(1, 65536):
        raise ValueError
    return Address(host=host.strip("[]"), port=int(port))


def web_address(text: str) -> str:
    """The text, if it is an address of http or https; else ValueError."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError
    return text


GIBIBYTES = scaled(NUMBER, GIB, "GiB")
MOMENT = like(
    r"\d{4}-\d{2}-\d{2}([Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[-+]\d{2}:\d{2})?)?",
    "a day or a time such as 2017-04-10T12:00:00Z",
).but(read=seconds_since_1970)
MAIL = like(ADDRESS, "a mail address")


DAYS = NUMBER.but(expected="a number of days")
