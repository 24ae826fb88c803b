import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from metrics.generic import make
from metrics.generic.base import wilson_interval
from metrics.generic.tables import table_of
from metrics.statistics.uncertainty import compare, intervals
from tests.support.score_tables import column, scored


def test_interval_of_a_share_is_wilsons_with_a_width_where_nothing_failed(tmp_path: Path) -> None:
    assert wilson_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)  # Newcombe, 1998, table I
    assert wilson_interval(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson_interval(0, 20) == pytest.approx((0, 0.1611), abs=5e-5)
    for name, of_share in (("sensitivity", 30), ("accuracy", 32)):
        right = column("label", [1] * 30 + [0] * 2)
        report = scored(tmp_path, {"measure": f"classification.{name}"}, right, right)
        assert intervals(report).of[name] == pytest.approx((1 / (1 + 1.959964**2 / of_share), 1), abs=1e-6)
    patients = "record,label,patient\n" + "".join(f"r{i},{i % 2},p{i // 2}\n" for i in range(20))
    several = scored(tmp_path, {"measure": "classification.accuracy"}, patients, column("label", [0, 1] * 9 + [1, 1]))
    assert several.intervals == {}


ILL = "record,label\nr0,1\nr1,1\nr2,0\nr3,0\nr4,0\n"


def test_interval_of_the_roc_area_is_delongs_by_hand(tmp_path: Path) -> None:
    report = scored(tmp_path, {"measure": "classification.auroc"}, ILL, column("score", [4, 2, 3, 1, 0]))
    # shares of others in order: of positives 1, 2/3 (variance 1/18), of negatives 1/2, 1, 1 (variance 1/12)
    error = math.sqrt(1 / 18 / 2 + 1 / 12 / 3)
    assert report.values["auroc"] == pytest.approx(5 / 6)
    freedom = error**4 / ((1 / 36) ** 2 / 1 + (1 / 36) ** 2 / 2)
    logit, half = math.log(5), stats.t.ppf(0.975, freedom) * error / (5 / 36)
    by_hand = [1 / (1 + math.exp(-logit - side * half)) for side in (-1, 1)]
    assert report.intervals["auroc"] == pytest.approx(by_hand, abs=0.002)  # Student's quantile is an approximation
    assert intervals(report).of["auroc"] == report.intervals["auroc"]


def test_interval_of_f1_is_wilsons_of_the_records_of_the_class(tmp_path: Path) -> None:
    spec = {"measure": "classification.f1", "average": "binary", "positive": "ill", "labels": ["well", "ill"]}
    truth = "record,label\n" + "".join(f"r{i},{'ill' if i < 10 else 'well'}\n" for i in range(40))
    answers = "record,label\n" + "".join(f"r{i},{'ill' if 2 <= i < 13 else 'well'}\n" for i in range(40))
    report = scored(tmp_path, spec, truth, answers)
    low, high = wilson_interval(8, 13)  # 8 hits of 13 records that are ill or called ill
    assert report.values["f1_binary"] == pytest.approx(16 / 21)
    assert report.intervals["f1_binary"] == pytest.approx((2 * low / (1 + low), 2 * high / (1 + high)))
    assert report.intervals["f1[ill]"] == report.intervals["f1_binary"]
    of_patients = scored(tmp_path, spec, truth.replace("label\n", "label,patient\n").replace("ll\n", "ll,p\n"), answers)
    assert not of_patients.intervals


def test_two_roc_areas_are_compared_by_delong_and_by_bootstrap_where_patients_have_several_records(
    tmp_path: Path,
) -> None:
    r = np.random.default_rng(5)
    truth = [i % 2 for i in range(60)]
    first, second = (
        column("score", (np.array(truth) * shift + r.normal(size=60)).round(3).tolist()) for shift in (2, 1)
    )
    spec = {"measure": "classification.auroc"}
    plain = [scored(tmp_path, spec, column("label", truth), answers) for answers in (first, second)]
    comparison = compare(*plain)
    assert comparison.p_value == compare(*plain, seed=1).p_value  # a formula, not a draw
    low, high = comparison.low, comparison.high
    assert comparison.difference == pytest.approx((low + high) / 2)
    patients = "record,label,patient\n" + "".join(f"r{i},{k},p{i // 3}\n" for i, k in enumerate(truth))
    several = [scored(tmp_path, spec, patients, answers) for answers in (first, second)]
    assert several[0].intervals == {}
    assert compare(*several).p_value != comparison.p_value


def test_other_missing_answers_leave_no_formula_for_the_comparison(tmp_path: Path) -> None:
    spec = {"measure": "classification.auroc", "missing": "exclude-with-note"}
    truth = column("label", [0, 1] * 6)
    names = [f"r{i}" for i in range(12)]
    values = [0.1, 0.9, 0.3, 0.2, 0.5, 0.7, 0.6, 0.4, 0.2, 0.8, 0.3, 0.6]
    reports = [
        scored(tmp_path, spec, truth, column("score", values[kept], names[kept]))
        for kept in (slice(0, 11), slice(1, 12))
    ]
    assert reports[0].resampler is not None and reports[1].resampler is not None
    assert reports[0].resampler.paired(reports[1].resampler, "auroc", 0.95) is None  # type: ignore[attr-defined]
    assert compare(*reports).p_value > 0


def test_interval_of_a_mean_over_classes_counts_one_more_failure_of_each() -> None:
    labels = ["a"] * 20 + ["b"] * 8 + ["c"] * 2
    columns = {"label": labels}
    report = make({"measure": "classification.f1"}).score_tables(table_of("r", columns), table_of("a", columns))
    # all right: of n records and answers of a class 2 n / (2 n + 1) is left by one more that has no answer
    expected = np.mean([40 / 41, 16 / 17, 4 / 5])
    assert report.failing["f1_macro"] == pytest.approx((0.0, 1 - expected))
    assert intervals(report).of["f1_macro"] == pytest.approx((min(expected, 0.05 ** (1 / 30)), 1.0))


def test_micro_f1_of_answered_records_has_the_interval_of_accuracy() -> None:
    truth, answers = {"label": ["a"] * 20 + ["b"] * 10}, {"label": ["a"] * 22 + ["b"] * 8}
    tables = table_of("r", truth), table_of("a", answers)
    bounds = [
        intervals(make({"measure": f"classification.{name}", **options}).score_tables(*tables)).of[key]
        for name, options, key in (("f1", {"average": "micro"}, "f1_micro"), ("accuracy", {}, "accuracy"))
    ]
    assert bounds[0] == bounds[1]


def test_bound_of_average_precision_counts_a_record_that_no_threshold_gets_right(tmp_path: Path) -> None:
    report = scored(tmp_path, {"measure": "classification.auprc"}, ILL, column("score", [4, 2, 3, 1, 0]))
    # two positive records: with another found first 1/2 and 2/3 at best, with another found last (1 + 1 + 3/n) / 3
    assert report.failing["auprc"] == (0.0, pytest.approx(1 - (1 / 2 + 2 / 3) / 2))
