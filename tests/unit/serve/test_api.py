"""The API: what programs get, in the words of the command line."""

import json
import time
from http import HTTPStatus
from typing import Any

import pytest
from fastapi.testclient import TestClient

from evaluate.serve import uploads
from evaluate.serve.app import routes
from evaluate.store.db.rows import State
from evaluate.store.people import logins
from evaluate.store.people.logins import Scope
from evaluate.views.rejudging import rejudging
from tests.support.queues import at_fault, submitted, upload
from tests.support.sites import ADMIN, ANN, HIDDEN, Site_, sample_archive

V1 = "/api/v1"


@pytest.fixture
def ann(site: Site_) -> TestClient:
    _token, secret = logins.make_token(site.store.database, ANN, "ci", [Scope.READ, Scope.SUBMIT], 1)
    browser = site.client()
    browser.headers["Authorization"] = f"Bearer {secret}"
    return browser


def test_description_is_openapi_with_audience_refusals_parameters_and_properties_of_every_operation(
    site: Site_,
) -> None:
    made = site.client().get(f"{V1}/openapi.json").json()
    assert made["openapi"].startswith("3.1")
    operations = [
        (path, method, operation) for path, some in made["paths"].items() for method, operation in some.items()
    ]
    assert len(operations) == sum(route.path.startswith(V1) for route in routes()) - 1  # it describes not itself
    for path, method, operation in operations:
        assert operation["x-audience"] and operation["summary"], (path, method)
        assert {"400", "401", "403", "404", "429", "503"} <= set(operation["responses"]), (path, method)
        assert "application/problem+json" in operation["responses"]["404"]["content"]
        assert ("security" in operation) == (operation["x-audience"] != "anyone")
        assert all(parameter.get("description") for parameter in operation.get("parameters", [])), (path, method)
    schemas = made["components"]["schemas"]
    properties = {
        (name, key): schema for name, some in schemas.items() for key, schema in some.get("properties", {}).items()
    }
    assert len(properties) > 100
    assert [key for key, schema in properties.items() if not schema.get("description")] == []
    loose = [key for key, schema in properties.items() if schema.get("items", {}).get("additionalProperties") is True]
    assert loose == []


def test_archive_that_is_the_body_is_one_entry_and_a_refusal_a_problem_in_the_words_of_the_command_line(
    site: Site_, ann: TestClient
) -> None:
    site.configure(challenges={"kits19": {"attempts": 1}})
    one, same, other = (
        ann.post(f"{V1}/challenges/kits19/entries", params={"filename": "mine.zip"}, content=sample_archive(note))
        for note in ("1", "1", "2")
    )
    assert (one.status_code, same.status_code) == (201, 201), one.text
    made = one.json()
    assert (made["new"], made["team"], made["state"], made["place"]) == (True, "red", "queued", 1)
    assert made["attempts_left"] == 0 and same.json() == {**made, "new": False}
    assert list((site.state / uploads.FOLDER).iterdir()) == []
    now = ann.get(f"{V1}/entries/{made['id']}").json()
    assert (now["name"], now["state"]) == ("mine.zip", "queued") and "is next in line" in now["sentence"]
    assert other.headers["content-type"] == "application/problem+json"
    detail = "team red has 1 attempts: 0 are used and 1 are in progress, so none is left"
    assert other.json() == {"type": "about:blank", "title": HTTPStatus(422).phrase, "status": 422, "detail": detail}


def test_list_comes_in_parts(site: Site_, ann: TestClient) -> None:
    entries = [site.scored("red", n=n) for n in range(5)]
    ids: list[str] = []
    before: dict[str, Any] = {}
    while True:
        part = ann.get(f"{V1}/entries", params={"limit": 2, **before}).json()
        ids += [entry["id"] for entry in part["items"]]
        if part["next"] is None:
            break
        before = {"before": part["next"]}
    assert ids == entries[::-1]
    assert ann.get(f"{V1}/entries", params={"limit": 0}).status_code == 400


def test_answer_that_one_has_is_not_sent_again(site: Site_, ann: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = site.scored("red")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    of_api = [f"{V1}{path}" for path in ("/challenges", "/challenges/kits19/board", f"/entries/{entry}")]
    for path in (*of_api, "/challenges/kits19/board", f"/entries/{entry}"):
        tag = ann.get(path).headers["etag"]
        now += 2  # a busy machine
        assert ann.get(path, headers={"If-None-Match": tag}).status_code == 304, path
    assert "private" in ann.get(f"{V1}/entries/{entry}").headers["cache-control"]


def test_board_that_is_withheld_has_no_places(site: Site_) -> None:
    site.hide(scores="withheld")
    site.scored("red", 0.625, challenge=site.site.challenge(HIDDEN).store_name)
    path = f"{V1}/challenges/{HIDDEN}/board"
    assert site.client().get(path).json() == {"challenge": HIDDEN, "withheld": True, "places": []}
    admin = site.client(ADMIN)
    assert admin.get(path).json()["places"][0]["score"] == 0.625
    assert admin.post(f"/organise/challenges/{HIDDEN}/release", data={"on": "true"}).status_code == 303
    assert site.client().get(path).json()["places"][0]["score"] == 0.625


def test_report_is_that_of_the_command_line(site: Site_, ann: TestClient) -> None:
    entry = site.scored("red", 0.5)
    report = ann.get(f"{V1}/entries/{entry}/report").json()
    assert (report["verdict"], report["score"]["values"], report["team"]) == ("OK", {"F1": 0.5}, "red")
    ((queued, _),) = site.store.submit([upload("red", 7, "kits19")])
    assert "is next in line" in ann.get(f"{V1}/entries/{queued}/report").json()["detail"]


def test_teams_are_made_joined_changed_and_left(site: Site_) -> None:
    carl, dora = (site.client(f"{name}@example.org") for name in ("carl", "dora"))
    made = carl.post(f"{V1}/teams", json={"name": "Grün/1"}).json()
    assert made["members"][0] == {"address": "carl@example.org", "name": "", "role": "owner", "mail": True}
    token = carl.post(f"{V1}/teams/{made['id']}/invite").json()["token"]
    assert len(dora.post(f"{V1}/teams/join", json={"token": token}).json()["members"]) == 2
    team = f"{V1}/teams/{made['id']}"
    assert dora.post(f"{team}/invite").status_code == 403
    assert carl.post(f"{team}/leave").status_code == 409
    change = {"address": "dora@example.org", "what": "owner"}
    assert carl.post(f"{team}/members", json=change).json()["members"][1]["role"] == "owner"
    assert carl.post(f"{team}/leave").status_code == 204
    assert carl.get(team).status_code == 404
    taken = carl.post(f"{V1}/teams", json={"name": "grün/1"})
    assert (taken.status_code, "a team named 'Grün/1' already exists" in taken.json()["detail"]) == (409, True)


def test_organiser_retries_a_parked_entry_whose_evidence_is_shown_and_rejudges_one_that_ended(site: Site_) -> None:
    (entry,) = submitted(site.store, "red", challenge="kits19")
    site.store.next_entries(1)
    site.store.move(entry, State.PARKED, at_fault("no libvirt"))
    admin, page = site.client(ADMIN), f"/organise/entries/{entry}"
    assert "no libvirt" in admin.get(page).text and "no libvirt" in admin.get("/organise").text
    assert "no libvirt" not in site.client(ANN).get(f"/entries/{entry}").text
    assert admin.post(f"{page}/retry").status_code == 303
    assert site.store.entry(entry).state is State.QUEUED
    again = admin.post(f"{page}/retry")
    assert (again.status_code, "only a parked entry can be retried" in again.text) == (400, True)
    entry = site.scored("red")
    page = admin.post("/organise/rejudgings", data={"challenge": "kits19"}).headers["location"].partition("?")[0]
    assert page == "/organise/rejudgings/r1" and entry in admin.get(page).text
    assert admin.post(f"{page}/discard").status_code == 303
    assert rejudging(site.store, "r1").state == "discarded"
    assert admin.get("/organise/rejudgings/r9").status_code == 404


def test_announcement_is_on_the_front_page_until_it_is_removed(site: Site_) -> None:
    admin = site.client(ADMIN)
    admin.post("/organise/news", data={"text": "We **begin** <script>alert(1)</script>\x1b[2J\x9b\u202e"})
    text = site.client().get("/").text
    assert "<strong>begin</strong>" in text and "&lt;script&gt;" in text
    listed = site.client().get(f"{V1}/news").json()
    everywhere = text + json.dumps(listed, ensure_ascii=False)
    assert [mark for mark in ("\x1b", "\\u001b", "\x9b", "\\u009b", "\u202e") if mark in everywhere] == []
    assert admin.post(f"/organise/news/{listed['items'][0]['id']}/remove").status_code == 303
    assert "<strong>begin</strong>" not in site.client().get("/").text


def test_roles_are_given_and_shown_but_no_address_that_a_mail_program_may_take_for_a_command(site: Site_) -> None:
    admin = site.client(ADMIN)
    wrong, right = (
        admin.post("/organise/people", data={"address": address, "rank": "organiser"}).status_code
        for address in ("|touch /tmp/x@example.org", "Eve@example.org")
    )
    assert (wrong in (400, 422), right) == (True, 303)
    assert '<th scope="row">eve@example.org</th><td>organiser</td>' in admin.get("/organise/people").text
    assert "The setting role of eve@example.org is now organiser." in admin.get("/organise/journal").text


def test_body_that_is_no_json_or_has_more_than_is_known_is_refused(site: Site_, ann: TestClient) -> None:
    for content in (b"{", json.dumps({"name": "x", "more": 1}).encode(), b"[]", b'"\xff"'):
        answer = ann.post(f"{V1}/teams", content=content, headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 422) and answer.headers["content-type"] == "application/problem+json"
