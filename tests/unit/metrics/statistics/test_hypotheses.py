from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from metrics.base import ScoreReport
from metrics.statistics.hypotheses import mixed_model, non_inferiority, permutation_test
from metrics.statistics.uncertainty import NotComparableError
from tests.support.peers import of_peer


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


def test_mixed_model_is_that_of_statsmodels() -> None:
    r = np.random.default_rng(6)
    patients = [f"p{i // 3 if i < 45 else i}" for i in range(60)]  # of three records, and of one
    effect = dict(zip(sorted(set(patients)), r.normal(0, 0.1, len(set(patients))), strict=True))
    entries = {
        name: np.array([mean + effect[p] for p in patients]) + r.normal(0, 0.05, 60)
        for name, mean in (("a", 0.8), ("b", 0.75), ("c", 0.78))
    }

    def theirs() -> Any:
        import pandas
        from statsmodels.regression.mixed_linear_model import MixedLM

        table = pandas.DataFrame(
            [(name, p, x) for name, own in entries.items() for p, x in zip(patients, own, strict=True)],
            columns=["entry", "patient", "score"],
        )
        design = pandas.get_dummies(table.entry).astype(float)
        fit = MixedLM(table.score, design, groups=table.patient).fit(reml=True, gtol=1e-10)
        error = fit.bse_fe.to_numpy()
        return [*fit.fe_params, float(fit.cov_re.iloc[0, 0]), fit.scale, *error]

    found = mixed_model({name: report(own, patients) for name, own in entries.items()}, "dice")
    half = [(high - low) / 2 / stats.norm.ppf(0.975) for low, high in found.intervals]
    ours = [*found.means, found.variance_between, found.variance_within, *half]
    assert ours == pytest.approx(of_peer("statsmodels", theirs, MIXED, close=1e-6), abs=2e-6)
    assert str(found).splitlines()[0].startswith("a: 0.8181, 95 % interval 0.778 to 0.858")
    gap, low, high, p_value = found.differences["a", "b"]
    assert gap == pytest.approx(entries["a"].mean() - entries["b"].mean(), abs=1e-12)  # the design is balanced
    assert low < gap < high
    assert p_value == pytest.approx(2 * stats.norm.sf(abs(gap) / ((high - low) / 2 / stats.norm.ppf(0.975))))


MIXED = [
    0.8180935322381758,
    0.7670611669013412,
    0.8118451961235127,
    0.010970967100412806,
    0.0025211979801442502,
    0.02030310607994399,
    0.02030310607994399,
    0.02030310607994399,
]


def test_model_without_differences_between_patients_and_with_too_few() -> None:
    r = np.random.default_rng(7)
    own = {name: report(r.normal(0, 1, 30)) for name in "ab"}
    found = mixed_model(own, "dice")
    assert found.variance_between >= 0
    exact = {name: report([0.5] * 10) for name in "ab"}
    assert mixed_model(exact, "dice").differences["a", "b"][:3] == pytest.approx((0, 0, 0))
    with pytest.raises(NotComparableError, match="at least 2 patients"):
        mixed_model({name: report([0.5, 0.6], ["p", "p"]) for name in "ab"}, "dice")
