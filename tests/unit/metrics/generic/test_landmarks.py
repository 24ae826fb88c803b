from __future__ import annotations

from pathlib import Path

import pytest

from metrics.base import AnswerError
from metrics.plots import plots_of
from tests.support.score_tables import scored

TRUTH = "record,landmark,x,y\na,tip,0,0\na,top,10,0\nb,tip,5,5\n"
ANSWERS = "record,landmark,x,y\na,tip,3,4\na,top,10,2\nb,tip,5,5\n"


def test_errors_and_rates_by_hand(tmp_path: Path) -> None:
    report = scored(tmp_path, {"measure": "landmarks.mre"}, TRUTH, ANSWERS)
    # 5 and 2 mm in a, 0 in b: every record counts once, every landmark in the rates
    assert report.values == pytest.approx(
        {"neg_mre": -1.75, "mre": 1.75, "sdr_2mm": 2 / 3, "sdr_2.5mm": 2 / 3, "sdr_3mm": 2 / 3, "sdr_4mm": 2 / 3}
    )
    assert report.per_record["a"] == {"tip": 5, "top": 2}
    spaced = scored(tmp_path, {"measure": "landmarks.sdr", "spacing_mm": [1, 0.5], "within_mm": [1]}, TRUTH, ANSWERS)
    assert spaced.primary == "sdr_1mm"
    assert spaced.values == pytest.approx({"sdr_1mm": 2 / 3, "mre": (((9 + 4) ** 0.5 + 1) / 2) / 2})
    assert len(plots_of(report)) == 1


def test_registration_has_the_error_before_and_robustness(tmp_path: Path) -> None:
    truth = "record,landmark,x,y,x_before,y_before\na,1,0,0,0,6\na,2,10,0,10,1\nb,1,5,5,9,5\n"
    report = scored(tmp_path, {"measure": "landmarks.tre"}, truth, ANSWERS.replace("tip", "1").replace("top", "2"))
    assert report.values == pytest.approx(
        {"neg_tre": -1.75, "tre": 1.75, "tre_before": (3.5 + 4) / 2, "robustness": (0.5 + 1) / 2}
    )


def test_missing_and_surplus_landmarks(tmp_path: Path) -> None:
    some = "record,landmark,x,y\na,tip,3,4\na,other,1,1\n"
    with pytest.raises(AnswerError, match="answer for each of 2 landmarks"):
        scored(tmp_path, {"measure": "landmarks.mre"}, TRUTH, some)
    report = scored(tmp_path, {"measure": "landmarks.mre", "worst_mm": 30}, TRUTH, some)
    assert report.values["mre"] == pytest.approx(((5 + 30) / 2 + 30) / 2)
    assert report.values["sdr_4mm"] == 0
    assert "1 answered landmarks that the references do not have are ignored" in report.notes
    left = scored(tmp_path, {"measure": "landmarks.mre", "missing": "exclude-with-note"}, TRUTH, some)
    assert left.values["mre"] == 5
    assert left.per_record["b"] == {}
