"""What all generic measures share: from paired records to a report that can be resampled.

Conventions
-----------
Larger is better for the primary value of every report.  The primary value of a loss (an error, a cost, a distance) is
therefore its negative, with ``neg_`` before the name, and the loss itself is the second value.

A record that an option excludes stays in the record list and contributes nothing, so that entries with different
missing answers can still be compared on the same resamples.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from statistics import NormalDist
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from metrics.base import Given, Note, OfFiles, Resampler, ScoreReport
from metrics.generic.options import differing
from metrics.measures.auc import area_interval, delong_test
from metrics.products import product

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Values = dict[str, Floats]
Content = TypeVar("Content")
Curves = Mapping[str, Sequence[float]]
Statistic = Callable[[Ints], Values]
"""Weights of shape (b, n_records) to values of shape (b,), the primary one first."""

EXCLUDE = "exclude-with-note"
_CACHED = 1 << 15
"""Weights that are worked on at a time."""
_RECORDS = 1 << 14
"""Records whose contributions are added at a time."""
_BLOCK = 8
"""Records that `sums_of_first` adds up at a time."""
_FEW_COLUMNS = 32
"""Up to so many, products with a dense matrix take less time than with a sparse one."""


def note(text: str, record: str | None = None) -> Note:
    """A sentence for the report; see `metrics.base.Note` for what ``record`` says."""
    return Note(f"{record}: {text}" if record else text, record)


@dataclass(frozen=True, kw_only=True, eq=False)
class Records:
    """The record list, and for each record the unit that the bootstrap draws."""

    names: Sequence[str]
    clusters: Sequence[str]
    """The names themselves where each record is a unit of its own."""

    @cached_property
    def units(self) -> int:
        """How many units there are."""
        return len(self.names) if self.clusters is self.names else len(set(self.clusters))


class Lazily(Mapping[str, Content]):
    """A mapping that is made when somebody looks at it: a score of arrays needs no row for each record."""

    def __init__(self, make: Callable[[], Mapping[str, Content]]) -> None:
        self._made = cache(make)

    def __getitem__(self, key: str) -> Content:
        return self._made()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made())

    def __len__(self) -> int:
        return len(self._made())


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranked:
    """Scores of independent records of two classes, for DeLong's interval and test of the area under the ROC curve."""

    key: str
    """The value that is this area."""
    names: Sequence[str]
    rows: Ints
    """Which of the names have these scores, shape (n,)."""
    scores: Floats
    positive: Bools

    @property
    def records(self) -> tuple[str, ...]:
        """The name of each score's record."""
        return tuple(self.names[row] for row in self.rows.tolist())


@dataclass(frozen=True, kw_only=True, eq=False)
class Drawn:
    """`metrics.base.Resampler` of any statistic of weighted records; also `metrics.base.PairedInClosedForm`."""

    records: tuple[str, ...]
    clusters: tuple[str, ...]
    statistic: Statistic
    ranked: Ranked | None = None

    def paired(self, other: Resampler, key: str, level: float) -> tuple[float, float, float] | None:
        """See `metrics.base.PairedInClosedForm`: DeLong's test."""
        own, others = self.ranked, other.ranked if isinstance(other, Drawn) else None
        if own is None or others is None or own.key != key:
            return None
        score_of, records = dict(zip(others.records, others.scores.tolist(), strict=True)), own.records
        if score_of.keys() != set(records):  # each entry may lack other answers, which an option excludes
            return None
        aligned = np.array([score_of[record] for record in records])
        _, low, high, p_value = delong_test(own.scores, aligned, own.positive, level)
        return None if math.isnan(p_value) else (low, high, p_value)

    def values(self, weights: Ints) -> Mapping[str, Floats]:
        """See `metrics.base.Resampler.values`."""
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):  # a multiset may lack a class: NaN
            return self.statistic(weights)


@dataclass(frozen=True, kw_only=True, eq=False)
class Kinds:
    """Records that are of a few kinds, such as the cells of a table."""

    sizes: Ints
    """How many records are of each kind."""
    statistic: Statistic
    """Of one record of each kind."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DrawnByKind(Drawn):
    """`Drawn` of such records; also `metrics.base.OfFewKinds`."""

    kinds: Kinds

    def by_kind(self) -> tuple[Ints, Resampler]:
        """See `metrics.base.OfFewKinds`."""
        names = tuple(map(str, range(self.kinds.sizes.size)))
        return self.kinds.sizes, Drawn(records=names, clusters=names, statistic=self.kinds.statistic)


@dataclass(frozen=True, kw_only=True, eq=False)
class Measured:
    """What a measure found, before it becomes a report."""

    records: Records
    statistic: Statistic
    per_record: Mapping[str, Mapping[str, float | str]] = field(default_factory=dict)
    curves: Curves = field(default_factory=dict)
    notes: Sequence[Note] = ()
    ranked: Ranked | None = None
    kinds: Kinds | None = None
    failing: Mapping[str, tuple[float, float]] | None = None
    """See `metrics.base.ScoreReport.failing`; by default what `GenericMeasure.worst_value` says."""
    shares: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Values that are shares of independent records: how many, of how many; their intervals are Wilson's."""
    overlaps: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Values that are F1 = 2 J / (1 + J) of a share J of independent records: TP, of TP + FP + FN."""

    def once(self) -> dict[str, float]:
        """The values of every record once, the primary one first."""
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):  # NaN without a class, see `notes_on`
            if self.kinds is not None:  # a few sums of whole numbers, which are the same
                found = self.kinds.statistic(self.kinds.sizes[None])
            elif isinstance(self.statistic, Sums) and self.statistic.total is not None:
                found = self.statistic.formula(self.statistic.total()[None])
            else:
                found = self.statistic(np.ones((1, len(self.records.names)), np.int64))
        return {key: float(value[0]) for key, value in found.items()}

    def notes_on(self, values: Mapping[str, float]) -> tuple[Note, ...]:
        """The notes, and one on values that are not defined."""
        undefined = [key for key, value in values.items() if math.isnan(value)]
        infinite = [key for key, value in values.items() if math.isinf(value)]
        found = list(self.notes)
        if undefined:
            found.append(note(f"{', '.join(undefined)} undefined: no record, class or object gives a value"))
        if infinite:
            found.append(note(f"{', '.join(infinite)} infinite: numbers are too large to be added"))
        return tuple(found)


@dataclass(frozen=True, kw_only=True)
class GenericMeasure(OfFiles):
    """A metric made of options; implements `metrics.base.Metric`.

    There is no organisers' program: both values of ``rules`` give the same numbers.
    """

    measure: ClassVar[str]
    """Name in a specification, ``family.measure``."""
    has_official: ClassVar[bool] = False
    is_loss: ClassVar[bool] = False
    """Whether less is better."""
    scales: ClassVar[Mapping[str, str]] = {}
    """See `metrics.base.ScoreReport.scales`."""
    worst_value: ClassVar[float | None] = None
    """What a record counts that fails altogether, where the value is a mean of bounded numbers or nearly so."""

    @property
    def key(self) -> str:
        """The name of its value, which is that of the measure within its family."""
        return self.measure.partition(".")[2]

    @property
    def name(self) -> str:
        """The measure, and those of its options that are not at their defaults."""
        options = differing(self)
        return f"{self.measure}({options})" if options else self.measure

    def scored(self, given: Given) -> ScoreReport:
        """See `metrics.base.OfFiles`."""
        return self.report(self.measured(given), given.rules)

    def report(self, found: Measured, rules: str = "corrected") -> ScoreReport:
        """The report of what was measured."""
        ranked = found.ranked
        known: dict[str, Any] = {
            "records": tuple(found.records.names),
            "clusters": tuple(found.records.clusters),
            "statistic": found.statistic,
            "ranked": ranked,
        }
        resampler = Drawn(**known) if found.kinds is None else DrawnByKind(**known, kinds=found.kinds)
        values = found.once()
        closed = {} if ranked is None else {ranked.key: area_interval(ranked.scores, ranked.positive)}
        if found.records.units == len(found.records.names):
            closed |= {key: wilson_interval(*share) for key, share in found.shares.items() if share[1]}
            closed |= {key: f1_interval(*share) for key, share in found.overlaps.items() if share[1]}
        return ScoreReport(
            metric=self.name,
            rules=rules,
            primary=next(iter(values)),
            values=values,
            per_record=dict(found.per_record),
            curves=dict(found.curves),
            notes=found.notes_on(values),
            intervals=closed,
            failing=self._failing(found, values) if found.failing is None else found.failing,
            scales=self.scales,
            resampler=resampler,
        )

    def _failing(self, found: Measured, values: Mapping[str, float]) -> Mapping[str, tuple[float, float]]:
        if self.worst_value is None:
            return {}
        primary, share = next(iter(values)), 1 / (found.records.units + 1)
        own = [key for key in values if key in (primary, self.key) or key.startswith(f"{self.key}[")]
        return {key: (-self.worst_value if key.startswith("neg_") else self.worst_value, share) for key in own}

    @abstractmethod
    def measured(self, given: Given) -> Measured:
        """Read the files and prepare what can be resampled."""

    def valued(self, value: Floats) -> Values:
        """The value under its name; of a loss its negative first."""
        return loss(self.key, value) if self.is_loss else {self.key: value}

    def mean_of(self, numbers: Floats) -> Statistic:
        """The statistic of the mean over records of numbers of shape (n_records,); those that are NaN do not count."""

        def total() -> Floats:
            found = numbers.sum()  # of numbers and infinite ones of one sign
            return known_and_count(numbers).sum(axis=1) if math.isnan(found) else np.array([found, numbers.size])

        return Sums(
            make=lambda: known_and_count(numbers).T,
            formula=lambda found: self.valued(ratio(found[:, 0], found[:, 1])),
            total=total,
        )


def known_and_count(numbers: Floats) -> Floats:
    """Numbers of shape (n,), those that are NaN as 0, and below them whether each is one; shape (2, n)."""
    unknown = np.isnan(numbers)
    columns = np.ones((2, numbers.size))
    columns[0] = numbers
    if unknown.any():
        columns[:, unknown] = 0
    return columns


def by_name(*measures: type[GenericMeasure]) -> dict[str, type[GenericMeasure]]:
    """Measures of one family by their names within it."""
    return {each.measure.partition(".")[2]: each for each in measures}


def scattered(rows: Ints, columns: Ints, values: Floats, shape: tuple[int, int]) -> Any:
    """A matrix of a few numbers and zeros: dense where it has few columns, else of `scipy.sparse`."""
    if shape[1] <= _FEW_COLUMNS:
        found = np.zeros(shape)
        found[rows, columns] = values
        return found
    from scipy import sparse  # noqa: PLC0415  # takes longer to import than most scorings take

    return sparse.csr_array((values, (rows, columns)), shape=shape)


def wilson_interval(hits: int, total: int, level: float = 0.95) -> tuple[float, float]:
    """Interval of a share of independent records (Wilson, JASA 22 (1927) 209), which has a width at 0 and 1 too."""
    z = NormalDist().inv_cdf((1 + level) / 2)
    middle, half = hits + z * z / 2, z * math.sqrt(hits * (total - hits) / total + z * z / 4)
    return max(0.0, (middle - half) / (total + z * z)), min(1.0, (middle + half) / (total + z * z))


def f1_interval(hits: int, total: int) -> tuple[float, float]:
    """Interval of F1 = 2 J / (1 + J), which grows with the share J = TP / (TP + FP + FN) of the records that are of the
    class or answered as it: Wilson's bounds of J, as F1."""
    low, high = wilson_interval(hits, total)
    return 2 * low / (1 + low), 2 * high / (1 + high)


def later(make: Callable[[], Statistic]) -> Statistic:
    """A statistic that is prepared when it is first needed."""
    made = cache(make)

    def statistic(weights: Ints) -> Values:
        return made()(weights)

    return statistic


@dataclass(frozen=True, kw_only=True, eq=False)
class Sums:
    """The `Statistic` of a measure that needs only sums over records."""

    make: Callable[[], Any]
    """What each record contributes, of shape (n_records, k), dense or of `scipy.sparse`, see `scattered`."""
    formula: Callable[[Floats], Values]
    """Sums of shape (b, k) to values of shape (b,)."""
    total: Callable[[], Floats] | None = None
    """The sums over all records, of shape (k,), where they can be calculated without the rows."""

    @cached_property
    def rows(self) -> Any:
        """What ``make`` makes, once."""
        found = self.make()
        return found.astype(np.float64, copy=False) if isinstance(found, np.ndarray) else found

    def __call__(self, weights: Ints) -> Values:
        """See `Statistic`."""
        if isinstance(self.rows, np.ndarray):
            return self.formula(product(weights, self.rows))
        return self.formula(np.asarray(weights.astype(np.float64) @ self.rows, np.float64))


def sums(rows: Any, formula: Callable[[Floats], Values]) -> Statistic:
    """The statistic of sums over records, see `Sums`."""
    return Sums(make=lambda: rows, formula=formula)


def sums_of_columns(columns: Callable[[slice], Floats], size: int, formula: Callable[[Floats], Values]) -> Statistic:
    """The same, where what some records contribute can be made when it is needed, of shape (k, records).

    The sums over all records once then need no rows of all of them: they are made and added a few thousand records at
    a time, which stay in the processor's cache.
    """

    def total() -> Floats:
        parts = (slice(start, start + _RECORDS) for start in range(0, max(1, size), _RECORDS))
        found: Floats = np.sum([columns(part).sum(axis=1) for part in parts], axis=0)
        return found

    return Sums(make=lambda: columns(slice(None)).T, formula=formula, total=total)


def by_parts(formula: Callable[[NDArray[Any]], Floats], weights: Ints) -> Floats:
    """A formula of the weights of many multisets, applied to as many at a time as stay in the processor's cache.

    Parameters
    ----------
    formula : callable
        Weights of shape (k, n), of 32 bits where no sum of a row can be too large for them, to values of shape (k,).
    weights : shape (b, n)

    Returns
    -------
    shape (b,)
    """
    most = int(weights.max(initial=0)) * weights.shape[1]
    kind = np.int32 if most < np.iinfo(np.int32).max else np.int64
    rows = max(1, _CACHED // max(1, weights.shape[1]))
    parts = (weights[start : start + rows].astype(kind) for start in range(0, len(weights), rows))
    return np.concatenate([np.zeros(0), *(formula(part) for part in parts)])


def sums_of_first(order: Ints, counts: Ints) -> Callable[[NDArray[Any]], NDArray[Any]]:
    """What gives, for the weights of many multisets, those of the first so many records added up.

    `numpy.cumsum` waits for each sum before it begins the next.  Here records of many blocks are added side by side,
    then to each block what precedes it: average precision of 1,000 records takes two thirds of the time.

    Parameters
    ----------
    order : shape (m,)
        Records, the first one first.
    counts : shape (k,)
        From 0 to m.

    Returns
    -------
    callable
        From weights of shape (n, b) to sums of shape (k, b), of the same type.
    """
    blocks = order.size // _BLOCK + 1
    layout = np.resize(np.append(0, order), blocks * _BLOCK).reshape(blocks, _BLOCK).T.ravel()
    places = counts % _BLOCK * blocks + counts // _BLOCK

    def sums_of(weights: NDArray[Any]) -> NDArray[Any]:
        if not order.size:
            return np.zeros((counts.size, weights.shape[1]), weights.dtype)
        found = np.take(weights, layout, axis=0)
        found[0] = 0  # the sum of none
        rows = found.reshape(_BLOCK, -1)
        for k in range(1, _BLOCK):
            rows[k] += rows[k - 1]
        by_block = found.reshape(_BLOCK, blocks, -1)
        by_block[:, 1:] += np.cumsum(by_block[-1, :-1], axis=0, dtype=weights.dtype)
        return np.take(found, places, axis=0)

    return sums_of


def loss(key: str, value: Floats) -> Values:
    """A value where less is better, preceded by its negative, the primary value."""
    return {f"neg_{key}": -value, key: value}


def mean_over(values: Floats, counted: Bools | None = None) -> Floats:
    """Mean over the last axis of those that are not NaN (and counted); NaN where there are none."""
    used = ~np.isnan(values)
    if counted is not None:
        used = used & counted
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(used, values, 0.0).sum(axis=-1) / used.sum(axis=-1))


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """The quotient, NaN where the denominator is 0."""
    quotient = np.full(np.broadcast(numerator, denominator).shape, math.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient
