"""``.dockerignore`` leaves out what Docker leaves out."""

from __future__ import annotations

import pytest

from evaluate.core.errors import EntryError
from evaluate.untrusted.dockerignore import ignored, parse_dockerignore

NAMES = ["a.md", "README.md", "src/a.md", "src/deep/b.txt", "model/m.sav", "model/n.sav", "[x]", "ab", "Dockerfile"]


def left(text: str) -> list[str]:
    return list(ignored(NAMES, parse_dockerignore(text.encode())))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*.md", ["a.md", "README.md"]),
        ("**/*.md", ["a.md", "README.md", "src/a.md"]),
        ("*.md\n!README.md", ["a.md"]),
        ("!README.md\n*.md", ["a.md", "README.md"]),
        ("/model/", ["model/m.sav", "model/n.sav"]),
        ("model\n!model/m.sav", ["model/n.sav"]),
        ("./src/deep", ["src/deep/b.txt"]),
        ("src/**", ["src/a.md", "src/deep/b.txt"]),
        ("*/b.txt", []),
        ("**/b.txt", ["src/deep/b.txt"]),
        ("a?", ["ab"]),
        ("[a-b]b", ["ab"]),
        ("[^c]b", ["ab"]),
        ("\\[x\\]", ["[x]"]),
        ("# a.md\n\n  ab  ", ["ab"]),
        (".", []),
        ("*\n!src", [name for name in NAMES if not name.startswith("src/")]),
    ],
)
def test_files_that_are_left_out(text: str, expected: list[str]) -> None:
    assert left(text) == expected


def test_line_that_decided_is_named() -> None:
    found = ignored(["model/m.sav"], parse_dockerignore(b"# models\n*.md\nmodel/\n"))
    assert (found["model/m.sav"].line, found["model/m.sav"].text) == (3, "model/")


@pytest.mark.parametrize("text", ["[a", "a\\", "[b-a]", "x" * 1001])
def test_line_that_is_no_pattern_is_named(text: str) -> None:
    with pytest.raises(EntryError, match=r"\.dockerignore line 2: expected"):
        parse_dockerignore(f"ok\n{text}".encode())
