"""Tests of two entries on the same records beside the bootstrap's: permutation, non-inferiority; a model of several.

Sources: Good, Permutation, Parametric and Bootstrap Tests (2005), chapter 3; Piaggio et al., CONSORT for
non-inferiority, JAMA 308 (2012) 2594; Laird and Ware, Biometrics 38 (1982) 963, for the model, by restricted maximum
likelihood.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from metrics.base import ScoreReport
from metrics.display import interval_text
from metrics.statistics.schemes import Cases, cases_of
from metrics.statistics.uncertainty import LEVEL, SEED, Comparison, Floats, NotComparableError, compare

_EXACT = 16
"""Up to so many patients all 2^n permutations are counted."""
PERMUTATIONS = 10_000
_SAME = 1e-12
_NOTHING = 1e-290
"""A sum of squares without any."""


def permutation_test(
    first: ScoreReport,
    second: ScoreReport,
    key: str,
    *,
    alternative: str = "two-sided",
    permutations: int = PERMUTATIONS,
    seed: int = SEED,
) -> float:
    """The p value of two entries' mean scores of single records, by exchanging their scores patient by patient.

    Under the hypothesis that the entries are interchangeable, all scores of a patient may be exchanged between them.
    All exchanges are counted for up to 16 patients, else ``permutations`` of them are drawn; the one observed is among
    them, so that p is never 0.

    Parameters
    ----------
    key : str
        A number of ``per_record``; see `metrics.statistics.schemes.cases_of`.
    alternative : "two-sided", "greater" or "less"
        The first entry's mean compared with the second's.

    Raises
    ------
    NotComparableError
        The reports are of different records, a record has no score, or there is no such number.
    ValueError
        Another alternative.
    """
    if alternative not in ("two-sided", "greater", "less"):
        raise ValueError(f"expected alternative to be one of two-sided, greater, less, found {alternative!r}")
    cases = cases_of({"first": first, "second": second}, key)
    if not np.isfinite(cases.scores).all():
        missing = cases.records[int(np.flatnonzero(~np.isfinite(cases.scores).all(axis=0))[0])]
        raise NotComparableError(f"expected {key!r} of every record for both entries, found none of {missing}")
    _, patient = np.unique(np.array(cases.clusters), return_inverse=True)
    gaps = np.bincount(patient, cases.scores[0] - cases.scores[1])
    n = gaps.size
    if n <= _EXACT:
        signs = 1 - 2 * ((np.arange(1 << n)[:, None] >> np.arange(n)) & 1)
        drawn, extra = signs @ gaps, 0
    else:
        random = np.random.default_rng(seed)
        parts = [(1 - 2 * random.integers(0, 2, (1000, n))) @ gaps for _ in range(math.ceil(permutations / 1000))]
        drawn, extra = np.concatenate(parts)[:permutations], 1
    observed = float(gaps.sum())
    near = _SAME * max(1.0, float(np.abs(gaps).sum()))
    if alternative == "two-sided":
        reached = np.abs(drawn) >= abs(observed) - near
    else:
        reached = drawn >= observed - near if alternative == "greater" else drawn <= observed + near
    return (int(reached.sum()) + extra) / (drawn.size + extra)


@dataclass(frozen=True, kw_only=True)
class NonInferiority:
    """Whether an entry is worse than another by less than a margin."""

    comparison: Comparison
    """With the two-sided interval of twice the error of the one-sided test."""
    margin: float
    non_inferior: bool
    """Whether the lower bound is above minus the margin."""
    superior: bool
    """Whether it is above 0."""

    def __str__(self) -> str:
        verdict = (
            "superior" if self.superior else "non-inferior" if self.non_inferior else "not shown to be non-inferior"
        )
        return f"{self.comparison}\nmargin {self.margin:g}: {verdict}"


def non_inferiority(
    first: ScoreReport, second: ScoreReport, margin: float, key: str | None = None, *, alpha: float = 0.025
) -> NonInferiority:
    """Whether the first entry is not worse than the second by ``margin`` or more, at a one-sided level ``alpha``.

    Parameters
    ----------
    margin : float
        Above 0, in the unit of the value, fixed before the scores are known; larger values are better.

    Raises
    ------
    ValueError
        A margin that is not above 0, or a value where less is better (use ``neg_…``).
    NotComparableError
        See `metrics.statistics.uncertainty.compare`.
    """
    if not margin > 0:
        raise ValueError(f"expected a margin above 0, found {margin}")
    known = key or first.primary
    if f"neg_{known}" in first.values:
        raise ValueError(f"expected a value where more is better, found {known!r}: use 'neg_{known}'")
    found = compare(first, second, known, level=1 - 2 * alpha)
    return NonInferiority(comparison=found, margin=margin, non_inferior=found.low > -margin, superior=found.low > 0)


@dataclass(frozen=True, kw_only=True)
class MixedModel:
    """Score = mean of the entry + random effect of the patient + residual; entries in the order of the cases."""

    entries: tuple[str, ...]
    means: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]
    """Of the means, over patients."""
    differences: Mapping[tuple[str, str], tuple[float, float, float, float]]
    """For each pair: difference of the means, lower and upper bound, p value (normal, two-sided)."""
    variance_between: float
    """Of patients."""
    variance_within: float
    """Of the residuals."""

    def __str__(self) -> str:
        lines = [
            f"{name}: {mean:.4f}, 95 % interval {interval_text(*bounds)}"
            for name, mean, bounds in zip(self.entries, self.means, self.intervals, strict=True)
        ]
        for (first, second), (gap, low, high, p_value) in self.differences.items():
            lines.append(f"{first} - {second}: {gap:+.4f}, 95 % interval {interval_text(low, high)}, p = {p_value:.3f}")
        variances = f"variance between patients {self.variance_between:.3g}, within {self.variance_within:.3g}"
        return "\n".join([*lines, variances])


def mixed_model(reports: Mapping[str, ScoreReport], key: str, *, level: float = LEVEL) -> MixedModel:
    """A linear mixed model of the scores of single records, with a random intercept for each patient.

    Every record gives a score for every entry; scores of one patient (of one record, where patients are not known) are
    correlated.  Fitted by restricted maximum likelihood.

    Raises
    ------
    NotComparableError
        See `metrics.statistics.schemes.cases_of`; or a record has no score, or there are fewer than two patients.
    """
    return mixed_model_of(cases_of(reports, key), level=level)


def mixed_model_of(cases: Cases, *, level: float = LEVEL) -> MixedModel:
    """`mixed_model` of scores."""
    from scipy.optimize import minimize_scalar  # noqa: PLC0415  # takes longer to import than most scorings take

    if not np.isfinite(cases.scores).all():
        raise NotComparableError("expected a score of every record for every entry, found records without one")
    k = len(cases.entries)
    _, patient = np.unique(np.array(cases.clusters), return_inverse=True)
    sizes = np.bincount(patient) * k  # scores of a patient
    if sizes.size < 2 or cases.scores.size <= k:
        raise NotComparableError(f"expected at least 2 patients, found {sizes.size}")
    # of each patient and entry the number of scores and their sum: all that the likelihood needs
    sums = np.stack([np.bincount(patient, row) for row in cases.scores], axis=1)
    counts = np.repeat((sizes / k)[:, None], k, axis=1)
    squares = float((cases.scores**2).sum())
    total = cases.scores.size

    def fit(ratio: float) -> tuple[float, Floats, Floats, float]:
        """Minus twice the restricted log-likelihood, means, their covariance by the variance within, that variance."""
        shrink = ratio / (1 + ratio * sizes)
        information = np.diag(counts.sum(axis=0)) - (counts * shrink[:, None]).T @ counts
        right = sums.sum(axis=0) - (counts * shrink[:, None]).T @ sums.sum(axis=1)
        covariance = np.linalg.inv(information)
        means = covariance @ right
        quadratic = squares - float(shrink @ sums.sum(axis=1) ** 2) - float(means @ right)
        variance = max(quadratic, _NOTHING) / (total - k)
        deviance = (total - k) * math.log(variance) + float(np.log1p(ratio * sizes).sum())
        return deviance + float(np.linalg.slogdet(information)[1]), np.asarray(means), np.asarray(covariance), variance

    # the ratio of the variances on a scale without ends; 0 is tried too
    found = minimize_scalar(lambda x: fit(math.exp(x))[0], bounds=(-20, 20), method="bounded", options={"xatol": 1e-10})
    best = max((0.0, math.exp(float(found.x))), key=lambda ratio: -fit(ratio)[0])
    _, means, covariance, variance = fit(best)
    z = NormalDist().inv_cdf((1 + level) / 2)
    errors = np.sqrt(np.diag(covariance) * variance)
    differences = {}
    for i in range(k):
        for j in range(i + 1, k):
            gap = float(means[i] - means[j])
            error = math.sqrt(max(0.0, float(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]) * variance))
            p_value = 2 * (1 - NormalDist().cdf(abs(gap) / error)) if error else float(gap == 0)
            differences[cases.entries[i], cases.entries[j]] = (gap, gap - z * error, gap + z * error, p_value)
    return MixedModel(
        entries=cases.entries,
        means=tuple(means.tolist()),
        intervals=tuple((m - z * e, m + z * e) for m, e in zip(means.tolist(), errors.tolist(), strict=True)),
        differences=differences,
        variance_between=best * variance,
        variance_within=variance,
    )
