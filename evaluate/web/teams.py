"""What people do with teams at the site; pages and API call the same functions.

A person is in one team: else a quota would be as many times larger as a person has teams.  Organisers, who use the
command line, may do otherwise.
"""

from __future__ import annotations

import json
import time
from dataclasses import replace

from evaluate.host.config import Registration
from evaluate.queue.store import people
from evaluate.queue.store.people import LinkKind, normal_address
from evaluate.queue.store.teams import Member, Role, Team, check_name, find_team, get_team, keep_team
from evaluate.web.audience import Person
from evaluate.web.refused import Refused
from evaluate.web.site import Site

INVITE_SECONDS = 7 * 86400.0
_MERGE = "merge:"
_MOST_MEMBERS = 50


def make_team(site: Site, person: Person, name: str) -> Team:
    """A new team whose owner is the person.

    Raises
    ------
    Refused
        The person is in a team, there is one of this name, or teams are made by organisers alone.
    UsageError
        The name is not valid.
    """
    if site.config.web.registration is Registration.CLOSED and not person.organiser:
        raise Refused(403, "organisers make the teams of this site; ask them for yours")
    _refuse_second(person)
    check_name(name)
    site.rates.take(site.rates.teams, "teams", person.address)
    if (other := find_team(site.store.database, name)) is not None:
        raise Refused(409, f"there is a team {other.name!r} already; choose another name, or ask it for an invitation")
    return keep_team(site.store.database, Team(name=name, members=(Member(address=person.address, role=Role.OWNER),)))


def join(site: Site, person: Person, name: str) -> Team:
    """The person becomes a member of a team that invited it."""
    team = get_team(site.store.database, name)
    if team.name in person.teams:
        return team
    _refuse_second(person)
    if len(team.members) >= _MOST_MEMBERS:
        raise Refused(409, f"team {team.name} has {_MOST_MEMBERS} members, which is as many as it may have")
    return keep_team(site.store.database, replace(team, members=(*team.members, Member(address=person.address))))


def leave(site: Site, team: Team, person: Person) -> Team:
    """The person leaves; its entries stay the team's.

    Raises
    ------
    Refused
        Others would be left without an owner.
    """
    rest = tuple(one for one in team.members if one.address.lower() != person.address)
    if rest and not any(one.role is Role.OWNER for one in rest) and is_owner(team, person):
        raise Refused(409, "you are the only owner; make another member an owner first")
    return keep_team(site.store.database, replace(team, members=rest))


def change_member(site: Site, team: Team, address: str, what: str) -> Team:
    """Change a member: ``owner``, ``member``, ``mail``, ``no mail`` or ``remove``.

    Raises
    ------
    Refused
        There is no such member, or no owner would be left.
    """
    wanted = normal_address(address)
    known = next((one for one in team.members if one.address.lower() == wanted), None)
    if known is None:
        raise Refused(404, f"team {team.name} has no member {wanted!r}")
    changed = {
        "owner": replace(known, role=Role.OWNER),
        "member": replace(known, role=Role.MEMBER),
        "mail": replace(known, mail=True),
        "no mail": replace(known, mail=False),
        "remove": None,
    }
    if what not in changed:
        raise Refused(400, f"expected one of {', '.join(changed)}, found {what[:40]!r}")
    new = changed[what]
    rest = tuple(one for one in team.members if one is not known) + ((new,) if new is not None else ())
    had_owner = any(one.role is Role.OWNER for one in team.members)
    if rest and had_owner and not any(one.role is Role.OWNER for one in rest):
        raise Refused(409, "the team needs an owner; make another member an owner first")
    return keep_team(site.store.database, replace(team, members=rest))


def is_owner(team: Team, person: Person) -> bool:
    """Whether the person may change the team; a team without owners is everybody's who is in it."""
    owners = [one.address.lower() for one in team.members if one.role is Role.OWNER]
    return person.address in owners or (not owners and team.name in person.teams)


def check_owner(team: Team, person: Person) -> None:
    """Raise `Refused` unless the person may change the team."""
    if not is_owner(team, person) and not person.organiser:
        raise Refused(403, "owners of the team alone may do this")


def invite(site: Site, team: Team) -> str:
    """The secret of a link by which others join; earlier ones end."""
    people.drop_links(site.store.database, LinkKind.INVITE, team.name)
    return people.make_link(site.store.database, LinkKind.INVITE, team.name, INVITE_SECONDS)


def ask_for_merge(site: Site, team: Team, other: str) -> None:
    """Note for the organiser that two teams want to be one.

    Raises
    ------
    UsageError
        There is no such team.
    """
    found = get_team(site.store.database, other)
    if found.name == team.name:
        raise Refused(400, "expected the name of another team")
    site.store.keep_setting(_key(team.name), json.dumps({"team": team.name, "other": found.name, "at": time.time()}))


def merges_asked(site: Site) -> list[dict[str, str]]:
    """Team and other team of every merge that was asked for."""
    return [json.loads(value) for value in site.store.settings(_MERGE).values() if value]


def merge(site: Site, name: str, other: str) -> Team:
    """Make ``other`` a part of the team ``name``: its names, members and entries.

    Raises
    ------
    UsageError
        There is no such team.
    """
    database = site.store.database
    team, second = get_team(database, name), get_team(database, other)
    if team.name == second.name:
        raise Refused(400, "expected two teams")
    have = {one.address.lower() for one in team.members}
    members = (*team.members, *(one for one in second.members if one.address.lower() not in have))
    # first its members and aliases, without which its name is free to become an alias
    keep_team(database, replace(second, members=(), aliases=()))
    merged = keep_team(database, replace(team, members=members, aliases=(*team.aliases, second.name, *second.aliases)))
    forget_merge(site, team.name)
    return merged


def forget_merge(site: Site, name: str) -> None:
    """Nobody asks any more."""
    if site.store.setting(_key(name)):
        site.store.keep_setting(_key(name), "")


def _key(name: str) -> str:
    return _MERGE + name


def _refuse_second(person: Person) -> None:
    if person.teams:
        raise Refused(409, f"you are in team {person.teams[0]}; leave it first")
