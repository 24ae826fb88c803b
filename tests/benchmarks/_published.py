"""The organisers' algorithms, rewritten from their description, to be timed together with ours in the same run.

Only what costs time is here, done as it is done there; tests at small sizes check that the results equal ours.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import nibabel
import numpy as np
import wfdb
from numpy.typing import NDArray
from scipy import ndimage

from metrics.challenges import adaptor2021, kits23
from metrics.measures.froc import RATES, SlideHits
from metrics.measures.surface import bounding_box, corner_areas, joined

_EIGHT = np.ones((3, 3), np.bool_)


def froc_curve(slides: Sequence[SlideHits], every: int = 1) -> list[tuple[float, float]]:
    """Lists become arrays inside the loop over thresholds, of which only every ``every``-th is taken."""
    false = list(chain.from_iterable(slide.false_positives.tolist() for slide in slides))
    found = list(chain.from_iterable(slide.lesion_scores.tolist() for slide in slides))
    lesions = sum(slide.lesions for slide in slides)
    curve = [
        (
            int((np.asarray(false) >= threshold).sum()) / len(slides),
            int((np.asarray(found) >= threshold).sum()) / lesions,
        )
        for threshold in sorted(set(false + found))[1::every]
    ]
    return [*curve, (0.0, 0.0)]


def sensitivities(curve: Sequence[tuple[float, float]]) -> list[float]:
    """At the six rates."""
    false, found = zip(*reversed(curve), strict=True)
    return [float(value) for value in np.interp(RATES, false, found)]


def evaluation_mask(tumour: NDArray[np.bool_]) -> NDArray[np.int32]:
    """A distance transform, filled holes and components of the whole slide."""
    grown = ndimage.distance_transform_edt(~tumour) < 75 / (0.243 * 32 * 2)
    labels, _ = ndimage.label(ndimage.binary_fill_holes(grown), _EIGHT)
    return np.asarray(labels)


def one_hot_dice(reference: NDArray[np.uint8], answer: NDArray[np.uint8]) -> list[float]:
    """Both labels of MLPerf, by one channel of single precision for each of the three classes."""
    channels = [np.eye(3, dtype=np.int64)[labels].astype(np.float32) for labels in (reference, answer)]
    one, other = (np.moveaxis(each, -1, 0)[1:] for each in channels)
    overlap = (one * other).sum(axis=(1, 2, 3))
    sizes = one.sum(axis=(1, 2, 3)) + other.sum(axis=(1, 2, 3))
    return [float(value) for value in (2 * overlap + 1e-6) / (sizes + 1e-6)]


def kits23_scores(reference_file: Path, answer_file: Path) -> dict[str, tuple[float, float]]:
    """Dice and surface Dice of the three classes, with a distance transform of each surface."""
    images = [nibabel.load(path) for path in (reference_file, answer_file)]
    reference, answer = (np.asanyarray(image.dataobj) for image in images)
    spacing = np.asarray(images[1].header.get_zooms()[:3], np.float64)
    found = {}
    for name, (labels, tolerance_mm) in kits23.CLASSES.items():
        masks = np.isin(reference, labels), np.isin(answer, labels)
        sizes = [int(mask.sum()) for mask in masks]
        dice = 2 * int((masks[0] & masks[1]).sum()) / sum(sizes)
        found[name] = dice, _surface_dice(*masks, spacing, tolerance_mm)
    return found


def _surface_dice(
    reference: NDArray[np.bool_], answer: NDArray[np.bool_], spacing_mm: NDArray[np.float64], tolerance_mm: float
) -> float:
    box = joined(bounding_box(reference), bounding_box(answer))
    assert box is not None
    areas = corner_areas(spacing_mm)
    surfaces, distances = [], []
    for mask in (reference, answer):
        bits = np.pad(mask[box], 1).astype(np.int32)
        pattern = sum(
            bits[i : i - 1 or None, j : j - 1 or None, k : k - 1 or None] << (4 * i + 2 * j + k)
            for i in (0, 1)
            for j in (0, 1)
            for k in (0, 1)
        )
        border = (pattern != 0) & (pattern != 255)
        surfaces.append((border, areas[pattern]))
        distances.append(ndimage.distance_transform_edt(~border, sampling=spacing_mm))
    agreeing = total = 0.0
    for (border, area), distance in zip(surfaces, reversed(distances), strict=True):
        agreeing += float(area[border & (distance <= tolerance_mm)].sum())
        total += float(area[border].sum())
    return agreeing / total


def paroxysmal_record(record: Path, endpoints: Sequence[Sequence[int]]) -> float:
    """U of one CPSC 2021 record of class AFp that is answered by class AFp, its episodes inside the record.

    The whole signal is read for its length, and two maps of that length are filled.
    """
    signal, _ = wfdb.rdsamp(str(record))
    annotation = wfdb.rdann(str(record), "atr")
    at = np.asarray(annotation.sample)
    starts = [i for i, note in enumerate(annotation.aux_note) if note in ("(AFIB", "(AFL")]
    ends = [i for i, note in enumerate(annotation.aux_note) if note == "(N"]
    onset_map, offset_map = np.zeros(len(signal)), np.zeros(len(signal))
    for s, e in zip(starts, ends, strict=True):
        onset_map[at[s - 2] : at[s - 1]] += 0.5
        onset_map[at[s - 1] : at[s + 2]] += 1
        onset_map[at[s + 2] : at[s + 3]] += 0.5
        offset_map[at[e - 3] : at[e - 2]] += 0.5
        offset_map[at[e - 2] : at[e + 1]] += 1
        offset_map[at[e + 1] : at[e + 2]] += 0.5
    reward = sum(onset_map[int(start)] + offset_map[int(end)] for start, end in endpoints)
    return float(1 + reward * len(starts) / max(len(starts), len(endpoints)))


def rhythm_table(references: Path, answers: Path) -> NDArray[np.int64]:
    """All answers of CinC 2017 are looked through for each reference, by names of one width."""
    rows = [[line.split(",") for line in path.read_text().splitlines()] for path in (references, answers)]
    names = np.array([name for name, _ in rows[1]], "S")
    table = np.zeros((4, 4), np.int64)
    for name, label in rows[0]:
        hits = np.flatnonzero(names == name.encode())
        answer = rows[1][hits[0]][1] if hits.size else "~"
        table["NAO~".index(label), "NAO~".index(answer)] += 1
    return table


def greedy_matches(labels: NDArray[np.float64], points: NDArray[np.float64]) -> int:
    """All remaining pairs are looked through again for each match."""
    pairs = [
        (math.dist(point, label), i, j)
        for i, point in enumerate(points.tolist())
        for j, label in enumerate(labels.tolist())
    ]
    pairs = [pair for pair in pairs if pair[0] <= adaptor2021.RADIUS_PX]
    matches = 0
    while pairs:
        closest = min(pair[0] for pair in pairs)
        _, i, j = next(pair for pair in reversed(pairs) if pair[0] == closest)
        pairs = [pair for pair in pairs if pair[1] != i and pair[2] != j]
        matches += 1
    return matches


def frames_f1(references: Path, answers: Path) -> float:
    """F1 of AdaptOR over all frames: the references are walked for each, and each is read and matched by itself."""
    hits = labels = points = 0
    for answer in answers.rglob("*.json"):
        name = Path(*answer.parts[-4:])
        file = next(path for folder, _, _ in os.walk(references) if (path := Path(folder) / name).exists())
        truth, given = (
            np.array([(point["x"], point["y"]) for point in json.loads(path.read_text())["points"]])
            for path in (file, answer)
        )
        hits += greedy_matches(truth, given)
        labels += len(truth)
        points += len(given)
    precision, recall = hits / points, hits / labels
    return 2 * precision * recall / (precision + recall)
