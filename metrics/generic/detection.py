"""Detection: any number of objects in each record, found by points or boxes with a confidence.

Conventions
-----------
References are rows ``record,x,y`` (columns by ``coordinates``), boxes ``record,x0,y0,x1,y1``, or a folder of instance
masks (`metrics.generic.masks`).  A row that is blank after the record, or an empty file of a record, means a record
without objects.  Answers are rows of the same columns with ``score``.

* *Matching* (``match``): ``centre``, a point within ``distance`` (or the object's own ``radius_column``) of the
  object's; ``iou``, boxes that overlap by at least ``iou``; ``mask``, a point in an instance of the mask, in pixels of
  the file (x along its first axis, rounded to the nearest); ``instances``, both sides are folders of label images, an
  instance is a label, and they overlap by at least ``iou``: the answers' folder has their confidences in `SCORES`, rows
  ``record,instance,score``.
* *One object, one detection.*  Detections take the best free object from the most confident down (*ties* of confidence:
  the better match first); further ones on a found object are false positives, or with ``duplicates: ignore`` they do
  not count.
* *Missing answers* (``missing``): a record that the answers do not name has no detections, which is ``wrong`` where it
  has objects; ``exclude-with-note`` leaves it out.
* Counts are pooled over records, so *records without objects* count by their false positives.  Without any object
  sensitivity, and with it every value here, is NaN, with a note.

Sources: Maier-Hein et al., Metrics reloaded, Nature Methods 21 (2024) 195; Lin et al., Microsoft COCO, ECCV 2014, for
mean average precision; Ehteshami Bejnordi et al., JAMA 318 (2017) 2199, for the FROC score.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from metrics.base import AnswerError, Given, Note, ReferenceDataError
from metrics.generic.base import (
    EXCLUDE,
    Bools,
    Floats,
    Ints,
    Measured,
    Records,
    Statistic,
    Values,
    by_class,
    by_name,
    mean_over,
    ratio,
    sums,
)
from metrics.generic.masks import HIGHEST, instance_overlaps, pair_masks, read_mask, usable_pairs
from metrics.generic.options import TEXT, SpecError, number, one_of, option, or_none, several, whole
from metrics.generic.tables import (
    OfRows,
    Table,
    answer_notes,
    read_answers,
    read_table,
    repeated_rows,
    strange_classes,
)
from metrics.measures.froc import Froc, SlideHits
from metrics.readers.cases import Case
from metrics.statistics.workers import map_records

MAX_PAIRS = 1 << 24
"""Pairs of detections and objects of one record, each of which is compared."""
SCORES = "scores.csv"
_FORBIDDEN = -math.inf
_FEWEST_SCORES = 4
"""Scores from which a note says that all are equal."""
_ALL = "all"


@dataclass(frozen=True, kw_only=True, eq=False)
class Candidates:
    """The objects and detections of one record and class."""

    scores: Floats
    """Shape (detections,)."""
    affinity: Floats
    """Shape (detections, objects): larger is better, -inf where the two cannot match."""

    @property
    def objects(self) -> int:
        """Number of objects."""
        return int(self.affinity.shape[1])

    def of(self, detections: Any) -> Candidates:
        """The same with some of the detections only."""
        return Candidates(scores=self.scores[detections], affinity=self.affinity[detections])


Match = Callable[[Candidates], Ints]
"""Function that gives the object of each detection, -1 for none."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Objects:
    """The objects and detections of all records."""

    records: Records
    classes: tuple[str, ...]
    candidates: Mapping[tuple[str, float], list[Candidates]]
    """Candidates of each record, by class and limit."""
    used: Bools
    """True for the records that count."""
    notes: tuple[Note, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class _Detections:
    """Detections from a table."""

    table: Table
    shapes: Floats
    scores: Floats
    rows: Mapping[str, list[int]]
    """Rows of each record in the table."""

    def of(self, record: str, objects: int) -> Ints:
        """The rows of a record that has so many objects."""
        rows, most = self.rows.get(record, []), MAX_PAIRS // max(1, objects)
        if len(rows) > most:
            wish = f"expected at most {most:,} detections of this record, found {len(rows):,}"
            raise self.table.fail(wish, rows[0])
        return np.array(rows, np.int64)


@dataclass(frozen=True, kw_only=True)
class _OfObjects(OfRows):
    """Options of every measure of objects."""

    match: str = option("centre", one_of("centre", "iou", "mask", "instances"), "when a detection finds an object")
    distance: float | None = option(None, or_none(number(0)), "of match: centre, in the unit of the coordinates")
    iou: float = option(0.5, number(0, 1, above=True), "of match: iou and instances, reached or exceeded")
    coordinates: tuple[str, ...] = option(
        ("x", "y"),
        several(TEXT, "names of columns", unique=True),
        "of a point; a box has each with 0 and with 1 behind",
    )
    radius_column: str | None = option(None, or_none(TEXT), "of the references, instead of one distance for all")
    score_column: str = option("score", TEXT, "name of the column of confidences")
    class_column: str | None = option(None, or_none(TEXT), "of references and answers: only equal classes match")
    duplicates: str = option(
        "false_positive", one_of("false_positive", "ignore"), "what a further detection of a found object is"
    )
    missing: str = option("wrong", one_of("wrong", EXCLUDE), "what a record that the answers do not name counts")

    def __post_init__(self) -> None:
        if self.match == "centre" and self.distance is None and self.radius_column is None:
            raise SpecError(f"{self.measure}: distance", "a number from 0, as match is centre", None)
        if self.match in ("mask", "instances") and self.class_column is not None:
            raise SpecError(f"{self.measure}: class_column", "null, as masks name instances only", self.class_column)

    @property
    def _limits(self) -> tuple[float, ...]:
        """IoUs or distances at which detections match."""
        return (self.iou if self._by_overlap else self.distance or 0.0,)

    @property
    def _by_overlap(self) -> bool:
        return self.match in ("iou", "instances")

    @property
    def _needs_scores(self) -> bool:
        return True

    @property
    def _columns(self) -> tuple[str, ...]:
        if self.match != "iou":
            return self.coordinates
        return (*(name + "0" for name in self.coordinates), *(name + "1" for name in self.coordinates))

    def measured(self, given: Given) -> Measured:
        what = "left out" if self.missing == EXCLUDE else "counted as without detections"
        classes: tuple[str, ...] = (_ALL,)
        if self.match == "instances":
            pairs, listed, notes = pair_masks(given, missing=what)
            find = partial(self._of_instances, confidences=self._confidences(given))
            parts = map_records(given.with_usable(find), pairs, workers=given.workers, progress=given.progress)
            answered: Container[str] = {pair.record for pair in usable_pairs(given, pairs) if pair.answer is not None}
            candidates = {
                (_ALL, limit): [
                    replace(part, affinity=np.where(part.affinity >= limit, part.affinity, _FORBIDDEN))
                    for part in parts
                ]
                for limit in self._limits
            }
        else:
            detections = self._detections(given)
            answered = detections.rows
            places: Iterable[str] = ()
            odd: tuple[Note, ...] = ()
            if self.match == "mask":
                listed, parts = self._of_masks(given, detections)
                candidates = dict.fromkeys(((_ALL, limit) for limit in self._limits), parts)
            else:
                truth = self._references(given.references)
                wish = "every record of the list in the references (blank if it has no object)"
                places, listed = self._listed(truth, given.records, wish, empty=True)
                classes, candidates = self._of_tables(truth, detections, listed.names)
                odd = tuple(self._oddities(truth.without_blank(*self._columns), detections))
            notes = (*answer_notes(listed.names, detections.rows, what, detections.table.file, places), *odd)
        used = np.array([name in answered or self.missing != EXCLUDE for name in listed.names])
        empty = Candidates(scores=np.zeros(0), affinity=np.zeros((0, 0)))
        kept = {
            key: [part if use else empty for part, use in zip(parts, used.tolist(), strict=True)]
            for key, parts in candidates.items()
        }
        return self._measure(Objects(records=listed, classes=classes, candidates=kept, used=used, notes=notes))

    def _oddities(self, truth: Table, detections: _Detections) -> Iterator[Note]:
        """Notes on what makes a low score likely although the detections may be right."""
        table, scores = detections.table, detections.scores
        yield from repeated_rows(truth, [*self._columns, *([self.class_column] if self.class_column else [])])
        if self.class_column is not None:
            yield from strange_classes(truth.column(self.class_column), table.column(self.class_column), table.file)
        objects, shapes, axes = self._shapes(truth), detections.shapes, len(self.coordinates)
        unused = {"z", "z0"} & {*truth.header, *table.header} - {*self._columns}
        if unused:
            yield Note(f"the column {min(unused)} is not used: the option coordinates is {', '.join(self.coordinates)}")
        if self._needs_scores and scores.size >= _FEWEST_SCORES and scores.min() == scores.max():
            yield Note("all scores are equal: there is one operating point")
        if len(objects) and len(shapes):
            reach = self.distance or 0.0
            if self.radius_column is not None:
                reach = float(truth.numbers(self.radius_column, low=0).max())
            low, high = objects[:, :axes].min(axis=0) - reach, objects[:, -axes:].max(axis=0) + reach
            if ((shapes[:, -axes:].max(axis=0) < low) | (shapes[:, :axes].min(axis=0) > high)).any():
                names = ", ".join(self.coordinates)
                yield Note(
                    "no detection lies where the references have objects: "
                    f"are the coordinates {names} in the same unit and order on both sides?"
                )

    @abstractmethod
    def _measure(self, of: Objects) -> Measured:
        """The measure of objects and detections."""

    def _detections(self, given: Given) -> _Detections:
        order = (*self._columns, self.score_column, *([self.class_column] if self.class_column else []))
        table = read_answers(given, order=order, record=self.record_column).without_blank(*self._columns)
        scores = table.numbers(self.score_column) if self._needs_scores else np.zeros(len(table.names))
        return _Detections(table=table, shapes=self._shapes(table), scores=scores, rows=table.groups())

    def _references(self, path: Path) -> Table:
        extra = [name for name in (self.radius_column, self.class_column, self.cluster) if name]
        table = read_table(path, ReferenceDataError, order=(*self._columns, *extra), record=self.record_column)
        if not table.names and not table.listed:
            raise table.fail("expected at least one record, found none")
        return table

    def _shapes(self, table: Table) -> Floats:
        """Points of shape (rows, axes), or boxes of shape (rows, 2 axes)."""
        shapes = table.points(self._columns)
        if self.match == "iou":
            axes = len(self.coordinates)
            wrong = np.flatnonzero((shapes[:, :axes] >= shapes[:, axes:]).any(axis=1))
            if wrong.size:
                wish = " and ".join(f"{name}0 < {name}1" for name in self.coordinates)
                raise table.wrong({row: f"expected {wish}, found {shapes[row].tolist()}" for row in wrong.tolist()})
        return shapes

    def _of_tables(
        self, truth: Table, detections: _Detections, names: Sequence[str]
    ) -> tuple[tuple[str, ...], dict[tuple[str, float], list[Candidates]]]:
        present = truth.without_blank(*self._columns)
        rows_of = present.groups()
        objects = self._shapes(present)
        radii = None if self.radius_column is None else present.numbers(self.radius_column, low=0)
        classes: tuple[str, ...] = (_ALL,)
        object_class = answered_class = np.zeros(0, object)
        if self.class_column is not None:
            object_class = present.classes(self.class_column)
            answered_class = detections.table.classes(self.class_column)
            classes = tuple(sorted(set(object_class.tolist()))) or classes
        candidates: dict[tuple[str, float], list[Candidates]] = {
            (kind, limit): [] for kind in classes for limit in self._limits
        }
        for name in names:
            columns = np.array(rows_of.get(name, []), np.int64)
            rows = detections.of(name, columns.size)
            for kind in classes:
                i, j = rows, columns
                if self.class_column is not None:
                    i, j = rows[answered_class[rows] == kind], columns[object_class[columns] == kind]
                closeness = self._closeness(detections.shapes[i], objects[j])
                for limit in self._limits:
                    least: Any = limit if self.match == "iou" else -limit if radii is None else -radii[j]
                    affinity = np.where(closeness >= least, closeness, _FORBIDDEN)
                    candidates[kind, limit].append(Candidates(scores=detections.scores[i], affinity=affinity))
        return classes, candidates

    def _closeness(self, detections: Floats, objects: Floats) -> Floats:
        """IoU of boxes, or the negative distance of points; shape (detections, objects)."""
        if self.match == "iou":
            return box_iou(detections, objects)
        return np.asarray(-np.sqrt(((detections[:, None] - objects[None]) ** 2).sum(axis=2)))

    def _of_masks(self, given: Given, detections: _Detections) -> tuple[Records, list[Candidates]]:
        pairs, listed, _ = pair_masks(replace(given, answers=given.references, answered=set()), missing="")
        points, parts = detections.shapes, []
        for pair in pairs:
            labels = read_mask(pair.reference, ReferenceDataError, record=pair.record).labels
            instances = np.unique(labels[labels > 0])
            rows = detections.of(pair.record, instances.size)
            hit = np.zeros(rows.size, np.int32)
            if labels.ndim != points.shape[1]:
                raise ReferenceDataError(
                    f"expected masks of {points.shape[1]} axes, as coordinates has, found {labels.ndim}",
                    file=pair.reference,
                    record=pair.record,
                )
            # the file's axes are reversed in the array
            where = np.rint(points[rows][:, ::-1])
            inside = ((where >= 0) & (where < labels.shape)).all(axis=1)
            hit[inside] = labels[tuple(where[inside].astype(np.int64).T)]
            affinity = np.where(hit[:, None] == instances[None], 1.0, _FORBIDDEN)
            parts.append(Candidates(scores=detections.scores[rows], affinity=affinity))
        return listed, parts

    def _confidences(self, given: Given) -> dict[tuple[str, int], float]:
        """The confidence of each record's instances; empty where none are needed."""
        if not self._needs_scores:
            return {}
        order = ("instance", self.score_column)
        table = read_answers(replace(given, answers=given.answers / SCORES), order=order, record=self.record_column)
        scores, labels = table.numbers(self.score_column), table.numbers("instance", low=1, high=HIGHEST)
        score_of: dict[tuple[str, int], float] = {}
        for row, (name, label, score) in enumerate(zip(table.names, labels.tolist(), scores.tolist(), strict=True)):
            if (name, int(label)) in score_of:
                raise table.fail(f"expected every instance once, found {label:g} again", row)
            score_of[name, int(label)] = score
        return score_of

    def _of_instances(self, case: Case, confidences: dict[tuple[str, int], float]) -> Candidates:
        """The instances of one record, with their IoUs as affinity."""
        reference = read_mask(case.reference, ReferenceDataError, record=case.record).labels
        if case.answer is None:
            objects = np.unique(reference[reference > 0]).size
            return Candidates(scores=np.zeros(0), affinity=np.zeros((0, objects)))
        answer = read_mask(case.answer, AnswerError, record=case.record, shape=reference.shape).labels
        try:
            labels, overlap = instance_overlaps(reference, answer, most_pairs=MAX_PAIRS)
        except ValueError as reason:
            raise AnswerError(str(reason), file=case.answer, record=case.record) from None
        scores = np.zeros(labels.size)
        if self._needs_scores:
            for row, label in enumerate(labels.tolist()):
                if (case.record, label) not in confidences:
                    raise AnswerError(
                        f"expected a score of instance {label} in {SCORES}, found none",
                        file=case.answer,
                        record=case.record,
                    )
                scores[row] = confidences[case.record, label]
        return Candidates(scores=scores, affinity=overlap)

    def _hits(self, candidates: Candidates, match: Match | None = None) -> tuple[Bools, Bools]:
        """Detections that hit an object, and those that are ignored."""
        taken = (match or match_greedily)(candidates)
        ignored = np.zeros(taken.size, np.bool_)
        if self.duplicates == "ignore" and taken.size:
            ignored = (taken < 0) & (candidates.affinity > _FORBIDDEN).any(axis=1)
        return taken >= 0, ignored


def box_iou(detections: Floats, objects: Floats) -> Floats:
    """Intersection over union of boxes (lower ends, then upper ends), shape (detections, objects)."""
    axes = detections.shape[1] // 2
    first, second = detections[:, None], objects[None]
    sides = np.minimum(first[..., axes:], second[..., axes:]) - np.maximum(first[..., :axes], second[..., :axes])
    common = np.clip(sides, 0, None).prod(axis=2)
    sizes = [(boxes[:, axes:] - boxes[:, :axes]).prod(axis=1) for boxes in (detections, objects)]
    return np.asarray(common / (sizes[0][:, None] + sizes[1][None] - common))


def match_greedily(candidates: Candidates) -> Ints:
    """The object of each detection, -1 for none: from the most confident down, each the best one that is free."""
    taken = np.full(candidates.scores.size, -1, np.int64)
    if not candidates.affinity.size:
        return taken
    affinity = candidates.affinity.copy()
    for detection in np.lexsort((-affinity.max(axis=1), -candidates.scores)).tolist():
        best = int(affinity[detection].argmax())
        if affinity[detection, best] > _FORBIDDEN:
            taken[detection] = best
            affinity[:, best] = _FORBIDDEN
    return taken


def match_optimally(candidates: Candidates) -> Ints:
    """The same with as many matches as possible, and among those the best sum of affinities; scores do not matter."""
    taken = np.full(candidates.scores.size, -1, np.int64)
    allowed = candidates.affinity > _FORBIDDEN
    if not allowed.any():
        return taken
    spread = np.where(allowed, candidates.affinity - candidates.affinity[allowed].min(), 0.0)
    # a further match outweighs whatever the others may gain
    gain = np.where(allowed, spread + 1 + spread.max() * min(allowed.shape), 0.0)
    rows, columns = linear_sum_assignment(gain, maximize=True)
    used = allowed[rows, columns]
    taken[rows[used]] = columns[used]
    return taken


@dataclass(frozen=True, kw_only=True)
class DetectionF1(_OfObjects):
    """F1 of detections at one threshold of confidence: 2 TP / (2 TP + FP + FN), counts pooled over records.

    With ``matching: optimal`` (default) as many objects as possible are matched, whatever the confidences; answers then
    need no confidences unless ``threshold`` is given.  ``greedy`` matches as FROC and mAP do.
    """

    measure = "detection.f1"
    worst_value = 0.0
    matching: str = option("optimal", one_of("optimal", "greedy"), "how detections and objects are put together")
    threshold: float | None = option(None, or_none(number()), "detections of lower confidence are dropped")

    @property
    def _needs_scores(self) -> bool:
        return self.threshold is not None or self.matching == "greedy"

    def _measure(self, of: Objects) -> Measured:
        rows = np.zeros((len(of.records.names), 3))
        for parts in of.candidates.values():
            rows += [self._counts(part) for part in parts]

        def formula(total: Floats) -> Values:
            hits, false, missed = total.T
            return {
                "f1": ratio(2 * hits, 2 * hits + false + missed),
                "precision": ratio(hits, hits + false),
                "recall": ratio(hits, hits + missed),
            }

        return Measured(
            records=of.records,
            statistic=sums(rows, formula),
            per_record={
                name: dict(zip(("TP", "FP", "FN"), row, strict=True))
                for name, row in zip(of.records.names, rows.tolist(), strict=True)
            },
            notes=of.notes,
        )

    def _counts(self, candidates: Candidates) -> tuple[int, int, int]:
        objects = candidates.objects
        if self.threshold is not None:
            candidates = candidates.of(candidates.scores >= self.threshold)
        hits, ignored = self._hits(candidates, match_greedily if self.matching == "greedy" else match_optimally)
        count = int(hits.sum())
        return count, int((~hits & ~ignored).sum()), objects - count


@dataclass(frozen=True, kw_only=True)
class FrocScore(_OfObjects):
    """Mean sensitivity at ``rates`` of false positives per record, by linear interpolation of the FROC curve.

    Beyond the largest number of false positives the last sensitivity holds.
    """

    measure = "detection.froc"
    worst_value = 0.0
    rates: tuple[float, ...] = option(
        (0.25, 0.5, 1.0, 2.0, 4.0, 8.0),
        several(number(0, above=True), "numbers above 0", unique=True),
        "false positives per record",
    )

    def _measure(self, of: Objects) -> Measured:
        slides = [
            self._slide(parts, use) for *parts, use in zip(*of.candidates.values(), of.used.tolist(), strict=True)
        ]
        froc = Froc(slides, as_official=False)
        keys = ("froc", *(f"sensitivity_at_{rate:g}" for rate in self.rates))

        def statistic(weights: Ints) -> Values:
            rows = np.array([froc.sensitivities(row, self.rates) for row in weights]).reshape(-1, len(self.rates))
            return dict(zip(keys, (rows.mean(axis=1), *rows.T), strict=True))

        false, sensitivity = froc.curve(np.ones(len(slides), np.int64))
        return Measured(
            records=of.records,
            statistic=statistic,
            per_record={
                name: {
                    "objects": float(slide.lesions),
                    "found": float(slide.lesion_scores.size),
                    "false_positives": float(slide.false_positives.size),
                }
                for name, slide in zip(of.records.names, slides, strict=True)
            },
            curves={"total_FPs": false.tolist(), "total_sensitivity": sensitivity.tolist()},
            notes=of.notes,
        )

    def _slide(self, parts: Sequence[Candidates], use: bool) -> SlideHits:
        false, scores, objects = [np.zeros(0)], [np.zeros(0)], 0
        for part in parts:
            hits, ignored = self._hits(part)
            false.append(part.scores[~hits & ~ignored])
            scores.append(part.scores[hits])
            objects += part.objects
        return SlideHits(
            false_positives=np.concatenate(false), lesion_scores=np.concatenate(scores), lesions=objects, counted=use
        )


@dataclass(frozen=True, kw_only=True)
class MeanAveragePrecision(_OfObjects):
    """Average precision of the detections, averaged over classes and ``thresholds`` (of IoU or distance).

    ``interpolation``: ``coco101`` (default) reads the largest precision at this or more recall at 0, 0.01, …, 1;
    ``all`` is the area under that envelope (PASCAL VOC since 2010); ``none`` sums the precision itself over the steps
    of recall.  Only the ``most`` most confident detections of each record count.

    ``coco101`` rounds recalls as pycocotools does.  Of equal confidences pycocotools counts the one that comes first,
    so that the order of records and rows changes its value; here they share a threshold.  Of objects that overlap a
    detection equally, the first in the file is matched, there the last.
    """

    measure = "detection.map"
    worst_value = 0.0
    thresholds: tuple[float, ...] | None = option(
        None, or_none(several(number(0, above=True), "numbers above 0", unique=True)), "instead of iou or distance"
    )
    interpolation: str = option("coco101", one_of("coco101", "all", "none"), "how the curve is summed")
    most: int = option(100, whole(1), "detections of a record and class that count")

    def __post_init__(self) -> None:
        if self.match == "centre" and self.thresholds is not None and self.distance is None:
            return
        super().__post_init__()

    @property
    def _limits(self) -> tuple[float, ...]:
        return self.thresholds or super()._limits

    def _measure(self, of: Objects) -> Measured:
        curves = {key: self._curve(parts) for key, parts in of.candidates.items()}

        def statistic(weights: Ints) -> Values:
            table = np.stack([curve(weights)["ap"] for curve in curves.values()], axis=1)
            parts = table.reshape(len(weights), len(of.classes), -1)
            of_classes = mean_over(parts)
            values = {"map": mean_over(of_classes)}
            if len(of.classes) > 1:
                values |= by_class("ap", of.classes, of_classes)
            if len(self._limits) > 1:
                values |= {f"map_at_{limit:g}": mean_over(parts[:, :, k]) for k, limit in enumerate(self._limits)}
            return values

        everything = np.ones((1, len(of.records.names)), np.int64)
        shown: dict[str, Sequence[float]] = {}
        for name in of.classes:  # the picture is that of the first limit
            with np.errstate(invalid="ignore", divide="ignore"):
                at_first = curves[name, self._limits[0]](everything)
            shown |= {f"{key}[{name}]": at_first[key][0].tolist() for key in ("recall", "precision")}
        at_first_limit = [of.candidates[name, self._limits[0]] for name in of.classes]
        return Measured(
            records=of.records,
            statistic=statistic,
            per_record={
                name: {
                    "objects": float(sum(part.objects for part in parts)),
                    "detections": float(sum(part.scores.size for part in parts)),
                }
                for name, parts in zip(of.records.names, zip(*at_first_limit, strict=True), strict=True)
            },
            curves=shown,
            notes=of.notes,
        )

    def _curve(self, parts: Sequence[Candidates]) -> Statistic:
        scores, hits, owner = [np.zeros(0)], [np.zeros(0, np.bool_)], [np.zeros(0, np.int64)]
        for number_of, whole_part in enumerate(parts):
            part = whole_part.of(np.argsort(-whole_part.scores, kind="stable")[: self.most])
            hit, ignored = self._hits(part)
            scores.append(part.scores[~ignored])
            hits.append(hit[~ignored])
            owner.append(np.full(int((~ignored).sum()), number_of))
        pooled, hit, record = np.concatenate(scores), np.concatenate(hits), np.concatenate(owner)
        order = np.argsort(-pooled, kind="stable")
        ends = np.flatnonzero(np.append(np.diff(pooled[order]) != 0, True)) if order.size else np.zeros(0, np.int64)
        objects = np.array([part.objects for part in parts])
        record, hit = record[order], hit[order]

        def statistic(weights: Ints) -> Values:
            total = (weights @ objects).astype(np.float64)
            drawn = weights[:, record]
            true = np.cumsum(drawn * hit, axis=1)[:, ends]
            answered = np.cumsum(drawn, axis=1)[:, ends]
            precision = true / np.maximum(answered, 1)
            recall = ratio(true.astype(np.float64), total[:, None])
            value = _area(recall, precision, self.interpolation)
            return {"ap": np.where(total > 0, value, math.nan), "recall": recall, "precision": precision}

        return statistic


_RECALLS = np.linspace(0, 1, 101)


def _area(recall: Floats, precision: Floats, interpolation: str) -> Floats:
    """Average precision of curves of shape (b, thresholds), with rising recall."""
    if not recall.shape[1]:
        return np.zeros(len(recall))
    if interpolation != "none":
        precision = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    if interpolation == "coco101":
        beyond = np.column_stack([precision, np.zeros(len(precision))])
        # as pycocotools rounds: _RECALLS[70] is 0.7000000000000001, which 7 of 10 objects do not reach
        places = [np.searchsorted(row, _RECALLS) for row in recall]
        return np.asarray(np.take_along_axis(beyond, np.array(places), axis=1).mean(axis=1))
    return np.asarray((np.diff(recall, axis=1, prepend=0) * precision).sum(axis=1))


MEASURES = by_name(DetectionF1, FrocScore, MeanAveragePrecision)
