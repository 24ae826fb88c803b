from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics.generic.survival import Comparable


def by_all_pairs(
    times: NDArray[Any], event: NDArray[Any], risk: NDArray[Any], weights: NDArray[Any], *, drop: bool
) -> float:
    agreeing = pairs = 0.0
    for i in range(times.size):
        for j in range(times.size):
            if i == j or not event[i] or not (times[i] < times[j] or (times[i] == times[j] and not event[j])):
                continue
            comparable = not (np.isnan(risk[i]) or np.isnan(risk[j]))
            if drop and not comparable:
                continue
            pairs += weights[i] * weights[j]
            agreeing += weights[i] * weights[j] * comparable * ((risk[i] > risk[j]) + (risk[i] == risk[j]) / 2)
    return agreeing / pairs if pairs else math.nan


@pytest.mark.parametrize("drop", [True, False])
def test_merging_counts_what_a_loop_over_all_pairs_counts(drop: bool) -> None:
    random = np.random.default_rng(6)
    for n in (1, 2, 3, 8, 40, 64, 65, 150):
        times, event = random.integers(0, 8, n).astype(float), random.random(n) < 0.6
        risk = np.where(random.random(n) < 0.1, np.nan, random.integers(0, 6, n))
        weights = random.integers(0, 4, (3, n))
        kept = ~np.isnan(risk) if drop else np.ones(n, np.bool_)
        shares = Comparable(times=times, late=~event, event=event, risk=risk, kept=kept).concordance(weights)
        for share, row in zip(shares, weights, strict=True):
            assert share == pytest.approx(by_all_pairs(times, event, risk, row, drop=drop), nan_ok=True)
