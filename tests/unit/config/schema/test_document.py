"""YAML files: numbers, lines, mistakes in the file itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluate.config.schema.document import Document, load_document
from evaluate.core.errors import ChallengeError


def loaded(folder: Path, text: str) -> Document:
    (folder / "a.yaml").write_text(text)
    return load_document(folder / "a.yaml")


def test_exponents_are_numbers_and_dates_are_text(tmp_path: Path) -> None:
    document = loaded(tmp_path, "a: 6e10\nb: 6.0e10\nc: e10\nd: 1e\ne: 2017-02-01\nf: 0.5\n")
    assert document.value == {"a": 6 * 10**10, "b": 6 * 10**10, "c": "e10", "d": "1e", "e": "2017-02-01", "f": 0.5}
    assert isinstance(document.value["b"], int)


def test_every_key_and_item_has_its_line(tmp_path: Path) -> None:
    document = loaded(tmp_path, "# comment\na:\n  b: 1\n  c:\n    - x\n    - y: 2\n")
    assert document.lines[("a",)] == 2
    assert document.lines[("a", "c", 2, "y")] == 6
    document.complain(("a", "c", 2, "z", "deeper"), "is wrong")
    document.complain(("a", "b"), "is wrong too")
    file = tmp_path / "a.yaml"
    assert document.problems == [f"{file}:3: a.b: is wrong too", f"{file}:6: a.c[2].z.deeper: is wrong"]


def test_values_may_be_shared_and_merged(tmp_path: Path) -> None:
    document = loaded(tmp_path, "a: &common {x: 1, y: 2}\nb: {<<: *common, y: 3}\nc: *common\n")
    assert document.value == {"a": {"x": 1, "y": 2}, "b": {"x": 1, "y": 3}, "c": {"x": 1, "y": 2}}
    assert document.problems == []
    assert loaded(tmp_path, "a: &a [*a]\n").value == {"a": [None]}
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 60)]
    assert len(loaded(tmp_path, "\n".join(lines)).value) == 60, "aliases of aliases are not copied"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("slots: 1\nlog: json\nslots: 2\n", ":3: slots: appears twice; first on line 1"),
        ("a: 1\n? [b]\n: 2\n", ":2: ?: expected a name as key"),
        ("a: !!python/object:os.system x\n", ":1: a: the tag "),
        ("a: !!binary aGk=\n", ":1: a: the tag "),
        ("a: !mine x\n", ":1: a: the tag "),
    ],
)
def test_mistake_in_a_key_or_a_tag_is_named_with_its_line(tmp_path: Path, text: str, problem: str) -> None:
    (line,) = loaded(tmp_path, text).problems
    assert line.startswith(f"{tmp_path / 'a.yaml'}{problem}")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"x: 1\na: [", ":2: not valid YAML: while parsing"),
        (b"x: 1\na: \xff", ":2: not UTF-8 text"),
        (b"a: \x07", ":1: not valid YAML: contains the control character"),
        (b"[" * 5000, ": nested too deep"),
        (b"#" * (1 << 20) + b"#", ": expected at most 1 MiB of keys and values, found more"),
    ],
)
def test_file_that_is_not_yaml_is_named_with_the_line(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "a.yaml").write_bytes(content)
    with pytest.raises(ChallengeError) as e:
        load_document(tmp_path / "a.yaml")
    assert str(e.value).startswith(f"{tmp_path / 'a.yaml'}{problem}")
    with pytest.raises(ChallengeError, match=r"none\.yaml: cannot be read: No such file"):
        load_document(tmp_path / "none.yaml")
