"""Lines of an entry that are to be changed, in every form of a report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from evaluate.core.model import Entry, Evaluation, Refusal, RefusalKind, Stage, StageOutcome, StageResult, Verdict
from evaluate.report.audience import Policy, for_team, result_for_team
from evaluate.report.ci import Annotation, remarks, to_markdown
from evaluate.report.html import to_html
from evaluate.report.json import to_json
from evaluate.report.text import to_text

REFUSALS = (
    Refusal(
        file="Dockerfile",
        line=3,
        kind=RefusalKind.DOWNLOAD,
        found="git clone <b>",
        expected="no network",
        way_out="add it",
    ),
    Refusal(file="m.sav", line=0, kind=RefusalKind.FILE, found="0.23.2", expected="1.1.3", way_out="train again"),
)
RESULT = StageResult(
    stage=Stage.PREP,
    verdict=Verdict.INVALID_ENTRY,
    message="\n".join([*map(str, REFUSALS), "and the index is odd"]),
    refusals=REFUSALS,
)
ENTRY = Entry(archive=Path("net.zip"), sha256="ab", size=1)
HIDDEN = Policy(hidden_exam=True)
VIEW = for_team(Evaluation(entry=ENTRY, challenge="hearts", outcomes=(StageOutcome(result=RESULT),)), {}, HIDDEN)


def test_json_has_a_value_for_each() -> None:
    first, second = to_json(VIEW)["stages"][0]["refusals"]
    assert first == {
        "file": "Dockerfile",
        "line": 3,
        "kind": "download",
        "found": "git clone <b>",
        "expected": "no network",
        "way_out": "add it",
        "exit_code": None,
        "printed": [],
    }
    assert second["line"] is None


def test_text_says_each_once_and_what_else_is_said() -> None:
    text = to_text(VIEW)
    assert "2 lines to change:" in text
    assert (
        "    Dockerfile line 3\n      found     git clone <b>\n      because   no network\n      do        add it"
        in text
    )
    assert (text.count("git clone"), text.count("and the index is odd")) == (1, 1)


def test_page_and_summary_have_each_once_and_nothing_is_hidden_beside_a_phones_screen() -> None:
    page = to_html(VIEW)
    assert 'class="scroll"' not in page.partition("<dl")[2].partition("</dl>")[0] and "lines to change:" in page
    assert "<dt>Dockerfile line 3</dt>" in page and "<code>git clone &lt;b&gt;</code>" in page
    assert page.count("git clone") == 1
    summary = to_markdown(VIEW)
    assert r"**Dockerfile line 3** git clone \<b\>: no network<br>**Do:** add it" in summary
    assert summary.count("git clone") == 1 and "| prep | INVALID_ENTRY |  | 2 lines to change |" in summary


def test_instruction_that_failed_in_a_build_has_its_exit_code_and_its_last_lines_everywhere() -> None:
    failed = replace(REFUSALS[0], kind=RefusalKind.BUILD, way_out="", exit_code=2, printed=("no rule", "<b>\x1b[1m"))
    stage = replace(RESULT, refusals=(failed,))
    view = for_team(Evaluation(entry=ENTRY, challenge="hearts", outcomes=(StageOutcome(result=stage),)), {}, HIDDEN)
    (found,) = to_json(view)["stages"][0]["refusals"]
    assert (found["exit_code"], found["printed"][0]) == (2, "no rule")
    assert "      printed   no rule\n" in to_text(view) and "\x1b" not in to_text(view)
    assert "| 1 line to change |" in to_markdown(view) and "1 line to change:\n" in to_text(view)
    page = to_html(view)
    assert "prep: 1 line to change<" in page
    assert "no rule\n&lt;b&gt;" in page and "<b>Do:</b>" not in page


def test_ci_shows_each_at_its_line() -> None:
    found = remarks(VIEW, ["Dockerfile"])
    assert found == (
        Annotation(text=str(REFUSALS[0]), file="Dockerfile", line=3),
        Annotation(text=str(REFUSALS[1])),
    )


def test_stages_on_hidden_data_show_none() -> None:
    for stage in (Stage.EXAM, Stage.SCORE):
        assert result_for_team(replace(RESULT, stage=stage), HIDDEN).refusals == ()
