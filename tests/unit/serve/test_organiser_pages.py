"""What organisers do at the site beside the queue: numbers, all of a challenge; and what a person may ask."""

from __future__ import annotations

import io
import json
import tarfile

from evaluate.config.types import Config
from evaluate.receipts.issue import Registry
from evaluate.serve.site import team_id
from evaluate.store.files.depot import SharedFolder
from evaluate.store.people import logins
from evaluate.store.people.teams import Member, Role, Team, find_team
from tests.support.queues import keep_team, sign, upload
from tests.support.sites import ADMIN, ANN, BOB, Site_
from tests.unit.serve.test_uploads import archive, begin

__all__ = ("archive",)


def test_journal_reads_as_sentences(site: Site_) -> None:
    entry = site.scored("red", 0.5)
    admin = site.client(ADMIN)
    for page in ("/organise/journal", f"/organise/entries/{entry}"):
        text = admin.get(page).text
        assert "to kits19." in text and "Team red submitted" in text
        assert "Attempt 1: exam ended with OK." in text and "Attempt 1: F1 0.5." in text
        assert "It counts as an attempt." in text and "&#34;" not in text.partition("<main")[2]


def test_statistics_have_days_outcomes_and_hours(site: Site_) -> None:
    site.scored("red")
    admin = site.client(ADMIN)
    for query in ("", "?challenge=kits19"):
        text = admin.get(f"/organise/statistics{query}").text
        assert (
            "<b>1</b>entries today (UTC)" in text
            and "entries in 60 days" in text
            and '<th scope="row">OK</th><td class="n">1</td>' in text
        )
        assert '<th scope="row">red</th>' in text
    assert site.client(ANN).get("/organise/statistics").status_code == 403


def test_organiser_downloads_everything_of_a_challenge(site: Site_) -> None:
    entry = site.store.entry(site.scored("red", 0.625))
    sign(Registry(site.state), site.store, site.state, SharedFolder(site.state), Config(), entry, "green:1")
    answers = next(site.state.rglob("exam")) / "answers"
    answers.mkdir()
    (answers / "case.txt").write_text("N")
    found = site.client(ADMIN).get("/organise/challenges/kits19/everything.tar")
    with tarfile.open(fileobj=io.BytesIO(found.content)) as archive:
        names = archive.getnames()
        report = json.loads(archive.extractfile(f"{entry.id}/report.json").read())  # type: ignore[union-attr]
        board = archive.extractfile("board.csv").read().decode()  # type: ignore[union-attr]
    assert {f"{entry.id}/answers/case.txt", f"{entry.id}/receipt/receipt.json", "entries.json"} <= set(names)
    assert report["score"]["values"]["F1"] == 0.625 and "red,0.625" in board
    assert site.client(ANN).get("/organise/challenges/kits19/everything.tar").status_code == 403


def test_person_downloads_its_data_and_removes_its_account(site: Site_) -> None:
    ann = site.client(ANN)
    assert ann.get("/account/data.json").json()["teams"][0]["team"] == "red"
    wrong = ann.post("/account/remove", data={"address": BOB})
    assert (wrong.status_code, "expected your own address" in wrong.text) == (400, True)
    assert ann.post("/account/remove", data={"address": ANN}).headers["location"] == "/?said=forgotten"
    team = find_team(site.store.database, "red")
    assert team is not None and team.members == ()
    assert ann.get("/account").status_code == 303


def test_last_owner_of_others_hands_the_team_over_before_leaving(site: Site_) -> None:
    members = (Member(address="o@example.org", role=Role.OWNER), Member(address="m@example.org"))
    keep_team(site.store.database, Team(name="green", members=members))
    owner = site.client("o@example.org")
    found = owner.post("/account/remove", data={"address": "o@example.org"})
    assert (found.status_code, "make another member an owner first" in found.text) == (409, True)
    assert logins.teams_of(site.store.database, "o@example.org") == ("green",)
    assert owner.get(f"/teams/{team_id('green')}").status_code == 200


def test_later_deadline_of_a_team_is_set_and_withdrawn_on_the_page(site: Site_, archive: bytes) -> None:
    admin, ann, bob = site.client(ADMIN), site.client(ANN), site.client(BOB)
    page = "/organise/challenges/kits19"
    past = {"name": "past", "begins": "2020-01-01", "ends": "2020-02-01", "attempts": 2}
    site.configure(challenges={"kits19": {"phases": [past]}})
    assert begin(ann, len(archive)).status_code == 422
    late = {"team": "red", "phase": "past", "until": "2999-01-01T12:00", "reason": "a <b>flood</b>"}
    assert site.client(ANN).post(f"{page}/deadlines", data=late).status_code == 403
    assert admin.post(f"{page}/deadlines", data={**late, "until": ""}).status_code == 422
    assert admin.post(f"{page}/deadlines", data=late).headers["location"] == f"{page}?said=saved"
    shown = admin.get(page).text
    assert "<strong>red</strong>, phase past" in shown and "a &lt;b&gt;flood&lt;/b&gt;" in shown
    entering = ann.get("/challenges/kits19/enter").text
    assert "in phase past. The organiser lets this team submit until" in entering and "2 of 2" in entering
    assert "flood" not in entering and "Upload a file" not in bob.get("/challenges/kits19/enter").text
    for new in (True, False):
        brought = ann.post("/api/v1/challenges/kits19/entries", params={"filename": "a.zip"}, content=archive)
        assert (brought.json()["new"], brought.json()["phase"], brought.json()["attempts_left"]) == (new, "past", 1)
    assert begin(bob, len(archive)).status_code == 422
    admin.post(f"{page}/deadlines/withdraw", data={"team": "red", "phase": "past"})
    assert "<strong>red</strong>, phase past" not in admin.get(page).text
    assert begin(ann, len(archive)).status_code == 422


def test_changed_phases_that_show_scores_wait_and_the_page_says_so(site: Site_) -> None:
    page, admin = "/organise/challenges/kits19", site.client(ADMIN)
    site.store.submit([upload("red", 1, "kits19")], arrived=1.6e9)
    for ends, waits in (("2999-01-01", False), ("2021-01-01", True), ("2999-01-01", False)):
        phase = {"name": "only", "begins": "2020-01-01", "ends": ends}
        site.configure(challenges={"kits19": {"phases": [phase]}})
        shown = admin.get(page).text
        assert ("evaluate challenge phases kits19 --yes" in shown) == waits and "2999-01-01" in shown
