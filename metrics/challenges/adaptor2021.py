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
* two answer files for a frame, or a coordinate that is not finite, reject the answers;
* precision, recall and F1 are 0 where their denominator is, with a note.
"""

from __future__ import annotations

import math
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

import numpy as np
from numpy.typing import NDArray

from metrics.base import AnswerError, MetricError, Note, ReferenceDataError, ScoreReport, as_paths, check_rules
from metrics.readers.files import MIB, ErrorClass, check_records, excerpt, list_names, read_json

RADIUS_PX = 6.0
MAX_FILE_BYTES = MIB // 4
"""Size of the file of one frame: room for thousands of points, where a real one has a dozen."""
_LARGEST_PX = 6e153
_NUMBERS = frozenset({int, float})
"""By type, not isinstance: true and false are not coordinates."""
_LABEL_FOLDER = "point_labels"
_TREE_DEPTH = 8
_BLOCK = 1 << 20
_ROUNDING = 1e-14
"""Larger than the difference between two ways of computing a distance up to the radius."""
Points = NDArray[np.float64]
"""Shape (n, 2): x and y in pixels."""


# Validate: what a file may hold, or an error that names file and record


def frame_name(path: PurePath) -> str | None:
    """``<folder>/<subfolder>/<name>`` of a path that ends so; None if it is too short.

    A suffix .json or .png and the folder ``point_labels`` do not matter, nor what comes before ``<folder>``.
    """
    return _frame_of(path.parts)


def _frame_of(parts: Sequence[str]) -> str | None:
    *folders, name = parts
    if folders and folders[-1] == _LABEL_FOLDER:
        folders.pop()
    if len(folders) < 2:
        return None
    stem, dot, suffix = name.rpartition(".")
    return "/".join((*folders[-2:], stem if stem and dot and suffix in ("json", "png") else name))


def list_frames(root: Path, error: ErrorClass) -> dict[str, list[str]]:
    """The files of each frame, one in ``point_labels`` first, then in the order of the folders.

    Raises
    ------
    error
        ``root`` is not a folder or cannot be listed.
    """
    frames: dict[str, list[str]] = defaultdict(list)
    for file in list_names(root, error, depth=_TREE_DEPTH):
        parts = file.split("/")
        name = _frame_of(parts) if file.endswith(".json") and parts[-1] != ".json" else None
        if name is not None:
            first = len(parts) > 1 and parts[-2] == _LABEL_FOLDER and f"{root}/{file}"
            if first:
                labelled = sum(path.rsplit("/", 2)[-2] == _LABEL_FOLDER for path in frames[name])
                frames[name].insert(labelled, first)
            else:
                frames[name].append(f"{root}/{file}")
    return frames


def load_points(path: Path | str, frame: str, error: ErrorClass) -> list[object]:
    """The entries of ``points``, unchecked.

    Raises
    ------
    error
        The file is not JSON, or has no list ``points``.
    """
    content = read_json(path, error, max_bytes=MAX_FILE_BYTES, record=frame)
    points = content.get("points") if isinstance(content, dict) else None
    if not isinstance(points, list):
        raise error(f'expected {{"points": [...]}}, found {excerpt(content)}', file=path, record=frame)
    return points


def coordinates(points: list[object], error: ErrorClass, *, file: Path | str, frame: str, rules: str) -> Points:
    """x and y of each entry; by the corrected rules they must be finite.

    Raises
    ------
    error
        An entry has no numbers x and y that can be used.
    """
    try:
        numbers = [number for point in points for number in (point["x"], point["y"])]  # type: ignore[index]
        # usable by both rules; false for NaN
        if _NUMBERS.issuperset(map(type, numbers)) and all(-_LARGEST_PX <= number <= _LARGEST_PX for number in numbers):
            return np.array(numbers, np.float64).reshape(-1, 2)
    except (TypeError, KeyError, IndexError, OverflowError):
        pass  # these entries are found and named below
    usable = _finite if rules == "corrected" else _squarable
    xy = np.empty((len(points), 2))
    for number, point in enumerate(points):
        x, y = (point.get("x"), point.get("y")) if isinstance(point, dict) else (None, None)
        if not (usable(x) and usable(y)):
            wish = "finite numbers" if rules == "corrected" else "numbers"
            raise error(f"point {number + 1}: expected {wish} x and y, found {excerpt(point)}", file=file, record=frame)
        xy[number] = x, y
    return xy


def _finite(value: object) -> bool:
    # by type, not isinstance: true and false are not coordinates
    return type(value) in (int, float) and abs(value) <= sys.float_info.max  # type: ignore[arg-type]


def _squarable(value: object) -> bool:
    """The official program stops where the square of a difference is beyond the largest float."""
    return type(value) in (int, float) and not _LARGEST_PX < abs(value) < math.inf  # type: ignore[arg-type]


def _label_files(references: Path, records: Sequence[str] | None) -> dict[str, str]:
    """The label file of each frame of the list, of every frame if there is none."""
    found = list_frames(references, ReferenceDataError)
    if records is None:
        names = check_records(tuple(found), file=references)
    else:
        names = check_records([frame_name(PurePath(record)) or record for record in records])
    label_of = {}
    for name in names:
        paths = found.get(name, [])
        if len(paths) != 1:
            raise ReferenceDataError(
                f"expected one label file for the frame, found {len(paths)}", file=references, record=name
            )
        label_of[name] = paths[0]
    return label_of


def _read_points(file: str, frame: str, error: ErrorClass) -> Points:
    return coordinates(load_points(file, frame, error), error, file=file, frame=frame, rules="corrected")


# Measure: one record, and any multiset of records, as numbers


@dataclass(frozen=True, kw_only=True)
class Frame:
    """Score of one frame: pairs, points and labels without a partner, and the distances of the pairs."""

    tp: int
    fp: int
    fn: int
    distances_px: tuple[float, ...] = ()

    def as_numbers(self) -> dict[str, float | str]:
        """For `ScoreReport.per_record`."""
        return {"TP": float(self.tp), "FP": float(self.fp), "FN": float(self.fn)}


def match_points(labels: Points, points: Points, radius_px: float = RADIUS_PX) -> list[tuple[int, int, float]]:
    """Greedy one-to-one matching, closest pair first.

    Parameters
    ----------
    labels, points : shape (n, 2), shape (m, 2)
        Reference and answered points; those with NaN match nothing.

    Returns
    -------
    list of (label index, point index, distance)
        Closest first.  Not the largest matching that exists: a close pair may keep two others apart.
    """
    return _greedy(labels, points, radius_px, *_close_pairs(labels, points, radius_px))


def match_frames(frames: Sequence[tuple[Points, Points]]) -> list[list[float]]:
    """The distances of the pairs that `match_points` makes of the labels and points of each frame, closest first.

    Frames are matched together, some thousand pairs of points at a time: for ten points in each of 500 frames that is
    ten times as fast as one after the other.
    """
    distances: list[list[float]] = [[] for _ in frames]
    start = 0
    while start < len(frames):
        stop, most_labels, most_points = start, 0, 0
        while stop < len(frames):
            wider = max(most_labels, len(frames[stop][0])), max(most_points, len(frames[stop][1]))
            if stop > start and (stop + 1 - start) * wider[0] * wider[1] > _BLOCK:
                break
            most_labels, most_points = wider
            stop += 1
        if stop == start + 1:
            matched = match_points(*frames[start])
            distances[start] = [distance for _, _, distance in matched]
        else:
            part = frames[start:stop]
            labels, points = (np.concatenate(side) for side in zip(*part, strict=True))
            frame_of = np.repeat(np.arange(start, stop), [len(one) for one, _ in part]).tolist()
            for label, _, distance in _greedy(labels, points, RADIUS_PX, *_close_pairs_within(part, labels, points)):
                distances[frame_of[label]].append(distance)
        start = stop
    return distances


def _greedy(
    labels: Points,
    points: Points,
    radius_px: float,
    label_of: NDArray[np.int64],
    point_of: NDArray[np.int64],
    distances: NDArray[np.float64],
) -> list[tuple[int, int, float]]:
    """Take the closest of the given pairs, leave out those of its label and point, and so on."""
    labels_pairs, points_pairs = (np.bincount(of) for of in (label_of, point_of))
    alone = (labels_pairs[label_of] == 1) & (points_pairs[point_of] == 1)
    if alone.all():
        return [
            (-later_label, -later_point, distance)
            for distance, later_point, later_label in _exactly_ranked(labels, points, label_of, point_of)
            if distance <= radius_px
        ]
    # pairs without a rival need no turn: where they are most, as in real frames, that leaves a few
    matched = _greedy(labels, points, radius_px, label_of[alone], point_of[alone], distances[alone])
    contested = ~alone
    taken = _in_turn(labels, points, radius_px, label_of[contested], point_of[contested], distances[contested])
    return sorted([*matched, *taken], key=lambda found: (found[2], -found[1], -found[0])) if matched else taken


def _in_turn(
    labels: Points,
    points: Points,
    radius_px: float,
    label_of: NDArray[np.int64],
    point_of: NDArray[np.int64],
    distances: NDArray[np.float64],
) -> list[tuple[int, int, float]]:
    """`_greedy` of pairs that compete for labels and points, some of the closest at a time."""
    label_free, point_free = np.ones(len(labels), np.bool_), np.ones(len(points), np.bool_)
    batch = 2 * min(len(labels), len(points))
    matched: list[tuple[int, int, float]] = []
    while len(distances):
        limit = _batch_limit(distances, batch)
        now = distances <= limit
        taken_labels: set[int] = set()
        taken_points: set[int] = set()
        for distance, later_point, later_label in _exactly_ranked(labels, points, label_of[now], point_of[now]):
            label, point = -later_label, -later_point
            if distance <= radius_px and label not in taken_labels and point not in taken_points:
                taken_labels.add(label)
                taken_points.add(point)
                matched.append((label, point, distance))
        if limit == math.inf:
            break
        label_free[list(taken_labels)] = False
        point_free[list(taken_points)] = False
        left = ~now & label_free[label_of] & point_free[point_of]
        label_of, point_of, distances = label_of[left], point_of[left], distances[left]
    return matched


def _close_pairs_within(
    frames: Sequence[tuple[Points, Points]], labels: Points, points: Points
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """`_close_pairs` of each frame with itself, by the indices of all its ``labels`` and ``points`` in one row."""
    (x, first_label), (px, first_point) = (
        _side_by_side(whole, np.array([len(frame[side]) for frame in frames]))
        for side, whole in enumerate((labels, points))
    )
    with np.errstate(invalid="ignore", over="ignore"):
        squares = [(x[:, :, None, axis] - px[:, None, :, axis]) ** 2 for axis in (0, 1)]
        distances = np.sqrt(squares[0] + squares[1])
    frame, label, point = (distances <= RADIUS_PX + _ROUNDING).nonzero()
    return label + first_label[frame], point + first_point[frame], distances[frame, label, point]


def _side_by_side(whole: Points, sizes: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The points of each frame in a row of its own, filled up with NaN, and the number of the first of each."""
    first = np.cumsum(sizes) - sizes
    rows = np.full((len(sizes), int(sizes.max()), 2), math.nan)
    rows[np.arange(rows.shape[1]) < sizes[:, None]] = whole
    return rows, first


def _close_pairs(
    labels: Points, points: Points, radius_px: float
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Label index, point index and distance of all pairs within the radius, or `_ROUNDING` beyond it."""
    found = []
    rows = max(1, _BLOCK // max(1, len(labels)))
    for begin in range(0, len(points), rows):
        block = points[begin : begin + rows]
        with np.errstate(invalid="ignore", over="ignore"):
            offsets = labels[None] - block[:, None]
            offsets *= offsets
            distance = np.sqrt(offsets[..., 0] + offsets[..., 1])
        point, label = (distance <= radius_px + _ROUNDING).nonzero()
        found.append((label, point + begin, distance[point, label]))
    if len(found) == 1:
        return found[0]
    if not found:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    label, point, distance = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return label, point, distance


def _batch_limit(distances: NDArray[np.float64], batch: int) -> float:
    """A distance that about ``batch`` pairs do not exceed, with none in the `_ROUNDING` beyond it."""
    if len(distances) <= batch:
        return math.inf
    limit = float(np.partition(distances, batch)[batch])
    while (reach := float(distances[distances <= limit + _ROUNDING].max())) > limit:
        limit = reach
    return limit


def _exactly_ranked(
    labels: Points, points: Points, label_of: NDArray[np.int64], point_of: NDArray[np.int64]
) -> list[tuple[float, int, int]]:
    """Distance, minus the point index and minus the label index of some pairs, sorted."""
    x, y = labels[label_of].T.tolist()
    px, py = points[point_of].T.tolist()
    # ** and not a product: as in the official program, the C library rounds it, which may decide a tie
    distances = [math.sqrt((a - b) ** 2 + (c - d) ** 2) for a, b, c, d in zip(x, px, y, py, strict=True)]
    return sorted(zip(distances, (-point_of).tolist(), (-label_of).tolist(), strict=True))


@dataclass(frozen=True, kw_only=True)
class Counts:
    """TP, FP and FN of each frame; every value is computed from their sums. See `Resampler`."""

    records: tuple[str, ...]
    counts: NDArray[np.int64]
    """Shape (n_frames, 3)."""
    rules: str

    @property
    def clusters(self) -> tuple[str, ...]:
        """The folder of each frame: a patient."""
        return tuple(record.split("/", 1)[0] for record in self.records)

    def values(self, weights: NDArray[np.int64]) -> dict[str, NDArray[np.float64]]:
        """See `Resampler.values`; without a hit NaN by the official rules, 0 by the corrected."""
        tp, fp, fn = (weights.astype(np.float64) @ self.counts).T
        precision, recall = self._ratio(tp, tp + fp), self._ratio(tp, tp + fn)
        f1 = self._ratio(2 * precision * recall, precision + recall)
        return {"F1": f1, "precision": precision, "recall": recall, "TP": tp, "FP": fp, "FN": fn}

    def _ratio(self, part: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
        undefined = math.nan if self.rules == "official" else 0.0
        return np.divide(part, whole, out=np.full_like(part, undefined), where=whole != 0)


def _matched(read: dict[str, tuple[Points, Points]]) -> dict[str, Frame]:
    """The score of each frame from its labels and points."""
    return {
        name: Frame(
            tp=len(distances),
            fp=len(points) - len(distances),
            fn=len(labels) - len(distances),
            distances_px=tuple(distances),
        )
        for (name, (labels, points)), distances in zip(read.items(), match_frames(list(read.values())), strict=True)
    }


# Report: the metric itself


class Adaptor2021:
    """The landmark metric of AdaptOR 2021, see the module."""

    name = "adaptor2021"

    def score(
        self,
        references: Path | str,
        answers: Path | str,
        *,
        records: Sequence[str] | None = None,
        rules: str = "corrected",
    ) -> ScoreReport:
        """Score a tree of answers, see `metrics.base.Metric.score`.

        ``per_record`` has TP, FP and FN of each frame that counts; ``curves["distances_px"]`` the distances of
        all pairs, ascending.
        """
        check_rules(rules)
        references, answers = as_paths(references, answers)
        labels = _label_files(references, records)
        answered = list_frames(answers, AnswerError)
        scorer = _official if rules == "official" else _corrected
        frames, notes = scorer(labels, answered)
        others = len(answered.keys() - labels.keys())
        if others:
            notes.append(Note(f"{others} answer files of frames without a label file in the list are ignored"))
        counts = Counts(
            records=tuple(frames),
            counts=np.array([(f.tp, f.fp, f.fn) for f in frames.values()], np.int64).reshape(-1, 3),
            rules=rules,
        )
        everyone = np.ones((1, len(frames)), np.int64)
        values = {key: float(value[0]) for key, value in counts.values(everyone).items()}
        if values["TP"] == 0:
            if rules == "official":
                raise _without_hit(references, answers, labels)
            notes.append(Note("no point hits a label: F1, precision and recall are 0"))
        return ScoreReport(
            metric=self.name,
            rules=rules,
            primary="F1",
            values=values,
            per_record={name: frame.as_numbers() for name, frame in frames.items()},
            curves={"distances_px": sorted(d for frame in frames.values() for d in frame.distances_px)},
            notes=tuple(notes),
            resampler=counts,
        )


def _corrected(labels: dict[str, str], answered: dict[str, list[str]]) -> tuple[dict[str, Frame], list[Note]]:
    read: dict[str, tuple[Points, Points]] = {}
    missing = 0
    for name, label_file in labels.items():
        truth = _read_points(label_file, name, ReferenceDataError)
        files = answered.get(name, [])
        if len(files) > 1:
            raise AnswerError(f"expected one file for the frame, found {len(files)}", file=files[1], record=name)
        missing += not files
        read[name] = truth, _read_points(files[0], name, AnswerError) if files else np.empty((0, 2))
    notes = [Note(f"{missing} of {len(labels)} frames have no answer: all their labels are missed")] if missing else []
    return _matched(read), notes


def _official(labels: dict[str, str], answered: dict[str, list[str]]) -> tuple[dict[str, Frame], list[Note]]:
    read: dict[str, tuple[Points, Points]] = {}
    for name, label_file in labels.items():
        if name not in answered:
            continue
        file = answered[name][0]
        truth = load_points(label_file, name, ReferenceDataError)
        points = load_points(file, name, AnswerError)
        if truth and points:
            read[name] = (
                coordinates(truth, ReferenceDataError, file=label_file, frame=name, rules="official"),
                coordinates(points, AnswerError, file=file, frame=name, rules="official"),
            )
        else:  # then no entry is checked
            read[name] = np.full((len(truth), 2), math.nan), np.full((len(points), 2), math.nan)
    missing = len(labels) - len(read)
    notes = [Note(f"{missing} of {len(labels)} frames have no answer and do not count")] if missing else []
    return _matched(read), notes


def _without_hit(references: Path, answers: Path, labels: dict[str, str]) -> MetricError:
    """The error that says whose fault it is that the official program divides by zero."""
    if not any(load_points(file, name, ReferenceDataError) for name, file in labels.items()):
        return ReferenceDataError("expected labels, found none in any frame: F1 is 0/0", file=references)
    return AnswerError(
        "expected at least one point that hits a label, found none: the official program divides by zero",
        file=answers,
    )


METRIC = Adaptor2021()
