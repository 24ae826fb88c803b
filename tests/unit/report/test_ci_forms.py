"""The forms for CI: Markdown, and annotations at the lines of the entry's own files."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from evaluate.core.errors import UsageError
from evaluate.core.model import Evaluation, StageOutcome
from evaluate.report.against import gate
from evaluate.report.audience import Policy, for_organiser, for_team
from evaluate.report.ci import Annotation, remarks, to_github, to_junit, to_markdown
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


def test_summary_says_verdict_advice_stages_and_score() -> None:
    text = to_markdown(for_organiser(passed(24, 2), LIMITS))
    for part in (
        "✅",
        "What to do:",
        "| quiz | OK |",
        "| F1 | 0.7312 | 0.651 to 0.802 | 0.7312 |",
        "A00022: INSTRUCTION",
    ):
        assert part in text
    assert "A00010" not in to_markdown(for_team(passed(24, 20), LIMITS, Policy(hidden_exam=True)))


def test_text_of_an_entry_is_no_markup_in_the_summary() -> None:
    text = to_markdown(for_organiser(printed("```\n<img src=x>\n# loud"), LIMITS))
    quoted = [line for line in text.splitlines() if "<img" in line or "loud" in line or "```" in line]
    assert quoted and all(line.startswith("    ") for line in quoted)
    message = replace(failed().outcomes[-1].result, message="<script>|x")
    shown = to_markdown(for_organiser(replace(failed(), outcomes=(StageOutcome(result=message),)), LIMITS))
    assert "<script>" not in shown and r"\<script\>\|x" in shown


def report(*used: int, score: float | None = 0.8, **other: object) -> dict[str, Any]:
    """The JSON of an evaluation whose stages used so many instructions; the first is prep."""
    names = ("prep", "quiz", "exam")[: len(used)]
    stages: list[dict[str, Any]] = [
        {"stage": name, "usage": {"instructions": count}, **({"records": [{"record": "a"}]} if name == "quiz" else {})}
        for name, count in zip(names, used, strict=True)
    ]
    shown_score = None if score is None else {"primary": "F1", "values": {"F1": score}}
    return {"challenge": "toy", "verdict": "OK", "stages": stages, "score": shown_score, **other}


@pytest.mark.parametrize(
    ("now", "expected", "sentence"),
    [
        (report(5, 1050, 1050), [True, True], "2,100 instructions, +5.00 % of the 2,000 of main.json"),
        (report(9999, 1000, 1000), [True, True], "2,000 instructions, +0.00 %"),
        (report(5, 1000, 1101), [False, True], "at most +5 % is allowed"),
        (report(5, 1000, 1000, score=0.79), [True, True], "score 0.7900, -0.0100 beside the 0.8000 of main.json"),
        (report(5, 1000, 1000, score=0.789), [True, False], "at least 0.7900 is expected"),
        (report(5, 1000, 1000, score=None), [True, False], "no score beside the 0.8000"),
    ],
)
def test_gate_compares_instructions_of_records_and_the_score(
    tmp_path: Path, now: dict[str, Any], expected: list[bool], sentence: str
) -> None:
    file = tmp_path / "main.json"
    file.write_text(json.dumps(report(5, 1000, 1000)))
    comparisons = list(gate(file, "+5%", -0.01).comparisons(now))
    assert [comparison.passed for comparison in comparisons] == expected
    assert any(sentence in comparison.sentence for comparison in comparisons), comparisons
    suite = ET.fromstring(to_junit(for_organiser(passed(24), LIMITS), comparisons))
    assert suite.get("failures") == str(expected.count(False))
    assert [case.get("name") for case in suite.findall("testcase")][-2:] == ["compare instructions", "compare score"]


@pytest.mark.parametrize(
    ("earlier", "most", "gain", "message"),
    [
        ("{}", "+5%", None, "expected a report of --json"),
        ("[1]", "+5%", None, "expected a report of --json"),
        (json.dumps(report(5, 9, 9)), "5", None, "expected a share such as"),
        (json.dumps(report(5, 9, 9)), None, None, "found neither"),
        (json.dumps(report(5, 0, 0)), "+5%", None, "expected counted instructions, found none in main.json"),
        (json.dumps(report(5, 9, 9, score=None)), None, 0.0, "expected a report with a score"),
        (json.dumps(report(5, 9, 9, challenge="b")), "5 %", None, "found 1 records of b, not 1 of toy"),
    ],
)
def test_gate_says_what_cannot_be_compared(
    tmp_path: Path, earlier: str, most: str | None, gain: float | None, message: str
) -> None:
    (tmp_path / "main.json").write_text(earlier)
    with pytest.raises(UsageError, match=re.escape(message)):
        list(gate(tmp_path / "main.json", most, gain).comparisons(report(5, 9, 9)))
