"""Common parts of all generic measures: from paired records to a report that can be resampled.

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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from metrics.base import Given, Note, OfFiles, Resampler, ScoreReport
from metrics.generic.options import differing
from metrics.measures.auc import Ranked, area_interval
from metrics.products import product

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Values = dict[str, Floats]
Curves = Mapping[str, Sequence[float]]
Statistic = Callable[[Ints], Values]
"""Weights of shape (b, n_records) to values of shape (b,), the primary one first."""

EXCLUDE = "exclude-with-note"
_FEW_COLUMNS = 32
"""Up to so many, products with a dense matrix take less time than with a sparse one."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Records:
    """The record list, and for each record the unit that the bootstrap draws."""

    names: Sequence[str]
    clusters: Sequence[str]
    """The names themselves where each record is a unit of its own."""

    @cached_property
    def units(self) -> int:
        """Number of units."""
        return len(self.names) if self.clusters is self.names else len(set(self.clusters))


@dataclass(frozen=True, kw_only=True, eq=False)
class Drawn:
    """`metrics.base.Resampler` of any statistic of weighted records; also `metrics.base.PairedInClosedForm`."""

    records: tuple[str, ...]
    clusters: tuple[str, ...]
    statistic: Statistic
    ranked: Ranked | None = None

    def paired(self, other: Resampler, key: str, level: float) -> tuple[float, float, float] | None:
        """Bounds and p value of the difference by DeLong's test."""
        ranked = other.ranked if isinstance(other, Drawn) else None
        if self.ranked is None or ranked is None or self.ranked.key != key:
            return None
        return self.ranked.paired(ranked, level)

    def values(self, weights: Ints) -> Mapping[str, Floats]:
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):  # a multiset may lack a class: NaN
            return self.statistic(weights)


@dataclass(frozen=True, kw_only=True, eq=False)
class Measured:
    """Findings of a measure, before they become a report."""

    records: Records
    statistic: Statistic
    per_record: Mapping[str, Mapping[str, float | str]] = field(default_factory=dict)
    curves: Curves = field(default_factory=dict)
    notes: Sequence[Note] = ()
    ranked: Ranked | None = None
    failing: Mapping[str, tuple[float, float]] | None = None
    """The field of `metrics.base.ScoreReport`; by default what `GenericMeasure.worst_value` says."""
    shares: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Values that are shares of independent records: how many, of how many; their intervals are Wilson's."""
    overlaps: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Values that are F1 = 2 J / (1 + J) of a share J of independent records: TP, of TP + FP + FN."""

    def once(self) -> dict[str, float]:
        """The values of every record once, the primary one first."""
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):  # NaN without a class, see `notes_on`
            values = self.statistic(np.ones((1, len(self.records.names)), np.int64))
        return {key: float(value[0]) for key, value in values.items()}

    def notes_on(self, values: Mapping[str, float]) -> tuple[Note, ...]:
        """The notes, and one on values that are not defined."""
        undefined = [key for key, value in values.items() if math.isnan(value)]
        infinite = [key for key, value in values.items() if math.isinf(value)]
        notes = list(self.notes)
        if undefined:
            notes.append(Note(f"{', '.join(undefined)} undefined: no record, class or object gives a value"))
        if infinite:
            notes.append(Note(f"{', '.join(infinite)} infinite: numbers are too large to be added"))
        return tuple(notes)


@dataclass(frozen=True, kw_only=True)
class GenericMeasure(OfFiles):
    """A metric made of options; implements `metrics.base.Metric`.

    There is no organisers' program: both values of ``rules`` give the same numbers.
    """

    measure: ClassVar[str]
    """Name in a specification, ``family.measure``."""
    has_official: ClassVar[bool] = False
    is_loss: ClassVar[bool] = False
    """True if less is better."""
    scales: ClassVar[Mapping[str, str]] = {}
    """Key -> a name in `metrics.statistics.bca.SCALES`."""
    worst_value: ClassVar[float | None] = None
    """Value counted for a record that fails altogether, where the value is a mean of bounded numbers or nearly so."""

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
        return self.report(self.measured(given), given.rules)

    def report(self, measured: Measured, rules: str = "corrected") -> ScoreReport:
        """The report of what was measured."""
        ranked = measured.ranked
        values = measured.once()
        closed = {} if ranked is None else {ranked.key: area_interval(ranked.scores, ranked.positive)}
        if measured.records.units == len(measured.records.names):
            closed |= {key: wilson_interval(*share) for key, share in measured.shares.items() if share[1]}
            closed |= {key: f1_interval(*share) for key, share in measured.overlaps.items() if share[1]}
        return ScoreReport(
            metric=self.name,
            rules=rules,
            primary=next(iter(values)),
            values=values,
            per_record=dict(measured.per_record),
            curves=dict(measured.curves),
            notes=measured.notes_on(values),
            intervals=closed,
            failing=self._failing(measured, values) if measured.failing is None else measured.failing,
            scales=self.scales,
            resampler=Drawn(
                records=tuple(measured.records.names),
                clusters=tuple(measured.records.clusters),
                statistic=measured.statistic,
                ranked=ranked,
            ),
        )

    def _failing(self, measured: Measured, values: Mapping[str, float]) -> Mapping[str, tuple[float, float]]:
        if self.worst_value is None:
            return {}
        primary, share = next(iter(values)), 1 / (measured.records.units + 1)
        keys = [key for key in values if key in (primary, self.key) or key.startswith(f"{self.key}[")]
        return {key: (-self.worst_value if key.startswith("neg_") else self.worst_value, share) for key in keys}

    @abstractmethod
    def measured(self, given: Given) -> Measured:
        """Read the files and prepare what can be resampled."""

    def valued(self, value: Floats) -> Values:
        """The value under its name; of a loss its negative first."""
        return loss(self.key, value) if self.is_loss else {self.key: value}

    def mean_of(self, numbers: Floats) -> Statistic:
        """The statistic of the mean over records of numbers of shape (n_records,); those that are NaN do not count."""
        defined = ~np.isnan(numbers)
        rows = np.column_stack([np.where(defined, numbers, 0.0), defined])
        return sums(rows, lambda total: self.valued(ratio(total[:, 0], total[:, 1])))


def by_name(*measures: type[GenericMeasure]) -> dict[str, type[GenericMeasure]]:
    """Measures of one family by their names within it."""
    return {each.measure.partition(".")[2]: each for each in measures}


def scattered(rows: Ints, columns: Ints, values: Floats, shape: tuple[int, int]) -> Any:
    """A matrix of a few numbers and zeros: dense where it has few columns, else of `scipy.sparse`."""
    if shape[1] <= _FEW_COLUMNS:
        matrix = np.zeros(shape)
        matrix[rows, columns] = values
        return matrix
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


def sums(rows: Any, formula: Callable[[Floats], Values]) -> Statistic:
    """The statistic of a measure that needs only sums over records.

    * ``rows``, shape (n_records, k): contributions of each record, dense or of `scipy.sparse`, see `scattered`.
    * ``formula``: sums of shape (b, k) to values of shape (b,).
    """
    if not isinstance(rows, np.ndarray):
        return lambda weights: formula(np.asarray(weights.astype(np.float64) @ rows, np.float64))
    numbers = rows.astype(np.float64, copy=False)
    return lambda weights: formula(product(weights, numbers))


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


def averaged(values: Floats, support: Any, average: str) -> Floats:
    """Mean over the last axis of those that are not NaN: plain ("macro"), or weighted by their support."""
    if average == "macro":
        return mean_over(values)
    support = np.where(np.isnan(values), 0.0, support)
    return ratio((np.nan_to_num(values) * support).sum(axis=-1), support.sum(axis=-1))


def by_class(key: str, labels: Sequence[str], values: Floats) -> Values:
    """The values of each class, of shape (b, classes), under their names."""
    return {f"{key}[{label}]": values[:, number] for number, label in enumerate(labels)}


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """The quotient, NaN where the denominator is 0."""
    quotient = np.full(np.broadcast(numerator, denominator).shape, math.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient
