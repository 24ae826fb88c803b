"""References and answers of challenges, to fill and to score."""

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import wfdb
from PIL import Image

import metrics
from metrics.base import ScoreReport
from metrics.challenges.camelyon16 import Camelyon16

KEY = "predict_endpoints"
LENGTH = 2100
"""Samples of a record with episodes."""
BEATS = tuple(range(50, 2050, 100))  # 20 annotations, at 50, 150, ... 1950
TUMOUR = (np.s_[60:100], np.s_[60:100])
"""Rows and columns of the one lesion of every tumour slide below, in level-5 pixels."""


def saved(value: Any, **options: Any) -> bytes:
    """A MAT file with a matrix among other variables."""
    stream = BytesIO()
    scipy.io.savemat(stream, {"before": np.array(["text"]), KEY: value, "z": {"a": 1.0}}, **options)
    return stream.getvalue()


def write_points(path: Path, points: object) -> None:
    """A file of points, each a pair or as it is; or these bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(points, bytes):
        path.write_bytes(points)
        return
    if isinstance(points, list):
        points = [{"x": p[0], "y": p[1]} if isinstance(p, tuple) else p for p in points]
    path.write_text(json.dumps({"folderName": "of no matter", "points": points}))


class Bench:
    """A folder of references and one of answers."""

    name = ""
    """Of the metric."""

    def __init__(self, folder: Path) -> None:
        self.references, self.answers, self.metric = folder / "references", folder / "answers", metrics.get(self.name)
        self.references.mkdir()
        self.answers.mkdir()

    def score(self, rules: str = "corrected", records: Sequence[str] | None = None) -> ScoreReport:
        return self.metric.score(self.references, self.answers, records=records, rules=rules)


class Frames(Bench):
    name = "adaptor2021"

    def add_labels(self, frame: str, points: object) -> None:
        folder, name = frame.rsplit("/", 1)
        write_points(self.references / folder / "point_labels" / f"{name}.json", points)

    def add_answer(self, frame: str, points: object) -> None:
        write_points(self.answers / f"{frame}.json", points)


class Episodes(Bench):
    name = "cpsc2021"

    def add_record(self, name: str, comment: str, marks: Mapping[int, str] | None = None) -> None:
        (self.references / f"{name}.hea").write_text(f"{name} 2 200 {LENGTH}\n{name}.dat 16\n# {comment}\n")
        notes = [(marks or {}).get(index, "") for index in range(len(BEATS))]
        symbols = ["+" if note else "N" for note in notes]
        wfdb.wrann(name, "atr", np.array(BEATS), symbols, aux_note=notes, write_dir=str(self.references))

    def add_answer(self, name: str, endpoints: object) -> None:
        (self.answers / f"{name}.json").write_text(json.dumps({KEY: endpoints}))


class Slides(Bench):
    name = "camelyon16"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.metric = Camelyon16(cache=folder / "cache")

    def mask(self, slide: str, *, inside: int = 255, name: str = "{}_Mask.png", itc: bool = False) -> None:
        raster = np.zeros((120, 110), np.uint8)
        raster[TUMOUR] = inside
        if itc:
            raster[20:22, 20:22] = inside
        Image.fromarray(raster).save(self.references / name.format(slide))

    def sheet(self, slide: str, *lines: str) -> None:
        (self.answers / f"{slide}.csv").write_text("".join(f"{line}\n" for line in lines))
