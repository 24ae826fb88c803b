"""Uncertainty of a score: bootstrap intervals and paired comparisons; see `metrics.statistics.ranking` for a board.

Every report carries what each record contributes (`metrics.base.Resampler`), so a resample is a product of matrices and
not another scoring.  What is drawn with replacement is the *cluster*: the patient where the metric knows them, since
records of one patient are not independent, else the record.  Intervals are quantiles of the resampled values, moved by
bias and skewness and widened for few records (`metrics.statistics.bca`): they need no assumption on the shape and
respect the bounds of a score.  Below `FEWEST_CLUSTERS` there are none, below `FEW_CLUSTERS` a note; docs/metrics.md has
their coverage in simulations.

Sources: Efron and Tibshirani, An Introduction to the Bootstrap (1993); Maier-Hein et al., Why rankings of biomedical
image analysis competitions should be interpreted with care, Nature Communications 9 (2018) 5217; Westfall and Young,
Resampling-Based Multiple Testing (1993).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from metrics.base import Note, PairedInClosedForm, Resampler, ScoreReport
from metrics.display import interval_text
from metrics.products import product
from metrics.statistics.bca import SCALES, LeftOut, bounds, left_out, on_scale, student

RESAMPLES = 1000
LEVEL = 0.95
SEED = 2017
"""Fixed, so that the same answers get the same interval."""
FEWEST_CLUSTERS, FEW_CLUSTERS = 5, 20
_MANY = 0.05
"""Share of resamples without a value from which a note says so."""
_ROWS = 32
"""Entries that are compared at once: so few that their numbers stay in the processor's cache."""
_NO_ERROR = 1e-12
"""Gaps that vary by less count as constant: sums in another order differ by as much."""
_HIGHEST, _HALVES = 8.0, 40
"""The normal quantile of the widest interval that is tried for a p value, and how often the range is halved."""
_CACHED = 1 << 16
"""Number of weights that are drawn at once, so that they stay in the processor's cache."""
_CELLS, _MOST_CELLS, _FEWEST_ROWS = 1 << 18, 1 << 22, 64
"""Number of weights in memory at once: 2 MB, and up to 32 MB as long as that makes no more than so many resamples."""

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
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class SumsOfRecords:
    """The `Resampler` of a score that is a formula of sums over records, such as F1 of counts.

    >>> counts = SumsOfRecords(
    ...     records=("a", "b"),
    ...     rows=[(1, 0, 1), (0, 1, 0)],  # true positives, false positives, false negatives of each record
    ...     formula=lambda tp, fp, fn: {"F1": 2 * tp / (2 * tp + fp + fn)},
    ... )
    >>> counts.values(np.ones((1, 2), np.int64))["F1"]
    array([0.5])
    """

    records: tuple[str, ...]
    rows: Sequence[Sequence[float]] | Floats
    """Contributions of each record: shape (records, k)."""
    formula: Callable[..., Mapping[str, Floats]]
    """Called with the k sums, each of shape (b,); gives values of that shape, the primary one among them."""
    clusters: tuple[str, ...] = ()
    """The patient of each record; if empty, records are independent."""

    def __post_init__(self) -> None:
        if not self.clusters:
            object.__setattr__(self, "clusters", self.records)

    def values(self, weights: Ints) -> Mapping[str, Floats]:
        return self.formula(*product(weights, np.asarray(self.rows, np.float64)).T)


NONE = Intervals(level=LEVEL, of={}, resamples=0, clusters=0)
"""The intervals of a report that was not resampled."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two entries on the same records, the first minus the second."""

    key: str
    difference: float
    low: float = math.nan
    high: float = math.nan
    """Upper bound of the difference; both bounds and the p value are NaN where there are too few clusters."""
    p_value: float = math.nan
    """Two-sided: 1 minus the level of the interval that just reaches 0; of a bootstrap at least 2 / (resamples + 1)."""
    notes: tuple[Note, ...] = ()

    def __str__(self) -> str:
        between = interval_text(self.low, self.high)
        certainty = "" if math.isnan(self.p_value) else f", 95 % interval {between}, p = {self.p_value:.3f}"
        return "\n".join(
            [f"{self.key}: difference {self.difference:+.4f}{certainty}", *(f"note: {n}" for n in self.notes)]
        )


class NotComparableError(ValueError):
    """The reports are not of one metric, one set of rules and the same records."""


def draws(resampler: Resampler, resamples: int = RESAMPLES, seed: int = SEED) -> Iterator[Ints]:
    """Weights of bootstrap resamples by cluster, in blocks of shape (b, n_records); the same for the same seed.

    Boards keep scores on these draws and compare entries by them, so the draws must not change between versions.
    """
    names, cluster_of = np.unique(np.asarray(resampler.clusters, dtype=object).astype(str), return_inverse=True)
    n = names.size
    each_its_own = n == cluster_of.size and bool((cluster_of == np.arange(n)).all())
    random = np.random.default_rng(seed)
    rows = max(1, _CELLS // max(1, cluster_of.size), min(_FEWEST_ROWS, _MOST_CELLS // max(1, cluster_of.size)))
    at_once = max(1, _CACHED // max(1, n))
    for start in range(0, resamples, rows):
        counts = np.empty((min(rows, resamples - start), n), np.int64)
        for first in range(0, len(counts), at_once):
            part = counts[first : first + at_once]
            # the same numbers as of 64 bits, sooner
            places = random.integers(0, n, part.shape, np.int32) + n * np.arange(len(part))[:, None]
            part[:] = np.bincount(places.ravel(), minlength=part.size).reshape(part.shape)
        yield counts if each_its_own else np.take(counts, cluster_of, axis=1)


def resampled(report: ScoreReport, resamples: int = RESAMPLES, seed: int = SEED) -> Mapping[str, Floats]:
    """Values of a report over resamples: key -> shape (resamples,); empty where nothing can be resampled."""
    resampler = report.resampler
    if resampler is None or not resampler.records:
        return {}
    with np.errstate(invalid="ignore", divide="ignore"):  # a resample may lack a class; its value is then NaN
        blocks = [resampler.values(weights) for weights in draws(resampler, resamples, seed)]
    return {key: np.concatenate([block[key] for block in blocks]) for key in blocks[0]}


def intervals(report: ScoreReport, *, level: float = LEVEL, resamples: int = RESAMPLES, seed: int = SEED) -> Intervals:
    """Intervals of every value that can be resampled; a closed form takes precedence, where the metric has one.

    A resample in which a value is not defined is left out for that value, and a note says how many were.
    """
    bounds_of: dict[str, tuple[float, float]] = {}
    settled: set[str] = set()
    clusters = clusters_of(report)
    undefined = []
    values_of = resampled(report, resamples, seed) if clusters >= FEWEST_CLUSTERS else {}
    without = left_out(report.resampler) if values_of and report.resampler is not None else None
    for key, values in values_of.items():
        if key not in report.values or not math.isfinite(report.values[key]):
            continue
        finite = values[np.isfinite(values)]
        if finite.size and without is not None:
            bounds_of[key] = bounds(finite, report.values[key], without.acceleration(key), clusters, level)
            scale = report.scales.get(key)
            scaled = on_scale(without, key, report.values[key], scale, level) if scale is not None else None
            if scale is not None and scaled is not None and SCALES[scale].alone:
                bounds_of[key] = scaled
                settled.add(key)
            elif scaled is not None:
                bounds_of[key] = _outer(bounds_of[key], scaled, report, key)
        if finite.size < (1 - _MANY) * values.size:
            undefined.append(f"{key} in {1 - finite.size / values.size:.0%}")
    flat = [key for key, (low, high) in bounds_of.items() if low == high and key not in report.intervals]
    for key in (bounds_of.keys() & report.failing.keys()) - settled:
        worst, share = report.failing[key]
        if key in flat:  # of n that all succeed, with the chance of a failure at most 1 - share
            share = max(share, 1 - (1 - level) ** (1 / clusters))
        bounds_of[key] = _with_one_more_failure(*bounds_of[key], report.values[key], worst, share)
    # all resamples may be on one side of a value that is biased
    bounds_of = {
        key: (min(low, report.values[key]), max(high, report.values[key])) for key, (low, high) in bounds_of.items()
    }
    if level == LEVEL:
        bounds_of |= {key: bounds for key, bounds in report.intervals.items() if not math.isnan(bounds[0])}
    notes = []
    if undefined:
        notes.append(Note(f"not defined in many resamples, which the interval leaves out: {', '.join(undefined)}"))
    if flat:
        notes.append(_flat_note(flat, clusters))
    return Intervals(
        level=level,
        of=bounds_of,
        resamples=resamples,
        clusters=clusters,
        notes=(*notes, *few_clusters_notes(clusters, bool(bounds_of))),
    )


def _outer(
    resampled: tuple[float, float], scaled: tuple[float, float], report: ScoreReport, key: str
) -> tuple[float, float]:
    """The outer bounds of both.

    Of a value with a worst one only the bound on the other side moves: that on its side counts one more failure.
    """
    value, worst = report.values[key], report.failing[key][0] if key in report.failing else math.nan
    low = resampled[0] if worst < value else min(resampled[0], scaled[0])
    high = resampled[1] if worst > value else max(resampled[1], scaled[1])
    return low, high


def _with_one_more_failure(low: float, high: float, value: float, worst: float, share: float) -> tuple[float, float]:
    """The bounds, of which the one on the side of failure is moved; see `metrics.base.ScoreReport.failing`.

    If some records fail altogether, but rarely, there is often none among few dozen, and then none in a resample: the
    bound would rest on those that succeed.  Of a mean Dice of 30 records where 2.5 % are missed, the interval contains
    the true value in 83 % without this and in 97 % with it.  The rule of succession counts one record more; so does
    the bound of Gaffke for a mean of bounded numbers.
    """
    return (low + share * (worst - low), high) if worst < value else (low, high + share * (worst - high))


def compare(
    first: ScoreReport,
    second: ScoreReport,
    key: str | None = None,
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Comparison:
    """True if two entries differ: paired bootstrap on the same resamples, a closed form where the metric has one.

    The difference has the bounds of `intervals`, also with one more failure: of one entry, where the other one scores
    as on average.

    Parameters
    ----------
    key : str, optional
        Which value; the primary one if not given.

    Raises
    ------
    NotComparableError
        The reports are of different metrics, rules or records, or cannot be resampled.
    """
    key = key or first.primary
    orders = aligned([first, second], key)
    difference = first.values[key] - second.values[key]
    clusters = clusters_of(first)
    notes = few_clusters_notes(clusters, True)
    comparison = partial(Comparison, key=key, difference=difference)
    if isinstance(first.resampler, PairedInClosedForm) and second.resampler is not None:
        closed = first.resampler.paired(second.resampler, key, level)
        if closed is not None:
            low, high, p_value = closed
            return comparison(low=low, high=high, p_value=p_value, notes=notes)
    if clusters < FEWEST_CLUSTERS:
        return comparison(notes=notes)
    assert first.resampler is not None and second.resampler is not None  # else `aligned` raises
    both = _Gap(first=first.resampler, second=second.resampler, order=orders[1], key=key)
    with np.errstate(invalid="ignore", divide="ignore"):  # infinity minus infinity
        drawn = np.concatenate([both.values(weights)[key] for weights in draws(both, resamples, seed)])
        without = left_out(both)
    finite = drawn[np.isfinite(drawn)]
    if finite.size < (1 - _MANY) * drawn.size:
        notes += (
            Note(f"{key} is not defined in {1 - finite.size / drawn.size:.0%} of the resamples, which are left out"),
        )
    if not finite.size or not math.isfinite(difference):
        return comparison(notes=notes)
    flat = float(np.ptp(finite)) <= _NO_ERROR
    if flat:
        notes += (_flat_note([key], clusters),)

    def between(level: float) -> tuple[float, float]:
        if flat:
            low, high = _bounds_of_alike(difference, clusters, level)
        else:
            low, high = _bounds_of_gap(finite, difference, without, key, clusters, level)
        less, more = _with_a_failure(first, second, key, 1 - (1 - level) ** (1 / clusters) if flat else 0.0)
        return low - less, high + more

    low, high = between(level)
    p_value = max(_p_value(between), 2 / (resamples + 1))
    return comparison(low=low, high=high, p_value=p_value, notes=notes)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Gap:
    """The `Resampler` of a difference of two entries on the same records."""

    first: Resampler
    second: Resampler
    order: Ints
    """For each record of the second its column among those of the first."""
    key: str

    @property
    def records(self) -> tuple[str, ...]:
        return self.first.records

    @property
    def clusters(self) -> tuple[str, ...]:
        return self.first.clusters

    def values(self, weights: Ints) -> Mapping[str, Floats]:
        return {self.key: self.first.values(weights)[self.key] - self.second.values(weights[:, self.order])[self.key]}


def _bounds_of_gap(
    finite: Floats, difference: float, without: LeftOut, key: str, clusters: int, level: float
) -> tuple[float, float]:
    """The outer bounds of BCa and of the jackknife with Student's t.

    No resample of five records is beyond all of them, so BCa alone separates equal entries in 6 % of cases.
    """
    low, high = bounds(finite, difference, without.acceleration(key), clusters, level)
    other = on_scale(without, key, difference, "difference", level)
    each = [low, high, difference, *(other or ())]
    return min(each), max(each)


def _bounds_of_alike(difference: float, clusters: int, level: float) -> tuple[float, float]:
    """Bounds where the gap is the same in all records: as many as the level cannot exclude have the opposite one.

    So the p value of n records is 2 to the power of 1 - n, as by exchanging the entries in each of them.
    """
    other = difference - 2 * (1 - ((1 - level) / 2) ** (1 / clusters)) * difference
    return min(difference, other), max(difference, other)


def _with_a_failure(first: ScoreReport, second: ScoreReport, key: str, least: float) -> tuple[float, float]:
    """Changes of the gap, down and up, if one of the entries fails in one more record, or a ``least`` share."""
    moves = [0.0]
    for report, sign in ((first, 1), (second, -1)):
        if key in report.failing:
            worst, share = report.failing[key]
            moves.append(sign * max(share, least) * (worst - report.values[key]))
    return -min(moves), max(moves)


def _p_value(between: Callable[[float], tuple[float, float]]) -> float:
    """Two-sided: 1 minus the level of the interval that just reaches 0."""
    low, high = 0.0, _HIGHEST
    for _ in range(_HALVES):
        middle = (low + high) / 2
        bound = between(math.erf(middle / math.sqrt(2)))
        low, high = (low, middle) if bound[0] <= 0 <= bound[1] else (middle, high)
    return math.erfc(low / math.sqrt(2))


def tied_groups(
    entries: Sequence[str], values: Floats, alpha: float = 1 - LEVEL, *, clusters: int | None = None
) -> tuple[tuple[str, ...], ...]:
    """Groups of entries that cannot be told apart.

    From the top: the best entry that has no group leads one, and those that follow it belong to it until the first
    that differs from the leader.  Two entries differ if the gap of their scores, in units of its own bootstrap standard
    error, is beyond what the largest such gap over *all* pairs reaches by chance (max-T).  So ``alpha`` is roughly the
    chance of separating any equal entries of the board, however many it has (5 to 7 % in simulations of 2 to 30 entries
    on 20 to 1000 records).  To correct single p values (Bonferroni, Holm) does not work here: with 1000 resamples none
    is below 0.002, and with eight entries, 28 pairs, no difference would count.

    Parameters
    ----------
    entries : from the best to the worst
    values : shape (entries, resamples)
        Resampled on the same draws.  An entry without any value differs from all that have some.
    clusters : int, optional
        How many independent records or patients were drawn from; with few, the standard errors are less certain, as in
        Student's t. Many if not given.
    """
    k = len(entries)
    statistics, largest = np.zeros((k, k)), np.zeros(values.shape[1])
    for i in range(k - 1):
        for first in range(i + 1, k, _ROWS):
            rows = slice(first, first + _ROWS)
            statistics[i, rows], by_chance = _gaps(values[i], values[rows])
            np.maximum(largest, by_chance.max(axis=0), out=largest)
    critical = float(np.quantile(largest, 1 - alpha))
    if clusters is not None and clusters > 1:
        critical = math.sqrt(clusters / (clusters - 1)) * student(critical, clusters - 1)
    groups: list[tuple[str, ...]] = []
    leader = 0
    while leader < k:
        end = leader + 1
        while end < k and statistics[leader, end] <= critical:
            end += 1
        groups.append(tuple(entries[leader:end]))
        leader = end
    return tuple(groups)


def _gaps(scores: Floats, others: Floats) -> tuple[Floats, Floats]:
    """The mean gaps to ``others``, and each resample's deviation from that mean, in units of their standard errors.

    Shapes (n,) and (n, resamples).  A resample without a value counts as the mean.
    """
    defined = np.isfinite(scores) & np.isfinite(others)
    counts = np.maximum(defined.sum(axis=1), 1)
    gaps = np.subtract(others, scores, out=np.zeros_like(others), where=defined)
    means = gaps.sum(axis=1) / counts
    off = np.where(defined, np.abs(gaps - means[:, None]), 0.0)
    errors = np.sqrt((off**2).sum(axis=1) / counts)
    errors[errors <= _NO_ERROR] = 0.0
    one_sided = np.isfinite(scores).any() != np.isfinite(others).any(axis=1)
    constant = np.where(one_sided | (np.abs(means) > _NO_ERROR), np.inf, 0.0)
    statistics = np.divide(np.abs(means), errors, out=constant, where=errors > 0)
    return statistics, np.divide(off, errors[:, None], out=np.zeros_like(off), where=errors[:, None] > 0)


def clusters_of(report: ScoreReport) -> int:
    """Number of independent records or patients that a report rests on."""
    return len(set(report.resampler.clusters)) if report.resampler is not None else 0


def _flat_note(keys: Sequence[str], clusters: int) -> Note:
    meaning = f"what {3 / clusters:.1%} of all records or patients do may not occur among these {clusters}"
    return Note(f"no resample differs in {', '.join(keys)}, which is not certainty: {meaning}")


def few_clusters_notes(clusters: int, any_interval: bool) -> tuple[Note, ...]:
    """Notes about few clusters; none for a report that cannot be resampled."""
    if 0 < clusters < FEWEST_CLUSTERS:
        return (Note(f"no bootstrap: {clusters} independent records or patients are too few"),)
    if any_interval and 0 < clusters < FEW_CLUSTERS:
        return (
            Note(f"intervals rest on only {clusters} independent records or patients: rare failures may be missing"),
        )
    return ()


def aligned(reports: Sequence[ScoreReport], key: str) -> list[Ints]:
    """For each report, the columns of the first report's weights in its own order of records.

    Raises
    ------
    NotComparableError
        The reports differ in metric, rules or records, or cannot be resampled.
    """
    first = reports[0]
    base = first.resampler
    if base is None:
        raise NotComparableError(f"expected reports of {first.metric} with records to resample, found one without")
    column_of = {record: i for i, record in enumerate(base.records)}
    orders: list[Ints] = []
    for report in reports:
        other = report.resampler
        if (report.metric, report.rules) != (first.metric, first.rules) or key not in report.values:
            raise NotComparableError(
                f"expected reports of {first.metric} by {first.rules} rules with {key!r}, "
                f"found one of {report.metric} by {report.rules} rules"
            )
        if other is None or sorted(other.records) != sorted(base.records):
            raise NotComparableError(
                f"expected reports of the same {len(base.records)} records, found one of others: give one record list "
                "(official rules may count answered records only)"
            )
        orders.append(np.array([column_of[record] for record in other.records], np.int64))
    return orders


def paired_values(
    reports: Sequence[ScoreReport], orders: Sequence[Ints], key: str, resamples: int, seed: int
) -> Floats:
    """Values over the same resamples, shape (reports, resamples); ``orders`` is from `aligned`."""
    resamplers = [report.resampler for report in reports if report.resampler is not None]
    blocks = []
    with np.errstate(invalid="ignore", divide="ignore"):
        for weights in draws(resamplers[0], resamples, seed):
            pairs = zip(resamplers, orders, strict=True)
            blocks.append(np.stack([resampler.values(weights[:, order])[key] for resampler, order in pairs]))
    return np.concatenate(blocks, axis=1)


def percentiles(values: Floats, level: float) -> tuple[float, float]:
    """Bounds that leave out the same share of values on both sides."""
    tail = 50 * (1 - level)
    low, high = np.percentile(values, [tail, 100 - tail])
    return float(low), float(high)
