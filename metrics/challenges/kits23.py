"""KiTS23 (and KiTS21): Dice and surface Dice of three nested classes.

Conventions
-----------
references, answers : file or folder, see `metrics.readers.cases`; label maps with 0 background, 1 kidney, 2 tumour,
3 cyst.
Classes: kidney_and_mass {1, 2, 3}, mass {2, 3}, tumor {2}.  ``dice`` and ``surface_dice`` are the means over the three
(the challenge ranks by both and breaks ties by ``dice_tumor``); every number is a mean over cases, in [0, 1], larger is
better.  Surface Dice (see `metrics.measures.surface`) is taken at 1.033, 1.133, 1.150 mm for the three classes.
Both masks empty is 1, exactly one empty is 0, in both measures.

Source: neheller/kits23 ``kits23/evaluation/metrics.py``, ``dice.py``, ``configuration/labels.py``
@c1088353084c17b8882a11db71429e7c022b7785.

``rules="official"``
    The mean is over the *predictions* found; distances are in the voxel size that the prediction states.  Values
    other than 1, 2, 3 are background, fractions too.  A prediction of another shape stops the program only if some
    class is in both files; otherwise it is scored as above.  No prediction, or one without reference, stops it.

``rules="corrected"``
    * The record list decides; a missing case scores 0 in every number.
    * Distances are in the reference's voxel size, so an answer cannot choose its own.
    * A number within 0.001 of a whole one, as a scaling of stored values leaves it, is rounded.
    * Another value than 0, 1, 2, 3 is background, other fractions too (the report counts such voxels).
    * A last axis of length 1 is no axis.
    * An answer of another shape than its reference is refused.

In both, NaN or infinite voxels are refused.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.base import AnswerError, Given, OfFiles, ReferenceDataError, ScoreReport
from metrics.challenges.kits19 import dice, outside_notes
from metrics.measures.surface import bounding_box, joined, surface_dice
from metrics.readers.cases import Case, CaseScore, mean_report, require_answer, score_files
from metrics.readers.volumes import (
    MAX_VOXELS,
    Codes,
    NearWhole,
    Volume,
    count_codes,
    header_note,
    inside,
    joint_histogram,
    open_volume,
    require_finite,
)

CLASSES: dict[str, tuple[tuple[int, ...], float]] = {
    "kidney_and_mass": ((1, 2, 3), 1.0330772532390826),
    "mass": ((2, 3), 1.1328796488598762),
    "tumor": ((2,), 1.1498198361434828),
}
"""Labels and tolerance in mm of each class."""
KEYS = ("dice", "surface_dice", *(f"dice_{name}" for name in CLASSES), *(f"surface_dice_{name}" for name in CLASSES))
_LABELS = 3
_MM = (1e-6, 1e6)
"""Sizes of voxels, in mm, with whose squares can be calculated."""
Agreement = tuple[float, float]
"""Dice and surface Dice."""


# Validate: what a file may hold, or an error that names file and record


def _cropped(reference: Codes, answer: Codes) -> tuple[Codes, Codes]:
    box = joined(bounding_box(reference), bounding_box(answer))
    if box is None:
        return reference, answer
    # contiguous: everything after this goes through them several times
    return np.ascontiguousarray(reference[box]), np.ascontiguousarray(answer[box])


def _mask(codes: Codes, labels: Sequence[int]) -> NDArray[np.bool_]:
    """Mask of the codes that are one of the labels: a comparison for each is ten times as fast as a table of 256."""
    first, *others = labels
    mask: NDArray[np.bool_] = codes == first
    for label in others:
        mask |= codes == label
    return mask


def _labels(values: NDArray[Any]) -> Codes:
    require_finite(values)
    return inside(values, _LABELS)


# Measure: one record, and any multiset of records, as numbers


def score_case(case: Case, *, rules: str) -> CaseScore:
    """The eight numbers of one case, from files."""
    if rules == "corrected" and case.answer is None:
        return CaseScore(values=dict.fromkeys(KEYS, 0.0))
    reference = open_volume(case.reference, ReferenceDataError, record=case.record)
    answer = open_volume(require_answer(case), AnswerError, record=case.record)
    if rules == "corrected":
        reference, answer = reference.without_last_axes(3), answer.without_last_axes(3)
    reference.require_3d()
    if rules == "official" and answer.shape != reference.shape:
        return CaseScore(values=_values(_agreement_of_other_shapes(reference, answer)))
    answer.require_3d()
    if answer.shape != reference.shape:
        raise answer.fail(f"expected shape {reference.shape} as the reference has, found {answer.shape}")
    measured = answer if rules == "official" else reference
    if not all(_MM[0] <= length <= _MM[1] for length in measured.spacing_mm):
        raise measured.fail(f"expected a voxel size above 0 mm ({_MM[0]:g} to {_MM[1]:g}), found {measured.spacing_mm}")
    near = {"reference": NearWhole(_labels), "answer": NearWhole(_labels)}
    if rules == "official":
        reference_codes, answer_codes = _cropped(reference.load(_labels), answer.load(_labels))
    else:
        reference_codes, answer_codes = _cropped(reference.load(near["reference"]), answer.load(near["answer"]))
    counts = joint_histogram([(reference_codes, answer_codes)])
    scores = agreements(reference_codes, answer_codes, spacing_mm=measured.spacing_mm[::-1], counts=counts)
    whose = "answer" if rules == "official" else "reference"
    notes = (
        *header_note(reference, answer, f"distances are in the {whose}'s voxel size"),
        *reference.rounding_note("reference", near["reference"].rounded),
        *answer.rounding_note("answer", near["answer"].rounded),
        *outside_notes(case.record, counts),
    )
    return CaseScore(values=_values(scores), notes=notes)


def agreements(
    reference: Codes, answer: Codes, *, spacing_mm: Sequence[float], counts: NDArray[np.int64]
) -> dict[str, Agreement]:
    """Dice and surface Dice of each of `CLASSES`, of two three-dimensional arrays of label codes.

    * ``spacing_mm``: in the order of the axes.
    * ``counts``: their joint histogram.
    """
    agreement_of: dict[str, Agreement] = {}
    for name, (labels, tolerance_mm) in CLASSES.items():
        member = np.isin(np.arange(256), labels)
        in_reference, in_answer = bool(counts[member].any()), bool(counts[:, member].any())
        if in_reference and in_answer:
            surface = surface_dice(
                _mask(reference, labels), _mask(answer, labels), spacing_mm=spacing_mm, tolerance_mm=tolerance_mm
            )
            agreement_of[name] = dice(counts, member, empty=1.0), surface
        else:
            agreement_of[name] = _with_an_empty_mask(in_reference, in_answer)
    return agreement_of


def _agreement_of_other_shapes(reference: Volume, answer: Volume) -> dict[str, Agreement]:
    """Agreement that the official program gives before it compares shapes: it checks first which masks are empty."""
    if answer.voxels > min(MAX_VOXELS, 16 * reference.voxels):
        raise answer.fail(f"expected shape {reference.shape} as the reference has, found {answer.shape}")
    in_reference, in_answer = (count_codes(volume, _labels) for volume in (reference, answer))
    agreement_of: dict[str, Agreement] = {}
    for name, (labels, _) in CLASSES.items():
        present = [bool(counts[list(labels)].any()) for counts in (in_reference, in_answer)]
        if all(present):
            raise answer.fail(f"expected shape {reference.shape} as the reference has, found {answer.shape}")
        agreement_of[name] = _with_an_empty_mask(*present)
    return agreement_of


def _with_an_empty_mask(in_reference: bool, in_answer: bool) -> Agreement:
    agreement = 0.0 if in_reference or in_answer else 1.0
    return agreement, agreement


def _values(scores: dict[str, Agreement]) -> dict[str, float]:
    return {
        "dice": math.fsum(score for score, _ in scores.values()) / len(scores),
        "surface_dice": math.fsum(surface for _, surface in scores.values()) / len(scores),
        **{f"dice_{name}": score for name, (score, _) in scores.items()},
        **{f"surface_dice_{name}": surface for name, (_, surface) in scores.items()},
    }


# Report: the metric itself


@dataclass(frozen=True, kw_only=True)
class Kits23(OfFiles):
    """The metric of KiTS23."""

    name: str = "kits23"

    def scored(self, given: Given) -> ScoreReport:
        scored, notes = score_files(given, score_case, answered_only=given.rules == "official")
        return mean_report(metric=self.name, rules=given.rules, keys=KEYS, cases=scored, notes=notes)


METRIC = Kits23()
