from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from metrics.generic import make
from metrics.plots import plots_of, save_plots
from metrics.plots.data import Agreement, CaseDice, Plot, PrecisionRecall, RecordValues, Reliability, RocCurve
from tests.support.score_tables import column, scored
from tests.support.volume_files import labels, write_volume
from tests.unit.metrics.generic.test_resampling import TABLES, N, text


def drawn(report: object, folder: Path) -> Plot:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    (plot,) = plots_of(report)  # type: ignore[arg-type]
    assert all(file.stat().st_size for file in save_plots(report, folder))  # type: ignore[arg-type]
    return plot


def test_roc_curve_has_the_area_and_its_interval(tmp_path: Path) -> None:
    truth = [i % 2 for i in range(20)]
    scores = [i % 7 for i in range(20)]
    report = scored(tmp_path, {"measure": "classification.auroc"}, column("label", truth), column("score", scores))
    plot = drawn(report, tmp_path / "p")
    assert isinstance(plot, RocCurve)
    assert plot.auc == report.values["auroc"]
    assert plot.interval[0] < plot.auc < plot.interval[1]
    heights = np.array(plot.true_positive_rate)
    area = np.diff(plot.false_positive_rate) @ (heights[1:] + heights[:-1]) / 2
    assert area == pytest.approx(plot.auc)


def test_dice_of_each_record_and_structure(tmp_path: Path) -> None:
    write_volume(tmp_path / "r" / "a.nii", labels("1122"))
    write_volume(tmp_path / "r" / "b.nii", labels("1100"))
    write_volume(tmp_path / "a" / "a.nii", labels("1002"))
    write_volume(tmp_path / "a" / "b.nii", labels("1100"))
    spec = {"measure": "segmentation.dice", "labels": {"A": 1, "B": 2}, "both_empty": "exclude-with-note"}
    plot = drawn(make(spec).score(tmp_path / "r", tmp_path / "a"), tmp_path / "p")
    assert isinstance(plot, CaseDice)
    assert plot.cases == ("a", "b")
    assert plot.series["A"] == pytest.approx((2 / 3, 1))
    assert math.isnan(plot.series["B"][1])
    assert plot.means["B"] == pytest.approx(2 / 3)


def test_surface_distances_of_each_record(tmp_path: Path) -> None:
    for side in "ra":
        write_volume(tmp_path / side / "a.nii", labels("0110"))
    plot = drawn(make({"measure": "segmentation.hd95"}).score(tmp_path / "r", tmp_path / "a"), tmp_path / "p")
    assert isinstance(plot, RecordValues)
    (series,) = plot.series.values()
    assert series == (0.0,)


def test_each_class_against_the_others_has_a_roc_curve(tmp_path: Path) -> None:
    spec = {"measure": "classification.auroc", "average": "macro"}
    answers = "record,p_A,p_B,p_C\nr0,0.7,0.2,0.1\nr1,0.3,0.6,0.1\nr2,0.5,0.3,0.2\nr3,0.1,0.4,0.5"
    report = scored(tmp_path, spec, column("label", "ABCC"), answers)
    curves = plots_of(report)
    assert [plot.auc for plot in curves if isinstance(plot, RocCurve)] == [
        report.values[f"auroc[{label}]"] for label in "ABC"
    ]
    assert len({plot.subject for plot in curves}) == 3


def test_precision_by_recall_of_scores_with_a_tie_and_a_missing_answer(tmp_path: Path) -> None:
    spec = {"measure": "classification.auprc", "positive": "1"}
    report = scored(tmp_path, spec, column("label", [1, 0, 1, 0, 1]), "record,score\nr0,0.9\nr1,0.5\nr2,0.5\nr3,0.1")
    plot = drawn(report, tmp_path / "p")
    assert isinstance(plot, PrecisionRecall)
    # the tie of r1 and r2 is one threshold; r4, which is positive and has no answer, comes last
    assert plot.curves == {"1": ((1 / 3, 2 / 3, 2 / 3, 1), (1, 2 / 3, 1 / 2, 3 / 5))}
    assert plot.areas == {"1": report.values["auprc"]}


def test_precision_by_recall_of_detections(tmp_path: Path) -> None:
    spec = {"measure": "detection.map", "distance": 1, "interpolation": "all"}
    report = scored(
        tmp_path, spec, "record,x,y\nr0,0,0\nr1,9,9", "record,x,y,score\nr0,5,5,0.9\nr0,0,0,0.8\nr1,9,9,0.7"
    )
    plot = drawn(report, tmp_path / "p")
    assert isinstance(plot, PrecisionRecall)
    ((recall, precision),) = plot.curves.values()
    assert (recall, precision) == ((0, 1 / 2, 1), (0, 1 / 2, 2 / 3))
    assert list(plot.areas.values()) == [pytest.approx(2 / 3)]


def test_reliability_has_the_share_that_is_right_at_each_confidence(tmp_path: Path) -> None:
    answers = "record,p_A,p_B\nr0,0.95,0.05\nr1,0.92,0.08\nr2,0.35,0.65"
    report = scored(tmp_path, {"measure": "classification.brier"}, column("label", "ABBA"), answers)
    plot = drawn(report, tmp_path / "p")
    assert isinstance(plot, Reliability)
    assert plot.confidence == pytest.approx((0.65, 0.935))
    assert (plot.right, plot.records) == ((1, 0.5), (1, 2))


def test_agreement_has_the_bias_and_its_limits(tmp_path: Path) -> None:
    report = scored(tmp_path, {"measure": "regression.mae"}, column("value", [1, 2, 3, 4]), column("value", [2, 2, 5]))
    plot = drawn(report, tmp_path / "p")
    assert isinstance(plot, Agreement)
    assert (plot.means, plot.differences, plot.bias) == ((1.5, 2, 4), (1, 0, 2), 1)
    assert plot.limits == pytest.approx((1 - 1.96, 1 + 1.96))


DRAWN = ("classification", "regression", "physionet", "landmarks")


@pytest.mark.parametrize("measure", [measure for measure in TABLES if measure.startswith(DRAWN)])
def test_every_measure_of_classes_and_numbers_has_a_picture(measure: str, tmp_path: Path) -> None:
    options, (references, answers), headers = TABLES[measure]
    pair = text(references, headers[0], [1] * N), text(answers, headers[1], [1] * N)
    assert plots_of(scored(tmp_path, {"measure": measure, **options}, *pair))
