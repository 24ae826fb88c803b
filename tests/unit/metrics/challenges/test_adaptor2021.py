import math
from pathlib import Path, PurePath

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import metrics
from metrics.base import AnswerError, ReferenceDataError
from metrics.challenges.adaptor2021 import frame_name, match_points
from tests.support.challenge_files import Frames, write_points

Pair = tuple[float, float]


@pytest.fixture
def bench(tmp_path: Path) -> Frames:
    """Two frames: 2 TP 1 FP 1 FN, and 1 TP 0 FP 2 FN."""
    bench = Frames(tmp_path)
    bench.add_labels("p1/v/000", [(10, 10), (50, 50), (100, 100)])
    bench.add_answer("p1/v/000", [(16, 10), (50, 50), (200, 200)])
    bench.add_labels("p2/v/000", [(10, 10), (50, 50), (100, 100)])
    bench.add_answer("p2/v/000", [(53, 54)])
    return bench


BOTH = pytest.mark.parametrize("rules", ["official", "corrected"])


@BOTH
def test_counts_are_pooled_over_frames(bench: Frames, rules: str) -> None:
    report = bench.score(rules)
    precision, recall = 3 / 4, 3 / 6
    assert report.values == {
        "F1": pytest.approx(2 * precision * recall / (precision + recall), abs=1e-15),
        "precision": precision, "recall": recall, "TP": 3.0, "FP": 1.0, "FN": 3.0,
    }  # fmt: skip
    assert next(iter(report.values)) == report.primary == "F1"
    assert report.per_record == {
        "p1/v/000": {"TP": 2.0, "FP": 1.0, "FN": 1.0},
        "p2/v/000": {"TP": 1.0, "FP": 0.0, "FN": 2.0},
    }
    assert report.curves["distances_px"] == [0.0, 5.0, 6.0]
    assert report.notes == ()


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/b/c.json", "a/b/c"),
        ("x/y/a/b/point_labels/c.json", "a/b/c"),
        ("a/b/c.d.png", "a/b/c.d"),
        ("a/b/c.d", "a/b/c.d"),
        ("b/c.json", None),
        ("b/point_labels/c.json", None),
    ],
)
def test_a_frame_is_named_by_two_folders_and_its_file(path: str, name: str | None) -> None:
    assert frame_name(PurePath(path)) == name


# ---------------------------------------------------------------------------------------------------- matching


def _rescanned(labels: list[Pair], points: list[Pair]) -> list[tuple[int, int]]:
    """The rule word by word: look for the closest pair again after each match."""
    pairs = [
        (p, q, math.sqrt((x - u) ** 2 + (y - v) ** 2))
        for p, (u, v) in enumerate(points)
        for q, (x, y) in enumerate(labels)
    ]
    pairs = [pair for pair in pairs if pair[2] <= 6]
    matched = []
    while pairs:
        closest = min(reversed(pairs), key=lambda pair: pair[2])  # of equal ones the last
        matched.append((closest[1], closest[0]))
        pairs = [pair for pair in pairs if pair[0] != closest[0] and pair[1] != closest[1]]
    return matched


@st.composite
def _clouds(draw: st.DrawFn) -> tuple[list[Pair], list[Pair]]:
    # 1: whole pixels with many ties; 10 and 100: decimals, where roundings decide what is a tie
    scale = draw(st.sampled_from([1, 10, 100]))
    near = st.integers(100 * scale, 114 * scale).map(lambda value: value / scale)
    coordinate = st.one_of(*[near] * 9, st.sampled_from([math.nan, math.inf]))
    cloud = st.lists(st.tuples(coordinate, coordinate), max_size=15)
    return draw(cloud), draw(cloud)


@settings(max_examples=300, deadline=None)
@given(_clouds())
def test_matching_is_the_one_of_the_rescanning_rule(clouds: tuple[list[Pair], list[Pair]]) -> None:
    xy = [np.array(side, np.float64).reshape(-1, 2) for side in clouds]
    assert [(label, point) for label, point, _ in match_points(*xy)] == _rescanned(*clouds)


# ---------------------------------------------------------------------------------------------------- official


def test_official_entries_are_not_looked_into_if_one_side_is_empty(bench: Frames) -> None:
    bench.add_labels("p2/v/000", [])
    bench.add_answer("p2/v/000", ["nonsense", {}])
    assert bench.score("official").per_record["p2/v/000"] == {"TP": 0.0, "FP": 2.0, "FN": 0.0}


def test_official_division_by_zero_is_the_fault_of_who_has_no_points(tmp_path: Path) -> None:
    bench = Frames(tmp_path)
    bench.add_labels("p/v/0", [])
    bench.add_answer("p/v/0", [(1, 1)])
    with pytest.raises(ReferenceDataError, match="expected labels, found none"):
        bench.score("official")
    bench.add_labels("p/v/1", [(1, 1)])
    with pytest.raises(AnswerError, match="divides by zero"):
        bench.score("official")
    bench.add_answer("p/v/1", [(100, 100)])
    with pytest.raises(AnswerError, match="divides by zero"):
        bench.score("official")


def test_official_coordinate_too_large_to_be_squared_stops_the_program(bench: Frames) -> None:
    bench.add_answer("p2/v/000", [(1e200, 0)])
    with pytest.raises(AnswerError, match="point 1: expected numbers"):
        bench.score("official")
    assert bench.score().per_record["p2/v/000"]["FP"] == 1.0


# --------------------------------------------------------------------------------------------------- corrected


def test_frame_without_an_answer_is_missed_and_an_answer_without_a_frame_ignored(bench: Frames) -> None:
    precision = bench.score().values["precision"]
    bench.add_labels("p3/v/000", [(1, 1), (2, 2)])
    bench.add_answer("p9/v/000", [(1, 1)])
    report = bench.score()
    assert report.per_record["p3/v/000"] == {"TP": 0.0, "FP": 0.0, "FN": 2.0}
    assert (report.values["precision"], report.values["recall"]) == (precision, 3 / 8)
    for text in ("1 of 3 frames have no answer: all their labels are missed", "1 answer files of frames without a"):
        assert any(text in note for note in report.notes)


def test_of_two_answer_files_the_first_counts_officially_and_none_otherwise(bench: Frames) -> None:
    expected = bench.score("official").values
    write_points(bench.answers / "q/p1/v/000.json", [])
    assert bench.score("official").values == expected
    assert bench.score().unusable == {"p1/v/000": "000.json: expected one file for the frame, found 2"}
    write_points(bench.references / "q/p1/v/000.json", [])
    for rules in ("official", "corrected"):
        with pytest.raises(ReferenceDataError, match="record p1/v/000: expected one label file"):
            bench.score(rules)


@BOTH
def test_the_list_decides_which_frames_count(bench: Frames, rules: str) -> None:
    for name in ("p1/v/000", "p1/v/000.png", "p1/v/point_labels/000.json"):
        assert list(bench.score(rules, [name]).per_record) == ["p1/v/000"]
    with pytest.raises(ReferenceDataError, match=r"record p9/v/000: expected one label file.*found 0"):
        bench.score(rules, ["p1/v/000", "p9/v/000"])


def test_without_a_hit_everything_is_0_with_a_note(tmp_path: Path) -> None:
    bench = Frames(tmp_path)
    for labels, points in (([(1, 1)], [(50, 50)]), ([(1, 1)], []), ([], [(1, 1)]), ([], [])):
        bench.add_labels("p/v/0", labels)
        bench.add_answer("p/v/0", points)
        report = bench.score()
        assert [report.values[key] for key in ("F1", "precision", "recall")] == [0, 0, 0]
        assert any("no point hits a label" in note for note in report.notes)


NO_POINTS = (None, {}, "ab", 7, [1], [[1, 2]], [{"x": 1}], [{"x": "1", "y": 2}], [{"x": True, "y": 2}], [(10**400, 1)])
NO_JSON = (b"", b"[]", b"{}", b"\xff", b"[" * 5000, b" " * 300_000)


@pytest.mark.parametrize(
    ("rules", "points", "message"),
    [
        *((rules, points, "(point 1: )?expected") for rules in metrics.base.RULES for points in (*NO_POINTS, *NO_JSON)),
        *(("corrected", [(1, 1), (0, x)], "point 2: expected finite numbers x and y") for x in (math.nan, math.inf)),
    ],
)
def test_points_of_another_shape_are_the_fault_of_their_writer(
    bench: Frames, rules: str, points: object, message: str
) -> None:
    message = rf"000\.json, record p1/v/000: {message}"
    bench.add_answer("p1/v/000", points)
    if rules == "official":
        with pytest.raises(AnswerError, match=message):
            bench.score(rules)
    else:
        report = bench.score(rules)
        assert list(report.unusable) == ["p1/v/000"]
        (bench.answers / "p1/v/000.json").unlink()
        assert report.values == bench.score(rules).values
    bench.add_labels("p1/v/000", points)
    with pytest.raises(ReferenceDataError, match=message):
        bench.score(rules)
