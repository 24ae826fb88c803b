"""Each attack on the site works where its wall is missing: so that it ends as it must says something."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from evaluate.queue.people import kept, logins, teams
from evaluate.queue.views import board
from evaluate.web import auth, authorization, uploads
from tests.attacks import site as module
from tests.attacks.attacks import attacks
from tests.attacks.site import Target, attack, site_under_attack
from tests.support.queues import queue
from tests.support.served import served
from tests.support.sites import Site_

CASES = {case.name: case for case in attacks("site")}
Remove = Callable[[pytest.MonkeyPatch], None]


def _text(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(kept, "sanitize", lambda text: text)


def _cells(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(board, "for_spreadsheet", lambda text: text)


def _names(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(teams, "skeleton", lambda name: name)


def _addresses(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(logins, "is_address", lambda _: True)


def _room(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(uploads, "_free", lambda _: 1 << 62)


def _roles(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(authorization.Person, "organises", lambda one, _known: bool(one.challenges) or one.organiser)


def _tokens(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(logins, "end_sessions", lambda _database, _address: None)  # the session itself is ended apart


def _scopes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(authorization.Person, "scopes", tuple(auth.Scope))


WITHOUT: list[tuple[str, Remove]] = [
    ("site-csv", _cells),
    ("site-escape", _text),
    ("site-look-alike", _names),
    ("site-mail-address", _addresses),
    ("site-overcommit", _room),
    ("site-roles", _roles),
    ("site-tokens", _scopes),
    ("site-tokens", _tokens),
]


@contextmanager
def small_site(state: Path) -> Iterator[Target]:
    """A site in this process."""
    with queue(state) as store:
        site = Site_(state, store)
        with served(site, site.app) as address:
            target = Target(state, urlsplit(address).port or 0)
            target.configure()
            (state / "log").touch()
            yield target


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    with small_site(tmp_path_factory.mktemp("attacked") / "site") as found:
        yield found


def test_every_attack_on_the_site_ends_as_it_must(tmp_path: Path) -> None:
    with small_site(tmp_path / "site") as target:
        found = {name: attack(case, target) for name, case in CASES.items()}
    assert {name: seen for name, seen in found.items() if not CASES[name].holds(seen)} == {}


def test_every_attack_on_the_site_is_tried_without_its_wall() -> None:
    assert {name for name, _ in WITHOUT} | {"site-before"} == {*CASES}


@pytest.mark.parametrize(("name", "remove"), WITHOUT)
def test_attack_works_without_its_wall(
    name: str, remove: Remove, place: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove(monkeypatch)
    seen = attack(CASES[name], place)
    assert seen.reached and not CASES[name].holds(seen), seen


def test_number_that_is_none_of_the_database_is_an_error_without_its_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = "from evaluate.web import entry_views\nentry_views.Before = int | None\n"
    monkeypatch.setattr(module, "_PROGRAM", without + module._PROGRAM)
    with site_under_attack(tmp_path / "site") as target:
        seen = attack(CASES["site-before"], target)
    assert seen.outcome == "CRASHED" and "GOT 500 from /entries before 9223372036854775808" in seen.reached
