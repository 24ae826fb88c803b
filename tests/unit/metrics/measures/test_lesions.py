"""The evaluation mask: margin, holes, merging, numbering and isolated tumour cells."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage

from metrics.measures.lesions import ITC_AXIS, MARGIN, EvaluationMask, evaluation_mask, major_axis, phantom_mask


def label_image(lesions: EvaluationMask) -> NDArray[np.int64]:
    """The number of the lesion at each pixel of a slide of known size, 0 for none."""
    assert lesions.shape is not None
    return lesions.labels(*np.indices(lesions.shape).reshape(2, -1)).reshape(lesions.shape)


def by_definition(tumour: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Distance map, filled holes and labels of the whole raster, numbered by first pixels."""
    near = ndimage.distance_transform_edt(~tumour) < MARGIN
    labelled, _ = ndimage.label(ndimage.binary_fill_holes(near), np.ones((3, 3)))
    numbers, first = np.unique(labelled, return_index=True)
    order = np.argsort(first[numbers > 0])
    renumbered = np.zeros(numbers.size, np.int64)
    renumbered[1:][order] = np.arange(1, numbers.size)
    return np.asarray(renumbered[labelled])


def discs(shape: tuple[int, int], *where: tuple[float, float, float]) -> NDArray[np.bool_]:
    rows, columns = np.ogrid[: shape[0], : shape[1]]
    mask = np.zeros(shape, np.bool_)
    for row, column, radius in where:
        mask |= (rows - row) ** 2 + (columns - column) ** 2 <= radius**2
    return mask


def test_margin_and_limit_of_isolated_cells_are_the_published_ones() -> None:
    assert pytest.approx(4.8225308641975, abs=1e-12) == MARGIN
    assert pytest.approx(35.365226337, abs=1e-8) == ITC_AXIS


@pytest.mark.parametrize("seed", range(25))
def test_equal_to_the_definition_on_the_whole_raster(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(1, 260)), int(rng.integers(1, 260)))
    tumour = np.zeros(shape, np.bool_)
    for _ in range(rng.integers(1, 9)):
        row, column, radius = map(int, rng.integers(0, (*shape, 60)))
        disc = discs(shape, (row, column, radius))
        tumour |= disc & ~discs(shape, (row, column, radius - 3)) if rng.random() < 0.5 else disc
    tumour &= rng.random(shape) < rng.choice([0.03, 1.0])
    assert np.array_equal(label_image(evaluation_mask(tumour, shape=shape)), by_definition(tumour))


def test_nothing_is_outside_of_a_slide() -> None:
    lesions = evaluation_mask(discs((90, 120), (20, 80, 6), (30, 20, 10), (70, 60, 3)), shape=(90, 120))
    rows, columns = np.mgrid[-3:95, -3:125]
    labels = lesions.labels(rows.ravel(), columns.ravel()).reshape(rows.shape)
    assert np.array_equal(labels[3:93, 3:123], label_image(lesions))
    labels[3:93, 3:123] = 0
    assert not labels.any()


@pytest.mark.parametrize(
    ("mask", "axis"),
    [
        # 36 x 2 pixels: 41.553 as scikit-image has it, 41.569 with MATLAB's 1/12 for the extent of pixels
        *((np.ones(shape), axis) for shape, axis in (((1, 1), 0), ((1, 2), 2), ((2, 36), 41.5531))),
        (np.eye(9), 4 * np.sqrt(2 * np.var(np.arange(9)))),
    ],
    ids=["a pixel", "two pixels", "a bar", "a diagonal"],
)
def test_major_axis_is_that_of_the_ellipse_with_the_same_moments(mask: NDArray[np.float64], axis: float) -> None:
    assert major_axis(mask > 0) == major_axis(mask.T > 0) == pytest.approx(axis, abs=1e-4)


@pytest.mark.parametrize(("radius", "itc"), [(12, True), (14, False)])
def test_small_lesions_are_isolated_tumour_cells(radius: int, itc: bool) -> None:
    # a disc's major axis is its diameter: margin included about 33.6 and 37.6 of 35.37 pixels
    (lesion,) = evaluation_mask(discs((60, 60), (30, 30, radius))).lesions
    assert lesion.itc is itc


@pytest.mark.parametrize("shape", [(40, 30), (3, 9), (9, 2), (1, 1)])
def test_phantom_of_a_mask_without_tumour_is_that_of_the_distance_map(shape: tuple[int, int]) -> None:
    mask = phantom_mask(shape)
    rows, columns = np.ogrid[: shape[0], : shape[1]]
    assert np.array_equal(label_image(mask) > 0, (rows + 1) ** 2 + columns**2 < MARGIN**2)
    assert [lesion.itc for lesion in mask.lesions] == [True]
    assert label_image(mask).sum() == (17 if min(shape) > 4 else label_image(mask).sum())
