"""What is shown of an attempt at a hidden exam."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from evaluate.config.challenge.types import Show
from evaluate.core.model import Score
from evaluate.report.audience import Feedback

FULL = Feedback(show=Show.SCORE, digits=3, number=2)
LATE = replace(FULL, withheld=True)
VERDICT = replace(FULL, show=Show.VERDICT)


@pytest.mark.parametrize(
    ("feedback", "shown"),
    [
        (FULL, True),
        (VERDICT, False),
        (replace(VERDICT, over=True), False),
        (replace(VERDICT, best=True), False),
        (replace(VERDICT, over=True, best=True), True),
        (LATE, False),
        (replace(LATE, best=True), True),
    ],
)
def test_score_is_shown_at_once_or_if_it_is_the_best_of_its_phase(feedback: Feedback, shown: bool) -> None:
    assert feedback.scored is shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.123456, 0.123), (1e-12, 0.0), (-3e11, -math.inf), (math.inf, math.inf), (1234.0, 1230.0)],
)
def test_number_is_shown_to_so_many_digits_in_a_bounded_range(value: float, shown: float) -> None:
    assert FULL.number_shown(value) == shown


def test_every_number_of_a_score_is_shown_to_so_many_digits() -> None:
    score = Score(primary="F1", values={"F1": 0.12345}, official={"F1": 0.12345}, intervals={"F1": (0.11111, 0.22222)})
    shown = FULL.numbers_shown(score)
    assert (shown.values, shown.official, shown.intervals) == ({"F1": 0.123}, {"F1": 0.123}, {"F1": (0.111, 0.222)})


@pytest.mark.parametrize(
    ("feedback", "said"),
    [
        (FULL, "attempt 2 of the team at these hidden records, all phases together; scores are shown to 3 digits"),
        (VERDICT, "verdicts alone are shown until the phase ends"),
        (LATE, "scores were withheld, so of a phase the score of the team's best attempt is shown"),
        (replace(FULL, number=0), "it has not reached the exam"),
    ],
)
def test_sentence_says_which_attempt_it_is_and_the_rule(feedback: Feedback, said: str) -> None:
    assert said in feedback.sentence
