"""Classification as a test is judged: rates of a positive class, operating points, agreement.

Conventions
-----------
Files, classes and the option ``positive`` are those of `metrics.generic.classification`; with more than two classes the
positive one is judged against all others.

* *Missing answers* (``missing: wrong``) and unknown labels are the wrong one of the two: a miss of a positive record, a
  false alarm of another.
* *Operating points* are the scores that occur, each with all records of equal score, and "none is positive".  The one
  that is best on the required side is taken among those that keep the other side at least at ``at``.
* *Undefined* (NaN): a rate without any record in its denominator.  Where a PPV has to be kept, "none is positive" keeps
  every one, so an entry that never reaches it has the sensitivity 0.

Sources: Youden, Cancer 3 (1950) 32; Cohen, Psychological Bulletin 70 (1968) 213, for weighted kappa; McClish, Medical
Decision Making 9 (1989) 190, for the partial area; Reyna et al., Computing in Cardiology 2022 and 2025, for the
weighted accuracy and the top fraction.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass
from typing import Any

import numpy as np

from metrics.base import Note
from metrics.generic.base import Bools, Floats, Ints, Values, by_name, ratio
from metrics.generic.classification import OfCounts, OfRanks, index_of_positive
from metrics.generic.options import TEXT, SpecError, mapping, nearest, number, one_of, option, or_none

_ORDERED = 3
"""Classes from which their order matters."""
_ROUNDING = 1e-12
"""A share that is less than this below what is required is equal to it."""

Rate = Callable[[Floats, Floats, Floats, Floats], Floats]
"""Function of true positives, false positives, false negatives and true negatives."""

RATES: Mapping[str, Rate] = {
    "sensitivity": lambda tp, fp, fn, tn: ratio(tp, tp + fn),
    "specificity": lambda tp, fp, fn, tn: ratio(tn, tn + fp),
    "ppv": lambda tp, fp, fn, tn: ratio(tp, tp + fp),
    "npv": lambda tp, fp, fn, tn: ratio(tn, tn + fn),
}
_OF: Mapping[str, tuple[int, int]] = {"sensitivity": (0, 2), "specificity": (3, 1), "ppv": (0, 1), "npv": (3, 2)}
"""Indices of the right and of the wrong ones of the four in a rate's denominator."""


def _class(kind: type, name: str, doc: str) -> type:
    """A measure that differs from its kind in its words only."""
    attributes = {"measure": f"classification.{name}", "__doc__": doc, "__module__": kind.__module__}
    return dataclass(frozen=True, kw_only=True)(type(name.title().replace("_", ""), (kind,), attributes))


def four_of(
    table: Floats, labels: tuple[str, ...], positive: str | None, declared: bool
) -> tuple[Floats, Floats, Floats, Floats]:
    """True positives, false positives, false negatives and true negatives, from tables of shape (b, k, k + 1)."""
    only = index_of_positive(labels, positive, declared)
    others = [k for k in range(len(labels)) if k != only]
    of_positive, of_others = table[:, only], table[:, others].sum(axis=1)
    tp, fp = of_positive[:, only], of_others[:, only] + of_others[:, -1]
    return tp, fp, of_positive.sum(axis=1) - tp, of_others.sum(axis=1) - fp


@dataclass(frozen=True, kw_only=True)
class _Rate(OfCounts):
    """One rate as the primary value, the others beside it."""

    positive: str | None = option(None, or_none(TEXT), "by default the last of two declared labels, or 1 of 0 and 1")

    def _formula(self, labels: tuple[str, ...]) -> Any:
        def formula(table: Floats) -> Values:
            four = four_of(table, labels, self.positive, self.labels is not None)
            values = {key: rate(*four) for key, rate in RATES.items()}
            values["youden"] = values["sensitivity"] + values["specificity"] - 1
            return {self.key: values.pop(self.key)} | values

        return formula

    def _shares(self, labels: tuple[str, ...], table: Ints) -> Mapping[str, tuple[int, int]]:
        counts = four_of(table[None].astype(np.float64), labels, self.positive, self.labels is not None)
        four = [int(each[0]) for each in counts]
        return {key: (four[right], four[right] + four[wrong]) for key, (right, wrong) in _OF.items()}


@dataclass(frozen=True, kw_only=True)
class WeightedKappa(OfCounts):
    """Cohen's kappa of ordered classes: 1 minus the mean disagreement over that of independent answers.

    Two classes disagree by their distance in the order of ``labels`` (without the option: by number where all are
    numbers, else by alphabet), ``quadratic`` by its square, with ``none`` by 1.  A missing answer disagrees as much as
    any can with its reference.  NaN where references and answers are of one and the same class.
    """

    measure = "classification.weighted_kappa"
    weights: str = option("quadratic", one_of("linear", "quadratic", "none"), "how a disagreement grows")

    def _formula(self, labels: tuple[str, ...]) -> Any:
        rank = np.array(_in_order(labels) if self.labels is None else range(len(labels)), np.float64)
        apart = np.abs(rank[:, None] - rank)
        apart = {"linear": apart, "quadratic": apart**2, "none": (apart > 0).astype(np.float64)}[self.weights]
        weights = np.column_stack([apart, apart.max(axis=1)])

        def formula(table: Floats) -> Values:
            total, rows, columns = table.sum(axis=(1, 2)), table.sum(axis=2), table.sum(axis=1)
            expected = ratio(np.einsum("bi,ij,bj->b", rows, weights, columns), total)
            return {"kappa": 1 - ratio((table * weights).sum(axis=(1, 2)), expected)}

        return formula

    def _class_notes(self, labels: tuple[str, ...], table: Ints) -> list[Note]:
        if self.labels is not None or self.weights == "none" or len(labels) < _ORDERED or _as_numbers(labels):
            return []
        order = ", ".join(labels)
        return [Note(f"classes are in the order of the alphabet ({order}): the option labels gives another")]


def _as_numbers(labels: Sequence[str]) -> list[float] | None:
    """The labels as numbers, where all are."""
    try:
        return [float(label) for label in labels]
    except ValueError:
        return None


def _in_order(labels: Sequence[str]) -> list[int]:
    """The place of each label: by number where all are numbers."""
    numbers = _as_numbers(labels)
    return list(range(len(labels))) if numbers is None else [sorted(numbers).index(each) for each in numbers]


@dataclass(frozen=True, kw_only=True)
class WeightedAccuracy(OfCounts):
    """Share of records with the right label, where each record has the weight of its class.

    ``weights: {Present: 5, Unknown: 3, Absent: 1}`` is the murmur score of the PhysioNet Challenge 2022.
    """

    measure = "classification.weighted_accuracy"
    weights: Mapping[str, float] = option(
        MISSING, mapping(number(0), "labels to weights from 0"), "of the records of each class"
    )

    def __post_init__(self) -> None:
        for label in self.labels or ():
            if label not in self.weights:
                close = nearest(label, self.weights)
                raise SpecError(f"{self.measure}: weights", f"a weight of the label {label!r}", None, nearest=close)

    @property
    def _declared(self) -> tuple[str, ...]:
        return self.labels or tuple(self.weights)

    def _formula(self, labels: tuple[str, ...]) -> Any:
        weights = np.array([self.weights[label] for label in labels])

        def formula(table: Floats) -> Values:
            hits = np.diagonal(table, axis1=1, axis2=2)
            return {"weighted_accuracy": ratio(hits @ weights, table.sum(axis=2) @ weights)}

        return formula


def operating_points(scores: Floats, positive: Bools) -> Callable[[Any], tuple[Floats, Floats, Floats, Floats]]:
    """Return a function that gives true and false positives, and false and true negatives, of many multisets.

    Shape (b, points); the first point is "none is positive", the others are the scores that occur, falling.
    """
    order = np.argsort(-scores)  # that of equal scores does not matter
    falling, of_class = scores[order], positive[order]
    last = np.flatnonzero(np.append(falling[1:] != falling[:-1], True)) if order.size else np.zeros(0, np.int64)

    def four(weights: Any) -> tuple[Floats, Floats, Floats, Floats]:
        sorted_weights = np.take(weights, order, axis=1).astype(np.float64)
        tp, fp = (
            np.pad(np.cumsum(sorted_weights * each, axis=1)[:, last], ((0, 0), (1, 0)))
            for each in (of_class, ~of_class)
        )
        return tp, fp, tp[:, -1:] - tp, fp[:, -1:] - fp

    return four


@dataclass(frozen=True, kw_only=True)
class _AtOther(OfRanks):
    """The best of one rate among operating points that keep another."""

    at: float = option(MISSING, number(0, 1), "the smallest share of the other side")

    def _sides(self) -> tuple[Rate, Rate]:
        wanted, _, kept = self.key.partition("_at_")
        return RATES[wanted], RATES[kept]

    def _area(self, scores: Floats, positive: Bools) -> Callable[[Ints], Floats]:
        points, (wanted, kept) = operating_points(scores, positive), self._sides()

        def best(weights: Any) -> Floats:
            four = points(weights)
            held = np.nan_to_num(kept(*four), nan=1.0) >= self.at - _ROUNDING
            value = np.where(held, wanted(*four), math.nan)
            largest = np.fmax.reduce(value, axis=1)
            return np.where((four[0][:, -1] > 0) & (four[1][:, -1] > 0), largest, math.nan)

        return best


@dataclass(frozen=True, kw_only=True)
class TopFraction(OfRanks):
    """Share of the positive records that are among the first ``fraction`` of all by score.

    The number of places is rounded down.  Where equal scores compete for the last ones the value is the mean over all
    orders of them.
    """

    measure = "classification.top_fraction"
    fraction: float = option(0.05, number(0, 1, above=True), "of all records, that can be followed up")

    def _area(self, scores: Floats, positive: Bools) -> Callable[[Ints], Floats]:
        points = operating_points(scores, positive)

        def share(weights: Any) -> Floats:
            tp, fp, _, _ = points(weights)
            places = np.floor(self.fraction * (tp + fp)[:, -1:] + _ROUNDING)
            reached, gained = tp + fp, np.diff(tp, axis=1)
            filled = np.clip(ratio(places - reached[:, :-1], np.diff(reached, axis=1)), 0, 1)
            return ratio((np.nan_to_num(filled) * gained).sum(axis=1), tp[:, -1])

        return share


_DOCS = {
    "sensitivity": "Share of the positive records that are answered so (recall).",
    "specificity": "Share of the other records that are not answered as positive.",
    "ppv": "Share of the positive answers that are right (precision).",
    "npv": "Share of the negative answers that are right.",
    "youden": "Sensitivity plus specificity minus 1.",
}

MEASURES: dict[str, Any] = {
    **{name: _class(_Rate, name, doc) for name, doc in _DOCS.items()},
    **{
        f"{wanted}_at_{kept}": _class(
            _AtOther, f"{wanted}_at_{kept}", f"The best {wanted} with a {kept} of at least ``at``."
        )
        for wanted, kept in (
            ("sensitivity", "specificity"),
            ("specificity", "sensitivity"),
            ("ppv", "sensitivity"),
            ("npv", "specificity"),
            ("sensitivity", "ppv"),
        )
    },
    **by_name(WeightedKappa, WeightedAccuracy, TopFraction),
}
