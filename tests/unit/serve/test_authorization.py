"""Every route, asked as nobody, as another team, as the team, as an organiser and as an admin."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from evaluate.core.model import Stage
from evaluate.serve import uploads
from evaluate.serve.app import routes
from evaluate.serve.authorization import COOKIE, Audience, audience_of, known_person
from evaluate.serve.site import team_id
from evaluate.store.entries.rejudge_attempts import begin_rejudging
from evaluate.store.people import logins, site_settings
from evaluate.store.people.logins import Rank, Scope
from evaluate.store.people.teams import Member, Role, Team
from tests.support.queues import by_hand, keep_team
from tests.support.sites import ADMIN, ANN, BOB, HIDDEN, Site_

ORGANISER = "organiser@example.org"
STEWARD = "steward@example.org"
"""Organises kits19 alone."""
WHO = {"nobody": "", "other": BOB, "team": ANN, "steward": STEWARD, "organiser": ORGANISER, "admin": ADMIN}
MAY = {
    Audience.ANYONE: set(WHO),
    Audience.USER: {"other", "team", "steward", "organiser", "admin"},
    Audience.TEAM: {"team", "organiser", "admin"},
    Audience.CHALLENGE: {"steward", "organiser", "admin"},
    Audience.ORGANISER: {"organiser", "admin"},
    Audience.ADMIN: {"admin"},
}
ALL = [(route, method) for route in routes() for method in sorted(route.methods)]


class Asking:
    """One browser that is each of them in turn."""

    def __init__(self, site: Site_, client: TestClient) -> None:
        self.site, self.client = site, client
        self.kept: dict[str, str] = {}

    def ask(self, who: str, method: str, path: str) -> Response:
        database, person = self.site.store.database, WHO[who]
        if person and logins.session_of(database, self.kept.get(who, "")) is None:  # the first time, or after /logout
            self.kept[who] = logins.begin_session(database, person)
        self.client.cookies.clear()
        headers = {"Cookie": f"{COOKIE}={self.kept[who]}"} if person else {}
        found: Response = self.client.request(method, path, headers=headers)
        return found


@pytest.fixture
def asking(site: Site_) -> Iterator[Asking]:
    logins.give_rank(site.store.database, ORGANISER, Rank.ORGANISER)
    logins.let_organise(site.store.database, STEWARD, "kits19")
    with site.client(raise_server_exceptions=False) as client:
        yield Asking(site, client)


def test_every_route_declares_one_audience() -> None:
    assert len(ALL) > 70
    assert [route.path for route, _ in ALL if audience_of(route) is None] == []


@pytest.mark.parametrize("audience", Audience)
def test_every_route_admits_its_audience_and_nobody_else(site: Site_, asking: Asking, audience: Audience) -> None:
    asked = [who for who in WHO if who not in (("team",) if audience is Audience.ADMIN else ("admin",))]
    if audience is Audience.TEAM:
        asked.remove("steward")  # sees the entries of its challenge, and nothing of teams and uploads
    wrong = []
    for route, method in (one for one in ALL if audience_of(one[0]) is audience):
        for who in asked:
            found = asking.ask(who, method, address(site, route.path))
            status, login = found.status_code, found.headers.get("location", "").startswith("/login?")
            if who in MAY[audience]:
                fine = status not in (401, 403, 500) and not login and "or it is not your team" not in found.text
            else:
                fine = status == refusal(audience, who, method, route.path)
            if not fine:
                wrong.append((method, route.path, who, status))
    assert wrong == []


def refusal(audience: Audience, who: str, method: str, path: str) -> int:
    if who == "nobody":
        page = method == "GET" and not path.startswith("/api/") and path != "/uploads"
        return 303 if page and not path.startswith("/uploads/{upload}/") else 401
    return 404 if audience is Audience.TEAM else 403


def address(site: Site_, path: str) -> str:
    """A route's address with things that are team red's, made again where an earlier request may have removed them."""
    team(site)
    for name, thing in THINGS.items():
        if f"{{{name}}}" in path:
            path = path.replace(f"{{{name}}}", thing(site, path))
    same = {"challenge": "kits19", "name": "site.css", "host": "green", "token": "none", "number": "1"}
    for name, value in same.items():
        path = path.replace(f"{{{name}}}", value)
    assert "{" not in path, path
    return path


def team(site: Site_, _path: str = "") -> str:
    if logins.teams_of(site.store.database, ANN) != ("red",):  # it has left
        keep_team(site.store.database, Team(name="red", members=(Member(address=ANN, role=Role.OWNER),)))
    return team_id("red")


def entry(site: Site_, _path: str = "") -> str:
    known = [one.id for one in site.store.entries() if one.team == "red"]
    return known[0] if known else site.scored("red")


def upload(site: Site_, _path: str = "") -> str:
    known = uploads.rows.uploads_of(site.store.database, ("red",))
    person = known_person(site.site, ANN)
    return (known or [uploads.create(site.site, person, slug="kits19", team="", name="a.zip", size=5)])[0].id


def identity(site: Site_, path: str) -> str:
    if "news" in path:
        return site_settings.announce(site.store.settings, "hello").id
    if "rejudgings" not in path:
        return entry(site)
    if not site.store.rejudging_attempts():
        begin_rejudging(site.store, [site.store.entry(entry(site))], "r1", Stage.SCORE, references="")
    return "r1"


THINGS = {"team": team, "entry": entry, "upload": upload, "identity": identity}


def test_what_is_anothers_looks_like_what_is_not_there(site: Site_, asking: Asking) -> None:
    own = site.scored("red")
    for path in (f"/api/v1/entries/{own}", f"/api/v1/uploads/{upload(site)}", f"/api/v1/teams/{team_id('red')}"):
        there = asking.ask("other", "GET", path)
        stem, last = path.rsplit("/", 1)
        gone = asking.ask("other", "GET", f"{stem}/{last[:-1]}x")
        assert there.status_code == gone.status_code == 404
        assert there.json()["detail"].replace(last, "") == gone.json()["detail"].replace(f"{last[:-1]}x", "")


@pytest.mark.parametrize(
    ("scopes", "path", "method", "wanted"),
    [
        ([Scope.READ], "/api/v1/me", "GET", 200),
        ([Scope.READ], "/api/v1/teams", "POST", 403),
        ([Scope.SUBMIT], "/api/v1/me", "GET", 403),
        ([Scope.SUBMIT], "/api/v1/teams", "POST", 422),
        ([Scope.READ], "/api/v1/entries/{}", "GET", 404),  # an organiser's sees no more than a team
        ([Scope.READ, Scope.SUBMIT], "/organise", "GET", 403),
        ([Scope.READ, Scope.SUBMIT], "/organise/challenges/kits19/release", "POST", 403),
    ],
)
def test_token_does_what_its_scopes_say(site: Site_, scopes: list[Scope], path: str, method: str, wanted: int) -> None:
    _token, secret = logins.make_token(site.store.database, ADMIN, "ci", scopes, 1)
    path = path.format(site.scored("red"))
    found = site.client().request(method, path, headers={"Authorization": f"Bearer {secret}"})
    assert found.status_code == wanted


def test_token_that_is_wrong_or_has_expired_is_said_so(site: Site_) -> None:
    _token, secret = logins.make_token(site.store.database, ANN, "ci", [Scope.READ], 1)
    by_hand(site.store, "update tokens set expires = 1")
    for given in (f"Bearer {secret}", "Bearer nonsense", "Basic YTpi"):
        found = site.client().get("/api/v1/challenges", headers={"Authorization": given})
        assert (found.status_code, "is invalid" in found.json()["detail"]) == (401, True)


def test_organiser_of_one_challenge_has_nothing_of_another_and_no_role_lasts_once_it_is_taken_away(
    site: Site_, asking: Asking
) -> None:
    """Whether named at the site or in evaluate.yaml."""
    hidden_entry, own = site.scored("red", challenge=str(site.hide())), site.scored("red")
    for path, identity, wanted in (
        ("/organise/entries/{}", own, 200),
        ("/entries/{}", own, 200),
        ("/entries/{}/report?organiser=true", own, 200),
        ("/organise/entries/{}", hidden_entry, 403),
        ("/entries/{}", hidden_entry, 404),
        ("/organise/challenges/{}/entries", "kits19", 200),
        ("/organise/challenges/{}/entries", HIDDEN, 403),
        ("/organise/rejudgings/{}", "r9", 403),
    ):
        assert asking.ask("steward", "GET", path.format(identity)).status_code == wanted, path
    assert asking.ask("steward", "POST", f"/organise/challenges/{HIDDEN}/release").status_code == 403
    done = asking.ask("steward", "POST", "/organise/challenges/kits19/release")
    assert asking.ask("steward", "GET", done.headers["location"]).status_code == 200
    assert asking.ask("steward", "POST", f"/organise/entries/{hidden_entry}/withdraw").status_code == 403
    assert "You organise" in asking.ask("steward", "GET", "/account").text
    logins.let_organise(site.store.database, STEWARD, "kits19", on=False)
    assert asking.ask("steward", "GET", f"/organise/entries/{own}").status_code == 403
    site.configure(challenges={"kits19": {"organisers": ["Bob@Example.org"]}})
    assert asking.ask("other", "GET", f"/organise/entries/{own}").status_code == 200
    assert asking.ask("other", "GET", "/organise").status_code == 403
    assert asking.ask("organiser", "GET", "/organise").status_code == 200
    logins.give_rank(site.store.database, ORGANISER, Rank.NONE)
    assert asking.ask("organiser", "GET", "/organise").status_code == 403
