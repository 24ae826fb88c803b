"""The field's libraries beside measures of masks, objects and events.

Arrays are in memory on both sides; what is read from files here, the library reads from files too, or gets its own
objects made from them beforehand.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from metrics.generic import make
from metrics.generic.segmentation import panoptic_counts
from metrics.generic.signal_events import beat_pairs
from tests.benchmarks import _inputs as inputs
from tests.benchmarks._peer import Both, Peer

SPACING_MM = (1.0, 0.8, 0.8)
COCO = [round(0.5 + 0.05 * k, 2) for k in range(10)]
Bools = NDArray[np.bool_]
Row = tuple[str, float, float, str]


def _blobs(size: float) -> tuple[Bools, Bools]:
    """Some forty lesions, and most of them found a little beside."""
    r = inputs.random()
    shape = np.array([96, 192, 192])
    own, other = np.zeros(shape, bool), np.zeros(shape, bool)
    for _ in range(round(40 * size)):
        corner, extent = r.integers(4, shape - 24), r.integers(4, 16, 3)
        own[tuple(slice(a, a + n) for a, n in zip(corner, extent, strict=True))] = True
        if r.random() < 0.85:
            moved = corner + r.integers(-2, 3, 3)
            other[tuple(slice(a, a + n) for a, n in zip(moved, extent, strict=True))] = True
    return own, other


def _vessels(size: float) -> tuple[Bools, Bools]:
    r = inputs.random()
    field = ndimage.gaussian_filter(r.normal(size=(48, round(160 * size), round(160 * size))), 3)
    return np.abs(field) < 0.1 * field.std(), np.abs(field - 0.02 * field.std()) < 0.11 * field.std()


def _of_masks(measure: str, own: Bools, other: Bools, **options: Any) -> Callable[[], float]:
    metric: Any = make({"measure": f"segmentation.{measure}", **options})
    return lambda: float(metric.value_of_masks(own, other, SPACING_MM))


def _masd(size: float) -> Both:
    from medpy.metric import binary

    own, other = _blobs(size)

    def theirs() -> float:
        there, back = (binary.asd(*pair, voxelspacing=SPACING_MM) for pair in ((own, other), (other, own)))
        return float(there + back) / 2

    return _of_masks("masd", own, other), theirs


def _hd95(size: float) -> Both:
    from monai.metrics import compute_hausdorff_distance

    masks = _blobs(size)
    truth, given = (_hot(mask) for mask in masks)

    def theirs() -> float:
        return float(compute_hausdorff_distance(given, truth, percentile=95, spacing=list(SPACING_MM))[0, 0])

    return _of_masks("hd95", *masks), theirs


def _hot(mask: Bools) -> Any:
    import torch

    return torch.from_numpy(np.stack([~mask, mask])[None].astype(np.float32))


def _cldice(size: float) -> Both:
    from skimage.morphology import skeletonize

    own, other = _vessels(size)

    def theirs() -> float:
        """As published (jocpae/clDice): two lines around the same skeletons."""
        lines = skeletonize(other) > 0, skeletonize(own) > 0
        precision, sensitivity = (
            (line & mask).sum() / line.sum() for line, mask in zip(lines, (own, other), strict=True)
        )
        return float(2 * precision * sensitivity / (precision + sensitivity))

    return _of_masks("cldice", own, other), theirs


def _panoptic(size: float) -> Both:
    import panoptica

    own, other = (ndimage.label(mask)[0].astype(np.uint16) for mask in _blobs(size))
    evaluator = panoptica.Panoptica_Evaluator(
        expected_input=panoptica.InputType.UNMATCHED_INSTANCE,
        instance_matcher=panoptica.NaiveThresholdMatching(matching_threshold=0.5),
        instance_metrics=[panoptica.Metric.IOU],
        global_metrics=[],
    )

    def theirs() -> float:
        with contextlib.redirect_stdout(io.StringIO()):
            return float(evaluator.evaluate(other, own)["ungrouped"].pq)

    def ours() -> float:
        overlap, hits, false, missed = panoptic_counts(own, other)
        return overlap / (hits + (false + missed) / 2)

    return ours, theirs


def _scored(spec: dict[str, Any], texts: tuple[str, str], key: str = "") -> Callable[[], float]:
    """Ours, from two CSV files."""
    folder = tempfile.TemporaryDirectory()
    paths = [Path(folder.name) / name for name in ("references.csv", "answers.csv")]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    metric = make(spec)

    def ours(folder: Any = folder) -> float:  # the folder is kept as long as the function
        report = metric.score(*paths)
        return float(report.values[key or report.primary])

    return ours


def _boxes(size: float) -> tuple[list[Any], list[Any]]:
    r = inputs.random()
    rows, answered = [], []
    for i in range(round(1000 * size)):
        for _ in range(int(r.integers(1, 8))):
            x, y, w, h = map(int, r.integers((0, 0, 8, 8), (400, 400, 60, 60)))
            rows.append((i, x, y, x + w, y + h))
            dx, dy = map(int, r.integers(-8, 9, 2))
            answered.append((i, x + dx, y + dy, x + dx + w, y + dy + h, float(r.random())))
        x, y = map(int, r.integers(0, 400, 2))
        answered.append((i, x, y, x + 30, y + 30, float(r.random())))
    return rows, answered


def _coco(measure: str, place: int, size: float) -> Both:
    import json

    from pycocotools.coco import COCO as Data
    from pycocotools.cocoeval import COCOeval

    rows, answered = _boxes(size)
    folder = tempfile.TemporaryDirectory()
    files = [Path(folder.name) / name for name in ("references.json", "answers.json")]
    n = round(1000 * size)
    boxes = [
        {"image_id": i, "category_id": 1, "bbox": [x, y, x1 - x, y1 - y], "area": (x1 - x) * (y1 - y)}
        for i, x, y, x1, y1 in rows
    ]
    images = [{"id": i, "width": 500, "height": 500} for i in range(n)]
    kinds = [{"id": 1, "name": "a"}]
    numbered = [{**box, "id": k, "iscrowd": 0} for k, box in enumerate(boxes, 1)]
    files[0].write_text(json.dumps({"images": images, "annotations": numbered, "categories": kinds, "info": {}}))
    files[1].write_text(
        json.dumps(
            [
                {"image_id": i, "category_id": 1, "bbox": [x, y, x1 - x, y1 - y], "score": score}
                for i, x, y, x1, y1, score in answered
            ]
        )
    )

    def theirs(folder: Any = folder) -> float:
        with contextlib.redirect_stdout(io.StringIO()):
            data = Data(str(files[0]))
            found = COCOeval(data, data.loadRes(str(files[1])), "bbox")
            found.evaluate()
            found.accumulate()
            found.summarize()
        return float(found.stats[place])

    texts = tuple(
        f"record,x0,y0,x1,y1{head}\n" + "".join("r" + ",".join(map(str, row)) + "\n" for row in side)
        for side, head in ((rows, ""), (answered, ",score"))
    )
    spec = {"measure": f"detection.{measure}", "match": "iou", "thresholds": COCO}
    return _scored(spec, texts, measure), theirs  # type: ignore[arg-type]


def _seizures(size: float) -> Both:
    from timescoring.annotations import Annotation
    from timescoring.scoring import EventScoring

    r = inputs.random()
    hours: list[list[list[tuple[float, float]]]] = []
    for _ in range(round(400 * size)):
        onsets = np.sort(r.choice(np.arange(0, 3500, 100), 5, replace=False)).astype(float)
        own = [(onset, onset + float(r.integers(5, 60))) for onset in onsets]
        other = [(onset + 3.0, end + 5.0) for onset, end in own if r.random() < 0.7]
        hours.append([own, other])

    def theirs() -> float:
        tp = fp = missed = 0
        for sides in hours:
            found = EventScoring(*(Annotation(side, 10, 36000) for side in sides))
            tp, fp, missed = tp + found.tp, fp + found.fp, missed + found.refTrue - found.tp
        return float(2 * tp / (2 * tp + fp + missed))

    metric: Any = make({"measure": "events.szcore"})

    def ours() -> float:
        rows = [
            metric._contribution(*(np.array(side, np.float64).reshape(-1, 2) for side in sides), 3600.0)
            for sides in hours
        ]
        return float(metric._formula(np.sum(rows, axis=0)[None])["f1"][0])

    return ours, theirs


def _beats(size: float) -> Both:
    from wfdb.processing import compare_annotations

    r = inputs.random()
    own = np.cumsum(r.integers(60, 400, round(100_000 * size)))
    moved = (own + r.integers(-70, 70, own.size))[r.random(own.size) < 0.95]
    other = np.unique(np.concatenate([moved, r.integers(0, own[-1], own.size // 20)]))
    return (
        lambda: float((beat_pairs(own.astype(float), other.astype(float), 53) >= 0).sum()),
        lambda: float(compare_annotations(own, other, 54).tp),  # less than 54 samples
    )


def _stages(size: float) -> Both:
    import pandas
    from sklearn.metrics import cohen_kappa_score

    r = inputs.random()
    n = round(50_000 * size)
    truth = r.choice(["W", "N1", "N2", "N3", "R"], n)
    answers = np.where(r.random(n) < 0.8, truth, r.choice(["W", "N1", "N2", "N3", "R"], n))
    texts = [
        "record,epoch,stage\n" + "".join(f"n{i // 1000},{i % 1000},{stage}\n" for i, stage in enumerate(side.tolist()))
        for side in (truth, answers)
    ]
    folder = tempfile.TemporaryDirectory()
    files = [Path(folder.name) / name for name in ("references.csv", "answers.csv")]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)

    def theirs(folder: Any = folder) -> float:
        both = pandas.read_csv(files[0]).merge(pandas.read_csv(files[1]), on=["record", "epoch"])
        return float(cohen_kappa_score(both["stage_x"], both["stage_y"]))

    return _scored({"measure": "events.stage_kappa"}, (texts[0], texts[1]), "kappa"), theirs


_of_skimage = partial(Peer, module="skimage", install="scikit-image")
FILES = (
    Peer(module="medpy", install="medpy", what="segmentation.masd", prepare=_masd),
    Peer(module="monai", install="monai (and torch)", what="segmentation.hd95", prepare=_hd95, close=1e-5),
    _of_skimage(what="segmentation.cldice", prepare=_cldice, close=1e-2, why="ours has a rim of background"),
    Peer(module="panoptica", install="panoptica", what="segmentation.panoptic_quality", prepare=_panoptic),
    Peer(module="pycocotools", install="pycocotools", what="detection.map", prepare=partial(_coco, "map", 0)),
    Peer(
        module="pycocotools",
        install="pycocotools",
        what="detection.average_recall",
        prepare=partial(_coco, "average_recall", 8),
    ),
    Peer(module="timescoring", install="timescoring", what="events.szcore", prepare=_seizures),
    Peer(module="wfdb", install="wfdb", what="events.beats (pairs)", prepare=_beats),
    Peer(module="sklearn", install="scikit-learn (and pandas)", what="events.stage_kappa", prepare=_stages),
)
