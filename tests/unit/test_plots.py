"""The numbers of each picture by hand, and the pictures as files."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image

import metrics
from metrics.__main__ import main
from metrics.base import ScoreReport
from metrics.camelyon16 import _report, _Slide
from metrics.froc import SlideHits
from metrics.plots import Plot, af_timeline, plots_of, save_plots
from metrics.plots.data import AfTimeline, CaseDice, Confusion, FrocCurve, LandmarkErrors, RocCurve
from metrics.plots.draw import save
from tests.conftest import CHECKOUT


@pytest.fixture
def rhythm(tmp_path: Path) -> ScoreReport:
    (tmp_path / "R.csv").write_text("a,N\nb,N\nc,A\nd,O\ne,~\nf,~\n")
    (tmp_path / "A.txt").write_text("a,N\nb,A\nc,A\nd,N\ne,~\n")
    return metrics.get("cinc2017").score(tmp_path / "R.csv", tmp_path / "A.txt")


def slides(n: int, *, lesions: int = 1) -> ScoreReport:
    random = np.random.default_rng(2)
    return _report(
        "camelyon16",
        "corrected",
        [
            _Slide(
                record=f"s{i}",
                hits=SlideHits(
                    false_positives=random.random(3),
                    lesion_scores=random.random(i % 2 * lesions),
                    lesions=i % 2 * lesions,
                ),
                found=i % 2 * lesions,
                itc=0,
                is_tumour=i % 2 * lesions > 0,
                score=i % 2 + random.random(),
            )
            for i in range(n)
        ],
        [],
    )


def dice(metric: str, cases: int, *keys: str) -> ScoreReport:
    random = np.random.default_rng(5)
    numbers = {f"case_{i:05d}": dict(zip(keys, random.random(len(keys)).tolist(), strict=True)) for i in range(cases)}
    return ScoreReport(metric=metric, rules="corrected", primary=keys[0], values={}, per_record=numbers)


def landmarks(distances: list[float], **frames: tuple[int, int, int]) -> ScoreReport:
    counts = {
        name.replace("__", "/"): dict(zip(("TP", "FP", "FN"), map(float, numbers), strict=True))
        for name, numbers in frames.items()
    }
    curves = {"distances_px": distances}
    return ScoreReport(
        metric="adaptor2021", rules="corrected", primary="F1", values={}, per_record=counts, curves=curves
    )


def timeline(seconds: float = 60.0) -> AfTimeline:
    return AfTimeline(
        title="data_1_2: U = 1",
        record="data_1_2",
        seconds=seconds,
        reference=((10.0, 20.0),),
        answered=(),
        rewards=((9.0, 11.0, 1.0), (8.0, 9.0, 0.5)),
    )


def test_confusion_has_a_column_for_what_was_not_answered(rhythm: ScoreReport) -> None:
    (plot,) = plots_of(rhythm)
    assert isinstance(plot, Confusion)
    assert plot.answers == ("N", "A", "O", "~", "none")
    assert plot.counts == ((1, 1, 0, 0, 0), (0, 1, 0, 0, 0), (1, 0, 0, 0, 0), (0, 0, 0, 1, 1))
    assert plot.title == "cinc2017, 6 records, corrected rules"


def test_classes_of_cpsc_are_counted() -> None:
    per_record = {
        f"data_{i}_1": {"class_true": float(true), "class_pred": float(answered)}
        for i, (true, answered) in enumerate([(0, 0), (1, 2), (2, -1), (2, 2)])
    }
    report = ScoreReport(metric="cpsc2021", rules="corrected", primary="U", values={}, per_record=per_record)
    (plot,) = plots_of(report)
    assert isinstance(plot, Confusion)
    assert plot.counts == ((1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 1, 1))


def test_froc_rises_and_goes_through_the_score() -> None:
    froc, roc = plots_of(slides(40))
    assert isinstance(froc, FrocCurve) and isinstance(roc, RocCurve)
    assert list(froc.false_positives) == sorted(froc.false_positives)
    assert np.mean([sensitivity for _, sensitivity in froc.points]) == pytest.approx(froc.score)
    assert [rate for rate, _ in froc.points] == [0.25, 0.5, 1, 2, 4, 8]
    for rate, low, high in froc.band:
        assert low <= np.interp(rate, froc.false_positives, froc.sensitivity) <= high
    assert froc.interval[0] <= froc.score <= froc.interval[1]
    assert (roc.auc, roc.interval) == (1.0, (1.0, 1.0))


def test_dice_is_ordered_by_case_and_has_the_target_of_mlperf() -> None:
    (plot,) = plots_of(dice("mlperf_kits19", 5, "l1_dice", "l2_dice"))
    assert isinstance(plot, CaseDice)
    means = [(a + b) / 2 for a, b in zip(*plot.series.values(), strict=True)]
    assert means == sorted(means)
    assert plot.target == 0.908
    (other,) = plots_of(dice("kits19", 1, "tk_dice", "tu_dice"))
    assert isinstance(other, CaseDice)
    assert math.isnan(other.target)


def test_landmarks_are_counted_by_patient() -> None:
    (plot,) = plots_of(landmarks([0.5, 1.0], p1__a=(1, 2, 3), p1__b=(1, 0, 0), p2__a=(0, 0, 4)))
    assert isinstance(plot, LandmarkErrors)
    assert plot.counts == {"p1": (2, 2, 3), "p2": (0, 0, 4)}


def test_metric_of_others_has_no_picture() -> None:
    assert plots_of(ScoreReport(metric="other", rules="corrected", primary="x", values={"x": 1.0})) == ()


def test_episodes_of_a_real_record(shared: Path, tmp_path: Path) -> None:
    data = shared / "data" / "cpsc2021"
    plot = af_timeline(data, data / "answers-baseline", "data_25_24")
    assert plot.seconds == 28393 / 200
    assert plot.reference == tuple((a / 200, b / 200) for a, b in [(7617, 9335), (12116, 13329), (15232, 16309)])
    assert "U = 2.5" in plot.title
    assert len(plot.answered) == 3
    assert {reward for _, _, reward in plot.rewards} == {0.5, 1.0}
    unanswered = af_timeline(data, tmp_path, "data_25_24")
    assert unanswered.answered == ()


PLOTS = {
    "froc": lambda: plots_of(slides(30))[0],
    "froc without lesions": lambda: plots_of(slides(2, lesions=0))[0],
    "roc": lambda: plots_of(slides(30))[1],
    "dice": lambda: plots_of(dice("kits19", 12, "tk_dice", "tu_dice"))[0],
    "dice of one": lambda: plots_of(dice("kits19", 1, "tk_dice", "tu_dice"))[0],
    "dice of many": lambda: plots_of(dice("kits23", 489, "dice_kidney_and_mass", "dice_mass", "dice_tumor"))[0],
    "landmarks": lambda: plots_of(landmarks([1.0, 2.0], p1__a=(2, 1, 1)))[0],
    "no landmark": lambda: plots_of(landmarks([], **{"patient_of_a_long_name_indeed__a": (0, 0, 1)}))[0],
    "episodes": timeline,
    "long record": lambda: timeline(3600.0),
}


@pytest.mark.parametrize("name", PLOTS)
def test_picture_is_drawn_with_its_title_and_twice_the_same(name: str, tmp_path: Path) -> None:
    plot: Plot = PLOTS[name]()
    svg, png = save(plot, tmp_path / "a")
    text = "".join(ET.parse(svg).getroot().itertext())
    assert plot.title in text
    with Image.open(png) as picture:
        assert picture.size[0] >= 600
        assert picture.getextrema()[0][0] < 128  # something dark is on it
    for first, second in zip((svg, png), save(plot, tmp_path / "b"), strict=True):
        assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("name", PLOTS)
def test_numbers_are_values_of_json(name: str) -> None:
    plot: Plot = PLOTS[name]()
    text = json.dumps(plot.as_json(), allow_nan=False)
    assert json.loads(text)["plot"] == plot.name


def test_users_settings_are_left_alone(rhythm: ScoreReport, tmp_path: Path) -> None:
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    save_plots(rhythm, tmp_path)
    assert dict(mpl.rcParams) == before


def test_missing_library_is_named() -> None:
    code = "import sys; sys.modules['matplotlib'] = None\nimport metrics.plots\nimport metrics.plots.draw"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=CHECKOUT)
    assert "pictures need matplotlib: pip install 'sandbox-evaluate[plots]'" in done.stderr


def test_command_draws(rhythm: ScoreReport, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = ["--references", str(tmp_path / "R.csv"), "--answers", str(tmp_path / "A.txt")]
    assert main(["--metric", "cinc2017", *files, "--plots", str(tmp_path / "plots")]) == 0
    assert sorted(p.name for p in (tmp_path / "plots").iterdir()) == [
        "cinc2017-confusion.png",
        "cinc2017-confusion.svg",
    ]
    assert "cinc2017-confusion.svg" in capsys.readouterr().err
