import math

import numpy as np
import pytest
from scipy.stats import t as student_t
from scipy.stats import ttest_ind

from metrics.measures.auc import area_interval, delong_test
from metrics.measures.froc import RATES, Froc, SlideHits


def kernel(scores: np.ndarray, positive: np.ndarray) -> np.ndarray:
    """The U statistic's matrix, all pairs: 1 above, 1/2 equal."""
    gap = scores[positive][:, None] - scores[~positive][None, :]
    return np.asarray((gap > 0) + 0.5 * (gap == 0))


@pytest.mark.parametrize(("m", "n"), [(2, 2), (3, 40), (60, 60)])
def test_perfect_separation_has_a_one_sided_bound(m: int, n: int) -> None:
    positive = np.arange(m + n) < m
    low, high = area_interval(positive.astype(float), positive)
    # min(m, n) pairs in order, each with a chance of at least the bound, in 5 % of challenges
    assert low ** min(m, n) == pytest.approx(0.05)
    assert high == 1.0
    assert area_interval(-positive.astype(float), positive) == pytest.approx((0.0, 1 - low))


@pytest.mark.parametrize(("first", "auc"), [(1, 0.5), (2, 0.5125)], ids=["all alike", "all but one"])
def test_scores_of_which_delong_knows_little_variance_have_the_bounds_of_newcombe(first: int, auc: float) -> None:
    for bound in area_interval(np.append(float(first), np.ones(79)), np.arange(80) < 40):
        more = 39 * ((1 - bound) / (2 - bound) + bound / (1 + bound))
        error = math.sqrt(bound * (1 - bound) * (1 + more) / 1600)
        assert abs(bound - auc) == pytest.approx(1.959963984540054 * error)


@pytest.mark.parametrize("positives", [0, 1, 3])
def test_fewer_than_two_of_a_class_give_no_interval(positives: int) -> None:
    low, high = area_interval(np.array([1.0, 2, 3]), np.arange(3) < positives)
    assert math.isnan(low) and math.isnan(high)


def test_test_has_the_variance_of_the_difference() -> None:
    random = np.random.default_rng(1)
    positive = random.random(60) < 0.5
    first, second = (np.round(positive + random.normal(0, width, 60), 1) for width in (1, 2))  # with ties
    difference, low, high, p_value = delong_test(first, second, positive)
    a, b = kernel(first, positive), kernel(second, positive)
    gaps = (a - b).mean(axis=1), (a - b).mean(axis=0)
    welch = ttest_ind(gaps[0], -gaps[1], equal_var=False)  # of which the difference is the sum of the two
    assert difference == pytest.approx(a.mean() - b.mean())
    error = math.sqrt(sum(gap.var(ddof=1) / gap.size for gap in gaps))
    assert p_value == pytest.approx(2 * student_t.sf(abs(difference) / error, welch.df), rel=1e-3)
    half = student_t.isf(0.025, welch.df) * error
    assert (low, high) == pytest.approx((difference - half, difference + half), rel=1e-3)
    difference, *rest = delong_test(first, 10 * first + 3, positive)
    assert difference == 0 and all(map(math.isnan, rest))


def test_difference_without_variance_or_of_a_single_slide_has_no_p_value() -> None:
    scores = np.arange(6.0)
    positive = scores > 2
    for first, truth in ((scores, positive), (scores, scores > 4)):
        difference, *rest = delong_test(first, -first, truth)
        assert difference == 1.0
        assert all(map(math.isnan, rest))


VALUES = [-0.2, 0.0, 0.1, 0.3, 1 / 3, 0.7, 0.9]


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
    precision = np.float32 if as_official else np.float64
    slides = [
        SlideHits(
            false_positives=rng.choice(VALUES, rng.integers(0, 6)),
            lesion_scores=rng.choice(VALUES, rng.integers(0, 4)).astype(precision).astype(np.float64),
            lesions=int(rng.integers(1, 4)),
        )
        for _ in range(6)
    ]
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
    counted = SlideHits(false_positives=np.array([0.5, 0.7]), lesion_scores=np.array([0.9]), lesions=1)
    uncounted = SlideHits(false_positives=np.zeros(0), lesion_scores=np.zeros(0), lesions=0, counted=False)
    froc = Froc([counted, uncounted], as_official=False)
    assert froc.curve(np.ones(2, np.int64))[0].tolist() == [2, 1, 0, 0]
