from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.base import AnswerError
from metrics.generic import make
from metrics.plots import plots_of
from metrics.statistics.uncertainty import intervals
from tests.support.volume_files import write_volume


def row(*marks: tuple[int, int, float], length: int = 20) -> Any:
    found = np.zeros((length, 1, 1))
    for start, stop, value in marks:
        found[start:stop] = value
    return found


def of(reference: Any, answer: Any, **options: Any) -> tuple[list[float], list[bool], int, float]:
    metric: Any = make({"measure": "detection.picai", **options})
    found = metric.candidates(reference > 0, answer)
    return found.confidences.tolist(), found.hits.tolist(), found.lesions, found.case


def test_candidates_by_hand() -> None:
    lesion = row((0, 4, 1), (10, 14, 1))
    # 4 of 4 + 2 voxels; the second lesion is missed, and the last candidate is false
    assert of(lesion, row((0, 6, 0.7), (18, 20, 0.4))) == ([0.7, 0.4], [True, False], 2, 0.7)
    # of two candidates on one lesion the better counts, the other does not
    assert of(lesion, row((0, 2, 0.9), (3, 4, 0.3)))[:2] == ([0.9], [True])
    assert of(lesion, row((0, 1, 0.9), (2, 4, 0.3)))[:2] == ([0.3], [True])
    assert of(lesion, row((0, 1, 0.9), (2, 4, 0.3)), iou=0.4)[:2] == ([0.9, 0.3], [False, True])
    assert of(row(), row((0, 1, 0.9))) == ([0.9], [False], 0, 0.9)
    assert of(lesion, row()) == ([], [], 2, 0.0)


def test_score_by_hand_with_a_missing_answer_and_a_multiset(tmp_path: Path) -> None:
    cases = {"a": (row((0, 4, 1)), row((0, 4, 0.8))), "b": (row(), row((5, 6, 0.3))), "c": (row((2, 5, 1)), None)}
    cases |= {f"d{i}": (row(), row()) for i in range(5)}
    for name, (reference, answer) in cases.items():
        write_volume(tmp_path / "references" / f"{name}.nii", (reference > 0).astype(np.uint8))
        if answer is not None:
            write_volume(tmp_path / "answers" / f"{name}.nii", answer.astype(np.float64))
    report = make({"measure": "detection.picai"}).score(tmp_path / "references", tmp_path / "answers")
    # a beats all six without a lesion; c, which has no answer, ties with five and loses to b
    assert report.values == pytest.approx({"picai": (8.5 / 12 + 0.5) / 2, "auroc": 8.5 / 12, "ap": 0.5})
    assert report.per_record["c"] == {"lesions": 1, "TP": 0, "FP": 0, "FN": 1, "score": 0}
    assert "picai" in intervals(report).of
    assert len(plots_of(report)) == 1
    twice = report.resampler.values(np.array([[2, 1, 0, 1, 0, 0, 0, 0]]))  # type: ignore[union-attr]
    assert {key: value[0] for key, value in twice.items()} == {"picai": 1, "auroc": 1, "ap": 1}
    without = report.resampler.values(np.array([[0, 1, 0, 1, 0, 0, 0, 0]]))  # type: ignore[union-attr]
    assert math.isnan(without["picai"][0])
    left_out = make({"measure": "detection.picai", "missing": "exclude-with-note"})
    assert left_out.score(tmp_path / "references", tmp_path / "answers").values["picai"] == 1


def test_what_is_no_detection_map_is_refused(tmp_path: Path) -> None:
    write_volume(tmp_path / "references" / "a.nii", row((0, 4, 1)).astype(np.uint8))
    for wrong, message in (
        (row((0, 1, 0.3), (1, 2, 0.4)), "expected one confidence in each of 1 components, found 2"),
        (row((0, 1, -0.3)), "expected confidences from 0, found -0.3"),
        (row((0, 1, math.nan)), "expected numbers"),
        (row(length=19), "expected shape"),
    ):
        write_volume(tmp_path / "answers" / "a.nii", wrong)
        with pytest.raises(AnswerError, match=message):
            make({"measure": "detection.picai"}).score(tmp_path / "references", tmp_path / "answers")


def test_instances_need_their_scores(tmp_path: Path) -> None:
    metric = make({"measure": "detection.map", "match": "instances"})
    labels = row((0, 4, 1), (6, 9, 2)).astype(np.uint8)
    for side in ("references", "answers"):
        write_volume(tmp_path / side / "a.nii", labels)
    scores = tmp_path / "answers" / "scores.csv"
    for text, message in (
        ("record,instance,score\na,1,0.5\n", "expected a score of instance 2"),
        ("record,instance,score\na,1,0.5\na,1,0.4\n", "every instance once"),
        ("record,instance,score\na,0,0.5\n", "from 1 to 65535"),
    ):
        scores.write_text(text)
        with pytest.raises(AnswerError, match=message):
            metric.score(tmp_path / "references", tmp_path / "answers")
    scores.write_text("record,instance,score\na,1,0.5\na,2,0.5\n")
    assert metric.score(tmp_path / "references", tmp_path / "answers").values["map"] == 1
    scores.unlink()
    with pytest.raises(AnswerError, match="expected a file, found none"):
        metric.score(tmp_path / "references", tmp_path / "answers")
    unscored = make({"measure": "detection.f1", "match": "instances"})
    assert unscored.score(tmp_path / "references", tmp_path / "answers").values["f1"] == 1
