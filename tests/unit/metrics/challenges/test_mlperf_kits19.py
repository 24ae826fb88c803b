"""MLPerf unet3d: smoothed Dice per class, the 42 cases, and shards of many workers."""

from __future__ import annotations

import functools
import itertools
import json
import operator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import AnswerError, MetricError, ReferenceDataError
from metrics.challenges.mlperf_kits19 import (
    EVALUATION_CASES,
    METRIC,
    TARGET,
    Shard,
    dice_of_arrays,
    merge_shards,
    score_shard,
    single_precision_mean,
)
from tests.support.volume_files import labels, write_volume

REFERENCE = labels("111122", "000000")
ANSWER = labels("100020", "000110")


def smoothed(overlap: int, sizes: int) -> float:
    return (2 * overlap + 1e-6) / (sizes + 1e-6)


@pytest.mark.parametrize("rules", ["official", "corrected"])
def test_kidney_without_tumour_and_tumour_are_counted_by_hand(rules: str) -> None:
    found = dice_of_arrays(REFERENCE, ANSWER, rules=rules)
    l1, l2 = smoothed(1, 4 + 3), smoothed(1, 2 + 1)
    assert found == pytest.approx({"mean_dice": (l1 + l2) / 2, "l1_dice": l1, "l2_dice": l2}, abs=1e-6)


def test_official_dice_is_of_single_precision_and_corrected_of_double() -> None:
    official, corrected = (
        dice_of_arrays(REFERENCE, ANSWER, rules=rules)["l1_dice"] for rules in ("official", "corrected")
    )
    assert official == float(np.float32(official))
    assert corrected == smoothed(1, 7)


def test_official_mean_is_of_single_precision_in_the_order_of_pytorch(tmp_path: Path) -> None:
    """Written out for 42 cases: four sums of ten, the two that are left over to the first, then all four."""
    references, answers = benchmark_folders(tmp_path, 42)
    report = METRIC.score(references, answers, records=EVALUATION_CASES, rules="official")
    means = []
    for key in ("l1_dice", "l2_dice"):
        x = [np.float32(row[key]) for row in report.per_record.values()]
        sums = [functools.reduce(operator.add, x[lane:40:4]) for lane in range(4)]
        mean = (sums[0] + x[40] + x[41] + sums[1] + sums[2] + sums[3]) / np.float32(42)
        assert mean.dtype == np.float32
        assert report.values[key] == float(mean)
        means.append(mean)
    assert report.values["mean_dice"] == float((means[1] + means[0]) / np.float32(2))
    for row in report.per_record.values():
        assert row["mean_dice"] == float((np.float32(row["l2_dice"]) + np.float32(row["l1_dice"])) / np.float32(2))


@pytest.mark.parametrize("n", [1, 3, 4, 63, 64, 65, 200, 1100])
def test_single_precision_mean_carries_blocks_of_sixteen(n: int) -> None:
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


def test_both_empty_is_one_and_a_miss_is_nearly_nothing() -> None:
    found = dice_of_arrays(REFERENCE * 0, REFERENCE * 0)
    assert found["mean_dice"] == 1
    assert 0 < dice_of_arrays(REFERENCE, REFERENCE * 0)["mean_dice"] < 1e-6


def test_label_outside_the_set_stops_officially_and_is_background_corrected(tmp_path: Path) -> None:
    answer = ANSWER.copy()
    answer[1, 0] = 3
    files = write_volume(tmp_path / "r.nii.gz", REFERENCE), write_volume(tmp_path / "a.nii.gz", answer)
    with pytest.raises(AnswerError, match="labels 0 to 2, found 3"):
        METRIC.score(*files, rules="official")
    report = METRIC.score(*files)
    assert report.values["mean_dice"] == dice_of_arrays(REFERENCE, ANSWER)["mean_dice"]
    assert any("are not labels" in note for note in report.notes)
    with pytest.raises(ReferenceDataError):
        METRIC.score(*files[::-1], rules="official")


@pytest.mark.parametrize("rules", ["official", "corrected"])
def test_fraction_is_refused_but_a_whole_number_of_any_type_is_a_label(rules: str) -> None:
    assert dice_of_arrays(REFERENCE, ANSWER.astype(np.float64), rules=rules) == dice_of_arrays(
        REFERENCE, ANSWER, rules=rules
    )
    with pytest.raises(AnswerError, match=r"found 0\.5"):
        dice_of_arrays(REFERENCE, np.where(ANSWER > 0, 0.5, 0), rules=rules)


def test_network_output_is_argmaxed_over_the_last_axis() -> None:
    assert dice_of_arrays(REFERENCE, np.eye(3)[ANSWER]) == dice_of_arrays(REFERENCE, ANSWER)


def test_there_are_42_evaluation_cases() -> None:
    assert len(set(EVALUATION_CASES)) == 42
    assert EVALUATION_CASES[0] == "case_00000"
    assert EVALUATION_CASES[-1] == "case_00207"


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


@pytest.mark.parametrize(("dice", "reached"), [(TARGET, 1.0), (np.nextafter(TARGET, 0), 0.0)])
def test_target_is_reached_at_exactly_0_908(dice: float, reached: float) -> None:
    report = merge_shards([Shard(rules="corrected", dice={"case_00000": (dice, dice)})], records=["case_00000"])
    assert report.values["target_reached"] == reached


@pytest.mark.parametrize("cuts", [(), (1,), (5, 6), (2, 4, 6)])
@pytest.mark.parametrize("rules", ["official", "corrected"])
def test_shards_give_the_report_of_one_run_to_the_last_digit(tmp_path: Path, cuts: tuple[int, ...], rules: str) -> None:
    references, answers = benchmark_folders(tmp_path, 7)
    cases = EVALUATION_CASES[:7]
    whole = METRIC.score(references, answers, records=cases, rules=rules)
    bounds = (0, *cuts, 7)
    shards = [
        score_shard(references, answers, records=cases[start:stop], rules=rules)
        for start, stop in itertools.pairwise(bounds)
    ]
    sent = [Shard.from_json(shard.to_json(), file=tmp_path / "shard.json") for shard in shards]
    merged = merge_shards(sent[::-1], records=cases)
    assert merged.values == whole.values
    assert merged.per_record == whole.per_record


def one_shard(*cases: str, rules: str = "corrected") -> Shard:
    return Shard(rules=rules, dice=dict.fromkeys(cases, (0.5, 0.5)))


@pytest.mark.parametrize(
    ("shards", "message"),
    [
        ([one_shard("case_00000")], "found 1: the first missing is case_00003"),
        ([], "found 0"),
        ([one_shard("case_00000", "case_00003"), one_shard("00003")], "found it in two"),
        ([one_shard("case_00000", "case_00003", "case_00001")], "found another"),
        ([one_shard("case_00000"), one_shard("case_00003", rules="official")], "one rule"),
    ],
)
def test_lost_repeated_or_foreign_shards_are_found(shards: list[Shard], message: str) -> None:
    with pytest.raises(AnswerError, match=message):
        merge_shards(shards, records=["case_00000", "case_00003"])


def test_shard_cut_short_on_its_way_is_found(tmp_path: Path) -> None:
    text = one_shard("case_00000", "case_00003").to_json()
    for end in range(len(text)):
        with pytest.raises(AnswerError, match=r"shard\.json"):
            Shard.from_json(text[:end], file=tmp_path / "shard.json")
    content = json.loads(text)
    del content["dice"]["case_00003"]
    with pytest.raises(AnswerError, match="expected 2 cases as the shard says, found 1"):
        Shard.from_json(json.dumps(content), file=tmp_path / "shard.json")


@pytest.mark.parametrize("pair", ["[0.5]", "[0.5, 1.5]", "[NaN, 0]", '["0.5", 0.5]', "0.5", "[-1, 0]"])
def test_shard_with_a_dice_that_is_none_is_refused(tmp_path: Path, pair: str) -> None:
    text = f'{{"rules": "corrected", "cases": 1, "dice": {{"case_00000": {pair}}}}}'
    with pytest.raises(AnswerError, match="case_00000"):
        Shard.from_json(text, file=tmp_path / "shard.json")


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["rules", "cases", "dice", "case_00000"]), inner, max_size=4)
        ),
        max_leaves=8,
    ).map(json.dumps)
    | st.text(max_size=40)
)
def test_any_text_is_a_shard_or_an_answer_error(text: str) -> None:
    try:
        Shard.from_json(text, file=Path("shard.json"))
    except MetricError as error:
        assert isinstance(error, AnswerError)


def test_resampled_values_of_every_case_once_are_those_of_the_report(tmp_path: Path) -> None:
    report = METRIC.score(*benchmark_folders(tmp_path, 3))
    assert report.resampler is not None
    for key, value in report.resampler.values(np.ones((1, 3), np.int64)).items():
        assert value[0] == pytest.approx(report.values[key], abs=1e-15)
