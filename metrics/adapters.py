"""The measures for arrays, and as a scorer of scikit-learn: the numbers by which the challenge will judge."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.base import some
from metrics.generic import SpecError, make
from metrics.generic.classification import OfCounts
from metrics.generic.multilabel import OfSets
from metrics.generic.tables import OfTables, Table, table_of
from metrics.readers.names import probable_cause

Arrays = NDArray[Any]
_CLASS = (str, int, float)


def score_arrays(spec: dict[str, Any], truth: Any, answers: Any) -> float:
    """The primary value of a measure of classification, several labels, regression or survival for arrays.

    Each note of the report, such as that the value is undefined, becomes a UserWarning.

    * ``spec``: as in ``challenge.yaml``, for example ``{"measure": "classification.mcc"}``.
    * ``truth``, shape (n,), or (n, 2) with times and events for survival: classes are text, or whole numbers, of which
      1, 1.0 and True are one class.
    * ``answers``, shape (n,), or (n, classes) with probabilities in the order of the option ``labels``.  Of several
      labels for each record both are of shape (n, labels).

    Raises SpecError if the specification is at fault, or is of a measure of files such as masks; ValueError if lengths,
    types, classes or indices (of pandas) of the arrays differ; AnswerError and ReferenceDataError as
    `metrics.base.Metric.score`.
    """
    metric = _made(spec)
    _check_index(truth, answers)
    right, given = _array(truth, "references"), _array(answers, "answers")
    if len(right) != len(given):
        raise ValueError(
            f"expected an answer for each reference, found {len(given)} answers to {len(right)} references"
        )
    if not len(right):
        raise ValueError("expected at least one reference, found none")
    if isinstance(metric, OfSets):
        return _value(metric, *_tables_of_sets(metric, right, given))
    if hasattr(metric, "label_column"):
        references = table_of("references", {metric.label_column: _classes(right, "references")})
    elif hasattr(metric, "time_column"):
        if right.shape[1:] != (2,):
            raise ValueError(f"expected references of shape (n, 2), times and events, found {right.shape}")
        references = table_of(
            "references",
            {metric.time_column: _numbers(right[:, 0]), metric.event_column: _numbers(right[:, 1])},
        )
    else:
        if "b" in (right.dtype.kind, given.dtype.kind):
            raise ValueError("expected numbers, found truth values")
        references = table_of("references", {metric.value_column: _numbers(_flat(right, "references"))})
    return _value(metric, references, _answers(metric, given, right, references))


def _made(spec: Any) -> Any:
    """The measure of a specification, if it is one that needs no more than arrays."""
    if isinstance(spec, Mapping) and isinstance(spec.get("labels"), list | tuple):
        spec = {**spec, "labels": [_label(label) for label in spec["labels"]]}
    metric = make(spec)
    if not isinstance(metric, OfTables) or len(metric._reference_columns) > 1 + hasattr(metric, "time_column"):
        wish = "a measure of classification, regression, survival or several labels"
        raise SpecError("measure", wish, getattr(metric, "measure", metric.name))
    return metric


def _value(metric: OfTables, references: Table, answers: Table) -> float:
    """The primary value; what a report says besides becomes warnings, which a single number cannot carry."""
    report = metric.score_tables(references, answers)
    for text in report.notes:
        warnings.warn(f"{metric.name}: {text}", stacklevel=3)
    return report.values[report.primary]


def _tables_of_sets(metric: OfTables, right: Arrays, given: Arrays) -> tuple[Table, Table]:
    """References and answers with a column for each label."""
    if right.ndim != 2:
        raise ValueError(f"expected references of shape (n, labels), found {right.shape}")
    if right.shape != given.shape:
        shapes = f"references of shape {right.shape} and answers of shape {given.shape}"
        raise ValueError(f"expected an answer for each label, found {shapes}")
    labels = getattr(metric, "labels", None) or [str(k) for k in range(right.shape[1])]
    if len(labels) != right.shape[1]:
        raise ValueError(f"expected a column for each of {len(labels)} labels, found {right.shape[1]} columns")
    prefix = getattr(metric, "probability_prefix", "")
    return tuple(  # type: ignore[return-value]
        table_of(what, {before + label: _numbers(array[:, k]) for k, label in enumerate(labels)})
        for what, before, array in (("references", "", right), ("answers", prefix, given))
    )


def _answers(metric: Any, given: Arrays, right: Arrays, references: Table) -> Table:
    """The table of answers; ``right`` are the references as they were given."""
    prefix, labels = getattr(metric, "probability_prefix", ""), getattr(metric, "labels", None)
    if given.ndim == 2 and given.shape[1] > 1 and hasattr(metric, "labels"):
        if not labels:
            raise SpecError("labels", "the classes in the order of the columns of probabilities", None)
        if len(labels) != given.shape[1]:
            raise ValueError(f"expected a column for each of {len(labels)} labels, found {given.shape[1]} columns")
        return table_of("answers", {prefix + label: _numbers(given[:, k]) for k, label in enumerate(labels)})
    given = _flat(given, "answers")
    option = _answer_option(metric)
    column = getattr(metric, option)
    if option != "label_column":
        return table_of("answers", {column: _numbers(given)})
    answered = _classes(given, "answers")
    if _is_text(given) != _is_text(right):
        kinds = [
            f"{'text' if _is_text(each) else 'numbers'} ({str(each.ravel().tolist()[:3])[:40]})"
            for each in (right, given)
        ]
        raise ValueError(f"expected classes of one type, found {kinds[0]} as references and {kinds[1]} as answers")
    declared = labels or getattr(metric, "_declared", None)
    classes, words = set(declared or references.column(column)), set(answered)
    if not words & classes or (declared is None and not classes.issuperset(words)):
        cause = probable_cause(classes, words - classes)
        probably = f"probably {cause}" if cause else "the option labels names classes that no reference has"
        raise ValueError(
            f"expected answers of the classes {some(sorted(classes))}, found {some(sorted(words))}; {probably}"
        )
    return table_of("answers", {column: answered})


def _array(values: Any, what: str) -> Arrays:
    """An array of numbers, or of text."""
    if isinstance(values, np.ma.MaskedArray) and values.mask.any():
        raise ValueError(f"expected {what} without masked rows, found {int(values.mask.sum())} masked values")
    try:
        array = np.asarray(values.cpu() if hasattr(values, "cpu") else values)
    except ValueError:
        raise ValueError(f"expected {what} of shape (n,) or (n, k), found rows of different lengths") from None
    if (
        array.dtype.kind == "U"
        and isinstance(values, list | tuple)
        and not all(isinstance(each, str) for each in values)
    ):
        raise ValueError(
            f"expected {what} that are all text or all numbers, found both"
        )  # numpy would make text of all
    if array.ndim not in (1, 2) or not all(array.shape[1:]):
        raise ValueError(f"expected {what} of shape (n,) or (n, k), found {array.shape}")
    return array


def _check_index(truth: Any, answers: Any) -> None:
    """Refuse two of pandas' objects that name their rows, but not in the same order: rows are compared by place."""
    first, second = (
        None if callable(index := getattr(each, "index", None)) or index is None else list(index)
        for each in (truth, answers)
    )
    if first is None or second is None or first == second or len(first) != len(second):
        return
    unnamed = list(range(len(first)))
    if unnamed not in (first, second) or sorted(map(str, first)) == sorted(map(str, second)):
        raise ValueError(
            f"expected references and answers of one index, found {some([*map(str, first)], 3)} and "
            f"{some([*map(str, second)], 3)}: align them, or give arrays to compare rows by place"
        )


def _flat(values: Arrays, what: str) -> Arrays:
    if values.ndim == 2 and values.shape[1] != 1:
        raise ValueError(f"expected {what} of shape (n,), found {values.shape}")
    return values.ravel()


def _numbers(values: Arrays) -> NDArray[np.float64]:
    kind = values.dtype.kind  # text, dates and complex numbers would be converted
    if kind not in "bifu" and not (kind == "O" and all(isinstance(each, Real) for each in values.ravel().tolist())):
        raise ValueError(f"expected numbers, found {str(values.tolist()[:3])[:80]}")
    try:
        numbers = np.ascontiguousarray(values, np.float64)
    except OverflowError:
        raise ValueError(f"expected numbers up to {np.finfo(np.float64).max:.2g}, found a larger one") from None
    return numbers


def _classes(values: Arrays, what: str) -> list[str]:
    """The class of each row; classes that are equal numbers are one."""
    cells = _flat(values, what).tolist()
    for row, value in enumerate(cells):
        if not isinstance(value, _CLASS) or (isinstance(value, str) and not value):
            shown = "an empty text" if isinstance(value, str) else repr(value)[:80]
            raise ValueError(f"expected a class in each row of the {what}, found {shown} in row {row}")
    if len({isinstance(value, str) for value in cells}) > 1:
        raise ValueError(f"expected {what} that are all text or all numbers, found both")
    return [_label(value) for value in cells]


def _is_text(values: Arrays) -> bool:
    return isinstance(values.flat[0], str)


def _label(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int) or (isinstance(value, float) and value.is_integer()):
        return str(int(value))
    raise ValueError(f"expected a class, text or a whole number, found {value!r}")


def _answer_option(metric: object) -> str:
    """The option that names the column of single answers; measures of scores have labels of references too."""
    if isinstance(metric, OfSets):
        return "score_column" if hasattr(metric, "probability_prefix") else "labels_column"
    options = ("score_column", "label_column", "value_column", "answer_column")
    return next(option for option in options if hasattr(metric, option))


def sklearn_scorer(spec: dict[str, Any]) -> Callable[[Any, Any, Any], float]:
    """A scorer ``(estimator, X, y) -> float`` for ``cross_val_score``, ``GridSearchCV`` and the like.

    Measures of labels and regression call ``predict``, those of probabilities ``predict_proba``; of two classes the
    second column.

    >>> scorer = sklearn_scorer({"measure": "classification.mcc"})
    """
    metric = _made(spec)
    of_labels = _answer_option(metric) != "score_column"  # a wrong specification is refused at once, not in a search

    def scorer(estimator: Any, features: Any, truth: Any) -> float:
        classes = getattr(estimator, "classes_", None)
        if of_labels:
            answers = estimator.predict(features)
            if not isinstance(metric, OfCounts) or metric.labels is not None or classes is None:
                return score_arrays(spec, truth, answers)
            _check_index(truth, answers)
            right = _array(truth, "references")
            _classes(right, "references")
            every = np.unique(np.concatenate([np.asarray(classes), right.ravel()]))  # a fold may lack a class
            return score_arrays({"labels": every.tolist(), **spec}, right, answers)
        chances = estimator.predict_proba(features)
        if isinstance(metric, OfSets):  # of some estimators an array for each label, of two classes
            if isinstance(chances, list):
                chances = np.stack([_of_second_class(each) for each in chances], axis=1)
            return score_arrays(spec, truth, chances)
        if classes is None:
            raise ValueError(f"expected an estimator with classes_, found {type(estimator).__name__} without")
        labels, columns = np.asarray(classes).tolist(), _array(chances, "answers")
        if columns.shape[1:] != (len(labels),):
            raise ValueError(
                f"expected probabilities of shape (n, {len(labels)}), a column for each of the classes "
                f"{some([str(each) for each in labels])}, found {columns.shape}"
            )
        return score_arrays(
            {"labels": labels, **spec}, truth, _of_second_class(columns) if len(labels) == 2 else columns
        )

    return scorer


def _of_second_class(chances: Any) -> NDArray[np.float64]:
    """The second of two columns of probabilities, of which the first must be numbers too."""
    columns = _array(chances, "answers")
    if columns.shape[1:] != (2,):
        raise ValueError(
            f"expected probabilities of two classes, found shape {columns.shape}: has a fold one class only?"
        )
    numbers = _numbers(columns)
    wrong = np.flatnonzero(~np.isfinite(numbers).all(axis=1))
    if wrong.size:
        raise ValueError(f"expected finite probabilities, found {numbers[wrong[0]].tolist()} in row {wrong[0]}")
    return numbers[:, 1]
