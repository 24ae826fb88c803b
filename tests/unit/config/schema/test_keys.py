"""YAML files and descriptions of their keys: what is read, what is refused and how."""

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from evaluate.config.schema.document import Complain, Document, load_document
from evaluate.config.schema.keys import (
    ANY_NUMBER,
    COUNT,
    MEBIBYTES,
    NUMBER,
    PORT,
    POSITIVE,
    SWITCH,
    TEXT,
    WHOLE,
    Form,
    Key,
    ListOf,
    Named,
    Section,
    key,
    like,
    read,
)
from evaluate.core.errors import ChallengeError


def loaded(folder: Path, text: str) -> Document:
    (folder / "a.yaml").write_text(text)
    return load_document(folder / "a.yaml")


def test_exponents_are_numbers_and_dates_are_text(tmp_path: Path) -> None:
    document = loaded(tmp_path, "a: 6e10\nb: 6.0e10\nc: e10\nd: 1e\ne: 2017-02-01\nf: 0.5\n")
    assert document.value == {"a": 6 * 10**10, "b": 6 * 10**10, "c": "e10", "d": "1e", "e": "2017-02-01", "f": 0.5}
    assert isinstance(document.value["b"], int)
    odd = ["010", "1:30", "1_000", "0x1F", "0b11", "1.5_0", "\u0661\u0662", "01.5", "1:30.5", "-012"]
    assert loaded(tmp_path, "".join(f"- {text}\n" for text in odd)).value == odd
    plain = loaded(tmp_path, "[0, -7, +3, 0.25, 1., .5, 1e3, -.inf, 12345678901234567890]").value
    assert plain == [0, -7, 3, 0.25, 1, 0.5, 1000, -math.inf, 12345678901234567890]


def test_keys_are_text(tmp_path: Path) -> None:
    """Such as labels: the second and the third would be true and null."""
    document = loaded(tmp_path, "weights: {0: 1, yes: 2, ~: 3, 1.0: 4, A: 5}\n")
    assert document.value == {"weights": {"0": 1, "yes": 2, "~": 3, "1.0": 4, "A": 5}}


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


# keys


LETTERS = like("[a-c]+", "some of the letters a to c")
LIST = ListOf(expected="a list of letters", item=LETTERS)


def of_one_key(form: Form) -> Section[dict[str, Any]]:
    return Section(dict, {"key": Key("A key.", form)})


@pytest.mark.parametrize(
    ("form", "value", "expected", "others"),
    [
        (TEXT, " a b ", " a b ", [None, 1, "", " \t", ["a"]]),
        (LETTERS, "abc", "abc", ["abcd", "", "a\n", 1, None]),
        (SWITCH, False, False, ["yes", 0, 1, None]),
        (NUMBER, 0, 0.0, [-1, math.inf, math.nan, True, "1", None, 10**400]),
        (POSITIVE, 1e-9, 1e-9, [0, -1, True]),
        (ANY_NUMBER, -0.5, -0.5, [math.inf, math.nan, True, "1", None]),
        (WHOLE, 0, 0, [1.5, -1, True, "1", math.nan, 10**5000]),
        (COUNT, 60_000_000_000, 60_000_000_000, [0, 0.5, False]),
        (PORT, 65535, 65535, [0, 65536]),
        (MEBIBYTES, 1.5, 1_572_864, [0, "1"]),
        (LIST, ["a"], ("a",), [[], [""], "a", None, ["a", 1], {"a": 1}]),
        (msgspec.structs.replace(LIST, empty=True), [], (), ["a", None, {}, [[]]]),
        (Named(expected="names", item=COUNT), {"a": 1}, {"a": 1}, [[], "a", None, {"a": 0}]),
    ],
)
def test_value_of_the_right_form_is_read_and_any_other_is_refused_once(
    form: Form, value: object, expected: object, others: list[object]
) -> None:
    document = Document(path=Path("file"), value={"key": value})
    assert read(document, of_one_key(form)) == {"key": expected}
    assert document.problems == []
    for other in others:
        document = Document(path=Path("file"), value={"key": other})
        read(document, of_one_key(form))
        (problem,) = document.problems
        assert problem.startswith("file: key")
        assert "expected" in problem
        assert "msgspec" not in problem


@dataclass(frozen=True, kw_only=True)
class Part:
    url: str = key("Where it is.", TEXT.but(expected="an address"), required=True)
    size: int = key("How large it is.", MEBIBYTES, 1 << 20, name="mib")


@dataclass(frozen=True, kw_only=True)
class Whole:
    kinds: tuple[str, ...] = key(
        "Which it is.", ListOf(expected="a list of a or b", item=LETTERS), ("a",), name="kind", decides=True
    )
    name: str = key("What it is called.", TEXT.but(expected="a name"), "", required=True)
    parts: tuple[Part, ...] = key(
        "What it is made of.", ListOf(expected="a list of parts", item=Section(Part), empty=True), ()
    )
    main: Part | None = key("The main part.", Section(Part), None, optional=True)
    teeth: int = key("Only cogwheels have them.", COUNT, 0, required_for=("b",), only_for=("b",))


def finished(whole: Whole, complain: Complain) -> Whole:
    if len(whole.parts) > 1:
        complain(("parts",), "expected one part")
    return replace(whole, name=f"the {whole.name}")


WHOLE_SECTION = Section(Whole, finish=finished)


def problems(folder: Path, text: str) -> list[str]:
    (folder / "file").write_text(text)
    document = load_document(folder / "file")
    read(document, WHOLE_SECTION)
    return [problem.removeprefix(f"{folder}/") for problem in document.problems]


def test_all_mistakes_are_named_at_once_with_line_and_path(tmp_path: Path) -> None:
    text = "nmae: x\nparts:\n  - url: 1\n  - 7\n  - {mib: 0}\nmain: 3\n"
    assert problems(tmp_path, text) == [
        "file:1: unknown key 'nmae'; did you mean 'name'?",
        "file:3: parts[1].url: expected an address, found 1",
        "file:4: parts[2]: expected keys and values, found 7",
        "file:5: parts[3]: key 'url' is missing; expected an address",
        "file:5: parts[3].mib: expected a number of MiB, found 0",
        "file:6: main: expected keys and values, found 3",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("nmae: x", "1: unknown key 'nmae'; did you mean 'name'?"),  # and no more that 'name' is missing
        ("{}", "1: key 'name' is missing; expected a name"),
        ("name: x\nteeth: 3", "2: teeth: only allowed for b"),
        ("name: x\nkind: [b]", "1: key 'teeth' is missing; expected a whole number from 1"),
        ("name: x\nkind: [b]\nteeth: 3", None),
        ("name: x\nkind: 5\nteeth: 3", "2: kind: expected a list of a or b, found 5"),
        ("name: x\nmain: {}", "2: main: key 'url' is missing; expected an address"),
        ("name: x\nmain: {url: a}", None),
    ],
)
def test_one_mistake_gives_one_problem(text: str, problem: str | None, tmp_path: Path) -> None:
    assert problems(tmp_path, text) == ([] if problem is None else [f"file:{problem}"])


def test_rules_over_several_keys_run_when_each_is_right(tmp_path: Path) -> None:
    assert problems(tmp_path, "name: x\nparts: [{url: a}, {url: b}]") == ["file:2: parts: expected one part"]
    document = Document(path=Path("here/file"), value={"name": "x", "main": {"url": "a", "mib": 2}})
    value = read(document, WHOLE_SECTION)
    assert value == Whole(name="the x", main=Part(url="a", size=2 << 20))
