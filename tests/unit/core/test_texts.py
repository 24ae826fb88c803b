"""Texts that others wrote: made safe, read as JSON, taken for mail addresses."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluate.config.challenge.contract import read_sockets
from evaluate.config.schema.keys import is_address
from evaluate.core.errors import EntryError, EvaluateError, SandboxFault
from evaluate.core.model import Note, RecordOutcome, Stage, StageResult, Usage, Verdict
from evaluate.core.sanitize import gist, parsed, sanitize
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.keys import public_keys
from evaluate.receipts.statement import openings_in
from evaluate.remote import SiteResponse

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


DEEP = b"[" * 100_000


@pytest.mark.parametrize(
    "read",
    [
        lambda folder: public_keys(DEEP, "public.json"),
        lambda folder: SiteResponse(200, {}, DEEP).json,
        lambda folder: read_sockets(folder / "index.json"),
        lambda folder: openings_in(folder / "index.json"),
        lambda folder: read_envelope((folder / "index.json").read_bytes(), "it"),
    ],
    ids=["keys", "site", "sockets", "openings", "receipt"],
)
def test_reader_of_files_of_others_refuses_brackets_without_end(read: Callable[[Path], object], tmp_path: Path) -> None:
    (tmp_path / "index.json").write_bytes(DEEP)
    with pytest.raises(EvaluateError):
        read(tmp_path)


def test_json_that_functions_which_call_themselves_cannot_walk_is_refused() -> None:
    for deep in (10, 100):
        assert parsed("[" * deep + "]" * deep) is not None
    for text in ("[" * 101 + "]" * 101, '{"a":' * 101 + "1" + "}" * 101):
        with pytest.raises(ValueError, match="too deep"):
            parsed(text)
    assert (parsed("1"), parsed("{}"), parsed('[{"a": [1, "b"]}]')) == (1, {}, [{"a": [1, "b"]}])


GOOD = ["ann@example.org", "a.b+c@mail.example.co.uk", "root@localhost", "o'hara@x-y.example", "1@2.example"]
BAD = [
    "|sh@example.org",
    "ann@[127.0.0.1]",
    "=?utf-8?q?ann?=@example.org",
    '"a b"@example.org',
    "-oQ/tmp@example.org",
    ".a@example.org",
    "a..b@example.org",
    "ann@-example.org",
    "ann@example..org",
    "ann@example.org\n",
    "ann\x1b@example.org",
    "a@b@example.org",
    "ann@ex\u0430mple.org",
    "@example.org",
    "ann@",
]


def test_usual_addresses_are_addresses_and_what_a_mail_program_may_take_for_something_else_is_none() -> None:
    assert [text for text in (*GOOD, *BAD) if is_address(text)] == GOOD
