"""Cost of pages: as many statements with twenty lines as with five, and none in the loop."""

from __future__ import annotations

import asyncio
import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
import sqlalchemy as sa

from evaluate.serve.site import SiteChallenge
from tests.support.crawler import walked
from tests.support.sites import ADMIN, ANN, HIDDEN, Site_
from tests.unit.serve.test_uploads import begin, bring

LITTLE, MUCH = 5, 20


@contextmanager
def statements(site: Site_) -> Iterator[list[str]]:
    """What the database is asked meanwhile."""
    asked: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        asked.append(statement)

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
    in_loop: list[str] = []
    look = site.site.challenge
    site.scored("red")
    ann, nobody, here = site.client(ANN), site.client(), threading.get_ident()

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if threading.get_ident() == here:  # what the test itself asks; a browser of other tests has a loop here
            return
        with suppress(RuntimeError):
            asyncio.get_running_loop()
            in_loop.append(statement)

    def watched(slug: str) -> SiteChallenge:
        note(None, None, slug)
        return look(slug)

    monkeypatch.setattr(site.site, "challenge", watched)
    sa.event.listen(site.store.engine, "before_cursor_execute", note)
    try:
        for client in (nobody, ann, site.client(ADMIN)):
            for page in walked(site.store, client, "kits19"):
                assert page.status_code < 500
        location = begin(ann, len(archive)).headers["location"]
        assert bring(ann, location, 0, archive).status_code == 204
        form = ann.post("/challenges/kits19/upload", files={"file": ("entry.zip", archive)})
        sent = ann.post("/api/v1/challenges/kits19/entries", content=archive)
    finally:
        sa.event.remove(site.store.engine, "before_cursor_execute", note)
    assert (form.status_code, sent.status_code) == (303, 201)
    assert in_loop == []
