from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluate.core.errors import EntryError, SandboxFault
from evaluate.core.model import Note, RecordOutcome, Stage, StageResult, Usage, Verdict
from evaluate.core.sanitize import gist, sanitize

LOST = "\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fehler in Zeile 3: größer\n\tπ", "Fehler in Zeile 3: größer\n\tπ"),
        ("\x1b[2J\x07", f"{LOST}[2J{LOST}"),
        ("a\r\nb\rc", "a\nb c"),
        ("1\N{NO-BREAK SPACE}mV\N{LINE SEPARATOR}", "1 mV "),
        ("\udcff\0", LOST * 2),
        ("\N{RIGHT-TO-LEFT OVERRIDE}txt.exe", f"{LOST}txt.exe"),
        ("", ""),
    ],
    ids=["text", "terminal", "line ends", "blanks", "no text", "reversed", "nothing"],
)
def test_text_stays_and_what_is_none_does_not(text: str, expected: str) -> None:
    assert sanitize(text) == expected


@given(st.text())
def test_what_is_sanitized_stays_as_it_is_and_can_be_kept_anywhere(text: str) -> None:
    clean = sanitize(text)
    assert sanitize(clean) == clean
    assert all(c.isprintable() or c in "\n\t" for c in clean)
    assert clean.encode().decode() == clean


def test_neither_errors_nor_results_carry_more_than_text() -> None:
    assert str(EntryError("a\x1b[31m")) == f"a{LOST}[31m"
    assert str(SandboxFault("a\n  console: \x1b[2J")) == f"a\n  console: {LOST}[2J"
    result = StageResult(stage=Stage.QUIZ, verdict=Verdict.RUNTIME_ERROR, message="\x1b", diagnostics="\x9b1A")
    assert (result.message, result.diagnostics) == (LOST, f"{LOST}1A")
    assert Note(text="a\x1b").text == f"a{LOST}"
    assert RecordOutcome(record="A1", verdict=Verdict.BAD_ANSWER, usage=Usage(), message="\x1b").message == LOST


def test_gist_leaves_out_lines_without_a_word() -> None:
    assert gist("standard output:\n-----\nmean of 3\nDone.\n-----\n") == "standard output: … Done."
    assert gist("=====\nDone.\n=====\n") == "Done." and gist("-----\n") == "-----" and gist("") == ""
