from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from metrics.base import ReferenceDataError
from metrics.generic import make
from metrics.generic.combined import mean_ranks
from metrics.statistics.uncertainty import compare, intervals
from tests.support.score_tables import scored, write

ACCURACY: dict[str, Any] = {"measure": "classification.accuracy"}
ERROR: dict[str, Any] = {"measure": "regression.mae", "value_column": "age"}
REFERENCES = "record,label,age\nr0,A,10\nr1,A,20\nr2,B,30\nr3,B,40\n"
ANSWERS = "record,label,age\nr0,A,12\nr1,A,20\nr2,B,30\nr3,A,40\n"


def test_weighted_sum_by_hand(tmp_path: Path) -> None:
    spec = {"combine": "weighted", "of": [{**ACCURACY, "weight": 2}, {**ERROR, "weight": 0.5}]}
    report = scored(tmp_path, spec, REFERENCES, ANSWERS)
    # a loss counts by its negative
    assert report.values == pytest.approx(
        {
            "weighted": 2 * 0.75 + 0.5 * -0.5,
            "classification.accuracy: accuracy": 0.75,
            "regression.mae: neg_mae": -0.5,
            "regression.mae: mae": 0.5,
        }
    )
    assert report.per_record["r3"]["classification.accuracy: correct"] == 0
    assert report.per_record["r0"]["regression.mae: error"] == 2


def test_ranks_among_known_results_by_hand(tmp_path: Path) -> None:
    # accuracy 0.75 beats one of four and ties with one; MAE 0.5 (-0.5) beats both
    parts = [{**ACCURACY, "against": [0.5, 0.75, 0.8, 0.9]}, {**ERROR, "against": [-1, -2]}]
    report = scored(tmp_path, {"combine": "ranks", "of": parts}, REFERENCES, ANSWERS)
    assert report.values["ranks"] == pytest.approx(((1 + 0.5) / 4 + 1) / 2)


def test_parts_may_take_another_value_and_files_of_their_own(tmp_path: Path) -> None:
    for side, text in ("references", REFERENCES), ("answers", ANSWERS):
        write(tmp_path / side / "labels" / f"{side}.csv", text)
        write(tmp_path / side / "ages.csv", text)
    parts = [
        {**ACCURACY, "references": "labels", "answers": "labels"},
        {**ERROR, "name": "age", "value": "mae", "references": "ages.csv", "answers": "ages.csv"},
    ]
    report = make({"combine": "weighted", "of": parts}).score(tmp_path / "references", tmp_path / "answers")
    assert report.values["weighted"] == pytest.approx(0.75 + 0.5)
    with pytest.raises(ReferenceDataError, match=r"expected the option value .* found 'maes' \(did you mean 'mae'"):
        make({"combine": "weighted", "of": [{**ERROR, "value": "maes"}]}).score(
            tmp_path / "references" / "ages.csv", tmp_path / "answers" / "ages.csv"
        )


def test_combinations_can_be_combined(tmp_path: Path) -> None:
    inner = {"combine": "weighted", "of": [ACCURACY], "name": "inner", "weight": 2}
    report = scored(tmp_path, {"combine": "weighted", "of": [inner, ERROR]}, REFERENCES, ANSWERS)
    assert report.values["weighted"] == pytest.approx(2 * 0.75 - 0.5)
    assert report.values["inner: classification.accuracy: accuracy"] == 0.75


def test_missing_answers_are_what_each_part_makes_of_them(tmp_path: Path) -> None:
    spec = {"combine": "weighted", "of": [ACCURACY, {**ERROR, "missing": "exclude-with-note"}]}
    report = scored(tmp_path, spec, REFERENCES, "\n".join(ANSWERS.splitlines()[:-1]))
    assert report.values["weighted"] == pytest.approx(0.75 - 2 / 3)
    assert report.notes == (
        "classification.accuracy: 1 of 4 records have no answer, counted as wrong",
        "regression.mae: 1 of 4 records have no answer, left out",
    )


def test_part_without_a_value_makes_the_sum_undefined(tmp_path: Path) -> None:
    spec = {"combine": "weighted", "of": [ACCURACY, {"measure": "regression.r2", "value_column": "age"}]}
    report = scored(tmp_path, spec, REFERENCES.replace("20", "10").replace("30", "10").replace("40", "10"), ANSWERS)
    assert math.isnan(report.values["weighted"])


def test_parts_must_have_the_same_records(tmp_path: Path) -> None:
    for side, text in ("references", REFERENCES), ("answers", ANSWERS):
        write(tmp_path / side / "a.csv", text)
        write(tmp_path / side / "b.csv", "\n".join(text.splitlines()[:3]))
    parts = [
        {**ACCURACY, "references": "a.csv", "answers": "a.csv"},
        {**ERROR, "references": "b.csv", "answers": "b.csv"},
    ]
    metric = make({"combine": "weighted", "of": parts})
    folders = tmp_path / "references", tmp_path / "answers"
    with pytest.raises(ReferenceDataError, match="expected the same 4 records in every part"):
        metric.score(*folders)
    assert metric.score(*folders, records=["r1", "r0"]).values["weighted"] == pytest.approx(1 - 1)


def test_sum_has_an_interval_by_patient_and_can_be_compared(tmp_path: Path) -> None:
    references = "record,label,age,patient\n" + "".join(f"r{i},{'AB'[i % 2]},{i},p{i // 2}\n" for i in range(40))
    answers = "record,label,age\n" + "".join(f"r{i},{'ABB'[i % 3]},{i + i % 5}\n" for i in range(40))
    spec = {"combine": "weighted", "of": [ACCURACY, {**ERROR, "weight": 0.1}]}
    first = scored(tmp_path, spec, references, answers)
    assert intervals(first).clusters == 20
    low, high = intervals(first).of["weighted"]
    assert low < first.values["weighted"] < high
    second = scored(tmp_path, spec, references, references)
    assert compare(second, first).p_value < 0.05


def test_mean_ranks_rank_each_value_first(tmp_path: Path) -> None:
    reports = {
        name: scored(tmp_path, {"combine": "weighted", "of": [ACCURACY, ERROR]}, REFERENCES, answers)
        for name, answers in (
            ("ours", ANSWERS),
            ("exact", REFERENCES),
            ("labels only", REFERENCES.replace("40", "90")),
            ("same as ours", ANSWERS),
        )
    }
    keys = ["classification.accuracy: accuracy", "regression.mae: neg_mae"]
    # accuracy: exact and labels share 1, the others 3; error: exact 1, the two 2, labels 4
    assert mean_ranks(reports, keys) == {"exact": 1, "labels only": 2.5, "ours": 2.5, "same as ours": 2.5}
