import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import norm
from scipy.stats import t as student

from metrics.base import MeanOfRecords, ScoreReport
from metrics.statistics.bca import p_of_student
from metrics.statistics.bca import student as student_value
from metrics.statistics.uncertainty import (
    NotComparableError,
    SumsOfRecords,
    compare,
    draws,
    intervals,
    resampled,
    tied_groups,
)


def report(
    numbers: Sequence[float], clusters: Sequence[str] = (), order: Sequence[int] | None = None, *, first: bool = False
) -> ScoreReport:
    """A score that is the mean of one number a record; ``first``: not defined where the first record is not drawn."""
    rows = [(number, 1, i == 0 or not first) for i, number in enumerate(numbers)]
    order = order if order is not None else range(len(rows))
    return ScoreReport(
        metric="m",
        rules="corrected",
        primary="mean",
        values={"mean": float(np.mean(numbers))},
        resampler=SumsOfRecords(
            records=tuple(f"r{i}" for i in order),
            rows=[rows[i] for i in order],
            formula=lambda total, records, needed: {"mean": np.where(needed > 0, total / records, np.nan)},
            clusters=tuple(clusters),
        ),
    )


def test_interval_of_a_mean_is_that_of_theory(random: np.random.Generator) -> None:
    numbers = random.normal(10, 2, 400)
    bounds = intervals(report(numbers.tolist()), resamples=4000)
    low, high = bounds.of["mean"]
    half = 1.96 * numbers.std() / 20
    assert low == pytest.approx(numbers.mean() - half, abs=0.03)
    assert high == pytest.approx(numbers.mean() + half, abs=0.03)
    assert (bounds.clusters, bounds.notes) == (400, ())


def test_records_of_one_patient_are_drawn_together(random: np.random.Generator) -> None:
    numbers = np.repeat(random.normal(0, 1, 40), 10)
    patients = [f"p{i // 10}" for i in range(400)]
    for weights in draws(report(numbers.tolist(), patients).resampler, 50):  # type: ignore[arg-type]
        assert (weights.reshape(-1, 40, 10) == weights.reshape(-1, 40, 10)[:, :, :1]).all()
        assert (weights.sum(axis=1) == 400).all()
    by_patient = intervals(report(numbers.tolist(), patients)).of["mean"]
    by_record = intervals(report(numbers.tolist())).of["mean"]
    assert by_patient[1] - by_patient[0] > 2.5 * (by_record[1] - by_record[0])


def test_resamples_without_a_value_are_left_out_and_said(random: np.random.Generator) -> None:
    numbers = random.random(30).tolist()
    base, partial = report(numbers), report(numbers, first=True)
    bounds, comparison = intervals(partial), compare(partial, base)
    assert all(math.isfinite(bound) for bound in bounds.of["mean"])
    assert "mean in 3" in bounds.notes[0]  # (1 - 1/30) ** 30 = 36 %
    assert (comparison.low, comparison.high, comparison.p_value) == (0, 0, 1)
    assert "not defined in 3" in comparison.notes[0]


def test_closed_form_goes_before_the_bootstrap(random: np.random.Generator) -> None:
    base = report(random.random(30).tolist())
    closed = replace(base, intervals={"mean": (0, 1)})
    assert intervals(closed).of["mean"] == (0, 1)
    assert intervals(closed, level=0.9).of["mean"] != (0, 1)  # the closed form is of 95 %


HIGH = np.random.default_rng(3).uniform(0.9, 1, 30)


@pytest.mark.parametrize(
    ("numbers", "worst", "moved"),
    [
        (HIGH, 0.0, lambda low, high: (low * 30 / 31, high)),
        (1 - HIGH, 1.0, lambda low, high: (low, high + (1 - high) / 31)),
        # as so many coins that all fell on one side
        (np.ones(30), 0.0, lambda low, high: (0.05 ** (1 / 30), 1.0)),
    ],
)
def test_bound_on_the_side_of_failure_counts_one_more(numbers: Any, worst: float, moved: Any) -> None:
    plain = report(numbers.tolist())
    bounds = intervals(replace(plain, failing={"mean": (worst, 1 / 31)}))
    assert bounds.of["mean"] == pytest.approx(moved(*intervals(plain).of["mean"]))
    flat = any(
        "no resample differs in mean, which is not certainty: what 10.0% of all" in note for note in bounds.notes
    )
    assert flat == (numbers.min() == numbers.max())


def test_failure_of_means_from_0_to_1_is_counted_without_asking() -> None:
    records = tuple(f"r{i}" for i in range(30))
    means = MeanOfRecords(records=records, clusters=records, columns={"mean": HIGH.tolist()})
    assert replace(report(HIGH.tolist()), resampler=means).failing == {"mean": (0.0, pytest.approx(1 / 31))}


@pytest.mark.parametrize(
    ("records", "has_interval", "note"),
    [
        (4, False, "no bootstrap: 4 independent records or patients are too few"),
        (12, True, "intervals rest on only 12"),
    ],
)
def test_few_records_get_a_note_and_fewer_no_interval(records: int, has_interval: bool, note: str) -> None:
    rising, other = report([float(i) for i in range(records)]), report([i % 3 - 1.0 for i in range(records)])
    alone, gap = intervals(rising), compare(rising, other)
    assert (bool(alone.of), not math.isnan(gap.low), not math.isnan(gap.p_value)) == (has_interval,) * 3
    assert alone.notes[0].startswith(note) and gap.notes[0].startswith(note)


def test_paired_comparison_sees_a_small_difference_on_the_same_records(random: np.random.Generator) -> None:
    hard = random.normal(0, 5, 200)
    better = (hard + 0.3 + random.normal(0, 0.5, 200)).tolist()
    shuffled = random.permutation(200).tolist()
    comparison = compare(report(better), report(hard.tolist(), order=shuffled))
    assert comparison.difference == pytest.approx(np.mean(better) - hard.mean())
    assert comparison.low > 0
    assert comparison.p_value < 0.01
    apart = intervals(report(better)).of["mean"], intervals(report(hard.tolist())).of["mean"]
    assert apart[0][0] < apart[1][1]  # the two intervals overlap all the same


@pytest.mark.parametrize("records", [5, 12, 60])
def test_equal_entries_differ_in_at_most_one_of_twenty_cases(records: int) -> None:
    """The level of the test: 300 cases have a standard error of 0.0126."""
    random, cases, differ = np.random.default_rng(records), 300, 0
    for _ in range(cases):
        pair = random.normal(size=records) + random.normal(size=(2, records))
        comparison = compare(*map(report, pair.tolist()), resamples=300)
        differ += comparison.p_value < 0.05
        assert (comparison.p_value < 0.05) == (not comparison.low <= 0 <= comparison.high)
    assert differ / cases <= 0.05 + 0.025


def test_gap_that_is_alike_in_all_records_is_as_rare_as_by_exchanging_the_entries(random: np.random.Generator) -> None:
    numbers = random.random(8)
    comparison = compare(report((numbers + 0.1).tolist()), report(numbers.tolist()))
    assert comparison.p_value == pytest.approx(2 / 2**8, abs=1e-4)
    assert comparison.low < 0.1 == pytest.approx(comparison.high)
    assert "which is not certainty" in comparison.notes[-1]


@pytest.mark.parametrize(
    "other",
    [
        report([1.0] * 9),
        ScoreReport(metric="x", rules="corrected", primary="mean", values={"mean": 1.0}),
        ScoreReport(metric="m", rules="official", primary="mean", values={"mean": 1.0}),
        ScoreReport(metric="m", rules="corrected", primary="mean", values={"mean": 1.0}),
    ],
)
def test_what_cannot_be_compared_is_refused(other: ScoreReport) -> None:
    with pytest.raises(NotComparableError, match=r"expected reports of"):
        compare(report([1.0] * 8), other)


def resampled_means(numbers: NDArray[np.float64], resamples: int = 1000) -> NDArray[np.float64]:
    """Means of rows, shape (entries, records), over the same resamples; best entry first."""
    numbers = numbers[np.argsort(-numbers.mean(axis=1))]
    n = numbers.shape[1]
    return np.asarray(numbers @ np.random.default_rng(n).multinomial(n, np.full(n, 1 / n), resamples).T / n)


def test_group_ends_where_an_entry_differs_from_its_leader() -> None:
    noise = np.random.default_rng(1).normal(0, 0.3, (4, 400))  # gaps have standard errors of 0.02
    values = resampled_means(noise - noise.mean(axis=1, keepdims=True) - 0.04 * np.arange(4)[:, None])
    assert tied_groups("abcd", values) == (("a", "b"), ("c", "d"))


def test_large_board_of_different_entries_has_as_many_groups(random: np.random.Generator) -> None:
    """Holm's correction of 1000 resamples' p values could part none of them: 190 pairs times 0.002."""
    numbers = random.normal(0, 1, (20, 2000)) + 0.3 * np.arange(20)[:, None]
    names = [f"e{i}" for i in range(20)]
    assert tied_groups(names, resampled_means(numbers), clusters=2000) == tuple((name,) for name in names)


def test_gap_that_never_varies_parts_and_none_does_not(random: np.random.Generator) -> None:
    same = resampled_means(random.normal(0, 1, (1, 50)))
    assert tied_groups("abc", np.vstack([same, same, same - 1])) == (("a", "b"), ("c",))
    assert tied_groups("ab", np.vstack([same, same + 1e-16])) == (("a", "b"),)


@given(st.floats(0.5, 4), st.integers(4, 5000))
def test_student_value_is_as_rare_as_the_normal_one(normal: float, freedom: int) -> None:
    exact = student.isf(norm.sf(normal), freedom)
    assert student_value(normal, freedom) == pytest.approx(exact, rel=0.02 if freedom > 10 else 0.1)
    assert p_of_student(student_value(normal, freedom), freedom) == pytest.approx(2 * norm.sf(normal))


def test_draws_stay_those_that_boards_have_kept_scores_on() -> None:
    random = np.random.default_rng(2017)
    expected = [np.bincount(random.integers(0, 9, 9), minlength=9).tolist() for _ in range(5)]
    weights = np.concatenate(list(draws(report([0.0] * 9).resampler, 5)))  # type: ignore[arg-type]
    assert weights.tolist() == expected
    assert (resampled(report([0.0] * 8 + [1.0]), 5)["mean"] * 9).round().tolist() == [row[8] for row in expected]
