"""The measures for arrays, and as scikit-learn calls them."""

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from metrics.adapters import score_arrays, sklearn_scorer
from metrics.base import AnswerError, ReferenceDataError
from metrics.generic import SpecError

F1 = {"measure": "classification.f1", "average": "macro"}
ACCURACY = {"measure": "classification.accuracy"}
AUROC = {"measure": "classification.auroc"}
MAE = {"measure": "regression.mae"}
TEXTS = ["a,b", "two\nlines", 'with "quotes"', " blank ", "α"]
FAR = [-(2**62), 0, 2**62, 0]
NAMED = pd.Series([1.0, 2.0], ["b", "a"])
EQUAL = [0, 1, 1, 0], [0.0, 1.0, 1.0, 0.0], [False, True, True, False], np.array([0, 1, 1, 0], np.int8)
BY_HAND: list[tuple[Any, Any, Any, float]] = [
    ({"measure": "survival.c_index"}, [[1, 1], [2, 0], [3, 1]], [3, 2, 2.5], 1),
    ({"measure": "physionet.cost2022", "labels": [0, 1]}, [0, 0], [0, 0], -35),
    # rows of pandas are compared by place where one side has no names
    *(
        (MAE, NAMED, answers, -0.5)
        for answers in (pd.Series([1.0, 3.0]), pd.Series([1.0, 3.0], ["b", "a"]), [1.0, 3.0])
    ),
    # classes that are equal numbers are one whatever their type
    *((F1, truth, answers, 1.0) for truth in (EQUAL[0], np.array(EQUAL[2])) for answers in EQUAL),
    (AUROC, [False, True, True], [0.1, 0.2, 0.3], 1.0),
    (AUROC, np.array([[0], [1]]), np.array([[0.1], [0.2]]), 1.0),
    # labels may be any text, and numbers far apart
    (ACCURACY, TEXTS, TEXTS, 1.0),
    (ACCURACY, TEXTS, [*TEXTS[:4], "a,b"], 0.8),
    (ACCURACY, FAR, [FAR[0], 0, 2**62, 2**62], 0.75),
    (ACCURACY, np.array([2**64 - 1, 0], np.uint64), [2**64 - 1, 2**64 - 1], 0.5),
    (ACCURACY, [1e300, 0.0], [1e300, 1e300], 0.5),
    # columns of the options do not matter
    ({**ACCURACY, "label_column": "diagnosis"}, ["a", "b"], ["a", "a"], 0.5),
    ({**AUROC, "score_column": "chance"}, [0, 1], [0.1, 0.9], 1.0),
]
WRONG: list[tuple[Any, Any, Any, str]] = [
    (ACCURACY, ["a", "b", "a"], ["a", "b"], "found 2 answers to 3 references"),
    (ACCURACY, ["0", "1"], [0, 1], r"found text \(\['0', '1'\]\) as references and numbers \(\[0, 1\]\) as answers"),
    (ACCURACY, ["a", "b"], ["A", "B"], "expected answers of the classes a, b, found A, B"),
    (ACCURACY, [0, 1], [0.2, 0.9], "expected a class, text or a whole number, found 0.2"),
    (ACCURACY, [], [], "at least one reference"),
    (ACCURACY, [0, 1], [[0.2, 0.8], [0.5, 0.5]], "the classes in the order of the columns"),
    ({"measure": "classification.log_loss", "labels": [0, 1, 2]}, [0, 1], [[0.2, 0.8], [0.5, 0.5]], "found 2 columns"),
    ({"measure": "survival.c_index"}, [1, 2], [1, 2], r"shape \(n, 2\)"),
    ({"measure": "regression.mae"}, [[1.0, 2.0]], [[1.0, 2.0]], r"expected references of shape \(n,\), found \(1, 2\)"),
    ({"measure": "regression.mae"}, [[[1.0]]], [1.0], r"found \(1, 1, 1\)"),
    (MAE, ["1", "2"], [1, 2], r"expected numbers, found \['1', '2'\]"),
    (MAE, np.array(["2020-01-01"], "datetime64[D]"), [1], "expected numbers, found"),
    (MAE, [1.0, 2.0], [1j, 2], "expected numbers, found"),
    (MAE, np.ma.array([1.0, 2.0], mask=[False, True]), [1, 2], "references without masked rows, found 1 masked values"),
    (ACCURACY, ["a", "b"], ["a", 1], "expected answers that are all text or all numbers, found both"),
    (ACCURACY, [0, 1, 2], [1, 2, 3], "expected answers of the classes 0, 1, 2, found 1, 2, 3; the option labels"),
    (ACCURACY, ["a", "b"], ["a", "b "], "expected answers of the classes a, b, found a, b "),
    (MAE, [True, False], [1.0, 0.0], "expected numbers, found truth values"),
    (MAE, np.array([10**400, 0], object), [1.0, 2.0], "expected numbers up to 1.8e[+]308, found a larger one"),
    (MAE, pd.Series([1.0, 2.0], ["a", "b"]), pd.Series([2.0, 1.0], ["b", "a"]), "of one index, found a, b and b, a"),
    (MAE, pd.Series([1.0, 2.0], [1, 0]), pd.Series([1.0, 2.0]), "of one index, found 1, 0 and 0, 1"),
    ({"measure": "multilabel.f1"}, [[0, 1], [1]], [[0, 1], [1, 0]], "found rows of different lengths"),
    ({"measure": "segmentation.dice"}, [1], [1], "expected a measure of classification, regression, survival"),
    (ACCURACY, ["a", "b"], np.array(["a", None], object), "in each row of the answers, found None in row 1"),
    (ACCURACY, np.array(["a", ""], object), ["a", "b"], "in each row of the references, found an empty text in row 1"),
    (AUROC, [0, 1], [0.5, math.nan], "row 1: expected a finite number as score, found 'nan'"),
    (MAE, [math.inf, 1], [0.5, 1], "row 0: expected a finite number"),
    ({"measure": "multilabel.f1"}, np.zeros((2, 0)), np.zeros((2, 0)), r"found \(2, 0\)"),
    (ACCURACY, pd.Series(["a", pd.NA], dtype="string"), ["a", "b"], "found (<NA>|nan) in row 1"),
    (ACCURACY, pd.Series([True, pd.NA], dtype="boolean"), [1, 0], "found <NA> in row 1"),
    (ACCURACY, [1, 0], np.array([[1], [2, 3]], object), r"found \[1\] in row 0"),
    (ACCURACY, ["é"], ["e\u0301"], "probably letters or digits are other characters"),
    ("classification.f1", [1], [1], "expected a mapping"),
    ({**ACCURACY, "labels": 3}, [1], [1], "expected a list of at least two"),
    ({"measure": "physionet.reward2026"}, [0, 1], [0.1, 0.2], "found 'physionet.reward2026'"),
    ({"measure": "physionet.outcome2023"}, [0, 1], [0.1, 0.2], "expected a column 'hospital'"),
    ({"measure": "survival.c_index"}, [[1, 1], [2, 0]], [[0.1, 0.2], [0.3, 0.4]], r"shape \(n,\), found \(2, 2\)"),
    ({"measure": "multilabel.f1"}, [[0, 1], [1, 0]], [[0], [1]], r"references of shape \(2, 2\) and answers of shape"),
    ({"measure": "multilabel.f1"}, [0, 1], [0, 1], r"expected references of shape \(n, labels\), found \(2,\)"),
]


@pytest.mark.parametrize(("spec", "truth", "answers", "value"), BY_HAND)
def test_arrays_score_as_files_do_by_hand(spec: dict[str, Any], truth: Any, answers: Any, value: float) -> None:
    assert score_arrays(spec, truth, answers) == pytest.approx(value, abs=1e-15)


def test_what_a_report_would_say_is_a_warning() -> None:
    with pytest.warns(UserWarning, match="order of the alphabet"):
        score_arrays({"measure": "classification.weighted_kappa"}, ["mild", "none", "severe"], ["mild"] * 3)


@pytest.mark.parametrize(("spec", "truth", "answers", "message"), WRONG)
def test_arrays_that_do_not_belong_together_are_refused_with_both_sides_named(
    spec: Any, truth: Any, answers: Any, message: str
) -> None:
    with pytest.raises((ValueError, SpecError, ReferenceDataError, AnswerError), match=message):
        score_arrays(spec, truth, answers)


@pytest.mark.parametrize("measure", ["mcc", "balanced_accuracy", "auroc", "log_loss"])
def test_scorer_is_scikit_learns_own_in_cross_validation(measure: str) -> None:
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import make_scorer, matthews_corrcoef
    from sklearn.model_selection import cross_val_score

    r = np.random.default_rng(0)
    truth = r.integers(0, 2, 90)
    features = truth[:, None] + r.normal(0, 1, (90, 2))
    theirs = {"mcc": make_scorer(matthews_corrcoef), "auroc": "roc_auc", "log_loss": "neg_log_loss"}
    model = LogisticRegression()
    ours = cross_val_score(
        model, features, truth, cv=3, scoring=sklearn_scorer({"measure": f"classification.{measure}"})
    )
    expected = cross_val_score(model, features, truth, cv=3, scoring=theirs.get(measure, measure))
    assert ours == pytest.approx(expected, abs=1e-12)


def test_scorer_of_scikit_learn_takes_labels_or_scores_of_several_labels() -> None:
    neighbors = pytest.importorskip("sklearn.neighbors", reason="scikit-learn is not installed")
    from sklearn.metrics import f1_score, roc_auc_score

    r = np.random.default_rng(2)
    truth, features = (r.random((60, 3)) < [0.5, 0.3, 0.2]).astype(int), r.integers(0, 8, (60, 3)) / 8
    model = neighbors.KNeighborsClassifier(3).fit(features, truth)
    labels = sklearn_scorer({"measure": "multilabel.f1", "average": "micro"})(model, features, truth)
    assert labels == pytest.approx(f1_score(truth, model.predict(features), average="micro"))
    chances = np.stack([each[:, 1] for each in model.predict_proba(features)], axis=1)
    areas = sklearn_scorer({"measure": "multilabel.auroc"})(model, features, truth)
    assert areas == pytest.approx(roc_auc_score(truth, chances))


class Fitted:
    """What an estimator of the user's has made of whatever it gets."""

    def __init__(self, answers: Any, classes: Any = None) -> None:
        self._answers = answers
        if classes is not None:
            self.classes_ = np.array(classes)

    def predict(self, features: Any) -> Any:
        return self._answers

    predict_proba = predict


def test_fold_without_one_of_the_classes_is_scored() -> None:
    # c is answered once and never right: F1 of 1, 2/3 and 0, as scikit-learn counts it
    score = sklearn_scorer(F1)(Fitted(np.array(["a", "b", "c"]), ["a", "b", "c"]), None, ["a", "b", "b"])
    assert score == pytest.approx((1 + 2 / 3) / 3)


EVEN = np.array([[0.5, 0.5], [0.1, 0.9]])
ESTIMATED: list[tuple[str, Any, Any, Any, str]] = [
    ("classification.accuracy", ["a", "b"], ["a", "b"], ["a", None], "all text or all numbers|found None in row 1"),
    ("classification.accuracy", [0, 1], [0, 1], [[0, 1], [1, 0]], r"shape \(n,\), found \(2, 2\)"),
    ("classification.accuracy", pd.Series([0, 1]), [0, 1], pd.Series([1, 0], index=[1, 0]), "of one index"),
    ("classification.auroc", np.array([[math.nan, 1], [0.5, 0.5]]), [0, 1], [0, 1], r"found \[nan, 1.0\] in row 0"),
    ("classification.auroc", EVEN, None, [0, 1], "an estimator with classes_, found Fitted without"),
    (
        "classification.auroc",
        np.full((2, 3), 0.3),
        [0, 1],
        [0, 1],
        r"of shape \(n, 2\), .* classes 0, 1, found \(2, 3\)",
    ),
    ("classification.auroc", EVEN[:, 1], [0, 1], [0, 1], r"of shape \(n, 2\).*found \(2,\)"),
    ("classification.auroc", None, [0, 1], [0, 1], r"found \(\)"),
    ("multilabel.auroc", [EVEN, EVEN[:, :1]], [0, 1], [[0, 1], [1, 0]], "probabilities of two classes, found shape"),
]


@pytest.mark.parametrize(("measure", "answers", "classes", "truth", "message"), ESTIMATED)
def test_what_an_estimator_cannot_mean_is_refused(
    measure: str, answers: Any, classes: Any, truth: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        sklearn_scorer({"measure": measure})(Fitted(answers, classes), None, truth)


def test_scorer_refuses_a_wrong_specification_at_once() -> None:
    with pytest.raises(SpecError, match=r"did you mean 'classification\.mcc'"):
        sklearn_scorer({"measure": "classification.mc"})
