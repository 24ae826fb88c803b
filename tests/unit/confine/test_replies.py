"""What comes out of walls is plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any, Literal

import pytest

from evaluate.confine.replies import UnreadableReply, form_of, value_of
from evaluate.core.model import Stage
from tests.support.walled_in import WALLED_IN


@pytest.mark.parametrize("function", WALLED_IN, ids=lambda f: f.__qualname__)
def test_reader_returns_nothing_but_plain_data(function: Callable[..., object]) -> None:
    form_of(function)
    assert len(WALLED_IN) > 12, "all readers are found"


@dataclass(frozen=True)
class Place:
    name: str
    where: Path | None = None


@dataclass(frozen=True)
class Tree:
    below: tuple[Tree, ...]
    stage: Stage
    kind: Literal["a", "b"]


KINDS: list[Any] = [Path, PurePosixPath, Path | None, dict[str, Path], tuple[Path, ...], list[dict[str, Place]], Place]
KINDS += [IO[bytes], Any, object, dict[str, object], Mapping[str, Any], type, Callable[[], int], bytearray, memoryview]


def returning(kind: Any) -> Callable[[], Any]:
    def function() -> None: ...

    function.__annotations__ = {"return": kind}
    return function


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_type_with_anything_else_is_refused(kind: Any) -> None:
    with pytest.raises(TypeError, match="only plain data comes out of walls"):
        form_of(returning(kind))


def test_plain_data_are_allowed_if_they_are_declared() -> None:
    for kind in (Tree, None, str | None, Mapping[str, tuple[float, ...]], bytes, list[bool]):
        form_of(returning(kind))

    def silent():  # type: ignore[no-untyped-def]
        ...

    with pytest.raises(TypeError, match="only plain data"):
        form_of(silent)


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (b'{"value": {"below": [], "stage": "prep", "kind": "c"}}', Tree),
        (b'{"value": {"below": [], "stage": "other", "kind": "a"}}', Tree),
        (b'{"value": {"below": [], "stage": "prep", "kind": "a", "more": 1}}', Tree),
        (b'{"value": {"below": [{"below": [], "stage": "prep", "kind": "a", "x": 1}], "stage": "exam", "kind": "a"}}',
         Tree),
        (b'{"value": "1"}', int),
        (b'{"value": 1.5}', int),
        (b'{"value": 9223372036854775808}', int),
        (b'{"value": true}', int),
        (b'{"value": "%%%"}', bytes),
        (b'{"value": {"a": 1}}', list[str]),
        (b'{"value": null}', str),
        *(
            (reply, str)
            for reply in (
                b"null",
                b"[]",
                b'{"value": "x", "more": 1}',
                b'{"value": "x", "error": "Fault", "message": ""}',
                b'{"error": "EntryError"}',
                b'{"error": "EntryError", "message": 3}',
                b'{"error": "EntryError", "message": "", "path": "/etc/passwd"}',
                b'{"error": "EntryError", "message": "%s"}' % (b"x" * 70_000),
                b"[" * 100_000,
                b'{"value": ' + b"9" * 5000 + b"}",
            )
        ),
        (b'{"value": [' + b"1," * (1 << 20) + b"1]}", list[int]),
    ],
)  # fmt: skip
def test_value_of_another_form_is_refused(reply: bytes, kind: Any) -> None:
    with pytest.raises(UnreadableReply):
        value_of(reply, kind)


def test_value_of_the_form_is_taken() -> None:
    tree = b'{"value": {"below": [{"below": [], "stage": "quiz", "kind": "b"}], "stage": "prep", "kind": "a"}}'
    assert value_of(tree, Tree) == Tree((Tree((), Stage.QUIZ, "b"),), Stage.PREP, "a")
    assert value_of(b'{"value": [1, 2.5, NaN]}', tuple[float, ...])[:2] == (1.0, 2.5)
