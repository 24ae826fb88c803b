"""The numbers of each picture, computed by hand; nothing here draws."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest

import metrics
from metrics.base import AnswerError, ScoreReport
from metrics.generic import make
from metrics.plots import af_timeline, data, details_of, plots_of
from metrics.readers.cases import CaseScore, mean_report
from metrics.statistics.uncertainty import intervals
from tests.support import evaluations
from tests.support.challenge_files import Episodes, Frames, Slides, saved
from tests.support.score_tables import column, scored
from tests.support.volume_files import labels, write_pairs
from tests.unit.metrics.challenges.test_camelyon16 import HIT, MISS
from tests.unit.metrics.challenges.test_cpsc2021 import AFP, COMMENTS, PAROXYSMAL

NAN = math.nan


def rhythm(folder: Path, references: str = "NNAO~~", answers: str = "NAAN~ ") -> ScoreReport:
    """Records 0, 1, 2, ... with a letter each; a space is no answer."""
    for file, letters in (("R.csv", references), ("A.txt", answers)):
        lines = [f"{i},{letter}\n" for i, letter in enumerate(letters) if letter != " "]
        (folder / file).write_text("".join(lines))
    return metrics.get("cinc2017").score(folder / "R.csv", folder / "A.txt")


def episodes(*classes: tuple[int, int]) -> ScoreReport:
    """A record for each pair of true and answered class."""
    per_record = {f"data_{i}_1": {"class_true": true, "class_pred": pred} for i, (true, pred) in enumerate(classes)}
    return ScoreReport(metric="cpsc2021", rules="corrected", primary="U", values={"U": 0.5}, per_record=per_record)


def cases(metric: str, keys: Sequence[str], rows: Mapping[str, Sequence[float]]) -> ScoreReport:
    scored = {name: CaseScore(values=dict(zip(keys, row, strict=True))) for name, row in rows.items()}
    return mean_report(metric=metric, rules="corrected", keys=keys, cases=scored)


P = TypeVar("P", bound=data.Plot)


def only(report: ScoreReport, kind: type[P] = data.Plot) -> P:  # type: ignore[assignment]
    (plot,) = plots_of(report)
    assert isinstance(plot, kind)
    return plot


def test_froc_of_two_slides(tmp_path: Path) -> None:
    challenge = Slides(tmp_path)
    # from the top: 0.9 and 0.5 are false positives, 0.8 and 0.3 find the two lesions
    for slide, false, found in (("Tumor_1", 0.9, 0.8), ("Tumor_2", 0.5, 0.3)):
        challenge.mask(slide)
        challenge.sheet(slide, f"{false},{MISS}", f"{found},{HIT}")
    plot = only(challenge.score("corrected"), data.FrocCurve)
    assert plot.false_positives == (0.0, 0.5, 0.5, 1.0, 1.0)
    assert plot.sensitivity == (0.0, 0.0, 0.5, 0.5, 1.0)
    assert plot.points == ((0.25, 0.0), (0.5, 0.5), (1, 1.0), (2, 1.0), (4, 1.0), (8, 1.0))
    assert plot.score == pytest.approx(4.5 / 6)
    assert plot.title == "camelyon16: froc = 0.7500, 2 slides, corrected rules"
    assert plot.band == ()  # two slides are too few for an interval
    assert all(map(math.isnan, plot.interval))


def test_froc_of_slides_without_lesions_has_no_band(tmp_path: Path) -> None:
    challenge = Slides(tmp_path)
    for i in range(6):
        challenge.sheet(f"Normal_{i}", f"0.5,{MISS}")
    plot = only(challenge.score("corrected"), data.FrocCurve)
    assert plot.band == () and math.isnan(plot.score)


def test_band_and_interval_hold_curve_and_score(tmp_path: Path) -> None:
    challenge, random = Slides(tmp_path), np.random.default_rng(2)
    slides = [f"{('Normal', 'Tumor')[i % 2]}_{i}" for i in range(40)]
    for slide in slides:
        challenge.sheet(slide, *(f"{score},{MISS}" for score in random.random(3)), f"{random.random()},{HIT}")
    for slide in slides[1::2]:
        challenge.mask(slide)
    report = challenge.score("corrected", slides)
    plot = only(report, data.FrocCurve)
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


def test_undefined_dice_comes_first_and_makes_the_mean_undefined() -> None:
    rows = {"a": (0.8, 0.9, 0.7), "b": (NAN, 0.6, NAN)}
    plot = only(cases("kits19", ("composite", "tk_dice", "tu_dice"), rows), data.CaseDice)
    assert plot.cases == ("b", "a")
    assert plot.means["kidney and tumour"] == 0.75
    assert math.isnan(plot.means["tumour"]) and math.isnan(plot.target)
    assert "composite undefined" in plot.title


def test_roc_curve_has_the_area_and_its_interval(tmp_path: Path) -> None:
    truth = [i % 2 for i in range(20)]
    scores = [i % 7 for i in range(20)]
    report = scored(tmp_path, {"measure": "classification.auroc"}, column("label", truth), column("score", scores))
    plot = only(report, data.RocCurve)
    assert plot.auc == report.values["auroc"]
    assert plot.interval[0] < plot.auc < plot.interval[1]
    heights = np.array(plot.true_positive_rate)
    area = np.diff(plot.false_positive_rate) @ (heights[1:] + heights[:-1]) / 2
    assert area == pytest.approx(plot.auc)


def test_dice_of_each_record_and_structure(tmp_path: Path) -> None:
    pairs = {"a": (labels("1122"), labels("1002")), "b": (labels("1100"), labels("1100"))}
    spec = {"measure": "segmentation.dice", "labels": {"A": 1, "B": 2}, "both_empty": "exclude-with-note"}
    plot = only(make(spec).score(*write_pairs(tmp_path, pairs)), data.CaseDice)
    assert plot.cases == ("a", "b")
    assert plot.series["A"] == pytest.approx((2 / 3, 1))
    assert math.isnan(plot.series["B"][1])
    assert plot.means["B"] == pytest.approx(2 / 3)


def test_each_class_against_the_others_has_a_roc_curve(tmp_path: Path) -> None:
    spec = {"measure": "classification.auroc", "average": "macro"}
    answers = "record,p_A,p_B,p_C\nr0,0.7,0.2,0.1\nr1,0.3,0.6,0.1\nr2,0.5,0.3,0.2\nr3,0.1,0.4,0.5"
    report = scored(tmp_path, spec, column("label", "ABCC"), answers)
    curves = plots_of(report)
    assert [plot.auc for plot in curves if isinstance(plot, data.RocCurve)] == [
        report.values[f"auroc[{label}]"] for label in "ABC"
    ]
    assert len({plot.subject for plot in curves}) == 3


OBJECTS, FOUND = "record,x,y\nr0,0,0\nr1,9,9", "record,x,y,score\nr0,5,5,0.9\nr0,0,0,0.8\nr1,9,9,0.7"
PROBABLE = "record,p_A,p_B\nr0,0.95,0.05\nr1,0.92,0.08\nr2,0.35,0.65"
SORTED = {"c": (0.5, 0.9, 0.1), "a": (0.8, 0.9, 0.7), "b": (0.5, 0.6, 0.4)}
BY_HAND: list[tuple[Callable[[Path], ScoreReport], type[data.Plot], dict[str, object]]] = [
    # counts, shares of the row, and a column for missing answers; F1n = 2/4, F1a = 2/3, F1o = 0
    (rhythm, data.Confusion,
     {"references": ("N", "A", "O", "~"), "answers": ("N", "A", "O", "~", "none"),
      "counts": ((1, 1, 0, 0, 0), (0, 1, 0, 0, 0), (1, 0, 0, 0, 0), (0, 0, 0, 1, 1)),
      "shares": ((0.5, 0.5, 0, 0, 0), (0, 1, 0, 0, 0), (1, 0, 0, 0, 0), (0, 0, 0, 0.5, 0.5)),
      "title": "cinc2017: F1 = 0.3889, 6 records, corrected rules"}),
    (lambda _: episodes((0, 0), (1, 2), (2, -1), (2, 2)), data.Confusion,
     {"references": ("non-AF", "persistent", "paroxysmal"), "counts": ((1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 1, 1)),
      "title": "cpsc2021: U = 0.5000, 4 records, corrected rules"}),
    (lambda _: episodes((1, 1)), data.Confusion,
     {"counts": ((0, 0, 0), (0, 1, 0), (0, 0, 0)), "title": "cpsc2021: U = 0.5000, 1 record, corrected rules"}),
    # b and c have equal means
    (lambda _: cases("mlperf_kits19", ("mean_dice", "l1_dice", "l2_dice"), SORTED), data.CaseDice,
     {"cases": ("b", "c", "a"), "series": {"kidney": (0.6, 0.9, 0.9), "tumour": (0.4, 0.1, 0.7)},
      "means": pytest.approx({"kidney": 0.8, "tumour": 0.4}), "target": 0.908,
      "title": "mlperf_kits19: mean_dice = 0.6000, 3 cases, corrected rules"}),
    # the tie of r1 and r2 is one threshold; r4, which is positive and has no answer, comes last
    (lambda folder: scored(folder, {"measure": "classification.auprc", "positive": "1"},
                           column("label", [1, 0, 1, 0, 1]), "record,score\nr0,0.9\nr1,0.5\nr2,0.5\nr3,0.1"),
     data.PrecisionRecall,
     {"curves": {"1": ((1 / 3, 2 / 3, 2 / 3, 1), (1, 2 / 3, 1 / 2, 3 / 5))},
      "areas": pytest.approx({"1": (1 + 2 / 3 * 1 / 2 * 2 + 3 / 5) / 3})}),
    (lambda folder: scored(folder, {"measure": "detection.map", "distance": 1, "interpolation": "all"}, OBJECTS, FOUND),
     data.PrecisionRecall,
     {"curves": {"all": ((0, 1 / 2, 1), (0, 1 / 2, 2 / 3))}, "areas": pytest.approx({"all": 2 / 3})}),
    (lambda folder: scored(folder, {"measure": "classification.brier"}, column("label", "ABBA"), PROBABLE),
     data.Reliability, {"confidence": pytest.approx((0.65, 0.935)), "right": (1, 0.5), "records": (1, 2)}),
    (lambda folder: scored(folder, {"measure": "regression.mae"}, column("value", [1, 2, 3, 4]),
                           column("value", [2, 2, 5])),
     data.Agreement,
     {"means": (1.5, 2, 4), "differences": (1, 0, 2), "bias": 1, "limits": pytest.approx((1 - 1.96, 1 + 1.96))}),
]  # fmt: skip


@pytest.mark.parametrize(("score", "kind", "expected"), BY_HAND)
def test_picture_has_the_numbers_that_are_counted_by_hand(
    tmp_path: Path, score: Callable[[Path], ScoreReport], kind: type[data.Plot], expected: dict[str, object]
) -> None:
    plot = only(score(tmp_path), kind)
    assert {name: getattr(plot, name) for name in expected} == expected


def test_every_picture_is_the_same_after_a_journey_as_json_where_nan_is_null(tmp_path: Path) -> None:
    confusion = only(rhythm(tmp_path, "NN", "NO"))
    assert confusion.as_json()["shares"][:2] == [[0.5, 0, 0.5, 0], [None, None, None, None]]
    for plot in (*evaluations.plots(), confusion):
        text = json.dumps(plot.as_json(), allow_nan=False)
        again = data.Plot.from_json(json.loads(text))
        assert type(again) is type(plot)
        assert json.dumps(again.as_json()) == text


@pytest.mark.parametrize("values", [{"plot": "moon"}, {"plot": "roc", "auc": "x"}, {}])
def test_other_values_are_no_picture(values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"no picture|Expected|missing"):
        data.Plot.from_json(values)


@pytest.fixture
def bench(tmp_path: Path) -> Episodes:
    """A record with an episode from sample 650 to 1250 and beats every 100 samples, and one without."""
    bench = Episodes(tmp_path)
    bench.add_record("p", COMMENTS[AFP], PAROXYSMAL)
    bench.add_record("n", COMMENTS[0])
    return bench


def test_timeline_in_seconds_with_windows_and_what_each_start_and_end_earned(bench: Episodes) -> None:
    bench.add_answer("p", [[549, 1250], [1500, 1600]])
    plot = af_timeline(bench.references, bench.answers, "p")
    assert plot.seconds == 10.5
    assert plot.reference == ((3.25, 6.25),)
    assert plot.answered == ((2.745, 6.25), (7.5, 8.0))
    assert set(plot.start_windows) == {(2.25, 2.75, 0.5), (2.75, 4.25, 1.0), (4.25, 4.75, 0.5)}
    assert set(plot.end_windows) == {(4.75, 5.25, 0.5), (5.25, 6.75, 1.0), (6.75, 7.25, 0.5)}
    assert plot.earned == ((0.5, 1.0), (0.0, 0.0))
    # Ue = 1.5 times one reference episode over two answered
    assert plot.title == "cpsc2021, record p: U = 1.75 (Ur 1, Ue 0.75), corrected rules"


def test_timeline_tells_no_answer_from_an_answer_without_episode_and_has_no_windows_without_one(
    bench: Episodes,
) -> None:
    bench.add_answer("p", [])
    bench.add_answer("n", [[100, 200]])
    without, wrong = (af_timeline(bench.references, bench.answers, record) for record in "pn")
    (bench.answers / "p.json").unlink()
    missing = af_timeline(bench.references, bench.answers, "p")
    assert (without.has_answer, missing.has_answer) == (True, False)
    assert without.answered == missing.answered == ()
    assert (wrong.reference, wrong.start_windows, wrong.end_windows) == ((), (), ())
    assert wrong.earned == ((0.0, 0.0),)


def test_timeline_refuses_two_answers_and_positions_outside(bench: Episodes) -> None:
    bench.add_answer("p", [[0, 5000]])
    with pytest.raises(AnswerError, match=r"expected positions from 0 to 2099"):
        af_timeline(bench.references, bench.answers, "p")
    (bench.answers / "p.mat").write_bytes(saved(np.array([[1, 2]])))
    with pytest.raises(AnswerError, match=r"p\.mat, record p: expected one answer file for the record, found p\.json"):
        af_timeline(bench.references, bench.answers, "p")


def test_landmarks_of_a_frame_are_found_missed_or_false_and_frames_with_most_errors_come_first(tmp_path: Path) -> None:
    bench = Frames(tmp_path)
    for name, points in (("a", [(10, 10), (50, 50)]), ("b", [(5, 5)]), ("c", [(1, 1), (30, 30)] * 2), ("d", [(5, 5)])):
        bench.add_labels(f"p/v/{name}", points)
    for name, points in (("a", [(13, 14), (90, 20)]), ("b", [(5, 5)]), ("d", [(5, 5), (70, 70)])):
        bench.add_answer(f"p/v/{name}", points)
    report = bench.score()
    assert only(report, data.LandmarkErrors).distances_px == (0, 0, 5)
    missed, plot, false = details_of(report, bench.references, bench.answers)
    assert (missed.subject, plot.subject, false.subject) == ("p/v/c", "p/v/a", "p/v/d")
    assert isinstance(missed, data.FrameLandmarks) and isinstance(plot, data.FrameLandmarks)
    assert missed.missed == ((1.0, 1.0), (30.0, 30.0)) * 2
    assert plot.matched == (((10.0, 10.0), (13.0, 14.0)),)
    assert (plot.missed, plot.false) == (((50.0, 50.0),), ((90.0, 20.0),))
    assert plot.title == "adaptor2021, frame p/v/a: 1 found, 1 false, 1 missed"
