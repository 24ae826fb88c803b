"""Walks through every page: a team finds nothing that is hidden and no word of operators, and nobody waits."""

import asyncio
import html
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient
from httpx2 import Response

from evaluate.commands.main import COMMANDS
from evaluate.config.load import NamedChallenge
from evaluate.serve import app, intake
from evaluate.serve.site import Site
from evaluate.store.db.reasons import Cause, Reason
from evaluate.store.db.rows import State
from tests.support.commands import printed
from tests.support.crawler import walked, without_times
from tests.support.queues import upload
from tests.support.sites import ADMIN, ANN, BOB, HIDDEN, Site_
from tests.unit.serve.test_uploads import begin, bring

RECORD, FAULT, VALUE = "hush-record-17", "hush-fault", 0.6180339
ALWAYS = (RECORD, FAULT, "blue-2.zip", BOB, "case_90002", "/state/")
"""Whatever is released: records of the exam, and what is another team's."""
OF_OPERATORS = re.compile(
    r"`|/var/lib|\b(?:lease|daemon|fencing|slot|shard|requeue|traceback|sqlite|postgres\w*)\b", re.IGNORECASE
)
"""Marks of documents, places on a server, and words of operators."""


@pytest.fixture
def ann(site: Site_) -> Iterator[TestClient]:
    site.hide(scores="withheld")
    store_name = site.site.challenge(HIDDEN).store_name
    for n, team in enumerate(("red", "blue"), 1):
        site.scored(team, VALUE, n, store_name)
    for n, reason in enumerate((Cause.CHALLENGE, Cause.RETRY), 3):
        ((entry, _),) = site.store.submit([upload("red", n, store_name)])
        site.store.next_entries(10)
        state = State.PARKED if reason is Cause.CHALLENGE else State.PREP
        site.store.move(entry, state, Reason(cause=reason, stage="exam", message=f"{FAULT} `x` {RECORD}", number=2))
    site.store.submit([upload("red", 5, store_name)])
    with site.client(ANN, raise_server_exceptions=False) as client:
        yield client


def hushed(page: Response, words: tuple[str, ...]) -> list[str]:
    text = page.text + "\n" + "\n".join(f"{key}: {value}" for key, value in page.headers.items())
    return [word for word in words if word in without_times(text)]


def test_member_of_a_team_finds_nothing_that_is_withheld_and_no_word_of_operators(site: Site_, ann: TestClient) -> None:
    pages = 0
    for client in (ann, site.client(raise_server_exceptions=False)):
        for page in walked(site.store, client, HIDDEN, wrong=True):
            pages += 1
            assert (page.status_code == 500, hushed(page, (*ALWAYS, "0.618", "0.62"))) == (False, []), page.url
            if "html" in page.headers.get("content-type", ""):
                seen = re.sub(r"<(script|style)\b.*?</\1>", "", page.text, flags=re.DOTALL)
                text = html.unescape(re.sub(r"<[^>]+>", " ", seen))
                assert OF_OPERATORS.findall(text) == [], page.url
    assert pages > 150
    for_organiser = {RECORD, FAULT, "0.618", BOB}
    seen_by_one = walked(site.store, site.client(ADMIN), HIDDEN, "organise")
    assert {word for page in seen_by_one for word in hushed(page, tuple(for_organiser))} == for_organiser
    site.client(ADMIN).post(f"/organise/challenges/{HIDDEN}/release", data={"on": "true"})
    released = [*walked(site.store, ann, HIDDEN, HIDDEN), *walked(site.store, ann, HIDDEN, "entries")]
    assert [(str(page.url), hushed(page, ALWAYS)) for page in released if hushed(page, ALWAYS)] == []
    assert "0.6180" in ann.get(f"/entries/{site.store.entries()[0].id}").text


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


OF_PARTICIPANTS = ("new", "try", "demo", "doctor", "score", "verify", "remote")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_has_no_marks_of_documents(name: str) -> None:
    shown = printed(None, name, "--help")
    assert "Usage:" in shown and "`" not in shown
    if name in OF_PARTICIPANTS:
        assert not OF_OPERATORS.findall(shown)


LITTLE, MUCH = 5, 20


@contextmanager
def statements(site: Site_, counts: Callable[[], bool] = lambda: True) -> Iterator[list[str]]:
    """Statements that the database is asked meanwhile, where ``counts`` says so."""
    asked: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        asked.extend([statement] if counts() else [])

    engine = site.store.engine
    sa.event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        sa.event.remove(engine, "before_cursor_execute", note)


def more(few: list[str], many: list[str]) -> list[str]:
    """Which statements were more often asked of many than of few, whatever the length of their lists."""
    asked = [Counter(re.sub(r"\?(, \?)*", "?", one) for one in found) for found in (few, many)]
    return list((asked[1] - asked[0]).elements())


@pytest.mark.parametrize("challenge", ["kits19", HIDDEN])
@pytest.mark.parametrize(
    ("path", "who", "line"),
    [("/challenges/{}/board", ADMIN, "data-team="), ("/entries", ANN, '<tr><th scope="row">')],
)
def test_page_costs_as_many_statements_however_many_lines_it_has(
    site: Site_, challenge: str, path: str, who: str, line: str
) -> None:
    store_name = challenge if challenge != HIDDEN else str(site.hide())
    costs, done, browser = [], 0, site.client(who)
    for lines in (LITTLE, MUCH):
        while done < lines:
            team = "red" if who == ANN else f"team {done}"
            site.scored(team, done / 100, n=done, challenge=store_name)
            done += 1
            site.site.kept(("board", store_name))._until = 0.0
            with statements(site) as asked:  # what is decided and kept for each entry once is found
                page = browser.get(path.format(challenge))
        assert page.text.count(line) == lines
        costs.append(asked)
    assert more(*costs) == []
    assert len(costs[0]) < 80


def test_loop_waits_for_no_database_and_no_file(site: Site_, archive: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """What asks a database or reads a challenge does so in a thread, and keeps nobody else waiting."""
    look, looked = site.site.challenge, list[str]()
    site.scored("red")
    ann, nobody, here = site.client(ANN), site.client(), threading.get_ident()

    def in_loop() -> bool:
        """True in a loop of the site; in the thread of the test is at most that of a browser of other tests."""
        with suppress(RuntimeError):
            return threading.get_ident() != here and asyncio.get_running_loop().is_running()
        return False

    def watched(slug: str) -> NamedChallenge:
        looked.extend([slug] if in_loop() else [])
        return look(slug)

    monkeypatch.setattr(site.site, "challenge", watched)
    with statements(site, in_loop) as asked:
        for client in (nobody, ann, site.client(ADMIN)):
            for page in walked(site.store, client, "kits19"):
                assert page.status_code < 500
        location = begin(ann, len(archive)).headers["location"]
        assert bring(ann, location, 0, archive).status_code == 204
        form = ann.post("/challenges/kits19/upload", files={"file": ("entry.zip", archive)})
        sent = ann.post("/api/v1/challenges/kits19/entries", content=archive)
    assert (form.status_code, sent.status_code) == (303, 201)
    assert (asked, looked) == ([], [])
