"""The score in the report: intervals in every form, and no word on a record of a hidden exam."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluate.core.model import Entry, Evaluation, Limits, RecordOutcome, Score, Stage, StageResult, Usage, Verdict
from evaluate.report.report import to_html, to_json, to_text

OUTCOMES = tuple(
    RecordOutcome(record=record, verdict=Verdict.OK, usage=Usage()) for record in ("Tumor_001", "p1/a/f.2", "7")
)
SCORE = Score(
    primary="froc",
    values={"froc": 0.5, "auc": 0.75},
    official={"froc": 0.25},
    intervals={"froc": (0.4, 0.625)},
    notes=(
        "slides without a CSV, scored as without detections (1): Tumor_001",
        "Tumor_001: its reference shows no tumour, so it is a normal slide",
        "official: p1/a/f.2: outlines do not tell the slide's size",
        "official: the organisers' program stops here: answers, record 7: expected a float",
        "Tumor_0011 and 17 are no records of the exam",
    ),
)
EVALUATION = Evaluation(
    entry=Entry(archive=Path("entry.zip"), sha256="0" * 64, size=1),
    challenge="camelyon16",
    accelerator="none",
    image="",
    counter=None,
    stages=(
        StageResult(stage=Stage.EXAM, verdict=Verdict.OK, records=OUTCOMES),
        StageResult(stage=Stage.SCORE, verdict=Verdict.OK, message="froc 0.5000"),
    ),
    score=SCORE,
)
LIMITS = {"exam": Limits(instructions=1, wall_seconds=1)}
FORMS = {
    "text": lambda hidden: to_text(EVALUATION, LIMITS, hidden_exam=hidden),
    "html": lambda hidden: to_html(EVALUATION, LIMITS, hidden_exam=hidden),
}


@pytest.mark.parametrize("form", ["text", "html"])
def test_every_value_stands_with_its_interval_and_the_official_one(form: str) -> None:
    text = FORMS[form](True)
    for part in ("0.5000", "0.400 to 0.625", "0.2500", "0.7500"):
        assert part in text


def test_json_has_intervals_beside_the_values() -> None:
    found = to_json(EVALUATION, hidden_exam=True)["score"]
    assert found["intervals"] == {"froc": [0.4, 0.625]}
    assert found["values"] == {"froc": 0.5, "auc": 0.75}


def test_notes_on_records_of_a_hidden_exam_are_the_organisers() -> None:
    notes = to_json(EVALUATION, hidden_exam=True)["score"]["notes"]
    assert notes == [
        "slides without a CSV, scored as without detections (1)",
        "official: the organisers' program stops here",
        "Tumor_0011 and 17 are no records of the exam",
        "2 notes on single records are the organiser's",
    ]
    assert to_json(EVALUATION, hidden_exam=False)["score"]["notes"] == list(SCORE.notes)


@pytest.mark.parametrize("form", ["text", "html"])
def test_no_form_of_a_hidden_report_says_what_a_slide_is(form: str) -> None:
    assert "normal slide" in FORMS[form](False)
    assert "normal slide" not in FORMS[form](True)
    assert "Tumor_001" not in FORMS[form](True).replace("Tumor_0011", "")
