"""A site with a queue, for tests: people who are logged in, entries, a challenge whose exam is hidden."""

import io
import zipfile
from email.message import EmailMessage
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
import yaml
from fastapi import FastAPI
from fastapi.testclient import TestClient

from evaluate.config.challenge.cache import load_challenge
from evaluate.operate.notify import Mail
from evaluate.serve.app import make_app
from evaluate.serve.authorization import COOKIE
from evaluate.serve.site import Rates, Site
from evaluate.store.entries.store import Store
from evaluate.store.people.logins import begin_session
from evaluate.store.people.teams import Member, Role, Team
from evaluate.views.feedback import charge
from tests.support.challenges import hidden
from tests.support.queues import keep_team, run_stages, upload

ADDRESS = "http://site.example"
HIDDEN = "secret"
"""Name of the challenge whose exam is hidden."""
ADMIN, ANN, BOB = "root@example.org", "ann@example.org", "bob@example.org"
"""An admin, a member of team red, a member of team blue."""


def sample_archive(note: str = "") -> bytes:
    """An entry to kits19 that passes; another one with every note."""
    text = io.BytesIO()
    with zipfile.ZipFile(text, "w") as archive:
        for path in sorted((load_challenge("kits19").folder / "sample_entry").iterdir()):
            archive.write(path, path.name)
        archive.writestr(zipfile.ZipInfo("notes.txt"), note)
    return text.getvalue()


class Site_:
    """The parts of a site that a test needs."""

    def __init__(self, state: Path, store: Store) -> None:
        self.state, self.store = state, store
        self.settings: dict[str, Any] = {"web": {"admins": [ADMIN]}, "challenges": {"kits19": {}}, "free_gib": 0}
        self.configure()
        never_reached = Rates(
            changes="100000/minute", strangers="1000/minute", guesses="1000/minute", teams="1000/minute"
        )
        self.site = Site(state=state, store=store, address=ADDRESS, rates=never_reached)
        for team, address in (("red", ANN), ("blue", BOB)):
            keep_team(store.database, Team(name=team, members=(Member(address=address, role=Role.OWNER),)))

    @cached_property
    def app(self) -> FastAPI:
        """The application."""
        return make_app(self.site)

    def configure(self, **more: Any) -> None:
        """Write evaluate.yaml."""
        self.settings |= more
        (self.state / "evaluate.yaml").write_text(yaml.safe_dump(self.settings))

    def hide(self, **terms: Any) -> Path:
        """Add the challenge whose exam is hidden; returns its folder."""
        folder = self.state.parent / HIDDEN
        if not folder.exists():
            hidden(folder, "kits19", allow_tcg_exam=True)
        self.configure(challenges={**self.settings["challenges"], HIDDEN: {"folder": str(folder), **terms}})
        return folder

    def client(self, address: str = "", **more: Any) -> TestClient:
        """A browser in which a person is logged in, or nobody."""
        browser = TestClient(self.app, base_url=ADDRESS, follow_redirects=False, **more)
        if address:
            browser.cookies.set(COOKIE, begin_session(self.store.database, address))
        return browser

    def letters(self, patch: pytest.MonkeyPatch) -> list[EmailMessage]:
        """Letters that the site mails from now on."""
        posted: list[EmailMessage] = []
        self.configure(notify={"mail": {"server": "localhost", "sender": "site@example.org"}})
        patch.setattr(Mail, "post", lambda _self, letters, _sent: posted.extend(letters))
        return posted

    def scored(self, team: str, value: float | None = 0.5, n: int = 0, challenge: str = "kits19", **more: Any) -> str:
        """An entry of a team that has gone through all stages; returns its id."""
        ((identity, _),) = self.store.submit([upload(team, n, challenge)])
        self.store.next_entries(100)
        charge(self.site.config, self.store, self.store.entry(identity), "d" * 64)
        run_stages(self.store, self.state, self.store.entry(identity), value, **more)
        return identity
