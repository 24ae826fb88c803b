"""The page of a board: how certain its ranks are, and the scores of subgroups."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import State
from evaluate.store.entries.best_attempts import Attempt
from evaluate.store.entries.store import Store
from evaluate.views.board import board, board_of
from evaluate.views.board_page import BoardSection, section_of, standing, to_html
from tests.support.html import problems_of_page
from tests.support.queues import CHALLENGE, keep_score, upload
from tests.unit.views.test_board import attempt as attempt_of


def attempt(team: str, score: float | None, number: int, **other: Any) -> Attempt:
    return attempt_of(team, score, number, **{"clusters": 100, **other})


def section(*attempts: Attempt) -> BoardSection:
    return standing("toy", board(attempts), {attempt_given.entry: attempt_given for attempt_given in attempts})


def by_hand() -> BoardSection:
    """Two teams that change places in one resample of four, and one always behind."""
    return section(
        attempt("first", 0.8, 1, resampled=(0.8, 0.8, 0.8, 0.7), low=0.7, high=0.9),
        attempt("second", 0.75, 2, resampled=(0.7, 0.8, 0.7, 0.8)),
        attempt("last", 0.2, 3, resampled=(0.2, 0.1, math.nan, 0.3)),
    )


def test_ranks_of_resamples_by_hand() -> None:
    first, second, last = by_hand().lines
    # first: 1, 1 (a tie), 1, 2; second: 2, 1, 2, 1; last: always 3, also without a score
    assert first.frequencies == (0.75, 0.25, 0)
    assert (first.mean_rank, second.mean_rank, last.mean_rank) == (1.25, 1.5, 3)


def test_without_resampled_scores_of_every_team_nothing_is_said_of_ranks() -> None:
    drawn = section(attempt("a", 0.8, 1, resampled=(0.8, 0.7)), attempt("b", 0.7, 2))
    assert not drawn.stable
    assert drawn.notes == ("no resampled scores of all teams are kept, so how ranks change is not known",)
    assert section(attempt("a", 0.8, 1)).notes == ()
    assert "95 % of ranks" not in to_html("toy", [drawn], released=True)


def test_page_shows_ranks_and_never_a_resampled_score() -> None:
    r = np.random.default_rng(1)
    drawn = {team: tuple(r.normal(mean, 0.02, 200)) for team, mean in {"a<b": 0.812345, "c": 0.8}.items()}
    attempts = [attempt(team, 0.8 - i / 100, i, resampled=values) for i, (team, values) in enumerate(drawn.items())]
    page = to_html("toy & more", [section(*attempts)], released=True)
    assert problems_of_page(page) == []
    assert "a&lt;b" in page and "a<b" not in page
    for value in (*drawn["a<b"], *drawn["c"]):
        assert f"{value:.6f}" not in page
    assert "For the organiser only" not in page


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("rules", ["official", "corrected"])
def test_board_has_all_measures_unless_the_exam_is_hidden_and_says_by_which_rules_it_ranks(
    store: Store, rules: str, hidden: bool
) -> None:
    for n, values in enumerate(({"F1": 0.75, "F1[sex=<b>]": 0.9}, {"F1": 0.5, "F1[sex=<b>]": None})):
        ((identity, _),) = store.submit([upload(f"team {n}", n)])
        store.move(identity, State.EXAM, charged=True)
        # the details of one are long enough to be kept apart
        keep_score(store, identity, 1, {"primary": "F1", "values": values, "resampled": [0.5] * 500 * n})
        store.move(identity, State.DONE, ended_with("OK"))
    challenge = replace(load_challenge(CHALLENGE), rules=rules)
    section = section_of(store, challenge, "toy", board_of(store, CHALLENGE, (), 0, 12), hidden=hidden)
    page = to_html("toy", [section], released=True)
    assert problems_of_page(page) == []
    assert section.measures == (() if hidden else ("F1", "F1[sex=<b>]"))
    official = "ranked by the official rules: an entry on which the organisers&#39; program stops"
    assert (official in page) is (rules == "official")
