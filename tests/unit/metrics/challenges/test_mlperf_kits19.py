"""MLPerf unet3d: smoothed Dice per class, the 42 cases, and shards of many workers."""

from __future__ import annotations

import functools
import operator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics import AnswerError, ReferenceDataError
from metrics.challenges.mlperf_kits19 import (
    EVALUATION_CASES,
    METRIC,
    _dice_values,
    single_precision_mean,
)
from metrics.readers.volumes import joint_histogram
from tests.support.volume_files import labels, write_volume

REFERENCE = labels("111122", "000000")
ANSWER = labels("100020", "000110")


def dice_of(answer: Any, rules: str = "corrected", reference: Any = REFERENCE) -> dict[str, float]:
    return _dice_values(joint_histogram([(reference, answer)]), rules)


def smoothed(overlap: int, sizes: int) -> float:
    return (2 * overlap + 1e-6) / (sizes + 1e-6)


@pytest.mark.parametrize("rules", ["official", "corrected"])
def test_kidney_without_tumour_and_tumour_are_counted_by_hand(rules: str) -> None:
    values = dice_of(ANSWER, rules)
    l1, l2 = smoothed(1, 4 + 3), smoothed(1, 2 + 1)
    assert values == pytest.approx({"mean_dice": (l1 + l2) / 2, "l1_dice": l1, "l2_dice": l2}, abs=1e-6)


def test_official_dice_is_of_single_precision_and_corrected_of_double() -> None:
    official, corrected = (dice_of(ANSWER, rules)["l1_dice"] for rules in ("official", "corrected"))
    assert official == float(np.float32(official))
    assert corrected == smoothed(1, 7)


def test_official_means_are_of_single_precision(tmp_path: Path) -> None:
    report = METRIC.score(*benchmark_folders(tmp_path, 42), records=EVALUATION_CASES, rules="official")
    rows = [*report.per_record.values(), report.values]
    for key in ("l1_dice", "l2_dice"):
        assert report.values[key] == single_precision_mean([float(row[key]) for row in rows[:-1]])
    for row in rows:
        assert row["mean_dice"] == float((np.float32(row["l2_dice"]) + np.float32(row["l1_dice"])) / np.float32(2))


@pytest.mark.parametrize("n", [1, 3, 4, 42, 63, 64, 65, 200, 1100])
def test_single_precision_mean_adds_in_the_order_of_pytorch_in_blocks_of_sixteen(n: int) -> None:
    x = np.random.default_rng(n).random(n).astype(np.float32)
    rows = n // 4
    sums = []
    for lane in range(4):
        column = x[: rows * 4].reshape(rows, 4)[:, lane]
        blocks = [functools.reduce(operator.add, column[i : i + 16]) for i in range(0, rows // 16 * 16, 16)]
        groups = [functools.reduce(operator.add, blocks[i : i + 16]) for i in range(0, len(blocks) // 16 * 16, 16)]
        rest = functools.reduce(operator.add, column[rows // 16 * 16 :], np.float32(0))
        second = functools.reduce(operator.add, blocks[len(blocks) // 16 * 16 :], np.float32(0))
        third = functools.reduce(operator.add, groups, np.float32(0))
        sums.append(rest + second + third)
    total = functools.reduce(operator.add, x[rows * 4 :], sums[0]) + sums[1] + sums[2] + sums[3]
    assert single_precision_mean(x.tolist()) == float(total / np.float32(n))
    assert single_precision_mean(x.tolist()) == pytest.approx(x.mean(dtype=np.float64), rel=1e-6)


def test_label_outside_the_set_stops_officially_and_is_background_corrected(tmp_path: Path) -> None:
    answer = ANSWER.copy()
    answer[1, 0] = 3
    files = write_volume(tmp_path / "r.nii.gz", REFERENCE), write_volume(tmp_path / "a.nii.gz", answer)
    with pytest.raises(AnswerError, match="labels 0 to 2, found 3"):
        METRIC.score(*files, rules="official")
    report = METRIC.score(*files)
    assert report.values["mean_dice"] == dice_of(ANSWER)["mean_dice"]
    assert any("are not labels" in note for note in report.notes)
    with pytest.raises(ReferenceDataError):
        METRIC.score(*files[::-1], rules="official")


@pytest.mark.parametrize("rules", ["official", "corrected"])
def test_fraction_is_refused_but_a_whole_number_of_any_type_is_a_label(tmp_path: Path, rules: str) -> None:
    reference = write_volume(tmp_path / "r.nii.gz", REFERENCE)
    answer = write_volume(tmp_path / "a.nii.gz", ANSWER.astype(np.float64))
    assert METRIC.score(reference, answer, rules=rules).values["mean_dice"] == dice_of(ANSWER, rules)["mean_dice"]
    answer = write_volume(tmp_path / "b.nii.gz", np.where(ANSWER > 0, 0.5, 0))
    with pytest.raises(AnswerError, match=r"found 0\.5"):
        METRIC.score(reference, answer, rules=rules)


def benchmark_folders(tmp_path: Path, cases: int) -> tuple[Path, Path]:
    rng = np.random.default_rng(cases)
    for case in EVALUATION_CASES[:cases]:
        reference, answer = rng.integers(0, 3, (2, 5, 5, 5)).astype(np.uint8)
        write_volume(tmp_path / "references" / f"{case}.nii.gz", reference)
        write_volume(tmp_path / "answers" / f"{case}.nii.gz", answer)
    return tmp_path / "references", tmp_path / "answers"


def test_each_of_the_listed_cases_weighs_the_same_and_a_missing_one_is_a_miss(tmp_path: Path) -> None:
    references, answers = benchmark_folders(tmp_path, 42)
    (answers / "case_00207.nii.gz").unlink()
    report = METRIC.score(references, answers, records=EVALUATION_CASES)
    assert list(report.per_record) == list(EVALUATION_CASES)
    assert report.per_record["case_00207"]["mean_dice"] == 0
    exact = sum(Fraction(float(values["mean_dice"])) for values in report.per_record.values()) / 42
    assert report.values["mean_dice"] == pytest.approx(float(exact), abs=1e-15)
    with pytest.raises(AnswerError, match="case_00207"):
        METRIC.score(references, answers, records=EVALUATION_CASES, rules="official")
