from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.adapters import score_arrays, sklearn_scorer
from metrics.base import ReferenceDataError
from metrics.generic import SpecError, make
from tests.support.score_tables import column, scored, write

sklearn_metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")


def of(tmp_path: Path, name: str, references: list[str], answers: list[str], **options: Any) -> float:
    spec = {"measure": f"multilabel.{name}", **options}
    report = scored(tmp_path, spec, column("labels", references), column("labels", answers))
    return report.values[report.primary]


def test_unknown_label_is_refused_or_ignored(tmp_path: Path) -> None:
    truth, three = column("labels", ["A", "", "B"]), column("labels", ["A", ""], ["r0", "r2"])
    refused = scored(tmp_path, {"measure": "multilabel.f1"}, truth, column("labels", ["A|C", "", "B"]))
    assert refused.unusable == {"r0": "answers.csv: line 2: expected labels of A, B, found 'C'"}
    ignored = scored(
        tmp_path, {"measure": "multilabel.f1", "unknown": "ignore"}, truth, column("labels", ["A|C", "", "B"])
    )
    assert ignored.values["f1_macro"] == 1
    with pytest.raises(ReferenceDataError, match="at least one label"):
        scored(tmp_path, {"measure": "multilabel.f1"}, column("labels", ["", ""]), three)
    with pytest.raises(ReferenceDataError, match=r"expected 0 or 1 as A, found 0\.5"):
        scored(tmp_path, {"measure": "multilabel.f1"}, "record,A,B\nr0,0.5,1", "record,A,B\nr0,1,1")


def random_sets(seed: int, n: int = 40, k: int = 4) -> tuple[Any, Any, Any]:
    r = np.random.default_rng(seed)
    truth = r.random((n, k)) < [0.5, 0.3, 0.2, 0.1][:k]
    return truth.astype(int), (truth ^ (r.random((n, k)) < 0.2)).astype(int), r.integers(0, 8, (n, k)) / 8


@pytest.mark.parametrize("seed", range(4))
def test_arrays_score_as_in_scikit_learn(seed: int) -> None:
    truth, answers, scores = random_sets(seed)
    peers = sklearn_metrics
    for average in ("macro", "micro", "weighted", "samples"):
        theirs = peers.f1_score(truth, answers, average=average, zero_division=1)
        ours = score_arrays({"measure": "multilabel.f1", "average": average, "absent": "one"}, truth, answers)
        assert ours == pytest.approx(theirs, abs=1e-12), average
        if average == "samples":
            continue
        for name, peer in (("auroc", peers.roc_auc_score), ("auprc", peers.average_precision_score)):
            ours = score_arrays({"measure": f"multilabel.{name}", "average": average}, truth, scores)
            assert ours == pytest.approx(peer(truth, scores, average=average), abs=1e-12), (name, average)
    assert score_arrays({"measure": "multilabel.exact_match"}, truth, answers) == peers.accuracy_score(truth, answers)


def test_scorer_of_scikit_learn_takes_labels_or_scores() -> None:
    neighbors = pytest.importorskip("sklearn.neighbors")
    truth, _, features = random_sets(2, 60, 3)
    model = neighbors.KNeighborsClassifier(3).fit(features, truth)
    labels = sklearn_scorer({"measure": "multilabel.f1", "average": "micro"})(model, features, truth)
    assert labels == pytest.approx(sklearn_metrics.f1_score(truth, model.predict(features), average="micro"))
    chances = np.stack([each[:, 1] for each in model.predict_proba(features)], axis=1)
    areas = sklearn_scorer({"measure": "multilabel.auroc"})(model, features, truth)
    assert areas == pytest.approx(sklearn_metrics.roc_auc_score(truth, chances))


# rewards of the PhysioNet Challenge 2021 between some of its classes
CODES = ["164889003", "164890007", "713427006|59118001", "270492004", "426783006", "427172004|17338001"]
REWARDS = [
    [1.0, 0.5, 0.4, 0.3, 0.25, 0.375],
    [0.5, 1.0, 0.4, 0.3, 0.25, 0.375],
    [0.4, 0.4, 1.0, 0.4, 0.35, 0.475],
    [0.3, 0.3, 0.4, 1.0, 0.45, 0.425],
    [0.25, 0.25, 0.35, 0.45, 1.0, 0.375],
    [0.375, 0.375, 0.475, 0.425, 0.375, 1.0],
]


def test_reward_is_the_score_of_physionet_2021(tmp_path: Path) -> None:
    rewards = {a: dict(zip(CODES, row, strict=True)) for a, row in zip(CODES, REWARDS, strict=True)}
    truth = ["426783006", "164889003", "270492004|59118001", "17338001"]
    answers = ["426783006", "164890007", "270492004", "426783006|427172004"]
    report = of(tmp_path, "reward", truth, answers, normal="426783006", rewards=rewards)
    assert report == pytest.approx(0.3751846381093058, abs=1e-12)  # of the official program


def test_reward_by_hand_with_equivalent_labels_and_a_matrix_beside_the_references(tmp_path: Path) -> None:
    rewards = {"N": {"N": 1, "A": 0.5}, "A|B": {"N": 0.3, "A|B": 1}}
    spec = {"measure": "multilabel.reward", "normal": "N", "rewards": rewards}
    # own: N right 1, B as A 1, A as A and N (1 + .3) / 2; right answers 3; always N: 1, .3 / 2, .3 / 2
    truth, answers = column("labels", ["N", "B", "A"]), column("labels", ["N", "A", "A|N|unscored"])
    report = scored(tmp_path, spec, truth, answers)
    assert report.values["reward"] == pytest.approx((2.65 - 1.3) / (3 - 1.3))
    write(tmp_path / "weights.csv", ",N,A|B\nN,1,0.5\nA|B,0.3,1")
    same = scored(tmp_path, {"measure": "multilabel.reward", "normal": "N", "matrix": "weights.csv"}, truth, answers)
    assert same.values == report.values
    idle = scored(tmp_path, spec, column("labels", ["N", "N"]), column("labels", ["N", "A"]))
    assert idle.values["reward"] == 0
    for wrong, message in (({"matrix": "x.csv"}, "either rewards or matrix"), ({"rewards": None}, "either rewards")):
        with pytest.raises(SpecError, match=message):
            make({**spec, **wrong})
    with pytest.raises(ReferenceDataError, match="label normal: X"):
        scored(tmp_path, {**spec, "normal": "X"}, truth, answers)
    write(tmp_path / "bad.csv", ",N,A\nN,1,0.5\n")
    with pytest.raises(ReferenceDataError, match="square table"):
        scored(tmp_path, {"measure": "multilabel.reward", "matrix": "bad.csv"}, truth, answers)


def test_labels_that_none_has_are_left_out_with_a_note(tmp_path: Path) -> None:
    spec = {"measure": "multilabel.auroc", "labels": ["A", "B"]}
    report = scored(tmp_path, spec, column("labels", ["A", ""]), "record,p_A,p_B\nr0,.9,.2\nr1,.8,.1")
    assert report.values["auroc_macro"] == 1
    assert math.isnan(report.values["auroc[B]"])
    assert "labels that no record has, left out of the mean: B" in report.notes
