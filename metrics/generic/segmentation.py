"""Segmentation: a label image for each record.

Conventions
-----------
Files are those of `metrics.generic.masks`.  ``labels: {kidney: [1, 2], tumour: [2]}`` names structures and the label
values that belong to each; without it everything that is not 0 is one structure, ``foreground``.  Each structure of
each record has a value; the primary value is the mean over structures of their means over records.

* *Empty masks*.  Both empty (``both_empty``): ``perfect`` (default) is the best value, ``exclude-with-note`` leaves the
  structure of that record out.  One empty: always the worst value.
* *Worst* is 0 for overlaps, and for distances ``worst_mm``, by default the diagonal of the reference's image, which no
  distance within it exceeds.
* *Missing answers* (``missing``): ``worst`` gives every structure its worst value, also where the reference is empty;
  ``exclude-with-note`` leaves the record out.
* *Spacing* is that of the reference's header, or the option ``spacing_mm`` in the order of the file's axes (x, y, z);
  measures in mm refuse a PNG without it.
* *Surfaces* of distances are the voxels of a mask with a neighbour (by a face) outside it, where everything beyond the
  image is outside; those of `SurfaceDice` carry areas (lengths in two dimensions) as in
  google-deepmind/surface-distance.

* A *component* of lesions is connected by faces, edges or corners.

Sources: Maier-Hein et al., Metrics reloaded, Nature Methods 21 (2024) 195; Nikolov et al., JMIR 23 (2021) e26151, for
the normalised surface Dice; rachitsaluja/BraTS-2023-Metrics 43c90524 for lesion-wise Dice.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.spatial import cKDTree

from metrics.base import AnswerError, Given, Note, ReferenceDataError, named_notes, some
from metrics.generic.base import (
    EXCLUDE,
    Bools,
    Floats,
    GenericMeasure,
    Measured,
    Values,
    by_class,
    by_name,
    mean_over,
    ratio,
    sums,
)
from metrics.generic.masks import HIGHEST, Labels, Mask, pair_masks, read_mask, usable_pairs
from metrics.generic.options import TEXT, Reader, number, one_of, option, or_none, several, whole
from metrics.measures.surface import bounding_box, joined, surface_dice
from metrics.readers.cases import Case
from metrics.readers.volumes import affine_note
from metrics.statistics.workers import map_records

FOREGROUND = "foreground"
_FEW_POINTS = 64
"""Voxels for each point of a surface from which a search tree takes less time than a map of distances."""
Spacing = tuple[float, ...]
Shape = tuple[int, ...]


def _structures(value: Any) -> tuple[tuple[str, tuple[int, ...]], ...]:
    if not isinstance(value, Mapping) or not value:
        raise ValueError
    members = several(whole(1), "labels", unique=True)
    structures = []
    for name, labels in value.items():
        read = members.read(labels if isinstance(labels, list | tuple) else [labels])
        if max(read) > HIGHEST:
            raise ValueError
        structures.append((TEXT.read(name), read))
    return tuple(structures)


_LABELS = or_none(Reader(f"a mapping of structures to lists of labels from 1 to {HIGHEST}", _structures))


_ELSEWHERE = "answers have another affine or spacing than their reference; only the order of voxels is compared"
_ROUNDED = "records have values that are not quite whole numbers, as a scaling leaves them, and are rounded"
_ABSENT = "no reference has the structure "
_SEVERAL = "answers have several labels where their reference has one; all of them count as foreground"
_STRANGE = "answers have labels that are neither in the option labels nor in their reference; they count as background"


def _is_one_label(labels: Labels) -> bool:
    """True if all that is not background is of one label, or there is none."""
    return bool(np.count_nonzero(labels) == np.count_nonzero(labels == labels.max(initial=0))) or not labels.any()


@dataclass(frozen=True, kw_only=True)
class PerStructure(GenericMeasure):
    """One value for each structure of each record."""

    missing: str = option("worst", one_of("worst", EXCLUDE), "what a record without an answer counts")
    labels: tuple[tuple[str, tuple[int, ...]], ...] | None = option(None, _LABELS, "structures and their labels")
    both_empty: str = option("perfect", one_of("perfect", EXCLUDE), "a structure that neither mask has")
    in_mm: ClassVar[bool] = False

    @property
    def _names(self) -> tuple[str, ...]:
        return (FOREGROUND,) if self.labels is None else tuple(name for name, _ in self.labels)

    def measured(self, given: Given) -> Measured:
        missing = "left out" if self.missing == EXCLUDE else "given the worst value"
        pairs, records, notes = pair_masks(given, missing=missing)
        values_of = given.with_usable(self.values_of)
        cases = map_records(values_of, pairs, workers=given.workers, progress=given.progress)
        pairs = usable_pairs(given, pairs)
        values_of_records, names = np.array([values for values, _ in cases]), self._names
        left_out = np.isnan(values_of_records) & np.array([[each.answer is not None] for each in pairs])
        if left_out.any():
            notes += (Note(f"structures that neither mask has are left out ({int(left_out.sum())})"),)
        elsewhere = [odd for _, found_odd in cases for odd in found_odd if isinstance(odd, Note)]
        if elsewhere:
            general = f"{len(elsewhere)} {_ELSEWHERE}"
            notes += Note(general), Note(f"{general}: {some(elsewhere)}", elsewhere[0].record)
        for statement in (_ROUNDED, _SEVERAL, _STRANGE):
            odd = [pair.record for pair, (_, found_odd) in zip(pairs, cases, strict=True) if statement in found_odd]
            notes += named_notes(statement, odd)
        answered = [found_odd for pair, (_, found_odd) in zip(pairs, cases, strict=True) if pair.answer is not None]
        for name in names:
            if answered and all(_ABSENT + name in found_odd for found_odd in answered):
                notes += (Note(f"{_ABSENT}{name}: where the answer has none either, it is right"),)
        rows = np.concatenate([np.nan_to_num(values_of_records), ~np.isnan(values_of_records)], axis=1)

        def formula(total: Floats) -> Values:
            means = ratio(total[:, : len(names)], total[:, len(names) :])
            return self.valued(mean_over(means)) | (by_class(self.key, names, means) if len(names) > 1 else {})

        return Measured(
            records=records,
            statistic=sums(rows, formula),
            per_record={
                record: {name: float(value) for name, value in zip(names, row, strict=True) if not math.isnan(value)}
                for record, row in zip(records.names, values_of_records, strict=True)
            },
            notes=notes,
        )

    def values_of(self, case: Case) -> tuple[list[float], tuple[str, ...]]:
        """The value of each structure of one record, NaN where it is left out, and what is odd about the answer."""
        if case.answer is None and self.missing == EXCLUDE:
            return [math.nan] * len(self._names), ()
        reference = read_mask(case.reference, ReferenceDataError, record=case.record)
        shape = reference.labels.shape
        spacing = self._spacing(reference.spacing_mm, len(shape), case) if self.in_mm else (1.0,) * len(shape)
        if case.answer is None:
            return [self._worst(shape, spacing)] * len(self._names), ()
        answer = read_mask(case.answer, AnswerError, record=case.record, shape=shape)
        box = joined(bounding_box(reference.labels), bounding_box(answer.labels))
        values, present = [], []
        for members in [None] if self.labels is None else [labels for _, labels in self.labels]:
            masks = [_member(each.labels[box] if box else each.labels[:0], members) for each in (reference, answer)]
            values.append(self.value_of_masks(masks[0], masks[1], spacing, shape))
            present.append(bool(masks[0].any()))
        inside = [each.labels[box] if box else each.labels[:0] for each in (reference, answer)]
        absent = [_ABSENT + name for name, there in zip(self._names, present, strict=True) if not there]
        return values, (*self._oddities(reference, answer, *inside), *absent)

    def _oddities(self, reference: Mask, answer: Mask, truth: Labels, given: Labels) -> Iterator[str]:
        """Causes of a low score although the masks may be right; both cut to where there is something."""
        if reference.volume and answer.volume and (how := affine_note(reference.volume, answer.volume)):
            yield Note(how, answer.volume.record)
        if reference.rounded or answer.rounded:
            yield _ROUNDED
        if self.labels is None:
            if _is_one_label(truth) and not _is_one_label(given):
                yield _SEVERAL
        else:
            expected = {0, *(label for _, labels in self.labels for label in labels), *np.unique(truth).tolist()}
            if not expected.issuperset(np.unique(given).tolist()):
                yield _STRANGE

    def value_of_masks(self, reference: Bools, answer: Bools, spacing_mm: Spacing, shape: Shape | None = None) -> float:
        """The value for two masks of one shape, empty or not; NaN where it is left out.

        * ``spacing_mm``: in the order of the axes.
        * ``shape``: shape of the whole image, if the masks are cut out of it.
        """
        has_reference, has_answer = bool(reference.any()), bool(answer.any())
        if has_reference and has_answer:
            return self.compare(reference, answer, spacing_mm)
        if has_reference or has_answer:
            return self._worst(reference.shape if shape is None else shape, spacing_mm)
        return math.nan if self.both_empty == EXCLUDE else 0.0 if self.is_loss else 1.0

    def _spacing(self, header: Spacing | None, axes: int, case: Case) -> Spacing:
        declared: Spacing | None = getattr(self, "spacing_mm", None)
        spacing = header if declared is None else declared[::-1]
        if spacing is None or len(spacing) != axes:
            raise ReferenceDataError(
                f"expected a spacing of {axes} axes in the header or the option spacing_mm, found {spacing}",
                file=case.reference,
                record=case.record,
            )
        return spacing

    def _worst(self, shape: Shape, spacing: Spacing) -> float:
        if not self.is_loss:
            return 0.0
        declared: float | None = getattr(self, "worst_mm", None)
        return math.hypot(*(n * mm for n, mm in zip(shape, spacing, strict=True))) if declared is None else declared

    @abstractmethod
    def compare(self, reference: Bools, answer: Bools, spacing_mm: Spacing) -> float:
        """The value for two masks of one shape, neither empty."""


def _member(labels: Labels, members: tuple[int, ...] | None) -> Bools:
    return np.asarray(labels > 0 if members is None else np.isin(labels, members))


@dataclass(frozen=True, kw_only=True)
class Dice(PerStructure):
    """Dice = 2 |A ∩ B| / (|A| + |B|).  One voxel more or less weighs heavily in small structures."""

    measure = "segmentation.dice"
    worst_value = 0.0

    def compare(self, reference: Bools, answer: Bools, spacing_mm: Spacing) -> float:
        common = int(np.count_nonzero(reference & answer))
        return 2 * common / (int(np.count_nonzero(reference)) + int(np.count_nonzero(answer)))


@dataclass(frozen=True, kw_only=True)
class Iou(PerStructure):
    """Intersection over union (Jaccard) = |A ∩ B| / |A ∪ B|; orders single cases as Dice does."""

    measure = "segmentation.iou"
    worst_value = 0.0

    def compare(self, reference: Bools, answer: Bools, spacing_mm: Spacing) -> float:
        return int(np.count_nonzero(reference & answer)) / int(np.count_nonzero(reference | answer))


SPACING = or_none(several(number(0, above=True), "the spacing of each axis in mm, in the order of the file (x, y, z)"))


@dataclass(frozen=True, kw_only=True)
class SurfaceDice(PerStructure):
    """Normalised surface Dice (NSD): the share of both surfaces that is within ``tolerance_mm`` of the other.

    The tolerance should be the disagreement between experts.  In two dimensions surfaces are contours, measured by
    their length.
    """

    measure = "segmentation.nsd"
    worst_value = 0.0
    in_mm = True
    tolerance_mm: float = option(1.0, number(0), "distances up to and including it agree")
    spacing_mm: tuple[float, ...] | None = option(None, SPACING, "instead of the header's")

    def compare(self, reference: Bools, answer: Bools, spacing_mm: Spacing) -> float:
        if reference.ndim == 2:
            return contour_dice(reference, answer, spacing_mm=spacing_mm, tolerance_mm=self.tolerance_mm)
        return float(surface_dice(reference, answer, spacing_mm=spacing_mm, tolerance_mm=self.tolerance_mm))


@dataclass(frozen=True, kw_only=True)
class Distance(PerStructure):
    """A distance between surfaces in mm."""

    is_loss = True
    in_mm = True
    spacing_mm: tuple[float, ...] | None = option(None, SPACING, "instead of the header's")
    worst_mm: float | None = option(None, or_none(number(0, above=True)), "where a mask is empty or missing")


@dataclass(frozen=True, kw_only=True)
class Hausdorff95(Distance):
    """The larger of the two 95th percentiles of distances from the voxels of one surface to the other.

    ``percentile: 100`` is the Hausdorff distance itself, which depends on a single voxel.
    """

    measure = "segmentation.hd95"
    percentile: float = option(95.0, number(0, 100), "of the distances, interpolated as numpy does")

    def compare(self, reference: Bools, answer: Bools, spacing_mm: Spacing) -> float:
        distances = surface_distances(reference, answer, spacing_mm)
        return max(float(np.percentile(each, self.percentile)) for each in distances)


@dataclass(frozen=True, kw_only=True)
class AverageDistance(Distance):
    """Average symmetric surface distance (ASSD): the mean over the voxels of both surfaces together."""

    measure = "segmentation.assd"

    def compare(self, reference: Bools, answer: Bools, spacing_mm: Spacing) -> float:
        return float(np.concatenate(surface_distances(reference, answer, spacing_mm)).mean())


def surface_distances(reference: Bools, answer: Bools, spacing_mm: Sequence[float]) -> tuple[Floats, Floats]:
    """Distances in mm from each surface voxel of the reference to the answer's surface, and back; neither empty."""
    box = joined(bounding_box(reference), bounding_box(answer)) or ()
    surfaces = [_surface(np.pad(mask[box], 1)) for mask in (reference, answer)]
    if _FEW_POINTS * sum(map(np.count_nonzero, surfaces)) < surfaces[0].size:
        points = [np.argwhere(surface) for surface in surfaces]
        return _nearest(points[0], points[1], spacing_mm), _nearest(points[1], points[0], spacing_mm)
    maps = [ndimage.distance_transform_edt(~surface, sampling=spacing_mm) for surface in surfaces]
    return np.asarray(maps[1][surfaces[0]]), np.asarray(maps[0][surfaces[1]])


def _nearest(points: NDArray[np.int64], others: NDArray[np.int64], spacing_mm: Sequence[float]) -> Floats:
    """Distance in mm from each point to the nearest of the others, by a search tree."""
    lengths = np.asarray(spacing_mm, np.float64)
    _, nearest = cKDTree(others * lengths).query(points * lengths)
    return np.asarray(np.sqrt((((points - others[nearest]) * lengths) ** 2).sum(axis=1)))


def _surface(mask: Bools) -> Bools:
    return np.asarray(mask & ~ndimage.binary_erosion(mask))


def contour_dice(reference: Bools, answer: Bools, *, spacing_mm: Sequence[float], tolerance_mm: float) -> float:
    """`metrics.surface.surface_dice` of two dimensions: contours run through the corners where four pixels meet.

    A cut corner counts half the diagonal of a pixel, a straight edge its side, two opposite corners the whole diagonal.
    """
    rows, columns = spacing_mm
    half = math.hypot(rows, columns) / 2
    lengths = np.zeros(16)
    for pattern in range(1, 15):
        count = pattern.bit_count()
        if count != 2:
            lengths[pattern] = half
        elif pattern in (0b0110, 0b1001):
            lengths[pattern] = 2 * half
        else:  # both pixels of a row (bits 0 and 1, or 2 and 3): the edge runs along the columns
            lengths[pattern] = columns if pattern in (0b0011, 0b1100) else rows
    codes = []
    for mask in (reference, answer):
        bits = np.pad(mask, 1).astype(np.uint8)
        codes.append(bits[:-1, :-1] | bits[:-1, 1:] << 1 | bits[1:, :-1] << 2 | bits[1:, 1:] << 3)
    contours = [(code > 0) & (code < 15) for code in codes]
    agreeing = total = 0.0
    for side, opposite in ((0, 1), (1, 0)):
        distances = ndimage.distance_transform_edt(~contours[opposite], sampling=spacing_mm)[contours[side]]
        lengths_here = lengths[codes[side][contours[side]]]
        agreeing += float(lengths_here[distances <= tolerance_mm].sum())
        total += float(lengths_here.sum())
    return agreeing / total


@dataclass(frozen=True, kw_only=True)
class LesionDice(PerStructure):
    """Lesion-wise Dice of BraTS 2023: the sum of the Dice of each lesion, by lesions and false components.

    Components of the reference are one lesion if they meet when each is dilated ``dilation`` times.  Answered
    components that touch a dilated lesion are compared with it together; those that touch none are false.  Lesions of
    up to ``least_mm3`` do not count, but what touches them is not false.  With neither a lesion nor a false component
    the value is 1.
    """

    measure = "segmentation.lesion_dice"
    worst_value = 0.0
    in_mm = True
    dilation: int = option(3, whole(0), "steps by faces and edges")
    least_mm3: float = option(50.0, number(0), "lesions of up to this volume do not count")
    spacing_mm: tuple[float, ...] | None = option(None, SPACING, "instead of the header's")

    def value_of_masks(self, reference: Bools, answer: Bools, spacing_mm: Spacing, shape: Shape | None = None) -> float:
        """The value for two masks, of which an empty one needs no rule of its own unless both are."""
        if not reference.any() and not answer.any():
            return super().value_of_masks(reference, answer, spacing_mm, shape)
        return self.compare(reference, answer, spacing_mm)

    def compare(self, reference: Bools, answer: Bools, spacing_mm: Spacing) -> float:
        padded, padded_answer = (np.pad(mask, self.dilation) for mask in (reference, answer))
        lesions = np.where(padded, _components(_dilated(padded, self.dilation)), 0)
        components = _components(padded_answer)
        sizes = np.bincount(components.ravel())
        touched: set[int] = set()
        total, count = 0.0, 0
        for lesion, where in enumerate(ndimage.find_objects(lesions), 1):
            if where is None:
                continue
            box = tuple(slice(max(0, each.start - self.dilation), each.stop + self.dilation) for each in where)
            mine = lesions[box] == lesion
            near = np.unique(components[box][_dilated(mine, self.dilation)])
            near = near[near > 0]
            touched.update(near.tolist())
            size = int(np.count_nonzero(mine))
            if size * math.prod(spacing_mm) <= self.least_mm3:
                continue
            common = int(np.count_nonzero(mine & np.isin(components[box], near)))
            total += 2 * common / (size + int(sizes[near].sum()))
            count += 1
        count += sizes.size - 1 - len(touched)
        return total / count if count else 1.0


def _components(mask: Bools) -> NDArray[np.int32]:
    labelled: Any = ndimage.label(mask, structure=np.ones((3,) * mask.ndim))
    return np.asarray(labelled[0], np.int32)


def _dilated(mask: Bools, times: int) -> Bools:
    if not times:
        return mask
    structure = ndimage.generate_binary_structure(mask.ndim, 2)
    return np.asarray(ndimage.binary_dilation(mask, structure, iterations=times))


MEASURES = by_name(Dice, Iou, SurfaceDice, Hausdorff95, AverageDistance, LesionDice)
