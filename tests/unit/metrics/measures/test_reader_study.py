from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score

from metrics.measures.auc import delong_test
from metrics.measures.reader_study import analysis_of_areas, obuchowski_rockette


def study(seed: int, t: int = 2, r: int = 4, n: int = 40) -> tuple[dict[str, Any], Any]:
    random = np.random.default_rng(seed)
    truth = np.arange(n) < n // 3
    case = random.normal(0, 1, n) + 1.5 * truth
    scores = {
        f"m{i}": [np.round(case + 0.4 * i * truth + random.normal(0, 1, n), 1) for _ in range(r)] for i in range(t)
    }
    return scores, truth


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("t", [2, 3])
def test_jackknife_covariances_give_the_analysis_of_pseudovalues(seed: int, t: int) -> None:
    """Dorfman, Berbaum and Metz's analysis of variance of pseudovalues, written out; Hillis showed that both agree."""
    scores, truth = study(seed, t)
    table = np.array(list(scores.values()))
    _, r, n = table.shape
    area = np.array([[roc_auc_score(truth, row) for row in own] for own in table])
    without = np.array(
        [[[roc_auc_score(np.delete(truth, k), np.delete(row, k)) for k in range(n)] for row in own] for own in table]
    )
    y = n * area[..., None] - (n - 1) * without
    mean = y.mean()
    a, b, c = (y.mean(axis=axes) for axes in ((1, 2), (0, 2), (0, 1)))
    ab, ac, bc = y.mean(axis=2), y.mean(axis=1), y.mean(axis=0)
    ms_t = r * n * ((a - mean) ** 2).sum() / (t - 1)
    ms_tr = n * ((ab - a[:, None] - b[None] + mean) ** 2).sum() / ((t - 1) * (r - 1))
    ms_tc = r * ((ac - a[:, None] - c[None] + mean) ** 2).sum() / ((t - 1) * (n - 1))
    rest = y - ab[..., None] - ac[:, None] - bc[None] + a[:, None, None] + b[None, :, None] + c[None, None] - mean
    ms_trc = (rest**2).sum() / ((t - 1) * (r - 1) * (n - 1))
    below = ms_tr + max(ms_tc - ms_trc, 0)
    freedom = below**2 / (ms_tr**2 / ((t - 1) * (r - 1)))
    found = obuchowski_rockette(scores, truth)
    assert found.f == pytest.approx(ms_t / below)
    assert found.degrees == pytest.approx((t - 1, freedom))
    assert found.p_value == pytest.approx(stats.f.sf(ms_t / below, t - 1, freedom))
    gap, low, high, p_value = found.differences["m0", "m1"]
    half = stats.t.ppf(0.975, freedom) * math.sqrt(2 * below / (r * n))
    assert (low, high) == pytest.approx((gap - half, gap + half))
    if t == 2:
        assert p_value == pytest.approx(found.p_value)
    assert str(found).startswith(f"F({t - 1}, ")
    assert np.array(list(found.areas.values())) == pytest.approx(area)


def test_the_published_analysis_of_van_dykes_study() -> None:
    """Dissections of the aorta in spin-echo and cine MRI, five readers, 114 patients: figures that RJafroc's book
    (areas, dataset02) and MRMCaov's manual (everything else, `VanDyke`) print."""
    spin_echo = [0.91964573, 0.85877617, 0.90386473, 0.97310789, 0.82979066]
    cine = [0.94782609, 0.90531401, 0.92173913, 0.99935588, 0.92995169]
    variance, one, two, three = 0.0008022883, 0.0003466137, (0.0004839618, 0.0002041879), 0.0002390284
    errors = np.full((10, 10), three)
    for method, shared in enumerate(two):
        errors[5 * method : 5 * method + 5, 5 * method : 5 * method + 5] = shared
    place = np.arange(10)
    errors[place, (place + 5) % 10], errors[place, place] = one, variance
    found = analysis_of_areas(("spin echo", "cine"), np.array([spin_echo, cine]), errors)
    assert found.covariances == pytest.approx((0.0003466137, 0.0003440748, 0.0002390284), rel=1e-6)
    assert found.means == pytest.approx((0.8970370, 0.9408374), abs=1e-7)
    assert (found.f, found.p_value) == pytest.approx((4.456319, 0.05166569), rel=1e-6)
    assert found.degrees == pytest.approx((1, 15.25967), rel=1e-6)
    difference = (-0.04380032, -0.0879594986, 0.0003588544, 0.05166569)
    assert found.differences["spin echo", "cine"] == pytest.approx(difference, abs=5e-8)
    alone = ((0.8252236, 0.9688505), (0.8941378, 0.9875369))
    assert np.array(found.intervals) == pytest.approx(np.array(alone), abs=2e-7)


def test_delong_covariances_are_those_of_delongs_test() -> None:
    scores, truth = study(3, r=2)
    found = obuchowski_rockette(scores, truth, covariance="delong")
    own = [delong_test(scores["m0"][i], scores["m1"][i], truth, 0.95) for i in range(2)]
    variances = [((high - low) / 2 / stats.norm.ppf(0.975)) ** 2 for _, low, high, _ in own]
    assert np.mean(variances) == pytest.approx(2 * found.variance - 2 * found.covariances[0])


def test_methods_that_are_equal_have_no_test() -> None:
    scores, truth = study(1)
    found = obuchowski_rockette({"a": scores["m0"], "b": scores["m0"]}, truth)
    assert math.isnan(found.f)
    assert math.isnan(found.p_value)
    assert found.differences["a", "b"][:3] == (0, 0, 0)
    low, high = found.intervals[0]
    assert low < found.means[0] < high


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s, y: ({"m0": s["m0"]}, y), "at least 2 methods"),
        (lambda s, y: ({k: v[:1] for k, v in s.items()}, y), "at least 2 methods, 2 readers"),
        (lambda s, y: (s, y[:5]), "readers and 5 cases"),
        (lambda s, y: (s | {"m1": s["m1"][:2]}, y), "for each method"),
        (lambda s, y: (s, np.zeros(y.size, bool)), "2 cases of each class"),
        (lambda s, y: (s | {"m1": [x * math.nan for x in s["m1"]]}, y), "finite"),
    ],
)
def test_other_designs_are_refused(change: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        obuchowski_rockette(*change(*study(1)))
    with pytest.raises(ValueError, match="covariance to be one of"):
        obuchowski_rockette(*study(1), covariance="bootstrap")
