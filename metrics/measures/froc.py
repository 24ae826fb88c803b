"""Free-response ROC of lesions and ROC area of slides, for any multiset of slides.

Conventions
-----------
A slide has a confidence for each false positive and a score for each lesion that may be found (its best hit).
A curve runs from many false positives to none: for each threshold the mean number of false positives per
slide and the share of lesions whose score reaches it, and at the end the point (0, 0).  The FROC score is the
mean sensitivity at 1/4, 1/2, 1, 2, 4, 8 false positives per slide, between points by linear interpolation;
beyond the largest number of false positives the last sensitivity holds, and where several points share one
number the highest counts.  The area is the chance that a tumour slide has a larger score than a normal one,
ties counting one half.

Source: the curve, computationalpathologygroup/Camelyon16 ``Python/Evaluation_FROC.py``
@546b6138c31a2e5cd8ff4d53266e42a450eec60a; the score at six rates, which that file lacks, as MONAI 1.6.1 reads
it; the area, scikit-learn's ``roc_auc_score``.
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
    """How many lesions there are to find, which need not be m."""
    counted: bool = True
    """Whether the slide is one of those over which false positives are averaged."""


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
        found, self._found_slide = _pooled([slide.lesion_scores for slide in slides])
        thresholds, threshold_of = np.unique(np.concatenate([false, found]), return_inverse=True)
        self._thresholds = thresholds.size
        self._false_at, self._found_at = threshold_of[: false.size], threshold_of[false.size :]
        # position of the first event that reaches each threshold
        self._first_false = np.searchsorted(false, thresholds)
        precision = np.float32 if as_official else np.float64
        with np.errstate(over="ignore"):  # values beyond single precision are infinite there too
            self._first_found = np.searchsorted(found.astype(precision), thresholds.astype(precision))
        self._false_per_slide = np.bincount(self._false_slide, minlength=len(slides))
        # twice the false positives that the largest rate needs: enough for nearly every multiset of as many slides
        spare = false.size - round(2 * RATES[-1] * len(slides))
        self._start = int(self._false_at[spare]) if spare > 0 else 0
        self._undefined = np.array([np.isnan(slide.false_positives).sum() for slide in slides], np.int64)

    def curve(self, weights: Ints) -> tuple[Floats, Floats]:
        """False positives per slide and sensitivity, from many false positives to (0, 0).

        Parameters
        ----------
        weights : shape (n_slides,)
            How often each slide counts.  NaN (or infinite) sensitivity if they hold no lesion.
        """
        return self._points(weights, 0)

    def sensitivities(self, weights: Ints) -> Floats:
        """Sensitivity at each of `RATES`, shape (6,); their mean is the FROC score."""
        slides = weights @ self._counted
        start = self._start
        if start:
            # only if more false positives are above the start than any rate asks for, and others below
            above = weights[self._false_slide[self._first_false[start] :]].sum()
            if not RATES[-1] * slides < above < weights @ self._false_per_slide:
                start = 0
        false, sensitivity = self._points(weights, start)
        return np.interp(RATES, false[::-1], sensitivity[::-1])

    def _points(self, weights: Ints, start: int) -> tuple[Floats, Floats]:
        """The curve from the threshold of index ``start`` on; unless it is 0, smaller thresholds must occur."""
        first_false, first_found = self._first_false[start:], self._first_found[start:]
        skipped = int(first_false[0]) if first_false.size else 0
        false_weights = weights[self._false_slide[skipped:]]
        found_weights = weights[self._found_slide]
        present = np.zeros(first_false.size, np.bool_)
        present[self._false_at[skipped:][false_weights > 0] - start] = True
        found_at = self._found_at[found_weights > 0] - start
        present[found_at[found_at >= 0]] = True
        kept = np.flatnonzero(present)
        end = np.zeros(1)
        if self._as_official:
            kept = kept if start else kept[1:]
            end = np.zeros(1 + self._undefined[weights > 0].sum())
        false = np.concatenate([_reaching(false_weights, first_false[kept] - skipped), end])
        found = np.concatenate([_reaching(found_weights, first_found[kept]), end])
        with np.errstate(invalid="ignore", divide="ignore"):
            return false / np.float64(weights @ self._counted), found / np.float64(weights @ self._lesions)


def roc_area(scores: Floats, is_tumour: NDArray[np.bool_], weights: Ints) -> Floats:
    """Area under the ROC curve for many multisets of slides.

    Parameters
    ----------
    scores, is_tumour : shape (n,)
        Any numbers but NaN; larger means tumour.
    weights : shape (b, n)

    Returns
    -------
    shape (b,)
        NaN where one of the two classes is absent.
    """
    order = np.argsort(scores, kind="stable")
    ranked = scores[order]
    ties = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
    tumour = np.add.reduceat((weights * is_tumour)[:, order], ties, axis=1)
    normal = np.add.reduceat((weights * ~is_tumour)[:, order], ties, axis=1)
    below = normal.cumsum(axis=1) - normal
    pairs = tumour.sum(axis=1) * normal.sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.asarray((tumour * (2 * below + normal)).sum(axis=1) / (2 * pairs))


def _pooled(per_slide: Sequence[Floats]) -> tuple[Floats, Ints]:
    """All values but NaN in ascending order, and the slide of each."""
    values = np.concatenate([np.zeros(0), *per_slide])
    slide = np.repeat(np.arange(len(per_slide)), [len(found) for found in per_slide])
    order = np.argsort(values, kind="stable")[: values.size - int(np.isnan(values).sum())]
    return values[order], slide[order]


def _reaching(weights: Ints, first: Ints) -> Ints:
    """For each threshold the weight of all events from position ``first`` on."""
    total = np.concatenate([[0], np.cumsum(weights)])
    return np.asarray(total[-1] - total[first])
