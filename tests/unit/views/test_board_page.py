"""The page of a board: how certain its ranks are, and the scores of subgroups."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Challenge
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import State
from evaluate.store.entries.best_attempts import Attempt
from evaluate.store.entries.store import Store
from evaluate.views.board import BoardRow, as_json, board, board_of, groups_of
from evaluate.views.board_page import BoardSection, section_of, standing, to_html
from tests.support.html import problems_of_page
from tests.support.queues import CHALLENGE, upload
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


def test_page_says_where_scores_are_not_released_or_there_are_none() -> None:
    page = to_html("toy", [BoardSection(title="toy", lines=())], released=False)
    assert "For the organiser only" in page and "No entry has a score yet" in page


def test_page_of_teams_without_a_number_or_with_equal_scores_is_whole() -> None:
    drawn = section(attempt("a", math.nan, 1), attempt("b", 0.5, 2), attempt("c", 0.5, 3))
    page = to_html("toy", [drawn], released=True)
    assert problems_of_page(page) == []
    assert "–" in page
    assert "nan" not in page.lower()


VALUES: dict[str, dict[str, float | None]] = {
    "red": {
        "F1": 0.75,
        "F1[sex=F]": 0.5,
        "F1[sex=F] difference": -0.4,
        "F1[sex=M]": 0.9,
        "F1[sex=M] difference": 0.4,
        "F1[worst sex]": 0.5,
        "other[sex=M]": 0.3,
    },
    "=blue": {
        "F1": 0.5,
        "F1[sex=F]": 0.25,
        "F1[sex=M]": None,
        "F1[sex=<b>]": 0.125,
        "F1[worst sex]": 0.125,
    },
    "none": {"F1": 0.25},
}


def challenge(*, hidden: bool = False, metric: str = "") -> Challenge:
    loaded = load_challenge(CHALLENGE)
    metric = metric or json.dumps({"measure": "cinc2017", "subgroups": ["sex"]})
    return replace(loaded, metric=metric).with_records(exam=replace(loaded.exam, hidden=hidden))


@pytest.fixture
def places(store: Store) -> list[BoardRow]:
    """Of three teams, two of which have scores of groups; the details of one are long enough to be kept apart."""
    for n, (team, values) in enumerate(VALUES.items()):
        ((identity, _),) = store.submit([upload(team, n)])
        store.move(identity, State.EXAM, charged=True)
        more: dict[str, Any] = {} if n else {"resampled": [0.5] * 500}
        store.keep_score(identity, 1, {"primary": "F1", "values": values, **more})
        store.move(identity, State.DONE, ended_with("OK"))
    return board_of(store, CHALLENGE, (), 0, 12)


def test_groups_stand_beside_the_places(store: Store, places: list[BoardRow]) -> None:
    groups = groups_of(store, challenge(), places)
    red, blue, _ = places
    assert groups.keys() == {red.entry, blue.entry}

    document = json.loads(json.dumps(as_json(places, None, groups), allow_nan=False))
    assert document[0]["groups"] == [
        {"column": "sex", "group": "F", "score": 0.5, "worst": True},
        {"column": "sex", "group": "M", "score": 0.9, "worst": False},
    ]
    assert document[1]["groups"][1] == {"column": "sex", "group": "M", "score": None, "worst": False}
    assert "groups" not in document[2] and "groups" not in as_json(places)[0]


def test_page_has_a_table_of_groups(store: Store, places: list[BoardRow]) -> None:
    section = section_of(store, challenge(), "toy", places, hidden=False)
    page = to_html("toy", [section], released=True)
    assert problems_of_page(page) == []
    rows = page[page.index("<h3>Subgroups</h3>") :]
    assert "sex=&lt;b&gt;</th>" in rows and "<td>&lt;b&gt;</td>" in rows and '<td class="n">0.9000</td>' in rows
    plain = replace(section, lines=tuple(replace(line, groups=()) for line in section.lines))
    assert "Subgroups" not in to_html("toy", [plain], released=True)


def test_a_hidden_exam_and_a_metric_without_the_option_show_none(store: Store, places: list[BoardRow]) -> None:
    assert groups_of(store, challenge(hidden=True), places) == {}
    assert groups_of(store, challenge(metric="cinc2017"), places) == {}
    assert groups_of(store, challenge(metric=json.dumps({"measure": "regression.mae"})), places) == {}
    assert groups_of(store, challenge(), []) == {}


@pytest.mark.parametrize(("rules", "stated"), [("official", True), ("corrected", False)])
def test_board_by_official_rules_says_that_some_entries_have_no_score(
    store: Store, places: list[BoardRow], rules: str, *, stated: bool
) -> None:
    section = section_of(store, replace(challenge(), rules=rules), "toy", places, hidden=False)
    page = to_html("toy", [section], released=True)
    assert ("ranked by the official rules: an entry on which the organisers&#39; program stops" in page) is stated
