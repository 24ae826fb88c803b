from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from metrics.base import ScoreReport
from metrics.statistics.ranking import ranks_of
from metrics.statistics.tasks import consensus, over_scores, over_tasks

SCORES = {
    "liver": {"a": 0.9, "b": 0.8, "c": 0.7},
    "spleen": {"a": 0.5, "b": 0.9, "c": 0.6},
    "colon": {"a": 0.8, "b": 0.7, "c": 0.7},
}


def test_rules_by_hand() -> None:
    ranks = over_scores(SCORES)
    assert ranks.by_task == {"liver": (1, 2, 3), "spleen": (3, 1, 2), "colon": (1, 2, 2)}
    assert (ranks.entries, ranks.ranks) == (("a", "b", "c"), (1, 1, 3))
    assert str(ranks).splitlines()[3] == "3     c              2.3333  3, 2, 2"
    assert ranks.values == pytest.approx((5 / 3, 5 / 3, 7 / 3))
    means = over_scores(SCORES, "rank of means")
    assert (means.entries, means.ranks) == (("b", "a", "c"), (1, 2, 3))
    # a before b in two tasks, a before c in two, b before c in two and a tie
    agreed = over_scores(SCORES, "consensus")
    assert (agreed.entries, agreed.ranks) == (("a", "b", "c"), (1, 2, 3))


def test_missing_scores_are_last() -> None:
    some = {"x": {"a": 1.0, "b": math.nan}, "y": {"a": 0.1, "c": 0.9}}
    assert over_scores(some).by_task == {"x": (1, 2, 2), "y": (2, 1, 3)}
    means = over_scores(some, "rank of means")
    assert (means.entries[0], means.ranks) == ("a", (1, 2, 2))


def disagreement(order: list[int], ranks: Any) -> int:
    """In how many pairs and tasks an order of entries disagrees with the rankings."""
    own = ranks[order]
    return int(sum((own[j] < own[i]).sum() for i in range(len(order)) for j in range(i + 1, len(order))))


@pytest.mark.parametrize("seed", range(8))
def test_consensus_disagrees_least_of_all_orders(seed: int) -> None:
    r = np.random.default_rng(seed)
    ranks = ranks_of(r.integers(0, 5, (6, 5)).astype(float))
    found = consensus(ranks, list(range(6)))
    assert sorted(found) == list(range(6))
    best = min(disagreement(list(order), ranks) for order in permutations(range(6)))
    assert disagreement(found, ranks) == best


def test_consensus_of_many_is_no_worse_than_its_start() -> None:
    r = np.random.default_rng(1)
    ranks = ranks_of(r.random((30, 7)))
    start = sorted(range(30), key=lambda i: ranks[i].mean())
    assert disagreement(consensus(ranks, start), ranks) <= disagreement(start, ranks)
    assert consensus(np.array([[1, 1], [1, 1]]), [1, 0]) == [1, 0]


def test_reports_of_one_task_are_of_one_metric() -> None:
    def report(metric: str) -> ScoreReport:
        return ScoreReport(metric=metric, rules="corrected", primary="f1", values={"f1": 0.5})

    assert over_tasks({"x": {"a": report("m"), "b": report("m")}}).ranks == (1, 1)
    with pytest.raises(ValueError, match="one metric in task x"):
        over_tasks({"x": {"a": report("m"), "b": report("n")}})
    with pytest.raises(ValueError, match="rule to be one of"):
        over_scores(SCORES, "median")
    with pytest.raises(ValueError, match="at least one task"):
        over_scores({})


# The ranking of FeTA 2024, task 1: the ranks by Dice, Hausdorff distance, volume similarity and Euler characteristic,
# their mean, and the final rank; https://github.com/fetachallenge/fetachallenge.github.io, pages/Results.markdown.
FETA: dict[str, tuple[tuple[int, int, int, int], float, int]] = {
    "mic-dkfz-feta24": ((1, 1, 2, 7), 2.75, 1),
    "cemrg_feta": ((4, 3, 4, 2), 3.25, 2),
    "vicorob": ((2, 2, 3, 6), 3.25, 2),
    "feta_sigma": ((3, 4, 5, 5), 4.25, 4),
    "pasteurdbc": ((6, 6, 9, 3), 6, 5),
    "upfetal24": ((5, 5, 6, 10), 6.5, 6),
    "lit": ((9, 9, 8, 1), 6.75, 7),
    "cesne-digair": ((8, 10, 1, 9), 7, 8),
    "hilab": ((7, 7, 11, 8), 8.25, 9),
    "unipd-sum-aug": ((10, 8, 12, 4), 8.5, 10),
    "lmrcmc": ((11, 11, 7, 12), 10.25, 11),
    "jwcrad": ((12, 12, 10, 11), 11.25, 12),
    "qd_neuroincyte": ((13, 14, 13, 13), 13.25, 13),
    "falcons": ((14, 13, 14, 14), 13.75, 14),
    "ichilov-tau-maya": ((15, 15, 15, 15), 15, 15),
    "paramahir_2023": ((16, 16, 16, 16), 16, 16),
}


def test_published_ranking_of_sixteen_entries_by_four_measures() -> None:
    scores = {str(place): {name: -float(row[0][place]) for name, row in FETA.items()} for place in range(4)}
    found = over_scores(scores, "mean of ranks")
    assert {
        name: (value, rank) for name, value, rank in zip(found.entries, found.values, found.ranks, strict=True)
    } == {name: (mean, rank) for name, (_, mean, rank) in FETA.items()}
