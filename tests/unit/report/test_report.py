"""Reports in every form: what a team may see of an evaluation, and how it is said.

Two exams that differ only in what is hidden look the same to the team.
"""

import base64
import importlib
import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluate.config.challenge.types import Show
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
    TrainedModel,
    Usage,
    Verdict,
)
from evaluate.report import html
from evaluate.report.audience import (
    BEST_ONLY,
    SCORED,
    WITHHELD_COUNTS,
    WITHHELD_EXAM,
    WITHHELD_SCORE,
    Feedback,
    Policy,
    View,
    for_organiser,
    for_team,
    measures_on_board,
    on_board,
    record_for_team,
    result_for_team,
    score_for_team,
    usage_on_board,
)
from evaluate.report.html import Beside, Drawing, drawn, to_html
from evaluate.report.json import to_json
from evaluate.report.text import to_junit, to_markdown, to_text
from evaluate.report.words import ADVICE, advice, counts, how_it_ran, shares, usage_line
from tests.fuzz.replies import answered, of
from tests.support import evaluations
from tests.support.evaluations import LIMITS, MACHINE

HIDDEN = Policy(hidden_exam=True)

verdicts = st.sampled_from([Verdict.OK, Verdict.RUNTIME_ERROR, Verdict.WALL_LIMIT, Verdict.BAD_ANSWER])
texts = st.text(min_size=1, max_size=8)


@st.composite
def records(draw: st.DrawFn, ended: Sequence[Verdict]) -> tuple[RecordOutcome, ...]:
    """Records of an exam that ended like this, in any order; all else about them is drawn."""
    return tuple(
        RecordOutcome(
            record=f"rec{draw(texts)}",
            verdict=verdict,
            usage=Usage(instructions=draw(st.integers(0, 10**9)), memory_bytes=draw(st.integers(0, 10**9))),
            answer=draw(st.none() | texts),
            message=draw(texts),
        )
        for verdict in draw(st.permutations(ended))
    )


def judged(*outcomes: StageOutcome, **more: Any) -> Evaluation:
    """An evaluation of these stages."""
    entry = Entry(archive=Path("entry.zip"), sha256="0" * 64, size=1)
    return Evaluation(entry=entry, challenge="af", outcomes=outcomes, **more)


def stage(name: Stage, verdict: Verdict = Verdict.OK, score: Score | None = None, **more: Any) -> StageOutcome:
    """A stage that ended like this."""
    return StageOutcome(result=StageResult(stage=name, verdict=verdict, **more), score=score)


def evaluation(outcomes: tuple[RecordOutcome, ...], secret: str, usage: Usage) -> Evaluation:
    """An evaluation whose exam had these records; ``secret`` is what the metric says of single ones."""
    exam = stage(Stage.EXAM, message=counts(outcomes), usage=usage, records=outcomes, diagnostics=secret)
    score = Score(
        primary="F1",
        values={"F1": 0.5},
        official={},
        resampled=tuple(float(outcome.usage.instructions) for outcome in outcomes),
        clusters=3,
        notes=(Note(text="12 records"), Note(text=secret, record="rec1"), Note(text=secret, record="")),
    )
    return judged(replace(exam, machine=MACHINE), stage(Stage.SCORE, score=score, message="F1 0.5000"))


@given(st.data(), st.lists(verdicts, min_size=1, max_size=6), st.integers(0, 49))
def test_exams_that_differ_only_in_hidden_data_look_the_same_to_the_team(
    data: st.DataObject, ended: list[Verdict], noise: int
) -> None:
    usages = (
        Usage(instructions=4_300_000_000 + noise, wall_seconds=12.01, memory_bytes=98_700_000 + noise),
        Usage(instructions=4_300_000_000, wall_seconds=12.04, memory_bytes=98_700_000),
    )
    first, second = (evaluation(data.draw(records(ended)), data.draw(texts), usage) for usage in usages)
    views = [for_team(each, LIMITS, HIDDEN) for each in (first, second)]
    assert views[0] == views[1]
    for form in (to_text, to_html, to_json, to_junit):
        assert form(views[0]) == form(views[1])


def test_organiser_sees_all_of_it_and_a_team_of_a_record_that_it_is_done() -> None:
    outcomes = (RecordOutcome(record="rec1", verdict=Verdict.OK, usage=Usage(instructions=7), answer="N"),)
    assert record_for_team(Stage.EXAM, outcomes[0], HIDDEN) is None
    assert record_for_team(Stage.QUIZ, outcomes[0], HIDDEN) is outcomes[0]
    judged_entry = evaluation(outcomes, "secret", Usage(instructions=1234567))
    assert for_organiser(judged_entry, LIMITS).evaluation == judged_entry
    assert "rec1" in to_text(for_organiser(judged_entry, LIMITS))


@pytest.mark.parametrize("machine", [MACHINE, None])
def test_error_of_an_answer_to_a_hidden_record_names_no_record_and_no_content(machine: MachineInfo | None) -> None:
    error = "answer for record T1: expected one of N A O, found 'x'"
    exam = replace(stage(Stage.EXAM), machine=machine)
    judged_entry = judged(exam, stage(Stage.SCORE, Verdict.BAD_ANSWER, message=error))
    for form in (to_text, to_html, to_json, to_junit):
        report = str(form(for_team(judged_entry, LIMITS, HIDDEN)))
        assert "T1" not in report and "'x'" not in report and "the organiser can see which one" in report
    assert error in to_text(for_team(judged_entry, LIMITS, Policy(hidden_exam=False)))
    assert error in to_text(for_organiser(judged_entry, LIMITS))


def tells(show: Show, **more: Any) -> Feedback:
    return Feedback(show=show, digits=2, number=1, **more)


@pytest.mark.parametrize("words", ["", "1 note on a single record is", "2 notes on single records are"])
def test_notes_on_single_records_are_counted_and_resamples_kept_back(words: str) -> None:
    notes = (Note(text="of all"), *[Note(text="secret", record="r1")] * int(words[:1] or 0))
    score = Score(primary="F1", values={"F1": 0.5}, official={}, resampled=(0.4, 0.6), notes=notes)
    hidden, shown = (score_for_team(score, Policy(hidden_exam=hides)) for hides in (True, False))
    told = ["of all", f"{words} for the organiser only"][: 2 if words else 1]
    assert hidden is not None and [note.text for note in hidden.notes] == told
    assert shown == replace(score, resampled=())


@pytest.mark.parametrize(
    ("feedback", "message", "score"),
    [
        (tells(Show.SCORE), "F1 0.5000", 0.5),
        (tells(Show.SCORE, withheld=True), BEST_ONLY, None),
        (tells(Show.SCORE, withheld=True, best=True), "F1 0.5000", 0.5),
        (tells(Show.VERDICT), BEST_ONLY, None),
        (tells(Show.VERDICT, over=True), BEST_ONLY, None),
        (tells(Show.VERDICT, best=True), BEST_ONLY, None),
        (tells(Show.VERDICT, best=True, over=True), "F1 0.5000", 0.5),
    ],
)
def test_feedback_tells_so_much_of_exam_and_score(feedback: Feedback, message: str, score: float | None) -> None:
    outcomes = tuple(RecordOutcome(record=f"T{n}", verdict=Verdict.OK, usage=Usage()) for n in range(123))
    used = Usage(instructions=123, wall_seconds=0.16, memory_bytes=456, output_bytes=789)
    judged_entry = replace(evaluation(outcomes, "secret", used), judged=1000.0)
    policy = Policy(hidden_exam=True, feedback=feedback)
    view = for_team(judged_entry, LIMITS, policy)
    exam, scored = view.evaluation.outcomes
    full = feedback.show is Show.SCORE
    assert exam.result.message == ("120 records, 120 answered" if full else WITHHELD_COUNTS)
    rounded = Usage(instructions=120, wall_seconds=0.2, memory_bytes=460, output_bytes=790) if full else Usage()
    assert (exam.result.usage, exam.result.records, exam.result.reason) == (rounded, (), "")
    assert usage_on_board(used, policy) == rounded and view.feedback is feedback
    assert scored.result.message == message
    assert (scored.score and scored.score.values) == (None if score is None else {"F1": score})
    assert (exam.machine, scored.score and scored.score.clusters) == (MACHINE, None if score is None else 3)
    assert (view.evaluation.judged, for_team(judged_entry, LIMITS, HIDDEN).evaluation.judged) == (960.0, 1000.0)
    assert for_team(replace(judged_entry, judged=None), LIMITS, policy).evaluation.judged is None
    assert (on_board(None, policy), on_board(0.1234, policy), on_board(0.1234, HIDDEN)) == (None, 0.12, 0.1234)
    withheld = for_team(judged_entry, LIMITS, Policy(hidden_exam=True, feedback=feedback, scores_released=False))
    assert withheld.evaluation.outcomes[1].score is None
    assert withheld.evaluation.outcomes[1].result.message == WITHHELD_SCORE


def test_unusable_answers_are_failures_of_the_exam_and_teams_learn_their_number_alone() -> None:
    outcomes = tuple(RecordOutcome(record=f"T{n}", verdict=Verdict.OK, usage=Usage()) for n in range(3))
    judged_entry = evaluation(outcomes, "secret", Usage())
    exam, score = judged_entry.outcomes
    unusable = RecordOutcome(record="T1", verdict=Verdict.BAD_ANSWER, usage=Usage(), message="T1.json: expected pairs")
    scored = replace(score, result=replace(score.result, records=(unusable,)))
    judged_entry = replace(judged_entry, outcomes=(exam, scored))
    shown, scored = for_organiser(judged_entry, LIMITS).evaluation.outcomes
    assert shown.result.message == "3 records, 2 answered; 1 BAD_ANSWER"
    assert [(record.record, record.message) for record in shown.result.failed] == [("T1", "T1.json: expected pairs")]
    assert scored.result.records == ()
    view = for_team(judged_entry, LIMITS, HIDDEN)
    assert view.evaluation.outcomes[0].result.message == "3 records, 2 answered; 1 BAD_ANSWER"
    assert "T1" not in json.dumps(to_json(view)) + to_text(view) + to_html(view)


@pytest.mark.parametrize(("show", "message"), [(Show.SCORE, WITHHELD_EXAM), (Show.VERDICT, WITHHELD_COUNTS)])
def test_exam_that_failed_before_its_first_record_tells_no_reason(show: Show, message: str) -> None:
    policy = Policy(hidden_exam=True, feedback=tells(show))
    failed = StageResult(stage=Stage.EXAM, verdict=Verdict.RUNTIME_ERROR, message="exit code 77")
    secret = replace(failed, reason="exit code 77", diagnostics="secret", refusals=("secret",))
    assert result_for_team(secret, policy) == replace(failed, message=message)
    of_score = StageResult(stage=Stage.SCORE, verdict=Verdict.RUNTIME_ERROR, message="why")
    unusable = RecordOutcome(record="T1", verdict=Verdict.BAD_ANSWER, usage=Usage())
    secret = replace(of_score, diagnostics="secret", records=(unusable,), refusals=("secret",))
    assert result_for_team(secret, policy) == replace(of_score, message=WITHHELD_EXAM)
    passed = {"verdict": Verdict.OK, "message": SCORED}
    assert result_for_team(replace(secret, **passed), policy) == replace(of_score, **passed)
    assert result_for_team(secret, HIDDEN) == of_score


def test_of_hidden_training_a_team_learns_verdict_counts_and_rounded_usage() -> None:
    policy = Policy(hidden_exam=True, hidden_training=True)
    model = TrainedModel(sha256="0" * 64, files=1, bytes=5)
    plain = StageResult(stage=Stage.PREP, verdict=Verdict.OK, message="77", usage=Usage(instructions=123))
    secret = replace(plain, reason="77", diagnostics="secret", refusals=("secret",), model=model)
    records = (RecordOutcome(record="T1", verdict=Verdict.OK, usage=Usage()),)
    for told, words in (
        ({"records": records}, "1 records, 1 answered"),
        ({}, "passed"),
        ({"verdict": Verdict.RUNTIME_ERROR}, f"a command of the entry failed; {WITHHELD_EXAM}"),
    ):
        for name in (Stage.TRAIN, Stage.QUIZ):
            result = replace(secret, **{"stage": name, **told})
            shown = StageResult(stage=name, verdict=result.verdict, message=words, usage=Usage(instructions=120))
            assert (result_for_team(result, policy), result_for_team(result, HIDDEN)) == (shown, result)
    assert result_for_team(secret, policy) == secret


@pytest.mark.parametrize(("hidden", "released"), list(product((False, True), repeat=2)))
def test_boards_have_all_measures_only_of_a_public_exam_once_scores_are_released(hidden: bool, released: bool) -> None:
    policy = Policy(hidden_exam=hidden, scores_released=released)
    assert measures_on_board({"F1": 0.5}, policy) == ({"F1": 0.5} if released and not hidden else {})


FULL = Feedback(show=Show.SCORE, digits=3, number=2)
LATE = replace(FULL, withheld=True)
VERDICT = replace(FULL, show=Show.VERDICT)


def test_every_number_of_a_score_is_shown_to_so_many_digits_in_a_bounded_range() -> None:
    numbers = {0.123456: 0.123, 1e-12: 0.0, -3e11: -math.inf, math.inf: math.inf, 1234.0: 1230.0}
    assert {value: FULL.number_shown(value) for value in numbers} == numbers
    score = Score(primary="F1", values={"F1": 0.12345}, official={"F1": 0.12345}, intervals={"F1": (0.11111, 0.22222)})
    shown = FULL.numbers_shown(score)
    assert (shown.values, shown.official, shown.intervals) == ({"F1": 0.123}, {"F1": 0.123}, {"F1": (0.111, 0.222)})


@pytest.mark.parametrize(
    ("feedback", "words"),
    [
        (FULL, "attempt 2 of the team at these hidden records, all phases together; scores are shown to 3 digits"),
        (VERDICT, "verdicts alone are shown until the phase ends"),
        (LATE, "scores were withheld, so of a phase the score of the team's best attempt is shown"),
        (replace(FULL, number=0), "it has not reached the exam"),
    ],
)
def test_sentence_says_which_attempt_it_is_and_the_rule(feedback: Feedback, words: str) -> None:
    assert words in feedback.sentence


# The score in every form.


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
EVALUATION = judged(stage(Stage.EXAM, records=OUTCOMES), stage(Stage.SCORE, score=SCORE, message="froc 0.5000"))


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
    without = for_team(judged(stage(Stage.SCORE, score=replace(SCORE, official={}, notes=()))), LIMITS, HIDDEN)
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
    prepared = stage(Stage.EXAM, installed=("numpy 1.26.4",))
    assert "numpy 1.26.4" in form(for_team(judged(prepared), LIMITS, HIDDEN))


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
    for ended, ran_alone in ((Stage.PREP, ()), (Stage.QUIZ, (outcome,)), (Stage.EXAM, ())):
        result = stage(ended, usage=usage, records=ran_alone).result
        assert ("was spent in the kernel, asleep or waiting" in usage_line(result, limits)) is uncounted


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
    quiz = stage(Stage.QUIZ, verdict, message="says A", records=records, diagnostics="printed")
    suite = ET.fromstring(to_junit(for_organiser(judged(quiz), LIMITS)))
    assert [(failure.get("type"), failure.text) for failure in suite.iter("failure")] == failures
    assert suite.get("failures") == str(len(failures))


def test_every_verdict_says_what_to_do() -> None:
    assert set(ADVICE) == set(Verdict)
    assert advice(evaluations.passed(24, 2)).startswith("2 of the exam's records have no valid answer")
    page = to_html(for_organiser(evaluations.failed(), LIMITS))
    assert "What to do:" in page and "run the entry at home" in page
    assert "not reached" in page  # the stages after the one that failed


@pytest.mark.parametrize("left_out", [[], [Stage.TRAIN], [Stage.SCORE], [Stage.TRAIN, Stage.SCORE]])
def test_stages_of_the_challenge_are_shown_though_they_were_not_reached(left_out: list[Stage]) -> None:
    refused = for_organiser(judged(stage(Stage.PREP, Verdict.INVALID_ENTRY)), LIMITS)
    stages = tuple(name for name in Stage if name not in left_out)
    timeline = to_html(refused, Beside(stages=stages)).partition('<ol class="timeline"')[2].partition("</ol>")[0]
    assert re.findall(r"<b>(\w+)</b>", timeline) == [name.value for name in stages]


def test_pictures_are_images_in_the_page_and_withheld_with_the_records_they_show() -> None:
    every = evaluations.passed(24)
    seen, hidden = (for_team(every, LIMITS, Policy(hidden_exam=hidden)) for hidden in (False, True))
    pages = [to_html(view) for view in (seen, hidden)]
    assert [page.count("data:image/svg+xml") for page in pages] == [len(evaluations.plots()), 0]
    assert hidden.evaluation.score is not None and hidden.evaluation.score.pictures == ()


def test_pictures_that_are_none_are_left_out_and_named() -> None:
    numbers = ('{"plot": "roc"}', '{"plot": "moon"}', "[]", "no JSON", '{"plot": "roc", "auc": "x"}', "[" * 100_000)
    pictures = tuple(Picture(name=f"p{n}", numbers=text) for n, text in enumerate(numbers))
    scored = judged(stage(Stage.SCORE, score=replace(SCORE, pictures=pictures)))
    assert "Cannot be drawn: p0, p1, p2, p3, p4, p5" in to_html(for_organiser(scored, LIMITS))


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
    result = stage(Stage.QUIZ, records=records).result
    lines = [f"{share.what}: {share.used}" for share in shares(result, {"quiz": OF_STAGE})]
    assert lines == [
        "instructions: 4.0e2 of 1.0e3 (40 %) on b",
        "time: 5 s of 10 s (50 %) on a",
        "memory: 10 MiB of 100 MiB (10 %) on a",
        "output: 0.005 kB of 1 kB (0.5 %) on a",
    ]


def test_program_of_all_records_has_the_sum_of_their_limits_and_a_stage_that_ran_nothing_no_share() -> None:
    records = tuple(RecordOutcome(record=name, verdict=Verdict.OK, usage=Usage()) for name in "ab")
    used = Usage(instructions=500, wall_seconds=16_777.2)
    instructions, time, *_ = shares(stage(Stage.EXAM, records=records, usage=used).result, {"exam": OF_STAGE})
    assert (instructions.used, time.used[:17]) == ("5.0e2 of 2.0e3 (25 %)", "16,777 s of 20 s ")
    assert shares(stage(Stage.PREP).result, {"setup": OF_STAGE}) == ()


# What a report says of how instructions were counted.


PERF = CounterInfo(kind="perf", calibration_error=0.001)


def ran(counter: CounterInfo, processors: int = 1) -> Evaluation:
    machine = MachineInfo(accelerator="kvm", image="sha256:0", counter=counter, processors=processors)
    return judged(replace(stage(Stage.EXAM), machine=machine))


def test_report_says_how_it_was_counted_and_by_how_many_processors_if_there_were_several() -> None:
    alone, several = ran(PERF), ran(PERF, processors=4)
    assert "counter perf (calibration error +1.0e-03), image" in how_it_ran(alone)
    assert set(to_json(for_organiser(alone, {}))["counter"]) == {"kind", "mode", "calibration_error"}
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


def refused(name: Stage, *refusals: Refusal) -> View:
    """A view by the team of a stage that ended with these."""
    message = "\n".join([*map(str, refusals), "and the index is odd"])
    return for_team(judged(stage(name, Verdict.INVALID_ENTRY, message=message, refusals=refusals)), {}, HIDDEN)


def test_each_is_a_value_of_json_and_once_in_text_and_page_with_nothing_hidden_beside_a_phones_screen() -> None:
    view = refused(Stage.PREP, *REFUSALS)
    first, second = to_json(view)["stages"][0]["refusals"]
    assert first == {**asdict(REFUSALS[0]), "kind": "download", "printed": []}
    assert second["line"] is None
    for name in (Stage.EXAM, Stage.SCORE):  # on hidden data
        assert refused(name, *REFUSALS).evaluation.stages[0].refusals == ()
    text = to_text(view)
    assert "2 lines to change:" in text
    first_lines = ["Dockerfile line 3", "  found     git clone <b>", "  because   no network", "  do        add it"]
    assert "".join(f"    {line}\n" for line in first_lines) in text
    assert (text.count("git clone"), text.count("and the index is odd")) == (1, 1)
    page = to_html(view)
    assert 'class="scroll"' not in page.partition("<dl")[2].partition("</dl>")[0] and "lines to change:" in page
    assert "<dt>Dockerfile line 3</dt>" in page and "<code>git clone &lt;b&gt;</code>" in page
    assert page.count("git clone") == 1


def test_instruction_that_failed_in_a_build_has_its_exit_code_and_its_last_lines_everywhere() -> None:
    failed = replace(REFUSALS[0], kind=RefusalKind.BUILD, way_out="", exit_code=2, printed=("no rule", "<b>\x1b[1m"))
    view = refused(Stage.PREP, failed)
    (refusal,) = to_json(view)["stages"][0]["refusals"]
    assert (refusal["exit_code"], refusal["printed"][0]) == (2, "no rule")
    assert "      printed   no rule\n" in to_text(view) and "\x1b" not in to_text(view)
    assert "1 line to change:\n" in to_text(view)
    page = to_html(view)
    assert "prep: 1 line to change<" in page
    assert "no rule\n&lt;b&gt;" in page and "<b>Do:</b>" not in page


# Pictures that were drawn behind walls, perhaps by whoever took that process over, as parts of a page.


def test_drawing_that_is_no_text_can_be_written_all_the_same() -> None:
    html._drawings.cache_clear()
    with answered([of([Drawing(title="\ud800\n\x1b[2J", svg="<svg>\udfff</svg>")])]):
        image = drawn([Picture(name="Roc", numbers="{}")]).images[0]
    html._drawings.cache_clear()
    assert image.title == "\N{REPLACEMENT CHARACTER} \N{REPLACEMENT CHARACTER}[2J"
    assert base64.b64decode(image.data.partition(",")[2]) == b"<svg>?</svg>"


# The summary for CI.


def test_summary_says_verdict_and_advice_has_the_report_as_text_and_no_markup_of_an_entry() -> None:
    view = for_organiser(evaluations.passed(24, 2), LIMITS)
    text = to_markdown(view)
    assert text.startswith("## ✅ rhythm-classifier.tar.gz: OK, passed\n\n**What to do:** 2 of the exam's records")
    assert all(f"    {line}" in text for line in to_text(view).splitlines())
    prep, quiz = evaluations.failed().outcomes
    quiz = replace(quiz, result=replace(quiz.result, diagnostics="```\n<img src=x>\n# loud"))
    text = to_markdown(for_organiser(replace(evaluations.failed(), outcomes=(prep, quiz)), LIMITS))
    quoted = [line for line in text.splitlines() if "<img" in line or "loud" in line or "```" in line]
    assert quoted and all(line.startswith("    ") for line in quoted)
    named = replace(evaluations.failed(), entry=replace(evaluations.failed().entry, archive=Path("<script>|x")))
    assert to_markdown(for_organiser(named, LIMITS)).startswith(r"## ❌ \<script\>\|x: ")
