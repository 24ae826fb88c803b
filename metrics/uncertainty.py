"""How sure a score is: bootstrap intervals, paired comparisons, stability of a ranking.

Every report carries what each record contributes (`metrics.base.Resampler`), so a resample is a product of matrices and
not another scoring.  What is drawn with replacement is the *cluster*: the patient where the metric knows them, since
records of one patient are not independent, else the record.  Intervals are percentiles of the resampled values: they
need no assumption on the shape, respect the bounds of a score, and are the ones that challenge reports use.  With few
clusters they are too narrow.

Sources: Efron and Tibshirani, An Introduction to the Bootstrap (1993); Maier-Hein et al., Why rankings of biomedical
image analysis competitions should be interpreted with care, Nature Communications 9 (2018) 5217; Wiesenfarth et al.,
Methods and open-source toolkit for analyzing and visualizing challenge results (challengeR), Scientific Reports 11
(2021) 2369.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau

from metrics.base import Resampler, ScoreReport

RESAMPLES = 1000
LEVEL = 0.95
SEED = 2017
"""Fixed, so that the same answers get the same interval."""
FEWEST_CLUSTERS, FEW_CLUSTERS = 5, 20
"""Below the first there is no interval; below the second a note says that it is too narrow."""
_CELLS = 1 << 22
"""Weights at once: bounds the memory, whatever the number of records."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Intervals:
    """Confidence intervals of a report's values."""

    level: float
    of: Mapping[str, tuple[float, float]]
    """Key of `ScoreReport.values` -> lower and upper bound."""
    resamples: int
    clusters: int
    notes: tuple[str, ...] = ()


NONE = Intervals(level=LEVEL, of={}, resamples=0, clusters=0)
"""Where nothing was resampled."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two entries on the same records, the first minus the second."""

    key: str
    difference: float
    low: float
    high: float
    p_value: float
    """Two-sided, by the paired bootstrap; never below 2 / (resamples + 1)."""


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """How a board of entries behaves under resampling; entries from the best to the worst."""

    entries: tuple[str, ...]
    scores: tuple[float, ...]
    ranks: tuple[int, ...]
    """Equal scores share the smallest rank."""
    rank_intervals: tuple[tuple[float, float], ...]
    """Of the resampled ranks."""
    frequencies: Floats
    """Shape (entries, entries): how often the entry of a row had rank 1, 2, … (column)."""
    kendall_tau: tuple[float, float, float]
    """Agreement of the resampled rankings with this one: lower bound, median, upper bound."""
    tied_groups: tuple[tuple[str, ...], ...]
    """Entries that cannot be told apart; see `tied_groups`."""


def draws(resampler: Resampler, resamples: int = RESAMPLES, seed: int = SEED) -> Iterator[Ints]:
    """Weights of bootstrap resamples by cluster, in blocks of shape (b, n_records); the same for the same seed."""
    names, cluster_of = np.unique(np.asarray(resampler.clusters, dtype=object).astype(str), return_inverse=True)
    n = names.size
    random = np.random.default_rng(seed)
    rows = max(1, _CELLS // max(1, cluster_of.size))
    for start in range(0, resamples, rows):
        b = min(rows, resamples - start)
        chosen = random.integers(0, n, (b, n)) + n * np.arange(b)[:, None]
        counts = np.bincount(chosen.ravel(), minlength=b * n).reshape(b, n)
        yield counts[:, cluster_of].astype(np.int64)


def resampled(report: ScoreReport, resamples: int = RESAMPLES, seed: int = SEED) -> Mapping[str, Floats]:
    """Values of a report over resamples: key -> shape (resamples,); empty where nothing can be resampled."""
    resampler = report.resampler
    if resampler is None or not resampler.records:
        return {}
    with np.errstate(invalid="ignore", divide="ignore"):  # a resample may lack a class; its value is then NaN
        blocks = [resampler.values(weights) for weights in draws(resampler, resamples, seed)]
    return {key: np.concatenate([block[key] for block in blocks]) for key in blocks[0]}


def intervals(report: ScoreReport, *, level: float = LEVEL, resamples: int = RESAMPLES, seed: int = SEED) -> Intervals:
    """Percentile intervals of every value that can be resampled; a closed form, where the metric has one, goes first.

    A resample in which a value is not defined is left out for that value, and a note says how many were.
    """
    found: dict[str, tuple[float, float]] = {}
    notes: list[str] = []
    tail = 50 * (1 - level)
    clusters = len(set(report.resampler.clusters)) if report.resampler is not None else 0
    undefined = []
    for key, values in resampled(report, resamples, seed).items() if clusters >= FEWEST_CLUSTERS else ():
        if key not in report.values or not math.isfinite(report.values[key]):
            continue
        finite = _finite(values)
        if finite.size:
            low, high = np.percentile(finite, [tail, 100 - tail])
            found[key] = (float(low), float(high))
        if finite.size < 0.95 * values.size:
            undefined.append(f"{key} in {1 - finite.size / values.size:.0%}")
    found |= {key: bounds for key, bounds in report.intervals.items() if not math.isnan(bounds[0])}
    if undefined:
        notes.append(f"not defined in many resamples, which the interval leaves out: {', '.join(undefined)}")
    if 0 < clusters < FEWEST_CLUSTERS:
        notes.append(f"no intervals: {clusters} independent records or patients are too few")
    elif found and clusters < FEW_CLUSTERS:
        notes.append(f"intervals rest on {clusters} independent records or patients only and are too narrow")
    return Intervals(level=level, of=found, resamples=resamples, clusters=clusters, notes=tuple(notes))


def compare(
    first: ScoreReport,
    second: ScoreReport,
    key: str | None = None,
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Comparison:
    """Paired bootstrap: both entries are scored on the same resamples.

    Parameters
    ----------
    key : str, optional
        Which value; the primary one if not given.

    Raises
    ------
    ValueError
        The reports are of different metrics, rules or records, or cannot be resampled.
    """
    key = key or first.primary
    values = _paired([first, second], key, resamples, seed)
    gap = values[0] - values[1]
    gap = gap[np.isfinite(gap)]
    tail = 50 * (1 - level)
    low, high = np.percentile(gap, [tail, 100 - tail]) if gap.size else (math.nan, math.nan)
    return Comparison(
        key=key,
        difference=first.values[key] - second.values[key],
        low=float(low),
        high=float(high),
        p_value=_p_value(gap),
    )


def rank(
    reports: Mapping[str, ScoreReport],
    *,
    decimals: int = 12,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Ranking:
    """A board of entries and its stability.

    Parameters
    ----------
    reports : mapping of entry to report
        Of the same metric, rules and records.
    decimals : int
        Scores that are equal to so many decimals share a rank.

    Raises
    ------
    ValueError
        As `compare`; or there is no entry.
    """
    if not reports:
        raise ValueError("a ranking needs at least one entry")
    entries = sorted(reports, key=lambda name: (-_comparable(reports[name].values[reports[name].primary]), name))
    ordered = [reports[name] for name in entries]
    key = ordered[0].primary
    values = _paired(ordered, key, resamples, seed)
    scores = np.array([report.values[key] for report in ordered])
    ranks = _ranks(scores[:, None], decimals)[:, 0]
    drawn = _ranks(values, decimals)
    k = len(entries)
    frequencies = np.stack([(drawn == place).mean(axis=1) for place in range(1, k + 1)], axis=1)
    tail = 50 * (1 - level)
    bounds = np.percentile(drawn, [tail, 100 - tail], axis=1)
    return Ranking(
        entries=tuple(entries),
        scores=tuple(scores.tolist()),
        ranks=tuple(ranks.tolist()),
        rank_intervals=tuple((float(low), float(high)) for low, high in bounds.T),
        frequencies=frequencies,
        kendall_tau=_kendall(ranks, drawn, tail),
        tied_groups=tied_groups(entries, values, 1 - level),
    )


def tied_groups(entries: Sequence[str], values: Floats, alpha: float = 1 - LEVEL) -> tuple[tuple[str, ...], ...]:
    """Groups of entries that cannot be told apart.

    From the top: the best entry that has no group leads one, and those that follow it belong to it as long as their
    difference from the leader is not significant at ``alpha``, p values corrected by Holm over all pairs.

    Parameters
    ----------
    entries : from the best to the worst
    values : shape (entries, resamples)
        Resampled on the same draws.
    """
    k = len(entries)
    pairs = [(i, j) for i in range(k) for j in range(i + 1, k)]
    corrected = dict(zip(pairs, holm([_p_value(_finite(values[i] - values[j])) for i, j in pairs]), strict=True))
    groups: list[tuple[str, ...]] = []
    leader = 0
    while leader < k:
        end = leader + 1
        while end < k and corrected[leader, end] >= alpha:
            end += 1
        groups.append(tuple(entries[leader:end]))
        leader = end
    return tuple(groups)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction; the family-wise error is that of the level they are then compared with."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    corrected, largest = [0.0] * len(p_values), 0.0
    for step, i in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - step) * p_values[i]))
        corrected[i] = largest
    return corrected


def _paired(reports: Sequence[ScoreReport], key: str, resamples: int, seed: int) -> Floats:
    """Values over the same resamples, shape (reports, resamples)."""
    first = reports[0]
    base = first.resampler
    if base is None:
        raise ValueError(f"a report of {first.metric} without records to resample cannot be compared")
    orders: list[Ints] = []
    for report in reports:
        other = report.resampler
        if (report.metric, report.rules) != (first.metric, first.rules) or key not in report.values:
            raise ValueError(
                f"expected reports of {first.metric} by {first.rules} rules with {key!r}, "
                f"found one of {report.metric} by {report.rules} rules"
            )
        if other is None or sorted(other.records) != sorted(base.records):
            raise ValueError("expected reports of the same records, found others; score with one record list")
        place = {record: i for i, record in enumerate(base.records)}
        orders.append(np.array([place[record] for record in other.records], np.int64))
    blocks = []
    with np.errstate(invalid="ignore", divide="ignore"):
        for weights in draws(base, resamples, seed):
            rows = [
                report.resampler.values(weights[:, order])[key]  # type: ignore[union-attr]
                for report, order in zip(reports, orders, strict=True)
            ]
            blocks.append(np.stack(rows))
    return np.concatenate(blocks, axis=1)


def _p_value(gap: Floats) -> float:
    """Two-sided: twice the smaller share of resamples on one side of zero; the one added keeps it from being zero."""
    below, above = int((gap <= 0).sum()), int((gap >= 0).sum())
    return min(1.0, 2 * (min(below, above) + 1) / (gap.size + 1))


def _finite(values: Floats) -> Floats:
    return values[np.isfinite(values)]


def _comparable(score: float) -> float:
    return -math.inf if math.isnan(score) else score


def _ranks(scores: Floats, decimals: int) -> Ints:
    """Ranks from 1 within each column, larger first, ties sharing the smallest; shape as ``scores``."""
    rounded = np.round(np.where(np.isnan(scores), -np.inf, scores), decimals)
    better: Ints = (rounded[None, :, :] > rounded[:, None, :]).sum(axis=1, dtype=np.int64)
    return better + 1


def _kendall(ranks: Ints, drawn: Ints, tail: float) -> tuple[float, float, float]:
    if ranks.size < 2 or np.all(ranks == ranks[0]):
        return math.nan, math.nan, math.nan
    # a resample in which all entries are equal has no order to agree with
    taus = [kendalltau(ranks, column).statistic for column in drawn.T if column.min() != column.max()]
    if not taus:
        return math.nan, math.nan, math.nan
    low, median, high = np.percentile(taus, [tail, 50, 100 - tail])
    return float(low), float(median), float(high)
