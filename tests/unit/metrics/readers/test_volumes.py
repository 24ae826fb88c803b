"""Bounded reading of NIfTI label volumes."""

import gzip
import tracemalloc
from pathlib import Path
from typing import Any

import nibabel
import numpy as np
import pytest
from numpy.typing import NDArray

import metrics
from metrics.base import AnswerError
from metrics.readers.volumes import (
    OUTSIDE,
    PIECE_VOXELS,
    Volume,
    affine_note,
    compare,
    count_codes,
    open_volume,
    whole_labels,
)
from tests.support.volume_files import labels, nifti_bytes, write_pairs, write_volume

VALUES = np.random.default_rng(0).integers(0, 4, (5, 4, 3))


def opened(path: Path) -> Volume:
    return open_volume(path, AnswerError, record="case_00001")


def loaded(path: Path) -> NDArray[np.uint8]:
    return opened(path).load(whole_labels(3))


@pytest.mark.parametrize(
    "dtype", ["uint8", "int8", "uint16", "int16", "int32", "uint32", "int64", "float32", "float64"]
)
@pytest.mark.parametrize("options", [{}, {"big_endian": True}, {"version": 2}])
def test_every_type_of_voxel_gives_the_same_codes(tmp_path: Path, dtype: str, options: dict[str, Any]) -> None:
    file = write_volume(tmp_path / "a.nii.gz", VALUES.astype(dtype), **options)
    assert np.array_equal(loaded(file), VALUES.T)
    assert opened(file).shape == VALUES.shape


PLAIN = nifti_bytes(VALUES.astype(np.uint8))


@pytest.mark.parametrize(
    ("content", "codes"),
    [
        (PLAIN, VALUES.T),  # whatever its name
        (gzip.compress(PLAIN[:370]) + gzip.compress(PLAIN[370:]), VALUES.T),
        # a slope that is no number scales nothing, as in nibabel
        *((nifti_bytes(VALUES.astype(np.uint8), scaling=(slope, 0.0)), VALUES.T) for slope in (0, np.nan, np.inf)),
        # background with an intercept is none
        (nifti_bytes(np.zeros((4, 4, 4), np.uint8), scaling=(1.0, 2.0)), np.full((4, 4, 4), 2)),
    ],
)
def test_content_decides_how_a_file_is_read(tmp_path: Path, content: bytes, codes: NDArray[Any]) -> None:
    (tmp_path / "a.nii.gz").write_bytes(content)
    assert np.array_equal(loaded(tmp_path / "a.nii.gz"), codes)


def test_bomb_that_keeps_to_its_header_takes_no_memory(tmp_path: Path) -> None:
    header = bytearray(nifti_bytes(labels("0"))[:352])
    header[40:48] = np.array([3, 700, 700, 200], "<i2").tobytes()
    file = tmp_path / "a.nii.gz"
    with gzip.open(file, "wb", 1) as stream:
        stream.write(header)
        for _ in range(98):
            stream.write(bytes(1_000_000))
    volume = opened(file)
    tracemalloc.start()
    assert count_codes(volume, whole_labels(2))[0] == 98_000_000
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


@pytest.mark.parametrize("types", [("uint8", "uint8"), ("uint8", "int16"), ("float64", "uint8")])
def test_two_files_are_counted_as_their_codes_say_whatever_they_store(tmp_path: Path, types: tuple[str, str]) -> None:
    truth = np.zeros((67, 70, 60), np.uint8)
    truth[20:50, 8:40, 3:30] = 1
    truth[30:35, 20:31, 8:50] = np.random.default_rng(1).integers(0, 9, (5, 11, 42))
    answer = np.roll(truth, 3, axis=0)
    assert truth.size > PIECE_VOXELS
    files = [
        write_volume(tmp_path / f"{name}.nii.gz", values.astype(dtype))
        for name, values, dtype in zip("ab", (truth, answer), types, strict=True)
    ]
    counts = compare(*map(opened, files), whole_labels(3), whole_labels(7))
    wished = np.zeros((256, 256), np.int64)
    np.add.at(wished, (np.where(truth > 3, OUTSIDE, truth), np.where(answer > 7, OUTSIDE, answer)), 1)
    assert np.array_equal(counts, wished)


def test_spacing_is_in_mm_whatever_the_unit(tmp_path: Path) -> None:
    content = bytearray(nifti_bytes(labels("0"), spacing_mm=(0.5, 2, 3)))
    for unit, factor in ((0, 1), (2, 1), (1, 1000), (3, 0.001)):
        content[123] = unit
        (tmp_path / "a.nii").write_bytes(content)
        assert opened(tmp_path / "a.nii").spacing_mm == pytest.approx((0.5 * factor, 2 * factor, 3 * factor))


def _diagonal(*lengths: float, origin: tuple[float, float, float] = (0, 0, 0)) -> NDArray[np.float64]:
    affine = np.diag([*lengths, 1.0])
    affine[:3, 3] = origin
    return affine


@pytest.mark.parametrize(
    ("affine", "how"),
    [
        (_diagonal(-1, 1, 3, origin=(4, 0, 0)), "mirrored in x"),
        (_diagonal(-1, -1, 3, origin=(4, 3, 0)), "mirrored in x and y"),
        (_diagonal(1, 1, 2), "of another spacing, 1 x 1 x 2 mm, and the reference has 1 x 1 x 3 mm"),
        (_diagonal(1, 1, 3.0004), "of another spacing, 1 x 1 x 3.0004"),
        (_diagonal(1, 1, 3, origin=(0, 0, -7)), "of another origin, 0 x 0 x -7 mm"),
        (_diagonal(1, 1, 3)[[1, 0, 2, 3]], "turned or sheared in x and y"),
        (np.array([[0.8, -0.6, 0, 0], [0.6, 0.8, 0, 0], [0, 0, 3, 0], [0, 0, 0, 1]]), "turned or sheared in x and y"),
    ],
)
def test_headers_that_differ_say_how(tmp_path: Path, affine: NDArray[np.float64], how: str) -> None:
    volumes = []
    for name, each in (("r.nii", _diagonal(1, 1, 3)), ("a.nii", affine)):
        nibabel.Nifti1Image(VALUES.astype(np.uint8), each).to_filename(tmp_path / name)
        volumes.append(opened(tmp_path / name))
    assert f"the answer is {how}" in (affine_note(*volumes) or "")
    plain = opened(write_volume(tmp_path / "a.nii", VALUES.astype(np.uint8), spacing_mm=(1, 1, 3)))
    assert affine_note(volumes[0], plain) == "case_00001: by its header the answer is without an orientation"


FOUR = [metrics.get(name) for name in ("kits19", "kits23", "mlperf_kits19", '{"measure": "segmentation.dice"}')]
SCALED = {"scaling": (2 / 32767, 0.0)}
BEHIND_A_SLOPE = (VALUES.clip(0, 2) * 16383).astype(np.int16)  # 0.99994 and 1.99988


@pytest.mark.parametrize("metric", FOUR, ids=lambda metric: str(metric.name))
@pytest.mark.parametrize(
    ("stored", "options", "noted"),
    [
        (BEHIND_A_SLOPE, SCALED, "not quite whole numbers"),
        ((VALUES.clip(0, 2) * 0.9999).astype(np.float32), {}, "not quite whole numbers"),
        (VALUES.clip(0, 2)[..., None].astype(np.uint8), {}, ""),
    ],
)
def test_label_maps_as_programs_save_them_are_read_alike_by_all_metrics(
    tmp_path: Path, metric: metrics.Metric, stored: NDArray[Any], options: dict[str, Any], noted: str
) -> None:
    write_pairs(tmp_path, {"case_00000": (VALUES.clip(0, 2).astype(np.uint8), None)})
    report = metric.score(*write_pairs(tmp_path, {"case_00000": (None, stored)}, **options))
    assert report.values[report.primary] == pytest.approx(1)
    assert any(noted in note for note in report.notes) if noted else not report.notes
