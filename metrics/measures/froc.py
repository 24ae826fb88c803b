"""Free-response ROC of lesions, for any multiset of slides.

Conventions
-----------
A slide has a confidence for each false positive and a score for each lesion that may be found (its best hit).
A curve runs from many false positives to none: for each threshold the mean number of false positives per
slide and the share of lesions whose score reaches it, and at the end the point (0, 0).  The FROC score is the
mean sensitivity at 1/4, 1/2, 1, 2, 4, 8 false positives per slide, between points by linear interpolation;
beyond the largest number of false positives the last sensitivity holds, and where several points share one
number the highest counts.

Source: the curve, computationalpathologygroup/Camelyon16 ``Python/Evaluation_FROC.py``
@546b6138c31a2e5cd8ff4d53266e42a450eec60a; the score at six rates, which that file lacks, as MONAI 1.6.1 reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RATES = (0.25, 0.5, 1, 2, 4, 8)
"""False positives per slide at which sensitivity is read."""
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class SlideHits:
    """The detections of one slide, sorted into false positives and hits."""

    false_positives: Floats
    """Confidences, shape (k,)."""
    lesion_scores: Floats
    """Shape (m,)."""
    lesions: int
    """Number of lesions to find, which need not be m."""
    counted: bool = True
    """True if the slide is one of those over which false positives are averaged."""


class Froc:
    """The curve of a set of slides; sorted once, then cheap to compute for each multiset of them.

    Parameters
    ----------
    slides : sequence of SlideHits
    as_official : bool
        Like the organisers' program: the smallest threshold is dropped, and lesion scores are compared in
        single precision.  NaN confidences, whose place in its sorted list is not defined, come last.
    """

    def __init__(self, slides: Sequence[SlideHits], *, as_official: bool) -> None:
        self._as_official = as_official
        self._lesions = np.array([slide.lesions for slide in slides], np.int64)
        self._counted = np.array([slide.counted for slide in slides], np.int64)
        false, self._false_slide = _pooled([slide.false_positives for slide in slides])
        hits, self._found_slide = _pooled([slide.lesion_scores for slide in slides])
        thresholds, threshold_of = np.unique(np.concatenate([false, hits]), return_inverse=True)
        self._false_at, self._found_at = threshold_of[: false.size], threshold_of[false.size :]
        # position of the first event that reaches each threshold
        self._first_false = np.searchsorted(false, thresholds)
        precision = np.float32 if as_official else np.float64
        with np.errstate(over="ignore"):  # values beyond single precision are infinite there too
            self._first_found = np.searchsorted(hits.astype(precision), thresholds.astype(precision))
        self._undefined = np.array([np.isnan(slide.false_positives).sum() for slide in slides], np.int64)

    def curve(self, weights: Ints) -> tuple[Floats, Floats]:
        """False positives per slide and sensitivity, from many false positives to (0, 0).

        Parameters
        ----------
        weights : shape (n_slides,)
            How often each slide counts.  NaN (or infinite) sensitivity if they hold no lesion.
        """
        false_weights, found_weights = weights[self._false_slide], weights[self._found_slide]
        present = np.zeros(self._first_false.size, np.bool_)
        present[self._false_at[false_weights > 0]] = True
        present[self._found_at[found_weights > 0]] = True
        kept = np.flatnonzero(present)
        end = np.zeros(1)
        if self._as_official:
            kept = kept[1:]
            end = np.zeros(1 + self._undefined[weights > 0].sum())
        false = np.concatenate([_reaching(false_weights, self._first_false[kept]), end])
        hits = np.concatenate([_reaching(found_weights, self._first_found[kept]), end])
        with np.errstate(invalid="ignore", divide="ignore"):
            return false / np.float64(weights @ self._counted), hits / np.float64(weights @ self._lesions)

    def sensitivities(self, weights: Ints, rates: Sequence[float] = RATES) -> Floats:
        """Sensitivity at each of the rates; of `RATES`, their mean is the FROC score."""
        false, sensitivity = self.curve(weights)
        return np.interp(rates, false[::-1], sensitivity[::-1])


def _pooled(per_slide: Sequence[Floats]) -> tuple[Floats, Ints]:
    """All values but NaN in ascending order, and the slide of each."""
    values = np.concatenate([np.zeros(0), *per_slide])
    slide = np.repeat(np.arange(len(per_slide)), [len(scores) for scores in per_slide])
    order = np.argsort(values, kind="stable")[: values.size - int(np.isnan(values).sum())]
    return values[order], slide[order]


def _reaching(weights: Ints, first: Ints) -> Ints:
    """For each threshold the weight of all events from position ``first`` on."""
    total = np.concatenate([[0], np.cumsum(weights)])
    return np.asarray(total[-1] - total[first])
