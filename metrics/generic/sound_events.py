"""The polyphonic sound detection score: events of several classes, answered at several operating points.

Conventions
-----------
Files, units and missing answers are those of `metrics.generic.events`.  Both tables have a class, the references the
record's length, and the answers the operating point (a threshold, say) that a row belongs to: all rows of one point are
what the entry detects there.

* A detection is right if events of its class cover at least ``detection_share`` of it; an event is found if right
  detections of its class cover at least ``truth_share`` of it.  What is not right is a false positive, and a cross
  trigger of every other class whose events cover at least ``cross_share`` of it.
* The effective rate of a class is its false positives per hour plus ``cross_weight`` times the mean over the other
  classes of its cross triggers per hour of their events.  The curve of a class has, at each rate, the largest share of
  events found at any point up to that rate (a staircase); the score is the area under the mean of the curves minus
  ``spread_weight`` standard deviations, not below 0, from a rate of 0 to ``most_per_hour``, divided by it.
* Events of one class (of one point) may not overlap each other.
* A class without events (in a resample) is left out.  Shares are compared with a tolerance of 1e-9.

Sources: Bilen et al., A Framework for the Robust Evaluation of Sound Event Detection, ICASSP 2020, and psds_eval 0.5.3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from metrics.base import AnswerError, ReferenceDataError
from metrics.generic.base import Floats, Ints, Records, Values, by_name, ratio, scattered
from metrics.generic.events import MAX_PAIRS, Counted
from metrics.generic.options import TEXT, number, option
from metrics.generic.signal_events import OfLengths
from metrics.generic.tables import Table

MAX_COUNTS = 1 << 16
"""Operating points times the square of the number of classes."""
_HOUR = 3600.0
_ROUNDING = 1e-9
_CELLS = 1 << 22
"""Numbers that a curve may have at a time."""


@dataclass(frozen=True, kw_only=True)
class Psds(OfLengths):
    """Area under the curve of events found against false positives per hour, over the classes; see the module."""

    measure = "events.psds"
    worst_value = 0.0
    class_column: str = option("class", TEXT, "of references and answers")
    point_column: str = option("point", TEXT, "column of the answers with the operating point")
    detection_share: float = option(0.5, number(0, 1), "share of a detection that events of its class must cover")
    truth_share: float = option(0.5, number(0, 1), "share of an event that right detections must cover")
    cross_share: float = option(0.3, number(0, 1), "share that events of another class cover of a cross trigger")
    cross_weight: float = option(0.0, number(0, 1), "of cross triggers beside false positives")
    spread_weight: float = option(0.0, number(0), "of the standard deviation between classes")
    most_per_hour: float = option(100.0, number(0, above=True), "largest rate of false positives")

    def _counted(self, expected: Table, answered: Table, records: Records, seconds: list[float]) -> Counted:
        names = records.names
        kinds, other_kinds = expected.named(self.class_column, "a class"), answered.column(self.class_column)
        code = {kind: place for place, kind in enumerate(sorted(set(kinds)))}
        if not code:
            raise ReferenceDataError("expected an event in the references, found none", file=expected.file)
        unknown = next((row for row, kind in enumerate(other_kinds) if kind not in code), None)
        if unknown is not None:
            known = ", ".join(code)[:200]
            raise answered.fail(
                f"expected a class of the references ({known}), found {other_kinds[unknown]!r}", unknown
            )
        points = answered.column(self.point_column)
        place_of = {point: place for place, point in enumerate(dict.fromkeys(points))}
        c, p = len(code), max(1, len(place_of))
        if p * c * c > MAX_COUNTS:
            most = MAX_COUNTS // (c * c)
            raise AnswerError(f"expected at most {most:,} operating points, found {p:,}", file=answered.file)
        own = np.column_stack([self._times(expected), [code[kind] for kind in kinds]])
        other = np.column_stack(
            [self._times(answered).reshape(-1, 2), [code[kind] for kind in other_kinds], [place_of[x] for x in points]]
        )
        _check_apart(expected, own)
        _check_apart(answered, other)
        places, groups = expected.groups(), answered.groups()
        cells: list[tuple[int, int, float]] = []
        found = np.zeros((len(names), 3, p))
        for record, (name, length) in enumerate(zip(names, seconds, strict=True)):
            if self._is_left_out(name, groups):
                continue
            sides = own[places.get(name, [])], other[groups.get(name, [])]
            if len(sides[0]) * len(sides[1]) > MAX_PAIRS:
                raise AnswerError(
                    f"expected at most {MAX_PAIRS // len(sides[0]):,} detections, found {len(sides[1]):,}",
                    file=answered.file,
                    record=name,
                )
            counts = self._counts(*sides, length, c, p)
            cells += [(record, int(column), float(counts[column])) for column in np.flatnonzero(counts)]
            hits, false = (part.reshape(c, p).sum(axis=0) for part in np.split(counts[2 * c + 1 :][: 2 * c * p], 2))
            found[record] = hits, false, len(sides[0]) - hits
        rows, columns, values = (np.array(part) for part in zip(*cells, strict=True)) if cells else np.zeros((3, 0))
        width = 2 * c + 1 + 2 * c * p + c * c * p
        matrix = scattered(rows.astype(np.int64), columns.astype(np.int64), values, (len(names), width))
        at_once = max(1, _CELLS // (c * c * p))

        def statistic(weights: Ints) -> Values:
            parts = []
            for first in range(0, len(weights), at_once):
                totals = np.asarray(weights[first : first + at_once].astype(np.float64) @ matrix, np.float64)
                parts.append(self._formula(totals, tuple(code), p))
            return {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}

        total = found.sum(axis=0)
        best = int(np.argmax(np.nan_to_num(ratio(2 * total[0], 2 * total[0] + total[1] + total[2]))))
        per_record = {
            name: dict(zip(("TP", "FP", "FN"), row, strict=True))
            for name, row in zip(names, found[:, :, best].tolist(), strict=True)
        }
        return statistic, per_record

    def _counts(self, own: Floats, other: Floats, length: float, c: int, p: int) -> Floats:
        """Of one record: events, their seconds, all seconds; events found, false positives, cross triggers.

        * ``own`` (shape (n, 3)): onset, offset, and number of the class.
        * ``other`` (shape (m, 4)): the same, and the number of the operating point.
        * ``c`` and ``p``: classes and operating points; the counts of each pair of them are in this order.
        """
        kinds, other_kinds, points = own[:, 2].astype(int), other[:, 2].astype(int), other[:, 3].astype(int)
        common = np.minimum(other[:, None, 1], own[None, :, 1]) - np.maximum(other[:, None, 0], own[None, :, 0])
        common = np.maximum(common, 0)
        lengths, other_lengths = own[:, 1] - own[:, 0], other[:, 1] - other[:, 0]
        shares = np.zeros((len(other), c))
        for kind in range(c):
            shares[:, kind] = common[:, kinds == kind].sum(axis=1) / other_lengths
        of_own = shares[np.arange(len(other)), other_kinds]
        right = (of_own > 0) & (of_own >= self.detection_share - _ROUNDING)
        within = common * (right[:, None] & (other_kinds[:, None] == kinds))
        covered = np.zeros((p, len(own)))
        np.add.at(covered, points, within / lengths)
        point, event = np.nonzero((covered > 0) & (covered >= self.truth_share - _ROUNDING))
        hits = np.bincount(kinds[event] * p + point, minlength=c * p)
        wrong = np.flatnonzero(~right & (np.minimum(other[:, 1], length) > np.maximum(other[:, 0], 0)))
        false = np.bincount(other_kinds[wrong] * p + points[wrong], minlength=c * p)
        crossed = (shares > 0) & (shares >= self.cross_share - _ROUNDING) & ~right[:, None]
        crossed[np.arange(len(other)), other_kinds] = False
        row, crossed_kind = np.nonzero(crossed)
        triggers = np.bincount((other_kinds[row] * c + crossed_kind) * p + points[row], minlength=c * c * p)
        sizes = [np.bincount(kinds, minlength=c), np.bincount(kinds, weights=lengths, minlength=c), [length]]
        return np.concatenate([*sizes, hits, false, triggers]).astype(np.float64)

    def _formula(self, total: Floats, kinds: tuple[str, ...], p: int) -> Values:
        c, b = len(kinds), len(total)
        events, own_seconds, seconds, hits, false, triggers = np.split(
            total, np.cumsum([c, c, 1, c * p, c * p]).tolist(), axis=1
        )
        known = events > 0
        share = np.nan_to_num(ratio(hits.reshape(b, c, p), events[:, :, None]))
        rate = ratio(false.reshape(b, c, p) * _HOUR, seconds[:, :, None])
        if self.cross_weight and c > 1:
            each = np.nan_to_num(ratio(triggers.reshape(b, c, c, p) * _HOUR, own_seconds[:, None, :, None]))
            others = (known.sum(axis=1)[:, None] - known).astype(np.float64)
            rate = rate + self.cross_weight * np.nan_to_num(ratio(each.sum(axis=2), others[:, :, None]))
        rate = np.where(known[:, :, None], rate, 0.0).reshape(b, c * p)
        order = np.argsort(rate, axis=1, kind="stable")
        at = np.minimum(np.take_along_axis(rate, order, axis=1), self.most_per_hour)
        widths = np.diff(at, axis=1, append=self.most_per_hour) / self.most_per_hour
        stairs = np.zeros((b, c, c * p))
        np.put_along_axis(
            stairs.reshape(b, c * c * p), (order // p) * c * p + np.arange(c * p), _taken(share, order), axis=1
        )
        stairs = np.maximum.accumulate(stairs, axis=2)
        weight = known[:, :, None].astype(np.float64)
        mean = ratio((stairs * weight).sum(axis=1), weight.sum(axis=1))
        spread = np.sqrt(ratio(((stairs - mean[:, None]) ** 2 * weight).sum(axis=1), weight.sum(axis=1)))
        areas = np.where(known, (stairs * widths[:, None]).sum(axis=2), math.nan)
        score = (np.maximum(mean - self.spread_weight * spread, 0) * widths).sum(axis=1)
        return {"psds": score} | {f"area[{kind}]": areas[:, place] for place, kind in enumerate(kinds)}


def _check_apart(table: Table, events: Floats) -> None:
    """Raise the error of a table whose events overlap others of their record, class and point."""
    record = np.unique(table.names, return_inverse=True)[1]
    order = np.lexsort((events[:, 0], *events[:, 2:].T, record))
    alike = np.column_stack([record, events[:, 2:]])[order]
    same = (alike[1:] == alike[:-1]).all(axis=1)
    wrong = np.flatnonzero(same & (events[order[1:], 0] < events[order[:-1], 1]))
    if wrong.size:
        row, before = (int(order[wrong[0] + step]) for step in (1, 0))
        raise table.fail(
            f"expected an onset after the end of the event before of its class, at {events[before, 1]:g} s, found "
            f"{events[row, 0]:g} s",
            row,
        )


def _taken(share: Floats, order: Ints) -> Floats:
    return np.take_along_axis(share.reshape(len(share), -1), order, axis=1)


MEASURES = by_name(Psds)
