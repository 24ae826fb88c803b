"""The Markdown for CI."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from evaluate.core.model import Evaluation, StageOutcome
from evaluate.report.audience import for_organiser
from evaluate.report.ci import to_markdown
from evaluate.report.text import to_text
from tests.support.evaluations import LIMITS, failed, passed


def printed(text: str) -> Evaluation:
    """An entry that failed in the quiz and printed this."""
    entry = failed()
    quiz = entry.outcomes[-1]
    return replace(entry, outcomes=(entry.outcomes[0], StageOutcome(result=replace(quiz.result, diagnostics=text))))


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
