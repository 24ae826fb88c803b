from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.adapters import score_arrays
from metrics.base import ScoreReport
from metrics.generic import SpecError, make
from metrics.generic.base import wilson_interval
from metrics.statistics.uncertainty import intervals
from tests.support.score_tables import column, scored

sklearn_metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")

# TP 3 FN 1, FP 2 TN 4
TRUTH, ANSWERS = [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], [1, 1, 1, 0, 1, 1, 0, 0, 0, 0]
RATES = {"sensitivity": 3 / 4, "specificity": 4 / 6, "ppv": 3 / 5, "npv": 4 / 5, "youden": 3 / 4 + 4 / 6 - 1}


def of(tmp_path: Path, name: str, truth: Any, answers: Any, **options: Any) -> ScoreReport:
    kind = "label" if name in (*RATES, "weighted_kappa", "weighted_accuracy", "accuracy") else "score"
    spec = {"measure": f"classification.{name}", **options}
    return scored(tmp_path, spec, column("label", list(truth)), column(kind, list(answers)))


@pytest.mark.parametrize("name", RATES)
def test_each_rate_is_first_and_the_others_beside_it(tmp_path: Path, name: str) -> None:
    report = of(tmp_path, name, TRUTH, ANSWERS)
    assert report.primary == name
    assert report.values == pytest.approx(RATES)


def test_missing_and_unknown_answers_are_the_wrong_one_of_two(tmp_path: Path) -> None:
    answers = column("label", [1, 1, 1, 0, 1, 1, 0, 0, 7], [f"r{i}" for i in range(9)])  # r8 unknown, r9 missing
    report = scored(tmp_path, {"measure": "classification.specificity"}, column("label", TRUTH), answers)
    assert report.values["specificity"] == pytest.approx(2 / 6)
    assert report.values["ppv"] == pytest.approx(3 / 7)


def test_of_more_classes_the_positive_one_is_judged_against_the_others(tmp_path: Path) -> None:
    report = of(tmp_path, "sensitivity", "AABBC", "ABBCC", positive="A")
    assert report.values["sensitivity"] == 0.5
    assert report.values["specificity"] == 1


def test_interval_of_a_share_is_wilsons_with_a_width_where_nothing_failed(tmp_path: Path) -> None:
    report = of(tmp_path, "sensitivity", [1] * 30 + [0] * 2, [1] * 30 + [0] * 2)
    low, high = intervals(report).of["sensitivity"]
    assert (low, high) == pytest.approx((1 / (1 + 1.959964**2 / 30), 1), abs=1e-6)
    assert wilson_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)  # Newcombe, 1998, table I
    assert wilson_interval(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson_interval(0, 20) == pytest.approx((0, 0.1611), abs=5e-5)
    accuracy = of(tmp_path, "accuracy", TRUTH, TRUTH)
    assert intervals(accuracy).of["accuracy"][0] == pytest.approx(1 / (1 + 1.959964**2 / 10), abs=1e-6)
    patients = "record,label,patient\n" + "".join(f"r{i},{i % 2},p{i // 2}\n" for i in range(20))
    several = scored(tmp_path, {"measure": "classification.accuracy"}, patients, column("label", [0, 1] * 9 + [1, 1]))
    assert several.intervals == {}


@pytest.mark.parametrize("weights", ["linear", "quadratic", "none"])
def test_weighted_kappa_as_scikit_learn(tmp_path: Path, weights: str) -> None:
    r = np.random.default_rng(1)
    grades = list(range(12))  # whose order by alphabet is another
    spec = {"measure": "classification.weighted_kappa", "labels": grades, "weights": weights}
    for _ in range(8):
        truth = r.integers(0, 12, 80)
        answers = np.clip(truth + r.integers(-2, 3, 80), 0, 11)
        kind = None if weights == "none" else weights
        peer = sklearn_metrics.cohen_kappa_score(truth, answers, labels=grades, weights=kind)
        assert score_arrays(spec, truth, answers) == pytest.approx(peer, abs=1e-12)
    same = np.arange(12).repeat(2)
    plain = of(tmp_path, "weighted_kappa", same, np.roll(same, 1), weights=weights).values["kappa"]
    declared = of(tmp_path, "weighted_kappa", same, np.roll(same, 1), weights=weights, labels=[*map(str, range(12))])
    assert plain == declared.values["kappa"]


def test_weighted_kappa_by_hand_with_a_missing_answer_and_with_one_class(tmp_path: Path) -> None:
    # grades 0 1 2; answers 0, 2 and none, which disagrees by 2 with its reference 2
    report = scored(
        tmp_path, {"measure": "classification.weighted_kappa", "labels": ["0", "1", "2"], "weights": "linear"},
        column("label", [0, 1, 2]), column("label", [0, 2], ["r0", "r1"]),
    )  # fmt: skip
    expected = ((0 + 2 + 2) + (1 + 1 + 1) + (2 + 0 + 2)) / 3
    assert report.values["kappa"] == pytest.approx(1 - (0 + 1 + 2) / expected)
    assert math.isnan(of(tmp_path, "weighted_kappa", "AA", "AA").values["kappa"])


def test_weighted_accuracy_is_the_murmur_score_of_physionet_2022(tmp_path: Path) -> None:
    weights = {"Present": 5, "Unknown": 3, "Absent": 1}
    report = of(tmp_path, "weighted_accuracy", "PPUAAA", "PAUAPA", weights={"P": 5, "U": 3, "A": 1})
    assert report.values["weighted_accuracy"] == 0.625
    outcome = of(tmp_path, "weighted_accuracy", "AAANNN", "ANANAN", weights={"A": 5, "N": 1})
    assert outcome.values["weighted_accuracy"] == pytest.approx(0.6666666666666666, abs=1e-12)
    with pytest.raises(SpecError, match=r"a weight of the label 'Absnt'.*did you mean 'Absent'"):
        make({"measure": "classification.weighted_accuracy", "weights": weights, "labels": ["Present", "Absnt"]})


SCORES = [0.9, 0.8, 0.6, 0.3, 0.8, 0.5, 0.4, 0.3, 0.2, 0.1]
# falling: .9 TP1 FP0; .8 TP2 FP1 (a tie of both classes); .6 TP3; .5 FP2; .4 FP3; .3 TP4 FP4; .2 FP5; .1 FP6


@pytest.mark.parametrize(
    ("name", "at", "by_hand"),
    [
        ("sensitivity_at_specificity", 5 / 6, 3 / 4),
        ("sensitivity_at_specificity", 0.9, 1 / 4),  # the tie at .8 cannot be parted
        ("sensitivity_at_specificity", 0.0, 1.0),
        ("specificity_at_sensitivity", 0.75, 5 / 6),
        ("specificity_at_sensitivity", 0.8, 2 / 6),
        ("ppv_at_sensitivity", 0.5, 3 / 4),
        ("npv_at_specificity", 0.5, 5 / 6),
        ("sensitivity_at_ppv", 0.7, 3 / 4),
        ("sensitivity_at_ppv", 1.0, 1 / 4),
    ],
)
def test_operating_points_by_hand_with_ties(tmp_path: Path, name: str, at: float, by_hand: float) -> None:
    report = of(tmp_path, name, TRUTH, SCORES, at=at)
    assert report.values[name] == pytest.approx(by_hand, abs=1e-12)


def test_operating_point_may_be_that_nothing_is_positive(tmp_path: Path) -> None:
    none = of(tmp_path, "sensitivity_at_specificity", [1, 0, 0], [0.1, 0.9, 0.8], at=1)
    assert none.values["sensitivity_at_specificity"] == 0
    report = of(tmp_path, "sensitivity_at_specificity", [1, 1], [0.1, 0.9], at=0.5)
    assert math.isnan(report.values["sensitivity_at_specificity"])


def test_top_fraction_is_the_mean_over_the_orders_of_ties() -> None:
    truth = [int(i % 5 == 0) for i in range(40)]
    scores = [0.9 if i in (0, 5, 1) else 0.1 for i in range(40)]
    spec = {"measure": "classification.top_fraction", "fraction": 0.05}
    # two places for three of .9, of which two are positive, of eight; PhysioNet 2025 draws 10,000 orders: 0.16725
    assert score_arrays(spec, truth, scores) == pytest.approx(2 * 2 / 3 / 8)
    assert score_arrays({**spec, "fraction": 0.1}, truth, scores) == pytest.approx((2 + 6 / 37) / 8)
    assert score_arrays({**spec, "fraction": 1}, truth, scores) == 1
    assert score_arrays({**spec, "fraction": 0.01}, truth, scores) == 0
