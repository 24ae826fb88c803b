"""Bounded reading of NIfTI label volumes."""

from __future__ import annotations

import gzip
import os
import tracemalloc
from pathlib import Path
from typing import Any

import nibabel
import numpy as np
import pytest
from numpy.typing import NDArray

import metrics
from metrics.base import AnswerError, ReferenceDataError
from metrics.readers.volumes import (
    MAX_VOXELS,
    OUTSIDE,
    PIECE_VOXELS,
    Volume,
    affine_note,
    compare,
    count_codes,
    open_volume,
    whole_labels,
)
from tests.support.volume_files import labels, nifti_bytes, write_volume

RNG = np.random.default_rng(0)
VALUES = RNG.integers(0, 4, (5, 4, 3))


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


def test_file_without_compression_is_read_whatever_its_name(tmp_path: Path) -> None:
    file = write_volume(tmp_path / "a.nii", VALUES.astype(np.uint8)).rename(tmp_path / "b.nii.gz")
    assert np.array_equal(loaded(file), VALUES.T)


def test_background_of_a_file_with_an_intercept_is_not_skipped(tmp_path: Path) -> None:
    file = write_volume(tmp_path / "a.nii.gz", np.zeros((4, 4, 4), np.uint8), scaling=(1.0, 2.0))
    assert (loaded(file) == 2).all()


def test_gzip_of_several_members_is_read_whole(tmp_path: Path) -> None:
    content = nifti_bytes(VALUES.astype(np.uint8))
    file = tmp_path / "a.nii.gz"
    file.write_bytes(gzip.compress(content[:370]) + gzip.compress(content[370:]))
    assert np.array_equal(loaded(file), VALUES.T)


@pytest.mark.parametrize("cut", [1, 4, 8, 9, 30, 60])
def test_truncated_gzip_is_refused_wherever_it_is_cut(tmp_path: Path, cut: int) -> None:
    file = write_volume(tmp_path / "a.nii.gz", VALUES.astype(np.uint8))
    file.write_bytes(file.read_bytes()[:-cut])
    with pytest.raises(AnswerError, match="case_00001"):
        loaded(file)


def test_file_shorter_than_its_header_says_is_refused(tmp_path: Path) -> None:
    file = write_volume(tmp_path / "a.nii", VALUES.astype(np.uint8))
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(AnswerError, match=r"60 voxels of uint8.*1 bytes early|60 voxels of uint8"):
        loaded(file)


def header_with(**fields: Any) -> bytes:
    content = bytearray(nifti_bytes(labels("012")))
    places = {"dim": (40, "<i2"), "datatype": (70, "<i2"), "vox_offset": (108, "<f4"), "scl_inter": (116, "<f4")}
    for name, value in fields.items():
        offset, dtype = places[name]
        packed = np.asarray(value, dtype).tobytes()
        content[offset : offset + len(packed)] = packed
    if "scl_inter" in fields:
        content[112:116] = np.float32(1).tobytes()
    return bytes(content)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"dim": [3, 32767, 32767, 32767]}, f"at most {MAX_VOXELS:,} voxels"),
        ({"dim": [7] + [32767] * 7}, "at most"),
        ({"dim": [3, 0, 3, 1]}, "at least one voxel"),
        ({"dim": [3, -3, 3, 1]}, "at least one voxel"),
        ({"dim": [9, 3, 3, 1]}, "1 to 7 axes"),
        ({"datatype": 32}, "integer or floating-point"),
        ({"datatype": 128}, "integer or floating-point"),
        ({"datatype": 77}, "known type"),
        ({"vox_offset": 1e9}, "voxels to start"),
        ({"vox_offset": np.nan}, "voxels to start"),
        ({"scl_inter": np.inf}, "usable scaling"),
    ],
)
def test_impossible_header_is_refused_before_anything_is_allocated(
    tmp_path: Path, fields: dict[str, Any], message: str
) -> None:
    file = tmp_path / "a.nii"
    file.write_bytes(header_with(**fields))
    with pytest.raises(AnswerError, match=message):
        opened(file)


@pytest.mark.parametrize("content", [b"", b"\x1f\x8b", b"GIF89a", bytes(600), b"\x5c\x01\x00\x00" + bytes(100)])
def test_file_that_is_no_nifti_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "a.nii.gz"
    file.write_bytes(content)
    with pytest.raises(ReferenceDataError, match="NIfTI"):
        open_volume(file, ReferenceDataError, record="r")


def test_missing_file_folder_and_pipe_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.nii.gz")
    (tmp_path / "folder.nii.gz").mkdir()
    for name in ("pipe", "folder", "absent"):
        with pytest.raises(AnswerError, match=name):
            opened(tmp_path / f"{name}.nii.gz")


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


@pytest.mark.parametrize("value", [np.nan, np.inf, 0.5])
def test_value_that_is_no_whole_number_is_named(tmp_path: Path, value: float) -> None:
    values = VALUES.astype(np.float32)
    values[2, 2, 2] = value
    with pytest.raises(AnswerError, match=f"found {value}"):
        loaded(write_volume(tmp_path / "a.nii.gz", values))


def test_strict_coder_names_the_first_label_outside_the_set(tmp_path: Path) -> None:
    file = write_volume(tmp_path / "a.nii.gz", np.array([[[0, 1, 7]]], np.int8))
    assert loaded(file).ravel().tolist() == [0, 1, OUTSIDE]
    with pytest.raises(AnswerError, match="labels 0 to 2, found 7"):
        opened(file).load(whole_labels(2, strict=True))


@pytest.mark.parametrize("types", [("uint8", "uint8"), ("uint8", "int16"), ("float64", "uint8")])
def test_two_files_are_counted_as_their_codes_say_whatever_they_store(tmp_path: Path, types: tuple[str, str]) -> None:
    truth = np.zeros((67, 70, 60), np.uint8)
    truth[20:50, 8:40, 3:30] = 1
    truth[30:35, 20:31, 8:50] = RNG.integers(0, 9, (5, 11, 42))
    found = np.roll(truth, 3, axis=0)
    assert truth.size > PIECE_VOXELS
    files = [
        write_volume(tmp_path / f"{name}.nii.gz", values.astype(dtype))
        for name, values, dtype in zip("ab", (truth, found), types, strict=True)
    ]
    counts = compare(*map(opened, files), whole_labels(3), whole_labels(7))
    wished = np.zeros((256, 256), np.int64)
    np.add.at(wished, (np.where(truth > 3, OUTSIDE, truth), np.where(found > 7, OUTSIDE, found)), 1)
    assert np.array_equal(counts, wished)


def test_other_shape_is_the_answers_fault_and_names_both(tmp_path: Path) -> None:
    reference = opened(write_volume(tmp_path / "r.nii.gz", labels("012")))
    answer = opened(write_volume(tmp_path / "a.nii.gz", labels("0120")))
    with pytest.raises(AnswerError, match=r"\(1, 3, 1\).*\(1, 4, 1\)"):
        compare(reference, answer, whole_labels(2), whole_labels(2))


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


def test_an_answer_without_orientation_is_not_called_mirrored(tmp_path: Path) -> None:
    nibabel.Nifti1Image(VALUES.astype(np.uint8), _diagonal(1, 1, 1)).to_filename(tmp_path / "r.nii")
    reference, answer = opened(tmp_path / "r.nii"), opened(write_volume(tmp_path / "a.nii", VALUES.astype(np.uint8)))
    assert affine_note(reference, answer) == "case_00001: by its header the answer is without an orientation"


@pytest.mark.parametrize("slope", [0.0, np.nan, np.inf])
def test_a_slope_that_is_no_number_scales_nothing_as_in_nibabel(tmp_path: Path, slope: float) -> None:
    volume = opened(write_volume(tmp_path / "a.nii", labels("012"), scaling=(slope, 0.0)))
    assert volume.load(whole_labels(2)).ravel().tolist() == [0, 1, 2]


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
    write_volume(tmp_path / "r" / "case_00000.nii.gz", VALUES.clip(0, 2).astype(np.uint8))
    write_volume(tmp_path / "a" / "case_00000.nii.gz", stored, **options)
    report = metric.score(tmp_path / "r", tmp_path / "a")
    assert report.values[report.primary] == pytest.approx(1)
    assert any(noted in note for note in report.notes) if noted else not report.notes
