from pathlib import Path

import numpy as np
import pytest

from metrics.base import ReferenceDataError
from metrics.generic import make
from tests.support.score_tables import write
from tests.support.volume_files import labels, write_pairs


def test_points_match_masks(tmp_path: Path) -> None:
    # file axes x = row of the drawing, y = column
    masks = {"a": (labels("1100", "0000", "0022"), None), "b": (labels("0000"), None)}
    references, _ = write_pairs(tmp_path, masks)
    answers = write(
        tmp_path / "answers.csv",
        "record,x,y,z,score\na,0.4,1.4,0,0.9\na,0,0,0,0.8\na,2,0,0,0.7\na,-1,0,0,0.6\na,9,9,9,0.5\nb,0,0,0,0.4",
    )
    spec = {"measure": "detection.f1", "match": "mask", "coordinates": ["x", "y", "z"]}
    report = make(spec).score(references, answers)
    assert report.per_record == {"a": {"TP": 1, "FP": 4, "FN": 1}, "b": {"TP": 0, "FP": 1, "FN": 0}}
    froc = make({**spec, "measure": "detection.froc", "duplicates": "ignore"}).score(references, answers)
    assert froc.per_record["a"] == {"objects": 2, "found": 1, "false_positives": 3}
    with pytest.raises(ReferenceDataError, match="expected masks of 2 axes"):
        make({**spec, "coordinates": ["x", "y"]}).score(references, answers)


def test_precision_of_masks_is_cocos(tmp_path: Path) -> None:
    """The figure is of pycocotools 2.0.11: its ``stats[0]`` for ``segm``."""
    r = np.random.default_rng(9)
    images = np.zeros((2, 12, 60, 60), np.uint16)
    scores = r.random((12, 4)).round(3)
    for i, j in np.ndindex(12, 4):
        x, y, w, h, right, down = r.integers([0, 0, 8, 8, 0, 0], [40, 40, 18, 18, 5, 5]).tolist()
        images[0, i, y : y + h, x : x + w] = j + 1
        images[1, i, y + down : y + down + h, x + right : x + right + w] = j + 1

    folders = write_pairs(tmp_path, {f"r{i:02}": [image.T for image in images[:, i]] for i in range(12)})
    rows = [f"r{i:02},{j + 1},{scores[i, j]}\n" for i, j in np.ndindex(12, 4) if (images[1, i] == j + 1).any()]
    (tmp_path / "answers" / "scores.csv").write_text("record,instance,score\n" + "".join(rows))
    thresholds = [round(0.5 + 0.05 * k, 2) for k in range(10)]
    metric = make({"measure": "detection.map", "match": "instances", "thresholds": thresholds})
    assert metric.score(*folders).values["map"] == pytest.approx(0.056416715294951, abs=1e-9)


def test_more_instances_than_can_be_compared_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = labels("1100")
    folders = write_pairs(tmp_path, {"a": (plain, labels("1230")), "b": (plain, plain)})
    monkeypatch.setattr("metrics.generic.detection.MAX_PAIRS", 5)  # with the background 2 and 3
    report = make({"measure": "detection.f1", "match": "instances"}).score(*folders)
    assert report.unusable == {"a": "a.nii.gz: expected fewer instances, found 3"}
