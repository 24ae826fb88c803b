"""Lesions of a slide as CAMELYON16 counts them: the evaluation mask.

Conventions
-----------
Rasters are of level 5 of the slide (one pixel is 32 x 32 pixels of level 0, 7.776 um a side), indexed (row, column).
The annotated tumour grows by a margin of 37.5 um, holes are filled, and what touches (corners too) is one lesion.
A lesion whose major axis, margin included, is below 275 um is a group of isolated tumour cells (ITC): hitting it is
neither right nor wrong.  Lesions are numbered from 1 in the order of their first pixel, row by row; 0 is background.

Source: computationalpathologygroup/Camelyon16 ``Python/Evaluation_FROC.py``
@546b6138c31a2e5cd8ff4d53266e42a450eec60a.  The same pixels and numbers come out; the work is done only around the
tumour, and the result is kept as one small mask for each lesion.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from metrics.measures.surface import bounding_box

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
        """True for the pixels in the lesion."""
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
        labels = np.zeros(rows.shape, np.int64)
        for number, lesion in enumerate(self.lesions, start=1):
            labels[lesion.covers(rows, columns)] = number
        return labels


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
    values = pixels.view(np.uint8)
    tumour = values > (int(values.max(initial=0)) // 2 if above is None else above)
    box = bounding_box(tumour)
    if box is None:
        return EvaluationMask(shape=shape)
    grown = _dilated(np.pad(tumour[box], _REACH))
    # the margin ends at the edge of the slide
    top, left = (max(0, side.start - _REACH) for side in box)
    grown = grown[top - box[0].start + _REACH :, left - box[1].start + _REACH :]
    labelled = _regions(grown[: tumour.shape[0] - top, : tumour.shape[1] - left])
    lesions = []
    for number, where in enumerate(ndimage.find_objects(labelled), start=1):
        mask = labelled[where] == number
        row, column = origin[0] + top + where[0].start, origin[1] + left + where[1].start
        lesions.append(Lesion(row=row, column=column, mask=mask, itc=major_axis(mask) < ITC_AXIS))
    lesions.sort(key=lambda lesion: (lesion.row, lesion.column + int(lesion.mask[0].argmax())))
    return EvaluationMask(shape=shape, lesions=tuple(lesions))


def phantom_mask(shape: tuple[int, int]) -> EvaluationMask:
    """Mask that the official program makes of one without tumour: one ITC in the upper left corner.

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
    rows, columns = (places - places.mean() for places in np.nonzero(mask))
    over_rows, over_columns, crossed = (
        (first * second).mean() for first, second in ((rows, rows), (columns, columns), (rows, columns))
    )
    larger = (over_rows + over_columns) / 2 + math.hypot(crossed, (over_rows - over_columns) / 2)
    return float(4 * math.sqrt(larger))


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


def _regions(mask: Mask) -> Pixels:
    """The connected regions (corners included) of the mask without holes, by number.

    A hole is a background region that does not reach the window's edge (by edges, not corners).
    """
    background, _ = ndimage.label(np.pad(~mask, 1, constant_values=True))
    filled = background[1:-1, 1:-1] != background[0, 0]
    return np.asarray(ndimage.label(filled, _EIGHT)[0])
