"""A missing answer is the worst there can be, or is left out as the option says; of every kind of measure."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from metrics.base import AnswerError
from tests.support.score_tables import column, scored

NUMBERS, THREE = column("value", [1, 2, 3, 6]), column("value", [1, 3, 3])
TRUTH = column("label", [0, 0, 1, 1, 1])
OF_THREE, CHANCES = column("label", "ABCB"), "record,p_A,p_B,p_C\nr0,.7,.2,.1\nr1,.3,.4,.3\nr2,.2,.2,.6\n"
SURVIVAL = "record,time,event\nr0,1,1\nr1,2,0\nr2,3,1\nr3,3,0\nr4,5,1\n"
POINTS = "record,x,y\nr0,0,0\nr0,10,0\nr1,5,5\nr2,,\n"
DETECTED = "record,x,y,score\nr0,0,0,0.9\nr0,10,0,0.9\nr2,,,\n"
EVENTS = "record,onset,offset\nr0,10,20\nr0,40,50\nr1,5,9\nr2,,\n"
ANSWERED = "record,onset,offset\nr0,10,20\nr0,40,50\nr2,,\n"
RISKS = column("risk", [9, 4, 5, 6])

CASES: list[tuple[dict[str, Any], str, str, float, float]] = [
    # 6 is 5 from the farther end of the references, or 6 from that of the range
    ({"measure": "regression.mae"}, NUMBERS, THREE, (1 + 5) / 4, 1 / 3),
    ({"measure": "regression.mae", "range": [0, 10]}, NUMBERS, THREE, (1 + 6) / 4, 1 / 3),
    # at least the largest error made anywhere: silence is never better than an answer
    ({"measure": "regression.mae"}, NUMBERS, column("value", [1, 3, 33]), (1 + 30 + 30) / 4, 31 / 3),
    ({"measure": "regression.r2"}, NUMBERS, THREE, 1 - (1 + 25) / 14, 1 - 1 / 2),
    # the missing positive loses both its pairs: 2.5 of 6 left; it comes last: P 1/1, 2/3 (tie), 3/5
    ({"measure": "classification.auroc"}, TRUTH, column("score", [0.1, 0.4, 0.35, 0.4], ["r0", "r1", "r2", "r4"]),
     2.5 / 6, 2.5 / 4),
    ({"measure": "classification.auprc"}, TRUTH, column("score", [0.1, 0.4, 0.8, 0.4], ["r0", "r1", "r3", "r4"]),
     (1 + 2 / 3 + 3 / 5) / 3, (1 + 2 / 3) / 2),
    # a missing negative is above all: 0.35, 0.8 and 0.4 beat it nowhere
    ({"measure": "classification.auroc"}, TRUTH, column("score", [0.4, 0.35, 0.8, 0.4], ["r1", "r2", "r3", "r4"]),
     1.5 / 6, 1.5 / 3),
    ({"measure": "classification.log_loss", "clip": 0.01}, OF_THREE, CHANCES,
     -(math.log(0.7) + math.log(0.4) + math.log(0.6) + math.log(0.01)) / 4,
     -(math.log(0.7) + math.log(0.4) + math.log(0.6)) / 3),
    ({"measure": "classification.brier"}, OF_THREE, CHANCES, (0.14 + 0.54 + 0.24 + 2) / 4, (0.14 + 0.54 + 0.24) / 3),
    ({"measure": "multilabel.auroc"}, column("labels", ["A", "", "A|B"]), "record,p_A,p_B\nr0,.9,.2\nr1,.8,.1",
     (1 / 2 + 0) / 2, 1),
    ({"measure": "multilabel.exact_match"}, column("labels", ["A", "", "B"]), column("labels", ["A", ""], ["r0", "r2"]),
     1 / 3, 1 / 2),
    ({"measure": "classification.sensitivity"}, TRUTH, column("label", [0, 0, 1, 0]), 1 / 3, 1 / 2),
    ({"measure": "classification.specificity"}, TRUTH, column("label", [0, 1], ["r0", "r2"]), 1 / 2, 1),
    ({"measure": "survival.c_index"}, SURVIVAL, RISKS, 3 / 6, 3 / 4),
    ({"measure": "survival.c_index"}, SURVIVAL, "r0,1", 0, math.nan),
    ({"measure": "detection.f1", "distance": 1}, POINTS, DETECTED, 4 / 5, 1),
    ({"measure": "detection.froc", "distance": 1}, POINTS, DETECTED, 2 / 3, 1),
    ({"measure": "detection.map", "distance": 1}, POINTS, DETECTED, 67 / 101, 1),
    ({"measure": "events.overlap"}, EVENTS, ANSWERED, 4 / 5, 1),
    ({"measure": "events.duration"}, EVENTS, ANSWERED, 40 / 44, 1),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "references", "answers", "worst", "left_out"), CASES)
def test_missing_answer_is_the_worst_or_left_out(
    tmp_path: Path, spec: dict[str, Any], references: str, answers: str, worst: float, left_out: float
) -> None:
    drawn = set()
    for options, value, words in (({}, worst, ""), ({"missing": "exclude-with-note"}, left_out, ", left out")):
        report = scored(tmp_path, {**spec, **options}, references, answers)
        key = report.primary.removeprefix("neg_")
        assert report.values[key] == pytest.approx(value, abs=1e-12, nan_ok=True)
        assert any(f"records have no answer{words}" in note for note in report.notes)
        assert report.resampler is not None
        drawn.add(report.resampler.records)
    assert len(drawn) == 1, "also the records left out are drawn"


def test_missing_landmark_is_at_the_worst_distance_and_a_surplus_one_is_ignored(tmp_path: Path) -> None:
    truth = "record,landmark,x,y\na,tip,0,0\na,top,10,0\nb,tip,5,5\n"
    some = "record,landmark,x,y\na,tip,3,4\na,other,1,1\n"
    with pytest.raises(AnswerError, match="answer for each of 2 landmarks"):
        scored(tmp_path, {"measure": "landmarks.mre"}, truth, some)
    report = scored(tmp_path, {"measure": "landmarks.mre", "worst_mm": 30}, truth, some)
    assert report.values["mre"] == pytest.approx(((5 + 30) / 2 + 30) / 2)
    assert report.values["sdr_4mm"] == 0
    assert "1 answered landmarks that the references do not have are ignored" in report.notes
    left = scored(tmp_path, {"measure": "landmarks.mre", "missing": "exclude-with-note"}, truth, some)
    assert (left.values["mre"], left.per_record["b"]) == (5, {})


@pytest.mark.parametrize("name", ["ccc", "pearson", "spearman"])
def test_missing_number_lies_at_the_farther_end(tmp_path: Path, name: str) -> None:
    truth, spec = column("value", [1, 2, 3, 5]), {"measure": f"regression.{name}"}
    missing = scored(tmp_path, spec, truth, column("value", [1, 2, 3]))
    assert missing.values == pytest.approx(dict(scored(tmp_path, spec, truth, column("value", [1, 2, 3, 1])).values))
    left = scored(tmp_path, {**spec, "missing": "exclude-with-note"}, truth, column("value", [1, 2, 3]))
    assert left.values[left.primary] > missing.values[left.primary]
