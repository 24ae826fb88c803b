"""AdaptOR 2021: landmarks of suture points in endoscopic frames, scored by F1.

Conventions
-----------
References are a tree of ``<folder>/<subfolder>/point_labels/<name>.json`` and answers a tree of
``<folder>/<subfolder>/<name>.json``; on both sides ``point_labels`` is optional.  A file is an object whose
``points`` are a list of ``{"x": number, "y": number}`` in pixels of the frame (512 x 288); nothing else of it is
read.  The record of a frame is called ``<folder>/<subfolder>/<name>``; a folder is a patient.

In each frame the answered points are matched one to one with the labels, closest pair first, up to `RADIUS_PX`;
of equally close pairs the one of the later point, then of the later label.  TP is the number of pairs, FP of
points and FN of labels without a partner.  Recall = TP / (TP + FN), precision = TP / (TP + FP), F1 = their
harmonic mean, all over the counts of all frames; in [0, 1].

Source: ``evaluation.py`` of ``Cardio-AI/adaptor_docker_example`` (commit 25b6f21, 2021-05-27).

``rules="official"`` is that program with the true roles of its two arguments (as documented it exchanges them:
then FP and FN, and precision and recall, change places, and F1 stays), quirks included:

* only frames with a file on both sides count: a label file without an answer costs nothing;
* if there are several answer files for one frame, the first in the order of the folders is read;
* a point with NaN matches nothing and is a false positive; points outside the frame are points;
* where it stops, so does this: without a hit it divides by zero, which is the answers' fault (`AnswerError`),
  or the references' if they have no label at all (`ReferenceDataError`); a file without ``points``, or a point without
  numbers, is the fault of its author.

``rules="corrected"``:

* the organiser's record list, else every label file, decides which frames count;
* a frame without an answer file has all its labels missed;
* answer files of other frames are ignored, with a note: those frames have no labels, so nothing in them can be
  called wrong;
* a frame with two answer files, or with a file that cannot be used (one coordinate that is not finite is enough), has
  no answer;
* precision, recall and F1 are 0 where their denominator is, with a note.
"""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path, PurePath

import numpy as np
from numpy.typing import NDArray

from metrics.base import AnswerError, Given, MetricError, Note, OfFiles, ReferenceDataError, ScoreReport
from metrics.readers.cases import Case, require_answer
from metrics.readers.files import MIB, ErrorClass, Refuse, check_records, excerpt, list_names, read_json
from metrics.readers.names import check_some_match
from metrics.statistics.uncertainty import SumsOfRecords

RADIUS_PX = 6.0
MAX_FILE_BYTES = MIB // 4
"""Size of the file of one frame: room for thousands of points, where a real one has a dozen."""
_LARGEST_PX = 6e153
_LABEL_FOLDER = "point_labels"
_TREE_DEPTH = 8
_ROUNDING = 1e-14
"""Larger than the difference between two ways of computing a distance up to the radius."""
Points = NDArray[np.float64]
"""Shape (n, 2): x and y in pixels."""
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


# Validate: what a file may hold, or an error that names file and record


def frame_name(path: PurePath) -> str | None:
    """``<folder>/<subfolder>/<name>`` of a path that ends so; None if it is too short.

    A suffix .json or .png and the folder ``point_labels`` do not matter, nor what comes before ``<folder>``.
    """
    *folders, name = path.parts
    if folders and folders[-1] == _LABEL_FOLDER:
        folders.pop()
    if len(folders) < 2:
        return None
    return "/".join((*folders[-2:], path.stem if path.suffix in (".json", ".png") else name))


def _frame_of_file(path: Path) -> str | None:
    return frame_name(path) if path.suffix == ".json" else None


def list_frames(root: Path, error: ErrorClass, refuse: Refuse | None = None) -> dict[str, list[Path]]:
    """The files of each frame, one in ``point_labels`` first, then in the order of the folders.

    Raises ``error`` if ``root`` is not a folder or cannot be listed.
    """
    frames: dict[str, list[Path]] = defaultdict(list)
    paths = (PurePath(name) for name in list_names(root, error, depth=_TREE_DEPTH, refuse=refuse))
    for path in sorted(paths, key=lambda path: (path.parent.name != _LABEL_FOLDER, path.parts[:-1])):
        frame = frame_name(path) if path.suffix == ".json" else None
        if frame is not None:
            frames[frame].append(root / path)
    return frames


def load_points(path: Path, frame: str, error: ErrorClass) -> list[object]:
    """The entries of ``points``, unchecked. Raises ``error`` if the file is not JSON, or has no list ``points``."""
    content = read_json(path, error, max_bytes=MAX_FILE_BYTES, record=frame)
    points = content.get("points") if isinstance(content, dict) else None
    if not isinstance(points, list):
        raise error(f'expected {{"points": [...]}}, found {excerpt(content)}', file=path, record=frame)
    return points


def coordinates(points: list[object], error: ErrorClass, *, file: Path, frame: str, rules: str) -> Points:
    """x and y of each entry; by the corrected rules they must be finite. Raises ``error`` for an entry without them."""
    xy = np.empty((len(points), 2))
    for number, point in enumerate(points):
        x, y = (point.get("x"), point.get("y")) if isinstance(point, dict) else (None, None)
        if not (_usable(x, rules) and _usable(y, rules)):
            wish = "finite numbers" if rules == "corrected" else "numbers"
            raise error(f"point {number + 1}: expected {wish} x and y, found {excerpt(point)}", file=file, record=frame)
        xy[number] = x, y
    return xy


def _usable(value: object, rules: str) -> bool:
    """True for a coordinate; the official program stops where the square of a difference is too large for a float."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return abs(value) <= sys.float_info.max if rules == "corrected" else not _LARGEST_PX < abs(value) < math.inf


def _label_files(references: Path, records: Sequence[str] | None) -> dict[str, Path]:
    """The label file of each frame of the list, of every frame if there is none."""
    files_of = list_frames(references, ReferenceDataError)
    if records is None:
        names = check_records(tuple(files_of), file=references)
    else:
        names = check_records([frame_name(PurePath(record)) or record for record in records])
    label_of = {}
    for name in names:
        paths = files_of.get(name, [])
        if len(paths) != 1:
            raise ReferenceDataError(
                f"expected one label file for the frame, found {len(paths)}", file=references, record=name
            )
        label_of[name] = paths[0]
    return label_of


def points_of_frame(references: Path, answers: Path, frame: str) -> tuple[Points, Points]:
    """Labels and answered points of one frame, by the corrected rules.

    Raises AnswerError or ReferenceDataError if a file is missing or malformed, or there are two answers.
    """
    labels = _label_files(references, [frame])
    given = Given(references=references, answers=answers, strict=True)
    frames, _ = _corrected(labels, list_frames(answers, AnswerError), given)
    return _corrected_points(frames[0])


# Measure: one record, and any multiset of records, as numbers


def match_points(labels: Points, points: Points) -> list[tuple[int, int, float]]:
    """Greedy one-to-one matching: label index, point index and distance of each pair, closest first.

    Not the largest matching that exists: a close pair may keep two others apart.  Points with NaN match nothing.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        squares = (labels[None] - points[:, None]) ** 2
        point_of, label_of = (np.sqrt(squares.sum(axis=2)) <= RADIUS_PX + _ROUNDING).nonzero()
    distances = _exact_distances(labels, points, label_of, point_of)
    matched: list[tuple[int, int, float]] = []
    taken_labels: set[int] = set()
    taken_points: set[int] = set()
    for distance, point, label in sorted(zip(distances, (-point_of).tolist(), (-label_of).tolist(), strict=True)):
        if distance <= RADIUS_PX and -label not in taken_labels and -point not in taken_points:
            taken_labels.add(-label)
            taken_points.add(-point)
            matched.append((-label, -point, distance))
    return matched


def _exact_distances(labels: Points, points: Points, label_of: Ints, point_of: Ints) -> list[float]:
    """As the official program computes them: the C library rounds the squares, which may decide a tie."""
    x, y = labels[label_of].T.tolist()
    px, py = points[point_of].T.tolist()
    return [math.sqrt((a - b) ** 2 + (c - d) ** 2) for a, b, c, d in zip(x, px, y, py, strict=True)]


def values_of(tp: Floats, fp: Floats, fn: Floats, rules: str) -> dict[str, Floats]:
    """Values of sums over frames, of shape (b,); without a hit NaN by the official rules, 0 by the corrected."""

    def ratio(part: Floats, whole: Floats) -> Floats:
        undefined = math.nan if rules == "official" else 0.0
        return np.divide(part, whole, out=np.full_like(part, undefined), where=whole != 0)

    precision, recall = ratio(tp, tp + fp), ratio(tp, tp + fn)
    f1 = ratio(2 * precision * recall, precision + recall)
    return {"F1": f1, "precision": precision, "recall": recall, "TP": tp, "FP": fp, "FN": fn}


# Report: the metric itself


class Adaptor2021(OfFiles):
    """The landmark metric of AdaptOR 2021, see the module."""

    name = "adaptor2021"

    def scored(self, given: Given) -> ScoreReport:
        """Score a tree of answers, see `metrics.base.Metric.score`.

        ``per_record`` has TP, FP and FN of each frame that counts; ``curves["distances_px"]`` the distances of
        all pairs, ascending.
        """
        references, answers, records, rules = given.references, given.answers, given.records, given.rules
        label_of = _label_files(references, records)
        answered = list_frames(answers, AnswerError, None if given.strict else given.refusal(_frame_of_file))
        frames, notes = _official(label_of, answered) if given.strict else _corrected(label_of, answered, given)
        if rules == "corrected":
            all_frames = () if records is None else list_frames(references, ReferenceDataError)
            notes[:0] = check_some_match(list(label_of), list(answered), answers, all_frames)
        points_of = _official_points if given.strict else given.with_usable(_corrected_points)
        counts: dict[str, tuple[float, float, float]] = {}
        distances: list[float] = []
        for frame in frames:
            labels, points = points_of(frame)
            pairs = match_points(labels, points)
            hits = float(len(pairs))
            counts[frame.record] = hits, len(points) - hits, len(labels) - hits
            distances += [distance for _, _, distance in pairs]
        others = len(answered.keys() - label_of.keys())
        if others:
            notes.append(Note(f"{others} answer files of frames without a label file in the list are ignored"))
        resampler = SumsOfRecords(
            records=tuple(counts),
            clusters=tuple(name.split("/", 1)[0] for name in counts),  # the folder of a frame is a patient
            rows=np.array([*counts.values()]).reshape(-1, 3),
            formula=partial(values_of, rules=rules),
        )
        everyone = np.ones((1, len(frames)), np.int64)
        values = {key: float(value[0]) for key, value in resampler.values(everyone).items()}
        if values["TP"] == 0:
            if rules == "official":
                raise _without_hit(references, answers, label_of)
            notes.append(Note("no point hits a label: F1, precision and recall are 0"))
        return ScoreReport(
            metric=self.name,
            rules=rules,
            primary="F1",
            values=values,
            per_record={name: {"TP": tp, "FP": fp, "FN": fn} for name, (tp, fp, fn) in counts.items()},
            curves={"distances_px": sorted(distances)},
            notes=tuple(notes),
            failing=dict.fromkeys(("F1", "precision", "recall"), (0.0, 1 / (len(set(resampler.clusters)) + 1))),
            resampler=resampler,
        )


def _corrected(
    label_of: Mapping[str, Path], answered: Mapping[str, list[Path]], given: Given
) -> tuple[list[Case], list[Note]]:
    frames: list[Case] = []
    for name, label_file in label_of.items():
        files = answered.get(name, ())
        if files:
            given.answered.add(name)
        if len(files) > 1:
            reason = f"expected one file for the frame, found {len(files)}"
            given.refuse(name, AnswerError(reason, file=files[1], record=name))
        frames.append(Case(record=name, reference=label_file, answer=files[0] if len(files) == 1 else None))
    given.require_answered("a <folder>/<subfolder>/<name>.json of a frame of the list")
    missing = sum(frame.answer is None for frame in frames)
    text = f"{missing} of {len(frames)} frames have no answer: all their labels are missed"
    return frames, [Note(text)] if missing else []


def _corrected_points(frame: Case) -> tuple[Points, Points]:
    truth, points = load_points(frame.reference, frame.record, ReferenceDataError), np.empty((0, 2))
    labels = coordinates(truth, ReferenceDataError, file=frame.reference, frame=frame.record, rules="corrected")
    if frame.answer is not None:
        entries = load_points(frame.answer, frame.record, AnswerError)
        points = coordinates(entries, AnswerError, file=frame.answer, frame=frame.record, rules="corrected")
    return labels, points


def _official(label_of: Mapping[str, Path], answered: Mapping[str, list[Path]]) -> tuple[list[Case], list[Note]]:
    frames = [
        Case(record=name, reference=file, answer=answered[name][0])
        for name, file in label_of.items()
        if name in answered
    ]
    missing = len(label_of) - len(frames)
    return frames, [Note(f"{missing} of {len(label_of)} frames have no answer and do not count")] if missing else []


def _official_points(frame: Case) -> tuple[Points, Points]:
    name, answer = frame.record, require_answer(frame)
    truth = load_points(frame.reference, name, ReferenceDataError)
    points = load_points(answer, name, AnswerError)
    if not truth or not points:  # then no entry is checked
        return np.full((len(truth), 2), math.nan), np.full((len(points), 2), math.nan)
    return (
        coordinates(truth, ReferenceDataError, file=frame.reference, frame=name, rules="official"),
        coordinates(points, AnswerError, file=answer, frame=name, rules="official"),
    )


def _without_hit(references: Path, answers: Path, labels: dict[str, Path]) -> MetricError:
    """The error that says whose fault it is that the official program divides by zero."""
    if not any(load_points(file, name, ReferenceDataError) for name, file in labels.items()):
        return ReferenceDataError("expected labels, found none in any frame: F1 is 0/0", file=references)
    return AnswerError(
        "expected at least one point that hits a label, found none: the official program divides by zero", file=answers
    )


METRIC = Adaptor2021()
