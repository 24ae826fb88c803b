from __future__ import annotations

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
    pairs = [lesions(r) for _ in range(10)]
    for (dilation, least), official in LESION_DICE.items():
        found = [of("lesion_dice", *pair, dilation=dilation, least_mm3=least) for pair in pairs]
        assert found == pytest.approx(official)


LESION_DICE = {
    (3, 50.0): [0.0, 0.4881799, 0.1626016, 0.3095238, 0.1922509, 0.2380952, 0.02777778, 0.20625, 0.15, 0.25],
    (1, 2.0): [0.0, 0.4180459, 0.1626016, 0.2063492, 0.2285714, 0.2380952, 0.08518519, 0.165, 0.2111111, 0.3125],
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
