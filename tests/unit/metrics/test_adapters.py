"""The measures as scikit-learn and MONAI call them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from metrics.adapters import MonaiMetric, score_arrays, sklearn_scorer
from metrics.generic import SpecError


def test_arrays_score_as_files_do_by_hand() -> None:
    assert score_arrays({"measure": "classification.accuracy"}, ["a", "b", "b"], ["a", "b", "a"]) == 2 / 3
    assert score_arrays({"measure": "regression.mae"}, [1.0, 2.0], [1.5, 2.0]) == -0.25
    assert score_arrays({"measure": "survival.c_index"}, [[1, 1], [2, 0], [3, 1]], [3, 2, 2.5]) == 1
    assert score_arrays({"measure": "classification.auroc"}, [0, 1, 1], [0.1, 0.05, 0.9]) == 0.5
    chances = [[0.5, 0.5, 0], [0, 1, 0], [0.25, 0.25, 0.5]]
    spec = {"measure": "classification.log_loss", "labels": ["a", "b", "c"]}
    assert score_arrays(spec, ["a", "b", "c"], chances) == pytest.approx(2 * math.log(0.5) / 3)


@pytest.mark.parametrize(
    ("spec", "answers", "message"),
    [
        ({"measure": "segmentation.dice"}, [1], "expected a measure of classification, regression, survival"),
        ({"measure": "classification.log_loss"}, [[0.5, 0.5]], "classes in the order of the columns"),
    ],
)
def test_what_arrays_cannot_say_is_refused(spec: dict[str, str], answers: list[object], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        score_arrays(spec, [1], answers)


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


def test_scorer_refuses_a_wrong_specification_at_once() -> None:
    with pytest.raises(SpecError, match=r"did you mean 'classification\.mcc'"):
        sklearn_scorer({"measure": "classification.mc"})


def one_hot(*masks: list[list[int]]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """A batch of one image with a background channel and one for each mask."""
    channels = np.array(masks, np.float32)
    return np.concatenate([1 - channels.max(axis=0, keepdims=True), channels])[None]


def test_masks_of_batches_by_hand() -> None:
    metric = MonaiMetric({"measure": "segmentation.dice"})
    assert math.isnan(metric.aggregate())
    truth = one_hot([[1, 1, 0, 0]], [[0, 0, 0, 1]])
    assert metric(one_hot([[1, 0, 0, 0]], [[0, 0, 0, 0]]), truth).tolist() == [[2 / 3, 0]]
    assert metric(truth, truth).tolist() == [[1, 1]]
    assert metric.aggregate() == pytest.approx((5 / 6 + 1 / 2) / 2)
    metric.reset()
    assert math.isnan(metric.aggregate())
    with pytest.raises(ValueError, match="one shape"):
        metric(truth, truth[..., :2])


def test_distances_need_a_spacing_and_other_families_are_refused() -> None:
    with pytest.raises(SpecError, match="spacing of each axis"):
        MonaiMetric({"measure": "segmentation.hd95"})
    with pytest.raises(SpecError, match="measure of segmentation per structure"):
        MonaiMetric({"measure": "classification.mcc"})
    metric = MonaiMetric({"measure": "segmentation.hd95", "percentile": 100}, spacing_mm=(1, 2))
    assert metric(one_hot([[1, 0, 0]]), one_hot([[0, 0, 1]])).tolist() == [[4]]


def test_values_of_a_batch_are_monais_own() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    losses = pytest.importorskip("monai.metrics", reason="MONAI is not installed")
    r = np.random.default_rng(1)
    answers, truth = (torch.from_numpy((r.random((2, 3, 8, 9, 7)) > 0.6).astype(np.float32)) for _ in range(2))
    ours = MonaiMetric({"measure": "segmentation.dice"})(answers, truth)
    assert ours == pytest.approx(losses.compute_dice(answers, truth, include_background=False).numpy(), abs=1e-6)
