"""MLPerf training, image segmentation (unet3d on KiTS19): mean Dice of kidney and of tumour.

Conventions
-----------
references, answers : as in `metrics.challenges.kits19`, but both on the benchmark's grid (resampled to
1.6 x 1.2 x 1.2 mm, padded and cropped by its preprocessing): this metric does not resample.
``l1_dice`` is kidney *without* tumour, ``l2_dice`` tumour, each the mean over the cases; ``mean_dice`` is the mean of
the two, ``target_reached`` is 1 if it is at least 0.908, else 0.  The benchmark scores the 42 cases of
`EVALUATION_CASES`; pass them as ``records`` to give each a weight of 1/42.

Of one case: D = (2 |P and G| + 1e-6) / (|P| + |G| + 1e-6), so both empty is 1 and a miss is not quite 0.

Source: mlcommons/training ``retired_benchmarks/unet3d/pytorch`` @aa344c7fb900e82ed19fb94aebfed50c63ab2204
(``model/losses.py``, ``runtime/inference.py``, ``evaluation_cases.txt``).

``rules="official"``
    Single precision throughout, equal to the last bit: the Dice of a case, the mean over the cases in the order in
    which PyTorch adds on the CPU (see `single_precision_mean`), and the mean of the two classes.  A GPU may add the
    cases in another order, which changes the last digit.  A label other than 0, 1, 2, a missing or surplus case,
    another shape stops it.

``rules="corrected"``
    * The record list decides; a missing case scores 0 in both classes, without the 1e-6.
    * A whole number other than 0, 1, 2 is background, as the rules of KiTS19 say, in the reference too.
    * Double precision.
    * A number within 0.001 of a whole one, as a scaling of stored values leaves it, is rounded.
    * A last axis of length 1 is no axis.

In both, other fractions are refused: the benchmark scores label maps, and it does not say what a fraction means.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.base import AnswerError, Given, OfFiles, ReferenceDataError, ScoreReport
from metrics.challenges.kits19 import outside_notes, overlap_and_sizes
from metrics.readers.cases import Case, CaseScore, mean, mean_report, require_answer, score_files
from metrics.readers.volumes import Coder, NearWhole, compare, header_note, open_volume, whole_labels

KEYS = ("mean_dice", "l1_dice", "l2_dice")
TARGET = 0.908
EVALUATION_CASES = tuple(
    f"case_{number:05d}"
    for number in (
        *(0, 3, 5, 6, 12, 24, 34, 41, 44, 49, 52, 56, 61, 65, 66, 70, 76, 78, 80, 84, 86),
        *(87, 92, 111, 112, 125, 128, 138, 157, 160, 161, 162, 169, 171, 176, 185, 187, 189, 198, 203, 206, 207),
    )
)
"""The benchmark's 42 cases, for ``records``."""
_LABELS = 2
_LANES, _LEVELS = 4, 4
_SMOOTHING = 1e-6


# Validate: what a file may hold, or an error that names file and record


def _coder(rules: str) -> Coder:
    return whole_labels(_LABELS, strict=rules == "official")


# Measure: one record, and any multiset of records, as numbers


def score_case(case: Case, *, rules: str) -> CaseScore:
    """The numbers of one case, from files."""
    if rules == "corrected" and case.answer is None:
        return CaseScore(values=_values(0.0, 0.0))
    reference = open_volume(case.reference, ReferenceDataError, record=case.record)
    answer = open_volume(require_answer(case), AnswerError, record=case.record)
    notes = header_note(reference, answer, "are both on the benchmark's grid?")
    if rules == "official":
        coder = _coder(rules)
        return CaseScore(values=_dice_values(compare(reference, answer, coder, coder), rules), notes=notes)
    volumes = {"reference": reference.without_last_axes(3), "answer": answer.without_last_axes(3)}
    near = {whose: NearWhole(_coder(rules)) for whose in volumes}
    counts = compare(volumes["reference"], volumes["answer"], near["reference"], near["answer"])
    for whose, volume in volumes.items():
        notes += volume.rounding_note(whose, near[whose].rounded)
    return CaseScore(values=_dice_values(counts, rules), notes=(*notes, *outside_notes(case.record, counts)))


def single_precision_mean(numbers: Sequence[float]) -> float:
    """The mean of the cases' scores as ``torch.mean`` computes it on the CPU for two columns in single precision.

    Every fourth number is added to one of four sums, each sum in blocks of 16 (more for very many numbers) that are
    carried over to three further levels; numbers that are left over go to the first of the four.  Then the levels, the
    four sums, and one division.

    Source: pytorch/pytorch ``aten/src/ATen/native/cpu/SumKernel.cpp`` (1.7 and later), ``row_sum`` with four partial
    sums, as for an outer reduction of fewer than four columns.
    """
    column = np.asarray(numbers, np.float32)
    rows = column.size // _LANES
    block = 1 << max(4, (rows - 1).bit_length() // _LEVELS if rows > 1 else 0)
    sums = np.zeros((_LEVELS, _LANES), np.float32)
    for number, row in enumerate(column[: rows * _LANES].reshape(rows, _LANES), start=1):
        sums[0] += row
        carried = number
        for level in range(1, _LEVELS):
            if carried % block:
                break
            carried //= block
            sums[level] += sums[level - 1]
            sums[level - 1] = 0
    for level in sums[1:]:
        sums[0] += level
    first, *others = sums[0]
    for number in (*column[rows * _LANES :], *others):
        first += number
    return float(first / np.float32(column.size))


def _dice_values(counts: NDArray[np.int64], rules: str) -> dict[str, float]:
    number = np.float32 if rules == "official" else np.float64
    smoothing = number(_SMOOTHING)

    def smoothed(label: int) -> float:
        overlap, sizes = overlap_and_sizes(counts, np.arange(256) == label)
        return float((number(2 * overlap) + smoothing) / (number(sizes) + smoothing))

    values = _in_single_precision if rules == "official" else _values
    return values(smoothed(1), smoothed(2))


def _in_single_precision(l1: float, l2: float) -> dict[str, float]:
    both = float((np.float32(l2) + np.float32(l1)) / np.float32(2))
    return {"mean_dice": both, "l1_dice": l1, "l2_dice": l2}


def _values(l1: float, l2: float) -> dict[str, float]:
    return {"mean_dice": math.fsum((l1, l2)) / 2, "l1_dice": l1, "l2_dice": l2}


# Report: the metric itself


@dataclass(frozen=True, kw_only=True)
class MlperfKits19(OfFiles):
    """The metric of the MLPerf benchmark."""

    name: str = "mlperf_kits19"

    def scored(self, given: Given) -> ScoreReport:
        official = given.rules == "official"

        def further(values: Mapping[str, float]) -> dict[str, float]:
            both = _in_single_precision(values["l1_dice"], values["l2_dice"]) if official else values
            return {"mean_dice": both["mean_dice"], "target_reached": float(both["mean_dice"] >= TARGET)}

        scored, notes = score_files(given, score_case)
        return mean_report(
            metric=self.name,
            rules=given.rules,
            keys=KEYS,
            cases=scored,
            notes=notes,
            average=single_precision_mean if official else mean,
            extra=further,
        )


METRIC = MlperfKits19()
