"""Sizes of what is told of a hidden exam, and the budget that they are added up to."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluate.challenge import FeedbackRules
from evaluate.core.model import Score
from evaluate.report.leaks import Feedback, Level, after, two_digits

PLAIN = Feedback(
    rules=FeedbackRules(bits=1000, digits=3, step=0.01),
    records=300,
    seconds=600.0,
    instructions=10**12,
    memory_bytes=1 << 30,
    attempts=10,
    numbers=5,
)


def score(value: float) -> Score:
    return Score(primary="F1", values={"F1": value, "F1n": value}, official={"F1": value}, intervals={"F1": (0.1, 0.9)})


@given(st.integers(0, 10**12))
def test_a_count_told_to_two_digits_has_no_more_values_than_it_is_charged_for(most: int) -> None:
    bits = {one.what: one.bits for one in Feedback(**{**vars(PLAIN), "instructions": most}).full}["instructions"]
    few = {two_digits(n) for n in {*range(min(most, 1000) + 1)}}
    assert len(few) <= 2**bits + 1e-6 or most >= 1000
    assert two_digits(most) in (most, float(f"{most:.1e}"))


@given(st.lists(st.floats(0, 1) | st.none(), max_size=40))
def test_attempts_that_are_allowed_stay_within_the_budget(values: list[float | None]) -> None:
    earlier = [None if value is None else score(value) for value in values][:9]
    used, best = after(PLAIN, earlier)
    last = Feedback(**{**vars(PLAIN), "number": len(earlier) + 1, "used": used, "best": best})
    assert used + last.bits <= PLAIN.rules.bits
    assert best is None or best <= max(value for value in values if value is not None) + 0.005


@given(st.floats(0, 1), st.floats(0, 1))
def test_by_the_ladder_scores_within_a_step_are_told_apart_from_the_best_one_only(best: float, value: float) -> None:
    poor = Feedback(**{**vars(PLAIN), "used": 990.0, "best": best})
    assert poor.level is Level.LADDER
    told = poor.score_told(value)
    assert (told is None) == (value < best + 0.01)
    assert told is None or math.isclose(told * 100, round(told * 100), abs_tol=1e-9)


@pytest.mark.parametrize(
    ("value", "told"),
    [(0.123456, 0.123), (1e-12, 0.0), (-3e11, -math.inf), (math.inf, math.inf), (1234.0, 1230.0)],
)
def test_a_number_is_told_to_so_many_digits_in_a_bounded_range(value: float, told: float) -> None:
    assert PLAIN.number_told(value) == told


def test_the_sentence_says_what_is_used_and_left_and_the_rule() -> None:
    assert "attempt 1 of 10 tells at most" in PLAIN.sentence
    assert "of 1000 in this phase" in PLAIN.sentence and "are left; when they no longer suffice" in PLAIN.sentence
