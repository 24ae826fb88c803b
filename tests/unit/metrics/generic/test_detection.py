from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.base import AnswerError, ReferenceDataError, ScoreReport
from metrics.generic import make
from metrics.generic.detection import Candidates, box_iou, match_greedily, match_optimally
from tests.support.score_tables import scored, write
from tests.support.volume_files import labels, write_volume

# r0 has two objects, r1 one, r2 none
REFERENCES = "record,x,y\nr0,0,0\nr0,10,0\nr1,5,5\nr2,,\n"
ANSWERS = """
record,x,y,score
r0,1,0,0.9
r0,0,1,0.8
r0,30,0,0.7
r1,5,6,0.6
r2,1,1,0.5
"""
POINTS = {"match": "centre", "distance": 2}


def report_of(
    tmp_path: Path, measure: str, references: str = REFERENCES, answers: str = ANSWERS, **options: Any
) -> ScoreReport:
    spec = {"measure": f"detection.{measure}", **POINTS, **options}
    return scored(tmp_path, spec, references, answers)


def test_f1_by_hand(tmp_path: Path) -> None:
    # found: one object of r0, that of r1; the second detection of the same object is false
    report = report_of(tmp_path, "f1")
    assert report.values == pytest.approx({"f1": 4 / (4 + 3 + 1), "precision": 2 / 5, "recall": 2 / 3})
    assert report.per_record["r0"] == {"TP": 1, "FP": 2, "FN": 1}
    assert report.per_record["r2"] == {"TP": 0, "FP": 1, "FN": 0}
    ignored = report_of(tmp_path, "f1", duplicates="ignore")
    assert ignored.values["precision"] == pytest.approx(2 / 4)
    kept = report_of(tmp_path, "f1", threshold=0.6)
    assert kept.values["precision"] == pytest.approx(2 / 4)
    # distances up to and including the limit
    assert report_of(tmp_path, "f1", distance=1).values["recall"] == pytest.approx(2 / 3)
    assert report_of(tmp_path, "f1", distance=0.99).values["recall"] == 0


def test_optimal_matching_finds_most_objects_and_greedy_follows_confidence(tmp_path: Path) -> None:
    references = "record,x,y\nr0,0,0\nr0,2,0"
    # the confident one reaches both and takes the nearer, which is the only one that the other reaches
    answers = "record,x,y,score\nr0,0.9,0,0.9\nr0,-1,0,0.1"
    assert report_of(tmp_path, "f1", references, answers).values["f1"] == 1
    assert report_of(tmp_path, "f1", references, answers, matching="greedy").values["f1"] == 0.5
    without = "record,x,y\nr0,0.9,0\nr0,-1,0"
    assert report_of(tmp_path, "f1", references, without).values["f1"] == 1
    with pytest.raises(AnswerError, match="expected a column 'score'"):
        report_of(tmp_path, "froc", references, without)


def test_equal_confidences_take_the_better_match_first_whatever_the_order() -> None:
    affinity = np.array([[-2.0, -np.inf], [-1.0, -3.0]])  # the second is nearer to the object that both reach
    for order in ([0, 1], [1, 0]):
        candidates = Candidates(scores=np.ones(2), affinity=affinity[order])
        assert match_greedily(candidates)[order].tolist() == [-1, 0]
    more = Candidates(scores=np.array([1.0, 0.9]), affinity=affinity)
    assert match_greedily(more).tolist() == [0, 1], "the more confident one comes first, however far it is"


def test_optimal_matching_prefers_more_matches_and_then_closer_ones() -> None:
    none = -np.inf
    candidates = Candidates(scores=np.ones(2), affinity=np.array([[0.9, 0.1], [0.8, none]]))
    assert match_optimally(candidates).tolist() == [1, 0]
    candidates = Candidates(scores=np.ones(2), affinity=np.array([[-5.0, -1.0], [-1.0, -5.0]]))
    assert match_optimally(candidates).tolist() == [1, 0]
    candidates = Candidates(scores=np.ones(2), affinity=np.full((2, 3), none))
    assert match_optimally(candidates).tolist() == [-1, -1]


def test_froc_by_hand(tmp_path: Path) -> None:
    # thresholds .9: 0 FP 1/3; .8: 1 FP; .7: 2 FP; .6: 2 FP 2/3; .5: 3 FP; of three records
    report = report_of(tmp_path, "froc", rates=[1 / 3, 0.5, 1.0])
    assert report.values == pytest.approx(
        {"froc": (1 / 3 + 1 / 3 + 2 / 3) / 3, **dict(zip(list(report.values)[1:], [1 / 3, 1 / 3, 2 / 3], strict=True))}
    )
    assert report.curves["total_FPs"][0] == 1
    assert report.per_record["r0"] == {"objects": 2, "found": 1, "false_positives": 2}


def test_map_by_hand(tmp_path: Path) -> None:
    # precision 1 at recall 1/3, then 2/4 at 2/3 (after .9 .8 .7 .6)
    assert report_of(tmp_path, "map", interpolation="none").values["map"] == pytest.approx((1 + 2 / 4) / 3)
    assert report_of(tmp_path, "map", interpolation="all").values["map"] == pytest.approx((1 + 2 / 4) / 3)
    # of the recalls 0, .01, …: 34 up to .33, 33 up to .66
    assert report_of(tmp_path, "map").values["map"] == pytest.approx((34 * 1 + 33 * 0.5) / 101)
    report = report_of(tmp_path, "map", thresholds=[0.5, 2], interpolation="all")
    assert report.values == pytest.approx({"map": 0.25, "map_at_0.5": 0, "map_at_2": 0.5})


def test_map_envelope_takes_the_best_precision_at_more_recall(tmp_path: Path) -> None:
    references = "r0,0,0\nr0,10,0"
    answers = "record,x,y,score\nr0,50,0,0.9\nr0,0,0,0.8\nr0,10,0,0.7"
    # precision 1/2 and 2/3: the envelope is 2/3 throughout
    assert report_of(tmp_path, "map", references, answers, interpolation="all").values["map"] == pytest.approx(2 / 3)
    value = report_of(tmp_path, "map", references, answers, interpolation="none").values["map"]
    assert value == pytest.approx((1 / 2 + 2 / 3) / 2)
    only = report_of(tmp_path, "map", references, answers, most=1)
    assert only.values["map"] == 0
    # equal confidences share a threshold: 2 of 3 at once
    tied = "record,x,y,score\nr0,50,0,1\nr0,0,0,1\nr0,10,0,1"
    assert report_of(tmp_path, "map", references, tied, interpolation="none").values["map"] == pytest.approx(2 / 3)


def test_boxes_match_by_iou(tmp_path: Path) -> None:
    boxes = np.array([[0.0, 0, 2, 2]]), np.array([[1.0, 0, 3, 2], [0, 0, 2, 2], [5, 5, 6, 6]])
    assert box_iou(*boxes).tolist() == [[pytest.approx(1 / 3), 1, 0]]
    references = "record,x0,y0,x1,y1\nr0,0,0,2,2\nr1,,,,"
    answers = "record,x0,y0,x1,y1,score\nr0,1,0,3,2,0.5"
    for iou, f1 in ((1 / 3, 1.0), (0.34, 0.0)):
        report = report_of(tmp_path, "f1", references, answers, match="iou", distance=None, iou=iou)
        assert report.values["f1"] == f1


def test_classes_match_among_themselves_and_are_meaned(tmp_path: Path) -> None:
    references = "record,x,y,kind\nr0,0,0,a\nr0,10,0,b"
    answers = "record,x,y,score,kind\nr0,0,0,0.9,a\nr0,10,0,0.8,a\nr0,10,0,0.7,c"
    report = report_of(tmp_path, "map", references, answers, class_column="kind")
    assert report.values == pytest.approx({"map": 0.5, "ap[a]": 1, "ap[b]": 0})
    counts = report_of(tmp_path, "f1", references, answers, class_column="kind")
    assert counts.per_record["r0"] == {"TP": 1, "FP": 1, "FN": 1}


def test_points_match_masks(tmp_path: Path) -> None:
    # file axes x = row of the drawing, y = column
    write_volume(tmp_path / "r" / "a.nii.gz", labels("1100", "0000", "0022"))
    write_volume(tmp_path / "r" / "b.nii.gz", labels("0000"))
    answers = write(
        tmp_path / "answers.csv",
        "record,x,y,z,score\na,0.4,1.4,0,0.9\na,0,0,0,0.8\na,2,0,0,0.7\na,-1,0,0,0.6\na,9,9,9,0.5\nb,0,0,0,0.4",
    )
    spec = {"measure": "detection.f1", "match": "mask", "coordinates": ["x", "y", "z"]}
    report = make(spec).score(tmp_path / "r", answers)
    assert report.per_record == {"a": {"TP": 1, "FP": 4, "FN": 1}, "b": {"TP": 0, "FP": 1, "FN": 0}}
    froc = make({**spec, "measure": "detection.froc", "duplicates": "ignore"}).score(tmp_path / "r", answers)
    assert froc.per_record["a"] == {"objects": 2, "found": 1, "false_positives": 3}
    with pytest.raises(ReferenceDataError, match="expected masks of 2 axes"):
        make({**spec, "coordinates": ["x", "y"]}).score(tmp_path / "r", answers)


def test_each_object_may_have_a_radius(tmp_path: Path) -> None:
    references = "record,x,y,r\nr0,0,0,1\nr0,10,0,5"
    answers = "record,x,y\nr0,2,0\nr0,14,0"
    report = report_of(tmp_path, "f1", references, answers, distance=None, radius_column="r")
    assert report.per_record["r0"] == {"TP": 1, "FP": 1, "FN": 1}


def test_more_pairs_than_can_be_looked_at_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.generic.detection.MAX_PAIRS", 5)
    reason = report_of(tmp_path, "froc").unusable["r0"]
    assert "expected at most 2 detections of this record, found 3" in reason


def test_bad_references_are_named(tmp_path: Path) -> None:
    spec = {"measure": "detection.froc", **POINTS}
    with pytest.raises(ReferenceDataError, match="expected every record of the list"):
        scored(tmp_path, spec, REFERENCES, ANSWERS, records=["r0", "r7"])
