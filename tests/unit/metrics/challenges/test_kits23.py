"""KiTS23: three nested classes, Dice and surface Dice."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics import AnswerError, ReferenceDataError
from metrics.challenges.kits23 import KEYS, METRIC
from tests.support.volume_files import labels, pair_score, write_volume

REFERENCE = labels("111123", "000000", "000000")
ANSWER = labels("100022", "000110", "000000")
score = partial(pair_score, METRIC)


@pytest.mark.parametrize("rules", ["official", "corrected"])
def test_dice_of_the_nested_classes_counted_by_hand(tmp_path: Path, rules: str) -> None:
    values = score(tmp_path, REFERENCE, ANSWER, rules).values
    wished = {
        "dice_kidney_and_mass": 2 * 3 / (6 + 5),
        "dice_mass": 2 * 2 / (2 + 2),
        "dice_tumor": 2 * 1 / (1 + 2),
    }
    assert {key: values[key] for key in wished} == pytest.approx(wished)
    assert values["dice"] == pytest.approx(sum(wished.values()) / 3)
    assert values["surface_dice_mass"] == 1
    assert tuple(values) == KEYS


@pytest.mark.parametrize("rules", ["official", "corrected"])
def test_two_empty_masks_are_one_and_exactly_one_is_nothing(tmp_path: Path, rules: str) -> None:
    values = score(tmp_path, np.uint8(REFERENCE == 1), np.uint8(ANSWER == 1), rules).values
    assert values["dice_tumor"] == values["surface_dice_tumor"] == 1
    values = score(tmp_path, np.uint8(REFERENCE == 1), ANSWER, rules).values
    assert values["dice_tumor"] == values["surface_dice_tumor"] == 0


def test_distances_are_in_the_answers_voxels_officially_and_in_the_references_corrected(tmp_path: Path) -> None:
    reference = write_volume(tmp_path / "r.nii.gz", labels("0110"), spacing_mm=(1, 5, 1))
    answer = write_volume(tmp_path / "a.nii.gz", labels("0011"), spacing_mm=(1, 0.5, 1))
    official, corrected = (METRIC.score(reference, answer, rules=rules) for rules in ("official", "corrected"))
    assert official.values["surface_dice_kidney_and_mass"] == 1
    assert corrected.values["surface_dice_kidney_and_mass"] < 1
    assert any("in the answer's voxel size" in note for note in official.notes)
    assert any("in the reference's voxel size" in note for note in corrected.notes)


@pytest.mark.parametrize("size", [0, 1e-38, 1e38])  # areas of which are no numbers
def test_voxel_without_size_is_the_fault_of_whose_is_used(tmp_path: Path, size: float) -> None:
    flat = write_volume(tmp_path / "flat.nii.gz", REFERENCE, spacing_mm=(1, size, 1))
    good = write_volume(tmp_path / "good.nii.gz", REFERENCE)
    with pytest.raises(AnswerError, match="voxel size above 0"):
        METRIC.score(good, flat, rules="official")
    with pytest.raises(ReferenceDataError, match="voxel size above 0"):
        METRIC.score(flat, good)
    assert METRIC.score(good, flat).values["dice"] == METRIC.score(flat, good, rules="official").values["dice"] == 1


@pytest.mark.parametrize("rules", ["official", "corrected"])
@pytest.mark.parametrize("value", [0.5, 4, -1, 257, 1.01])
def test_value_that_is_no_label_is_background(tmp_path: Path, rules: str, value: float) -> None:
    answer = ANSWER.astype(np.float32)
    answer[1, 0] = value
    report = score(tmp_path, REFERENCE, answer, rules)
    assert report.values == score(tmp_path, REFERENCE, ANSWER, rules).values
    assert any("1 voxels of the answer are not labels" in note for note in report.notes)


def test_other_shape_counts_officially_only_while_no_class_is_in_both(tmp_path: Path) -> None:
    narrow = ANSWER[:2]
    with pytest.raises(AnswerError, match="expected shape"):
        score(tmp_path, REFERENCE, narrow, "official")
    values = score(tmp_path, np.where(REFERENCE == 2, REFERENCE, 0), narrow * 0, "official").values
    assert values["dice_tumor"] == 0
    values = score(tmp_path, REFERENCE * 0, narrow * 0, "official").values
    assert values["dice"] == values["surface_dice"] == 1
    output = np.full((*REFERENCE.shape, 3), 1 / 3)
    assert score(tmp_path, REFERENCE, output, "official").values["dice"] == 0


@pytest.mark.parametrize(
    ("rules", "answer", "message"),
    [
        *((rules, np.where(ANSWER > 0, np.nan, 0), "nan") for rules in ("official", "corrected")),
        *((rules, np.zeros((100, 100, 100), np.uint8), "expected shape") for rules in ("official", "corrected")),
        ("corrected", ANSWER[:2] * 0, "expected shape"),
        ("corrected", np.full((*REFERENCE.shape, 3), 1 / 3), "3 axes"),
    ],
)
def test_nan_and_other_shapes_are_refused(tmp_path: Path, rules: str, answer: Any, message: str) -> None:
    with pytest.raises(AnswerError, match=message):
        score(tmp_path, REFERENCE, answer, rules)


def cohort(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("case_00001", "case_00002"):
        write_volume(tmp_path / "references" / f"{name}.nii.gz", REFERENCE)
    write_volume(tmp_path / "answers" / "case_00001.nii.gz", REFERENCE)
    return tmp_path / "references", tmp_path / "answers"


def test_missing_case_is_a_miss_when_corrected_and_not_looked_at_officially(tmp_path: Path) -> None:
    corrected = METRIC.score(*cohort(tmp_path))
    assert corrected.values["dice"] == corrected.values["surface_dice"] == 0.5
    official = METRIC.score(*cohort(tmp_path), rules="official")
    assert official.values["dice"] == 1
    assert list(official.per_record) == ["case_00001"]


def test_official_program_stops_without_predictions_or_without_a_reference(tmp_path: Path) -> None:
    references, answers = cohort(tmp_path)
    write_volume(answers / "case_00009.nii.gz", REFERENCE)
    with pytest.raises(AnswerError, match="case_00009"):
        METRIC.score(references, answers, rules="official")
    (tmp_path / "none").mkdir()
    with pytest.raises(AnswerError, match="at least one prediction"):
        METRIC.score(references, tmp_path / "none", rules="official")
