"""Events in signals by the rules of their fields: seizures, heartbeats, stages of sleep.

Conventions
-----------
Files, units, missing answers and pooling are those of `metrics.generic.events`; what differs is in each class.

Sources: Dan et al., SzCORE, Epilepsia 2024, and timescoring 0.0.7 for seizures; ANSI/AAMI EC57:2012 for beats; Cohen,
Educational and Psychological Measurement 20 (1960) 37, for kappa.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from metrics.base import Given, MetricError, ReferenceDataError, UnusableAnswers
from metrics.generic.base import (
    Floats,
    Ints,
    Measured,
    Records,
    Statistic,
    Values,
    by_name,
    mean_over,
    ratio,
    sums,
)
from metrics.generic.events import OfEvents, OfTimes, covered, of_counts, union
from metrics.generic.options import TEXT, number, option, or_none, several
from metrics.generic.tables import OfRows, Table, answer_notes, read_answers, read_table, strange_classes

MAX_PARTS = 1 << 24
"""Parts of the events of one side of a record."""
_PER_DAY = 86_400.0


@dataclass(frozen=True, kw_only=True)
class OfLengths(OfTimes):
    """A measure that needs to know how long each record is."""

    duration_column: str = option("duration", TEXT, "column of the references with the record's length in seconds")

    def _seconds(self, truth: Table, places: dict[str, list[int]], names: Sequence[str]) -> list[float]:
        lengths = truth.numbers(self.duration_column, low=0)
        for name in names:
            own = lengths[places[name]]
            if own.size > 1 and (own != own[0]).any():
                row = places[name][int(np.argmax(own != own[0]))]
                raise truth.fail(f"expected one duration of each record, found {own[0]:g} and {lengths[row]:g}", row)
        return [float(lengths[places[name][0]]) if places[name] else 0.0 for name in names]


@dataclass(frozen=True, kw_only=True)
class Szcore(OfLengths, OfEvents):
    """F1 of seizures as SzCORE counts events, with false alarms per day.

    Events less than ``merged_seconds`` apart are one, events longer than ``longest_seconds`` are several.  A seizure
    is found if anything of it, of the time before (``before_seconds``) or after (``after_seconds``) is answered; an
    answered event that overlaps no such time of a found seizure is a false alarm.  Times are compared in tenths of a
    second.  Beside the pooled values are their means over subjects (the units that are resampled), each over those
    subjects that have the value.
    """

    measure = "events.szcore"
    worst_value = 0.0
    before_seconds: float = option(30.0, number(0), "before a seizure, where an answer counts as its detection")
    after_seconds: float = option(60.0, number(0), "the same after it")
    longest_seconds: float = option(300.0, number(0, above=True), "longer events are split")
    merged_seconds: float = option(90.0, number(0), "events less than so far apart are merged")
    least_overlap: float = option(0.0, number(0, 1), "share of a seizure and its margins that must be answered")

    @property
    def _keys(self) -> tuple[str, ...]:
        return ("TP", "FP", "FN", "seconds")

    def _contribution(self, expected: Floats, answered: Floats, seconds: float) -> tuple[float, ...]:
        own, other = self._events(expected), self._events(answered)
        answered_time = np.clip(_tenths(other), 0, seconds)
        margins = np.stack([np.maximum(0, own[:, 0] - self.before_seconds), own[:, 1] + self.after_seconds], axis=1)
        margins[:, 1] = np.minimum(margins[:, 1], seconds)
        share = covered(_tenths(margins), answered_time[answered_time[:, 1] > answered_time[:, 0]])
        found = share / np.maximum(margins[:, 1] - margins[:, 0], 1e-9) > self.least_overlap + 1e-6
        false = covered(answered_time, _tenths(margins[found])) < 0.05
        return float(found.sum()), float(false.sum()), float((~found).sum()), seconds

    def _check_size(self, events: Floats, fail: Callable[[str], MetricError]) -> None:
        count = float(np.ceil((events[:, 1] - events[:, 0]) / self.longest_seconds).sum())
        if count > MAX_PARTS:
            raise fail(f"expected at most {MAX_PARTS:,} parts of events, found {count:,.0f}")

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
            found = pooled(weights)
            for key, values in self._formula(totals.reshape(-1, rows.shape[1])).items():
                each = values.reshape(drawn.shape)
                known = drawn * ~np.isnan(each)
                found[f"mean_{key}"] = ratio((known * np.nan_to_num(each)).sum(axis=1), known.sum(axis=1))
            return found

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

    @property
    def _has_offsets(self) -> bool:
        return False

    @property
    def _keys(self) -> tuple[str, ...]:
        own = tuple(f"{key}[{name}]" for name in self.classes for key in ("TP", "FP", "FN"))
        gross = ("TP", "FP", "FN", "sensitivity", "with beats", "ppv", "with answers")
        return gross + own if self.class_column else gross

    def _both(self, expected: Table, answered: Table) -> tuple[Floats, Floats]:
        times = super()._both(expected, answered)
        if self.class_column is None:
            return times[0], times[1]
        code = {name: place for place, name in enumerate(self.classes)}
        codes = [
            np.array([code.get(cell, -1) for cell in table.column(self.class_column)], np.float64)
            for table in (expected, answered)
        ]
        return np.column_stack([times[0], codes[0]]), np.column_stack([times[1], codes[1]])

    def _contribution(self, expected: Floats, answered: Floats, seconds: float) -> tuple[float, ...]:
        own, other = (
            part[np.argsort(part[:, 0], kind="stable")]
            for part in (side[side[:, 0] >= self.from_seconds] for side in (expected, answered))
        )
        partner = beat_pairs(own[:, 0], other[:, 0], self.window_seconds)
        hits = float((partner >= 0).sum())
        found = [hits, len(other) - hits, len(own) - hits]
        found += [hits / len(own) if len(own) else 0.0, float(len(own) > 0)]
        found += [hits / len(other) if len(other) else 0.0, float(len(other) > 0)]
        for place in range(len(self.classes)) if self.class_column else ():
            here, there = own[:, 2] == place, other[:, 2] == place
            both = float(there[partner[here & (partner >= 0)]].sum())
            found += [both, float(there.sum()) - both, float(here.sum()) - both]
        return tuple(found)

    def _formula(self, total: Floats) -> Values:  # type: ignore[override]  # it needs the classes
        hits, false, missed, sensitivity, with_beats, ppv, with_answers = total.T[:7]
        values = of_counts(hits, false, missed)
        values |= {"mean_sensitivity": ratio(sensitivity, with_beats), "mean_ppv": ratio(ppv, with_answers)}
        for place, name in enumerate(self.classes if total.shape[1] > 7 else ()):
            own = total.T[7 + 3 * place : 10 + 3 * place]
            values |= {f"{key}[{name}]": value for key, value in of_counts(*own).items() if key != "f1"}
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
    free = 0
    for i, time in enumerate(expected.tolist()):
        if free >= len(other):
            break
        j = max(free, nearest[i])
        if i + 1 < expected.size and max(free, nearest[i + 1]) == j:
            contested = abs(other[j] - expected[i + 1]) < abs(other[j] - time)
            if contested:
                j -= 1
            if contested and (j < 0 or (i and j == partner[i - 1])):
                continue
        if abs(other[j] - time) <= window + 1e-9:
            partner[i] = j
        free = j + 1
    return partner


@dataclass(frozen=True, kw_only=True)
class StageKappa(OfRows):
    """Cohen's kappa of the stages of sleep, epoch by epoch, over the epochs of all records.

    References and answers have rows ``record,epoch,stage``.  An epoch without an answer is a disagreement; an answer
    for an epoch that the references do not have is refused.  Beside it are the mean of the records' kappas (NaN where
    a record and its answers have one and the same stage only: such a record is left out of that mean), the accuracy,
    and the F1 of each stage of the references.
    """

    measure = "events.stage_kappa"
    worst_value = -1.0
    epoch_column: str = option("epoch", TEXT, "name of the column of epochs")
    stage_column: str = option("stage", TEXT, "name of the column of stages")

    def measured(self, given: Given) -> Measured:
        order = (self.epoch_column, self.stage_column)
        truth = read_table(given.references, ReferenceDataError, order=order, record=self.record_column)
        answers = read_answers(given, order=order, record=self.record_column)
        places, known = self._listed(truth, given.records, "an epoch of every record of the list", empty=False)
        own, other, names = self._stages(truth), self._stages(answers), known.names
        answered = dict.fromkeys((*answers.listed, *answers.names))
        notes = answer_notes(names, answered, "counted as disagreements", given.answers, places)
        stages = tuple(sorted(set(own.values())))
        code = {stage: place for place, stage in enumerate(stages)}
        k, listed = len(stages), {name: place for place, name in enumerate(names)}
        # the cell of each epoch in the table of its record, and one beyond all tables for other records
        cells = [
            listed.get(key[0], len(names)) * k * (k + 1) + code[stage] * (k + 1) + code.get(other.get(key, ""), k)
            for key, stage in own.items()
        ]
        counts = np.bincount(np.array(cells, np.int64), minlength=(len(names) + 1) * k * (k + 1))
        rows = counts[: len(names) * k * (k + 1)].reshape(len(names), k, k + 1).astype(np.float64)
        surplus = {key[0]: key[1] for key in other if key[0] in listed and key not in own}
        if surplus:
            wish = "expected epochs of the references only, found"
            reasons = {name: f"{wish} {epoch[:80]!r}" for name, epoch in surplus.items()}
            raise UnusableAnswers(reasons, file=given.answers)
        given_stages = (stage for (name, _), stage in other.items() if name in listed)
        notes += strange_classes(stages, given_stages, given.answers, "stages")
        kappas = kappa(rows)
        flat = np.column_stack([rows.reshape(len(names), -1), np.nan_to_num(kappas), ~np.isnan(kappas)])

        def formula(total: Floats) -> Values:
            table = total[:, :-2].reshape(len(total), k, k + 1)
            hits = table[:, np.arange(k), np.arange(k)]
            f1 = ratio(2 * hits, table.sum(axis=2) + table.sum(axis=1)[:, :k])
            n = table.sum(axis=(1, 2))
            return {
                "kappa": kappa(table),
                "mean_kappa": ratio(total[:, -2], total[:, -1]),
                "accuracy": ratio(hits.sum(axis=1), n),
                "macro_f1": mean_over(f1),
            } | {f"f1[{stage}]": f1[:, place] for place, stage in enumerate(stages)}

        return Measured(
            records=known,
            statistic=sums(flat, formula),
            per_record={
                name: {"epochs": float(row.sum()), "agree": float(np.trace(row[:, :k]))}
                | ({} if math.isnan(value) else {"kappa": value})
                for name, row, value in zip(names, rows, kappas.tolist(), strict=True)
            },
            notes=notes,
        )

    def _stages(self, table: Table) -> dict[tuple[str, str], str]:
        """The stage of each record's epochs."""
        epochs, stages = (table.named(name, "an epoch and a stage") for name in (self.epoch_column, self.stage_column))
        found = dict(zip(zip(table.names, epochs, strict=True), stages, strict=True))
        if len(found) < len(epochs):
            seen: set[tuple[str, str]] = set()
            for row, key in enumerate(zip(table.names, epochs, strict=True)):
                if key in seen:
                    raise table.fail(f"expected every epoch once, found {key[1][:80]!r} again", row)
                seen.add(key)
        return found


def kappa(table: Floats) -> Floats:
    """Cohen's kappa of tables of shape (b, k, k + 1), whose last column agrees with nothing; shape (b,)."""
    k = table.shape[1]
    n = table.sum(axis=(1, 2))
    agree = table[:, np.arange(k), np.arange(k)].sum(axis=1)
    by_chance = ratio((table.sum(axis=2) * table.sum(axis=1)[:, :k]).sum(axis=1), n)
    return ratio(agree - by_chance, n - by_chance)


MEASURES = by_name(Szcore, Beats, StageKappa)
