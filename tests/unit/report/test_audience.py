"""What a team may see: two exams that differ only in what is hidden look the same to it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

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
    Score,
    Stage,
    StageOutcome,
    StageResult,
    Usage,
    Verdict,
)
from evaluate.report.audience import (
    BEST_ONLY,
    SCORED,
    WITHHELD_COUNTS,
    WITHHELD_EXAM,
    WITHHELD_SCORE,
    Feedback,
    Policy,
    for_organiser,
    for_team,
    on_board,
    record_for_team,
    result_for_team,
    score_for_team,
    usage_on_board,
)
from evaluate.report.ci import to_junit
from evaluate.report.html import to_html
from evaluate.report.json import to_json
from evaluate.report.text import to_text
from evaluate.report.words import counts

LIMITS = {name: Limits(instructions=10**9, wall_seconds=10) for name in ("setup", "quiz", "exam")}
MACHINE = MachineInfo(accelerator="tcg", image="sha256:0", counter=CounterInfo(kind="tcg", calibration_error=0.0))
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


def evaluation(outcomes: tuple[RecordOutcome, ...], secret: str, usage: Usage) -> Evaluation:
    """An evaluation whose exam had these records; ``secret`` is what the metric says of single ones."""
    exam = StageResult(
        stage=Stage.EXAM,
        verdict=Verdict.OK,
        message=counts(outcomes),
        usage=usage,
        records=outcomes,
        diagnostics=secret,
    )
    score = Score(
        primary="F1",
        values={"F1": 0.5},
        official={},
        resampled=tuple(float(outcome.usage.instructions) for outcome in outcomes),
        notes=(Note(text="12 records"), Note(text=secret, record="rec1"), Note(text=secret, record="")),
    )
    return Evaluation(
        entry=Entry(archive=Path("entry.zip"), sha256="0" * 64, size=1),
        challenge="af",
        outcomes=(
            StageOutcome(result=exam, machine=MACHINE),
            StageOutcome(result=StageResult(stage=Stage.SCORE, verdict=Verdict.OK, message="F1 0.5000"), score=score),
        ),
    )


@given(st.data(), st.lists(verdicts, min_size=1, max_size=6), st.integers(0, 49))
def test_exams_that_differ_only_in_hidden_data_look_the_same_to_the_team(
    data: st.DataObject, ended: list[Verdict], noise: int
) -> None:
    usages = (
        Usage(instructions=4_300_000_000 + noise, wall_seconds=12.01),
        Usage(instructions=4_300_000_000, wall_seconds=12.04),
    )
    first, second = (evaluation(data.draw(records(ended)), data.draw(texts), usage) for usage in usages)
    views = [for_team(each, LIMITS, HIDDEN) for each in (first, second)]
    assert views[0] == views[1]
    for form in (to_text, to_html, to_json, to_junit):
        assert form(views[0]) == form(views[1])


def test_organiser_sees_all_of_it() -> None:
    outcomes = (RecordOutcome(record="rec1", verdict=Verdict.OK, usage=Usage(instructions=7), answer="N"),)
    judged_entry = evaluation(outcomes, "secret", Usage(instructions=1234567))
    assert for_organiser(judged_entry, LIMITS).evaluation == judged_entry
    assert "rec1" in to_text(for_organiser(judged_entry, LIMITS))


def test_usage_of_a_hidden_exam_is_told_to_two_digits() -> None:
    judged_entry = evaluation(
        (), "secret", Usage(instructions=123_456_789, wall_seconds=12.345, memory_bytes=98_765_432)
    )
    (exam, _) = for_team(judged_entry, LIMITS, HIDDEN).evaluation.stages
    assert exam.usage == Usage(instructions=120_000_000, wall_seconds=12.0, memory_bytes=99_000_000)


def test_scores_that_are_not_released_are_in_no_form() -> None:
    judged_entry = evaluation((), "secret", Usage())
    view = for_team(judged_entry, LIMITS, Policy(hidden_exam=True, scores_released=False))
    for form in (to_text, to_html, to_junit, to_json):
        assert "0.5" not in str(form(view))


@pytest.mark.parametrize("machine", [MACHINE, None])
def test_error_of_an_answer_to_a_hidden_record_names_no_record_and_no_content(machine: MachineInfo | None) -> None:
    error = "answer for record T1: expected one of N A O, found 'x'"
    judged_entry = Evaluation(
        entry=Entry(archive=Path("entry.zip"), sha256="0" * 64, size=1),
        challenge="af",
        outcomes=(
            StageOutcome(result=StageResult(stage=Stage.EXAM, verdict=Verdict.OK), machine=machine),
            StageOutcome(result=StageResult(stage=Stage.SCORE, verdict=Verdict.BAD_ANSWER, message=error)),
        ),
    )
    for form in (to_text, to_html, to_json, to_junit):
        report = str(form(for_team(judged_entry, LIMITS, HIDDEN)))
        assert "T1" not in report and "'x'" not in report and "the organiser can see which one" in report
    assert error in to_text(for_team(judged_entry, LIMITS, Policy(hidden_exam=False)))
    assert error in to_text(for_organiser(judged_entry, LIMITS))


def tells(show: Show, **more: Any) -> Feedback:
    return Feedback(show=show, digits=2, number=1, **more)


@pytest.mark.parametrize(
    ("show", "value", "instructions"), [(None, 0.4567, 123), (Show.SCORE, 0.46, 120), (Show.VERDICT, 0.46, 0)]
)
def test_board_shows_no_more_than_reports(show: Show | None, value: float, instructions: int) -> None:
    policy = Policy(hidden_exam=True, feedback=None if show is None else tells(show))
    assert on_board(0.4567, policy) == value and on_board(None, policy) is None
    assert usage_on_board(Usage(instructions=123), policy) == Usage(instructions=instructions)


def test_notes_on_single_records_are_counted_and_pictures_and_resamples_kept_back() -> None:
    score = Score(
        primary="F1",
        values={"F1": 0.5},
        official={},
        resampled=(0.4, 0.6),
        pictures=(Picture(name="roc", numbers="{}"),),
        notes=(Note(text="of all"), Note(text="secret", record="r1")),
    )
    hidden = score_for_team(score, HIDDEN)
    assert hidden is not None
    assert [note.text for note in hidden.notes] == ["of all", "1 note on a single record is for the organiser only"]
    assert (hidden.resampled, hidden.pictures) == ((), ())
    two = score_for_team(replace(score, notes=score.notes + score.notes[1:]), HIDDEN)
    assert two is not None and two.notes[-1].text == "2 notes on single records are for the organiser only"
    none = score_for_team(replace(score, notes=score.notes[:1]), HIDDEN)
    assert none is not None and none.notes == score.notes[:1]
    shown = score_for_team(score, Policy(hidden_exam=False))
    assert shown is not None
    assert (shown.notes, shown.pictures, shown.resampled) == (score.notes, score.pictures, ())


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
    judged_entry = replace(evaluation(outcomes, "secret", Usage(instructions=123)), judged=1000.0)
    view = for_team(judged_entry, LIMITS, Policy(hidden_exam=True, feedback=feedback))
    exam, judged = view.evaluation.outcomes
    full = feedback.show is Show.SCORE
    assert exam.result.message == ("120 records, 120 answered" if full else WITHHELD_COUNTS)
    assert (exam.result.usage, exam.result.records) == (Usage(instructions=120 if full else 0), ())
    assert judged.result.message == message
    assert (judged.score and judged.score.values) == (None if score is None else {"F1": score})
    assert view.evaluation.judged == 960.0
    withheld = for_team(judged_entry, LIMITS, Policy(hidden_exam=True, feedback=feedback, scores_released=False))
    assert withheld.evaluation.outcomes[1].score is None
    assert withheld.evaluation.outcomes[1].result.message == WITHHELD_SCORE


def test_unusable_answers_are_failures_of_the_exam_and_teams_learn_their_number_alone() -> None:
    outcomes = tuple(RecordOutcome(record=f"T{n}", verdict=Verdict.OK, usage=Usage()) for n in range(3))
    judged_entry = evaluation(outcomes, "secret", Usage())
    exam, score = judged_entry.outcomes
    unusable = RecordOutcome(record="T1", verdict=Verdict.BAD_ANSWER, usage=Usage(), message="T1.json: expected pairs")
    judged = replace(score, result=replace(score.result, records=(unusable,)))
    judged_entry = replace(judged_entry, outcomes=(exam, judged))
    shown, judged = for_organiser(judged_entry, LIMITS).evaluation.outcomes
    assert shown.result.message == "3 records, 2 answered; 1 BAD_ANSWER"
    assert [(record.record, record.message) for record in shown.result.failed] == [("T1", "T1.json: expected pairs")]
    assert judged.result.records == ()
    view = for_team(judged_entry, LIMITS, HIDDEN)
    assert view.evaluation.outcomes[0].result.message == "3 records, 2 answered; 1 BAD_ANSWER"
    assert "T1" not in json.dumps(to_json(view)) + to_text(view) + to_html(view)


def test_time_is_exact_where_nobody_counts_what_it_tells() -> None:
    judged_entry = replace(evaluation((), "secret", Usage()), judged=1001.5)
    assert for_team(judged_entry, LIMITS, HIDDEN).evaluation.judged == 1001.5
    unjudged = replace(judged_entry, judged=None)
    assert for_team(unjudged, LIMITS, Policy(hidden_exam=True, feedback=tells(Show.SCORE))).evaluation.judged is None


def test_exam_that_failed_before_its_first_record_tells_no_reason() -> None:
    policy = Policy(hidden_exam=True, feedback=tells(Show.SCORE))
    result = StageResult(stage=Stage.EXAM, verdict=Verdict.RUNTIME_ERROR, message="exit code 77", reason="exit code 77")
    shown = result_for_team(result, policy)
    assert (shown.message, shown.reason) == (WITHHELD_EXAM, "")
    of_score = StageResult(stage=Stage.SCORE, verdict=Verdict.RUNTIME_ERROR, message="why", diagnostics="secret")
    assert result_for_team(of_score, policy).message == WITHHELD_EXAM
    scored = replace(of_score, verdict=Verdict.OK)
    assert result_for_team(scored, policy) == replace(scored, diagnostics="", message=SCORED)
    assert result_for_team(of_score, HIDDEN) == replace(of_score, diagnostics="")


def test_of_a_record_of_a_hidden_exam_the_team_sees_that_it_is_done() -> None:
    outcome = RecordOutcome(record="T1", verdict=Verdict.OK, usage=Usage())
    assert record_for_team(Stage.EXAM, outcome, HIDDEN) is None
    assert record_for_team(Stage.QUIZ, outcome, HIDDEN) is outcome


FULL = Feedback(show=Show.SCORE, digits=3, number=2)
LATE = replace(FULL, withheld=True)
VERDICT = replace(FULL, show=Show.VERDICT)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.123456, 0.123), (1e-12, 0.0), (-3e11, -math.inf), (math.inf, math.inf), (1234.0, 1230.0)],
)
def test_number_is_shown_to_so_many_digits_in_a_bounded_range(value: float, shown: float) -> None:
    assert FULL.number_shown(value) == shown


def test_every_number_of_a_score_is_shown_to_so_many_digits() -> None:
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
