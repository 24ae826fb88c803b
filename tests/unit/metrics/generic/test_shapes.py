from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from metrics.generic import make

ONES = (1.0, 1.0, 1.0)


def of(name: str, reference: Any, answer: Any, spacing: tuple[float, ...] = ONES, **options: Any) -> float:
    measure: Any = make({"measure": f"segmentation.{name}", **options})
    value: float = measure.value_of_masks(np.asarray(reference, bool), np.asarray(answer, bool), spacing)
    return value


def box(*places: tuple[int, int], size: int = 24) -> Any:
    """Bars of 2 x 2 voxels along the last axis, each from one place to before another."""
    found = np.zeros((6, 6, size), bool)
    for start, stop in places:
        found[2:4, 2:4, start:stop] = True
    return found


def images(r: Any) -> tuple[Any, Any]:
    """Two masks of some rectangles, of 30 to 180 pixels a side."""
    shape = tuple(int(n) for n in r.integers(30, 180, 2))
    masks = np.zeros((2, *shape), bool)
    for mask in masks:
        for _ in range(3):
            low = [int(r.integers(0, 0.7 * n)) for n in shape]
            mask[tuple(slice(a, a + int(r.integers(3, n // 2))) for a, n in zip(low, shape, strict=True))] = True
    return masks[0], masks[1]


BOUNDARY_IOU = {
    0.005: [
        0.029748283752860413,
        0.014598540145985401,
        0.0024875621890547263,
        0.0170316301703163,
        0.0032679738562091504,
        0.009433962264150943,
    ],
    0.02: [
        0.0800711743772242,
        0.1341330425299891,
        0.014916467780429593,
        0.01643489254108723,
        0.053501945525291826,
        0.06596306068601583,
    ],
    0.05: [
        0.07126948775055679,
        0.2989382879893829,
        0.12997145575642247,
        0.11351706036745407,
        0.1354006754682223,
        0.15615668364658353,
    ],
}
"""Of mask_to_boundary in boundary-iou-api 37d25586, with opencv 4.11: share of the diagonal -> pairs of images."""


def lesions(r: Any) -> tuple[Any, Any]:
    """Some boxes, and most of them again, moved and in other company."""
    masks = np.zeros((2, 44, 40, 36), bool)
    for _ in range(int(r.integers(1, 7))):
        low, sides = r.integers(3, 28, 3), r.integers(2, 8, 3)
        moved = low + r.integers(-2, 3, 3)
        masks[0][tuple(slice(a, a + s) for a, s in zip(low, sides, strict=True))] = True
        if r.random() < 0.8:
            masks[1][tuple(slice(a, a + s) for a, s in zip(moved, sides, strict=True))] = True
    for _ in range(int(r.integers(0, 2))):
        low = r.integers(0, 34, 3)
        masks[1][tuple(slice(a, a + 3) for a in low)] = True
    return masks[0], masks[1]


def test_lesions_are_those_of_the_official_program() -> None:
    r = np.random.default_rng(21)
    pairs = [lesions(r) for _ in range(12)]
    for (dilation, least), official in LESION_DICE.items():
        found = [of("lesion_dice", *pair, dilation=dilation, least_mm3=least) for pair in pairs]
        assert found == pytest.approx(official)


LESION_DICE = {
    (3, 50.0): [
        0.0,
        0.4881798873395512,
        0.16260162601626016,
        0.30952380952380953,
        0.19225092250922513,
        0.23809523809523808,
        0.027777777777777776,
        0.20625,
        0.15,
        0.25,
        0.23672450052576235,
        0.0,
    ],
    (1, 2.0): [
        0.0,
        0.41804585081896,
        0.16260162601626016,
        0.20634920634920637,
        0.22857142857142856,
        0.23809523809523808,
        0.08518518518518518,
        0.16499999999999998,
        0.2111111111111111,
        0.3125,
        0.22222222222222224,
        0.05555555555555555,
    ],
}
"""Of BraTS-2023-Metrics 43c90524, with cc3d 4.1: steps of dilation and volume not counted (BraTS-GLI, BraTS-MET)."""


def test_volume_errors_by_hand() -> None:
    assert of("volume_error", box((0, 4)), box((0, 6))) == pytest.approx(0.5)
    assert of("volume_error", box((0, 4)), box()) == 1
    assert of("volume_error", box(), box((0, 4))) == 1
    assert of("volume_error", box(), box((0, 4)), worst=3) == 3
    assert of("volume_error", box((0, 4)), box((0, 6)), (1, 2, 5), unit="ml") == pytest.approx(8 * 10 / 1000)
    assert of("volume_error", box(), box((0, 4)), (1, 2, 5), unit="ml") == pytest.approx(16 * 10 / 1000)
    assert of("volume_error", box(), box()) == 0


def test_lesions_by_hand() -> None:
    # two lesions of 16 and 8 voxels; half of the first is found, the second is missed, and a third is invented
    reference, answer = box((0, 4), (20, 22), size=60), box((0, 2), (40, 42), size=60)
    assert of("lesion_dice", reference, answer, least_mm3=0) == pytest.approx((2 * 8 / (16 + 8)) / 3)
    assert of("lesion_dice", reference, answer, least_mm3=8) == pytest.approx((2 * 8 / (16 + 8)) / 2)
    # gaps of up to twice the dilation join lesions, and an answer is compared with all of it
    near = box((0, 4), (9, 13), size=60)
    assert of("lesion_dice", near, box((0, 4), size=60), least_mm3=0) == pytest.approx(2 * 16 / (32 + 16))
    assert of("lesion_dice", near, box((0, 4), size=60), least_mm3=0, dilation=1) == pytest.approx(1 / 2)
    assert of("lesion_dice", box(), box((0, 4))) == 0
    assert of("lesion_dice", box((0, 2)), box()) == 1  # too small to count, as in the official program
    assert of("lesion_dice", box(), box()) == 1


def blobs() -> tuple[Any, Any]:
    r = np.random.default_rng(12)
    one, other = np.zeros((40, 40, 40), np.uint8), np.zeros((40, 40, 40), np.uint8)
    for x, y, z in product((2, 15, 28), repeat=3):
        size, moved = r.integers(4, 9, 3), r.integers(0, 3, 3)
        if r.random() < 0.8:
            one[x : x + size[0], y : y + size[1], z : z + size[2]] = 1
        if r.random() < 0.8:
            corner = np.array([x, y, z]) + moved
            other[tuple(slice(a, a + n) for a, n in zip(corner, size, strict=True))] = 1
    return one, other
