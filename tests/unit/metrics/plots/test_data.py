"""The numbers of each picture, computed by hand; nothing here draws."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

import metrics
from metrics.base import ScoreReport
from metrics.challenges.camelyon16 import _report, _Slide
from metrics.measures.froc import SlideHits
from metrics.plots import plots_of
from metrics.plots.data import AfTimeline, CaseDice, Confusion, FrocCurve, Plot
from metrics.readers.cases import CaseScore, mean_report
from metrics.statistics.uncertainty import intervals
from tests.support import evaluations

NAN = math.nan


def rhythm(folder: Path, references: str = "NNAO~~", answers: str = "NAAN~ ") -> ScoreReport:
    """Records 0, 1, 2, ... with a letter each; a space is no answer."""
    folder.mkdir(exist_ok=True)
    for file, letters in (("R.csv", references), ("A.txt", answers)):
        lines = [f"{i},{letter}\n" for i, letter in enumerate(letters) if letter != " "]
        (folder / file).write_text("".join(lines))
    return metrics.get("cinc2017").score(folder / "R.csv", folder / "A.txt")


def episodes(*classes: tuple[int, int]) -> ScoreReport:
    """A record for each pair of true and answered class."""
    per_record = {f"data_{i}_1": {"class_true": true, "class_pred": pred} for i, (true, pred) in enumerate(classes)}
    return ScoreReport(metric="cpsc2021", rules="corrected", primary="U", values={"U": 0.5}, per_record=per_record)


def slides(
    hits: Sequence[tuple[Sequence[float], Sequence[float], int]], scores: Sequence[float] | None = None
) -> ScoreReport:
    """Slides by confidences of false positives, scores of found lesions, and number of lesions."""
    return _report(
        "camelyon16",
        "corrected",
        [
            _Slide(
                record=f"s{i}",
                hits=SlideHits(false_positives=np.array(false), lesion_scores=np.array(hit), lesions=lesions),
                lesions_found=len(hit),
                itc=0,
                is_tumour=lesions > 0,
                score=None if scores is None else scores[i],
            )
            for i, (false, hit, lesions) in enumerate(hits)
        ],
        [],
    )


def many_slides(n: int) -> ScoreReport:
    random = np.random.default_rng(2)
    hits = [(random.random(3), random.random(i % 2), i % 2) for i in range(n)]
    return slides(hits, scores=[i % 2 * 0.3 + random.random() for i in range(n)])


def cases(metric: str, keys: Sequence[str], rows: Mapping[str, Sequence[float]]) -> ScoreReport:
    scored = {name: CaseScore(values=dict(zip(keys, row, strict=True))) for name, row in rows.items()}
    return mean_report(metric=metric, rules="corrected", keys=keys, cases=scored)


def landmarks(*distances: float) -> ScoreReport:
    return ScoreReport(
        metric="adaptor2021",
        rules="corrected",
        primary="F1",
        values={"F1": 0.5},
        per_record={"p/v/a": {"TP": 0.0, "FP": 0.0, "FN": 1.0}},
        curves={"distances_px": distances},
    )


def only(report: ScoreReport) -> Plot:
    (plot,) = plots_of(report)
    return plot


def test_confusion_has_counts_and_shares_of_the_row_and_a_column_for_missing_answers(tmp_path: Path) -> None:
    plot = only(rhythm(tmp_path))
    assert isinstance(plot, Confusion)
    assert (plot.references, plot.answers) == (("N", "A", "O", "~"), ("N", "A", "O", "~", "none"))
    assert plot.counts == ((1, 1, 0, 0, 0), (0, 1, 0, 0, 0), (1, 0, 0, 0, 0), (0, 0, 0, 1, 1))
    assert plot.shares == ((0.5, 0.5, 0, 0, 0), (0, 1, 0, 0, 0), (1, 0, 0, 0, 0), (0, 0, 0, 0.5, 0.5))
    # F1n = 2/4, F1a = 2/3, F1o = 0
    assert plot.title == "cinc2017: F1 = 0.3889, 6 records, corrected rules"


def test_classes_of_cpsc_are_counted() -> None:
    plot = only(episodes((0, 0), (1, 2), (2, -1), (2, 2)))
    assert isinstance(plot, Confusion)
    assert plot.references == ("non-AF", "persistent", "paroxysmal")
    assert plot.counts == ((1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 1, 1))
    assert plot.title == "cpsc2021: U = 0.5000, 4 records, corrected rules"
    plot = only(episodes((1, 1)))
    assert isinstance(plot, Confusion)
    assert plot.counts == ((0, 0, 0), (0, 1, 0), (0, 0, 0))
    assert ", 1 record," in plot.title


def test_froc_of_two_slides() -> None:
    # from the top: 0.9 and 0.5 are false positives, 0.8 and 0.3 find the two lesions
    plot = only(slides([([0.9], [0.8], 1), ([0.5], [0.3], 1)]))
    assert isinstance(plot, FrocCurve)
    assert plot.false_positives == (0.0, 0.5, 0.5, 1.0, 1.0)
    assert plot.sensitivity == (0.0, 0.0, 0.5, 0.5, 1.0)
    assert plot.points == ((0.25, 0.0), (0.5, 0.5), (1, 1.0), (2, 1.0), (4, 1.0), (8, 1.0))
    assert plot.score == pytest.approx(4.5 / 6)
    assert plot.title == "camelyon16: froc = 0.7500, 2 slides, corrected rules"
    assert plot.band == ()  # two slides are too few for an interval
    assert all(map(math.isnan, plot.interval))


def test_band_and_interval_hold_curve_and_score() -> None:
    report = many_slides(40)
    plot = plots_of(report)[0]
    assert isinstance(plot, FrocCurve)
    for rate, low, high in plot.band:
        assert low <= np.interp(rate, plot.false_positives, plot.sensitivity) <= high
    assert any(low < high for _, low, high in plot.band)
    false, sensitivity = report.curves["total_FPs"][::-1], report.curves["total_sensitivity"][::-1]
    assert len(plot.false_positives) < len(false), "points amid a level stretch are left out, and those alone"
    where = np.linspace(0, 4, 1001)
    drawn = np.interp(where, plot.false_positives, plot.sensitivity)
    np.testing.assert_array_equal(drawn, np.interp(where, false, sensitivity))
    assert plot.interval == intervals(report).of["froc"]
    assert plot.interval[0] < plot.score < plot.interval[1]


def test_froc_without_lesions_is_undefined() -> None:
    plot = only(slides([([0.5], [], 0)] * 6))
    assert isinstance(plot, FrocCurve)
    assert math.isnan(plot.score) and plot.band == ()
    assert plot.title == "camelyon16: froc undefined, 6 slides, corrected rules"


def test_dice_is_sorted_by_case_and_has_the_means_of_the_report_and_the_target() -> None:
    rows = {"c": (0.5, 0.9, 0.1), "a": (0.8, 0.9, 0.7), "b": (0.5, 0.6, 0.4)}
    plot = only(cases("mlperf_kits19", ("mean_dice", "l1_dice", "l2_dice"), rows))
    assert isinstance(plot, CaseDice)
    assert plot.cases == ("b", "c", "a")  # b and c have equal means
    assert plot.series == {"kidney": (0.6, 0.9, 0.9), "tumour": (0.4, 0.1, 0.7)}
    assert plot.means == {"kidney": pytest.approx(0.8), "tumour": pytest.approx(0.4)}
    assert plot.target == 0.908
    assert plot.title == "mlperf_kits19: mean_dice = 0.6000, 3 cases, corrected rules"


def test_undefined_dice_comes_first_and_makes_the_mean_undefined() -> None:
    rows = {"a": (0.8, 0.9, 0.7), "b": (NAN, 0.6, NAN)}
    plot = only(cases("kits19", ("composite", "tk_dice", "tu_dice"), rows))
    assert isinstance(plot, CaseDice)
    assert plot.cases == ("b", "a")
    assert plot.means["kidney and tumour"] == 0.75
    assert math.isnan(plot.means["tumour"]) and math.isnan(plot.target)
    assert "composite undefined" in plot.title


def timeline(**changed: object) -> AfTimeline:
    numbers = {
        "subject": "data_1_2",
        "title": "cpsc2021, record data_1_2: U = 2.5 (Ur 1, Ue 1.5), corrected rules",
        "seconds": 60.0,
        "reference": ((10.0, 20.0),),
        "answered": ((10.5, 21.5),),
        "has_answer": True,
        "start_windows": ((9.0, 11.0, 1.0), (8.0, 9.0, 0.5)),
        "end_windows": ((19.0, 21.0, 1.0), (21.0, 22.0, 0.5)),
        "earned": ((1.0, 0.5),),
    }
    return AfTimeline(**(numbers | changed))  # type: ignore[arg-type]


def test_every_picture_is_the_same_after_a_journey_as_json_where_nan_is_null(tmp_path: Path) -> None:
    confusion = only(rhythm(tmp_path, "NN", "NO"))
    assert confusion.as_json()["shares"][:2] == [[0.5, 0, 0.5, 0], [None, None, None, None]]
    for plot in (*evaluations.plots(), *plots_of(many_slides(3)), confusion, only(landmarks()), timeline()):
        text = json.dumps(plot.as_json(), allow_nan=False)
        again = Plot.from_json(json.loads(text))
        assert type(again) is type(plot)
        assert json.dumps(again.as_json()) == text


@pytest.mark.parametrize("values", [{"plot": "moon"}, {"plot": "roc", "auc": "x"}, {}])
def test_other_values_are_no_picture(values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"no picture|Expected|missing"):
        Plot.from_json(values)
