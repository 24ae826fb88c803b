"""Regression: one number for each record.

Conventions
-----------
References have a row ``record,value[,patient]``, answers ``record,value``.

* *Missing answers* (``missing``): ``worst`` (default) gives the record the largest possible error: the distance to
  the farther end of ``range``, or, if no range is declared, of the references' own range, and at least the largest
  error that this entry makes anywhere; ``exclude-with-note`` leaves the record out.
* With ``range`` declared, answers outside it are refused.
* *Ties*: equal numbers share the mean of their ranks (`Spearman`).
* Variances and covariances of `Ccc` and `Pearson` divide by n, as Lin (1989) does.
* Where nothing varies (all references equal) R² and correlations are not defined: NaN and a note.

Sources: scikit-learn for MAE, RMSE, R²; Lin, Biometrics 45 (1989) 255.  The share of pairs in the same order is
``survival.c_index``, with an event in every record.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from metrics.generic.base import (
    EXCLUDE,
    Bools,
    Floats,
    Measured,
    Statistic,
    Values,
    by_name,
    ratio,
    sums,
)
from metrics.generic.options import TEXT, SpecError, number, option, or_none, several
from metrics.generic.tables import LARGEST, OfTables, Paired


@dataclass(frozen=True, kw_only=True)
class OfNumbers(OfTables):
    """Options of every measure of numbers."""

    value_column: str = option("value", TEXT, "name of the column of numbers")
    range: tuple[float, float] | None = option(
        None,
        or_none(several(number(-LARGEST, LARGEST), "two numbers, the smaller first", exactly=2)),
        "smallest and largest legal number",
    )
    _missing_counts = "given the largest error"

    def __post_init__(self) -> None:
        if self.range is not None and self.range[0] >= self.range[1]:
            raise SpecError(f"{self.measure}: range", "two numbers, the smaller first", list(self.range))

    @property
    def _reference_columns(self) -> tuple[str, ...]:
        return (self.value_column,)

    def _filled(self, reference: Floats, answer: Floats) -> tuple[Floats, Bools]:
        """Answers with missing ones at the farther end of the range, and which records count; shape (records,)."""
        missing = np.isnan(answer)
        if self.missing == EXCLUDE or not missing.any():
            return answer, np.logical_not(missing, out=missing)
        low, high = self.range or (reference.min(), reference.max())
        side = np.where(high - reference >= reference - low, 1.0, -1.0)
        return np.where(missing, reference + side * self._errors(reference, answer), answer), np.ones_like(missing)

    def _errors(self, reference: Floats, answer: Floats) -> Floats:
        """Absolute errors; NaN where the record is left out."""
        errors = answer - reference
        return self._with_worst(reference, np.abs(errors, out=errors))

    def _with_worst(self, reference: Floats, errors: Floats) -> Floats:
        """Errors from 0, those that are NaN at the worst; NaN where the record is left out."""
        if self.missing == EXCLUDE or not math.isnan(errors.sum()):
            return errors
        low, high = self.range or (reference.min(), reference.max())
        largest = np.nanmax(np.append(errors, 0.0))
        worst = np.maximum(np.maximum(reference - low, high - reference), largest)
        return np.where(np.isnan(errors), worst, errors)

    @property
    def _answer_columns(self) -> tuple[str, ...]:
        return (self.value_column,)

    def measured_of(self, of: Paired) -> Measured:
        low, high = self.range or (-LARGEST, LARGEST)
        reference: Floats = of.of_references(of.truth.numbers(self.value_column, low=low, high=high))
        answer: Floats = of.of_answers(of.given.numbers(self.value_column, low=low, high=high))
        statistic = self._statistic(reference, answer)
        per_record: dict[str, dict[str, float | str]] = {
            name: {"reference": right}
            | ({} if math.isnan(answered) else {"answer": answered, "error": answered - right})
            for name, right, answered in zip(of.records.names, reference.tolist(), answer.tolist(), strict=True)
        }
        return Measured(records=of.records, statistic=statistic, per_record=per_record, notes=of.notes)

    @abstractmethod
    def _statistic(self, reference: Floats, answer: Floats) -> Statistic:
        """The statistic of numbers of shape (records,); NaN for missing answers."""


@dataclass(frozen=True, kw_only=True)
class MeanAbsoluteError(OfNumbers):
    """Mean absolute error, in the unit of the numbers."""

    measure = "regression.mae"
    scales: ClassVar[Mapping[str, str]] = {"neg_mae": "error", "mae": "error"}
    is_loss = True

    def _statistic(self, reference: Floats, answer: Floats) -> Statistic:
        return self.mean_of(self._errors(reference, answer))


@dataclass(frozen=True, kw_only=True)
class RootMeanSquareError(OfNumbers):
    """Root of the mean squared error, in the unit of the numbers; a few large errors dominate it."""

    measure = "regression.rmse"
    scales: ClassVar[Mapping[str, str]] = {"neg_rmse": "root of squares", "rmse": "root of squares"}
    is_loss = True

    def _statistic(self, reference: Floats, answer: Floats) -> Statistic:
        squares = self._errors(reference, answer)
        np.square(squares, out=squares)
        return self.mean_of(squares)

    def valued(self, value: Floats) -> Values:
        """The root of the mean."""
        return super().valued(np.sqrt(value))


@dataclass(frozen=True, kw_only=True)
class RSquared(OfNumbers):
    """Coefficient of determination: 1 minus squared errors over the squared deviations from the mean reference.

    Negative for answers worse than that mean.  Depends on how much the references vary.
    """

    measure = "regression.r2"
    scales: ClassVar[Mapping[str, str]] = {"r2": "share"}

    def _statistic(self, reference: Floats, answer: Floats) -> Statistic:
        squares = self._errors(reference, answer)
        np.square(squares, out=squares)
        off, used = reference - reference.mean(), ~np.isnan(squares)  # small numbers, whose squares do not cancel
        rows = np.where(used, [squares, off, off**2, np.ones_like(off)], 0.0).T

        def formula(total: Floats) -> Values:
            squared, first, second, count = total.T
            spread = second - ratio(first**2, count)
            spread = np.where(spread > 1e-12 * second, spread, 0.0)
            return {"r2": 1 - ratio(squared, spread)}

        return sums(rows, formula)


_NOTHING = 1e-12
"""Share of the mean square below which a variance is what rounding left."""
Moments = tuple[Floats, Floats, Floats, Floats, Floats, Floats]
"""n, mean of references and of answers, mean squares around them, and their mean product, each of shape (b,)."""


@dataclass(frozen=True, kw_only=True)
class _OfMoments(OfNumbers):
    """A formula of means, variances and the covariance."""

    def _statistic(self, reference: Floats, answer: Floats) -> Statistic:
        filled, used = self._filled(reference, answer)
        shift = [float(side[used].mean()) if used.any() else 0.0 for side in (reference, filled)]
        x, y = (np.where(used, side - middle, 0.0) for side, middle in zip((reference, filled), shift, strict=True))
        rows = np.column_stack([used, x, y, x * x, y * y, x * y])

        def values(total: Floats) -> Values:
            n, sx, sy, sxx, syy, sxy = total.T
            mx, my, mxx, myy = (ratio(each, n) for each in (sx, sy, sxx, syy))
            xx, yy = (
                np.where(square - mean**2 > _NOTHING * square, square - mean**2, 0.0)
                for square, mean in ((mxx, mx), (myy, my))
            )
            return self._of((n, mx + shift[0], my + shift[1], xx, yy, ratio(sxy, n) - mx * my))

        return sums(rows, values)

    @abstractmethod
    def _of(self, of: Moments) -> Values:
        """The values of moments."""


@dataclass(frozen=True, kw_only=True)
class Pearson(_OfMoments):
    """Pearson's correlation: how well answers lie on some straight line with the references, not on the diagonal."""

    measure = "regression.pearson"
    scales: ClassVar[Mapping[str, str]] = {"pearson": "correlation"}

    def _of(self, of: Moments) -> Values:
        _, _, _, xx, yy, xy = of
        return {"pearson": ratio(xy, np.sqrt(xx * yy))}


@dataclass(frozen=True, kw_only=True)
class Ccc(_OfMoments):
    """Lin's concordance correlation coefficient: agreement with the diagonal, 2 s_xy / (s_xx + s_yy + (bias)²).

    Not the share of pairs in the same order, which is ``survival.c_index``.
    """

    measure = "regression.ccc"
    scales: ClassVar[Mapping[str, str]] = {"ccc": "correlation", "pearson": "correlation"}

    def _of(self, of: Moments) -> Values:
        _, x, y, xx, yy, xy = of
        return {"ccc": ratio(2 * xy, xx + yy + (x - y) ** 2), "pearson": ratio(xy, np.sqrt(xx * yy))}


@dataclass(frozen=True, kw_only=True)
class Spearman(OfNumbers):
    """Spearman's correlation: Pearson's of the ranks."""

    measure = "regression.spearman"
    scales: ClassVar[Mapping[str, str]] = {"spearman": "correlation of ranks"}

    def _statistic(self, reference: Floats, answer: Floats) -> Statistic:
        filled, used = self._filled(reference, answer)
        kept = np.flatnonzero(used)
        ranks = [_ranks(each[kept]) for each in (reference, filled)]

        def correlation(weights: Any) -> Floats:
            drawn = np.take(weights, kept, axis=1).astype(np.float64)
            n = drawn.sum(axis=1)
            x, y = (each(drawn) - ((n + 1) / 2)[:, None] for each in ranks)  # the mean rank is (n + 1) / 2
            xx, yy, xy = (np.einsum("bi,bi,bi->b", drawn, *pair) for pair in ((x, x), (y, y), (x, y)))
            return ratio(xy, np.sqrt(xx * yy))

        return lambda weights: {"spearman": correlation(weights)}


def _ranks(values: Floats) -> Callable[[Floats], Floats]:
    """Return a function that gives the mean rank of each record in many multisets, shape (b, n)."""
    order = np.argsort(values)
    starts = np.flatnonzero(np.append(True, np.diff(values[order]) != 0))[: values.size]
    group = np.empty(values.size, np.int64)
    group[order] = np.repeat(np.arange(starts.size), np.diff(np.append(starts, values.size)))

    def ranks(weights: Floats) -> Floats:
        if not group.size:
            return weights
        sizes = np.add.reduceat(np.take(weights, order, axis=1), starts, axis=1)
        return np.take(np.cumsum(sizes, axis=1) - (sizes - 1) / 2, group, axis=1)

    return ranks


MEASURES = by_name(MeanAbsoluteError, RootMeanSquareError, RSquared, Ccc, Pearson, Spearman)
