"""Agreement and correlation of numbers.

Conventions
-----------
Files, ``range`` and missing answers are those of `metrics.generic.regression`: a missing answer lies at the farther end
of the range, at the largest error; ``exclude-with-note`` leaves the record out.

* Variances and covariances of `ccc` and `pearson` divide by n, as Lin (1989) does.
* *Ties* in `spearman` share the mean of their ranks.
* Where nothing varies a correlation is not defined: NaN and a note.
* `mape` refuses references of 0.

Sources: Lin, Biometrics 45 (1989) 255; Gneiting and Raftery, JASA 102 (2007) 359, for the pinball loss.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass
from typing import Any, ClassVar

import numpy as np

from metrics.generic.base import (
    Floats,
    Statistic,
    Values,
    by_name,
    ratio,
    sums,
)
from metrics.generic.options import number, option
from metrics.generic.regression import OfOneNumber
from metrics.generic.tables import Paired

_NOTHING = 1e-12
"""Share of the mean square below which a variance is what rounding left."""
Moments = tuple[Floats, Floats, Floats, Floats, Floats, Floats]
"""n, mean of references and of answers, mean squares around them, and their mean product, each of shape (b,)."""


def _pearson(of: Moments) -> Values:
    _, _, _, xx, yy, xy = of
    return {"pearson": ratio(xy, np.sqrt(xx * yy))}


def _ccc(of: Moments) -> Values:
    _, x, y, xx, yy, xy = of
    precision = ratio(xy, np.sqrt(xx * yy))
    return {"ccc": ratio(2 * xy, xx + yy + (x - y) ** 2), "pearson": precision}


@dataclass(frozen=True, kw_only=True)
class _OfMoments(OfOneNumber):
    """A formula of means, variances and the covariance."""

    def _statistic(self, reference: Floats, answer: Floats) -> Statistic:
        filled, used = self._filled(reference, answer)
        shift = [float(side[used].mean()) if used.any() else 0.0 for side in (reference, filled)]
        x, y = (np.where(used, side - middle, 0.0) for side, middle in zip((reference, filled), shift, strict=True))
        rows = np.column_stack([used, x, y, x * x, y * y, x * y])

        def values(found: Floats) -> Values:
            n, sx, sy, sxx, syy, sxy = found.T
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
        return _pearson(of)


@dataclass(frozen=True, kw_only=True)
class Ccc(_OfMoments):
    """Lin's concordance correlation coefficient: agreement with the diagonal, 2 s_xy / (s_xx + s_yy + (bias)²).

    Not the share of pairs in the same order, which is ``regression.concordance``.
    """

    measure = "regression.ccc"
    scales: ClassVar[Mapping[str, str]] = {"ccc": "correlation", "pearson": "correlation"}

    def _of(self, of: Moments) -> Values:
        return _ccc(of)


@dataclass(frozen=True, kw_only=True)
class Spearman(OfOneNumber):
    """Spearman's correlation: Pearson's of the ranks."""

    measure = "regression.spearman"
    scales: ClassVar[Mapping[str, str]] = {"spearman": "correlation of ranks"}

    def _statistic(self, reference: Floats, answer: Floats) -> Statistic:
        filled, used = self._filled(reference, answer)
        kept = np.flatnonzero(used)
        ranks = [_ranks(each[kept]) for each in (reference, filled)]

        def correlation(weights: Any) -> Floats:
            own = np.take(weights, kept, axis=1).astype(np.float64)
            n = own.sum(axis=1)
            x, y = (each(own) - ((n + 1) / 2)[:, None] for each in ranks)  # the mean rank is (n + 1) / 2
            xx, yy, xy = (np.einsum("bi,bi,bi->b", own, *pair) for pair in ((x, x), (y, y), (x, y)))
            return ratio(xy, np.sqrt(xx * yy))

        return lambda weights: {"spearman": correlation(weights)}


def _ranks(values: Floats) -> Callable[[Floats], Floats]:
    """What gives the mean rank of each record in many multisets, shape (b, n)."""
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


@dataclass(frozen=True, kw_only=True)
class _MeanOfLoss(OfOneNumber):
    """A mean of one loss for each record."""

    is_loss = True

    def _statistic(self, reference: Floats, answer: Floats) -> Statistic:
        filled, used = self._filled(reference, answer)
        if used.all():
            return self.mean_of(self._loss(reference, filled))
        return self.mean_of(np.where(used, self._loss(reference, np.where(used, filled, reference)), math.nan))

    @abstractmethod
    def _loss(self, reference: Floats, answer: Floats) -> Floats:
        """Shape (records,)."""


@dataclass(frozen=True, kw_only=True)
class Mape(_MeanOfLoss):
    """Mean absolute error as a share of the reference (0.1 is 10 %)."""

    measure = "regression.mape"

    def _check(self, of: Paired, reference: Floats) -> None:
        if not reference.all():
            zero = int(of.references[np.argmin(reference != 0)])
            raise of.truth.fail("expected references other than 0 for a share of them, found 0", zero)

    def _loss(self, reference: Floats, answer: Floats) -> Floats:
        share = answer - reference
        share /= reference
        return np.abs(share, out=share)


@dataclass(frozen=True, kw_only=True)
class Pinball(_MeanOfLoss):
    """Pinball loss of answers that are a quantile: twice that of the median is the mean absolute error."""

    measure = "regression.pinball"
    quantile: float = option(MISSING, number(0, 1, above=True), "which quantile is answered")

    def _loss(self, reference: Floats, answer: Floats) -> Floats:
        above = reference - answer
        below = (self.quantile - 1) * above
        above *= self.quantile
        return np.maximum(above, below, out=above)


MEASURES = by_name(Ccc, Pearson, Spearman, Mape, Pinball)
