"""Lesions of a slide as CAMELYON16 counts them: the evaluation mask.

Conventions
-----------
Rasters are of level 5 of the slide (one pixel is 32 x 32 pixels of level 0, 7.776 um a side), indexed (row, column).
The annotated tumour grows by a margin of 37.5 um, holes are filled, and what touches (corners too) is one lesion.
A lesion whose major axis, margin included, is below 275 um is a group of isolated tumour cells (ITC): hitting it is
neither right nor wrong.  Lesions are numbered from 1 in the order of their first pixel, row by row; 0 is background.

Source: computationalpathologygroup/Camelyon16 ``Python/Evaluation_FROC.py``
@546b6138c31a2e5cd8ff4d53266e42a450eec60a.  The same pixels and numbers come out; the work is done only around the
tumour, and the result is kept as one small mask per lesion.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

Mask = NDArray[np.bool_]
Pixels = NDArray[np.int64]

LEVEL = 5
DOWNSAMPLING = 1 << LEVEL
UM_PER_PIXEL = 0.243 * DOWNSAMPLING
MARGIN = 75 / (UM_PER_PIXEL * 2)
"""Margin in pixels: 4.82. The program's comment says 75 um; its formula halves it."""
ITC_AXIS = 275 / UM_PER_PIXEL
"""Length in pixels: 35.37."""
_HALF_WIDTHS = [math.ceil(math.sqrt(MARGIN**2 - row * row)) - 1 for row in range(math.ceil(MARGIN))]
"""Columns within the margin, by the distance in rows: 4 4 4 3 2."""
_REACH = len(_HALF_WIDTHS)
_BLOCK = 32
"""Larger than twice the margin, so lesions that merge lie in adjacent blocks."""
_EIGHT = np.ones((3, 3), np.bool_)


@dataclass(frozen=True, kw_only=True, eq=False)
class Lesion:
    """One connected region of the evaluation mask."""

    row: int
    column: int
    """Column of the mask's upper left corner in the slide."""
    mask: Mask
    itc: bool

    def covers(self, rows: Pixels, columns: Pixels) -> Mask:
        """Which of the pixels are in it."""
        rows, columns = rows - self.row, columns - self.column
        height, width = self.mask.shape
        within: Mask = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
        within[within] = self.mask[rows[within], columns[within]]
        return within


@dataclass(frozen=True, kw_only=True, eq=False)
class EvaluationMask:
    """All lesions of a slide."""

    shape: tuple[int, int] | None
    """Rows and columns of the slide at level 5; None where only annotations are known."""
    lesions: tuple[Lesion, ...] = ()

    def labels(self, rows: Pixels, columns: Pixels) -> Pixels:
        """The number of the lesion at each pixel, 0 for none; any pixel may be given."""
        found = np.zeros(rows.shape, np.int64)
        for number, lesion in enumerate(self.lesions, start=1):
            found[lesion.covers(rows, columns)] = number
        return found

    def image(self) -> NDArray[np.uint16]:
        """The label image of the whole slide.

        Raises
        ------
        ValueError
            The slide's size is not known.
        """
        if self.shape is None:
            raise ValueError("expected a slide of known size, found annotations only")
        image = np.zeros(self.shape, np.uint16)
        for number, lesion in enumerate(self.lesions, start=1):
            height, width = lesion.mask.shape
            window = image[lesion.row : lesion.row + height, lesion.column : lesion.column + width]
            window[lesion.mask] = number
        return image


def evaluation_mask(
    pixels: NDArray[np.uint8] | Mask,
    *,
    above: int | None = 0,
    origin: tuple[int, int] = (0, 0),
    shape: tuple[int, int] | None = None,
) -> EvaluationMask:
    """The lesions of a tumour raster.

    Parameters
    ----------
    pixels : uint8 or bool, shape (rows, columns)
        The whole slide, or a window of it with its upper left corner at ``origin``.
    above : int, optional
        Pixels of larger values are tumour; None for half of the largest value.
    shape : (rows, columns), optional
        Shape of the slide. The margin ends at the edge of the slide; a window must include the margin.
    """
    lesions: list[Lesion] = []
    around: list[tuple[int, int, Mask]] = []
    # largest first: a region in another's filled hole has no pixel of its own
    for row, column, grown in sorted(_grown(pixels.view(np.uint8), above), key=lambda found: -found[2].size):
        if any(_overlap((row, column, grown), other) for other in around):
            continue
        runs = Runs.of(grown)
        if runs.tops == runs.euler == 1:  # nearly always: one region without holes
            parts = [(runs.box, grown[runs.box], runs.major_axis)]
        else:
            filled, labelled, had_holes = _filled(grown, runs.euler)
            if had_holes:
                around.append((row, column, filled))
            masks = [
                (where, labelled[where] == number)
                for number, where in enumerate(ndimage.find_objects(labelled), start=1)
            ]
            parts = [(where, mask, major_axis(mask)) for where, mask in masks]
        for where, mask, axis in parts:
            lesions.append(
                Lesion(
                    row=origin[0] + row + where[0].start,
                    column=origin[1] + column + where[1].start,
                    mask=mask,
                    itc=axis < ITC_AXIS,
                )
            )
    lesions.sort(key=lambda lesion: (lesion.row, lesion.column + int(lesion.mask[0].argmax())))
    return EvaluationMask(shape=shape, lesions=tuple(lesions))


def _overlap(one: tuple[int, int, Mask], other: tuple[int, int, Mask]) -> bool:
    """Whether two windows, given by their upper left corner, share a pixel of their masks."""
    corners = [(row, column, row + mask.shape[0], column + mask.shape[1]) for row, column, mask in (one, other)]
    top, left = (max(starts) for starts in zip(corners[0][:2], corners[1][:2], strict=True))
    bottom, right = (min(ends) for ends in zip(corners[0][2:], corners[1][2:], strict=True))
    if top >= bottom or left >= right:
        return False
    shared = [mask[top - row : bottom - row, left - column : right - column] for row, column, mask in (one, other)]
    return bool((shared[0] & shared[1]).any())


@dataclass(frozen=True, kw_only=True, eq=False)
class Runs:
    """The horizontal runs of a mask's pixels, row by row: a hundred times fewer than pixels."""

    row: Pixels
    start: Pixels
    """First column."""
    stop: Pixels
    """First column behind."""
    above: Pixels
    """How many runs of the row above it touches, corners included."""

    @classmethod
    def of(cls, mask: Mask) -> Runs:
        """Find the runs of a mask of shape (rows, columns)."""
        width = mask.shape[1] + 1  # a column that is empty ends the last run of a row
        pixels = np.zeros(mask.shape[0] * width + 1, np.bool_)
        pixels[1:].reshape(-1, width)[:, :-1] = mask
        edges = np.flatnonzero(pixels[1:] != pixels[:-1])
        start, stop = edges[::2], edges[1::2]
        above = np.searchsorted(start, stop - width, side="right") - np.searchsorted(stop, start - width)
        row = start // width
        return cls(row=row, start=start - row * width, stop=stop - row * width, above=above)

    @property
    def euler(self) -> int:
        """Regions (corners included) minus holes: where runs touch, either a region continues or a hole closes."""
        return self.row.size - int(self.above.sum())

    @property
    def tops(self) -> int:
        """How many runs touch none above: each region has at least one."""
        return self.row.size - int(np.count_nonzero(self.above))

    @property
    def box(self) -> tuple[slice, slice]:
        """Rows and columns with a pixel."""
        return slice(int(self.row[0]), int(self.row[-1]) + 1), slice(int(self.start.min()), int(self.stop.max()))

    @property
    def major_axis(self) -> float:
        """See `major_axis`."""
        lengths = self.stop - self.start
        size = lengths.sum()
        middles = (self.start + self.stop - 1) / 2
        # sums of products and not @, whose threads would compete for the processors with other processes
        rows = self.row - (self.row * lengths).sum() / size
        columns = middles - (middles * lengths).sum() / size
        over_rows = (rows * rows * lengths).sum() / size
        over_columns = ((columns * columns + (lengths * lengths - 1) / 12) * lengths).sum() / size
        crossed = (rows * columns * lengths).sum() / size
        larger = (over_rows + over_columns) / 2 + math.hypot(crossed, (over_rows - over_columns) / 2)
        return float(4 * math.sqrt(larger))


def phantom_mask(shape: tuple[int, int]) -> EvaluationMask:
    """What the official program makes of a mask without tumour: one ITC in the upper left corner.

    Its distance transform then has no pixel to measure from and uses the one above the corner.
    """
    rows, columns = np.ogrid[: min(shape[0], 5), : min(shape[1], 5)]
    corner = (rows + 1) ** 2 + columns**2 < MARGIN**2
    used = corner[np.ix_(corner.any(axis=1), corner.any(axis=0))]
    return EvaluationMask(shape=shape, lesions=(Lesion(row=0, column=0, mask=used, itc=True),))


def major_axis(mask: Mask) -> float:
    """Length in pixels of the major axis of the ellipse with the same second moments.

    Without the 1/12 that a pixel's own extent would add, as in scikit-image but not in MATLAB.
    """
    return Runs.of(mask).major_axis


def _grown(pixels: NDArray[np.uint8], above: int | None) -> Iterator[tuple[int, int, Mask]]:
    """Row, column and mask of every cluster of tumour blocks, margin included.

    Masks of two clusters never touch, but one may be in a hole of another.
    """
    height, width = pixels.shape
    # not a single reduceat, which would go through a strip of rows column by column
    strips = [pixels[top : top + _BLOCK].max(axis=0) for top in range(0, height, _BLOCK)]
    largest = np.maximum.reduceat(strips, np.arange(0, width, _BLOCK), axis=1)
    if above is None:
        above = int(largest.max()) // 2
    occupied = largest > above
    clusters, _ = ndimage.label(occupied, _EIGHT)
    for number, (rows, columns) in enumerate(ndimage.find_objects(clusters), start=1):
        around = pixels[rows.start * _BLOCK : rows.stop * _BLOCK, columns.start * _BLOCK : columns.stop * _BLOCK]
        tumour = around > above
        own = clusters[rows, columns] == number
        if not own[occupied[rows, columns]].all():
            tumour &= own.repeat(_BLOCK, axis=0).repeat(_BLOCK, axis=1)[: tumour.shape[0], : tumour.shape[1]]
        used_rows, used_columns = np.flatnonzero(tumour.any(axis=1)), np.flatnonzero(tumour.any(axis=0))
        inner = slice(used_rows[0], used_rows[-1] + 1), slice(used_columns[0], used_columns[-1] + 1)
        first = rows.start * _BLOCK + int(used_rows[0]), columns.start * _BLOCK + int(used_columns[0])
        last = rows.start * _BLOCK + int(used_rows[-1]), columns.start * _BLOCK + int(used_columns[-1])
        inside = np.zeros((last[0] - first[0] + 1 + 2 * _REACH, last[1] - first[1] + 1 + 2 * _REACH), np.bool_)
        inside[_REACH:-_REACH, _REACH:-_REACH] = tumour[inner]
        # the margin ends at the edge of the slide
        top, left = (max(0, place - _REACH) for place in first)
        grown = _dilated(inside)[top - first[0] + _REACH :, left - first[1] + _REACH :]
        yield top, left, grown[: height - top, : width - left]


def _dilated(mask: Mask) -> Mask:
    """All pixels closer to the mask than the margin; its outer `_REACH` rows and columns must be empty."""
    # in one dimension, where a step beyond a row's end lands in empty columns
    widened = [mask.ravel()]
    for _ in range(_HALF_WIDTHS[0]):
        wider = widened[-1].copy()
        wider[1:] |= widened[-1][:-1]
        wider[:-1] |= widened[-1][1:]
        widened.append(wider)
    dilated = widened[_HALF_WIDTHS[0]].copy()
    for rows, half_width in enumerate(_HALF_WIDTHS[1:], start=1):
        step = rows * mask.shape[1]
        dilated[step:] |= widened[half_width][:-step]
        dilated[:-step] |= widened[half_width][step:]
    return dilated.reshape(mask.shape)


def _filled(mask: Mask, euler: int) -> tuple[Mask, Pixels, bool]:
    """The mask without holes, its connected regions (corners included) by number, and whether it had holes.

    A hole is a background region that does not reach the window's edge (by edges, not corners).
    """
    labelled, count = ndimage.label(mask, _EIGHT)
    if count == euler:
        return mask, labelled, False
    background, _ = ndimage.label(np.pad(~mask, 1, constant_values=True))
    filled = np.asarray(background[1:-1, 1:-1] != background[0, 0])
    return filled, ndimage.label(filled, _EIGHT)[0], True
