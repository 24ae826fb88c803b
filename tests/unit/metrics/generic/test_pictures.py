from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from metrics.generic import make
from metrics.plots import CaseDice, Confusion, FrocCurve, Plot, RocCurve, plots_of, save_plots
from tests.support.score_tables import column, scored
from tests.support.volume_files import labels, write_volume


def drawn(report: object, folder: Path) -> Plot:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    (plot,) = plots_of(report)  # type: ignore[arg-type]
    assert all(file.stat().st_size for file in save_plots(report, folder))  # type: ignore[arg-type]
    return plot


def test_confusion_has_what_occurs_and_what_is_missing(tmp_path: Path) -> None:
    report = scored(tmp_path, {"measure": "classification.f1"}, column("label", "AAB"), "r0,A\nr1,C")
    plot = drawn(report, tmp_path / "p")
    assert isinstance(plot, Confusion)
    assert (plot.references, plot.answers) == (("A", "B", "C"), ("A", "B", "C", "none"))
    assert plot.counts == ((1, 0, 1, 0), (0, 0, 0, 1), (0, 0, 0, 0))
    assert plot.shares[:2] == ((0.5, 0, 0.5, 0), (0, 0, 0, 1))


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


def test_froc_curve_has_the_rates_of_the_option(tmp_path: Path) -> None:
    spec = {"measure": "detection.froc", "distance": 1, "rates": [0.5, 1]}
    report = scored(tmp_path, spec, "record,x,y\nr0,0,0\nr1,,", "record,x,y,score\nr0,5,5,0.9\nr0,0,0,0.8")
    plot = drawn(report, tmp_path / "p")
    assert isinstance(plot, FrocCurve)
    assert plot.points == ((0.5, 1), (1, 1))


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


def test_measures_without_a_picture_have_none(tmp_path: Path) -> None:
    report = scored(tmp_path, {"measure": "regression.mae"}, column("value", [1]), column("value", [1]))
    assert plots_of(report) == ()
