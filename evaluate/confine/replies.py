"""Replies that a walled-in process may give: plain data of exactly the declared form, bounded; never a path.

The process may have been taken over by what it read.  So the host takes nothing from its reply but numbers, texts and
bytes: a type that holds anything else, such as a path, is refused before the process is started.  Where files are is
known to the host, which made them; what they are called inside an archive is a text like any other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

_PLAIN = (str, int, float, bool, bytes, NoneType)
_HOLDERS = (tuple, list, dict, Mapping, Sequence, frozenset, Union, UnionType)
_MOST_INTEGER = 1 << 63
_DENSE_BYTES, _DENSITY = 1 << 20, 8
"""Beyond so many bytes there are so many, on the average, for each bracket and comma: values take more memory than
texts."""
MOST_MESSAGE = 64 << 10
"""Characters of a message for people."""
Message = Annotated[str, msgspec.Meta(max_length=MOST_MESSAGE)]


class UnreadableReply(ValueError):
    """A reply that is not of the declared form."""


@cache
def form_of(function: Callable[..., object]) -> Any:
    """The type that a function returns. Raises TypeError if it has a part that is not plain data; names it."""
    kind = get_type_hints(function, include_extras=True).get("return", function)
    for part in _parts(kind, set()):
        raise TypeError(
            f"{function.__module__}.{function.__qualname__} returns {part!r}: only plain data comes out of walls "
            "(texts, numbers, bytes, and dataclasses of them); the host knows the paths"
        )
    return kind


def _parts(kind: Any, seen: set[Any]) -> Iterator[Any]:
    """The parts of a type that are not plain."""
    origin = get_origin(kind)
    if origin is Annotated:
        yield from _parts(get_args(kind)[0], seen)
    elif origin in _HOLDERS:
        for argument in get_args(kind):
            yield from () if argument is Ellipsis else _parts(argument, seen)
    elif isinstance(kind, type) and is_dataclass(kind):
        if kind not in seen:
            seen.add(kind)
            for inner in get_type_hints(kind, include_extras=True).values():
                yield from _parts(inner, seen)
    elif not (origin is Literal or kind in _PLAIN or (isinstance(kind, type) and issubclass(kind, Enum))):
        yield kind


def value_of(data: bytes, kind: Any) -> Any:
    """The value in a reply, or an `Error`.

    Raises UnreadableReply if it is no such value, or has fields that it should not have.
    """
    if len(data) > _DENSE_BYTES and sum(data.count(mark) for mark in (b",", b"[", b"{")) > len(data) // _DENSITY:
        raise UnreadableReply("it has more values than text")
    try:
        reply = json.loads(data)
        if not isinstance(reply, dict) or set(reply) not in ({"value"}, {"error", "message"}):
            raise UnreadableReply("expected a value or an error")
        if "error" in reply:
            return msgspec.convert(reply, Error)
        value = msgspec.convert(reply["value"], kind)
        _same_form(reply["value"], msgspec.to_builtins(value))
    except (ValueError, TypeError, RecursionError, msgspec.ValidationError) as e:
        raise UnreadableReply(str(e)) from e
    return value


class Error(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reason why there is no value."""

    error: Annotated[str, msgspec.Meta(max_length=80)]
    """The name of a class in `evaluate.core.errors`, or `MEMORY` or `SPACE`."""
    message: Message


MEMORY, SPACE = "memory", "space"


def _same_form(received: Any, expected: Any) -> None:
    """Check that nothing was left out of what was found when it was converted to its type."""
    if isinstance(received, dict) and isinstance(expected, dict):
        if received.keys() != expected.keys():
            raise UnreadableReply(
                f"fields that are not agreed on: {sorted(received.keys() ^ expected.keys())[:3]}"[:200]
            )
        for key, value in received.items():
            _same_form(value, expected[key])
    elif isinstance(received, list) and isinstance(expected, list | tuple):
        for inner, outer in zip(received, expected, strict=True):
            _same_form(inner, outer)
    elif isinstance(received, int) and not -_MOST_INTEGER <= received < _MOST_INTEGER:
        raise UnreadableReply("a number of more than 64 bits")
