"""Acts of organisers at the site beside the queue, their numbers and downloads, and the data of a person."""

import pytest

from evaluate.store.db.rows import FaultyPart, State
from evaluate.store.people.logins import Scope, make_token
from evaluate.store.people.teams import find_team
from tests.support.queues import at_fault, failed, submitted
from tests.support.sites import ADMIN, ANN, BOB, Site_
from tests.unit.serve.test_uploads import begin


@pytest.fixture(autouse=True)
def boards_are_made_with_every_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluate.serve.site._BOARD_SECONDS", 0.0)


def test_journal_reads_as_sentences(site: Site_) -> None:
    entry = site.scored("red", 0.5)
    admin = site.client(ADMIN)
    for page in ("/organise/journal", f"/organise/entries/{entry}"):
        text = admin.get(page).text
        assert "to kits19." in text and "Team red submitted" in text
        assert "Attempt 1: exam ended with OK." in text and "Attempt 1: F1 0.5." in text
        assert "It counts as an attempt." in text and "&#34;" not in text.partition("<main")[2]


def test_person_downloads_its_data_and_removes_its_account(site: Site_) -> None:
    ann = site.client(ANN)
    assert ann.get("/account/data.json").json()["teams"][0]["team"] == "red"
    wrong = ann.post("/account/remove", data={"address": BOB})
    assert (wrong.status_code, "expected your own address" in wrong.text) == (400, True)
    _, secret = make_token(site.store.database, ANN, "ci", [Scope.SUBMIT], 1)
    by_token = {"Authorization": f"Bearer {secret}"}
    assert site.client().post("/account/remove", data={"address": ANN}, headers=by_token).status_code == 403
    assert ann.post("/account/remove", data={"address": ANN}).headers["location"] == "/?said=forgotten"
    team = find_team(site.store.database, "red")
    assert team is not None and team.members == ()
    assert ann.get("/account").status_code == 303


def ranks(site: Site_) -> list[tuple[str, int | None, bool]]:
    places = site.client().get("/api/v1/challenges/kits19/board").json()["places"]
    return [(row["team"], row["rank"], row["baseline"]) for row in places]


def test_organiser_marks_a_team_as_a_baseline(site: Site_) -> None:
    site.scored("red", 0.9), site.scored("blue", 0.7)
    admin, mark = site.client(ADMIN), {"team": "RED"}
    assert site.client(ANN).post("/organise/teams/baseline", data=mark).status_code == 403
    for lines in (1, 0):
        before = site.store.database.position().line
        assert admin.post("/organise/teams/baseline", data=mark).headers["location"] == "/organise/teams?said=saved"
        assert site.store.database.position().line == before + lines, "marked already"
    assert "baseline</span>" in admin.get("/organise/teams").text
    assert ranks(site) == [("red", None, True), ("blue", 1, False)]
    board = site.client().get("/challenges/kits19/board").text
    assert '<span class="pill">baseline</span>' in board and "A baseline has no rank" in board
    assert admin.get("/challenges/kits19/board.csv").text.count(",yes\n") == 1
    admin.post("/organise/teams/baseline", data={**mark, "on": "false"})
    for wrong, why in (({**mark, "on": "false"}, "not marked as a baseline"), ({"team": "nobody"}, "no team")):
        again = admin.post("/organise/teams/baseline", data=wrong)
        assert (again.status_code, why in again.text) == (400, True)
    assert [rank for _, rank, _ in ranks(site)] == [1, 2]
    assert "no rank" not in site.client().get("/challenges/kits19/board").text


def test_organiser_resolves_a_fault_on_its_page(site: Site_) -> None:
    (entry,) = submitted(site.store, "red", challenge="kits19")
    site.store.next_entries(1)
    failed(site.store, entry, part=FaultyPart.CHALLENGE, name="kits19")
    site.store.move(entry, State.PARKED, at_fault("KVM is gone", stage="prep"))
    admin = site.client(ADMIN)
    assert "KVM is gone" in admin.get("/organise/faults").text
    assert admin.post("/organise/faults/1/resolve").headers["location"] == "/organise/faults?said=resolved"
    assert "No open errors." in admin.get("/organise/faults").text
    assert site.store.entry(entry).state is State.QUEUED


def test_later_deadline_of_a_team_is_set_and_withdrawn(site: Site_, archive: bytes) -> None:
    admin, ann, bob = site.client(ADMIN), site.client(ANN), site.client(BOB)
    page = "/organise/challenges/kits19"
    past = {"name": "past", "begins": "2020-01-01", "ends": "2020-02-01", "attempts": 2}
    site.configure(challenges={"kits19": {"phases": [past]}})
    assert begin(ann, len(archive)).status_code == 422
    late = {"team": "red", "phase": "past", "until": "2999-01-01T12:00", "reason": "a <b>flood</b>"}
    assert site.client(ANN).post(f"{page}/deadlines", data=late).status_code == 403
    assert admin.post(f"{page}/deadlines", data={**late, "until": ""}).status_code == 422
    assert "expected a reason" in admin.post(f"{page}/deadlines", data={**late, "reason": " "}).text
    assert admin.post(f"{page}/deadlines", data=late).headers["location"] == f"{page}?said=saved"
    shown = admin.get(page).text
    assert (
        "<strong>red</strong>, phase past: until" in shown
        and "2999-01-01 12:00 UTC" in shown
        and "a &lt;b&gt;flood&lt;/b&gt;" in shown
    )
    entering = ann.get("/challenges/kits19/enter").text
    assert "in phase past. The organiser lets this team submit until" in entering and "2 of 2" in entering
    assert "flood" not in entering and "Upload a file" not in bob.get("/challenges/kits19/enter").text
    for new in (True, False):
        brought = ann.post("/api/v1/challenges/kits19/entries", params={"filename": "a.zip"}, content=archive)
        assert (brought.json()["new"], brought.json()["phase"], brought.json()["attempts_left"]) == (new, "past", 1)
    assert begin(bob, len(archive)).status_code == 422
    admin.post(f"{page}/deadlines/withdraw", data={"team": "red", "phase": "past"})
    assert "<strong>red</strong>, phase past" not in admin.get(page).text
    assert admin.post(f"{page}/deadlines/withdraw", data={"team": "red", "phase": "past"}).status_code == 400
    assert begin(ann, len(archive)).status_code == 422
