from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from metrics.base import ScoreReport
from metrics.statistics.hypotheses import non_inferiority, permutation_test
from metrics.statistics.uncertainty import NotComparableError


def report(values: Any, patients: Any = None, key: str = "dice") -> ScoreReport:
    rows = {f"r{i}": {key: float(x)} | ({"patient": patients[i]} if patients else {}) for i, x in enumerate(values)}
    return ScoreReport(
        metric="mine", rules="corrected", primary=key, values={key: float(np.mean(values))}, per_record=rows
    )


def pair(n: int, seed: int) -> tuple[Any, Any]:
    r = np.random.default_rng(seed)
    base = r.random(n)
    return base, base - 0.05 + r.normal(0, 0.1, n)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("n", [4, 9, 12])
def test_exact_permutations_are_those_of_scipy(alternative: str, n: int) -> None:
    one, other = pair(n, n)
    theirs = stats.permutation_test(
        (one, other),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        alternative=alternative,
        n_resamples=np.inf,
    )
    ours = permutation_test(report(one), report(other), "dice", alternative=alternative)
    assert ours == pytest.approx(theirs.pvalue, abs=1e-12)


def test_many_patients_are_drawn_and_all_records_of_one_are_exchanged_together() -> None:
    one, other = pair(40, 3)
    drawn = permutation_test(report(one), report(other), "dice")
    assert drawn == permutation_test(report(one), report(other), "dice")
    exact = stats.permutation_test(
        (one, other), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples", n_resamples=20_000
    ).pvalue
    assert drawn == pytest.approx(exact, abs=0.02)
    patients = [f"p{i // 10}" for i in range(40)]
    few = permutation_test(report(one, patients), report(other, patients), "dice")
    assert few * 16 == pytest.approx(round(few * 16))  # of four patients
    assert permutation_test(report(one), report(one), "dice") == 1
    with pytest.raises(ValueError, match="alternative"):
        permutation_test(report(one), report(other), "dice", alternative="more")
    with pytest.raises(NotComparableError, match="same"):
        permutation_test(report(one), report(other[:20]), "dice")


def test_non_inferiority_is_by_the_lower_bound_of_the_difference() -> None:
    one, other = pair(60, 5)
    worse = non_inferiority(report(other), report(one), 0.1)
    assert (worse.non_inferior, worse.superior) == (True, False)
    assert -0.1 < worse.comparison.low < worse.comparison.difference < 0
    assert not non_inferiority(report(other), report(one), 0.04).non_inferior
    better = non_inferiority(report(one), report(other), 0.01)
    assert better.superior
    assert str(better).endswith("margin 0.01: superior")
    for margin in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="margin above 0"):
            non_inferiority(report(one), report(other), margin)
    loss = ScoreReport(metric="m", rules="corrected", primary="neg_mae", values={"neg_mae": -1.0, "mae": 1.0})
    with pytest.raises(ValueError, match="use 'neg_mae'"):
        non_inferiority(loss, loss, 0.1, "mae")
