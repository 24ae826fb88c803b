"""Cost of a board: as many statements with twenty teams as with five."""

from __future__ import annotations

import asyncio
import math
import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
import sqlalchemy as sa

from tests.support.crawler import walked
from tests.support.sites import ADMIN, ANN, HIDDEN, Site_
from tests.unit.serve.test_uploads import begin, bring

LITTLE, MUCH = 5, 20


@contextmanager
def statements(site: Site_) -> Iterator[list[str]]:
    """What the database is asked meanwhile, but for new terms, which a site looks for every few seconds."""
    site.site._looked = math.inf
    asked: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        asked.append(statement)

    engine = site.store.engine
    sa.event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        sa.event.remove(engine, "before_cursor_execute", note)
        site.site._looked = 0.0


def more(few: list[str], many: list[str]) -> list[str]:
    """Which statements were more often asked of many than of few, whatever the length of their lists."""
    asked = [Counter(re.sub(r"\?(, \?)*", "?", one) for one in found) for found in (few, many)]
    return list((asked[1] - asked[0]).elements())


@pytest.mark.parametrize("challenge", ["kits19", HIDDEN])
def test_board_costs_as_many_statements_however_many_teams_there_are(site: Site_, challenge: str) -> None:
    store_name = challenge
    if challenge == HIDDEN:
        store_name = str(site.hide())
    costs: list[list[str]] = []
    done = 0
    for teams in (LITTLE, MUCH):
        while done < teams - 3:
            site.scored(f"team {done}", done / 100, challenge=store_name)
            done += 1
        path = f"/challenges/{challenge}/board"
        admin = site.client(ADMIN)
        for _ in range(2):  # what is decided and kept for each team once is found
            site.site.kept(("board", store_name))._until = 0.0
            assert admin.get(path).status_code == 200
            done += 1
            site.scored(f"team {done - 1}", done / 100, challenge=store_name)
        site.scored(f"team {done}", done / 100, challenge=store_name)
        done += 1
        site.site.kept(("board", store_name))._until = 0.0
        with statements(site) as asked:
            page = admin.get(path)
        assert page.text.count("data-team=") == teams
        costs.append(asked)
    assert more(*costs) == []
    assert len(costs[0]) < 80


@pytest.mark.parametrize("challenge", ["kits19", HIDDEN])
def test_my_entries_cost_as_many_statements_however_many_there_are(site: Site_, challenge: str) -> None:
    store_name = challenge if challenge != HIDDEN else str(site.hide())
    costs, ann = [], site.client(ANN)
    for first, last in ((0, 3), (3, 20)):
        for n in range(first, last):
            site.scored("red", n / 100, n=n, challenge=store_name)
        for _ in range(2):  # what is kept of the board once is found
            site.site.kept(("board", store_name))._until = 0.0
            assert ann.get("/entries").status_code == 200
        with statements(site) as asked:
            assert ann.get("/entries").text.count("<tr>") == last + 1
        costs.append(len(asked))
    assert costs[0] == costs[1] < 40


def test_loop_waits_for_no_database(site: Site_, archive: bytes) -> None:
    """What asks a database does so in a thread, so that one slow question keeps nobody else waiting."""
    in_loop: list[str] = []
    site.scored("red")
    ann, nobody, here = site.client(ANN), site.client(), threading.get_ident()

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if threading.get_ident() == here:  # what the test itself asks; a browser of other tests has a loop here
            return
        with suppress(RuntimeError):
            asyncio.get_running_loop()
            in_loop.append(statement)

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
