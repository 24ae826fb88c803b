"""Baselines and later deadlines on pages and by the API."""

from __future__ import annotations

import re
import time

import pytest

from tests.support.sites import ADMIN, ANN, HIDDEN, Site_

BOARD = "/challenges/kits19/board"


@pytest.fixture(autouse=True)
def boards_are_made_with_every_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluate.serve.site._BOARD_SECONDS", 0.0)


def ranks(site: Site_) -> list[tuple[str, int | None, bool]]:
    places = site.client().get("/api/v1/challenges/kits19/board").json()["places"]
    return [(place["team"], place["rank"], place["baseline"]) for place in places]


def test_organiser_marks_an_entry_and_a_team_on_their_pages(site: Site_) -> None:
    best, _, _ = site.scored("red", 0.9), site.scored("red", 0.5, n=1), site.scored("blue", 0.7)
    admin = site.client(ADMIN)
    page = f"/organise/entries/{best}"
    assert "Mark as baseline" in admin.get(page).text
    assert site.client(ANN).post(f"{page}/baseline", data={"on": "true"}).status_code == 403
    assert admin.post(f"{page}/baseline", data={"on": "true"}).headers["location"] == f"{page}?said=saved"
    assert "This entry is a baseline" in admin.get(page).text
    assert ranks(site) == [("red", None, True), ("blue", 1, False), ("red", 2, False)]
    board = site.client().get(BOARD).text
    assert '<span class="pill">baseline</span>' in board and "A baseline has no rank" in board
    assert admin.post("/organise/teams/baseline", data={"team": "blue"}).status_code == 303
    assert "baseline</span>" in admin.get("/organise/teams").text
    assert ranks(site) == [("red", None, True), ("blue", None, True), ("red", 1, False)]
    assert site.client(ADMIN).get("/challenges/kits19/board.csv").text.count(",yes\n") == 2
    admin.post("/organise/teams/baseline", data={"team": "blue", "on": "false"})
    admin.post(f"{page}/baseline", data={"on": "false"})
    assert [rank for _, rank, _ in ranks(site)] == [1, 2]
    assert "no rank" not in site.client().get(BOARD).text


def test_organiser_marks_by_the_api(site: Site_) -> None:
    entry = site.scored("red", 0.9)
    admin = site.client(ADMIN)
    assert admin.post(f"/api/v1/organise/entries/{entry}/baseline", json={}).status_code == 204
    assert admin.post("/api/v1/organise/teams/baseline", json={"team": "BLUE"}).status_code == 204
    assert admin.get("/api/v1/organise/baselines").json() == {"items": ["blue", entry]}
    assert site.client(ANN).get("/api/v1/organise/baselines").status_code == 403
    assert admin.post(f"/api/v1/organise/entries/{entry}/baseline", json={"on": False}).status_code == 204
    again = admin.post(f"/api/v1/organise/entries/{entry}/baseline", json={"on": False})
    assert (again.status_code, "not marked as a baseline" in again.text) == (400, True)


def test_board_of_a_public_exam_draws_how_a_teams_best_score_rose(site: Site_) -> None:
    for n, value in enumerate((0.5, 0.25, 0.75)):
        site.scored("red", value, n=n)
    site.scored("blue", 0.7)
    site.hide()
    for n in range(2):
        site.scored("red", 0.5 + n / 8, n=n, challenge=site.site.challenge(HIDDEN).store_name)
    (found,) = re.findall(r'aria-label="([^"]*)"><title>[^<]*</title><path d="([^"]*)"', site.client().get(BOARD).text)
    assert found == ("0.50 after the first attempt, 0.75 after the last", "M3.0 21.0L50.0 21.0L97.0 3.0")
    hidden = site.client().get(f"/challenges/{HIDDEN}/board").text
    assert "red</th>" in hidden and 'class="climb"' not in hidden


def test_later_deadline_is_set_listed_and_withdrawn_by_the_api(site: Site_) -> None:
    phases = [{"name": "past", "begins": "2020-01-01", "ends": "2020-02-01"}]
    site.configure(challenges={"kits19": {"phases": phases}})
    admin, where = site.client(ADMIN), "/api/v1/organise/challenges/kits19/deadlines"
    late = {"team": "RED", "phase": "past", "until": time.time() + 1000, "reason": "a flood"}
    assert site.client(ANN).post(where, json=late).status_code == 403
    assert "expected a reason" in admin.post(where, json={**late, "reason": " "}).text
    assert admin.post(where, json=late).json() == {**late, "team": "red"}
    assert admin.get(where).json() == {"items": [{**late, "team": "red"}]}
    assert re.search("in phase past", site.client(ANN).get("/challenges/kits19/enter").text)
    assert admin.post(f"{where}/withdraw", json={"team": "red", "phase": "past"}).status_code == 204
    assert admin.get(where).json() == {"items": []}
    assert admin.post(f"{where}/withdraw", json={"team": "red", "phase": "past"}).status_code == 400
