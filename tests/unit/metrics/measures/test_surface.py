"""Surface Dice and the areas of marching cubes."""

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage

from metrics.measures import surface
from metrics.measures.surface import corner_areas, surface_dice


def block(shape: tuple[int, ...], *corner: slice) -> NDArray[np.bool_]:
    mask = np.zeros(shape, np.bool_)
    mask[corner] = True
    return mask


def distance_map_dice(
    reference: NDArray[np.bool_], answer: NDArray[np.bool_], spacing: tuple[float, ...], tolerance: float
) -> float:
    """The definition with a distance map of the whole volume, pattern by pattern."""
    areas = corner_areas(np.array(spacing))
    grids = []
    for mask in (reference, answer):
        padded = np.pad(mask, 1).astype(int)
        corners = tuple(length + 1 for length in mask.shape)
        grid = np.zeros(corners, np.int64)
        for i, j, k in itertools.product((0, 1), repeat=3):
            grid += padded[i : i + corners[0], j : j + corners[1], k : k + corners[2]] << (4 * i + 2 * j + k)
        grids.append(grid)
    agreeing = total = 0.0
    for grid, other in (grids, grids[::-1]):
        here, there = (grid > 0) & (grid < 255), (other > 0) & (other < 255)
        distance = ndimage.distance_transform_edt(~there, sampling=spacing)
        agreeing += areas[grid[here & (distance <= tolerance)]].sum()
        total += areas[grid[here]].sum()
    return agreeing / total


def test_areas_of_cut_corners_and_flat_faces_are_those_by_hand_and_those_of_complements() -> None:
    assert corner_areas(np.ones(3))[[1 << bit for bit in range(8)]] == pytest.approx([math.sqrt(3) / 8] * 8)
    areas = corner_areas(np.array([2.0, 3.0, 5.0]))
    assert areas[[0b11110000, 0b11001100, 0b10101010]] == pytest.approx([15, 10, 6])
    assert areas == pytest.approx(areas[::-1])
    assert areas[0] == areas[255] == 0
    assert (areas[1:255] > 0).all()


@pytest.mark.parametrize("seed", range(12))
def test_equal_to_the_definition_by_distance_maps(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    shape = tuple(int(length) for length in rng.integers(1, 12, 3))
    reference, answer = rng.random((2, *shape)) < rng.uniform(0.1, 0.9)
    reference.flat[0] = answer.flat[-1] = True
    spacing = tuple(float(length) for length in rng.choice([0.3, 0.7, 1.0, 3.0], 3))
    for tolerance in (0.5, 1.0, 1.15, 3.0):
        wished = distance_map_dice(reference, answer, spacing, tolerance)
        for limit in (4096, 0):  # by looking at each neighbour, by the tree
            monkeypatch.setattr(surface, "_MAX_NEIGHBOURS", limit)
            dice = surface_dice(reference, answer, spacing_mm=spacing, tolerance_mm=tolerance)
            assert dice == pytest.approx(wished, abs=1e-12)


def test_tiny_voxels_do_not_multiply_the_work() -> None:
    mask = block((4, 4, 4), *[slice(1, 3)] * 3)
    assert surface_dice(mask, mask, spacing_mm=(1e-9, 1e-9, 1e-9), tolerance_mm=1) == 1


def test_empty_mask_and_other_shape_are_the_callers_mistake() -> None:
    mask = block((3, 3, 3), *[slice(1, 2)] * 3)
    with pytest.raises(ValueError, match="empty"):
        surface_dice(mask, np.zeros_like(mask), spacing_mm=(1, 1, 1), tolerance_mm=1)
    with pytest.raises(ValueError, match="shape"):
        surface_dice(mask, mask[:2], spacing_mm=(1, 1, 1), tolerance_mm=1)
