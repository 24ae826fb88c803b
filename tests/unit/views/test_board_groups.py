from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Challenge
from evaluate.report.board_page import to_html
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import State
from evaluate.store.entries.store import Store
from evaluate.views.board import BoardRow, as_json, board_of, groups_of
from evaluate.views.rank_certainty import section_of
from tests.support.html import problems_of_page
from tests.support.queues import CHALLENGE, upload

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
