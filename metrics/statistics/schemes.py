"""Ways to make one ranking from the scores of single cases, and how stable each is when other cases are drawn.

Conventions: larger scores are better; ranks start at 1 and equal ones share the smallest; a case without a score (NaN,
or not in the report) is worse than any.  Every scheme gives each entry one number, larger being better, by which the
entries are ranked; so do resampled cases, and `metrics.statistics.ranking.Ranking` says how the ranks change.

* `aggregate-then-rank` (``mean``, ``median``): the average of an entry's scores;
* `rank-then-aggregate` (``mean of ranks``, ``median of ranks``): the average of its ranks in single cases, negative;
* `significance`: how many other entries it beats in a one-sided Wilcoxon signed-rank test over the cases, corrected
  for all pairs by Holm's method, or not at all (``correction="none"``, the default of challengeR).

Sources: Maier-Hein et al., Why rankings of biomedical image analysis competitions should be interpreted with care,
Nature Communications 9 (2018) 5217; Wiesenfarth et al., Scientific Reports 11 (2021) 2369 (challengeR); Wilcoxon,
Biometrics Bulletin 1 (1945) 80; Holm, Scandinavian Journal of Statistics 6 (1979) 65.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from metrics.base import ScoreReport
from metrics.statistics.ranking import DECIMALS, Ranking, ranking_of, ranks_of
from metrics.statistics.uncertainty import LEVEL, RESAMPLES, SEED, Floats, Ints, NotComparableError, draws

ALPHA = 0.05
"""Level of all Wilcoxon tests of a board together; without correction that of each."""
CORRECTIONS = ("holm", "none")
_EXACT_BELOW = 50
"""Cases below which the distribution of the signed ranks is counted, as in R, where no two differences are equal."""
Scheme = Callable[[Floats, Ints], Floats]
"""Scores of shape (entries, cases) and weights of shape (b, cases) to values of shape (entries, b)."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Cases:
    """Scores of the same cases for several entries."""

    entries: tuple[str, ...]
    records: tuple[str, ...]
    clusters: tuple[str, ...]
    scores: Floats
    """Shape (entries, cases); minus infinity for a case without a score."""


def cases_of(reports: Mapping[str, ScoreReport], key: str) -> Cases:
    """The scores of single cases, from `ScoreReport.per_record`.

    Parameters
    ----------
    key : str
        A number of ``per_record`` that is larger for better answers.

    Raises
    ------
    NotComparableError
        The reports are not of the same records, or none has the number.
    """
    first = next(iter(reports.values()))
    base = first.resampler
    records = base.records if base is not None else tuple(first.per_record)
    clusters = base.clusters if base is not None else records
    for report in reports.values():
        others = report.resampler.records if report.resampler is not None else tuple(report.per_record)
        if report.metric != first.metric or set(others) != set(records):
            raise NotComparableError(f"expected reports of {first.metric} of the same {len(records)} records")
    scores = np.array([[_number(report, record, key) for record in records] for report in reports.values()])
    if not np.isfinite(scores).any():
        numbers = {name for numbers in first.per_record.values() for name, value in numbers.items() if value != ""}
        raise NotComparableError(f"expected {key!r} to be a number of single records, found {sorted(numbers)}")
    return Cases(entries=tuple(reports), records=records, clusters=clusters, scores=scores)


def _number(report: ScoreReport, record: str, key: str) -> float:
    value = report.per_record.get(record, {}).get(key, math.nan)
    return -math.inf if isinstance(value, str) or math.isnan(value) else float(value)


def weighted_mean(scores: Floats, weights: Ints) -> Floats:
    """The mean of each entry; minus infinity with a case that has no score."""
    missing = np.isneginf(scores)
    means = np.where(missing, 0.0, scores) @ weights.T / weights.sum(axis=1)
    return np.where(missing.astype(np.int64) @ weights.T > 0, -math.inf, means)


def weighted_median(scores: Floats, weights: Ints) -> Floats:
    """The median of each entry; of an even number of cases the mean of the two in the middle."""
    found = np.empty((len(scores), len(weights)))
    half = weights.sum(axis=1) / 2
    for row, own in zip(found, scores, strict=True):
        order = np.argsort(own, kind="stable")
        reached = np.cumsum(weights[:, order], axis=1)
        lower = (reached >= half[:, None]).argmax(axis=1)
        upper = (reached > half[:, None]).argmax(axis=1)
        row[:] = np.where(lower == upper, own[order[lower]], own[order[lower]] / 2 + own[order[upper]] / 2)
    return found


def mean_of_ranks(scores: Floats, weights: Ints) -> Floats:
    """Minus the mean over cases of the entry's rank in the case."""
    return -weighted_mean(ranks_of(scores).astype(np.float64), weights)


def median_of_ranks(scores: Floats, weights: Ints) -> Floats:
    """Minus the median over cases of the entry's rank in the case."""
    return -weighted_median(ranks_of(scores).astype(np.float64), weights)


def significant_wins(scores: Floats, weights: Ints, correction: str = "holm") -> Floats:
    """How many other entries the entry beats, see the module.

    Raises
    ------
    ValueError
        The correction is not one of `CORRECTIONS`.
    """
    if correction not in CORRECTIONS:
        raise ValueError(f"expected correction to be one of {', '.join(CORRECTIONS)}, found {correction!r}")
    k = len(scores)
    wins = np.zeros((k, len(weights)))
    pairs = [(i, j) for i in range(k) for j in range(k) if i != j]
    if not pairs:
        return wins
    p_values = np.empty((len(pairs), len(weights)))
    place = {pair: number for number, pair in enumerate(pairs)}
    for i in range(k):
        for j in range(i):
            p_values[place[i, j]], p_values[place[j, i]] = signed_rank(scores[i], scores[j], weights)
    rejected = holm(p_values) if correction == "holm" else p_values <= ALPHA
    for (winner, _), significant in zip(pairs, rejected, strict=True):
        wins[winner] += significant
    return wins


def signed_rank(first: Floats, second: Floats, weights: Ints) -> tuple[Floats, Floats]:
    """One-sided p values of Wilcoxon's signed-rank test: that the first is larger, and that the second is.

    Exact for up to 49 cases whose differences are not 0 and not equal, else by the normal distribution with correction
    for ties and continuity, where cases without a difference are left out; R does the same.

    Parameters
    ----------
    first, second : shape (cases,)
    weights : shape (b, cases)

    Returns
    -------
    two of shape (b,)
        1 where no case differs.
    """
    with np.errstate(invalid="ignore"):
        gaps = first - second
    gaps = np.where(first == second, 0.0, gaps)  # also of two without a score
    order = np.argsort(np.abs(gaps), kind="stable")
    order = order[gaps[order] != 0]
    counts = weights[:, order].astype(np.float64)
    if not order.size:
        return np.ones(len(weights)), np.ones(len(weights))
    sizes = np.abs(gaps[order])
    starts = np.flatnonzero(np.concatenate([[True], sizes[1:] != sizes[:-1]]))
    groups = np.add.reduceat(counts, starts, axis=1)
    positive = np.add.reduceat(counts * (gaps[order] > 0), starts, axis=1)
    ranks = np.cumsum(groups, axis=1) - (groups - 1) / 2  # the mean rank of each group of equal differences
    n = groups.sum(axis=1)
    above = (ranks * positive).sum(axis=1) - n * (n + 1) / 4
    spread = np.sqrt(n * (n + 1) * (2 * n + 1) / 24 - (groups**3 - groups).sum(axis=1) / 48)
    found = []
    for side in (above, -above):
        z = np.divide(side - 0.5, spread, out=np.zeros_like(side), where=spread > 0)
        found.append(np.where(n > 0, _above(z), 1.0))
    distinct = (groups.max(axis=1) == 1) & (n < _EXACT_BELOW) & (weights.sum(axis=1) == n)
    for row in np.flatnonzero(distinct):
        found[0][row], found[1][row] = _exact(int(n[row]), round(float((ranks * positive)[row].sum())))
    return found[0], found[1]


def _exact(n: int, rank_sum: int) -> tuple[float, float]:
    """The chance that the ranks 1 to n, each with a random sign, have a positive sum of at least, and at most, this."""
    ways = np.ones(1)
    for rank in range(1, n + 1):
        ways = np.pad(ways, (0, rank)) + np.pad(ways, (rank, 0))
    return float(ways[rank_sum:].sum() / 2**n), float(ways[: rank_sum + 1].sum() / 2**n)


def _above(z: Floats) -> Floats:
    """The chance of a normal value above z."""
    from scipy.special import ndtr  # noqa: PLC0415 - takes longer to import than most scorings take

    return np.asarray(ndtr(-z), np.float64)


def holm(p_values: Floats, alpha: float = ALPHA) -> np.typing.NDArray[np.bool_]:
    """Which hypotheses are rejected, by Holm's method within each column; shape (hypotheses, b) in and out."""
    order = np.argsort(p_values, axis=0, kind="stable")
    limits = alpha / np.arange(len(p_values), 0, -1)
    held = np.take_along_axis(p_values, order, axis=0) <= limits[:, None]
    rejected = np.logical_and.accumulate(held, axis=0)
    found = np.zeros(p_values.shape, np.bool_)
    np.put_along_axis(found, order, rejected, axis=0)
    return found


SCHEMES: Mapping[str, Scheme] = {
    "mean": weighted_mean,
    "median": weighted_median,
    "mean of ranks": mean_of_ranks,
    "median of ranks": median_of_ranks,
    "significance": significant_wins,
}
"""By the names that tables show."""


def rankings(
    cases: Cases,
    schemes: Sequence[str] = tuple(SCHEMES),
    *,
    correction: str = "holm",
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> dict[str, Ranking]:
    """The ranking by each scheme, on the same resamples of cases (of patients, where they are known).

    Parameters
    ----------
    correction : "holm" or "none"
        Of the tests of ``significance``.

    Raises
    ------
    KeyError
        No scheme has this name.
    ValueError
        No correction has this name.
    """
    once = np.ones((1, len(cases.records)), np.int64)
    found = {}
    for name in schemes:
        scheme = partial(significant_wins, correction=correction) if name == "significance" else SCHEMES[name]
        scores = scheme(cases.scores, once)[:, 0]
        order = sorted(range(len(cases.entries)), key=lambda i, own=scores: (-own[i], cases.entries[i]))  # type: ignore[misc]
        drawn = np.concatenate([scheme(cases.scores, w) for w in draws(cases, resamples, seed)], axis=1)
        found[name] = ranking_of(
            [cases.entries[i] for i in order],
            scores[order].tolist(),
            drawn[order],
            clusters=len(set(cases.clusters)),
            decimals=DECIMALS,
            level=level,
        )
    return found
