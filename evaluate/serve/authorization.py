"""Authorization: the only module that admits a request to a handler.

Every handler declares its audience by the type of its first argument, `Anyone`, `User`, `Team`,
`ChallengeOrganiser`, `Organiser` or `Admin`;
`evaluate.serve.app` refuses to start with one that does not.  A team's entries, uploads and page are named in addresses
by ``{entry}``, ``{team}`` or ``{upload}``: people outside the team, but organisers, do not learn that they exist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.concurrency import run_in_threadpool

from evaluate.config.load import challenge_key
from evaluate.core.errors import UsageError
from evaluate.serve.errors import NeedsLogin, Refused
from evaluate.serve.request_limits import network_of
from evaluate.serve.site import Site, team_id
from evaluate.store.db.rows import QueuedEntry
from evaluate.store.people import logins
from evaluate.store.people.logins import Rank, Scope, Token
from evaluate.store.people.teams import Team as TeamRow
from evaluate.store.people.teams import find_team, teams
from evaluate.store.people.uploads import Upload, find_upload
from evaluate.views.rejudging import Rejudging, rejudging

COOKIE = "session"
SECURE_COOKIE = "__Host-session"
"""Over TLS: a browser takes it from this very host only."""
_SAFE = ("GET", "HEAD", "OPTIONS")


class Audience(StrEnum):
    """Audience of a handler; each includes the more trusted ones."""

    ANYONE = "anyone"
    USER = "user"
    """Everybody who is logged in."""
    TEAM = "team"
    """A member of the team that the thing in the address belongs to, or an organiser."""
    CHALLENGE = "challenge"
    """An organiser of the challenge that the thing in the address belongs to."""
    ORGANISER = "organiser"
    """An organiser of all challenges."""
    ADMIN = "admin"


@dataclass(frozen=True, kw_only=True)
class Person:
    """A person who is logged in."""

    address: str
    rank: Rank
    teams: tuple[str, ...]
    """Names of the teams that the person is in."""
    challenges: frozenset[str] = frozenset()
    """Names in the store of the challenges that the person organises, if not all."""
    token: Token | None = None
    """Token of the request; None: a session."""

    @property
    def organiser(self) -> bool:
        """True if it is an organiser or an admin, in a browser: with a token it is a member of its teams alone."""
        return self.rank is not Rank.NONE and self.token is None

    def organises(self, challenge: str) -> bool:
        """True if it is an organiser of a challenge, by its name in the store."""
        return self.organiser or (challenge in self.challenges and self.token is None)

    @property
    def admin(self) -> bool:
        """True if it is an admin."""
        return self.organiser and self.rank is Rank.ADMIN


@dataclass(frozen=True, kw_only=True)
class Visit:
    """A request that was admitted, as a handler gets it."""

    request: Request
    site: Site
    person: Person | None = None
    subjects: Mapping[str, Any] = field(default_factory=dict)
    """Entry, team, upload or rejudging that the address names, by its kind."""

    @property
    def who(self) -> Person:
        """The person; only where the audience is not `Anyone`."""
        assert self.person is not None
        return self.person

    @property
    def entry(self) -> QueuedEntry:
        """The entry; only where the address names one."""
        entry: QueuedEntry = self.subjects["entry"]
        return entry

    @property
    def rejudging(self) -> Rejudging:
        """The rejudging; only where the address names one."""
        chosen: Rejudging = self.subjects["rejudging"]
        return chosen

    @property
    def team(self) -> TeamRow:
        """The team; only where the address names one."""
        team: TeamRow = self.subjects["team"]
        return team

    @property
    def upload(self) -> Upload:
        """The upload; only where the address names one."""
        upload: Upload = self.subjects["upload"]
        return upload

    @property
    def organiser(self) -> bool:
        """True if an organiser asks, of an entry one of its challenge."""
        if self.person is None:
            return False
        return self.person.organiser or ("entry" in self.subjects and self.person.organises(self.entry.challenge))


def _entry(site: Site, person: Person, identity: str) -> QueuedEntry | None:
    try:
        entry = site.store.entry(identity)
    except UsageError:
        return None
    return entry if entry.team in person.teams or person.organises(entry.challenge) else None


def _team(site: Site, person: Person, identity: str) -> TeamRow | None:
    if (name := next((team for team in person.teams if team_id(team) == identity), None)) is not None:
        return find_team(site.store.database, name)
    every_team = teams(site.store.database) if person.organiser else []
    return next((team for team in every_team if team_id(team.name) == identity), None)


def _upload(site: Site, person: Person, identity: str) -> Upload | None:
    upload = find_upload(site.store.database, identity)
    return upload if upload is not None and (upload.team in person.teams or person.organiser) else None


SUBJECTS: Mapping[str, Callable[[Site, Person, str], object | None]] = {
    "entry": _entry,
    "team": _team,
    "upload": _upload,
}
"""Part of an address -> the entry, team or upload that it names; None if the person may not have it."""


@dataclass(frozen=True)
class Admit:
    """Admits those of an audience."""

    audience: Audience

    async def __call__(self, request: Request) -> Visit:
        """The visit; see `admit`."""
        site: Site = request.app.state.site
        if self.audience is Audience.ANYONE and request.method in _SAFE and not _says_who(request, site):
            return Visit(request=request, site=site)  # as most requests, which wait for no thread
        return await run_in_threadpool(self.admit, request)

    def admit(self, request: Request) -> Visit:
        """The visit. Raises Refused if the person is not of the audience."""
        site: Site = request.app.state.site
        person = person_of(site, request)
        if request.method not in _SAFE and not request.url.path.startswith("/uploads/"):
            site.rates.take(site.rates.changes, "changes", person.address if person else client_of(request))
        if self.audience is Audience.ANYONE:
            return Visit(request=request, site=site, person=person)
        if person is None:
            raise NeedsLogin
        if person.token is not None:
            _check_scope(request, person.token)
        if self.audience is Audience.ORGANISER and not person.organiser:
            raise Refused(403, "only organisers can do this")
        if self.audience is Audience.ADMIN and not person.admin:
            raise Refused(403, "only admins can do this")
        return Visit(request=request, site=site, person=person, subjects=self._subjects(site, person, request))

    def _subjects(self, site: Site, person: Person, request: Request) -> dict[str, object]:
        if self.audience is Audience.CHALLENGE:
            return _of_challenge(site, person, request)
        subjects: dict[str, object] = {}
        for name, find in SUBJECTS.items() if self.audience is Audience.TEAM else ():
            if (identity := request.path_params.get(name)) is None:
                continue
            if (subject := find(site, person, identity)) is None:
                raise Refused(404, f"no {name} {identity[:40]!r}, or it is not your team's")
            subjects[name] = subject
        return subjects


def _check_scope(request: Request, token: Token) -> None:
    needed = Scope.READ if request.method in _SAFE else Scope.SUBMIT
    if needed not in token.scopes:
        has = ", ".join(token.scopes)
        raise Refused(403, f"the token {token.name!r} needs the scope {needed}; it has {has}")


def _of_challenge(site: Site, person: Person, request: Request) -> dict[str, object]:
    """The entry or rejudging that an address names. Raises Refused unless the person organises its challenge."""
    slug, identity = request.path_params.get("challenge"), request.path_params.get("identity", "")
    subjects: dict[str, object] = {}
    challenge = ""
    try:
        if slug is not None:
            challenge = site.challenge(slug).store_name
        elif "/rejudgings/" in request.url.path:
            subjects["rejudging"] = chosen = rejudging(site.store, identity)
            challenge = chosen.challenge
        else:
            subjects["entry"] = entry = site.store.entry(identity)
            challenge = entry.challenge
    except (Refused, UsageError) as e:
        if person.organiser:
            raise Refused(404, str(e)) from e
    if not person.organises(challenge):
        raise Refused(403, "only organisers of this challenge can do this")
    return subjects


def person_of(site: Site, request: Request) -> Person | None:
    """The requesting user; None: not logged in.

    Raises Refused if a token was given that is not valid: its owner should know rather than see less.
    """
    database = site.store.database
    given = request.headers.get("authorization", "")
    if given:
        scheme, _, secret = given.partition(" ")
        token = logins.token_of(database, secret.strip()) if scheme.lower() == "bearer" else None
        if token is None:
            site.rates.take(site.rates.guesses, "guesses", client_of(request))
            raise NeedsLogin("the token is invalid or has expired; create a new one on your account page")
        return known_person(site, token.address, token)
    secret = request.cookies.get(_cookie(site), "")
    address = logins.session_of(database, secret) if secret else None
    return None if address is None else known_person(site, address)


def _says_who(request: Request, site: Site) -> bool:
    return "authorization" in request.headers or _cookie(site) in request.headers.get("cookie", "")


def _cookie(site: Site) -> str:
    return SECURE_COOKIE if site.secure else COOKIE


def known_person(site: Site, address: str, token: Token | None = None) -> Person:
    """A person with the roles that it has now."""
    admins = {address.lower() for address in site.config.web.admins}
    rank = Rank.ADMIN if address in admins else logins.rank_of(site.store.database, address)
    teams = logins.teams_of(site.store.database, address)
    named = {*logins.organised_by(site.store.database, address)}
    named |= {name for name, terms in site.config.challenges.items() if address in map(str.lower, terms.organisers)}
    challenges = frozenset(challenge_key(name, site.config) for name in named if name in site.config.challenges)
    return Person(address=address, rank=rank, teams=teams, challenges=challenges, token=token)


def client_of(request: Request) -> str:
    """The network that asks; a proxy on this host is believed (`evaluate.commands.serve`)."""
    return network_of(request.client.host if request.client else "")


Anyone = Annotated[Visit, Depends(Admit(Audience.ANYONE))]
User = Annotated[Visit, Depends(Admit(Audience.USER))]
Team = Annotated[Visit, Depends(Admit(Audience.TEAM))]
ChallengeOrganiser = Annotated[Visit, Depends(Admit(Audience.CHALLENGE))]
Organiser = Annotated[Visit, Depends(Admit(Audience.ORGANISER))]
Admin = Annotated[Visit, Depends(Admit(Audience.ADMIN))]


def audience_of(route: Any) -> Audience | None:
    """The audience that a route's handler declares; None if it declares none, or several."""
    calls = [dependency.call for dependency in getattr(getattr(route, "dependant", None), "dependencies", ())]
    admits = [call for call in calls if isinstance(call, Admit)]
    return admits[0].audience if len(admits) == 1 else None
