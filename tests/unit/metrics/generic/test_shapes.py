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


def test_mean_surface_distance_gives_both_surfaces_one_weight() -> None:
    # lines of voxels: of 2 and of 4, all are surface; from the long one 0, 0, 1, 2 to the short one
    short, long = np.zeros((1, 6), bool), np.zeros((1, 6), bool)
    short[0, :2], long[0, :4] = True, True
    assert of("masd", short, long, (1.0, 2.0)) == pytest.approx((0 + (0 + 0 + 2 + 4) / 4) / 2)
    assert of("assd", short, long, (1.0, 2.0)) == pytest.approx((0 + 0 + 2 + 4) / 6)


def test_boundary_iou_by_hand() -> None:
    square, smaller = np.ones((6, 6), bool), np.zeros((6, 6), bool)
    smaller[:5] = True
    # rims one voxel wide: 20 of 36 and 18 of 30 voxels; in common all of the smaller one but its lowest row's middle
    assert of("boundary_iou", square, smaller, (1.0, 1.0)) == pytest.approx(14 / 24)
    assert of("boundary_iou", square, smaller, (1.0, 1.0), width_mm=9) == pytest.approx(30 / 36)
    assert of("boundary_iou", square, np.zeros((6, 6)), (1.0, 1.0)) == 0


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


def test_centre_lines_by_hand() -> None:
    pytest.importorskip("skimage", reason="scikit-image is not installed")
    tube, half = np.zeros((3, 20), bool), np.zeros((3, 20), bool)
    tube[:, :], half[:, :10] = True, True
    share = of("cldice", tube, half)
    assert 0.5 < share < 0.9
    assert of("cldice", tube, tube) == 1
    assert of("cldice", tube, ~tube) == 0
