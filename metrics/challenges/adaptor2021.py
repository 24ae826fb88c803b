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
import struct
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath

import msgspec
import numpy as np
from numpy.typing import NDArray

from metrics.base import AnswerError, Given, MetricError, Note, OfFiles, ReferenceDataError, ScoreReport
from metrics.products import product
from metrics.readers.files import (
    MIB,
    ErrorClass,
    Refuse,
    check_records,
    excerpt,
    list_folders,
    read_json,
    read_small,
)
from metrics.readers.names import check_some_match

RADIUS_PX = 6.0
MAX_FILE_BYTES = MIB // 4
"""Size of the file of one frame: room for thousands of points, where a real one has a dozen."""
_LARGEST_PX = 6e153
_NUMBERS = frozenset({int, float})
"""By type, not isinstance: true and false are not coordinates."""
_LABEL_FOLDER = "point_labels"
_TREE_DEPTH = 8
_BLOCK, _BLOCK_FRAMES = 1 << 20, 1 << 14
"""The most pairs of points, and frames, that are matched together."""
_READ = 32
"""Frames whose points are objects at a time."""
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
    return _frame_of(path.parts)


def _frame_of(parts: Sequence[str]) -> str | None:
    *folders, name = parts
    if folders and folders[-1] == _LABEL_FOLDER:
        folders.pop()
    if len(folders) < 2:
        return None
    stem, dot, suffix = name.rpartition(".")
    return "/".join((*folders[-2:], stem if stem and dot and suffix in ("json", "png") else name))


def _frame_of_file(path: Path) -> str | None:
    return frame_name(path) if path.suffix == ".json" else None


def list_frames(root: Path, error: ErrorClass, refuse: Refuse | None = None) -> dict[str, list[str]]:
    """The files of each frame, one in ``point_labels`` first, then in the order of the folders.

    Raises
    ------
    error
        ``root`` is not a folder or cannot be listed.
    """
    frames: dict[str, list[str]] = defaultdict(list)
    folders = list_folders(root, error, depth=_TREE_DEPTH, refuse=refuse)
    for labelled in (True, False):
        for folder, names in folders:
            parts = folder.split("/")
            frame = _frame_of((*parts, ""))
            if frame is None or (parts[-1] == _LABEL_FOLDER) is not labelled:
                continue
            place = f"{root}/{folder}/"
            for name in names:
                if name.endswith(".json") and name != ".json":
                    frames[frame + name[:-5]].append(place + name)
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


class Point(msgspec.Struct, gc=False):
    """One entry of ``points``."""

    x: float
    y: float


class _Content(msgspec.Struct, gc=False):
    """What is read of a file."""

    points: list[Point]


_parse = msgspec.json.Decoder(_Content).decode


def points_of_frame(references: Path, answers: Path, frame: str) -> tuple[Points, Points]:
    """Labels and answered points of one frame, by the corrected rules.

    Raises
    ------
    AnswerError, ReferenceDataError
        A file is missing or malformed, or there are two answers.
    """
    labels = _label_files(references, [frame])
    given = Given(references=references, answers=answers, strict=True)
    frames, _ = _corrected(labels, list_frames(answers, AnswerError), given)
    return _corrected_points(frames[0])


def _points_at_once(file: str) -> list[Point] | None:
    """The points of a small file in which each is two numbers; None for one that `load_points` must judge."""
    content = read_small(file)
    if content is None:
        return None
    try:
        return _parse(content if content.isascii() else content.decode()).points  # bytes are decoded without a check
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


Files = tuple[str, str, str | None]
"""The name of a frame, its label file, and its answer file if there is one."""
Checked = Callable[[Files], tuple[Points, Points]]
"""Reads a frame as slowly as it takes to say what is wrong with it."""


def _read_frames(frames: Sequence[Files], checked: Checked) -> tuple[Side, Side]:
    """Labels and points of all frames, some frames at a time: an array for each would take longer than reading them,
    and the points of all as objects would leave the processor's cache."""
    blocks = [_read_block(frames[start : start + _READ], checked) for start in range(0, len(frames), _READ)]
    sides = Side.joined(side for side, _ in blocks), Side.joined(side for _, side in blocks)
    for side in sides:
        far = np.flatnonzero((np.abs(side.xy) > _LARGEST_PX).any(axis=1))
        for number in np.unique(np.searchsorted(np.cumsum(side.sizes), far, side="right")).tolist():
            checked(frames[number])
    return sides


def _read_block(frames: Sequence[Files], checked: Checked) -> tuple[Side, Side]:
    labels: list[Point] = []
    points: list[Point] = []
    sizes: tuple[list[int], list[int]] = ([], [])
    for files in frames:
        _, label_file, file = files
        truth = _points_at_once(label_file)
        given = _points_at_once(file) if file is not None else []
        if truth is None or given is None:
            truth, given = ([Point(x, y) for x, y in side.tolist()] for side in checked(files))
        labels += truth
        points += given
        sizes[0].append(len(truth))
        sizes[1].append(len(given))
    return Side.of(labels, sizes[0]), Side.of(points, sizes[1])


# Measure: one record, and any multiset of records, as numbers


@dataclass(frozen=True, kw_only=True, eq=False)
class Side:
    """The labels or the points of many frames, one frame after the other."""

    xy: Points
    sizes: Ints
    """How many each frame has; their sum is the length of ``xy``."""

    @classmethod
    def of(cls, points: Sequence[Point], sizes: Sequence[int]) -> Side:
        """Points of all frames, and how many each frame has."""
        # faster than any array from a list or an iterator
        numbers = struct.pack(f"{2 * len(points)}d", *[p.x for p in points], *[p.y for p in points])
        return cls(xy=np.frombuffer(numbers).reshape(2, -1).T, sizes=np.array(sizes, np.int64))

    @classmethod
    def joined(cls, sides: Iterable[Side]) -> Side:
        """Many frames of several."""
        none = cls(xy=np.empty((0, 2)), sizes=np.empty(0, np.int64))
        xy, sizes = zip(*((each.xy, each.sizes) for each in (none, *sides)), strict=True)
        return cls(xy=np.concatenate(xy), sizes=np.concatenate(sizes))

    @property
    def first(self) -> Ints:
        """Where each frame begins."""
        return np.cumsum(self.sizes) - self.sizes

    def part(self, start: int, stop: int) -> Side:
        """The frames from ``start`` to before ``stop``."""
        begin = int(self.sizes[:start].sum())
        sizes = self.sizes[start:stop]
        return Side(xy=self.xy[begin : begin + int(sizes.sum())], sizes=sizes)

    def side_by_side(self) -> Points:
        """The points of each frame in a row of its own, filled up with NaN: shape (frames, most points, 2)."""
        rows = np.full((len(self.sizes), int(self.sizes.max(initial=0)), 2), math.nan)
        rows[np.arange(rows.shape[1]) < self.sizes[:, None]] = self.xy
        return rows


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
    label_of, point_of, _ = _greedy(labels, points, radius_px, *_close_pairs(labels, points, radius_px))
    return [(label, point, distance) for distance, point, label in _exactly_ranked(labels, points, label_of, point_of)]


def match_frames(labels: Side, points: Side) -> tuple[Ints, Floats]:
    """The pairs that `match_points` makes in each frame: the number of the frame, and the distance.

    Frames are matched together, about a million pairs of points at a time: for ten points in each of 500 frames that is
    ten times as fast as one after the other.
    """
    frames: list[Ints] = []
    distances: list[Floats] = []
    start = 0
    while start < len(labels.sizes):
        stop = start + _frames_of_a_block(labels.sizes[start:], points.sizes[start:])
        own, others = labels.part(start, stop), points.part(start, stop)
        close = _close_pairs(own.xy, others.xy, RADIUS_PX) if stop == start + 1 else _close_pairs_within(own, others)
        matched, _, found = _greedy(own.xy, others.xy, RADIUS_PX, *close)
        frames.append(np.searchsorted(np.cumsum(own.sizes), matched, side="right") + start)
        distances.append(found)
        start = stop
    return np.concatenate([np.zeros(0, np.int64), *frames]), np.concatenate([np.zeros(0), *distances])


def _frames_of_a_block(labels: Ints, points: Ints) -> int:
    """How many of the first frames, at least one, are matched together if each gets as much room as the largest."""
    room = np.maximum.accumulate(labels[:_BLOCK_FRAMES]) * np.maximum.accumulate(points[:_BLOCK_FRAMES])
    room *= np.arange(1, len(room) + 1)
    return max(1, int(np.searchsorted(room, _BLOCK, side="right")))


def _greedy(
    labels: Points, points: Points, radius_px: float, label_of: Ints, point_of: Ints, distances: Floats
) -> tuple[Ints, Ints, Floats]:
    """Take the closest of the given pairs, leave out those of its label and point, and so on; in any order."""
    # pairs without a rival need no turn: where they are most, as in real frames, that leaves a few
    alone = (np.bincount(label_of)[label_of] == 1) & (np.bincount(point_of)[point_of] == 1)
    free, rivals = np.flatnonzero(alone), np.flatnonzero(~alone)
    own = distances[free]
    doubtful = np.flatnonzero(np.abs(own - radius_px) <= _ROUNDING)
    own[doubtful] = _exact_distances(labels, points, label_of[free[doubtful]], point_of[free[doubtful]])
    within = own <= radius_px
    taken = _in_turn(labels, points, radius_px, label_of[rivals], point_of[rivals], distances[rivals])
    of_labels, of_points, exact = zip(*taken, strict=True) if taken else ((), (), ())
    return (
        np.concatenate([label_of[free[within]], np.array(of_labels, np.int64)]),
        np.concatenate([point_of[free[within]], np.array(of_points, np.int64)]),
        np.concatenate([own[within], np.array(exact, np.float64)]),
    )


def _in_turn(
    labels: Points, points: Points, radius_px: float, label_of: Ints, point_of: Ints, distances: Floats
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
        for distance, point, label in _exactly_ranked(labels, points, label_of[now], point_of[now]):
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


def _close_pairs_within(labels: Side, points: Side) -> tuple[Ints, Ints, Floats]:
    """`_close_pairs` of each frame with itself."""
    rows, columns = labels.side_by_side()[:, :, None], points.side_by_side()[:, None]
    with np.errstate(invalid="ignore", over="ignore"):
        across = rows[..., 0] - columns[..., 0]
        np.abs(across, out=across)
        near = np.flatnonzero(across <= RADIUS_PX + _ROUNDING)  # a few percent of the pairs of a frame
        frame, label, point = np.unravel_index(near, across.shape)
        down = rows[frame, label, 0, 1] - columns[frame, 0, point, 1]
        squares = across.ravel()[near] ** 2 + down**2
    close = squares <= (RADIUS_PX + _ROUNDING) ** 2
    frame, label, point = frame[close], label[close], point[close]
    return label + labels.first[frame], point + points.first[frame], np.sqrt(squares[close])


def _close_pairs(labels: Points, points: Points, radius_px: float) -> tuple[Ints, Ints, Floats]:
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


def _batch_limit(distances: Floats, batch: int) -> float:
    """A distance that about ``batch`` pairs do not exceed, with none in the `_ROUNDING` beyond it."""
    if len(distances) <= batch:
        return math.inf
    limit = float(np.partition(distances, batch)[batch])
    while (reach := float(distances[distances <= limit + _ROUNDING].max())) > limit:
        limit = reach
    return limit


def _exactly_ranked(labels: Points, points: Points, label_of: Ints, point_of: Ints) -> list[tuple[float, int, int]]:
    """Distance, point index and label index of some pairs: the closest first, of equally close ones the later."""
    distances = _exact_distances(labels, points, label_of, point_of)
    ranked = sorted(zip(distances, (-point_of).tolist(), (-label_of).tolist(), strict=True))
    return [(distance, -point, -label) for distance, point, label in ranked]


def _exact_distances(labels: Points, points: Points, label_of: Ints, point_of: Ints) -> list[float]:
    """As the official program computes them: the C library rounds the squares, which may decide a tie."""
    x, y = labels[label_of].T.tolist()
    px, py = points[point_of].T.tolist()
    return [math.sqrt((a - b) ** 2 + (c - d) ** 2) for a, b, c, d in zip(x, px, y, py, strict=True)]


@dataclass(frozen=True, kw_only=True)
class Counts:
    """TP, FP and FN of each frame; every value is computed from their sums. See `Resampler`."""

    records: tuple[str, ...]
    counts: Ints
    """Shape (n_frames, 3)."""
    rules: str

    @property
    def clusters(self) -> tuple[str, ...]:
        """The folder of each frame: a patient."""
        return tuple(record.split("/", 1)[0] for record in self.records)

    def values(self, weights: Ints) -> dict[str, Floats]:
        """See `Resampler.values`; without a hit NaN by the official rules, 0 by the corrected."""
        tp, fp, fn = product(weights, self.counts.astype(np.float64)).T
        precision, recall = self._ratio(tp, tp + fp), self._ratio(tp, tp + fn)
        f1 = self._ratio(2 * precision * recall, precision + recall)
        return {"F1": f1, "precision": precision, "recall": recall, "TP": tp, "FP": fp, "FN": fn}

    def _ratio(self, part: Floats, whole: Floats) -> Floats:
        undefined = math.nan if self.rules == "official" else 0.0
        return np.divide(part, whole, out=np.full_like(part, undefined), where=whole != 0)


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
            known = () if records is None else list_frames(references, ReferenceDataError)
            notes[:0] = check_some_match(list(label_of), list(answered), answers, known)
        labels, points = _read_frames(frames, _official_points if given.strict else partial(_usable_points, given))
        others = len(answered.keys() - label_of.keys())
        if others:
            notes.append(Note(f"{others} answer files of frames without a label file in the list are ignored"))
        frame_of, distances = match_frames(labels, points)
        hits = np.bincount(frame_of, minlength=len(frames))
        counts = Counts(
            records=tuple(name for name, _, _ in frames),
            counts=np.column_stack([hits, points.sizes - hits, labels.sizes - hits]),
            rules=rules,
        )
        everyone = np.ones((1, len(frames)), np.int64)
        values = {key: float(value[0]) for key, value in counts.values(everyone).items()}
        if values["TP"] == 0:
            if rules == "official":
                raise _without_hit(references, answers, label_of)
            notes.append(Note("no point hits a label: F1, precision and recall are 0"))
        rows = counts.counts.astype(np.float64).tolist()
        return ScoreReport(
            metric=self.name,
            rules=rules,
            primary="F1",
            values=values,
            per_record={
                name: {"TP": tp, "FP": fp, "FN": fn} for name, (tp, fp, fn) in zip(counts.records, rows, strict=True)
            },
            curves={"distances_px": np.sort(distances).tolist()},
            notes=tuple(notes),
            failing=dict.fromkeys(("F1", "precision", "recall"), (0.0, 1 / (len(set(counts.clusters)) + 1))),
            resampler=counts,
        )


def _corrected(
    label_of: Mapping[str, str], answered: Mapping[str, list[str]], given: Given
) -> tuple[list[Files], list[Note]]:
    frames: list[Files] = []
    for name, label_file in label_of.items():
        files = answered.get(name, ())
        if files:
            given.answered.add(name)
        if len(files) > 1:
            reason = f"expected one file for the frame, found {len(files)}"
            given.refuse(name, AnswerError(reason, file=files[1], record=name))
        frames.append((name, label_file, files[0] if len(files) == 1 else None))
    given.require_answered("a <folder>/<subfolder>/<name>.json of a frame of the list")
    missing = sum(file is None for _, _, file in frames)
    text = f"{missing} of {len(frames)} frames have no answer: all their labels are missed"
    return frames, [Note(text)] if missing else []


def _usable_points(given: Given, files: Files) -> tuple[Points, Points]:
    """The same without the points of a file that cannot be used."""
    try:
        return _corrected_points(files)
    except AnswerError as error:
        given.refuse(files[0], error)
        return _corrected_points((*files[:2], None))


def _corrected_points(files: Files) -> tuple[Points, Points]:
    name, label_file, file = files
    truth, points = load_points(label_file, name, ReferenceDataError), np.empty((0, 2))
    labels = coordinates(truth, ReferenceDataError, file=label_file, frame=name, rules="corrected")
    if file is not None:
        entries = load_points(file, name, AnswerError)
        points = coordinates(entries, AnswerError, file=file, frame=name, rules="corrected")
    return labels, points


def _official(label_of: Mapping[str, str], answered: Mapping[str, list[str]]) -> tuple[list[Files], list[Note]]:
    frames: list[Files] = [(name, file, answered[name][0]) for name, file in label_of.items() if name in answered]
    missing = len(label_of) - len(frames)
    return frames, [Note(f"{missing} of {len(label_of)} frames have no answer and do not count")] if missing else []


def _official_points(files: Files) -> tuple[Points, Points]:
    name, label_file, file = files
    assert file is not None
    truth = load_points(label_file, name, ReferenceDataError)
    points = load_points(file, name, AnswerError)
    if not truth or not points:  # then no entry is checked
        return np.full((len(truth), 2), math.nan), np.full((len(points), 2), math.nan)
    return (
        coordinates(truth, ReferenceDataError, file=label_file, frame=name, rules="official"),
        coordinates(points, AnswerError, file=file, frame=name, rules="official"),
    )


def _without_hit(references: Path, answers: Path, labels: dict[str, str]) -> MetricError:
    """The error that says whose fault it is that the official program divides by zero."""
    if not any(load_points(file, name, ReferenceDataError) for name, file in labels.items()):
        return ReferenceDataError("expected labels, found none in any frame: F1 is 0/0", file=references)
    return AnswerError(
        "expected at least one point that hits a label, found none: the official program divides by zero", file=answers
    )


METRIC = Adaptor2021()
