from __future__ import annotations

import numpy as np
import pytest

from metrics.base import ScoreReport
from metrics.statistics.nested import nested_draws, nested_intervals
from metrics.statistics.uncertainty import intervals

CENTRES = ["x"] * 4 + ["y"] * 2
PATIENTS = ["p", "p", "q", "r", "s", "s"]


def test_units_are_drawn_within_units() -> None:
    drawn = np.concatenate(list(nested_draws([CENTRES, PATIENTS], resamples=4000)))
    # the records of a patient always have one weight
    assert (drawn[:, 0] == drawn[:, 1]).all()
    assert (drawn[:, 4] == drawn[:, 5]).all()
    # a drawn centre x gives three patients, a drawn centre y its only one
    of_x = drawn[:, [0, 2, 3]].sum(axis=1)
    assert set(of_x.tolist()) == {0, 3, 6}
    assert set((of_x // 3 + drawn[:, 4]).tolist()) == {2}
    assert drawn.mean(axis=0) == pytest.approx([1] * 6, abs=0.06)
    # of patients within records: the weights of a patient's records differ, but not their number
    within = np.concatenate(list(nested_draws([PATIENTS], records=True, resamples=500)))
    assert (within[:, 0] != within[:, 1]).any()
    assert not ((within[:, 0] + within[:, 1]) % 2).any()
    again = np.concatenate(list(nested_draws([CENTRES, PATIENTS], resamples=5)))
    assert (again == drawn[:5]).all()


def test_intervals_by_centre_are_wider_where_centres_differ() -> None:
    r = np.random.default_rng(1)
    centres = [f"c{i // 20}" for i in range(300)]
    values = r.normal(0, 0.05, 300) + np.repeat(r.normal(0.8, 0.05, 15), 20)
    report = ScoreReport(
        metric="m",
        rules="corrected",
        primary="dice",
        values={"dice": float(values.mean())},
        per_record={f"r{i}": {"dice": float(x)} for i, x in enumerate(values)},
    )
    flat, nested = intervals(report).of["dice"], nested_intervals(report, [centres])
    low, high = nested.of["dice"]
    assert high - low > 2 * (flat[1] - flat[0])
    # theory: the standard error of the mean of 15 centres
    means = values.reshape(15, 20).mean(axis=1)
    assert (high - low) / 3.92 == pytest.approx(means.std() / 15**0.5, rel=0.1)
    assert (nested.clusters, nested.notes) == (15, ())
    few = nested_intervals(report, [["a"] * 150 + ["b"] * 150], resamples=20)
    assert few.notes == ("only 2 units of the outermost level: intervals by levels are too narrow",)


def test_levels_that_are_none_are_refused() -> None:
    for levels in ([], [[]], [["a"], ["a", "b"]]):
        with pytest.raises(ValueError, match="a unit for each record"):
            next(nested_draws(levels))
    with pytest.raises(ValueError, match="found 'p' in two"):
        next(nested_draws([["x", "y"], ["p", "p"]]))
    report = ScoreReport(metric="m", rules="corrected", primary="a", values={"a": 1.0})
    with pytest.raises(ValueError, match="can be resampled, found none"):
        nested_intervals(report, [["x"]])
