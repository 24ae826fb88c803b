"""Several readers, several methods, many cases (MRMC): is a method better, for other readers and other cases too?

Conventions
-----------
Every reader reads every case by every method (fully crossed).  The figure of merit is the area under the ROC curve of
each reader and method.  Their covariances are estimated by leaving out single cases (patients), or by DeLong's
components.  The model is that of Obuchowski and Rockette with the corrections of Hillis: method fixed, readers and
cases random.

* *Degenerate*: without any variation, F is not defined (NaN) and so is p.  Covariances below 0 count as 0 where
  Hillis says so.

Sources: Obuchowski and Rockette, Communications in Statistics 24 (1995) 285; Hillis, Statistics in Medicine 26 (2007)
596; DeLong et al., Biometrics 44 (1988) 837.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.display import interval_text
from metrics.measures.auc import components
from metrics.statistics.uncertainty import LEVEL, Floats

METHODS = ("jackknife", "delong")
_ROUNDING = 1e-15
"""Squares of areas that differ by rounding only."""


@dataclass(frozen=True, kw_only=True)
class ReaderStudy:
    """The result of a study with several readers."""

    methods: tuple[str, ...]
    areas: Mapping[str, tuple[float, ...]]
    """For each method the area of every reader."""
    means: tuple[float, ...]
    """Of the methods, over readers."""
    intervals: tuple[tuple[float, float], ...]
    """Of the means, for other readers and cases."""
    f: float
    degrees: tuple[float, float]
    """Of freedom, of F."""
    p_value: float
    """That all methods are equal."""
    differences: Mapping[tuple[str, str], tuple[float, float, float, float]]
    """For each pair of methods: difference of the means, lower and upper bound, p value."""
    variance: float
    """Of one area, by cases."""
    covariances: tuple[float, float, float]
    """Of areas of one reader by two methods, of two readers by one method, of two readers by two methods."""

    def __str__(self) -> str:
        first, second = self.degrees
        lines = [f"F({first:.0f}, {second:.1f}) = {self.f:.3f}, p = {self.p_value:.3f}"]
        for name, mean, bounds in zip(self.methods, self.means, self.intervals, strict=True):
            lines.append(f"{name}: {mean:.4f}, 95 % interval {interval_text(*bounds)}, readers {len(self.areas[name])}")
        covariances = ", ".join(f"{each:.3g}" for each in self.covariances)
        return "\n".join([*lines, f"variance of an area by cases {self.variance:.3g}, covariances {covariances}"])


def obuchowski_rockette(
    scores: Mapping[str, Sequence[Sequence[float]]],
    positive: Sequence[bool],
    *,
    covariance: str = METHODS[0],
    level: float = LEVEL,
) -> ReaderStudy:
    """Compare methods over readers and cases.

    Parameters
    ----------
    scores : mapping of method to sequences of shape (readers, cases)
        Confidence that a case is positive; the readers in the same order for each method.
    positive : shape (cases,)
    covariance : "jackknife" or "delong"

    Raises
    ------
    ValueError
        Fewer than two methods or readers, other shapes, numbers that are not finite, or fewer than two cases of a
        class.
    """
    if covariance not in METHODS:
        raise ValueError(f"expected covariance to be one of {', '.join(METHODS)}, found {covariance!r}")
    methods = tuple(scores)
    shapes = {np.shape(np.asarray(own, np.float64)) for own in scores.values()}
    truth = np.asarray(positive, np.bool_)
    if len(shapes) != 1 or len(shape := next(iter(shapes))) != 2 or shape[1] != truth.size:
        raise ValueError(f"expected scores of readers and {truth.size} cases for each method, found {sorted(shapes)}")
    table = np.array([np.asarray(own, np.float64) for own in scores.values()])
    t, r, _ = table.shape
    if t < 2 or r < 2 or truth.sum() < 2 or (~truth).sum() < 2:
        raise ValueError("expected at least 2 methods, 2 readers, and 2 cases of each class")
    if not np.isfinite(table).all():
        raise ValueError("expected finite scores, found others")
    areas, errors = _areas(table.reshape(t * r, -1), truth, covariance)
    return analysis_of_areas(methods, areas.reshape(t, r), errors, level)


def analysis_of_areas(methods: tuple[str, ...], areas: Floats, errors: Floats, level: float = LEVEL) -> ReaderStudy:
    """The analysis of variance of areas that are known.

    Parameters
    ----------
    areas : shape (methods, readers)
    errors : shape (methods * readers, methods * readers)
        Their covariances by cases, the readers of the first method first.
    """
    from scipy import stats  # noqa: PLC0415  # takes longer to import than most scorings take

    t, r = areas.shape
    same_method = np.repeat(np.arange(t), r)[:, None] == np.repeat(np.arange(t), r)[None]
    same_reader = np.tile(np.arange(r), t)[:, None] == np.tile(np.arange(r), t)[None]
    variance = float(errors[same_method & same_reader].mean())
    one = float(errors[~same_method & same_reader].mean())
    two = float(errors[same_method & ~same_reader].mean())
    three = float(errors[~same_method & ~same_reader].mean())

    means, mean = areas.mean(axis=1), areas.mean()
    by_reader = areas.mean(axis=0)
    of_methods = r * float(((means - mean) ** 2).sum()) / (t - 1)
    rest = areas - means[:, None] - by_reader[None] + mean
    of_both = float((rest**2).sum()) / ((t - 1) * (r - 1))
    of_methods, of_both = (x if x > _ROUNDING else 0.0 for x in (of_methods, of_both))
    spread = of_both + r * (two - three if two - three > _ROUNDING else 0.0)
    freedom = spread**2 / (of_both**2 / ((t - 1) * (r - 1))) if of_both > 0 else math.inf
    f = of_methods / spread if spread > 0 else math.nan
    quantile = float(stats.t.isf((1 - level) / 2, freedom))
    differences = {}
    error = math.sqrt(2 / r * spread)
    for i in range(t):
        for j in range(i + 1, t):
            gap = float(means[i] - means[j])
            p_value = 2 * float(stats.t.sf(abs(gap) / error, freedom)) if error > 0 else math.nan
            bound = quantile * error if error > 0 else 0.0
            differences[methods[i], methods[j]] = (gap, gap - bound, gap + bound, p_value)
    intervals = []
    for own, row, place in zip(means.tolist(), areas, range(t), strict=True):
        # each method alone, with its own covariances
        block = errors[place * r : (place + 1) * r, place * r : (place + 1) * r]
        shared = max(float(block[~np.eye(r, dtype=np.bool_)].mean()), 0.0)
        between = float(((row - own) ** 2).sum()) / (r - 1)
        total = between + r * shared
        own_freedom = total**2 / (between**2 / (r - 1)) if between > 0 else math.inf
        half = float(stats.t.isf((1 - level) / 2, own_freedom)) * math.sqrt(total / r)
        intervals.append((own - half, own + half))
    return ReaderStudy(
        methods=methods,
        areas={name: tuple(row.tolist()) for name, row in zip(methods, areas, strict=True)},
        means=tuple(means.tolist()),
        intervals=tuple(intervals),
        f=f,
        degrees=(float(t - 1), freedom),
        p_value=float(stats.chi2.sf((t - 1) * f, t - 1) if math.isinf(freedom) else stats.f.sf(f, t - 1, freedom)),
        differences=differences,
        variance=variance,
        covariances=(one, two, three),
    )


def _areas(scores: Floats, positive: NDArray[np.bool_], covariance: str) -> tuple[Floats, Floats]:
    """Areas of each row, shape (k,), and their covariances by cases, shape (k, k)."""
    found = [components(row, positive) for row in scores]
    areas = np.array([area for area, _, _ in found])
    own, other = (np.array([each[place] for each in found]) for place in (1, 2))
    m, n = own.shape[1], other.shape[1]
    if covariance == "delong":
        return areas, np.cov(own) / m + np.cov(other) / n
    # without a positive case its part is missing in the mean over the positive ones; so with the others
    without = np.concatenate([(areas[:, None] * m - own) / (m - 1), (areas[:, None] * n - other) / (n - 1)], axis=1)
    off = without - without.mean(axis=1)[:, None]
    return areas, (m + n - 1) / (m + n) * off @ off.T
