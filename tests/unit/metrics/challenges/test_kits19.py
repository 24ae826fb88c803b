"""KiTS19: the two Dice numbers, both rules, and finding the files of a case."""

from __future__ import annotations

import gc
import math
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import metrics
from metrics import AnswerError, ReferenceDataError
from metrics.challenges.kits19 import METRIC, dice_values
from metrics.readers.volumes import joint_histogram
from tests.support.volume_files import labels, pair_score, write_volume

# kidney 4 voxels, tumour 2; the answer has one voxel of each right
REFERENCE = labels("111122", "000000")
ANSWER = labels("100020", "000110")
score = partial(pair_score, METRIC)


@pytest.mark.parametrize("rules", ["official", "corrected"])
def test_dice_counted_by_hand(tmp_path: Path, rules: str) -> None:
    report = score(tmp_path, REFERENCE, ANSWER, rules)
    # kidney and tumour: 2 shared of 6 and 4; tumour: 1 shared of 2 and 1
    tk, tu = 2 * 2 / (6 + 4), 2 * 1 / (2 + 1)
    assert report.values == pytest.approx({"composite": (tk + tu) / 2, "tk_dice": tk, "tu_dice": tu})
    assert report.primary == next(iter(report.values)) == "composite"
    assert report.per_record == {"reference": report.values}


@pytest.mark.parametrize(
    ("value", "official", "corrected", "note"),
    [
        *((value, 2, 0, "1 voxels of the answer are not labels") for value in (3, -1, 258)),
        (256, 0, 0, "1 voxels of the answer are not labels"),
        (257, 1, 0, "1 voxels of the answer are not labels"),
        # fractions are rounded half to even, and chances are no labels
        *(
            (value, label, label, "1 voxels of the answer are fractions and are rounded")
            for value, label in ((0.5, 0), (0.51, 1), (1.5, 2), (2.5, 2), (1.49, 1), (-0.4, 0))
        ),
    ],
)
def test_other_values_wrap_officially_and_are_background_corrected_where_fractions_are_rounded(
    tmp_path: Path, value: float, official: int, corrected: int, note: str
) -> None:
    for rules, meant in (("official", official), ("corrected", corrected)):
        answer, same = ANSWER.astype(np.int16 if isinstance(value, int) else np.float32), ANSWER.copy()
        answer[1, 0], same[1, 0] = value, meant
        report = score(tmp_path, REFERENCE, answer, rules)
        assert report.values == score(tmp_path, REFERENCE, same, rules).values
    assert [each.record for each in report.notes if note in each] == ["reference"]
    assert not score(tmp_path, REFERENCE, ANSWER.astype(np.float32), "corrected").notes


def test_reference_with_another_label_or_without_one_by_the_corrected_rules(tmp_path: Path) -> None:
    reference = REFERENCE.copy()
    reference[1, 1] = 3
    corrected = score(tmp_path, reference, ANSWER, "corrected").values
    assert corrected == score(tmp_path, REFERENCE, ANSWER, "corrected").values
    assert score(tmp_path, reference, ANSWER, "official").values["tu_dice"] == pytest.approx(2 * 1 / (3 + 1))
    assert score(tmp_path, np.uint8(REFERENCE > 0), np.uint8(ANSWER > 0), "corrected").values["tu_dice"] == 0


@pytest.mark.parametrize("rules", ["official", "corrected"])
@pytest.mark.parametrize(
    ("answer", "message"),
    [
        *((np.where(ANSWER == 2, value, ANSWER), str(value)) for value in (np.nan, np.inf, -np.inf)),
        (np.zeros((*REFERENCE.shape, 3), np.float32), "3 axes"),  # of a network
    ],
)
def test_values_that_are_no_numbers_and_chances_are_refused(
    tmp_path: Path, rules: str, answer: Any, message: str
) -> None:
    with pytest.raises(AnswerError, match=message):
        score(tmp_path, REFERENCE, answer, rules)


def test_wrong_affine_is_a_note_and_not_an_error(tmp_path: Path) -> None:
    reference = write_volume(tmp_path / "r.nii.gz", REFERENCE)
    answer = write_volume(tmp_path / "a.nii.gz", ANSWER, spacing_mm=(9, 1, 1))
    for rules in metrics.base.RULES:
        report = METRIC.score(reference, answer, rules=rules)
        assert any("9 x 1 x 1 mm" in note for note in report.notes)


def cohort(tmp_path: Path) -> tuple[Path, Path]:
    """Two cases, each file laid out in another way."""
    references, answers = tmp_path / "references", tmp_path / "answers"
    write_volume(references / "case_00001" / "segmentation.nii.gz", REFERENCE)
    write_volume(references / "case_00001" / "imaging.nii.gz", REFERENCE * 0)
    write_volume(references / "case_00002.nii.gz", REFERENCE)
    write_volume(answers / "prediction_00001.nii.gz", ANSWER)
    write_volume(answers / "00002.nii", REFERENCE)
    return references, answers


@pytest.mark.parametrize("rules", ["official", "corrected"])
def test_all_ways_to_lay_out_a_case_are_found(tmp_path: Path, rules: str) -> None:
    report = METRIC.score(*cohort(tmp_path), rules=rules)
    composite = dice_values(joint_histogram([(REFERENCE, ANSWER)]), rules="corrected")["composite"]
    assert report.values["composite"] == pytest.approx((composite + 1) / 2)
    assert set(report.per_record) == {"case_00001", "case_00002"}


def test_record_list_decides_which_cases_count_and_how_they_are_called(tmp_path: Path) -> None:
    references, answers = cohort(tmp_path)
    report = METRIC.score(references, answers, records=["00002"])
    assert report.per_record.keys() == {"00002"}
    assert report.values["composite"] == 1
    assert any("prediction_00001.nii.gz" in note for note in report.notes)


def test_missing_case_is_scored_not_skipped(tmp_path: Path) -> None:
    references, answers = cohort(tmp_path)
    (answers / "prediction_00001.nii.gz").unlink()
    report = METRIC.score(references, answers)
    assert report.values["composite"] == 0.5
    assert report.per_record["case_00001"] == {"composite": 0, "tk_dice": 0, "tu_dice": 0}
    assert any("have no answer" in note and "case_00001" in note for note in report.notes)


def test_official_program_stops_at_a_missing_or_an_unknown_case(tmp_path: Path) -> None:
    references, answers = cohort(tmp_path)
    extra = write_volume(answers / "case_00003.nii.gz", ANSWER)
    with pytest.raises(AnswerError, match="case_00003"):
        METRIC.score(references, answers, rules="official")
    extra.unlink()
    (answers / "prediction_00001.nii.gz").unlink()
    with pytest.raises(AnswerError, match="case_00001"):
        METRIC.score(references, answers, rules="official")


@pytest.mark.parametrize("second", ["case_00001/segmentation.nii.gz", "case_00001.nii", "00001.nii.gz"])
def test_a_case_with_two_files_has_no_answer_and_both_are_named(tmp_path: Path, second: str) -> None:
    references, answers = cohort(tmp_path)
    write_volume(answers / second, ANSWER)
    report = METRIC.score(references, answers)
    assert report.per_record["case_00001"]["composite"] == 0
    assert second in report.unusable["case_00001"]
    assert "prediction_00001.nii.gz" in report.unusable["case_00001"]


def test_mistakes_in_the_references_are_the_organisers(tmp_path: Path) -> None:
    references, answers = cohort(tmp_path)
    for records in (["case_00009"], ["00001", "case_00001"], []):
        with pytest.raises(ReferenceDataError):
            METRIC.score(references, answers, records=records)
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "absent", tmp_path / "empty"):
        with pytest.raises(ReferenceDataError):
            METRIC.score(folder, answers)
    broken = write_volume(tmp_path / "broken.nii.gz", np.where(REFERENCE > 0, np.nan, 0))
    with pytest.raises(ReferenceDataError, match="nan"):
        METRIC.score(broken, answers / "prediction_00001.nii.gz")


def test_case_without_a_number_spoils_only_the_multisets_it_is_in(tmp_path: Path) -> None:
    references, answers = cohort(tmp_path)
    write_volume(references / "case_00002.nii.gz", REFERENCE * 0)
    write_volume(answers / "00002.nii", REFERENCE * 0)
    report = METRIC.score(references, answers, rules="official")
    assert report.resampler is not None
    values = report.resampler.values(np.array([[1, 1], [2, 0]]))["composite"]
    assert math.isnan(values[0])
    assert values[1] == pytest.approx(report.per_record["case_00001"]["composite"])


def test_threads_give_the_same_report_and_tell_their_progress(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    report = METRIC.score(*cohort(tmp_path), workers=2, progress=lambda done, all_: told.append((done, all_)))
    assert report == METRIC.score(*cohort(tmp_path))
    assert told == [(1, 2), (2, 2)]


def test_unusable_answer_leaves_no_file_open(tmp_path: Path) -> None:
    references, answers = cohort(tmp_path)
    write_volume(answers / "00002.nii", np.full(REFERENCE.shape, np.nan))
    gc.disable()  # which would close them some time
    descriptors = Path("/proc/self/fd")
    before = sorted(descriptors.iterdir())
    report = METRIC.score(references, answers)
    after = sorted(descriptors.iterdir())
    gc.enable()
    assert list(report.unusable) == ["case_00002"]
    assert after == before
