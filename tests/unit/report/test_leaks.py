"""Sizes of what is revealed of a hidden exam, and the budget that they are added up to."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluate.challenge.types import FeedbackRules
from evaluate.core.model import Score
from evaluate.report.leaks import LeakTerms, Level, two_digits

TERMS = LeakTerms(
    rules=FeedbackRules(bits=1000, digits=3, numbers=5, step=0.01),
    records=300,
    seconds=600.0,
    instructions=10**12,
    memory_bytes=1 << 30,
    attempts=10,
)
FULL = TERMS.decide(1, 0.0)


def score(value: float) -> Score:
    return Score(primary="F1", values={"F1": value, "F1n": value}, official={"F1": value}, intervals={"F1": (0.1, 0.9)})


@given(st.integers(0, 10**12))
def test_a_count_shown_to_two_digits_has_no_more_values_than_it_is_charged_for(most: int) -> None:
    bits = replace(TERMS, instructions=most).sizes(Level.FULL)["instructions"]
    few = {two_digits(n) for n in {*range(min(most, 1000) + 1)}}
    assert len(few) <= 2**bits + 1e-6 or most >= 1000
    assert two_digits(most) in (most, float(f"{most:.1e}"))


@given(st.integers(150, 5000), st.integers(1, 40))
def test_attempts_that_are_allowed_stay_within_the_budget(budget: int, attempts: int) -> None:
    terms = replace(TERMS, attempts=attempts, rules=replace(TERMS.rules, bits=budget))
    verdicts = attempts * sum(terms.sizes(Level.VERDICT).values())
    used, levels = 0.0, []
    for number in range(1, attempts + 1):
        one = terms.decide(number, used)
        used += one.bits
        levels.append(one.level)
    assert used <= max(budget, verdicts) + 1e-6
    assert levels == sorted(levels, key=list(Level).index), "never more than before"


def test_any_number_of_attempts_ends_with_verdicts_alone() -> None:
    terms, used = replace(TERMS, attempts=0), 0.0
    for number in range(1, 300):
        one = terms.decide(number, used)
        assert one.level is Level.VERDICT or used + one.bits <= 1000
        used += one.bits
    assert one.level is Level.VERDICT
    assert one.score_shown(0.9) is None
    assert replace(one, over=True).score_shown(0.987) == 0.98, "the phase has ended"


@given(st.floats(0, 1), st.floats(0, 1))
def test_by_the_ladder_scores_within_a_step_are_told_apart_from_the_best_one_only(best: float, value: float) -> None:
    poor = replace(TERMS.decide(10, 950.0), best=best)
    assert poor.level is Level.LADDER
    shown = poor.score_shown(value)
    assert (shown is None) == (value < best + 0.01)
    assert shown is None or math.isclose(shown * 100, round(shown * 100), abs_tol=1e-9)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.123456, 0.123), (1e-12, 0.0), (-3e11, -math.inf), (math.inf, math.inf), (1234.0, 1230.0)],
)
def test_a_number_is_shown_to_so_many_digits_in_a_bounded_range(value: float, shown: float) -> None:
    assert FULL.number_shown(value) == shown


@pytest.mark.parametrize("numbers", range(1, 7))
def test_no_more_numbers_are_shown_than_were_charged_for(numbers: int) -> None:
    shown = replace(FULL, rules=replace(TERMS.rules, numbers=numbers)).numbers_shown(score(0.5))
    assert len(shown.values) + len(shown.official) + 2 * len(shown.intervals) == min(numbers, 5)
    assert shown.values["F1"] == 0.5
    assert ("F1" in shown.intervals) == (numbers >= 3)


def test_the_sentence_says_what_is_used_and_left_and_the_rule() -> None:
    assert "attempt 1 of 10 reveals at most" in FULL.sentence
    assert "of 1000 in this phase" in FULL.sentence and "are left; when they no longer suffice" in FULL.sentence
    assert "only verdicts are shown until the phase ends" in TERMS.decide(3, 2000.0).sentence
