from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.base import ReferenceDataError, ScoreReport
from metrics.generic import make
from metrics.generic.detection import Candidates, match_greedily, match_optimally
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


def test_more_pairs_than_can_be_looked_at_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrics.generic.detection.MAX_PAIRS", 5)
    reason = report_of(tmp_path, "froc").unusable["r0"]
    assert "expected at most 2 detections of this record, found 3" in reason


def test_bad_references_are_named(tmp_path: Path) -> None:
    spec = {"measure": "detection.froc", **POINTS}
    with pytest.raises(ReferenceDataError, match="expected every record of the list"):
        scored(tmp_path, spec, REFERENCES, ANSWERS, records=["r0", "r7"])
