"""FROC curves of multisets of slides."""

from __future__ import annotations

import numpy as np
import pytest

from metrics.measures.froc import RATES, Froc, SlideHits

VALUES = [-0.2, 0.0, 0.1, 0.3, 1 / 3, 0.7, 0.9]


def slide(false_positives: list[float], lesion_scores: list[float], lesions: int) -> SlideHits:
    return SlideHits(
        false_positives=np.array(false_positives, np.float64),
        lesion_scores=np.array(lesion_scores, np.float64),
        lesions=lesions,
    )


def random_slides(rng: np.random.Generator, count: int, *, single: bool) -> list[SlideHits]:
    precision = np.float32 if single else np.float64
    return [
        slide(
            rng.choice(VALUES, rng.integers(0, 6)).tolist(),
            rng.choice(VALUES, rng.integers(0, 4)).astype(precision).astype(np.float64).tolist(),
            int(rng.integers(1, 4)),
        )
        for _ in range(count)
    ]


def counted_one_by_one(slides: list[SlideHits], *, as_official: bool) -> tuple[list[float], list[float]]:
    """Each threshold counts all confidences again."""
    false = np.concatenate([np.zeros(0), *(each.false_positives for each in slides)])
    scores = np.concatenate([np.zeros(0), *(each.lesion_scores for each in slides)])
    thresholds = sorted({*false.tolist(), *scores.tolist()})[1 if as_official else 0 :]
    precision = np.float32 if as_official else np.float64
    lesions = sum(each.lesions for each in slides)
    points = [
        ((false >= t).sum() / len(slides), (scores.astype(precision) >= precision(t)).sum() / lesions)
        for t in thresholds
    ]
    return [x for x, _ in points] + [0.0], [y for _, y in points] + [0.0]


@pytest.mark.parametrize("as_official", [True, False])
@pytest.mark.parametrize("seed", range(20))
def test_curve_of_any_multiset_is_that_of_counting_each_threshold(seed: int, as_official: bool) -> None:
    rng = np.random.default_rng(seed)
    slides = random_slides(rng, 6, single=as_official)
    froc = Froc(slides, as_official=as_official)
    for weights in (np.ones(6, np.int64), rng.multinomial(6, np.ones(6) / 6), np.array([0, 0, 3, 0, 0, 0])):
        repeated = [each for each, times in zip(slides, weights, strict=True) for _ in range(times)]
        wished = counted_one_by_one(repeated, as_official=as_official)
        curve = froc.curve(weights)
        assert np.array_equal(curve[0], wished[0])
        assert np.array_equal(curve[1], wished[1])
        sensitivities = np.interp(RATES, wished[0][::-1], wished[1][::-1])
        assert np.array_equal(froc.sensitivities(weights), sensitivities)


def test_only_counted_slides_share_the_false_positives() -> None:
    uncounted = SlideHits(false_positives=np.zeros(0), lesion_scores=np.zeros(0), lesions=0, counted=False)
    froc = Froc([slide([0.5, 0.7], [0.9], 1), uncounted], as_official=False)
    assert froc.curve(np.ones(2, np.int64))[0].tolist() == [2, 1, 0, 0]


def test_nan_confidence_comes_last() -> None:
    false, sensitivity = Froc([slide([np.nan, 0.5], [0.9, 0.0], 2)], as_official=True).curve(np.ones(1, np.int64))
    assert false.tolist() == [1, 0, 0, 0]
    assert sensitivity.tolist() == [0.5, 0.5, 0, 0]
