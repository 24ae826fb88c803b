from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage
from scipy.spatial.distance import cdist

from metrics.generic import SpecError, make
from metrics.generic.segmentation import panoptic_counts
from tests.support.peers import of_peer
from tests.support.volume_files import write_volume

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


def images(r: Any) -> tuple[Any, Any]:
    """Two masks of some rectangles, of 30 to 180 pixels a side."""
    shape = tuple(int(n) for n in r.integers(30, 180, 2))
    masks = np.zeros((2, *shape), bool)
    for mask in masks:
        for _ in range(3):
            low = [int(r.integers(0, 0.7 * n)) for n in shape]
            mask[tuple(slice(a, a + int(r.integers(3, n // 2))) for a, n in zip(low, shape, strict=True))] = True
    return masks[0], masks[1]


def test_boundary_iou_is_that_of_the_official_program(tmp_path: Path) -> None:
    r = np.random.default_rng(22)
    pairs = [images(r) for _ in range(6)]
    for share, official in BOUNDARY_IOU.items():
        spec = {"measure": "segmentation.boundary_iou", "diagonal_share": share, "spacing_mm": [1, 1]}
        assert [of("boundary_iou", *pair, (1.0, 1.0), diagonal_share=share) for pair in pairs] == pytest.approx(
            official
        )
        for side, name in enumerate(("references", "answers")):
            (tmp_path / name).mkdir(exist_ok=True)
            for i, pair in enumerate(pairs):
                Image.fromarray(pair[side].astype(np.uint8)).save(tmp_path / name / f"r{i}.png")
        report = make(spec).score(tmp_path / "references", tmp_path / "answers")
        assert report.values["boundary_iou"] == pytest.approx(np.mean(official))  # also of what is cut out of an image


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


def test_centre_lines_by_hand() -> None:
    pytest.importorskip("skimage", reason="scikit-image is not installed")
    tube, half = np.zeros((3, 20), bool), np.zeros((3, 20), bool)
    tube[:, :], half[:, :10] = True, True
    share = of("cldice", tube, half)
    assert 0.5 < share < 0.9
    assert of("cldice", tube, tube) == 1
    assert of("cldice", tube, ~tube) == 0


def test_panoptic_quality_is_aware_of_parts_by_hand(tmp_path: Path) -> None:
    # a rim (1) with a core (2): 8 voxels, the answer has all of them but takes two of the core for rim
    reference, answer = np.zeros((20, 1, 1), np.uint8), np.zeros((20, 1, 1), np.uint8)
    reference[0:4], reference[4:8] = 1, 2
    answer[0:6], answer[6:8] = 1, 2
    reference[12:14], answer[16:18] = 1, 1  # one is missed, one is false
    for side, mask in (("references", reference), ("answers", answer)):
        write_volume(tmp_path / side / "a.nii", mask)
    plain: dict[str, Any] = {"measure": "segmentation.panoptic_quality", "instances": "components"}
    parts = {**plain, "parts": {"rim": [1], "core": [2]}}
    whole, aware = (make(spec).score(tmp_path / "references", tmp_path / "answers").values for spec in (plain, parts))
    assert whole == {"pq": 1 / 2, "sq": 1, "rq": 1 / 2}
    assert aware["sq"] == pytest.approx((4 / 6 + 2 / 4) / 2)
    assert aware["pq"] == pytest.approx((4 / 6 + 2 / 4) / 2 / 2)
    # parts that neither has do not count; without any the whole does
    absent = {**plain, "parts": {"other": [7]}}
    assert make(absent).score(tmp_path / "references", tmp_path / "answers").values == whole
    with pytest.raises(SpecError, match="components, as there are parts"):
        make({"measure": "segmentation.panoptic_quality", "parts": {"rim": [1]}})


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


def test_panoptic_quality_is_that_of_panoptica() -> None:
    one, other = blobs()

    def theirs() -> Any:
        import panoptica as peer

        evaluator = peer.Panoptica_Evaluator(
            expected_input=peer.InputType.SEMANTIC,
            instance_approximator=peer.ConnectedComponentsInstanceApproximator(),
            instance_matcher=peer.NaiveThresholdMatching(matching_threshold=0.5),
        )
        found = evaluator.evaluate(other, one)["ungrouped"]
        return [found.pq, found.sq, found.rq]

    overlap, hits, false, missed = panoptic_counts(ndimage.label(one)[0], ndimage.label(other)[0])
    instances = hits + (false + missed) / 2
    stored = [0.0516795865633075, 0.5555555555555556, 0.09302325581395349]
    assert [overlap / instances, overlap / hits, hits / instances] == pytest.approx(
        of_peer("panoptica", theirs, stored), abs=1e-9
    )


def test_centre_lines_are_those_of_the_published_formula() -> None:
    morphology = pytest.importorskip("skimage.morphology", reason="scikit-image is not installed")
    r = np.random.default_rng(4)
    one = ndimage.gaussian_filter(r.random((24, 30, 28)), 2) > 0.505
    other = np.roll(one, 1, 0) ^ (r.random(one.shape) < 0.01)
    lines = [morphology.skeletonize(mask) > 0 for mask in (one, other)]
    precision, sensitivity = (one & lines[1]).sum() / lines[1].sum(), (other & lines[0]).sum() / lines[0].sum()
    expected = 2 * precision * sensitivity / (precision + sensitivity)
    assert of("cldice", one, other) == pytest.approx(expected, abs=0.01)  # masks are padded before they are thinned


def test_distances_are_those_of_scipy_between_surfaces() -> None:
    """MASD as in Metrics Reloaded, by every pair of surface voxels."""
    r = np.random.default_rng(5)
    spacing = (1.0, 2.0, 1.5)
    masks = [ndimage.gaussian_filter(r.random((12, 14, 13)), 1.5) > 0.5 for _ in range(2)]
    surfaces = [np.argwhere(np.pad(mask, 1) & ~ndimage.binary_erosion(np.pad(mask, 1))) * spacing for mask in masks]
    distances = cdist(*surfaces)
    there, back = distances.min(axis=1).mean(), distances.min(axis=0).mean()
    assert of("masd", *masks, spacing) == pytest.approx((there + back) / 2)
