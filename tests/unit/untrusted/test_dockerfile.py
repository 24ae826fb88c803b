"""A Dockerfile is read as BuildKit reads it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluate.core.errors import EntryError
from evaluate.untrusted.dockerfile import MOST_BYTES, ShellWord, parse_dockerfile, tokens


def words(text: str, *, shell: bool = False, **values: str) -> list[str]:
    return [token.text for token in tokens(text, values.get, shell=shell)]


def test_continued_lines_are_joined_and_comments_between_them_left_out() -> None:
    text = (
        b"\xef\xbb\xbffrom python:3.11\r\nRUN apt-get install \\\r\n  # a note\r\n\r\n  git \\\r\n  bc\r\n\r\n# end\r\n"
    )
    first, second = parse_dockerfile(text).instructions
    assert (first.name, first.text, first.line) == ("FROM", "python:3.11", 1)
    assert (second.text.split(), second.line) == (["apt-get", "install", "git", "bc"], 2)
    assert [second.line_at(token.at) for token in tokens(second.text, dict[str, str]().get)] == [2, 2, 5, 6]


def test_double_backslash_continues_no_line() -> None:
    assert [one.text for one in parse_dockerfile(b"RUN a \\\\\nRUN b").instructions] == ["a \\\\", "b"]


def test_directive_chooses_the_escape_character() -> None:
    parsed = parse_dockerfile(b"# syntax=docker/dockerfile:1\n# escape=`\nRUN a `\n  b\\\nRUN c")
    assert parsed.escape == "`"
    assert [one.text.split() for one in parsed.instructions] == [["a", "b\\"], ["c"]]
    assert parse_dockerfile(b"# a note\n# escape=`\nRUN a `\nRUN b").escape == "\\"


def test_flags_and_the_json_form_are_taken_apart() -> None:
    copy, command, plain = parse_dockerfile(
        b'COPY --from=a --chown=1:2 ["a b", "c"]\nCMD ["x", "-y"]\nCMD ["x", 1]'
    ).instructions
    assert dict(copy.flags) == {"from": "a", "chown": "1:2"}
    assert copy.words == ("a b", "c")
    assert command.words == ("x", "-y")
    assert plain.words is None


def test_here_documents_belong_to_their_instruction() -> None:
    text = b"RUN <<EOF\na\nFROM b\nEOF\nCOPY <<-'X' <<Y /d/\n\tc\n\tX\ne\nY\nRUN echo <<<EOF\nCMD x"
    run, copy, echo, _ = parse_dockerfile(text).instructions
    assert [(one.text, one.line) for one in run.heredocs] == [("a\nFROM b", 2)]
    assert [(one.text, one.line) for one in copy.heredocs] == [("c", 6), ("e", 8)]
    assert echo.heredocs == ()


def test_here_document_without_an_end_is_refused() -> None:
    with pytest.raises(EntryError, match=r"Dockerfile line 2: the here-document 'EOF' does not end"):
        parse_dockerfile(b"FROM a\nRUN <<EOF\nb\n")


def test_size_is_bounded() -> None:
    with pytest.raises(EntryError, match="at most 256 are allowed"):
        parse_dockerfile(b"#" * (MOST_BYTES + 1024))
    with pytest.raises(EntryError, match="more than 1000 instructions"):
        parse_dockerfile(b"RUN a\n" * 1001)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a 'b c' \"d $A\" $A", ["a", "b c", "d x", "x"]),
        ("${A}y ${B:-z} ${A:+w} ${B:+w}.", ["xy", "z", "w", "."]),
        (r"a\ b \$A '$A'", ["a b", "$A", "$A"]),
        ("a;b", ["a;b"]),
    ],
)
def test_quotes_and_variables_are_those_of_docker(text: str, expected: list[str]) -> None:
    assert words(text, A="x") == expected


def test_operators_of_a_shell_are_words_of_their_own() -> None:
    assert words("a&&b || c>d # e", shell=True) == ["a", "&&", "b", "||", "c", ">", "d"]


def test_what_a_shell_computes_is_not_known() -> None:
    found = list(tokens("a `b` $(c) $D ${E#f} 'g", dict[str, str]().get, shell=True))
    assert [one.text for one in found if one.clear and not one.operator] == ["a", "c"]


def test_variables_that_hold_each_other_cannot_grow_without_end() -> None:
    with pytest.raises(EntryError, match="make more than 64 KiB"):
        list(tokens("$A" * 70, {"A": "x" * 1000}.get))


@given(st.text(max_size=300))
def test_any_text_has_words(text: str) -> None:
    for shell in (False, True):
        assert all(isinstance(one, ShellWord) for one in tokens(text, dict[str, str]().get, shell=shell))
