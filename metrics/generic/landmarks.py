"""Landmarks: named points of each record, and how far answers are from them.

Conventions
-----------
References and answers have rows ``record,landmark,x,y`` (columns by ``coordinates``), in millimetres after they are
multiplied by ``spacing_mm``, one number for each coordinate.  For image registration, answers are where the reference
landmarks of one image were found in the other (target registration error).

* *Records*: every record has the mean over its landmarks; the score is the mean over records, so each counts once.  The
  shares within a distance are of all landmarks, as in the ISBI challenges of cephalometry.
* *Missing* landmarks and records (``missing``): ``worst`` (default) gives a landmark ``worst_mm``, which must then be
  declared if one is missing; ``exclude-with-note`` leaves it out.  A landmark that the reference does not have is
  ignored, with a note.
* *Within* a distance: up to and including it.

Sources: Wang et al., Medical Image Analysis 31 (2016) 63, for MRE and SDR; Borovec et al., ANHIR, IEEE TMI 39 (2020)
3042, for robustness.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.base import AnswerError, Given, Note, ReferenceDataError
from metrics.generic.base import EXCLUDE, Floats, Measured, Values, by_name, ratio, sums
from metrics.generic.options import TEXT, SpecError, number, one_of, option, or_none, several
from metrics.generic.tables import OfRows, Table, answer_notes, read_answers, read_table, strange_classes

_ROUNDING = 1e-9
"""Millimetres by which a distance may exceed one that it is within."""


@dataclass(frozen=True, kw_only=True)
class OfLandmarks(OfRows):
    """Options of every measure of landmarks."""

    is_loss = True
    coordinates: tuple[str, ...] = option(("x", "y"), several(TEXT, "names of columns", unique=True), "of a point")
    spacing_mm: tuple[float, ...] | None = option(
        None, or_none(several(number(0, above=True), "numbers above 0")), "of each coordinate; null: they are in mm"
    )
    landmark_column: str = option("landmark", TEXT, "name of the column of landmarks")
    missing: str = option("worst", one_of("worst", EXCLUDE), "what a landmark without an answer counts")
    worst_mm: float | None = option(None, or_none(number(0, above=True)), "the distance of a missing landmark")

    def __post_init__(self) -> None:
        if self.spacing_mm is not None and len(self.spacing_mm) != len(self.coordinates):
            raise SpecError(
                f"{self.measure}: spacing_mm", f"{len(self.coordinates)} numbers above 0", list(self.spacing_mm)
            )

    def measured(self, given: Given) -> Measured:
        order = (self.landmark_column, *self.coordinates)
        truth = read_table(given.references, ReferenceDataError, order=order, record=self.record_column)
        answers = read_answers(given, order=order, record=self.record_column)
        places, records = self._listed(truth, given.records, "a landmark of every record of the list", empty=False)
        groups, names = answers.groups(), records.names
        what = "left out" if self.missing == EXCLUDE else "given the largest distance"
        notes = answer_notes(names, groups, what, given.answers, places)
        points, answer_points = self._points(truth, ""), self._points(answers, "")
        before = self._before(truth, points)
        cells, answer_cells = (each.named(self.landmark_column, "the name of a landmark") for each in (truth, answers))
        at = [_by_name(truth, cells, places[name]) for name in names]
        answered = [_by_name(answers, answer_cells, groups.get(name, [])) for name in names]
        distances, apart = [], 0
        for name, expected, answers_of in zip(names, at, answered, strict=True):
            apart += sum(landmark not in expected for landmark in answers_of)
            row = [
                float(np.linalg.norm(points[row] - answer_points[answers_of[landmark]]))
                if landmark in answers_of
                else math.nan
                for landmark, row in expected.items()
            ]
            distances.append(self._filled(np.array(row), given, name))
        if "z" not in self.coordinates and "z" in (*truth.header, *answers.header):
            notes += (Note(f"the column z is not used: the option coordinates is {', '.join(self.coordinates)}"),)
        own_names, other_names = [{name for row in rows for name in row} for rows in (at, answered)]
        strange_classes(own_names, other_names, given.answers, "landmarks")
        if apart:
            notes += (Note(f"{apart} answered landmarks that the references do not have are ignored"),)
        rows = np.array(
            [
                self._contribution(row, None if before is None else before[list(rows_of.values())])
                for row, rows_of in zip(distances, at, strict=True)
            ]
        )
        return Measured(
            records=records,
            statistic=sums(rows, self._formula),
            per_record={
                name: {key: value for key, value in zip(rows_of, row.tolist(), strict=True) if not math.isnan(value)}
                for name, rows_of, row in zip(names, at, distances, strict=True)
            },
            notes=notes,
        )

    def _points(self, table: Table, suffix: str) -> Floats:
        points = table.points([name + suffix for name in self.coordinates])
        return points if self.spacing_mm is None else points * np.array(self.spacing_mm)

    def _before(self, truth: Table, points: Floats) -> Floats | None:
        """Distances in mm before registration, of each row of the references; None where they are not known."""
        return None

    def _filled(self, row: Floats, given: Given, record: str) -> Floats:
        missing = np.isnan(row)
        if self.missing == EXCLUDE or not missing.any():
            return row
        if self.worst_mm is None:
            why = given.unusable.get(record)
            raise AnswerError(
                f"expected an answer for each of {row.size} landmarks (worst_mm is not declared), "
                f"found {row.size - int(missing.sum())}; {why.reason if why else ''}".removesuffix("; "),
                file=given.answers,
                record=record,
            )
        return np.where(missing, self.worst_mm, row)

    def _contribution(self, distances: Floats, before: Floats | None) -> list[float]:
        """Sum and number of the record's means, and what the measure adds; see `_before`."""
        defined = distances[~np.isnan(distances)]
        return [float(defined.mean()) if defined.size else 0.0, float(defined.size > 0)]

    def _formula(self, total: Floats) -> Values:
        return self.valued(ratio(total[:, 0], total[:, 1]))


def _by_name(table: Table, cells: Sequence[str], rows: Sequence[int]) -> dict[str, int]:
    """The row of each landmark of a record."""
    row_of: dict[str, int] = {}
    for row in rows:
        if cells[row] in row_of:
            raise table.fail(f"expected every landmark once, found {cells[row][:80]!r} again", row)
        row_of[cells[row]] = row
    return row_of


@dataclass(frozen=True, kw_only=True)
class RadialError(OfLandmarks):
    """Mean radial error (MRE) in mm, and the success detection rates (SDR) of all landmarks within ``within_mm``."""

    measure = "landmarks.mre"
    within_mm: tuple[float, ...] = option(
        (2.0, 2.5, 3.0, 4.0), several(number(0), "numbers from 0", unique=True), "distances of the success rates"
    )

    def _contribution(self, distances: Floats, before: Floats | None) -> list[float]:
        near = [float((distances <= limit + _ROUNDING).sum()) for limit in self.within_mm]
        return [*super()._contribution(distances, before), float((~np.isnan(distances)).sum()), *near]

    def _formula(self, total: Floats) -> Values:
        rates = {f"sdr_{limit:g}mm": ratio(total[:, 3 + k], total[:, 2]) for k, limit in enumerate(self.within_mm)}
        return super()._formula(total) | rates


@dataclass(frozen=True, kw_only=True)
class SuccessRate(RadialError):
    """Success detection rate: the share of landmarks within the first of ``within_mm``; with the mean radial error."""

    measure = "landmarks.sdr"
    worst_value = 0.0

    def _formula(self, total: Floats) -> Values:
        _, mean, *rates = super()._formula(total).items()
        return dict(rates) | {"mre": mean[1]}


@dataclass(frozen=True, kw_only=True)
class RegistrationError(OfLandmarks):
    """Target registration error (TRE) in mm, and the share of landmarks that came nearer (robustness).

    Where the references have columns of the coordinates with ``_before`` behind (``x_before``), these are the points
    before registration: beside the error then are the error before, and the robustness, the mean over records of the
    share of landmarks whose distance became smaller.
    """

    measure = "landmarks.tre"

    def _before(self, truth: Table, points: Floats) -> Floats | None:
        if not all(f"{name}_before" in truth.columns for name in self.coordinates):
            return None
        return np.asarray(np.linalg.norm(self._points(truth, "_before") - points, axis=1))

    def _contribution(self, distances: Floats, before: Floats | None) -> list[float]:
        numbers, defined = super()._contribution(distances, before), ~np.isnan(distances)
        if before is None:
            return numbers
        if not defined.any():
            return [*numbers, 0.0, 0.0]
        return [*numbers, float(before[defined].mean()), float((distances[defined] < before[defined]).mean())]

    def _formula(self, total: Floats) -> Values:
        values = super()._formula(total)
        if total.shape[1] > 2:
            values["tre_before"] = ratio(total[:, 2], total[:, 1])
            values["robustness"] = ratio(total[:, 3], total[:, 1])
        return values


MEASURES = by_name(RadialError, SuccessRate, RegistrationError)
