"""Events in signals: any number of intervals (or moments) in each record.

Conventions
-----------
References and answers are rows ``record,onset,offset``, or a file of ``onset,offset`` for each record.  A row that is
blank after the record, or an empty file, means a record without events.  Times are in ``unit``, seconds or samples;
samples need ``fs_hz``. Tolerances are in seconds, and inclusive.

* *Missing answers* (``missing``): a record that the answers do not name has no events, which is ``wrong`` where the
  reference has some; ``exclude-with-note`` leaves it out.
* Counts and durations are pooled over records ("gross" in ANSI/AAMI EC57), so *records without events* count by the
  false answers in them.  Without any event at all the values are NaN, with a note.
* *Ties*: matching takes as many pairs as possible, so no order of the events changes a value.

Seizures and heartbeats have rules of their fields, which their classes describe.

Sources: ANSI/AAMI EC57:2012 for episode and duration statistics and for beats; Dan et al., SzCORE, Epilepsia 2024, and
timescoring 0.0.7 for seizures.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import maximum_bipartite_matching

from metrics.base import Given, Note, ReferenceDataError, UnusableAnswers
from metrics.generic.base import (
    EXCLUDE,
    Floats,
    Ints,
    Measured,
    Records,
    Statistic,
    Values,
    by_name,
    ratio,
    sums,
)
from metrics.generic.options import TEXT, SpecError, number, one_of, option, or_none, several
from metrics.generic.tables import OfRows, Table, answer_notes, read_answers, read_table, repeated_rows, strange_classes

_ROUNDING = 1e-9
"""Seconds by which a tolerance may be exceeded: 0.3 - 0.2 is above 0.1."""
_SLACK = 1.0
"""Seconds by which an event may be outside before a note says so."""
MAX_PAIRS = 1 << 24
"""Pairs of onsets within the tolerance, in one record: a day of beats has a hundred thousand."""


@dataclass(frozen=True, kw_only=True)
class OfEvents(OfRows):
    """A measure of numbers that each record contributes to by itself."""

    unit: str = option("seconds", one_of("seconds", "samples"), "of onsets and offsets")
    fs_hz: float | None = option(None, or_none(number(0, above=True)), "samples per second, of unit: samples")
    onset_column: str = option("onset", TEXT, "name of the column of onsets")
    offset_column: str = option("offset", TEXT, "name of the column of offsets")
    missing: str = option("wrong", one_of("wrong", EXCLUDE), "what a record that the answers do not name counts")

    def __post_init__(self) -> None:
        if self.unit == "samples" and self.fs_hz is None:
            raise SpecError(f"{self.measure}: fs_hz", "a number above 0, as unit is samples", None)

    @property
    def _has_offsets(self) -> bool:
        return True

    def measured(self, given: Given) -> Measured:
        columns = (self.onset_column, self.offset_column) if self._has_offsets else (self.onset_column,)
        extra = [self.cluster] if self.cluster else []
        truth = read_table(given.references, ReferenceDataError, order=(*columns, *extra), record=self.record_column)
        answers = read_answers(given, order=columns, record=self.record_column)
        wish = "every record of the list in the references (blank if it has no event)"
        listed, records = self._listed(truth, given.records, wish, empty=True)
        present, answered = truth.without_blank(*columns), answers.without_blank(*columns)
        what = "left out" if self.missing == EXCLUDE else "counted as without events"
        seconds = self._seconds(truth, listed, records.names)
        rows = self._rows(present, answered, records.names, seconds)
        return Measured(
            records=records,
            statistic=self._statistic(rows, records),
            per_record={
                name: dict(zip(self._keys, row, strict=True))
                for name, row in zip(records.names, rows.tolist(), strict=True)
            },
            notes=(
                *answer_notes(records.names, answered.groups(), what, answers.file, listed),
                *self._oddities(present, answered, dict(zip(records.names, seconds, strict=True))),
            ),
        )

    def _oddities(self, expected: Table, answered: Table, seconds: Mapping[str, float]) -> Iterator[Note]:
        """Notes on causes of a low score although the events may be right; ``seconds``: length of each record."""
        column: str | None = getattr(self, "class_column", None)
        own_columns = (
            self.onset_column,
            *([self.offset_column] if self._has_offsets else []),
            *([column] if column else []),
        )
        yield from repeated_rows(expected, own_columns)
        if column:
            yield from strange_classes(expected.column(column), answered.column(column), answered.file)
        number_of = {name: number for number, name in enumerate(seconds)}
        lengths = np.array([*seconds.values(), 0.0])
        ends = np.full((2, lengths.size), math.inf)  # of the first event, and minus that of the last
        for what, table in (("events of the references", expected), ("answered events", answered)):
            record, times = np.array([number_of.get(name, -1) for name in table.names], np.int64), self._times(table)
            record, times = record[record >= 0], times[record >= 0]
            late = int((times[:, 1] > lengths[record] + _SLACK).sum())
            if late:
                yield Note(f"{late} {what} reach beyond the end of their record")
            if table is expected:
                np.minimum.at(ends[0], record, times[:, 0] - _SLACK)
                np.minimum.at(ends[1], record, -times[:, 1] - _SLACK)
            else:
                with_events = ends[0][record] < math.inf
                inside = (times[:, 1] >= ends[0][record]) & (-times[:, 0] >= ends[1][record])
                if with_events.any() and not inside[with_events].any():
                    yield Note(
                        "no answered event lies between the first and the last event of its record's references: "
                        f"is the unit {self.unit} on both sides?"
                    )

    def _seconds(self, truth: Table, places: dict[str, list[int]], names: Sequence[str]) -> list[float]:
        """Length of each record in seconds; infinite where that does not matter."""
        return [math.inf] * len(names)

    def _times(self, table: Table) -> Floats:
        """Onset and offset of each row in seconds, shape (rows, 2)."""
        columns = [self.onset_column, self.offset_column] if self._has_offsets else [self.onset_column] * 2
        onsets, offsets = table.points(columns).T
        wrong = np.flatnonzero(offsets <= onsets) if self._has_offsets else np.zeros(0, np.int64)
        if wrong.size:
            wish = "expected an offset after the onset, found"
            raise table.wrong({row: f"{wish} {onsets[row]:g} to {offsets[row]:g}" for row in wrong.tolist()})
        return np.stack([onsets, offsets], axis=1) / (self.fs_hz if self.unit == "samples" and self.fs_hz else 1.0)

    def _statistic(self, rows: Floats, records: Records) -> Statistic:
        """From what each record contributes, shape (n_records, k), to the statistic."""
        return sums(rows, self._formula)

    def _rows(self, expected: Table, answered: Table, names: Sequence[str], seconds: list[float]) -> Floats:
        expected_events, answered_events = self._both(expected, answered)
        places, groups = expected.groups(), answered.groups()
        rows = np.zeros((len(names), len(self._keys)))
        for name, length, row in zip(names, seconds, rows, strict=True):
            if self.missing == EXCLUDE and name not in groups:
                continue
            events = expected_events[places.get(name, [])], answered_events[groups.get(name, [])]
            try:
                self._check_size(events[0])
            except ValueError as reason:
                raise ReferenceDataError(str(reason), file=expected.file, record=name) from None
            try:
                self._check_size(events[1])
                row[:] = self._contribution(*events, length)
            except ValueError as reason:
                raise UnusableAnswers({name: str(reason)}, file=answered.file) from None
        return rows

    def _check_size(self, events: Floats) -> None:
        """Raise `ValueError` for events that would need too much memory."""

    def _both(self, expected: Table, answered: Table) -> tuple[Floats, Floats]:
        """Rows of references and answers as numbers, the onset and the offset in seconds first."""
        return self._times(expected), self._times(answered)

    @property
    @abstractmethod
    def _keys(self) -> tuple[str, ...]:
        """Names of the numbers that a record contributes."""

    @abstractmethod
    def _contribution(self, expected: Floats, answered: Floats, seconds: float) -> tuple[float, ...]:
        """The numbers of one record, of so many seconds, that are summed over records."""

    @staticmethod
    @abstractmethod
    def _formula(total: Floats) -> Values:
        """From sums of shape (b, k) to values."""


@dataclass(frozen=True, kw_only=True)
class EventF1(OfEvents):
    """F1 of events that match one to one: onsets, and offsets if asked for, within their tolerances.

    ``offset_tolerance_seconds: null`` (default) compares onsets only, and files need no offsets (beats, spikes).
    """

    measure = "events.f1"
    worst_value = 0.0
    onset_tolerance_seconds: float = option(MISSING, number(0), "largest distance of matching onsets")
    offset_tolerance_seconds: float | None = option(None, or_none(number(0)), "the same of offsets")

    @property
    def _has_offsets(self) -> bool:
        return self.offset_tolerance_seconds is not None

    _keys = ("TP", "FP", "FN")

    def _contribution(self, expected: Floats, answered: Floats, seconds: float) -> tuple[float, ...]:
        tolerances = (self.onset_tolerance_seconds, self.offset_tolerance_seconds)
        hits = matches(expected, answered, tolerances[0], tolerances[1])
        return float(hits), float(len(answered) - hits), float(len(expected) - hits)

    @staticmethod
    def _formula(total: Floats) -> Values:
        return of_counts(*total.T)


def of_counts(hits: Floats, false: Floats, missed: Floats) -> Values:
    """F1, sensitivity and PPV of true positives, false positives and false negatives."""
    return {
        "f1": ratio(2 * hits, 2 * hits + false + missed),
        "sensitivity": ratio(hits, hits + missed),
        "ppv": ratio(hits, hits + false),
    }


@dataclass(frozen=True, kw_only=True)
class EpisodeOverlap(OfEvents):
    """F1 of episode sensitivity and episode PPV by overlap.

    A reference episode is found, and an answered one right, if the episodes of the other side together cover any of it,
    or at least the share ``least_overlap``. So one long answer can find many episodes; `Duration` shows this.
    """

    measure = "events.overlap"
    worst_value = 0.0
    least_overlap: float = option(0.0, number(0, 1), "share of an episode that must be covered; 0: any overlap")

    _keys = ("found", "episodes", "right", "answered")

    def _contribution(self, expected: Floats, answered: Floats, seconds: float) -> tuple[float, ...]:
        counts = []
        for episodes, opposite in ((expected, answered), (answered, expected)):
            common = covered(episodes, opposite)
            lengths = episodes[:, 1] - episodes[:, 0]
            hit = (common > _ROUNDING) & (common >= self.least_overlap * lengths - _ROUNDING)
            counts += [float(hit.sum()), float(len(episodes))]
        return tuple(counts)

    @staticmethod
    def _formula(total: Floats) -> Values:
        hits, episodes, right, answered = total.T
        return f1_of(ratio(hits, episodes), ratio(right, answered), episodes, answered)


@dataclass(frozen=True, kw_only=True)
class Duration(OfEvents):
    """F1 of duration sensitivity and duration PPV: the shared time, divided by that of the reference and of the answer.

    Overlapping events of one side count once.
    """

    measure = "events.duration"
    worst_value = 0.0

    _keys = ("common_seconds", "reference_seconds", "answer_seconds")

    def _contribution(self, expected: Floats, answered: Floats, seconds: float) -> tuple[float, ...]:
        merged = [union(each) for each in (expected, answered)]
        lengths = [math.fsum(each[:, 1] - each[:, 0]) for each in merged]
        return math.fsum(covered(merged[0], merged[1])), lengths[0], lengths[1]

    @staticmethod
    def _formula(total: Floats) -> Values:
        common, expected, answered = total.T
        return f1_of(ratio(common, expected), ratio(common, answered), expected, answered)


def f1_of(sensitivity: Floats, ppv: Floats, expected: Floats, answered: Floats) -> Values:
    """Their harmonic mean: 0 where one is 0 or there is nothing on one side only, NaN where nothing is on both."""
    rates = np.nan_to_num(sensitivity), np.nan_to_num(ppv)
    f1 = np.nan_to_num(ratio(2 * rates[0] * rates[1], rates[0] + rates[1]))
    f1 = np.where((expected == 0) & (answered == 0), math.nan, f1)
    return {"f1": f1, "sensitivity": sensitivity, "ppv": ppv}


def matches(expected: Floats, answered: Floats, onset_tolerance: float, offset_tolerance: float | None) -> int:
    """The largest number of one-to-one pairs whose onsets (and offsets) are within the tolerances.

    ``expected`` and ``answered`` (shape (n, 2) and (m, 2)): onsets and offsets in seconds, in any order.

    Raises ValueError if more than `MAX_PAIRS` have onsets within the tolerance.
    """
    if not len(expected) or not len(answered):
        return 0
    ordered = answered[np.argsort(answered[:, 0], kind="stable")]
    reach = onset_tolerance + _ROUNDING
    first = np.searchsorted(ordered[:, 0], expected[:, 0] - reach, side="left")
    end = np.searchsorted(ordered[:, 0], expected[:, 0] + reach, side="right")
    near = end - first
    if near.sum() > MAX_PAIRS:
        raise ValueError(f"expected at most {MAX_PAIRS:,} pairs of events with near onsets, found {near.sum():,}")
    rows = np.repeat(np.arange(len(expected)), near)
    columns = np.repeat(first, near) + np.arange(rows.size) - np.repeat(near.cumsum() - near, near)
    if offset_tolerance is not None:
        kept = np.abs(expected[rows, 1] - ordered[columns, 1]) <= offset_tolerance + _ROUNDING
        rows, columns = rows[kept], columns[kept]
    shape = (len(expected), len(answered))
    graph = sparse.csr_array((np.ones(rows.size, np.int8), (rows, columns)), shape=shape)
    return int((maximum_bipartite_matching(graph, perm_type="column") >= 0).sum())


def union(events: Floats) -> Floats:
    """The same time in intervals that neither overlap nor touch, in order; shape (k, 2)."""
    if not len(events):
        return events
    ordered = events[np.argsort(events[:, 0], kind="stable")]
    latest = np.maximum.accumulate(ordered[:, 1])
    apart = np.flatnonzero(ordered[1:, 0] > latest[:-1])  # the last of each interval but the last one
    merged = np.empty((apart.size + 1, 2))
    merged[0, 0], merged[1:, 0] = ordered[0, 0], ordered[apart + 1, 0]
    merged[:-1, 1], merged[-1, 1] = latest[apart], latest[-1]
    return merged


def covered(events: Floats, others: Floats) -> Floats:
    """Seconds of each event that the others cover, shape (n,)."""
    if not len(events) or not len(others):
        return np.zeros(len(events))
    merged = union(others)
    lengths = np.cumsum(merged[:, 1] - merged[:, 0])
    # time covered until each border: it rises within an interval and is constant between two
    until = np.empty(merged.shape)
    until[:, 0], until[:, 1] = lengths - (merged[:, 1] - merged[:, 0]), lengths
    at = np.interp(events, merged.ravel(), until.ravel())
    return np.asarray(at[:, 1] - at[:, 0])


MAX_PARTS = 1 << 24
"""Parts of the events of one side of a record."""
_PER_DAY = 86_400.0


@dataclass(frozen=True, kw_only=True)
class Szcore(OfEvents):
    """F1 of seizures as SzCORE counts events, with false alarms per day.

    Events less than ``merged_seconds`` apart are one, events longer than ``longest_seconds`` are several.  A seizure
    is found if anything of it, of the time before (``before_seconds``) or after (``after_seconds``) is answered; an
    answered event that overlaps no such time of a found seizure is a false alarm.  Times are compared in tenths of a
    second.  Beside the pooled values are their means over subjects (the units that are resampled), each over those
    subjects that have the value.
    """

    measure = "events.szcore"
    worst_value = 0.0
    duration_column: str = option("duration", TEXT, "column of the references with the record's length in seconds")
    before_seconds: float = option(30.0, number(0), "before a seizure, where an answer counts as its detection")
    after_seconds: float = option(60.0, number(0), "the same after it")
    longest_seconds: float = option(300.0, number(0, above=True), "longer events are split")
    merged_seconds: float = option(90.0, number(0), "events less than so far apart are merged")
    least_overlap: float = option(0.0, number(0, 1), "share of a seizure and its margins that must be answered")

    _keys = ("TP", "FP", "FN", "seconds")

    def _contribution(self, expected: Floats, answered: Floats, seconds: float) -> tuple[float, ...]:
        seizures, alarms = self._events(expected), self._events(answered)
        answered_time = np.clip(_tenths(alarms), 0, seconds)
        margins = np.stack(
            [np.maximum(0, seizures[:, 0] - self.before_seconds), seizures[:, 1] + self.after_seconds], axis=1
        )
        margins[:, 1] = np.minimum(margins[:, 1], seconds)
        share = covered(_tenths(margins), answered_time[answered_time[:, 1] > answered_time[:, 0]])
        hit = share / np.maximum(margins[:, 1] - margins[:, 0], 1e-9) > self.least_overlap + 1e-6
        false = covered(answered_time, _tenths(margins[hit])) < 0.05
        return float(hit.sum()), float(false.sum()), float((~hit).sum()), seconds

    def _seconds(self, truth: Table, places: dict[str, list[int]], names: Sequence[str]) -> list[float]:
        lengths = truth.numbers(self.duration_column, low=0)
        for name in names:
            stated = lengths[places[name]]
            if stated.size > 1 and (stated != stated[0]).any():
                row = places[name][int(np.argmax(stated != stated[0]))]
                raise truth.fail(f"expected one duration of each record, found {stated[0]:g} and {lengths[row]:g}", row)
        return [float(lengths[places[name][0]]) if places[name] else 0.0 for name in names]

    def _check_size(self, events: Floats) -> None:
        count = float(np.ceil((events[:, 1] - events[:, 0]) / self.longest_seconds).sum())
        if count > MAX_PARTS:
            raise ValueError(f"expected at most {MAX_PARTS:,} parts of events, found {count:,.0f}")

    def _events(self, events: Floats) -> Floats:
        """Merged and then split, shape (n, 2)."""
        if not len(events):
            return events
        gaps = union(events)
        apart = np.concatenate([[True], gaps[1:, 0] - gaps[:-1, 1] >= self.merged_seconds])
        starts = np.flatnonzero(apart)
        whole = np.stack([gaps[starts, 0], gaps[np.append(starts[1:], len(gaps)) - 1, 1]], axis=1)
        parts = np.maximum(1, np.ceil((whole[:, 1] - whole[:, 0]) / self.longest_seconds)).astype(np.int64)
        number_of = np.arange(parts.sum()) - np.repeat(parts.cumsum() - parts, parts)
        onsets = np.repeat(whole[:, 0], parts) + number_of * self.longest_seconds
        return np.stack([onsets, np.minimum(onsets + self.longest_seconds, np.repeat(whole[:, 1], parts))], axis=1)

    def _statistic(self, rows: Floats, records: Records) -> Statistic:
        pooled, subjects = super()._statistic(rows, records), np.unique(records.clusters, return_inverse=True)[1]
        order, starts = np.argsort(subjects, kind="stable"), np.cumsum(np.bincount(subjects)) - np.bincount(subjects)

        def of_subjects(columns: Floats) -> Floats:
            """Sums over the records of each subject, of numbers of shape (b, n_records)."""
            return np.asarray(np.add.reduceat(columns[:, order], starts, axis=1))

        def statistic(weights: Ints) -> Values:
            drawn = of_subjects(weights.astype(np.float64)) / np.bincount(subjects)
            totals = np.stack([of_subjects(weights * column) for column in rows.T], axis=-1)
            all_values = pooled(weights)
            for key, values in self._formula(totals.reshape(-1, rows.shape[1])).items():
                each = values.reshape(drawn.shape)
                counted = drawn * ~np.isnan(each)
                all_values[f"mean_{key}"] = ratio((counted * np.nan_to_num(each)).sum(axis=1), counted.sum(axis=1))
            return all_values

        return statistic

    @staticmethod
    def _formula(total: Floats) -> Values:
        hits, false, missed, seconds = total.T
        return of_counts(hits, false, missed) | {"false_alarms_per_day": ratio(false * _PER_DAY, seconds)}


def _tenths(events: Floats) -> Floats:
    return np.round(events * 10) / 10


@dataclass(frozen=True, kw_only=True)
class Beats(OfEvents):
    """Beat by beat comparison of EC57: a beat is found within ``window_seconds``.

    Pairs are made in the order of time; of two beats that could be paired with one, the nearer.  Beside the gross
    statistics (pooled beats) are the averages over records; with ``class_column``, also sensitivity and PPV of
    ventricular (``V``) and supraventricular (``S``) ectopic beats, where a beat that is not found, and one that is not
    there, have another class.  Beats before ``from_seconds`` (EC57: 300, the learning period) do not count.
    """

    measure = "events.beats"
    worst_value = 0.0
    class_column: str | None = option(None, or_none(TEXT), "of references and answers: the class of each beat")
    window_seconds: float = option(0.15, number(0, above=True), "largest distance of a pair")
    from_seconds: float = option(0.0, number(0), "end of the learning period")
    classes: tuple[str, ...] = option(("V", "S"), several(TEXT, "classes", unique=True), "with statistics of their own")

    _has_offsets = False

    @property
    def _keys(self) -> tuple[str, ...]:
        by_class = tuple(f"{key}[{name}]" for name in self.classes for key in ("TP", "FP", "FN"))
        gross = ("TP", "FP", "FN", "sensitivity", "with beats", "ppv", "with answers")
        return gross + by_class if self.class_column else gross

    def _both(self, expected: Table, answered: Table) -> tuple[Floats, Floats]:
        times = super()._both(expected, answered)
        if self.class_column is None:
            return times[0], times[1]
        code = {name: number for number, name in enumerate(self.classes)}
        codes = [
            np.array([code.get(cell, -1) for cell in table.column(self.class_column)], np.float64)
            for table in (expected, answered)
        ]
        return np.column_stack([times[0], codes[0]]), np.column_stack([times[1], codes[1]])

    def _contribution(self, expected: Floats, answered: Floats, seconds: float) -> tuple[float, ...]:
        beats, calls = (
            part[np.argsort(part[:, 0], kind="stable")]
            for part in (side[side[:, 0] >= self.from_seconds] for side in (expected, answered))
        )
        partner = beat_pairs(beats[:, 0], calls[:, 0], self.window_seconds)
        hits = float((partner >= 0).sum())
        counts = [hits, len(calls) - hits, len(beats) - hits]
        counts += [hits / len(beats) if len(beats) else 0.0, float(len(beats) > 0)]
        counts += [hits / len(calls) if len(calls) else 0.0, float(len(calls) > 0)]
        for code in range(len(self.classes)) if self.class_column else ():
            here, there = beats[:, 2] == code, calls[:, 2] == code
            both = float(there[partner[here & (partner >= 0)]].sum())
            counts += [both, float(there.sum()) - both, float(here.sum()) - both]
        return tuple(counts)

    def _formula(self, total: Floats) -> Values:  # type: ignore[override]  # it needs the classes
        hits, false, missed, sensitivity, with_beats, ppv, with_answers = total.T[:7]
        values = of_counts(hits, false, missed)
        values |= {"mean_sensitivity": ratio(sensitivity, with_beats), "mean_ppv": ratio(ppv, with_answers)}
        for code, name in enumerate(self.classes if total.shape[1] > 7 else ()):
            counts = total.T[7 + 3 * code : 10 + 3 * code]
            values |= {f"{key}[{name}]": value for key, value in of_counts(*counts).items() if key != "f1"}
        return values


def beat_pairs(expected: Floats, answered: Floats, window: float) -> Ints:
    """For each expected time the place of the answered one that it is paired with, -1 for none; both rise.

    Every beat takes the nearest answered beat that is free, unless the next beat is nearer to it: then the one before.
    """
    partner = np.full(expected.size, -1, np.int64)
    other = answered.tolist()
    if not other:
        return partner
    nearest = np.searchsorted((answered[1:] + answered[:-1]) / 2, expected).tolist()
    free, taken = 0, -1  # the first that may be taken, and the last that is
    for i, time in enumerate(expected.tolist()):
        if free >= len(other):
            break
        j = max(free, nearest[i])
        if i + 1 < expected.size and max(free, nearest[i + 1]) == j:
            contested = abs(other[j] - expected[i + 1]) < abs(other[j] - time)
            if contested:
                j -= 1
            if contested and j <= taken:
                continue
        if abs(other[j] - time) <= window + 1e-9:
            partner[i] = taken = j
        free = j + 1
    return partner


MEASURES = by_name(EventF1, EpisodeOverlap, Duration, Szcore, Beats)
