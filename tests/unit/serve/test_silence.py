"""A member of a team walks every page, endpoint, header, event and error, and finds nothing that is hidden."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient
from httpx2 import Response

from evaluate.config.challenge.types import Show
from evaluate.core.model import Stage
from evaluate.serve import app, intake
from evaluate.serve.site import Site
from evaluate.store.db.reasons import Cause, Reason, ended_with
from evaluate.store.db.rows import State
from evaluate.store.entries.leak_accounts import Account
from tests.support.crawler import walked, without_times
from tests.support.queues import STAGES, result, score, upload
from tests.support.sites import ADMIN, ANN, BOB, HIDDEN, Site_

RECORD, DIAGNOSTICS, NOTE, FAULT = "hush-record-17", "hush-diagnostics", "hush-note", "hush-fault"
INSTRUCTIONS, SECONDS = 123456789, 98.7654
VALUE, RESAMPLED = 0.6180339, 0.2718281
ACCOUNT = Account(data="hush", show=Show.SCORE, digits=4, withheld=True)
ALWAYS = (RECORD, DIAGNOSTICS, NOTE, FAULT, "123456789", "98.76", "0.27182", "hush.zip", BOB, "case_90002", "/state/")
"""Whatever is released: records of the exam, what exactly it used, resampled scores, and what is another team's."""


def judged(site: Site_, team: str, n: int, value: float) -> str:
    """An entry to the hidden challenge that has ended, with all that must not be seen."""
    store_name = site.site.challenge(HIDDEN).store_name
    name = "hush.zip" if team == "blue" else "own.zip"
    ((entry, _),) = site.store.submit([{**upload(team, n, store_name), "name": name}])
    site.store.next_entries(10)
    for stage in STAGES:
        site.store.move(entry, State(stage.value))
        if stage is Stage.EXAM:
            site.store.charge(entry, 1, ACCOUNT)
        ran = result(stage, "OK", f"{stage} text", [RECORD] if stage is Stage.EXAM else [])
        if stage is Stage.EXAM:
            used = {**ran["usage"], "instructions": INSTRUCTIONS, "wall_seconds": SECONDS}
            ran |= {"usage": used, "diagnostics": DIAGNOSTICS}
            ran["records"][0] |= {"usage": used, "message": DIAGNOSTICS}
        site.store.keep_result(entry, 1, stage.value, ran)
    notes = [{"text": NOTE, "record": RECORD}]
    site.store.keep_score(entry, 1, {**score(value), "notes": notes, "resampled": [RESAMPLED, 0.5], "clusters": 2})
    site.store.move(entry, State.DONE, ended_with("OK"))
    return entry


@pytest.fixture
def ann(site: Site_) -> Iterator[TestClient]:
    site.hide(scores="withheld")
    judged(site, "red", 1, VALUE)
    judged(site, "blue", 2, VALUE)
    store_name = site.site.challenge(HIDDEN).store_name
    for n, reason in enumerate((Cause.CHALLENGE, Cause.RETRY), 3):
        ((entry, _),) = site.store.submit([upload("red", n, store_name)])
        site.store.next_entries(10)
        state = State.PARKED if reason is Cause.CHALLENGE else State.PREP
        site.store.move(entry, state, Reason(cause=reason, stage="exam", message=f"{FAULT} {RECORD}", number=2))
    with site.client(ANN, raise_server_exceptions=False) as client:
        yield client


def hushed(page: Response, words: tuple[str, ...]) -> list[str]:
    text = page.text + "\n" + "\n".join(f"{key}: {value}" for key, value in page.headers.items())
    return [word for word in words if word in without_times(text)]


def test_member_of_a_team_finds_nothing_that_is_withheld(site: Site_, ann: TestClient) -> None:
    pages = [
        (str(page.url), page.status_code, hushed(page, (*ALWAYS, "0.618", "0.62")))
        for page in walked(site.store, ann, HIDDEN, wrong=True)
    ]
    assert [page for page in pages if page[2] or page[1] == 500] == []
    assert len(pages) > 100


def test_member_of_a_team_finds_after_the_release_its_score_and_nothing_else(site: Site_, ann: TestClient) -> None:
    site.client(ADMIN).post(f"/organise/challenges/{HIDDEN}/release", data={"on": "true"})
    pages = list(walked(site.store, ann, HIDDEN, HIDDEN)) + list(walked(site.store, ann, HIDDEN, "entries"))
    assert [(str(page.url), hushed(page, ALWAYS)) for page in pages if hushed(page, ALWAYS)] == []
    entry_pages = [page for page in pages if page.url.path == f"/entries/{site.store.entries()[0].id}"]
    assert "0.6180" in entry_pages[0].text


def test_crawler_would_find_what_an_organiser_may_see(site: Site_, ann: TestClient) -> None:
    words = {
        word
        for page in walked(site.store, site.client(ADMIN), HIDDEN, "organise")
        for word in hushed(page, (RECORD, FAULT, "0.618", BOB))
    }
    assert words == {RECORD, FAULT, "0.618", BOB}


def test_error_of_a_look_for_uploads_that_wait_does_not_end_it(site: Site_, monkeypatch: pytest.MonkeyPatch) -> None:
    looks, again = [], threading.Event()

    def take_waiting(_site: Site) -> None:
        looks.append("look")
        if len(looks) == 1:
            raise sa.exc.OperationalError("", {}, Exception("failover"))
        again.set()

    monkeypatch.setattr(app, "_LOOK_SECONDS", 0.0)
    monkeypatch.setattr(intake, "take_waiting", take_waiting)
    with site.client():  # as long as the application lives, it looks
        assert again.wait(60)
