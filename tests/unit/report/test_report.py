"""The score in the report: intervals in every form, and no word on a record of a hidden exam."""

from __future__ import annotations

import base64
import importlib
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from evaluate.core.model import (
    CounterInfo,
    Entry,
    Evaluation,
    Limits,
    MachineInfo,
    Note,
    Picture,
    RecordOutcome,
    Refusal,
    RefusalKind,
    Score,
    Stage,
    StageOutcome,
    StageResult,
    Usage,
    Verdict,
)
from evaluate.report import html
from evaluate.report.audience import Policy, View, for_organiser, for_team, result_for_team
from evaluate.report.ci import to_junit, to_markdown
from evaluate.report.html import Beside, Drawing, drawn, to_html
from evaluate.report.json import to_json
from evaluate.report.text import to_text
from evaluate.report.words import ADVICE, advice, how_it_ran, shares, usage_line
from tests.fuzz.replies import answered, of
from tests.support import evaluations
from tests.unit.report.test_audience import evaluation

OUTCOMES = tuple(
    RecordOutcome(record=record, verdict=Verdict.OK, usage=Usage()) for record in ("Tumor_001", "p1/a/f.2", "7")
)
SCORE = Score(
    primary="froc",
    values={"froc": 0.5, "auc": 0.75},
    official={"froc": 0.25},
    intervals={"froc": (0.4, 0.625)},
    notes=(
        Note(text="slides without a CSV, scored as without detections: 1"),
        Note(text="Tumor_001: its reference shows no tumour, so it is a normal slide", record="Tumor_001"),
        Note(text="the metric did not say which record this is about", record=""),
        Note(text="official: the organisers' program stops here"),
    ),
)
EVALUATION = Evaluation(
    entry=Entry(archive=Path("entry.zip"), sha256="0" * 64, size=1),
    challenge="camelyon16",
    outcomes=(
        StageOutcome(result=StageResult(stage=Stage.EXAM, verdict=Verdict.OK, records=OUTCOMES)),
        StageOutcome(result=StageResult(stage=Stage.SCORE, verdict=Verdict.OK, message="froc 0.5000"), score=SCORE),
    ),
)
LIMITS = {"exam": Limits(instructions=1, wall_seconds=1)}


def view(hidden: bool) -> View:
    return for_team(EVALUATION, LIMITS, Policy(hidden_exam=hidden))


@pytest.mark.parametrize("form", [to_text, to_html])
def test_every_value_has_its_interval_and_the_official_one_beside_it(form: Callable[[View], str]) -> None:
    for part in ("0.5000", "0.400 to 0.625", "0.2500", "0.7500"):
        assert part in form(view(True))
    score = to_json(view(True))["score"]
    assert (score["values"], score["intervals"]) == ({"froc": 0.5, "auc": 0.75}, {"froc": [0.4, 0.625]})


@pytest.mark.parametrize("form", [to_text, to_html, to_markdown])
def test_there_is_a_column_of_the_organisers_program_if_there_is_a_program(form: Callable[[View], str]) -> None:
    assert "official" in form(view(True)) or "organisers' program" in form(view(True))
    outcomes = tuple(
        replace(outcome, score=replace(SCORE, official={}, notes=())) if outcome.score else outcome
        for outcome in EVALUATION.outcomes
    )
    without = for_team(replace(EVALUATION, outcomes=outcomes), LIMITS, Policy(hidden_exam=True))
    assert "official" not in form(without) and "organisers' program" not in form(without)


@pytest.mark.parametrize("state", ["parked", "cancelled", "exam"])
def test_entry_without_a_verdict_has_not_passed_whatever_its_last_stage_said(state: str) -> None:
    waiting = for_organiser(replace(EVALUATION, state=state, outcomes=EVALUATION.outcomes[:1]), LIMITS)
    assert to_text(waiting).splitlines()[-1].startswith("verdict: none")
    for form in (to_text, to_html, to_markdown):
        assert "passed" not in re.sub('<style>.*</style>|class="passed"', "", form(waiting), flags=re.DOTALL)
    values = to_json(waiting)
    assert (values["verdict"], values["state"]) == ("", state)


@pytest.mark.parametrize("form", [to_text, to_html, lambda view: str(to_json(view))])
def test_installed_packages_are_named_with_their_versions(form: Callable[[View], str]) -> None:
    first, *others = EVALUATION.outcomes
    prepared = replace(first, result=replace(first.result, installed=("numpy 1.26.4",)))
    assert "numpy 1.26.4" in form(
        for_team(replace(EVALUATION, outcomes=(prepared, *others)), LIMITS, Policy(hidden_exam=True))
    )


@pytest.mark.parametrize("form", [to_text, to_html, lambda view: to_json(view)["entry"]["name"]])
def test_name_of_an_upload_is_text_and_moves_no_cursor(form: Callable[[View], str]) -> None:
    entry = replace(EVALUATION.entry, archive=Path("<b onclick=x>a\x1b[2J\x07\n\udcff.zip"))
    text = form(for_organiser(replace(EVALUATION, entry=entry), LIMITS))
    assert "a\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER} \N{REPLACEMENT CHARACTER}.zip" in text
    assert "\x1b" not in text
    assert form is not to_html or ("<b " not in text and "&lt;b onclick=x&gt;" in text)


@pytest.mark.parametrize(
    ("seconds", "instructions", "uncounted"),
    [(10.0, 37_000_000, True), (10.0, 640_000_000, False), (0.2, 500_000, False)],
    ids=["system calls", "computing", "short"],
)
def test_report_says_when_most_of_the_time_was_not_counted(seconds: float, instructions: int, uncounted: bool) -> None:
    usage = Usage(instructions=instructions, wall_seconds=seconds)
    outcome = RecordOutcome(record="a", verdict=Verdict.OK, usage=usage)
    limits = {stage: Limits(instructions=10**10, wall_seconds=60) for stage in ("setup", "quiz", "exam")}
    for stage in (
        StageResult(stage=Stage.PREP, verdict=Verdict.OK, usage=usage),
        StageResult(stage=Stage.QUIZ, verdict=Verdict.OK, usage=usage, records=(outcome,)),
        StageResult(stage=Stage.EXAM, verdict=Verdict.OK, usage=usage),
    ):
        assert ("was spent in the kernel, asleep or waiting" in usage_line(stage, limits)) is uncounted


def last(verdict: Verdict) -> RecordOutcome:
    return RecordOutcome(record="7", verdict=verdict, usage=Usage(), message="says A")


@pytest.mark.parametrize(
    ("verdict", "records", "failures"),
    [
        (Verdict.MISMATCH, (*OUTCOMES[:2], last(Verdict.MISMATCH)), [("MISMATCH", "printed")]),
        (Verdict.MISMATCH, (), [("MISMATCH", "printed")]),
        (Verdict.OK, (*OUTCOMES[:2], last(Verdict.BAD_ANSWER)), []),  # an optional answer that was not sent
    ],
)
def test_junit_counts_a_failure_once(
    verdict: Verdict, records: tuple[RecordOutcome, ...], failures: list[tuple[str, str]]
) -> None:
    result = StageResult(stage=Stage.QUIZ, verdict=verdict, message="says A", records=records, diagnostics="printed")
    evaluation = replace(EVALUATION, outcomes=(StageOutcome(result=result),))
    suite = ET.fromstring(to_junit(for_organiser(evaluation, LIMITS)))
    assert [(failure.get("type"), failure.text) for failure in suite.iter("failure")] == failures
    assert suite.get("failures") == str(len(failures))


def test_every_verdict_says_what_to_do() -> None:
    assert set(ADVICE) == set(Verdict)
    assert advice(evaluations.passed(24, 2)).startswith("2 of the exam's records have no valid answer")
    page = to_html(for_organiser(evaluations.failed(), evaluations.LIMITS))
    assert "What to do:" in page and "run the entry at home" in page
    assert "not reached" in page  # the stages after the one that failed


@pytest.mark.parametrize("left_out", [[], [Stage.TRAIN], [Stage.SCORE], [Stage.TRAIN, Stage.SCORE]])
def test_stages_of_the_challenge_are_shown_though_they_were_not_reached(left_out: list[Stage]) -> None:
    refused = StageResult(stage=Stage.PREP, verdict=Verdict.INVALID_ENTRY)
    entry = replace(evaluations.failed(), outcomes=(StageOutcome(result=refused),))
    stages = tuple(stage for stage in Stage if stage not in left_out)
    page = to_html(for_organiser(entry, evaluations.LIMITS), Beside(stages=stages))
    timeline = page.partition('<ol class="timeline"')[2].partition("</ol>")[0]
    assert re.findall(r"<b>(\w+)</b>", timeline) == [stage.value for stage in stages]


def test_pictures_are_images_in_the_page_and_withheld_with_the_records_they_show() -> None:
    every = evaluations.passed(24)
    seen, hidden = (for_team(every, evaluations.LIMITS, Policy(hidden_exam=hidden)) for hidden in (False, True))
    pages = [to_html(view) for view in (seen, hidden)]
    assert [page.count("data:image/svg+xml") for page in pages] == [len(evaluations.plots()), 0]
    assert hidden.evaluation.score is not None and hidden.evaluation.score.pictures == ()


def test_pictures_that_are_none_are_left_out_and_named() -> None:
    numbers = ('{"plot": "roc"}', '{"plot": "moon"}', "[]", "no JSON", '{"plot": "roc", "auc": "x"}', "[" * 100_000)
    pictures = tuple(Picture(name=f"p{n}", numbers=text) for n, text in enumerate(numbers))
    score = replace(SCORE, pictures=pictures)
    evaluation = replace(EVALUATION, outcomes=(EVALUATION.outcomes[0], replace(EVALUATION.outcomes[1], score=score)))
    assert "Cannot be drawn: p0, p1, p2, p3, p4, p5" in to_html(for_organiser(evaluation, LIMITS))


def test_score_of_the_sample_entry_and_the_receipt_are_shown_where_they_are_known() -> None:
    page = to_html(view(False), Beside(sample_score=0.4321, receipt=evaluations.BESIDE.receipt))
    assert "0.4321" in page and "receipt 41, sha256:5e5e" in page
    assert "sample entry" not in to_html(view(False)) and "receipt" not in to_html(view(False))


@pytest.mark.parametrize("templates", ["evaluate.report.html", "evaluate.serve.pages.rendering"])
def test_subgroups_are_a_table_with_differences_and_the_worst_group(templates: str) -> None:
    values = {
        "f1": 0.8,
        "f1[sex=F]": 0.7,
        "f1[sex=F] difference": -0.2,
        "f1[sex=<M>]": 0.9,
        "f1[sex=<M>] difference": 0.2,
        "f1[worst sex]": 0.7,
    }
    score = Score(primary="f1", values=values, official={}, intervals={"f1[sex=F] difference": (-0.3, -0.1)})
    groups = importlib.import_module(templates).environment().get_template("parts.html").module.groups
    rows = re.findall(r"<tr><td>(.*?)</tr>", groups(score).replace("\n", ""))
    cells = [re.sub(r"(<[^>]*>)+", "|", row).split("|") for row in rows]
    assert cells == [
        ["sex", "F", "0.7000", "-0.2000", "-0.300 to -0.100", "worst", ""],
        ["sex", "&lt;M&gt;", "0.9000", "0.2000", ""],
    ]
    assert groups(SCORE).strip() == ""


# Shares of limits, by hand calculation.


OF_STAGE = Limits(instructions=1000, wall_seconds=10, memory_bytes=100 << 20, output_bytes=1000)


def record(name: str, instructions: int, seconds: float) -> RecordOutcome:
    usage = Usage(instructions=instructions, wall_seconds=seconds, memory_bytes=10 << 20, output_bytes=5)
    return RecordOutcome(record=name, verdict=Verdict.OK, usage=usage)


def test_each_limit_has_its_own_worst_record() -> None:
    records = (record("a", 100, 5.0), record("b", 400, 1.0), record("c", 200, 2.0))
    stage = StageResult(stage=Stage.QUIZ, verdict=Verdict.OK, records=records)
    lines = [f"{share.what}: {share.used}" for share in shares(stage, {"quiz": OF_STAGE})]
    assert lines == [
        "instructions: 4.0e2 of 1.0e3 (40 %) on b",
        "time: 5 s of 10 s (50 %) on a",
        "memory: 10 MiB of 100 MiB (10 %) on a",
        "output: 0.005 kB of 1 kB (0.5 %) on a",
    ]


def test_a_program_started_once_for_all_records_has_the_sum_of_their_limits() -> None:
    records = tuple(RecordOutcome(record=name, verdict=Verdict.OK, usage=Usage()) for name in "ab")
    used = Usage(instructions=500, wall_seconds=5)
    stage = StageResult(stage=Stage.EXAM, verdict=Verdict.OK, records=records, usage=used)
    assert shares(stage, {"exam": OF_STAGE})[0].used == "5.0e2 of 2.0e3 (25 %)"


def test_large_numbers_are_written_out_and_a_stage_that_ran_nothing_has_no_share() -> None:
    used = Usage(instructions=500, wall_seconds=16_777.2)
    stage = StageResult(stage=Stage.PREP, verdict=Verdict.OK, usage=used)
    assert shares(stage, {"setup": OF_STAGE})[1].used.startswith("16,777 s of 10 s ")
    assert shares(StageResult(stage=Stage.PREP, verdict=Verdict.OK), {"setup": OF_STAGE}) == ()


# What a report says of how instructions were counted.


PERF = CounterInfo(kind="perf", calibration_error=0.001)


def ran(counter: CounterInfo, processors: int = 1) -> Evaluation:
    alone = evaluation((), "", Usage())
    machine = MachineInfo(accelerator="kvm", image="sha256:0", counter=counter, processors=processors)
    return replace(alone, outcomes=tuple(replace(outcome, machine=machine) for outcome in alone.outcomes))


def test_report_says_how_it_was_counted() -> None:
    assert "counter perf (calibration error +1.0e-03), image" in how_it_ran(ran(PERF))
    assert set(to_json(for_organiser(ran(PERF), {}))["counter"]) == {"kind", "mode", "calibration_error"}


def test_report_says_how_many_processors_there_were_if_there_were_several() -> None:
    alone, several = ran(PERF), ran(PERF, processors=4)
    assert "4 processors, whose instructions are added" in how_it_ran(several)
    assert to_json(for_organiser(several, {}))["processors"] == 4
    assert "processors" not in how_it_ran(alone) and "processors" not in to_json(for_organiser(alone, {}))


# Lines of an entry that are to be changed, in every form of a report.


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


def test_page_has_each_once_and_nothing_is_hidden_beside_a_phones_screen() -> None:
    page = to_html(VIEW)
    assert 'class="scroll"' not in page.partition("<dl")[2].partition("</dl>")[0] and "lines to change:" in page
    assert "<dt>Dockerfile line 3</dt>" in page and "<code>git clone &lt;b&gt;</code>" in page
    assert page.count("git clone") == 1


def test_instruction_that_failed_in_a_build_has_its_exit_code_and_its_last_lines_everywhere() -> None:
    failed = replace(REFUSALS[0], kind=RefusalKind.BUILD, way_out="", exit_code=2, printed=("no rule", "<b>\x1b[1m"))
    stage = replace(RESULT, refusals=(failed,))
    view = for_team(Evaluation(entry=ENTRY, challenge="hearts", outcomes=(StageOutcome(result=stage),)), {}, HIDDEN)
    (refusal,) = to_json(view)["stages"][0]["refusals"]
    assert (refusal["exit_code"], refusal["printed"][0]) == (2, "no rule")
    assert "      printed   no rule\n" in to_text(view) and "\x1b" not in to_text(view)
    assert "1 line to change:\n" in to_text(view)
    page = to_html(view)
    assert "prep: 1 line to change<" in page
    assert "no rule\n&lt;b&gt;" in page and "<b>Do:</b>" not in page


def test_stages_on_hidden_data_show_none() -> None:
    for stage in (Stage.EXAM, Stage.SCORE):
        assert result_for_team(replace(RESULT, stage=stage), HIDDEN).refusals == ()


# Pictures that were drawn behind walls, perhaps by whoever took that process over, as parts of a page.


def test_drawing_that_is_no_text_can_be_written_all_the_same() -> None:
    html._drawings.cache_clear()
    with answered([of([Drawing(title="\ud800\n\x1b[2J", svg="<svg>\udfff</svg>")])]):
        image = drawn([Picture(name="Roc", numbers="{}")]).images[0]
    html._drawings.cache_clear()
    assert image.title == "\N{REPLACEMENT CHARACTER} \N{REPLACEMENT CHARACTER}[2J"
    assert base64.b64decode(image.data.partition(",")[2]) == b"<svg>?</svg>"
