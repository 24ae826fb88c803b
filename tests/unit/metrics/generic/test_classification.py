from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from metrics.adapters import score_arrays
from metrics.base import ReferenceDataError, ScoreReport
from metrics.generic import SpecError, make
from metrics.generic.tables import table_of
from metrics.statistics.uncertainty import compare, intervals
from tests.support.score_tables import column, scored

sklearn_metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")

# by hand:      A A A A B B C      A: TP 2 FN 2 FP 1, B: TP 1 FN 1 FP 1, C: TP 1 FN 0 FP 1
REFERENCES = "AAAABBC"
ANSWERS = "AABCBAC"


def value(tmp_path: Path, measure: str, references: str, answers: str, **options: Any) -> float:
    report = scored(tmp_path, {"measure": f"classification.{measure}", **options}, references, answers)
    return report.values[report.primary]


def of_labels(tmp_path: Path, measure: str, references: str, answers: str, **options: Any) -> ScoreReport:
    """Of one letter a record; a dot is a missing answer."""
    given = [(f"r{i}", label) for i, label in enumerate(answers) if label != "."]
    text = column("label", [label for _, label in given], [name for name, _ in given])
    spec = {"measure": f"classification.{measure}", **options}
    return scored(tmp_path, spec, column("label", list(references)), text)


@pytest.mark.parametrize(
    ("measure", "options", "by_hand"),
    [
        ("accuracy", {}, 4 / 7),
        ("balanced_accuracy", {}, (2 / 4 + 1 / 2 + 1) / 3),
        ("f1", {}, (4 / 7 + 2 / 4 + 2 / 3) / 3),
        ("f1", {"average": "micro"}, 4 / 7),
        ("f1", {"average": "weighted"}, (4 * 4 / 7 + 2 * 2 / 4 + 1 * 2 / 3) / 7),
        ("f1", {"average": "binary", "positive": "B"}, 2 / 4),
        # c s - sum p t = 4*7 - (3*4 + 2*2 + 2*1) = 10; s2 - sum p2 = 49 - 17; s2 - sum t2 = 49 - 21
        ("mcc", {}, 10 / math.sqrt((49 - 17) * (49 - 21))),
    ],
)
def test_labels_by_hand(tmp_path: Path, measure: str, options: dict[str, Any], by_hand: float) -> None:
    report = of_labels(tmp_path, measure, REFERENCES, ANSWERS, **options)
    assert report.values[report.primary] == pytest.approx(by_hand, abs=1e-12)


def test_missing_answer_is_a_miss_of_its_class_and_a_hit_of_none(tmp_path: Path) -> None:
    # A: TP 1 FN 1 FP 0, B: TP 1 FN 0 FP 0
    f1 = of_labels(tmp_path, "f1", "AAB", "A.B")
    assert f1.values == pytest.approx({"f1_macro": (2 / 3 + 1) / 2, "f1[A]": 2 / 3, "f1[B]": 1})
    assert f1.notes == ("1 of 3 records have no answer, counted as wrong",)
    assert f1.per_record["r1"] == {"reference": "A", "answer": "", "correct": 0.0}
    excluded = of_labels(tmp_path, "f1", "AAB", "A.B", missing="exclude-with-note")
    assert excluded.values["f1_macro"] == 1
    assert excluded.notes == ("1 of 3 records have no answer, left out",)
    assert set(excluded.per_record) == {"r0", "r2"}
    assert excluded.resampler is not None
    assert excluded.resampler.records == ("r0", "r1", "r2")
    # as an answer of a fourth class: 2*3 - (1*2 + 1*1) = 3, 9 - (1 + 1 + 1), 9 - (4 + 1)
    assert of_labels(tmp_path, "mcc", "AAB", "A.B").values["mcc"] == pytest.approx(3 / math.sqrt(6 * 4))


def test_absent_class_is_left_out_or_counts_as_the_option_says(tmp_path: Path) -> None:
    for absent, mean in (("exclude-with-note", 1.0), ("zero", 2 / 3), ("one", 1.0)):
        report = of_labels(tmp_path, "f1", "AB", "AB", labels=["A", "B", "C"], absent=absent)
        assert report.values["f1_macro"] == pytest.approx(mean)
        assert any("neither reference nor answer" in note for note in report.notes)
    answered = of_labels(tmp_path, "f1", "AB", "AC", labels=["A", "B", "C"])
    assert answered.values == pytest.approx({"f1_macro": 1 / 3, "f1[A]": 1, "f1[B]": 0, "f1[C]": 0})
    recall = of_labels(tmp_path, "balanced_accuracy", "AB", "AB", labels=["A", "B", "C"])
    assert recall.values["balanced_accuracy"] == 1
    assert math.isnan(recall.values["recall[C]"])
    assert recall.notes[0] == "classes with no reference, left out of the mean: C"
    assert recall.notes[1].startswith("recall[C] undefined")


def test_unknown_label_rejects_where_labels_are_declared_and_is_wrong_otherwise(tmp_path: Path) -> None:
    report = of_labels(tmp_path, "f1", "AAB", "AXB")
    assert report.values["f1_macro"] == pytest.approx((2 / 3 + 1) / 2)
    assert report.notes == ("1 answers outside the classes count as wrong: r1",)
    lower = of_labels(tmp_path, "f1", "AAB", "aaB").notes
    assert lower == (
        "2 answers outside the classes count as wrong (probably capital and small letters differ): r0, r1",
    )
    for options in ({"labels": ["A", "B"]}, {"unknown": "reject"}):
        assert of_labels(tmp_path, "f1", "AAB", "AXB", **options).unusable == {
            "r1": "answers.csv: line 3: expected one of the labels A, B, found 'X'"
        }
    report = scored(tmp_path, {"measure": "classification.f1"}, "r0,A\nr1,B", "r0,A\nr1,")
    assert "found ''" in report.unusable["r1"]
    with pytest.raises(ReferenceDataError, match="line 4: expected one of the labels"):
        of_labels(tmp_path, "f1", "ABC", "ABC", labels=["A", "B"])


def test_mcc_of_one_class_is_zero(tmp_path: Path) -> None:
    assert of_labels(tmp_path, "mcc", "AAB", "AAA").values["mcc"] == 0
    assert sklearn_metrics.matthews_corrcoef(list("AAB"), list("AAA")) == 0


def test_costs_by_hand(tmp_path: Path) -> None:
    costs = {"healthy": {"ill": 1}, "ill": {"healthy": 10}}
    references = column("label", ["ill", "ill", "healthy", "healthy"])
    spec = {"measure": "classification.cost", "costs": costs}
    # 0, 10, 1, 0 of four; always "ill" costs 2 of four
    report = scored(tmp_path, spec, references, column("label", ["ill", "healthy", "ill", "healthy"]))
    assert report.primary == "neg_cost"
    assert report.values == pytest.approx({"neg_cost": -11 / 4, "cost": 11 / 4, "normalised_cost": 11 / 2})
    # a missing answer is as dear as the dearest, or as declared
    answers = column("label", ["ill", "ill"], ["r0", "r2"])
    assert scored(tmp_path, spec, references, answers).values["cost"] == pytest.approx((0 + 10 + 1 + 1) / 4)
    assert scored(tmp_path, {**spec, "missing_cost": 3}, references, answers).values["cost"] == pytest.approx(7 / 4)
    for wrong in ({"labels": ["healthy", "sick"]}, {"costs": {"healthy": {"sick": 1}, "ill": {"healthy": 1}}}):
        with pytest.raises(SpecError, match=r"expected a cost of '.*' where '.*' is right"):
            make({**spec, **wrong})
    with pytest.raises(SpecError, match="did you mean 'healthy'"):
        make({**spec, "costs": {**costs, "ill": {"healthy": 1, "helthy": 2}}})
    with pytest.raises(ReferenceDataError, match="expected one of the labels healthy, ill, found 'sick'"):
        scored(tmp_path, spec, column("label", ["sick"]), "r0,ill")


TRUTH = [0, 0, 1, 1, 1]
SCORES = [0.1, 0.4, 0.35, 0.8, 0.4]
# pairs: 0.35 beats 0.1 only (1), 0.8 both (2), 0.4 beats 0.1 and ties 0.4 (1.5): 4.5 of 6
# thresholds 0.8: P 1 R 1/3; 0.4: P 2/3 R 2/3; 0.35: P 3/4 R 1; 0.1: P 3/5 R 1
RANKED = {"auroc": 4.5 / 6, "auprc": (1 + 2 / 3 + 3 / 4) / 3}


@pytest.mark.parametrize("measure", RANKED)
def test_scores_by_hand_and_as_scikit_learn(tmp_path: Path, measure: str) -> None:
    peers = {"auroc": sklearn_metrics.roc_auc_score, "auprc": sklearn_metrics.average_precision_score}
    area = value(tmp_path, measure, column("label", TRUTH), column("score", SCORES), positive="1")
    assert area == pytest.approx(RANKED[measure], abs=1e-12)
    random = np.random.default_rng(2)
    for _ in range(10):
        truth, scores = random.integers(0, 2, 40), random.integers(0, 9, 40) / 8
        area = score_arrays({"measure": f"classification.{measure}"}, truth, scores)
        assert area == pytest.approx(peers[measure](truth, scores), abs=1e-12)


PROBABILITIES = "record,p_A,p_B,p_C\nr0,.7,.2,.1\nr1,.3,.4,.3\nr2,.2,.2,.6\nr3,.5,.3,.2\n"
OF_THREE = column("label", list("ABCB"))
MATRIX = np.array([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.2, 0.6], [0.5, 0.3, 0.2]])


def test_probabilities_by_hand_and_as_scikit_learn(tmp_path: Path) -> None:
    report = scored(tmp_path, {"measure": "classification.log_loss"}, OF_THREE, PROBABILITIES)
    by_hand = -(math.log(0.7) + math.log(0.4) + math.log(0.6) + math.log(0.3)) / 4
    assert report.values == pytest.approx({"neg_log_loss": -by_hand, "log_loss": by_hand})
    assert by_hand == pytest.approx(sklearn_metrics.log_loss(list("ABCB"), MATRIX, labels=list("ABC")))
    brier = (0.09 + 0.04 + 0.01 + 0.09 + 0.36 + 0.09 + 0.04 + 0.04 + 0.16 + 0.25 + 0.49 + 0.04) / 4
    assert value(tmp_path, "brier", OF_THREE, PROBABILITIES) == pytest.approx(-brier)


def test_two_classes_need_one_probability_and_brier_is_that_of_the_positive(tmp_path: Path) -> None:
    references = column("label", TRUTH)
    for name in ("score", "p_1"):
        answers = column(name, SCORES)
        report = scored(tmp_path, {"measure": "classification.brier"}, references, answers)
        by_hand = (0.01 + 0.16 + 0.65**2 + 0.04 + 0.36) / 5
        assert report.values["brier"] == pytest.approx(by_hand)
        assert by_hand == pytest.approx(sklearn_metrics.brier_score_loss(TRUTH, SCORES))
        loss = value(tmp_path, "log_loss", references, answers)
        assert -loss == pytest.approx(sklearn_metrics.log_loss(TRUTH, SCORES))


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_each_class_against_the_rest_as_scikit_learn(average: str) -> None:
    random = np.random.default_rng(3)
    truth, matrix = random.choice(list("ABC"), 50), random.dirichlet([1, 1, 1], 50)
    one_hot = truth[:, None] == np.array(list("ABC"))
    for name, peer in (("auroc", sklearn_metrics.roc_auc_score), ("auprc", sklearn_metrics.average_precision_score)):
        spec = {"measure": f"classification.{name}", "labels": list("ABC"), "average": average}
        expected = peer(one_hot, matrix, average=average)
        assert score_arrays(spec, truth, matrix) == pytest.approx(expected, abs=1e-12)


def test_positive_class_is_never_guessed(tmp_path: Path) -> None:
    references, answers = column("label", ["ill", "well"]), column("score", [0.9, 0.1])
    with pytest.raises(ReferenceDataError, match="option 'positive'"):
        value(tmp_path, "auroc", references, answers)
    assert value(tmp_path, "auroc", references, answers, positive="ill") == 1
    assert value(tmp_path, "auroc", references, answers, labels=["well", "ill"]) == 1
    with pytest.raises(ReferenceDataError, match="positive class 'sick'"):
        value(tmp_path, "auroc", references, answers, positive="sick")


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
    # 8 hits of 13 records that are ill or called ill
    z = 1.959963984540054
    middle, half = 8 + z * z / 2, z * math.sqrt(8 * 5 / 13 + z * z / 4)
    low, high = (middle - half) / (13 + z * z), (middle + half) / (13 + z * z)
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
