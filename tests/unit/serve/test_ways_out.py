"""Two hidden sets that give the same typed feedback look the same to a team that walks the whole site."""

from __future__ import annotations

import re
import time
from itertools import zip_longest
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from evaluate.serve.app import make_app
from evaluate.serve.authorization import COOKIE
from evaluate.serve.rates import Rates
from evaluate.serve.site import Site
from evaluate.store.people.logins import begin_session
from evaluate.store.people.teams import Member, Role, Team
from tests.support.crawler import walked
from tests.support.queues import keep_team
from tests.support.secrets import BEGUN, TEAMS, filled, hidden_challenge
from tests.support.sites import ADDRESS, ANN, BOB

_ITS_OWN = ("date", "etag")
"""Headers that differ anyway: the latter is a digest of what is sent, in which the entries' random names are."""


def walk(state: Path, hearts: Path, secret: int, clock: list[float]) -> dict[str, str]:
    """Every answer of the site to a member of the first team, headers included, by what was asked."""
    told: dict[str, str] = {}
    with filled(state, hearts, secret, clock, [0.611, 0.622, 0.711]) as (store, _, _):
        for team, address in zip(TEAMS, (ANN, BOB), strict=True):
            keep_team(store.database, Team(name=team, members=(Member(address=address, role=Role.OWNER),)))
        plenty = Rates(changes="100000/minute", strangers="1000/minute", guesses="1000/minute", teams="1000/minute")
        app = make_app(Site(state=state, store=store, address=ADDRESS, rates=plenty))
        with TestClient(app, base_url=ADDRESS, follow_redirects=False) as client:
            client.cookies.set(COOKIE, begin_session(store.database, ANN))
            for found in walked(store, client, "hearts"):
                headers = "".join(f"{key}: {value}\n" for key, value in found.headers.items() if key not in _ITS_OWN)
                told[str(found.url)] = f"{found.status_code}\n{headers}{found.text}"
        names = {entry.id: f"{entry.team}-{entry.number}" for entry in store.entries()}
    for identity, name in names.items():
        told = {asked.replace(identity, name): said.replace(identity, name) for asked, said in told.items()}
    return told


def lines(one: str, other: str) -> list[tuple[str, str]]:
    """Where they differ."""
    return [pair for pair in zip_longest(one.splitlines(), other.splitlines(), fillvalue="") if pair[0] != pair[1]]


def test_two_hidden_sets_with_the_same_typed_feedback_look_the_same_on_the_whole_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [BEGUN]
    monkeypatch.setattr(time, "time", lambda: clock[0])
    hearts = hidden_challenge(tmp_path / "hearts")
    one, other = (walk(tmp_path / str(secret), hearts, secret, clock) for secret in (1, 2))
    assert one.keys() == other.keys()
    assert any("0.61" in said for said in one.values()), "what may be told is told"
    differ = {asked: lines(said, other[asked]) for asked, said in one.items() if said != other[asked]}
    assert differ == {}
    for asked, said in one.items():
        assert not re.search(r"secret [0-9]", said), asked
