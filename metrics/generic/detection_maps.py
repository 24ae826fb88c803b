"""Detection maps: lesions marked in a volume, each with a confidence, as in PI-CAI.

Conventions
-----------
References are folders of masks (`metrics.generic.masks`) in which everything that is not 0 is a lesion; answers are
NIfTI files of the same shape whose voxels are 0, or the confidence of the candidate that they belong to.  Lesions and
candidates are components connected by faces, edges or corners; a candidate's confidence is its largest value.

* *Matching*: as many lesions as possible are matched to candidates that overlap by an IoU of ``iou`` or more, and
  among those ways that with the largest sum of IoUs.  Candidates that overlap a lesion so much and are not matched
  do not count; all other candidates are false positives.
* *Case*: a record with a lesion is positive; its score is the largest confidence in its map, 0 of an empty one.
* The score is the mean of the area under the ROC curve over cases and the average precision over lesions, where missed
  lesions have no confidence.  *Undefined* without positive or negative records, with a note.
* *Missing answers* (``missing``): ``wrong`` (default) counts the record as an empty map, ``exclude-with-note`` leaves
  it out.
* A map with more different values than components is a volume of probabilities and no detection map: it is refused.

Source: Saha et al., PI-CAI, Lancet Oncology 25 (2024) 879; DIAGNijmegen/picai_eval 1.4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import ndimage
from scipy.optimize import linear_sum_assignment

from metrics.base import AnswerError, Given, ReferenceDataError, named_notes
from metrics.generic.base import EXCLUDE, Bools, Floats, GenericMeasure, Ints, Measured, Values, by_name
from metrics.generic.classification import average_precisions, roc_areas
from metrics.generic.images import read_image
from metrics.generic.masks import Pair, pair_masks, read_mask
from metrics.generic.options import number, one_of, option
from metrics.measures.surface import bounding_box, joined
from metrics.statistics.workers import map_records

_SMALL = 1e-8
"""What the program adds to both sides of an IoU."""
MAX_CANDIDATES = 1 << 14
"""Of one record."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Candidates:
    """The candidates of one record that count."""

    confidences: Floats
    """Shape (candidates,)."""
    hits: Bools
    """Which of them are matched to a lesion."""
    lesions: int
    case: float
    """The score of the record."""


_NONE = Candidates(confidences=np.zeros(0), hits=np.zeros(0, np.bool_), lesions=0, case=math.nan)


@dataclass(frozen=True, kw_only=True)
class PiCai(GenericMeasure):
    """Mean of the cases' area under the ROC curve and the lesions' average precision."""

    measure = "detection.picai"
    worst_value = 0.0
    iou: float = option(0.1, number(0, 1, above=True), "overlap that matches, reached or exceeded")
    missing: str = option("wrong", one_of("wrong", EXCLUDE), "what a record without an answer counts")

    def measured(self, given: Given) -> Measured:
        """See `GenericMeasure.measured`."""
        what = "left out" if self.missing == EXCLUDE else "counted as without candidates"
        pairs, known, notes = pair_masks(given, missing=what)
        found = map_records(self.candidates_of, pairs, workers=given.workers, progress=given.progress)
        used = np.flatnonzero([not math.isnan(each.case) for each in found])
        lesions = np.array([each.lesions for each in found], np.int64)
        positive = lesions > 0
        areas = roc_areas(np.array([found[i].case for i in used]), positive[used])
        owner = np.repeat(np.arange(len(found)), [each.confidences.size for each in found])
        hits = np.concatenate([np.zeros(0, np.bool_), *(each.hits for each in found)])
        precisions = average_precisions(np.concatenate([np.zeros(0), *(each.confidences for each in found)]), hits)

        def statistic(weights: Ints) -> Values:
            area = areas(weights[:, used])
            drawn = weights[:, owner]
            total = (weights @ lesions).astype(np.float64)
            with np.errstate(invalid="ignore", divide="ignore"):
                share = (drawn @ hits) / total
            precision = np.where(total > 0, np.nan_to_num(precisions(drawn)) * share, math.nan)
            return {"picai": (area + precision) / 2, "auroc": area, "ap": precision}

        above = [name for name, each in zip(known.names, found, strict=True) if each.case > 1]
        return Measured(
            records=known,
            statistic=statistic,
            per_record={
                name: {
                    "lesions": float(each.lesions),
                    "TP": float(each.hits.sum()),
                    "FP": float((~each.hits).sum()),
                    "FN": float(each.lesions - each.hits.sum()),
                    "score": each.case,
                }
                for name, each in zip(known.names, found, strict=True)
                if not math.isnan(each.case)
            },
            notes=(*notes, *named_notes("answers have confidences above 1, of which only the order counts", above)),
        )

    def candidates_of(self, pair: Pair) -> Candidates:
        """The candidates of one record; a score that is NaN means that it is left out."""
        if pair.answer is None and self.missing == EXCLUDE:
            return _NONE
        mask = read_mask(pair.reference, ReferenceDataError, record=pair.record).labels > 0
        if pair.answer is None:
            return self.candidates(mask, np.zeros(mask.shape))
        answer = read_image(pair.answer, AnswerError, record=pair.record, shape=mask.shape)
        try:
            return self.candidates(mask, answer)
        except ValueError as reason:
            raise AnswerError(str(reason), file=pair.answer, record=pair.record) from None

    def candidates(self, lesions: Bools, confidences: Floats) -> Candidates:
        """The candidates of a map of confidences. Raises ValueError if it is no detection map, see the module."""
        if confidences.min() < 0:
            raise ValueError(f"expected confidences from 0, found {confidences.min():g}")
        box = joined(bounding_box(lesions), bounding_box(confidences > 0))
        if box is None:
            return Candidates(confidences=np.zeros(0), hits=np.zeros(0, np.bool_), lesions=0, case=0.0)
        lesions, confidences = lesions[box], confidences[box]  # most of a volume is neither
        everywhere: Any = np.ones((3,) * lesions.ndim)
        blobs, count = ndimage.label(confidences, everywhere)
        inside = confidences[confidences > 0]
        if np.unique(inside).size > count:
            raise ValueError(f"expected one confidence in each of {count} components, found {np.unique(inside).size}")
        if count > MAX_CANDIDATES:
            raise ValueError(f"expected at most {MAX_CANDIDATES:,} candidates, found {count:,}")
        scores = np.asarray(ndimage.maximum(confidences, blobs, np.arange(1, count + 1)), np.float64).reshape(count)
        case = float(scores.max(initial=0.0))
        labels, objects = ndimage.label(lesions, everywhere)
        if not objects or not count:
            return Candidates(confidences=scores, hits=np.zeros(count, np.bool_), lesions=objects, case=case)
        common = np.bincount((labels * (count + 1) + blobs).ravel(), minlength=(objects + 1) * (count + 1))
        table = common.reshape(objects + 1, count + 1)
        both = table[1:, 1:]
        union = table[1:].sum(axis=1)[:, None] + table[:, 1:].sum(axis=0)[None] - both
        overlap = (both + _SMALL) / (union + _SMALL)
        near = overlap >= self.iou
        rows, columns = linear_sum_assignment(np.where(near, 1 + overlap, 0), maximize=True)
        matched = columns[near[rows, columns]]
        hits = np.zeros(count, np.bool_)
        hits[matched] = True
        counted = hits | ~near.any(axis=0)
        return Candidates(confidences=scores[counted], hits=hits[counted], lesions=objects, case=case)


MEASURES = by_name(PiCai)
