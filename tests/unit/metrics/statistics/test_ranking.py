import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, rankdata

from metrics.scoring import board_json, board_text
from metrics.statistics.ranking import kendall_tau, rank, ranks_of
from metrics.statistics.uncertainty import NotComparableError
from tests.unit.metrics.statistics.test_uncertainty import report


def test_board_of_clearly_different_and_of_equal_entries(random: np.random.Generator) -> None:
    hard = random.normal(0, 1, 300)
    noise = random.normal(0, 0.2, (2, 300))
    reports = {
        "best": report((hard + 5).tolist()),
        "twin b": report((hard + noise[0]).tolist()),
        "twin a": report((hard + noise[1] - noise[1].mean() + noise[0].mean()).tolist()),
        "last": report((hard - 5).tolist()),
    }
    ranking = rank(reports, decimals=6)
    assert (ranking.entries[0], ranking.entries[-1]) == ("best", "last")
    assert ranking.ranks == (1, 2, 2, 4)
    assert ranking.rank_intervals[0] == (1, 1)
    assert ranking.tied_groups == (("best",), ("twin a", "twin b"), ("last",))
    assert ranking.frequencies.sum(axis=1) == pytest.approx([1, 1, 1, 1])
    assert ranking.frequencies[0, 0] == 1
    assert ranking.frequencies[1, 1] == pytest.approx(0.5, abs=0.2)
    assert ranking.mean_ranks == pytest.approx(ranking.frequencies @ [1, 2, 3, 4])
    low, tau, high = ranking.kendall_tau
    assert 0.5 < low <= tau <= high <= 1
    assert ranking.notes == ()


def test_board_of_one_entry(random: np.random.Generator) -> None:
    ranking = rank({"only": report(random.random(30).tolist())})
    assert (ranking.ranks, ranking.mean_ranks, ranking.tied_groups) == ((1,), (1.0,), (("only",),))
    assert math.isnan(ranking.kendall_tau[1])
    assert "Kendall" not in board_text(ranking)
    with pytest.raises(ValueError, match="at least one entry"):
        rank({})


def test_entry_without_a_score_is_last(random: np.random.Generator) -> None:
    ranking = rank({"nothing": report([math.nan] * 30), "some": report(random.random(30).tolist())})
    assert (ranking.entries, ranking.ranks) == (("some", "nothing"), (1, 2))
    assert ranking.tied_groups == (("some",), ("nothing",))
    assert board_json(ranking)[1]["score"] is None
    assert board_text(ranking).splitlines()[2].split()[:3] == ["2", "nothing", "nan"]


def test_too_few_records_part_nobody_and_leave_every_rank_open() -> None:
    ranking = rank({"a": report([1.0, 1, 1]), "b": report([0.0, 0, 0])})
    assert ranking.ranks == (1, 2)
    assert ranking.rank_intervals == ((1, 2), (1, 2))
    assert ranking.tied_groups == (("a", "b"),)
    assert "3 independent records or patients are too few" in board_text(ranking)


def test_entries_of_other_records_are_not_ranked() -> None:
    with pytest.raises(NotComparableError, match="same 8 records"):
        rank({"a": report([2.0] * 8), "b": report([1.0] * 9)})


SCORES = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=2, max_size=8)


@given(SCORES)
def test_ranks_are_those_of_scipy(rows: list[list[int]]) -> None:
    scores = np.array(rows, np.float64)
    assert (ranks_of(scores) == rankdata(-scores, method="min", axis=0)).all()


@given(SCORES)
def test_kendall_tau_is_that_of_scipy(rows: list[list[int]]) -> None:
    first, *others = ranks_of(np.array(rows, np.float64)).T
    for tau, other in zip(kendall_tau(first, np.stack(others, axis=1)), others, strict=True):
        if first.min() == first.max() or other.min() == other.max():
            assert math.isnan(tau)
        else:
            assert tau == pytest.approx(kendalltau(first, other).statistic)
