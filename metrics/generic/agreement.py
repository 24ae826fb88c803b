"""Agreement, correlation and probabilistic forecasts of numbers.

Conventions
-----------
Files, ``range`` and missing answers are those of `metrics.generic.regression`: a missing answer lies at the farther end
of the range, at the largest error; ``exclude-with-note`` leaves the record out.

* Variances and covariances of `ccc` and `pearson` divide by n, as Lin (1989) does; standard deviations of
  `bland_altman` and mean squares of `icc` by their degrees of freedom.
* `icc` treats reference and answer as two raters of every record.
* *Ties* in `spearman` share the mean of their ranks.
* Where nothing varies a correlation is not defined: NaN and a note.
* `mape` refuses references of 0.

Sources: Lin, Biometrics 45 (1989) 255; Shrout and Fleiss, Psychological Bulletin 86 (1979) 420; Bland and Altman,
Lancet 327 (1986) 307; Gneiting and Raftery, JASA 102 (2007) 359, for CRPS and pinball loss.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass
from typing import Any, ClassVar

import numpy as np

from metrics.generic.base import (
    Floats,
    Lazily,
    Measured,
    Statistic,
    Values,
    by_name,
    by_parts,
    loss,
    ratio,
    sums_of_columns,
)
from metrics.generic.options import TEXT, number, one_of, option
from metrics.generic.regression import OfNumbers, OfOneNumber
from metrics.generic.tables import Paired

_NOTHING = 1e-12
"""Share of the mean square below which a variance is what rounding left."""
_CACHED = 1 << 15
"""Members of ensembles that are sorted at a time, so that they stay in the processor's cache."""
Moments = tuple[Floats, Floats, Floats, Floats, Floats, Floats]
"""n, mean of references and of answers, mean squares around them, and their mean product, each of shape (b,)."""


def _pearson(of: Moments) -> Values:
    _, _, _, xx, yy, xy = of
    return {"pearson": ratio(xy, np.sqrt(xx * yy))}


def _ccc(of: Moments) -> Values:
    _, x, y, xx, yy, xy = of
    precision = ratio(xy, np.sqrt(xx * yy))
    return {"ccc": ratio(2 * xy, xx + yy + (x - y) ** 2), "pearson": precision}


def _bland_altman(of: Moments) -> Values:
    n, x, y, xx, yy, xy = of
    bias = y - x
    spread = 1.96 * np.sqrt(ratio(np.maximum(xx + yy - 2 * xy, 0) * n, n - 1))
    values = {"bias": bias, "lower_limit": bias - spread, "upper_limit": bias + spread}
    return loss("widest_limit", np.abs(bias) + spread) | values


def _icc(of: Moments, form: str) -> Values:
    n, x, y, xx, yy, xy = of
    apart = n * (xx + yy - 2 * xy + (x - y) ** 2) / 2  # sum of squares within records
    raters = n * (x - y) ** 2 / 2
    rows = ratio(n * (xx + yy + 2 * xy) / 2, n - 1)
    within, error = ratio(apart, n), ratio(np.maximum(apart - raters, 0), n - 1)
    gain, beside = {
        "1": (rows - within, within),
        "2": (rows - error, error + 2 * ratio(raters - error, n)),
        "3": (rows - error, error),
    }[form[0]]
    single = form.endswith("1")
    average = {"1": rows, "2": rows + ratio(raters - error, n), "3": rows}[form[0]]
    return {"icc": ratio(gain, rows + beside if single else average)}


@dataclass(frozen=True, kw_only=True)
class _OfMoments(OfOneNumber):
    """A formula of means, variances and the covariance."""

    def _statistic(self, reference: Floats, answer: Floats) -> Statistic:
        filled, used = self._filled(reference, answer)
        whole = bool(used.all())
        sides = (reference, filled) if whole else (reference[used], filled[used])
        shift = [float(side.mean()) for side in sides] if used.any() else [0.0, 0.0]

        def columns(part: slice) -> Floats:
            found = np.empty((6, used[part].size))
            found[0], x, y = used[part], found[1], found[2]
            for side, own, middle in zip((reference, filled), (x, y), shift, strict=True):
                np.subtract(side[part], middle, out=own)
                if not whole:
                    own[~used[part]] = 0
            for place, (one, other) in enumerate(((x, x), (y, y), (x, y)), 3):
                np.multiply(one, other, out=found[place])
            return found

        def values(found: Floats) -> Values:
            n, sx, sy, sxx, syy, sxy = found.T
            mx, my, mxx, myy = (ratio(each, n) for each in (sx, sy, sxx, syy))
            xx, yy = (
                np.where(square - mean**2 > _NOTHING * square, square - mean**2, 0.0)
                for square, mean in ((mxx, mx), (myy, my))
            )
            return self._of((n, mx + shift[0], my + shift[1], xx, yy, ratio(sxy, n) - mx * my))

        return sums_of_columns(columns, used.size, values)

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
class BlandAltman(_OfMoments):
    """Limits of agreement: bias ± 1.96 standard deviations of the differences, answer minus reference.

    The primary value is the negative of the limit that is farther from 0.
    """

    measure = "regression.bland_altman"

    def _of(self, of: Moments) -> Values:
        return _bland_altman(of)


@dataclass(frozen=True, kw_only=True)
class Icc(_OfMoments):
    """Intraclass correlation of reference and answer, in the form of Shrout and Fleiss.

    1: the raters of each record are drawn anew; 2: raters are a sample (absolute agreement); 3: these raters only
    (consistency, which a constant bias does not lower).  ``1`` after the comma for a single answer, ``k`` for the mean
    of both raters.
    """

    measure = "regression.icc"
    scales: ClassVar[Mapping[str, str]] = {"icc": "correlation"}
    form: str = option("2,1", one_of("1,1", "2,1", "3,1", "1,k", "2,k", "3,k"), "which of the six")

    def _of(self, of: Moments) -> Values:
        return _icc(of, self.form)


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

        return lambda weights: {"spearman": by_parts(correlation, weights)}


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


@dataclass(frozen=True, kw_only=True)
class Crps(OfNumbers):
    """Continuous ranked probability score of forecasts: in the unit of the numbers, of a single number its error.

    Answers are an ensemble, columns ``x_1,x_2,…`` of equal weight, or a normal distribution, columns ``mean,sd``.  The
    score of an ensemble is E|X - y| - E|X - X'| / 2 over its members.
    """

    measure = "regression.crps"
    is_loss = True
    forecast: str = option("ensemble", one_of("ensemble", "normal"), "what the columns of an answer are")
    member_prefix: str = option("x_", TEXT, "in front of the columns of an ensemble")

    @property
    def _answer_columns(self) -> tuple[str, ...]:
        return ("mean", "sd")

    def measured_of(self, of: Paired) -> Measured:
        """See `OfTables.measured_of`."""
        reference = self._numbers(of)
        middle, score = self._scored(of, reference)
        losses = self._with_worst(reference, score)

        def shown() -> dict[str, dict[str, float | str]]:
            columns = of.records.names, reference.tolist(), middle().tolist(), score.tolist()
            return {
                name: {"reference": own} | ({} if math.isnan(value) else {"answer": centre, "crps": value})
                for name, own, centre, value in zip(*columns, strict=True)
            }

        return Measured(records=of.records, statistic=self.mean_of(losses), per_record=Lazily(shown), notes=of.notes)

    def _scored(self, of: Paired, reference: Floats) -> tuple[Callable[[], Floats], Floats]:
        """What makes the means, and the scores; NaN where there is no answer."""
        given = of.given
        if self.forecast == "normal":
            mean, sd = of.of_answers(given.numbers("mean")), of.of_answers(given.numbers("sd", low=0))
            return lambda: mean, _crps_normal(reference, mean, sd)
        names = [name for name in given.header if name.startswith(self.member_prefix)]
        if given.names and not names:
            raise given.fail(f"expected columns {self.member_prefix}1, {self.member_prefix}2, …, found none")
        if not names:
            none = np.full_like(reference, math.nan)
            return lambda: none, none
        members = [of.of_answers(given.numbers(name)) for name in names]
        return lambda: np.column_stack(members).mean(axis=1), _crps_of_members(reference, members)


def _crps_of_members(reference: Floats, members: Sequence[Floats]) -> Floats:
    """Scores of ensembles of equal weights, shape (n,); ``members`` are side by side, each of shape (n,) or (n, k)."""
    m, score = sum(each[:1].size for each in members), np.empty_like(reference)
    rows = max(1, _CACHED // max(1, m))
    apart, evenly = (2 * np.arange(1, m + 1) - m - 1) / m**2, np.full(m, 1 / m)
    for start in range(0, reference.size, rows):
        part = slice(start, start + rows)
        side_by_side = members[0][part] if members[0].ndim > 1 else np.column_stack([each[part] for each in members])
        with np.errstate(over="ignore", invalid="ignore"):  # the report says what is infinite
            off = side_by_side - reference[part, None]
            off.sort(axis=1)
            half = np.einsum("nm,m->n", off, apart)  # of E|X - X'|
            far = np.einsum("nm,m->n", np.abs(off, out=off), evenly)
            np.subtract(far, half, out=score[part])
        score[part][np.isinf(far)] = math.inf
    return np.maximum(score, 0, out=score)


def _crps_normal(reference: Floats, mean: Floats, sd: Floats) -> Floats:
    z = np.divide(reference - mean, sd, out=np.zeros_like(mean), where=sd > 0)
    erf = np.array([math.erf(each / math.sqrt(2)) for each in z])
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    return np.where(sd > 0, sd * (z * erf + 2 * density - 1 / math.sqrt(math.pi)), np.abs(reference - mean))


MEASURES = by_name(Ccc, Icc, BlandAltman, Pearson, Spearman, Mape, Pinball, Crps)
