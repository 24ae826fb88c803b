"""Tests of two entries on the same records beside the bootstrap's: permutation, non-inferiority.

Sources: Good, Permutation, Parametric and Bootstrap Tests (2005), chapter 3; Piaggio et al., CONSORT for
non-inferiority, JAMA 308 (2012) 2594.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.base import ScoreReport
from metrics.statistics.uncertainty import SEED, Comparison, Floats, NotComparableError, compare

_EXACT = 16
"""Up to so many patients all 2^n permutations are counted."""
PERMUTATIONS = 10_000
_SAME = 1e-12


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
        A number of ``per_record`` that is larger for better answers.
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
    records = first.resampler.records if first.resampler is not None else tuple(first.per_record)
    others = second.resampler.records if second.resampler is not None else tuple(second.per_record)
    if first.metric != second.metric or set(others) != set(records):
        raise NotComparableError(f"expected reports of {first.metric} of the same {len(records)} records")
    clusters = first.resampler.clusters if first.resampler is not None else records
    _, patient = np.unique(np.array(clusters), return_inverse=True)
    gaps = np.bincount(patient, _scores(first, records, key) - _scores(second, records, key))
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


def _scores(report: ScoreReport, records: Sequence[str], key: str) -> Floats:
    """The number of each record. Raises NotComparableError if a record has none."""
    scores = []
    for record in records:
        row = report.per_record.get(record, {})
        value = row.get(key, math.nan)
        if isinstance(value, str) or not math.isfinite(value):
            numbers = sorted(name for name, number in row.items() if not isinstance(number, str))
            raise NotComparableError(
                f"expected {key!r} of every record for both entries, found none of {record}, which has {numbers}"
            )
        scores.append(float(value))
    return np.array(scores)


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
