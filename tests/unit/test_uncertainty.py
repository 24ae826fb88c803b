from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from metrics.base import ScoreReport
from metrics.uncertainty import compare, draws, holm, intervals, rank, resampled, tied_groups


@dataclass(frozen=True)
class Mean:
    """A score that is the mean of one number a record."""

    numbers: Sequence[float]
    records: tuple[str, ...]
    clusters: tuple[str, ...]

    def values(self, weights: NDArray[np.int64]) -> Mapping[str, NDArray[np.float64]]:
        return {"mean": weights @ np.asarray(self.numbers) / weights.sum(axis=1)}


def report(
    numbers: Sequence[float], clusters: Sequence[str] | None = None, order: Sequence[int] | None = None
) -> ScoreReport:
    records = [f"r{i}" for i in range(len(numbers))]
    order = order if order is not None else range(len(numbers))
    return ScoreReport(
        metric="m",
        rules="corrected",
        primary="mean",
        values={"mean": float(np.mean(numbers))},
        resampler=Mean(
            [numbers[i] for i in order],
            tuple(records[i] for i in order),
            tuple((clusters or records)[i] for i in order),
        ),
    )


RANDOM = np.random.default_rng(3)


def test_interval_of_a_mean_is_that_of_theory() -> None:
    numbers = RANDOM.normal(10, 2, 400)
    found = intervals(report(numbers.tolist()), resamples=4000)
    low, high = found.of["mean"]
    half = 1.96 * numbers.std() / 20
    assert low == pytest.approx(numbers.mean() - half, abs=0.03)
    assert high == pytest.approx(numbers.mean() + half, abs=0.03)
    assert (found.clusters, found.notes) == (400, ())


def test_records_of_one_patient_are_drawn_together() -> None:
    numbers = np.repeat(RANDOM.normal(0, 1, 40), 10)
    patients = [f"p{i // 10}" for i in range(400)]
    for weights in draws(report(numbers.tolist(), patients).resampler, 50):  # type: ignore[arg-type]
        assert (weights.reshape(-1, 40, 10) == weights.reshape(-1, 40, 10)[:, :, :1]).all()
        assert (weights.sum(axis=1) == 400).all()
    by_patient = intervals(report(numbers.tolist(), patients)).of["mean"]
    by_record = intervals(report(numbers.tolist())).of["mean"]
    assert by_patient[1] - by_patient[0] > 2.5 * (by_record[1] - by_record[0])


def test_same_answers_get_the_same_interval_however_large_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    one = report(RANDOM.random(50).tolist())
    first = resampled(one)["mean"]
    assert first.shape == (1000,)
    assert (resampled(one)["mean"] == first).all()
    monkeypatch.setattr("metrics.uncertainty._CELLS", 500)
    assert resampled(one)["mean"].shape == (1000,)


def test_few_records_get_a_note_and_fewer_none() -> None:
    assert "rest on 12 independent" in intervals(report([1.0, 2.0] * 6)).notes[0]
    found = intervals(report([1.0, 2.0]))
    assert (found.of, found.notes) == ({}, ("no intervals: 2 independent records or patients are too few",))


def test_resamples_without_a_value_are_left_out_and_said() -> None:
    class Sometimes(Mean):
        def values(self, weights: NDArray[np.int64]) -> Mapping[str, NDArray[np.float64]]:
            mean = super().values(weights)["mean"]
            return {"mean": np.where(weights[:, 0] > 0, mean, np.nan)}

    base = report(RANDOM.random(30).tolist())
    assert isinstance(base.resampler, Mean)
    resampler = Sometimes(base.resampler.numbers, base.resampler.records, base.resampler.clusters)
    found = intervals(ScoreReport(metric="m", rules="r", primary="mean", values=base.values, resampler=resampler))
    assert all(math.isfinite(bound) for bound in found.of["mean"])
    assert "mean in 3" in found.notes[0]  # (1 - 1/30) ** 30 = 36 %


def test_closed_form_goes_before_the_bootstrap() -> None:
    base = report(RANDOM.random(30).tolist())
    known = ScoreReport(
        metric="m", rules="r", primary="mean", values=base.values, resampler=base.resampler, intervals={"mean": (0, 1)}
    )
    assert intervals(known).of["mean"] == (0, 1)


def test_report_that_cannot_be_resampled_has_no_interval() -> None:
    assert intervals(ScoreReport(metric="m", rules="r", primary="a", values={"a": 1.0})).of == {}


def test_paired_comparison_sees_a_small_difference_on_the_same_records() -> None:
    hard = RANDOM.normal(0, 5, 200)
    better = (hard + 0.3 + RANDOM.normal(0, 0.5, 200)).tolist()
    shuffled = RANDOM.permutation(200).tolist()
    found = compare(report(better), report(hard.tolist(), order=shuffled))
    assert found.difference == pytest.approx(np.mean(better) - hard.mean())
    assert found.low > 0
    assert found.p_value < 0.01
    apart = intervals(report(better)).of["mean"], intervals(report(hard.tolist())).of["mean"]
    assert apart[0][0] < apart[1][1]  # the two intervals overlap all the same


def test_entry_does_not_differ_from_itself() -> None:
    one = report(RANDOM.random(30).tolist())
    found = compare(one, one)
    assert (found.difference, found.low, found.high, found.p_value) == (0, 0, 0, 1)


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
    with pytest.raises(ValueError, match=r"expected reports of"):
        compare(report([1.0] * 8), other)


def test_board_of_clearly_different_and_of_equal_entries() -> None:
    hard = RANDOM.normal(0, 1, 300)
    noise = RANDOM.normal(0, 0.2, (2, 300))
    reports = {
        "best": report((hard + 5).tolist()),
        "twin b": report((hard + noise[0]).tolist()),
        "twin a": report((hard + noise[1] - noise[1].mean() + noise[0].mean()).tolist()),
        "last": report((hard - 5).tolist()),
    }
    found = rank(reports, decimals=6)
    assert (found.entries[0], found.entries[-1]) == ("best", "last")
    assert found.ranks == (1, 2, 2, 4)
    assert found.rank_intervals[0] == (1, 1)
    assert found.tied_groups == (("best",), ("twin a", "twin b"), ("last",))
    assert found.frequencies.sum(axis=1) == pytest.approx([1, 1, 1, 1])
    assert found.frequencies[0, 0] == 1
    assert found.frequencies[1, 1] == pytest.approx(0.5, abs=0.2)
    low, tau, high = found.kendall_tau
    assert 0.5 < low <= tau <= high <= 1


def test_board_of_one_entry() -> None:
    found = rank({"only": report(RANDOM.random(30).tolist())})
    assert (found.ranks, found.tied_groups) == ((1,), (("only",),))
    assert math.isnan(found.kendall_tau[1])
    with pytest.raises(ValueError, match="at least one entry"):
        rank({})


def test_entry_without_a_score_is_last() -> None:
    nothing = ScoreReport(
        metric="m",
        rules="corrected",
        primary="mean",
        values={"mean": math.nan},
        resampler=Mean([math.nan] * 30, tuple(f"r{i}" for i in range(30)), tuple(f"r{i}" for i in range(30))),
    )
    found = rank({"nothing": nothing, "some": report(RANDOM.random(30).tolist())})
    assert (found.entries, found.ranks) == (("some", "nothing"), (1, 2))


def test_group_ends_where_an_entry_differs_from_its_leader() -> None:
    base = np.linspace(-1, 1, 999)
    values = np.stack([base + shift for shift in (0.0, -0.5, -1.5, -1.6)])
    jitter = np.random.default_rng(0).normal(0, 0.3, values.shape)
    assert tied_groups("abcd", values + jitter) == (("a", "b"), ("c", "d"))


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_lowers_nothing_and_keeps_the_order(p_values: list[float]) -> None:
    corrected = holm(p_values)
    assert all(after >= before for before, after in zip(p_values, corrected, strict=True))
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    assert [corrected[i] for i in order] == sorted(corrected)
