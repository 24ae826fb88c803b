"""Acts of people on teams at the site; pages and API call the same functions.

A person is in one team: else a quota would be as many times larger as a person has teams.  Organisers, who use the
command line, may do otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from evaluate.config.types import Registration
from evaluate.serve.authorization import Person
from evaluate.serve.errors import Refused
from evaluate.serve.site import Site
from evaluate.store.people import logins
from evaluate.store.people.logins import LinkKind, normal_address
from evaluate.store.people.teams import (
    InATeam,
    Member,
    Role,
    Team,
    change_team,
    check_name,
)

INVITE_SECONDS = 7 * 86400.0
_MOST_MEMBERS = 50


def make_team(site: Site, person: Person, name: str) -> Team:
    """A new team whose owner is the person.

    Raises Refused if the person is in a team, there is one of this name, or teams are made by organisers alone. Raises
    UsageError if the name is not valid.
    """
    if site.config.web.registration is Registration.CLOSED and not person.organiser:
        raise Refused(403, "teams of this site are created by the organisers; ask them for yours")
    if person.teams:
        raise Refused(409, f"you are in team {person.teams[0]}; leave it first")
    check_name(name)
    site.rates.take(site.rates.teams, "teams", person.address)

    def new(team: Team) -> Team:
        if team.since:
            message = (
                f"a team named {team.name!r} already exists; choose another name, or ask that team for an invitation"
            )
            raise Refused(409, message)
        return replace(team, members=(Member(address=person.address, role=Role.OWNER, own=True),))

    return _changed(site, name, new, make=True)


def join(site: Site, person: Person, name: str) -> Team:
    """The person becomes a member of a team that invited it.

    Raises Refused if the person is in another team, or this one is full.
    """

    def joined(team: Team) -> Team:
        if team.member(person.address) is not None:
            return team
        if len(team.members) >= _MOST_MEMBERS:
            raise Refused(409, f"team {team.name} has {_MOST_MEMBERS} members, the maximum")
        return replace(team, members=(*team.members, Member(address=person.address, own=True)))

    return _changed(site, name, joined)


def leave(site: Site, team: Team, person: Person) -> Team:
    """The person leaves; its entries stay the team's. Raises Refused if others would be left without an owner."""

    def left(now: Team) -> Team:
        return _with_owner(
            now, replace(now, members=tuple(member for member in now.members if member.person != person.address))
        )

    return _changed(site, team.name, left)


def change_member(site: Site, team: Team, person: Person, address: str, what: str) -> Team:
    """Change a member: ``owner``, ``member``, ``mail``, ``no mail`` or ``remove``.

    Raises Refused if the person may not, there is no such member, or no owner would be left.

    ``person``: an owner or an organiser; mail is everybody's own choice.
    """
    wanted = normal_address(address)

    def changed(now: Team) -> Team:
        if not (wanted == person.address and what in ("mail", "no mail")):
            check_owner(now, person)
        member = now.member(wanted)
        if member is None:
            raise Refused(404, f"team {now.name} has no member {wanted!r}")
        options = {
            "owner": replace(member, role=Role.OWNER),
            "member": replace(member, role=Role.MEMBER),
            "mail": replace(member, mail=True),
            "no mail": replace(member, mail=False),
            "remove": None,
        }
        if what not in options:
            raise Refused(400, f"expected one of {', '.join(options)}, found {what[:40]!r}")
        new = options[what]
        rest = tuple(other for other in now.members if other is not member)
        return _with_owner(now, replace(now, members=rest if new is None else (*rest, new)))

    return _changed(site, team.name, changed)


def _changed(site: Site, name: str, change: Callable[[Team], Team], *, make: bool = False) -> Team:
    try:
        return change_team(site.store.database, name, change, make=make)
    except InATeam as e:
        raise Refused(409, str(e)) from e


def _with_owner(before: Team, after: Team) -> Team:
    """The team after a change; Refused if members lose their only owner."""
    had, has = (any(member.role is Role.OWNER for member in team.members) for team in (before, after))
    if after.members and had and not has:
        raise Refused(409, "the team needs an owner; make another member an owner first")
    return after


def is_owner(team: Team, person: Person) -> bool:
    """True if the person may change the team; a team without owners belongs to all its members."""
    owners = [member.person for member in team.members if member.role is Role.OWNER]
    return person.address in owners or (not owners and team.member(person.address) is not None)


def check_owner(team: Team, person: Person) -> None:
    """Raise `Refused` unless the person may change the team."""
    if not is_owner(team, person) and not person.organiser:
        raise Refused(403, "only team owners can do this")


def invite(site: Site, team: Team, person: Person) -> str:
    """The secret of a link by which others join; earlier ones end. Raises Refused unless the person may do this."""
    check_owner(team, person)
    logins.drop_links(site.store.database, LinkKind.INVITE, team.name)
    return logins.make_link(site.store.database, LinkKind.INVITE, team.name, INVITE_SECONDS)


def inviting_team(site: Site, token: str) -> str:
    """Name of the team that an invitation is from. Raises Refused if the invitation is not valid, or no more."""
    name = logins.link_subject(site.store.database, LinkKind.INVITE, token)
    if name is None:
        raise Refused(404, "this invitation has expired or was replaced; ask the team for a new one")
    return name
