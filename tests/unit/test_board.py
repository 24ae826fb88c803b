from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluate.queue.board import Attempt, as_csv, as_text, ranked


def attempt(team: str, score: float, number: int = 1, low: float | None = None) -> Attempt:
    return Attempt(
        entry=f"e{number}",
        team=team,
        number=number,
        score=score,
        low=low,
        high=None if low is None else 1.0,
        instructions=10**9,
        wall_seconds=1.0,
    )


def test_best_attempt_of_each_team_counts_and_of_equal_ones_the_earlier() -> None:
    places = ranked([attempt("a", 0.5, 1), attempt("a", 0.7, 3), attempt("a", 0.7, 2), attempt("b", 0.6, 4)])
    assert [(place.rank, place.team, place.entry, place.attempts) for place in places] == [
        (1, "a", "e2", 3),
        (2, "b", "e4", 1),
    ]


def test_equal_scores_share_a_rank_and_the_next_is_skipped() -> None:
    scores = {"a": 0.83, "b": 0.8349, "c": 0.8251, "d": 0.7}
    attempts = [attempt(team, score, i) for i, (team, score) in enumerate(scores.items())]
    assert [place.rank for place in ranked(attempts, decimals=2)] == [1, 1, 1, 4]
    assert [place.rank for place in ranked(attempts)] == [1, 2, 3, 4]


def test_entry_without_a_number_is_last() -> None:
    assert [place.team for place in ranked([attempt("a", math.nan, 1), attempt("b", -2.0, 2)])] == ["b", "a"]


def test_board_is_written_as_csv_and_as_a_table() -> None:
    places = ranked([attempt("a", 0.5, 1, 0.25)])
    assert as_csv(places) == (
        "rank,team,score,low,high,instructions,wall_seconds,attempts,entry\n1,a,0.5,0.25,1.0,1000000000,1.0,1,e1\n"
    )
    assert "0.250 to 1.000" in as_text(places)
    assert as_text([]).startswith("rank")


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.floats(-1, 1)), max_size=30), st.integers(0, 4))
def test_ranks_follow_the_scores(attempts: list[tuple[str, float]], decimals: int) -> None:
    places = ranked([attempt(team, score, i) for i, (team, score) in enumerate(attempts)], decimals)
    assert len(places) == len({team for team, _ in attempts})
    for place in places:
        better = sum(round(other.score, decimals) > round(place.score, decimals) for other in places)
        assert place.rank == better + 1
        assert place.score == pytest.approx(max(s for t, s in attempts if t == place.team), abs=10.0**-decimals)
