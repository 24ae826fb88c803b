"""The forms for CI: Markdown, and annotations at the lines of the entry's own files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.core.model import Evaluation, StageOutcome
from evaluate.report.audience import for_organiser
from evaluate.report.ci import Annotation, remarks, to_github, to_markdown
from evaluate.report.text import to_text
from tests.support.evaluations import LIMITS, failed, passed

FILES = ("setup.sh", "next.sh", "classify.py", "src/qrs.c")


def printed(text: str) -> Evaluation:
    """An entry that failed in the quiz and printed this."""
    entry = failed()
    quiz = entry.outcomes[-1]
    return replace(entry, outcomes=(entry.outcomes[0], StageOutcome(result=replace(quiz.result, diagnostics=text))))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('  File "/home/challenge/classify.py", line 12, in <module>\nValueError: x', ("classify.py", 12)),
        (
            '  File "/home/challenge/classify.py", line 12\n  File "/usr/lib/numpy.py", line 9\nError',
            ("classify.py", 12),
        ),
        ("./next.sh: line 7: qrs: command not found", ("next.sh", 7)),
        ("next.sh: 7: qrs: not found", ("next.sh", 7)),
        ("src/qrs.c:44:3: error: expected ';'", ("src/qrs.c", 44)),
        ("Killed", ("next.sh", 0)),
        ('File "/etc/passwd", line 1', ("next.sh", 0)),
    ],
)
def test_failure_is_shown_at_the_line_of_the_entrys_own_file(text: str, line: tuple[str, int]) -> None:
    (annotation,) = remarks(for_organiser(printed(text), LIMITS), FILES)
    assert (annotation.file, annotation.line) == line
    assert "RUNTIME_ERROR" in annotation.text


def test_entry_that_passed_has_no_annotation() -> None:
    assert remarks(for_organiser(passed(24), LIMITS), FILES) == ()


def test_annotation_is_one_line_whatever_the_text() -> None:
    made = to_github([Annotation(text="100 %\n::error::x", file="a,b:c.py", line=3)], "entries/mine")
    assert made == "::error file=entries/mine/a%2Cb%3Ac.py,line=3::100 %25%0A::error::x\n"
    assert to_github([Annotation(text="x")], "mine") == "::error::x\n"


def test_summary_says_verdict_and_advice_and_has_the_report_as_text() -> None:
    view = for_organiser(passed(24, 2), LIMITS)
    text = to_markdown(view)
    assert text.startswith("## ✅ rhythm-classifier.tar.gz: OK, passed\n\n**What to do:** 2 of the exam's records")
    assert all(f"    {line}" in text for line in to_text(view).splitlines())


def test_text_of_an_entry_is_no_markup_in_the_summary() -> None:
    text = to_markdown(for_organiser(printed("```\n<img src=x>\n# loud"), LIMITS))
    quoted = [line for line in text.splitlines() if "<img" in line or "loud" in line or "```" in line]
    assert quoted and all(line.startswith("    ") for line in quoted)
    named = replace(failed(), entry=replace(failed().entry, archive=Path("<script>|x")))
    assert to_markdown(for_organiser(named, LIMITS)).startswith(r"## ❌ \<script\>\|x: ")
