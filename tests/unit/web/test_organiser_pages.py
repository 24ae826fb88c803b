"""What organisers do at the site beside the queue: mail, numbers, all of a challenge; and what a person may ask."""

from __future__ import annotations

import io
import json
import re
import tarfile
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.challenge.cache import load_challenge
from evaluate.commands.main import main
from evaluate.config.types import Config
from evaluate.queue.outbound.notify import Mail
from evaluate.queue.people import logins
from evaluate.queue.people.teams import Member, Role, Team, find_team
from evaluate.queue.storage.depot import SharedFolder
from evaluate.receipts.issue import Registry
from evaluate.web.site import team_id
from tests.support.queues import keep_team, sign
from tests.support.sites import ADMIN, ANN, BOB, Site_
from tests.unit.web.test_uploads import archive, begin

__all__ = ("archive",)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[EmailMessage]:
    """What was mailed."""
    found: list[EmailMessage] = []

    def post(_self: Mail, letters: list[EmailMessage], _timeout: float) -> None:
        if letters[0]["To"] == "gone@example.org":
            raise OSError("no such mailbox")
        found.extend(letters)

    monkeypatch.setattr(Mail, "post", post)
    return found


def test_mail_goes_to_each_member_alone_who_wants_it_and_the_journal_has_it(
    site: Site_, sent: list[EmailMessage]
) -> None:
    site.configure(notify={"mail": {"server": "localhost", "sender": "site@example.org"}})
    quiet = Member(address="quiet@example.org", mail=False)
    members = (Member(address="gone@example.org", role=Role.OWNER), quiet)
    keep_team(site.store.database, Team(name="green", members=members))
    form = {"subject": "The deadline\nBcc: x@example.org", "text": "is **Monday**."}
    assert site.client(ADMIN).post("/organise/mail", data=form).headers["location"] == "/organise/news?said=mailed"
    assert sorted(one["To"] for one in sent) == [ANN, BOB]
    assert "\n" not in sent[0]["Subject"] and "Bcc" not in sent[0] and sent[0].get_content() == "is **Monday**.\n"
    (line,) = (one.data for one in site.store.lines() if one.event == "set" and one.data["key"].startswith("mail:"))
    assert json.loads(line["value"])["letters"] == 3


def test_mail_may_go_to_the_teams_of_one_challenge(site: Site_, sent: list[EmailMessage]) -> None:
    site.configure(notify={"mail": {"server": "localhost", "sender": "site@example.org"}})
    site.scored("red")
    site.client(ADMIN).post("/organise/mail", data={"subject": "a", "text": "b", "challenge": "kits19"})
    assert [one["To"] for one in sent] == [ANN]


def test_mail_that_cannot_be_sent_keeps_what_was_written(site: Site_) -> None:
    found = site.client(ADMIN).post("/organise/mail", data={"subject": "Hello", "text": "all of you"})
    assert found.status_code == 400 and "set notify.mail" in found.text
    assert 'name="subject" value="Hello"' in found.text and ">all of you</textarea>" in found.text


def test_statistics_have_days_outcomes_and_hours(site: Site_) -> None:
    site.scored("red")
    admin = site.client(ADMIN)
    for query in ("", "?challenge=kits19"):
        text = admin.get(f"/organise/statistics{query}").text
        assert "entries in 60 days" in text and '<th scope="row">OK</th><td class="n">1</td>' in text
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


def test_dates_and_attempts_that_are_edited_hold_at_once_and_at_the_command_line(
    site: Site_, archive: bytes, tmp_path: Path
) -> None:
    admin, ann = site.client(ADMIN), site.client(ANN)
    form = {"every": "7", "name": ["past", ""], "begins": ["2020-01-01T00:00", ""], "ends": ["2020-02-01T12:30", ""]}
    sent = admin.post("/organise/challenges/kits19/terms", data={**form, "attempts": ["2", ""]})
    assert sent.headers["location"] == "/organise/challenges/kits19?said=saved"
    assert "no phase is open: the last one closed" in ann.get("/challenges/kits19").text
    refused = begin(ann, len(archive))
    assert (refused.status_code, "no phase is open now" in refused.json()["detail"]) == (422, True)
    text = admin.get("/organise/challenges/kits19").text
    assert 'value="2020-02-01T12:30"' in text and 'name="every" value="7"' in text and "Changed here" in text
    sample = str(load_challenge("kits19").folder / "sample_entry")
    argv = ["--state", str(site.state), "submit", sample, "--challenge", "kits19", "--team", "red"]
    found = CliRunner().invoke(main, argv)
    said = re.search("no phase (is open now|was open at)", found.output)  # a slow machine has to name the time
    assert found.exit_code == 1 and said, found.output
    admin.post("/organise/challenges/kits19/terms", data={"undo": "true"})
    assert begin(ann, len(archive)).status_code == 201


def test_later_deadline_of_a_team_is_set_and_withdrawn_on_the_page(site: Site_, archive: bytes) -> None:
    admin, ann, bob = site.client(ADMIN), site.client(ANN), site.client(BOB)
    page = "/organise/challenges/kits19"
    form = {"every": "7", "name": "past", "begins": "2020-01-01T00:00", "ends": "2020-02-01T12:30", "attempts": "2"}
    admin.post(f"{page}/terms", data=form)
    assert begin(ann, len(archive)).status_code == 422
    late = {"team": "red", "phase": "past", "until": "2999-01-01T12:00", "reason": "a <b>flood</b>"}
    assert site.client(ANN).post(f"{page}/deadlines", data=late).status_code == 403
    assert admin.post(f"{page}/deadlines", data={**late, "until": ""}).status_code == 400
    assert admin.post(f"{page}/deadlines", data=late).headers["location"] == f"{page}?said=saved"
    shown = admin.get(page).text
    assert "<strong>red</strong>, phase past" in shown and "a &lt;b&gt;flood&lt;/b&gt;" in shown
    entering = ann.get("/challenges/kits19/enter").text
    assert "in phase past: 2 of 2 attempts left. The organiser lets this team submit until" in entering
    assert "flood" not in entering and "Upload a file" not in bob.get("/challenges/kits19/enter").text
    for new in (True, False):
        brought = ann.post("/api/v1/challenges/kits19/entries", params={"filename": "a.zip"}, content=archive)
        assert (brought.json()["new"], brought.json()["phase"], brought.json()["attempts_left"]) == (new, "past", 1)
    assert begin(bob, len(archive)).status_code == 422
    admin.post(f"{page}/deadlines", data={"team": "red", "phase": "past", "undo": "true"})
    assert "<strong>red</strong>, phase past" not in admin.get(page).text
    assert begin(ann, len(archive)).status_code == 422


def test_dates_by_which_entries_leave_their_phase_are_confirmed_first(site: Site_) -> None:
    admin, page = site.client(ADMIN), "/organise/challenges/kits19"
    always = {"every": "7", "name": "open", "begins": "2020-01-01T00:00", "ends": "2999-01-01T00:00", "attempts": ""}
    assert admin.post(f"{page}/terms", data=always).status_code == 303
    for n, team in enumerate(("red", "red", "blue")):
        site.scored(team, n=n)
    assert admin.post(f"{page}/terms", data={**always, "name": "renamed"}).status_code == 303
    past = {**always, "name": "renamed", "ends": "2020-02-01T00:00"}
    for asked, said in ((past, "3 entries of 2 teams"), ({**past, "leaving": "0"}, "3 entries of 2 teams")):
        found = admin.post(f"{page}/terms", data=asked)
        assert (found.status_code, said in found.text) == (409, True)
    hidden = dict(re.findall('<input type="hidden" name="(\\w+)" value="([^"]*)">', found.text))
    assert {key: hidden[key] for key in past} == past
    site.scored("blue", n=4)  # meanwhile
    found = admin.post(f"{page}/terms", data=hidden)
    assert (found.status_code, "4 entries of 2 teams" in found.text) == (409, True)
    hidden = dict(re.findall('<input type="hidden" name="(\\w+)" value="([^"]*)">', found.text))
    assert admin.post(f"{page}/terms", data=hidden).status_code == 303
    line = next(one for one in site.store.lines() if one.data.get("key") == "terms-leaving:kits19")
    assert json.loads(line.data["value"]) == {"red": 2, "blue": 2}
    assert admin.post(f"{page}/terms", data={"undo": "true"}).status_code == 303  # and all are back
    assert admin.post(f"{page}/terms", data={**always, "begins": "2998-01-01T00:00"}).status_code == 409


def test_dates_that_make_no_sense_are_refused_with_what_was_entered(site: Site_) -> None:
    admin = site.client(ADMIN)
    form = {"name": "a", "begins": "2020-02-01T00:00", "ends": "2020-01-01T00:00"}
    found = admin.post("/organise/challenges/kits19/terms", data=form)
    assert found.status_code == 400 and "phase a: expected an end after its begin" in found.text
    assert '<input name="begins" value="2020-02-01T00:00">' in found.text
    for wrong in ({"name": "a", "begins": "soon"}, {"every": "many"}):
        assert admin.post("/organise/challenges/kits19/terms", data=wrong).status_code == 400
    assert site.client(ANN).post("/organise/challenges/kits19/terms", data=form).status_code == 403
