"""KiTS19: Dice of kidney with tumour and of tumour alone, and their mean.

Conventions
-----------
references, answers : file or folder, see `metrics.readers.cases`; label maps with 0 background, 1 kidney, 2 tumour.
``tk_dice`` takes kidney and tumour together, ``tu_dice`` tumour only, ``composite`` is their mean; the score is the
mean over the cases.  All in [0, 1], larger is better.  Affine and voxel size do not count (a difference is noted).

Source: neheller/kits19 ``starter_code/evaluation.py`` @456b293435b25303bbc7995f094f83a0afdff0eb, and the challenge's
rules for what that file leaves open.

``rules="official"``
    Fractions are rounded half to even and answers wrap modulo 256, so -1 and 3 are tumour and 256 is background.
    Both masks empty is NaN.  A missing, surplus, four-dimensional or differently shaped prediction stops it.

``rules="corrected"``
    * The record list decides; a missing case scores 0 in all three numbers.
    * Fractions are rounded as above, but nothing wraps around.
    * A value other than 0, 1, 2 is background, as the rules of the challenge say, in the reference too.
    * A last axis of length 1 is no axis.
    * Both masks empty scores 0, which is what the program was written to return.

In both, NaN or infinite voxels are refused: what the cast to ``uint8`` makes of them depends on the machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.base import AnswerError, Given, Note, OfFiles, ReferenceDataError, ScoreReport
from metrics.readers.cases import Case, CaseScore, mean_report, require_answer, score_files
from metrics.readers.volumes import (
    OUTSIDE,
    Codes,
    NearWhole,
    compare,
    header_note,
    inside,
    open_volume,
    require_finite,
)

KEYS = ("composite", "tk_dice", "tu_dice")
_TUMOUR = 2
_BY_ORDER = "only the order of its voxels plays a part in this score"


# Validate: what a file may hold, or an error that names file and record


def outside_notes(record: str, counts: NDArray[np.int64]) -> list[Note]:
    """One sentence each for reference and answer if they contain values that are not labels."""
    return [
        Note(f"{record}: {voxels:,} voxels of the {whose} are not labels and count as background", record)
        for whose, voxels in (("reference", int(counts[OUTSIDE].sum())), ("answer", int(counts[:, OUTSIDE].sum())))
        if voxels
    ]


def _wrapped(values: NDArray[Any]) -> Codes:
    require_finite(values)
    if values.dtype.kind == "f":
        values = np.mod(np.rint(values), 256)
    return values.astype(np.uint8, copy=False)


def _thresholds(values: NDArray[Any]) -> Codes:
    """The reference is compared as it is stored: above 0, above 1."""
    require_finite(values)
    return (values > 0).astype(np.uint8) + (values > 1)


class _Rounding:
    """Rounds to the nearest label, and counts the voxels for which that was needed."""

    def __init__(self) -> None:
        self.fractions = 0

    def __call__(self, values: NDArray[Any]) -> Codes:
        require_finite(values)
        if values.dtype.kind == "f":
            rounded = np.rint(values)
            self.fractions += int(np.count_nonzero(rounded != values))
            values = rounded
        return inside(values, _TUMOUR)


# Measure: one record, and any multiset of records, as numbers


def score_case(case: Case, *, rules: str) -> CaseScore:
    """The three numbers of one case, from files."""
    if rules == "corrected" and case.answer is None:
        return CaseScore(values=dict.fromkeys(KEYS, 0.0))
    reference = open_volume(case.reference, ReferenceDataError, record=case.record)
    answer = open_volume(require_answer(case), AnswerError, record=case.record)
    if rules == "official":
        counts = compare(reference, answer, _thresholds, _wrapped)
        return CaseScore(values=dice_values(counts, rules=rules), notes=header_note(reference, answer, _BY_ORDER))
    rounding = {"reference": _Rounding(), "answer": _Rounding()}
    near = {whose: NearWhole(coder) for whose, coder in rounding.items()}
    volumes = {"reference": reference.without_last_axes(3), "answer": answer.without_last_axes(3)}
    counts = compare(volumes["reference"], volumes["answer"], near["reference"], near["answer"])
    notes = [*header_note(reference, answer, _BY_ORDER), *outside_notes(case.record, counts)]
    for whose, volume in volumes.items():
        notes += volume.rounding_note(whose, near[whose].rounded)
        if fractions := rounding[whose].fractions:
            text = f"{fractions:,} voxels of the {whose} are fractions and are rounded: is it a label map?"
            notes.append(Note(f"{case.record}: {text}", case.record))
    return CaseScore(values=dice_values(counts, rules=rules), notes=tuple(notes))


def dice_values(counts: NDArray[np.int64], *, rules: str) -> dict[str, float]:
    """The three numbers from the joint histogram of one case."""
    if rules == "official":
        kidney, tumour = np.arange(256) > 0, np.arange(256) > 1
        empty = float("nan")
    else:
        kidney, tumour = np.isin(np.arange(256), (1, _TUMOUR)), np.arange(256) == _TUMOUR
        empty = 0.0
    tk, tu = dice(counts, kidney, empty=empty), dice(counts, tumour, empty=empty)
    return {"composite": (tk + tu) / 2, "tk_dice": tk, "tu_dice": tu}


def dice(counts: NDArray[np.int64], member: NDArray[np.bool_], *, empty: float) -> float:
    """Dice of the voxels whose code is a ``member`` (shape (256,)); ``empty`` if both masks are.

    ``counts``: from `metrics.readers.volumes.joint_histogram`.
    """
    overlap, sizes = overlap_and_sizes(counts, member)
    return 2 * overlap / sizes if sizes else empty


def overlap_and_sizes(counts: NDArray[np.int64], member: NDArray[np.bool_]) -> tuple[int, int]:
    """Voxels in both masks, and the sum of the two masks' voxels."""
    overlap = int(counts[np.ix_(member, member)].sum())
    return overlap, int(counts[member].sum() + counts[:, member].sum())


# Report: the metric itself


@dataclass(frozen=True, kw_only=True)
class Kits19(OfFiles):
    """The metric of KiTS19."""

    name: str = "kits19"

    def scored(self, given: Given) -> ScoreReport:
        scored, notes = score_files(given, score_case)
        return mean_report(metric=self.name, rules=given.rules, keys=KEYS, cases=scored, notes=notes)


METRIC = Kits19()
