"""A metric by subgroups of the records: sex, age band, site, scanner.

``subgroups: {sex: null, age: [40, 65]}`` beside the options of a measure names columns of the references, or of
`SUBGROUPS` in the folder of the references; ``null`` makes a group of each text, a list of numbers makes bands below,
between and from them on.  ``measure`` may also name a challenge's metric (``kits23``).

For each group there are the primary value of its records and its difference from the value of all other records in
that column's groups, both over the same resamples as everything else, and for each column the value of the group that
has the lowest.  They are values like others: reports show them with their intervals, and each counts in the budget of
what a team may learn of a hidden exam.

* A group of fewer than five patients (or records) has no value: it would be that of single records.
* A record without an entry in the column is in no group of it, with a note.
* The lowest of several values is too low on average, the more so the more and the smaller the groups; its interval is
  not corrected for that.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from metrics.base import Given, Metric, Note, OfFiles, PairedInClosedForm, ReferenceDataError, Resampler, ScoreReport
from metrics.display import group_key, worst_key
from metrics.generic.base import Bools, Floats, Ints
from metrics.generic.options import TEXT, SpecError, number, or_none, several
from metrics.generic.tables import Table, read_table
from metrics.readers.foreign import plain_number
from metrics.statistics.uncertainty import FEWEST_CLUSTERS

SUBGROUPS = "subgroups.csv"
_MOST, _LETTERS = 50, 60
"""Groups of a column; letters of the name of one."""
_BANDS = or_none(several(number(), "numbers in rising order", unique=True))


@dataclass(frozen=True, kw_only=True, eq=False)
class Split:
    """A resampler with the primary value of each group beside the values of all records."""

    whole: Resampler
    key: str
    groups: Mapping[str, Mapping[str, Bools]]
    """Column -> group -> which records are in it, of shape (n_records,)."""

    @property
    def records(self) -> tuple[str, ...]:
        return self.whole.records

    @property
    def clusters(self) -> tuple[str, ...]:
        return self.whole.clusters

    def paired(self, other: Resampler, key: str, level: float) -> tuple[float, float, float] | None:
        others = other.whole if isinstance(other, Split) else other
        return self.whole.paired(others, key, level) if isinstance(self.whole, PairedInClosedForm) else None

    def values(self, weights: Ints) -> Mapping[str, Floats]:
        return {**self.whole.values(weights), **self.of_groups(weights)}

    def of_groups(self, weights: Ints) -> dict[str, Floats]:
        """The values that groups add."""
        values: dict[str, Floats] = {}
        for column, groups in self.groups.items():
            anywhere = np.any(list(groups.values()), axis=0)
            by_group = {group: self._value(weights, inside) for group, inside in groups.items()}
            for group, value in by_group.items():
                values[group_key(self.key, column, group)] = value
                if len(groups) > 1:
                    rest = anywhere & ~groups[group]
                    apart = value - self._value(weights, rest)
                    values[f"{group_key(self.key, column, group)} difference"] = apart
            if len(groups) > 1:
                values[worst_key(self.key, column)] = np.min(np.stack(list(by_group.values())), axis=0)
        return values

    def _value(self, weights: Ints, inside: Bools) -> Floats:
        drawn = weights * inside
        with np.errstate(invalid="ignore", divide="ignore"):  # no record of a group may be drawn
            value = np.asarray(self.whole.values(drawn)[self.key], np.float64)
        return np.where(drawn.any(axis=1), value, math.nan)


@dataclass(frozen=True, kw_only=True)
class BySubgroup(OfFiles):
    """A metric whose report has values of groups, too; made by `by_subgroup`."""

    metric: Metric
    columns: tuple[tuple[str, tuple[float, ...] | None], ...]

    @property
    def name(self) -> str:
        """The metric, and by which columns."""
        shown = ", ".join(
            column if bands is None else f"{column} {' '.join(f'{edge:g}' for edge in bands)}"
            for column, bands in self.columns
        )
        return f"{self.metric.name} by {shown}"

    @property
    def has_official(self) -> bool:
        """True if the metric has an organisers' program."""
        return bool(getattr(self.metric, "has_official", True))

    def scored(self, given: Given) -> ScoreReport:
        options: dict[str, Any] = {"records": given.records, "rules": given.rules}
        if isinstance(self.metric, OfFiles):
            options |= {"workers": given.workers, "progress": given.progress}
        report = self.metric.score(given.references, given.answers, **options)
        whole = report.resampler
        if whole is None:
            raise ReferenceDataError(f"expected a metric whose records can be resampled, found {self.metric.name}")
        groups, notes = self._groups(given, whole)
        split = Split(whole=whole, key=report.primary, groups=groups)
        once = split.of_groups(np.ones((1, len(whole.records)), np.int64))
        return replace(
            report,
            metric=self.name,
            values={**report.values, **{key: float(value[0]) for key, value in once.items()}},
            notes=(*report.notes, *notes),
            resampler=split,
        )

    def _groups(self, given: Given, whole: Resampler) -> tuple[dict[str, dict[str, Bools]], list[Note]]:
        table = self._table(given)
        rows = table.groups()
        groups_of: dict[str, dict[str, Bools]] = {}
        notes = []
        for column, bands in self.columns:
            cells = table.column(column)
            group_of = [
                next((cells[row] for row in rows.get(record, ()) if cells[row]), "") for record in whole.records
            ]
            if bands is not None:
                group_of = [self._band(table, column, bands, cell) for cell in group_of]
            names = (
                [_band_name(bands, number) for number in range(len(bands) + 1)]
                if bands
                else sorted(set(group_of) - {""})
            )
            if long := next((name for name in names if len(name) > _LETTERS), ""):
                raise table.fail(f"expected at most {_LETTERS} letters as {column}, found {long[:_LETTERS]!r}")
            if len(names) > _MOST:
                raise table.fail(f"expected at most {_MOST} groups in {column}, found {len(names)}")
            groups_of[column], few = {}, 0
            for name in names:
                inside = np.array([cell == name for cell in group_of])
                size = len({whole.clusters[row] for row in np.flatnonzero(inside)})
                if size >= FEWEST_CLUSTERS:
                    groups_of[column][name] = inside
                few += 0 < size < FEWEST_CLUSTERS
            if few:
                notes.append(Note(f"{few} groups of {column} have fewer than {FEWEST_CLUSTERS} records or patients"))
            if unknown := group_of.count(""):
                notes.append(Note(f"{unknown} records have no {column} and are in no group of it"))
        return groups_of, notes

    def _table(self, given: Given) -> Table:
        """The table of groups, of the records or of rows that name them."""
        beside = given.references / SUBGROUPS
        columns = tuple(column for column, _ in self.columns)
        if given.references.is_dir() and beside.is_file():
            return read_table(beside, ReferenceDataError, order=columns)
        record = getattr(self.metric, "record_column", "record")
        return read_table(given.references, ReferenceDataError, order=columns, record=record)

    @staticmethod
    def _band(table: Table, column: str, bands: tuple[float, ...], cell: str) -> str:
        if not cell:
            return ""
        try:
            value = float(plain_number(cell))
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise table.fail(f"expected a number as {column}, found {cell[:80]!r}")
        return _band_name(bands, sum(value >= edge for edge in bands))


def _band_name(bands: tuple[float, ...], number: int) -> str:
    if not number:
        return f"below {bands[0]:g}"
    return f"from {bands[number - 1]:g}" + (f" to {bands[number]:g}" if number < len(bands) else "")


def by_subgroup(metric: Metric, columns: Any) -> BySubgroup:
    """The metric with the columns of its option ``subgroups``: a list of names, or a mapping of names to bands.

    Raises SpecError for anything else.
    """
    wish = "a list of columns, or a mapping of columns to null or to numbers in rising order"
    if isinstance(columns, str):
        columns = [columns]
    if isinstance(columns, Sequence):
        columns = dict.fromkeys(columns) if all(isinstance(name, str) for name in columns) else None
    if not isinstance(columns, Mapping) or not columns:
        raise SpecError("subgroups", wish, columns)
    checked = []
    for name, bands in columns.items():
        try:
            read = TEXT.read(name), _BANDS.read(bands)
        except (ValueError, TypeError):
            raise SpecError(f"subgroups: {name}", wish, bands) from None
        if (read[1] is not None and list(read[1]) != sorted(read[1])) or re.search(r"[][=]", read[0]):
            raise SpecError(f"subgroups: {name}", wish, bands)
        checked.append(read)
    return BySubgroup(metric=metric, columns=tuple(checked))
