"""What a team may see: two exams that differ only in what is hidden look the same to it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluate.core.model import (
    CounterInfo,
    Entry,
    Evaluation,
    Limits,
    MachineInfo,
    Note,
    RecordOutcome,
    Score,
    Stage,
    StageOutcome,
    StageResult,
    Usage,
    Verdict,
)
from evaluate.report.audience import Policy, for_organiser, for_team, record_for_team
from evaluate.report.html import to_html
from evaluate.report.json import to_json
from evaluate.report.junit import to_junit
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
        resampled=tuple(float(one.usage.instructions) for one in outcomes),
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
    one, other = (evaluation(data.draw(records(ended)), data.draw(texts), usage) for usage in usages)
    views = [for_team(each, LIMITS, HIDDEN) for each in (one, other)]
    assert views[0] == views[1]
    for form in (to_text, to_html, to_json, to_junit):
        assert form(views[0]) == form(views[1])


def test_organiser_sees_all_of_it() -> None:
    outcomes = (RecordOutcome(record="rec1", verdict=Verdict.OK, usage=Usage(instructions=7), answer="N"),)
    found = evaluation(outcomes, "secret", Usage(instructions=1234567))
    assert for_organiser(found, LIMITS).evaluation == found
    assert "rec1" in to_text(for_organiser(found, LIMITS))


def test_usage_of_a_hidden_exam_is_told_to_two_digits() -> None:
    found = evaluation((), "secret", Usage(instructions=123_456_789, wall_seconds=12.345, memory_bytes=98_765_432))
    (exam, _) = for_team(found, LIMITS, HIDDEN).evaluation.stages
    assert exam.usage == Usage(instructions=120_000_000, wall_seconds=12.0, memory_bytes=99_000_000)


def test_scores_that_are_not_released_are_in_no_form() -> None:
    found = evaluation((), "secret", Usage())
    view = for_team(found, LIMITS, Policy(hidden_exam=True, scores_released=False))
    for form in (to_text, to_html, to_junit, to_json):
        assert "0.5" not in str(form(view))


@pytest.mark.parametrize("machine", [MACHINE, None])
def test_error_of_an_answer_to_a_hidden_record_names_no_record_and_no_content(machine: MachineInfo | None) -> None:
    error = "answer for record T1: expected one of N A O, found 'x'"
    found = Evaluation(
        entry=Entry(archive=Path("entry.zip"), sha256="0" * 64, size=1),
        challenge="af",
        outcomes=(
            StageOutcome(result=StageResult(stage=Stage.EXAM, verdict=Verdict.OK), machine=machine),
            StageOutcome(result=StageResult(stage=Stage.SCORE, verdict=Verdict.BAD_ANSWER, message=error)),
        ),
    )
    for form in (to_text, to_html, to_json, to_junit):
        told = str(form(for_team(found, LIMITS, HIDDEN)))
        assert "T1" not in told and "'x'" not in told and "the organiser can see which one" in told
    assert error in to_text(for_team(found, LIMITS, Policy(hidden_exam=False)))
    assert error in to_text(for_organiser(found, LIMITS))


def test_of_a_record_of_a_hidden_exam_the_team_sees_that_it_is_done() -> None:
    outcome = RecordOutcome(record="T1", verdict=Verdict.OK, usage=Usage())
    assert record_for_team(Stage.EXAM, outcome, HIDDEN) is None
    assert record_for_team(Stage.QUIZ, outcome, HIDDEN) is outcome
