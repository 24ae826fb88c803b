from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student_t
from scipy.stats import ttest_ind

from metrics.measures.auc import area_interval, components, delong_test
from metrics.measures.froc import RATES, Froc, SlideHits

CASES = st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=40)


def arrays(cases: list[tuple[int, bool]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([float(score) for score, _ in cases]), np.array([truth for _, truth in cases])


def kernel(scores: np.ndarray, positive: np.ndarray) -> np.ndarray:
    """The U statistic's matrix, all pairs: 1 above, 1/2 equal."""
    gap = scores[positive][:, None] - scores[~positive][None, :]
    return np.asarray((gap > 0) + 0.5 * (gap == 0))


@given(CASES)
def test_components_are_row_and_column_means_of_all_pairs(cases: list[tuple[int, bool]]) -> None:
    scores, positive = arrays(cases)
    auc, of_positives, of_negatives = components(scores, positive)
    if positive.all() or not positive.any():
        assert math.isnan(auc)
        return
    pairs = kernel(scores, positive)
    assert auc == pytest.approx(pairs.mean())
    assert of_positives == pytest.approx(pairs.mean(axis=1))
    assert of_negatives == pytest.approx(pairs.mean(axis=0))


@pytest.mark.parametrize(("m", "n"), [(2, 2), (3, 40), (60, 60)])
def test_perfect_separation_has_a_one_sided_bound(m: int, n: int) -> None:
    positive = np.arange(m + n) < m
    low, high = area_interval(positive.astype(float), positive)
    # min(m, n) pairs in order, each with a chance of at least the bound, in 5 % of challenges
    assert low ** min(m, n) == pytest.approx(0.05)
    assert high == 1.0
    assert area_interval(-positive.astype(float), positive) == pytest.approx((0.0, 1 - low))


@pytest.mark.parametrize(("auc", "n"), [(0.95, 130), (0.99, 130), (0.95, 30), (0.99, 30)])
def test_interval_of_a_good_entry_covers_the_truth(auc: float, n: int) -> None:
    random, hits = np.random.default_rng(3), 0
    positive = np.arange(n) < 0.4 * n
    apart = math.sqrt(2) * NormalDist().inv_cdf(auc)
    for _ in range(600):
        low, high = area_interval(random.normal(0, 1, n) + apart * positive, positive)
        hits += low <= auc <= high
    assert 0.915 <= hits / 600 <= 0.995


def test_bounds_are_the_outer_ones_of_delong_and_newcombe() -> None:
    scores = np.array([0.1, 0.4, 0.35, 0.8, 0.7, 0.2])
    positive = np.array([False, False, True, True, False, True])
    pairs = kernel(scores, positive)
    rows, columns = pairs.mean(axis=1).var(ddof=1) / 3, pairs.mean(axis=0).var(ddof=1) / 3
    freedom = (rows + columns) ** 2 / (rows**2 / 2 + columns**2 / 2)
    auc = pairs.mean()
    half = student_t.ppf(0.975, freedom) * math.sqrt(rows + columns) / (auc * (1 - auc))
    logits = [math.log(bound / (1 - bound)) for bound in area_interval(scores, positive)]
    assert logits == pytest.approx([math.log(auc / (1 - auc)) + side * half for side in (-1, 1)], abs=0.02)
    # scores that are all alike: DeLong knows no variance
    for bound in area_interval(np.ones(80), np.arange(80) < 40):
        more = 39 * ((1 - bound) / (2 - bound) + bound / (1 + bound))
        error = math.sqrt(bound * (1 - bound) * (1 + more) / 1600)
        assert abs(bound - 0.5) == pytest.approx(1.959963984540054 * error)


def test_single_member_of_a_class_gives_no_interval() -> None:
    low, high = area_interval(np.array([1.0, 2, 3]), np.array([True, False, False]))
    assert math.isnan(low) and math.isnan(high)


def test_test_has_the_variance_of_the_difference() -> None:
    random = np.random.default_rng(1)
    positive = random.random(60) < 0.5
    first = positive + random.normal(0, 1, 60)
    second = positive + random.normal(0, 2, 60)
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
