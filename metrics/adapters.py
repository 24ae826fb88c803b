"""The measures in other people's tools: a scorer for scikit-learn, and a metric for MONAI.

Both use this package's numbers, so that what a training run reports is what the challenge will judge.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.generic import SpecError, make
from metrics.generic.base import GenericMeasure
from metrics.generic.segmentation import PerStructure

Arrays = NDArray[Any]


def score_arrays(spec: dict[str, Any], truth: Sequence[Any], answers: Any) -> float:
    """The primary value of a measure of classification, regression or survival for arrays.

    Parameters
    ----------
    spec : mapping
        As in ``challenge.yaml``, for example ``{"measure": "classification.mcc"}``.
    truth : shape (n,), or (n, 2) with times and events for survival
    answers : shape (n,), or (n, classes) with probabilities in the order of the option ``labels``

    Raises
    ------
    SpecError
        The specification is at fault, or it is of a measure of files such as masks.
    AnswerError, ReferenceDataError
        As `metrics.base.Metric.score`.
    """
    metric = make(spec)
    name = str(spec.get("measure", ""))
    family = name.partition(".")[0]
    if family not in _COLUMNS or not isinstance(metric, GenericMeasure):
        raise SpecError("measure", f"a measure of {', '.join(_COLUMNS)}", name)
    given = np.asarray(answers)
    labels = spec.get("labels")
    if given.ndim == 2 and not labels:
        raise SpecError("labels", "the classes in the order of the columns of probabilities", None)
    columns = [f"p_{label}" for label in labels] if given.ndim == 2 and labels else [_answer_column(name)]
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder) / "references.csv", Path(folder) / "answers.csv"
        _write(paths[0], _COLUMNS[family], np.asarray(truth))
        _write(paths[1], columns, given)
        report = metric.score(*paths)
    return report.values[report.primary]


_COLUMNS = {"classification": ["label"], "regression": ["value"], "survival": ["time", "event"]}
_OF_LABELS = ("accuracy", "balanced_accuracy", "f1", "mcc", "cost")


def _answer_column(measure: str) -> str:
    family, _, name = measure.partition(".")
    if family == "classification":
        return "label" if name in _OF_LABELS else "score"
    return "value" if family == "regression" else "risk"


def _write(path: Path, columns: Sequence[str], values: Arrays) -> None:
    rows = values.reshape(len(values), -1).tolist()  # repr of a Python float gives all its digits back
    text = "".join(f"{i},{','.join(map(str, row))}\n" for i, row in enumerate(rows))
    path.write_text(f"record,{','.join(columns)}\n{text}", encoding="utf-8")


def sklearn_scorer(spec: dict[str, Any]) -> Callable[[Any, Any, Any], float]:
    """A scorer ``(estimator, X, y) -> float`` for ``cross_val_score``, ``GridSearchCV`` and the like.

    Measures of labels and regression call ``predict``, those of probabilities ``predict_proba``; of two classes the
    second column.

    Examples
    --------
    >>> scorer = sklearn_scorer({"measure": "classification.mcc"})
    """
    name = str(spec.get("measure", ""))
    of_labels = not name.startswith("classification.") or name.partition(".")[2] in _OF_LABELS

    def scorer(estimator: Any, features: Any, truth: Any) -> float:
        if of_labels:
            return score_arrays(spec, truth, estimator.predict(features))
        chances = np.asarray(estimator.predict_proba(features))
        classes = [str(label) for label in estimator.classes_]
        if len(classes) == 2:
            return score_arrays({"labels": classes, **spec}, truth, chances[:, 1])
        return score_arrays({"labels": classes, **spec}, truth, chances)

    make(spec)  # refuses a wrong specification at once, not in the middle of a search
    return scorer


class MonaiMetric:
    """A measure of masks for MONAI: called with batches of one-hot tensors, as ``monai.metrics.DiceMetric``.

    Parameters
    ----------
    spec : mapping
        A measure of segmentation, for example ``{"measure": "segmentation.nsd", "tolerance_mm": 1.5}``.
    spacing_mm : sequence of float
        In the order of the spatial axes of the tensors.
    include_background : bool
        Whether channel 0 counts.

    Raises
    ------
    SpecError
        The specification is at fault or of another family.
    """

    def __init__(
        self, spec: dict[str, Any], *, spacing_mm: Sequence[float] | None = None, include_background: bool = False
    ) -> None:
        measure = make(spec)
        if not isinstance(measure, PerStructure):
            raise SpecError("measure", "a measure of segmentation per structure", spec.get("measure"))
        if measure.in_mm and spacing_mm is None:
            raise SpecError("spacing_mm", "the spacing of each axis in mm", None)
        self._measure = measure
        self._spacing = None if spacing_mm is None else tuple(map(float, spacing_mm))
        self._first = 0 if include_background else 1
        self._found: list[list[float]] = []

    def __call__(self, y_pred: Any, y: Any) -> Arrays:
        """The values of a batch, shape (batch, classes); kept for `aggregate`.

        Parameters
        ----------
        y_pred, y : shape (batch, channels, …)
            The answer first, as in MONAI; 0 or 1.
        """
        answers, truth = (np.asarray(each.cpu() if hasattr(each, "cpu") else each) > 0.5 for each in (y_pred, y))
        if answers.shape != truth.shape:
            raise ValueError(f"expected tensors of one shape, found {answers.shape} and {truth.shape}")
        spacing = self._spacing or (1.0,) * (truth.ndim - 2)
        found = [
            [self._measure.value_of_masks(own[k], given[k], spacing) for k in range(self._first, truth.shape[1])]
            for own, given in zip(truth, answers, strict=True)
        ]
        self._found += found
        return np.array(found)

    def aggregate(self) -> float:
        """The mean over cases of each class, then over classes; NaN before the first batch."""
        if not self._found:
            return float("nan")
        from metrics.generic.base import mean_over  # noqa: PLC0415

        return float(mean_over(mean_over(np.array(self._found).T)))

    def reset(self) -> None:
        """Forget all batches."""
        self._found = []
