from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluate.core.errors import ChallengeError
from evaluate.core.keys import (
    Keys,
    by_name,
    from_one,
    like,
    list_of,
    load_yaml,
    mebibytes,
    number,
    one_of,
    positive,
    some_of,
    text,
    texts,
    whole,
    word,
    yes_no,
)


@pytest.mark.parametrize(
    ("convert", "value", "found"),
    [
        (text, " a b ", " a b "),
        (word, "a-b", "a-b"),
        (like(re.compile("[a-c]+")), "abc", "abc"),
        (one_of("a", "b"), "b", "b"),
        (yes_no, False, False),
        (number, 0, 0.0),
        (positive, 1e-9, 1e-9),
        (whole, 6.0e10, 60_000_000_000),
        (whole, 0, 0),
        (from_one, 1, 1),
        (mebibytes, 1.5, 1_572_864),
        (texts, ["a"], ("a",)),
        (list_of(text), [], ()),
        (by_name, {"a": None}, {"a": None}),
    ],
)
def test_what_is_wanted_is_taken(convert: Callable[[Any], Any], value: Any, found: Any) -> None:
    assert convert(value) == found


@pytest.mark.parametrize(
    ("convert", "values"),
    [
        (text, [None, 1, "", " \t", ["a"]]),
        (word, ["a b", " a", "", 1]),
        (like(re.compile("[a-c]+")), ["abcd", "", 1, None]),
        (one_of("a", "b"), ["c", "", None, ["a"]]),
        (yes_no, ["yes", 0, 1, None]),
        (number, [-1, math.inf, math.nan, True, "1", None, 10**400]),
        (positive, [0, -1, True]),
        (whole, [1.5, -1, True, "1", math.nan]),
        (from_one, [0, 0.5, False]),
        (mebibytes, [0, "1"]),
        (texts, [[], [""], "a", None, ["a", 1], {"a": 1}]),
        (list_of(text), ["a", None, {}, [[]]]),
        (by_name, [[], "a", None, {1: 2}]),
    ],
)
def test_what_is_not_wanted_is_refused(convert: Callable[[Any], Any], values: list[Any]) -> None:
    for value in values:
        problems: list[str] = []
        stand_in = object()
        assert Keys({"key": value}, "file", problems).take("key", "something else", convert, stand_in) is stand_in
        assert len(problems) == 1
        assert problems[0].startswith("file: key: expected something else, found ")


def test_of_a_long_list_the_item_that_is_wrong_is_named() -> None:
    problems: list[str] = []
    Keys({"packages": ["zip", "-o=x"]}, "recipe.yaml", problems).take(
        "packages", "a list of packages", some_of(like(re.compile("[a-z]+"))), ()
    )
    assert problems == ["recipe.yaml: packages: expected a list of packages, found '-o=x' in it"]


def test_every_mistake_is_named_with_its_place() -> None:
    problems: list[str] = []
    keys = Keys({"nmae": "x", "parts": [{"url": 1}, 7], "below": 3}, "file", problems)
    keys.need("name", "a name", text, "")
    for part in keys.each("parts", "a list of parts"):
        part.need("url", "an address", text, "")
        part.end()
    keys.below("below").end()
    assert keys.each("absent", "a list") == []
    assert keys.named("none", "names") == {}
    assert not keys.has("more")
    keys.end()
    assert problems == [
        "file: key 'name' is missing; wanted a name",
        "file: parts: 2: expected keys and values, found 7",
        "file: parts: 1: url: expected an address, found 1",
        "file: parts: 2: key 'url' is missing; wanted an address",
        "file: below: expected keys and values, found 3",
        "file: unknown key 'nmae'; did you mean 'name'?",
    ]


def test_exponents_are_numbers_and_other_words_are_not(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: 6e10\nb: 6.0e10\nc: e10\nd: 1e\n")
    assert load_yaml(path) == {"a": 6e10, "b": 6e10, "c": "e10", "d": "1e"}


@pytest.mark.parametrize("content", [b"a: [", b"\xff", b"a: !!python/object:os.system x", b"[" * 5000])
def test_file_that_is_no_yaml_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.yaml").write_bytes(content)
    with pytest.raises(ChallengeError, match=r"a\.yaml: "):
        load_yaml(tmp_path / "a.yaml")
