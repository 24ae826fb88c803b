import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage

from metrics.base import AnswerError, ReferenceDataError, ScoreReport
from metrics.generic import make, segmentation
from metrics.generic.segmentation import contour_dice, surface_distances
from tests.support.score_tables import check, write
from tests.support.volume_files import labels, write_pairs, write_volume

# 1 and 2 are structures of the reference; the answer misses one voxel of 1 and adds one of 2
ONE = labels("1100", "1100", "0022"), labels("1100", "1000", "0222")
SMALL = {"A": [1], "B": [2]}


def folders(tmp_path: Path, **cases: tuple[NDArray[Any] | None, NDArray[Any] | None]) -> tuple[Path, Path]:
    return write_pairs(tmp_path, cases, spacing_mm=(1.0, 2.0, 3.0))


def score(measure: str, paths: tuple[Path, Path], **options: Any) -> ScoreReport:
    return make({"measure": f"segmentation.{measure}", **options}).score(*paths)


NOTHING, SOMETHING = labels("0000"), labels("0110")
EMPTY = {"a": (NOTHING, NOTHING), "b": (NOTHING, SOMETHING), "c": (SOMETHING, NOTHING), "d": (SOMETHING, SOMETHING)}
MISSING = {"a": (SOMETHING, SOMETHING), "b": (NOTHING, None)}
# 3 rows of 1 mm, 4 columns of 2 mm: one voxel against one voxel two columns away
APART = {"a": (labels("1000", "0000", "0000"), labels("0010", "0000", "0000"))}
# 0 and 2 columns away: distances 0 from the reference, 0 and 4 from the answer
ONE_OF_TWO = {"a": (labels("1000"), labels("1010"))}
LEFT_OUT, DIAGONAL = {"both_empty": "exclude-with-note"}, math.hypot(1 * 1, 4 * 2, 1 * 3)

WORST = "1 of 2 records have no answer, given the worst value"

BY_HAND: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]] = [
    ("dice", {"labels": SMALL}, {"a": ONE},
     {"dice": (6 / 7 + 4 / 5) / 2, "dice[A]": 6 / 7, "dice[B]": 4 / 5, "a": {"A": 6 / 7, "B": 4 / 5}}),
    ("iou", {"labels": SMALL}, {"a": ONE}, {"iou": (3 / 4 + 2 / 3) / 2}),
    ("dice", {}, {"a": ONE}, {"dice": 10 / 12}),  # all that is not 0 is one structure
    ("iou", {"labels": {"both": [1, 2]}}, {"a": ONE}, {"iou": 5 / 7}),
    *((name, {}, EMPTY, {name: 0.5, **{r: {"foreground": x} for r, x in zip("abcd", (1, 0, 0, 1), strict=True)}})
      for name in ("dice", "iou", "nsd")),
    *((name, LEFT_OUT, EMPTY, {name: 1 / 3, "notes": ("structures that neither mask has are left out (1)",)})
      for name in ("dice", "iou", "nsd")),
    *((name, {}, EMPTY, {f"neg_{name}": -DIAGONAL / 2, name: DIAGONAL / 2, "a": {"foreground": 0},
       "b": {"foreground": DIAGONAL}}) for name in ("hd95", "assd")),
    *((name, {"worst_mm": 5}, EMPTY, {f"neg_{name}": -2.5}) for name in ("hd95", "assd")),
    ("dice", {}, MISSING, {"dice": 0.5, "notes": (WORST,)}),
    ("hd95", {"worst_mm": 4}, MISSING, {"neg_hd95": -2, "notes": (WORST,)}),
    ("dice", {"missing": "exclude-with-note"}, MISSING,
     {"dice": 1, "b": {}, "notes": ("1 of 2 records have no answer, left out",)}),
    *((name, {}, APART, {f"neg_{name}": -4}) for name in ("hd95", "assd")),
    ("assd", {"spacing_mm": [1, 1, 1]}, APART, {"neg_assd": -2}),
    ("assd", {}, ONE_OF_TWO, {"neg_assd": -4 / 3}),
    ("hd95", {"percentile": 100}, ONE_OF_TWO, {"neg_hd95": -4}),
    ("hd95", {}, ONE_OF_TWO, {"neg_hd95": -0.95 * 4}),
]  # fmt: skip


@pytest.mark.parametrize(("measure", "options", "cases", "expected"), BY_HAND)
def test_values_by_hand(tmp_path: Path, measure: str, options: Any, cases: Any, expected: dict[str, Any]) -> None:
    check(score(measure, folders(tmp_path, **cases), **options), {"notes": (), **expected})


@pytest.mark.parametrize("few", [0, 10**9], ids=["by a search tree", "by a map"])
def test_distances_as_by_all_pairs_of_surface_voxels(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segmentation, "_FEW_POINTS", few)
    random = np.random.default_rng(1)
    spacing = (0.7, 1.5, 2.0)
    for _ in range(5):
        masks = [ndimage.binary_dilation(random.random((7, 8, 9)) < 0.02, iterations=2) for _ in range(2)]
        cross = ndimage.generate_binary_structure(3, 1).astype(int)  # a voxel and its six neighbours
        inside = [ndimage.convolve(mask.astype(int), cross, mode="constant") == 7 for mask in masks]
        points = [np.argwhere(mask & ~inner) * spacing for mask, inner in zip(masks, inside, strict=True)]
        pairs = np.sqrt(((points[0][:, None] - points[1][None]) ** 2).sum(axis=2))
        distances = surface_distances(masks[0], masks[1], spacing)
        assert np.sort(distances[0]) == pytest.approx(np.sort(pairs.min(axis=1)))
        assert np.sort(distances[1]) == pytest.approx(np.sort(pairs.min(axis=0)))


def test_contours_by_hand() -> None:
    mask = np.zeros((5, 9), np.bool_)
    mask[2, 2:4] = True
    # two pixels side by side: four corners of half a diagonal, two straight edges along the columns
    side = 2 * 3.0 + 4 * math.hypot(2, 3) / 2
    moved = np.roll(mask, 1, axis=1)
    spacing = (2.0, 3.0)
    assert contour_dice(mask, mask, spacing_mm=spacing, tolerance_mm=0) == 1
    # moved by one pixel of 3 mm: only its own outer corners, two on either side, are farther than 0
    lost = 2 * math.hypot(2, 3) / 2
    assert contour_dice(mask, moved, spacing_mm=spacing, tolerance_mm=0) == pytest.approx((side - lost) / side)
    assert contour_dice(mask, moved, spacing_mm=spacing, tolerance_mm=3) == 1


def png(path: Path, pixels: Any) -> Path:
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    path.parent.mkdir(parents=True, exist_ok=True)
    image.fromarray(np.array(pixels, np.uint8)).save(path)
    return path


def test_masks_without_a_spacing_need_one_for_distances(tmp_path: Path) -> None:
    paths = (
        png(tmp_path / "r" / "a.png", [[0, 255, 255], [0, 0, 0]]).parent,
        png(tmp_path / "a" / "a.png", [[255, 255, 0], [0, 0, 0]]).parent,
    )
    assert score("dice", paths).values["dice"] == pytest.approx(1 / 2)
    with pytest.raises(ReferenceDataError, match="expected a spacing of 2 axes") as caught:
        score("hd95", paths)
    assert caught.value.record == "a"
    volumes = folders(tmp_path, a=ONE)
    write_volume(volumes[0] / "a.nii.gz", ONE[0], spacing_mm=(math.nan, 2.0, 3.0))
    with pytest.raises(ReferenceDataError, match="expected a spacing of 3 axes"):
        score("hd95", volumes)
    # x is the first axis of a file: 2 mm a column
    assert score("hd95", paths, spacing_mm=[2, 7], percentile=100).values["hd95"] == pytest.approx(2)
    assert score("nsd", paths, spacing_mm=[2, 7], tolerance_mm=2).values["nsd"] == 1


def test_bad_masks_are_named(tmp_path: Path) -> None:
    paths = folders(tmp_path, a=ONE)
    for mask, complaint in (
        (labels("11"), r"expected shape \(3, 4, 1\) as the reference has, found \(1, 2, 1\)"),
        (np.full((3, 4, 1), 0.5, np.float32), "expected whole numbers from 0 to 65535 as labels, found 0.5"),
        (np.full((3, 4, 1), np.nan, np.float32), "found nan"),
        (np.full((3, 4, 1), -1, np.int16), "found -1"),
        (np.ones((3, 4, 1, 2, 2), np.uint8), "expected a label map with 2 or 3 axes"),
    ):
        write_volume(paths[1] / "a.nii.gz", mask)
        with pytest.raises(AnswerError, match=complaint) as caught:
            score("dice", paths)
        assert caught.value.record == "a"
    (paths[1] / "a.nii").write_bytes(b"")
    with pytest.raises(AnswerError, match="expected one mask"):
        score("dice", paths)
    with pytest.raises(ReferenceDataError, match="expected a mask for every record"):
        make({"measure": "segmentation.dice"}).score(*paths, records=["z"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(ReferenceDataError, match="expected at least one"):
        score("dice", (tmp_path / "empty", paths[1]))
    with pytest.raises(AnswerError, match="expected a folder"):
        score("dice", (paths[0], tmp_path / "none"))


def test_bad_png_is_named(tmp_path: Path) -> None:
    references = png(tmp_path / "r" / "a.png", [[0, 1]]).parent
    for pixels, complaint in ([[[1, 2, 3]] * 2], "one channel"), ([[1]], r"expected shape \(1, 2\)"):
        answers = png(tmp_path / "a" / "a.png", pixels).parent
        with pytest.raises(AnswerError, match=complaint):
            score("dice", (references, answers))
    (answers / "a.png").write_bytes(b"\x89PNG")
    with pytest.raises(AnswerError, match="expected a PNG image"):
        score("dice", (references, answers))


def test_two_single_files_are_one_record_and_others_are_ignored(tmp_path: Path) -> None:
    paths = folders(tmp_path, a=ONE, b=(None, ONE[1]))
    assert score("dice", paths).notes == ("1 answers for records outside the list are ignored: b",)
    files = paths[0] / "a.nii.gz", paths[1] / "b.nii.gz"
    assert score("dice", files).values == score("dice", paths).values


def test_patients_come_from_a_table_beside_the_masks(tmp_path: Path) -> None:
    paths = folders(tmp_path, a=ONE, b=ONE)
    write(paths[0] / "clusters.csv", "record,patient\na,p\nb,p")
    resampler = score("dice", paths).resampler
    assert resampler is not None
    assert resampler.clusters == ("p", "p")
    write(paths[0] / "clusters.csv", "record,patient\na,p")
    with pytest.raises(ReferenceDataError, match="expected a patient for every record"):
        score("dice", paths)


@pytest.mark.parametrize(
    ("options", "answer", "spacing", "note"),
    [
        ({}, ONE[0] > 0, (1.0, 1.0, 3.0), "answers have another affine or spacing than their reference"),
        ({}, ONE[0], (1.0, 2.0, 3.0), "answers have several labels where their reference has one"),
        (
            {"labels": {"A": [1]}},
            255 * (ONE[0] > 0),
            (1.0, 2.0, 3.0),
            "answers have labels that are neither in the option labels nor in their reference",
        ),
    ],
)
def test_likely_mistakes_in_masks_are_said(
    tmp_path: Path, options: dict[str, Any], answer: NDArray[Any], spacing: tuple[float, ...], note: str
) -> None:
    paths = folders(tmp_path, a=((ONE[0] > 0).astype(np.uint8), None))
    write_volume(paths[1] / "a.nii.gz", answer.astype(np.uint8), spacing_mm=spacing)
    report = score("dice", paths, **options)
    assert [text.record for text in report.notes] == [None, "a"]
    assert report.notes[0].startswith(f"1 {note}")


def test_files_of_other_kinds_are_no_answers(tmp_path: Path) -> None:
    paths = folders(tmp_path, a=ONE)
    (paths[1] / "b.mha").touch()
    assert score("dice", paths).notes == (
        "1 files of the answers are neither .nii, .nii.gz nor .png and are ignored: b.mha",
    )
    (paths[1] / "a.nii.gz").unlink()
    with pytest.raises(AnswerError, match=r"expected files <record>\.nii\.gz or \.png, found only b\.mha"):
        score("dice", paths)


def of(name: str, reference: Any, answer: Any, **options: Any) -> float:
    measure: Any = make({"measure": f"segmentation.{name}", **options})
    value: float = measure.value_of_masks(np.asarray(reference, bool), np.asarray(answer, bool), (1.0, 1.0, 1.0))
    return value


def box(*places: tuple[int, int], size: int = 24) -> Any:
    """Bars of 2 x 2 voxels along the last axis, each from one place to before another."""
    mask = np.zeros((6, 6, size), bool)
    for start, stop in places:
        mask[2:4, 2:4, start:stop] = True
    return mask


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
        values = [of("lesion_dice", *pair, dilation=dilation, least_mm3=least) for pair in pairs]
        assert values == pytest.approx(official)


LESION_DICE = {
    (3, 50.0): [0.0, 0.4881799, 0.1626016, 0.3095238, 0.1922509, 0.2380952, 0.02777778, 0.20625, 0.15, 0.25],
    (1, 2.0): [0.0, 0.4180459, 0.1626016, 0.2063492, 0.2285714, 0.2380952, 0.08518519, 0.165, 0.2111111, 0.3125],
}
"""Of BraTS-2023-Metrics 43c90524, with cc3d 4.1: steps of dilation and volume not counted (BraTS-GLI, BraTS-MET)."""


def test_small_and_absent_lesions_by_hand() -> None:
    # half of the lesion of 16 voxels is found, that of 8 does not count, and another is invented
    reference, answer = box((0, 4), (20, 22), size=60), box((0, 2), (40, 42), size=60)
    assert of("lesion_dice", reference, answer, least_mm3=8) == pytest.approx((2 * 8 / (16 + 8)) / 2)
    assert of("lesion_dice", box(), box((0, 4))) == 0
    assert of("lesion_dice", box((0, 2)), box()) == 1  # too small to count, as in the official program
    assert of("lesion_dice", box(), box()) == 1
