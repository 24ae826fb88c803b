"""BCa intervals: the numbers of SciPy, and what few records and few kinds of records change."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import bootstrap, norm
from scipy.stats import t as student_t

from metrics.base import MeanOfRecords
from metrics.generic import make
from metrics.generic.tables import table_of
from metrics.statistics.bca import SCALES, LeftOut, bounds, left_out, on_scale, student
from metrics.statistics.uncertainty import intervals

Floats = NDArray[np.float64]
MANY = 10**9


def mean_of(numbers: Floats, clusters: tuple[str, ...] = ()) -> MeanOfRecords:
    names = tuple(map(str, range(numbers.size)))
    return MeanOfRecords(records=names, clusters=clusters or names, columns={"mean": numbers.tolist()})


@pytest.mark.parametrize("seed", range(5))
def test_bounds_are_those_of_scipy_for_the_same_resamples(seed: int) -> None:
    numbers = np.random.default_rng(seed).beta(8, 1, 42)
    theirs = bootstrap((numbers,), np.mean, method="BCa", n_resamples=2000, rng=np.random.default_rng(seed))
    acceleration = left_out(mean_of(numbers)).acceleration("mean")
    ours = bounds(theirs.bootstrap_distribution, float(numbers.mean()), acceleration, MANY, 0.95)
    assert ours == pytest.approx(tuple(theirs.confidence_interval), rel=1e-6)


def test_few_records_widen_the_interval_as_students_distribution_does() -> None:
    resampled = norm.ppf((np.arange(200_000) + 0.5) / 200_000)  # the normal distribution itself
    for n in (5, 20, 100):
        low, high = bounds(resampled, 0.0, 0.0, n, 0.95)
        wide = math.sqrt(n / (n - 1)) * student_t.ppf(0.975, n - 1)
        assert (low, high) == pytest.approx((-wide, wide), rel=0.03)


def test_groups_are_left_out_of_many_records_and_give_nearly_the_same_acceleration() -> None:
    numbers = np.random.default_rng(1).exponential(size=5000)
    values = left_out(mean_of(numbers))
    assert values.values["mean"].shape == (100,)
    exact = ((numbers.mean() - numbers) * -1) ** 3
    acceleration = exact.sum() / (6 * ((numbers - numbers.mean()) ** 2).sum() ** 1.5)
    assert values.acceleration("mean") == pytest.approx(acceleration, rel=0.6)
    assert values.acceleration("mean") > 0


def test_all_records_of_a_patient_are_left_out_together() -> None:
    numbers = np.array([1.0, 1.0, 0.0, 4.0])
    values = left_out(mean_of(numbers, ("a", "b", "a", "c")))
    assert values.values["mean"].tolist() == [2.5, pytest.approx(5 / 3), pytest.approx(2 / 3)]


def test_values_that_are_not_defined_without_a_record_are_left_out() -> None:
    without = LeftOut(values={"a": np.array([np.nan, 1.0, 1.0]), "b": np.full(3, np.nan)})
    assert without.acceleration("a") == without.acceleration("b") == 0.0


def test_score_at_its_bound_stays_there() -> None:
    assert bounds(np.ones(1000), 1.0, 0.0, 20, 0.95) == (1.0, 1.0)
    low, high = bounds(np.append(np.full(10, 0.9), np.ones(990)), 1.0, 0.0, 20, 0.95)
    assert 0.9 <= low <= high == 1.0


def test_bounds_on_the_scale_of_a_correlation_by_hand() -> None:
    def without(values: list[float] | Floats) -> LeftOut:
        return LeftOut(values={"r": np.array(values)})

    left = without(np.tanh([0.4, 0.5, 0.6]))
    # pseudo values 0.7, 0.5, 0.3: a standard error of 0.2 / sqrt(3), and Student's t of two degrees
    half = student(1.959963984540054, 2) * 0.2 / math.sqrt(3)
    expected = math.tanh(0.5 - half), math.tanh(0.5 + half)
    assert on_scale(left, "r", math.tanh(0.5), "correlation", 0.95) == pytest.approx(expected)
    assert on_scale(without([1.0, 0.5]), "r", 0.5, "correlation", 0.95) is None
    assert on_scale(without([0.0, 1.0]), "r", 0.5, "error", 0.95) is None
    assert on_scale(without([0.0, 1.0]), "r", 0.5, "root of squares", 0.95) is None
    assert on_scale(without([0.1, 9.0]), "r", 0.5, "root of squares", 0.95) is None  # no upper bound
    assert on_scale(left, "r", 1.0, "share", 0.95) is None


@pytest.mark.parametrize("scale", SCALES)
def test_scales_rise_and_lead_back(scale: str) -> None:
    there, back = SCALES[scale].there, SCALES[scale].back
    values = [0.1, 0.4, 0.99]
    assert [back(there(value)) for value in values] == pytest.approx(values)
    assert sorted(map(there, values)) == [there(value) for value in values]


def test_variance_that_one_record_makes_has_few_degrees_of_freedom() -> None:
    scaled = np.append(np.zeros(39), 0.4)
    without = LeftOut(values={"r": np.tanh(scaled)})
    half = student(1.959963984540054, 5) * math.sqrt(39 / 40 * ((scaled - 0.01) ** 2).sum())
    assert on_scale(without, "r", 0.0, "correlation", 0.95) == pytest.approx((-math.tanh(half), math.tanh(half)))


def test_bounds_on_the_scale_of_ranks_replace_those_of_resamples() -> None:
    random = np.random.default_rng(1)
    truth = random.normal(size=30)
    report = make({"measure": "regression.spearman"}).score_tables(  # type: ignore[attr-defined]
        table_of("references", {"value": truth}), table_of("answers", {"value": truth + random.normal(size=30)})
    )
    value, without = report.values["spearman"], left_out(report.resampler)
    assert intervals(report).of["spearman"] == on_scale(without, "spearman", value, "correlation of ranks", 0.95)
