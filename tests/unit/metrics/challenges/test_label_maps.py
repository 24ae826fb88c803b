"""KiTS19, KiTS23 and MLPerf unet3d: their numbers, both rules, and the files of a case."""

import gc
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

import metrics
from metrics import AnswerError, ReferenceDataError
from metrics.challenges import kits19, kits23
from metrics.challenges.mlperf_kits19 import EVALUATION_CASES, METRIC, single_precision_mean
from tests.support.volume_files import labels, write_pairs, write_volume

BOTH = pytest.mark.parametrize("rules", ["official", "corrected"])
# kidney 4 voxels, tumour 2; the answer has one voxel of each right
REFERENCE, ANSWER = labels("111122", "000000"), labels("100020", "000110")
# with a cyst
MASSES = labels("111123", "000000", "000000"), labels("100022", "000110", "000000")
PAIRS = {"kits19": (REFERENCE, ANSWER), "kits23": MASSES, "mlperf_kits19": (REFERENCE, ANSWER)}


def score(folder: Path, name: str, reference: Any, answer: Any, rules: str = "corrected") -> metrics.ScoreReport:
    pair = (("reference", reference), ("prediction", answer))
    return metrics.get(name).score(*(write_volume(folder / f"{side}.nii.gz", mask) for side, mask in pair), rules=rules)


# kidney and tumour: 2 shared of 6 and 4; tumour: 1 shared of 2 and 1; kidney alone: 1 of 4 and 3
TK, TU = 2 * 2 / (6 + 4), 2 * 1 / (2 + 1)
L1, L2 = ((2 * 1 + 1e-6) / (sizes + 1e-6) for sizes in (4 + 3, 2 + 1))
NESTED = {
    "dice_kidney_and_mass": 2 * 3 / (6 + 5),
    "dice_mass": 2 * 2 / (2 + 2),
    "dice_tumor": 2 * 1 / (1 + 2),
    "surface_dice_mass": 1,
}


@BOTH
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("kits19", {"composite": (TK + TU) / 2, "tk_dice": TK, "tu_dice": TU}),
        ("kits23", {"dice": (2 * 3 / 11 + 1 + 2 / 3) / 3, **NESTED}),
        ("mlperf_kits19", {"mean_dice": (L1 + L2) / 2, "l1_dice": L1, "l2_dice": L2}),
    ],
)
def test_dice_counted_by_hand(tmp_path: Path, name: str, rules: str, expected: dict[str, float]) -> None:
    report = score(tmp_path, name, *PAIRS[name], rules)
    assert report.primary == next(iter(report.values)) == next(iter(expected))
    assert {key: report.values[key] for key in expected} == pytest.approx(expected, abs=1e-6)
    assert report.per_record.keys() == {"reference"}
    assert expected.items() <= report.per_record["reference"].items() or name != "kits19"


NO_LABEL, ROUNDED = "1 voxels of the answer are not labels", "1 voxels of the answer are fractions and are rounded"
HALVES = ((0.5, 0), (0.51, 1), (1.5, 2), (2.5, 2), (1.49, 1), (-0.4, 0))
OTHER_VALUES: list[tuple[str, float, int | str, int | str, str]] = [
    # what each is by the official rules and the corrected ones: a label, or an error
    *(("kits19", value, 2, 0, NO_LABEL) for value in (3, -1, 258)),
    ("kits19", 256, 0, 0, NO_LABEL),
    ("kits19", 257, 1, 0, NO_LABEL),
    # fractions are rounded half to even, and chances are no labels
    *(("kits19", value, label, label, ROUNDED) for value, label in HALVES),
    *(("kits23", value, 0, 0, NO_LABEL) for value in (0.5, 4, -1, 257, 1.01)),
    ("mlperf_kits19", 3, "labels 0 to 2, found 3", 0, NO_LABEL),
    ("mlperf_kits19", 0.5, r"found 0\.5", r"found 0\.5", ""),
    *((name, value, str(value), str(value), "") for name in PAIRS for value in (math.nan, math.inf, -math.inf)),
]


@pytest.mark.parametrize(("name", "value", "official", "corrected", "note"), OTHER_VALUES)
def test_other_values_are_labels_background_or_refused(
    tmp_path: Path, name: str, value: float, official: int | str, corrected: int | str, note: str
) -> None:
    reference, good = PAIRS[name]
    for rules, meant in (("official", official), ("corrected", corrected)):
        answer, same = good.astype(np.int16 if isinstance(value, int) else np.float32), good.copy()
        answer[1, 0] = value
        if isinstance(meant, str):
            with pytest.raises(AnswerError, match=meant):
                score(tmp_path, name, reference, answer, rules)
            continue
        same[1, 0] = meant
        report = score(tmp_path, name, reference, answer, rules)
        assert report.values == score(tmp_path, name, reference, same, rules).values
        if rules == "corrected" or name == "kits23":
            assert [each.record for each in report.notes if note in each] == ["reference"]
    floats = score(tmp_path, name, reference, good.astype(np.float64))
    assert floats.values == score(tmp_path, name, reference, good).values
    assert not any(word in each for each in floats.notes for word in ("labels", "fractions"))


@pytest.mark.parametrize(
    ("name", "rules", "answer", "message"),
    [
        *(("kits19", rules, np.zeros((*REFERENCE.shape, 3), np.float32), "3 axes") for rules in metrics.base.RULES),
        *(
            (name, rules, np.zeros((100, 100, 100), np.uint8), r"expected shape \(.*found \(100, 100, 100\)")
            for name in PAIRS
            for rules in metrics.base.RULES
        ),
        ("kits23", "official", MASSES[1][:2], "expected shape"),
        ("kits23", "corrected", MASSES[1][:2] * 0, "expected shape"),
        ("kits23", "corrected", np.full((*MASSES[0].shape, 3), 1 / 3), "3 axes"),  # of a network
    ],
)
def test_other_shapes_are_refused(tmp_path: Path, name: str, rules: str, answer: Any, message: str) -> None:
    with pytest.raises(AnswerError, match=message):
        score(tmp_path, name, PAIRS[name][0], answer, rules)


# -------------------------------------------------------------------------------------------------- files of a case


def cohort(tmp_path: Path) -> tuple[Path, Path]:
    """Two cases, each file laid out in another way; the answer to the second is right."""
    references, answers = tmp_path / "references", tmp_path / "answers"
    write_volume(references / "case_00001" / "segmentation.nii.gz", REFERENCE)
    write_volume(references / "case_00001" / "imaging.nii.gz", REFERENCE * 0)
    write_volume(references / "case_00002.nii.gz", REFERENCE)
    write_volume(answers / "prediction_00001.nii.gz", ANSWER)
    write_volume(answers / "00002.nii", REFERENCE)
    return references, answers


@BOTH
def test_all_ways_to_lay_out_a_case_are_found(tmp_path: Path, rules: str) -> None:
    report = kits19.METRIC.score(*cohort(tmp_path), rules=rules)
    assert report.values["composite"] == pytest.approx(((TK + TU) / 2 + 1) / 2)
    assert set(report.per_record) == {"case_00001", "case_00002"}


def test_record_list_decides_which_cases_count_and_how_they_are_called(tmp_path: Path) -> None:
    report = kits19.METRIC.score(*cohort(tmp_path), records=["00002"])
    assert report.per_record.keys() == {"00002"}
    assert report.values["composite"] == 1
    assert any("prediction_00001.nii.gz" in note for note in report.notes)


@pytest.mark.parametrize("name", PAIRS)
def test_missing_case_is_a_miss_and_stops_the_official_program_or_is_not_looked_at(tmp_path: Path, name: str) -> None:
    references, answers = cohort(tmp_path)
    (answers / "prediction_00001.nii.gz").unlink()
    metric = metrics.get(name)
    report = metric.score(references, answers)
    assert report.values[report.primary] == 0.5
    assert set(report.per_record["case_00001"].values()) == {0}
    assert any("have no answer" in note and note.record == "case_00001" for note in report.notes)
    if name == "kits23":
        official = metric.score(references, answers, rules="official")
        assert official.values["dice"] == official.values["surface_dice"] == 1
        assert list(official.per_record) == ["case_00002"]
        (answers / "00002.nii").unlink()
    with pytest.raises(AnswerError, match="at least one prediction" if name == "kits23" else "case_00001"):
        metric.score(references, answers, rules="official")


@pytest.mark.parametrize("name", ["kits19", "kits23"])
def test_official_program_stops_at_an_unknown_case(tmp_path: Path, name: str) -> None:
    references, answers = cohort(tmp_path)
    write_volume(answers / "case_00003.nii.gz", ANSWER)
    with pytest.raises(AnswerError, match="case_00003"):
        metrics.get(name).score(references, answers, rules="official")


@pytest.mark.parametrize("second", ["case_00001/segmentation.nii.gz", "case_00001.nii", "00001.nii.gz"])
def test_a_case_with_two_files_has_no_answer_and_both_are_named(tmp_path: Path, second: str) -> None:
    references, answers = cohort(tmp_path)
    write_volume(answers / second, ANSWER)
    report = kits19.METRIC.score(references, answers)
    assert report.per_record["case_00001"]["composite"] == 0
    assert second in report.unusable["case_00001"]
    assert "prediction_00001.nii.gz" in report.unusable["case_00001"]


def test_mistakes_in_the_references_are_the_organisers(tmp_path: Path) -> None:
    references, answers = cohort(tmp_path)
    for records in (["case_00009"], ["00001", "case_00001"], []):
        with pytest.raises(ReferenceDataError):
            kits19.METRIC.score(references, answers, records=records)
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "absent", tmp_path / "empty"):
        with pytest.raises(ReferenceDataError):
            kits19.METRIC.score(folder, answers)
    broken = write_volume(tmp_path / "broken.nii.gz", np.where(REFERENCE > 0, np.nan, 0))
    with pytest.raises(ReferenceDataError, match="nan"):
        kits19.METRIC.score(broken, answers / "prediction_00001.nii.gz")
    other = write_volume(tmp_path / "other.nii.gz", np.where(REFERENCE == 2, 3, REFERENCE).astype(np.uint8))
    with pytest.raises(ReferenceDataError):
        METRIC.score(other, answers / "prediction_00001.nii.gz", rules="official")


def test_case_without_a_number_spoils_only_the_multisets_it_is_in(tmp_path: Path) -> None:
    references, answers = cohort(tmp_path)
    write_volume(references / "case_00002.nii.gz", REFERENCE * 0)
    write_volume(answers / "00002.nii", REFERENCE * 0)
    report = kits19.METRIC.score(references, answers, rules="official")
    assert report.resampler is not None
    values = report.resampler.values(np.array([[1, 1], [2, 0]]))["composite"]
    assert math.isnan(values[0])
    assert values[1] == pytest.approx(report.per_record["case_00001"]["composite"])


def test_threads_give_the_same_report_and_tell_their_progress(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    report = kits19.METRIC.score(*cohort(tmp_path), workers=2, progress=lambda done, all_: told.append((done, all_)))
    assert report == kits19.METRIC.score(*cohort(tmp_path))
    assert told == [(1, 2), (2, 2)]


def test_unusable_answer_leaves_no_file_open(tmp_path: Path) -> None:
    references, answers = cohort(tmp_path)
    write_volume(answers / "00002.nii", np.full(REFERENCE.shape, np.nan))
    gc.disable()  # which would close them some time
    try:
        report = kits19.METRIC.score(references, answers)
        files = [file.path for file in psutil.Process().open_files()]
    finally:
        gc.enable()
    assert list(report.unusable) == ["case_00002"]
    assert not [file for file in files if file.startswith(str(tmp_path))]


# ------------------------------------------------------------------------------------------------- KiTS19 and KiTS23


def test_reference_with_another_label_or_without_one_by_the_corrected_rules(tmp_path: Path) -> None:
    reference = REFERENCE.copy()
    reference[1, 1] = 3
    corrected = score(tmp_path, "kits19", reference, ANSWER).values
    assert corrected == score(tmp_path, "kits19", REFERENCE, ANSWER).values
    official = score(tmp_path, "kits19", reference, ANSWER, "official")
    assert official.values["tu_dice"] == pytest.approx(2 * 1 / (3 + 1))
    assert score(tmp_path, "kits19", np.uint8(REFERENCE > 0), np.uint8(ANSWER > 0)).values["tu_dice"] == 0


@BOTH
def test_wrong_affine_is_a_note_and_not_an_error(tmp_path: Path, rules: str) -> None:
    reference = write_volume(tmp_path / "r.nii.gz", REFERENCE)
    answer = write_volume(tmp_path / "a.nii.gz", ANSWER, spacing_mm=(9, 1, 1))
    assert any("9 x 1 x 1 mm" in note for note in kits19.METRIC.score(reference, answer, rules=rules).notes)


@BOTH
def test_two_empty_masks_are_one_and_exactly_one_is_nothing(tmp_path: Path, rules: str) -> None:
    reference, answer = MASSES
    values = score(tmp_path, "kits23", np.uint8(reference == 1), np.uint8(answer == 1), rules).values
    assert values["dice_tumor"] == values["surface_dice_tumor"] == 1
    values = score(tmp_path, "kits23", np.uint8(reference == 1), answer, rules).values
    assert values["dice_tumor"] == values["surface_dice_tumor"] == 0
    assert tuple(values) == kits23.KEYS


def test_distances_are_in_the_answers_voxels_officially_and_in_the_references_corrected(tmp_path: Path) -> None:
    reference = write_volume(tmp_path / "r.nii.gz", labels("0110"), spacing_mm=(1, 5, 1))
    answer = write_volume(tmp_path / "a.nii.gz", labels("0011"), spacing_mm=(1, 0.5, 1))
    official, corrected = (kits23.METRIC.score(reference, answer, rules=rules) for rules in ("official", "corrected"))
    assert official.values["surface_dice_kidney_and_mass"] == 1
    assert corrected.values["surface_dice_kidney_and_mass"] < 1
    assert any("in the answer's voxel size" in note for note in official.notes)
    assert any("in the reference's voxel size" in note for note in corrected.notes)


@pytest.mark.parametrize("size", [0, 1e-38, 1e38])  # areas of which are no numbers
def test_voxel_without_size_is_the_fault_of_whose_is_used(tmp_path: Path, size: float) -> None:
    flat = write_volume(tmp_path / "flat.nii.gz", REFERENCE, spacing_mm=(1, size, 1))
    good = write_volume(tmp_path / "good.nii.gz", REFERENCE)
    with pytest.raises(AnswerError, match="voxel size above 0"):
        kits23.METRIC.score(good, flat, rules="official")
    with pytest.raises(ReferenceDataError, match="voxel size above 0"):
        kits23.METRIC.score(flat, good)
    for report in (kits23.METRIC.score(good, flat), kits23.METRIC.score(flat, good, rules="official")):
        assert report.values["dice"] == 1


def test_other_shape_counts_officially_only_while_no_class_is_in_both(tmp_path: Path) -> None:
    reference, answer = MASSES
    narrow = answer[:2] * 0
    values = score(tmp_path, "kits23", np.where(reference == 2, reference, 0), narrow, "official").values
    assert values["dice_tumor"] == 0
    values = score(tmp_path, "kits23", reference * 0, narrow, "official").values
    assert values["dice"] == values["surface_dice"] == 1
    output = np.full((*reference.shape, 3), 1 / 3)
    assert score(tmp_path, "kits23", reference, output, "official").values["dice"] == 0


# ------------------------------------------------------------------------------------------------------ MLPerf unet3d


def test_official_dice_is_of_single_precision_and_corrected_of_double(tmp_path: Path) -> None:
    official, corrected = (
        score(tmp_path, "mlperf_kits19", REFERENCE, ANSWER, rules).per_record["reference"]["l1_dice"]
        for rules in ("official", "corrected")
    )
    assert official == float(np.float32(official))
    assert corrected == L1


def benchmark_folders(tmp_path: Path) -> tuple[Path, Path]:
    rng = np.random.default_rng(42)
    return write_pairs(tmp_path, {case: list(rng.integers(0, 3, (2, 5, 5, 5), np.uint8)) for case in EVALUATION_CASES})


def test_official_means_are_of_single_precision(tmp_path: Path) -> None:
    report = METRIC.score(*benchmark_folders(tmp_path), records=EVALUATION_CASES, rules="official")
    rows = [*report.per_record.values(), report.values]
    for key in ("l1_dice", "l2_dice"):
        assert report.values[key] == single_precision_mean([float(row[key]) for row in rows[:-1]])
    for row in rows:
        assert row["mean_dice"] == float((np.float32(row["l2_dice"]) + np.float32(row["l1_dice"])) / np.float32(2))


MEANS = {
    **{1: 0.5118216276168823, 3: 0.3745780289173126, 4: 0.6278658509254456, 42: 0.5384268164634705},
    **{63: 0.45393285155296326, 64: 0.5241796970367432, 65: 0.4598601162433624, 200: 0.5124194622039795},
    1100: 0.49968084692955017,
}
"""Of so many numbers, added one by one in PyTorch's order: four sums in blocks of sixteen, and what is left over."""


@pytest.mark.parametrize("n", MEANS)
def test_single_precision_mean_adds_in_the_order_of_pytorch_in_blocks_of_sixteen(n: int) -> None:
    numbers = np.random.default_rng(n).random(n).astype(np.float32)
    assert single_precision_mean(numbers.tolist()) == MEANS[n]


def test_each_of_the_listed_cases_weighs_the_same_and_a_missing_one_is_a_miss(tmp_path: Path) -> None:
    references, answers = benchmark_folders(tmp_path)
    (answers / "case_00207.nii.gz").unlink()
    report = METRIC.score(references, answers, records=EVALUATION_CASES)
    assert list(report.per_record) == list(EVALUATION_CASES)
    assert report.per_record["case_00207"]["mean_dice"] == 0
    exact = sum(Fraction(float(values["mean_dice"])) for values in report.per_record.values()) / 42
    assert report.values["mean_dice"] == pytest.approx(float(exact), abs=1e-15)
