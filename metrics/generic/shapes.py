"""Segmentation by lesions and volumes.

Conventions
-----------
Files, structures, empty masks, missing answers and spacing are those of `metrics.generic.segmentation`; what differs is
in each class.  A *component* is connected by faces, edges or corners.

Source: rachitsaluja/BraTS-2023-Metrics 43c90524 for lesion-wise Dice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from metrics.generic.base import Bools, by_name
from metrics.generic.options import number, one_of, option, or_none, whole
from metrics.generic.segmentation import SPACING, PerStructure, Shape, Spacing


@dataclass(frozen=True, kw_only=True)
class VolumeError(PerStructure):
    """Absolute difference of the volumes: as a share of the reference's (1 is 100 %), or in millilitres.

    ``worst`` counts for a missing answer, and in shares where the reference is empty and the answer is not; by default
    1 (the error of an empty answer), in millilitres the volume of the whole image.
    """

    measure = "segmentation.volume_error"
    is_loss = True
    in_mm = True
    unit: str = option("share", one_of("share", "ml"), "of the error")
    worst: float | None = option(None, or_none(number(0, above=True)), "see above")
    spacing_mm: tuple[float, ...] | None = option(None, SPACING, "instead of the header's")

    def value_of_masks(self, reference: Bools, answer: Bools, spacing_mm: Spacing, shape: Shape | None = None) -> float:
        """The value for two masks, of which an empty one has a volume too."""
        if self.unit == "ml" and (reference.any() or answer.any()):
            return self.compare(reference, answer, spacing_mm)
        if not answer.any() and reference.any():
            return 1.0
        return super().value_of_masks(reference, answer, spacing_mm, shape)

    def compare(self, reference: Bools, answer: Bools, spacing_mm: Spacing) -> float:
        own, other = int(np.count_nonzero(reference)), int(np.count_nonzero(answer))
        return abs(other - own) / own if self.unit == "share" else abs(other - own) * math.prod(spacing_mm) / 1000

    def _worst(self, shape: Shape, spacing: Spacing) -> float:
        if self.worst is not None:
            return self.worst
        return 1.0 if self.unit == "share" else math.prod(shape) * math.prod(spacing) / 1000


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
        own, other = (np.pad(mask, self.dilation) for mask in (reference, answer))
        lesions = np.where(own, _components(_dilated(own, self.dilation)), 0)
        found = _components(other)
        sizes = np.bincount(found.ravel())
        touched: set[int] = set()
        total, count = 0.0, 0
        for lesion, place in enumerate(ndimage.find_objects(lesions), 1):
            if place is None:
                continue
            box = tuple(slice(max(0, each.start - self.dilation), each.stop + self.dilation) for each in place)
            mine = lesions[box] == lesion
            near = np.unique(found[box][_dilated(mine, self.dilation)])
            near = near[near > 0]
            touched.update(near.tolist())
            size = int(np.count_nonzero(mine))
            if size * math.prod(spacing_mm) <= self.least_mm3:
                continue
            common = int(np.count_nonzero(mine & np.isin(found[box], near)))
            total += 2 * common / (size + int(sizes[near].sum()))
            count += 1
        count += sizes.size - 1 - len(touched)
        return total / count if count else 1.0


def _components(mask: Bools) -> NDArray[np.int32]:
    found: Any = ndimage.label(mask, structure=np.ones((3,) * mask.ndim))
    return np.asarray(found[0], np.int32)


def _dilated(mask: Bools, times: int) -> Bools:
    if not times:
        return mask
    structure = ndimage.generate_binary_structure(mask.ndim, 2)
    return np.asarray(ndimage.binary_dilation(mask, structure, iterations=times))


MEASURES = by_name(VolumeError, LesionDice)
