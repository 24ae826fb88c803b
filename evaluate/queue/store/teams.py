"""Teams: what they are called, who belongs to them, and where mail to them goes.

A team exists from its first entry on, or since an organiser (or a site) registered it.  Every name of a team, its own
and its aliases, leads to the same team, however it is written: ``delta`` is ``Delta``.  So a quota cannot be evaded by
spelling, and a board has one line for each team.

In the journal a change is a line ``team`` with all that is known of the team from then on; that a team came into being
with an entry follows from the entry's own line.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from evaluate.core.errors import UsageError
from evaluate.queue.store import journal
from evaluate.queue.store.database import Database
from evaluate.queue.store.rows import folded
from evaluate.queue.store.tables import ENTRIES, MEMBERS, TEAM_NAMES, TEAMS, insert

EVENT, RENAMED = "team", "renamed"
MOST = 100
"""Characters of a team's name; as many as the database has room for."""
ADDRESS = re.compile(r"[^@\s<>,]+@[^@\s<>,]+")


class Role(StrEnum):
    """What a member may do for its team at a site; the command line does not ask."""

    OWNER = "owner"
    MEMBER = "member"


@dataclass(frozen=True, kw_only=True)
class Member:
    """One person of a team."""

    address: str
    """For mail, and who the member is."""
    name: str = ""
    role: Role = Role.MEMBER
    mail: bool = True
    """Whether results are sent to the address."""


@dataclass(frozen=True, kw_only=True)
class Team:
    """One team."""

    name: str
    """What boards and reports call it."""
    aliases: tuple[str, ...] = ()
    """Further names, sorted."""
    members: tuple[Member, ...] = ()
    """Sorted by address."""
    since: float = 0.0

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where results are sent."""
        return tuple(member.address for member in self.members if member.mail)


def check_name(name: str) -> str:
    """The name, if it can be that of a team.

    Raises
    ------
    UsageError
        It is empty, too long, not printable, or has blanks around it.
    """
    if not name.isprintable() or name.strip() != name or not 0 < len(name) <= MOST:
        raise UsageError(f"--team: expected a name of 1 to {MOST} printable characters, found {name[: 2 * MOST]!r}")
    return name


def teams(database: Database) -> list[Team]:
    """Every team, sorted by name."""
    with database.engine.connect() as connection:
        rows = {row.name: row.since for row in connection.execute(sa.select(TEAMS))}
        names = connection.execute(sa.select(TEAM_NAMES.c.team, TEAM_NAMES.c.name)).all()
        members = connection.execute(sa.select(MEMBERS).order_by(MEMBERS.c.address)).all()
    found = {name: Team(name=name, since=since) for name, since in sorted(rows.items())}
    for row in sorted(names, key=lambda row: str(row.name)):
        if row.name != row.team:
            found[row.team] = replace(found[row.team], aliases=(*found[row.team].aliases, row.name))
    for row in members:
        found[row.team] = replace(found[row.team], members=(*found[row.team].members, _member(row)))
    return list(found.values())


def find_team(database: Database, name: str) -> Team | None:
    """The team of any of its names; None if there is none."""
    with database.engine.connect() as connection:
        return _find(connection, name)


def get_team(database: Database, name: str) -> Team:
    """As `find_team`.

    Raises
    ------
    UsageError
        There is none.
    """
    if (found := find_team(database, name)) is None:
        raise UsageError(f"no team {name!r}; `evaluate team list` shows all")
    return found


def enter(connection: sa.Connection, name: str, now: float) -> str:
    """The team's own name for any of its names; a team that is not known comes into being."""
    key = folded(name)
    known = connection.scalar(sa.select(TEAM_NAMES.c.team).where(TEAM_NAMES.c.folded == key))
    if known is not None:
        return str(known)
    _put(connection, TEAMS, {"name": name, "since": now})
    _put(connection, TEAM_NAMES, {"folded": key, "name": name, "team": name})
    return name


def keep_team(database: Database, team: Team) -> Team:
    """Register a team, or replace what is known of it; its entries under its aliases become its own.

    Raises
    ------
    UsageError
        A name or an address is not valid, or a name is that of another team with members or aliases.
    """
    for name in (team.name, *team.aliases):
        check_name(name)
    if wrong := [member.address for member in team.members if not ADDRESS.fullmatch(member.address)]:
        raise UsageError(f"team {team.name}: expected a mail address, found {wrong[0]!r}")
    if len({member.address.casefold() for member in team.members}) < len(team.members):
        raise UsageError(f"team {team.name}: an address appears twice")
    with database.change() as connection:
        for name in (team.name, *team.aliases):
            other = _find(connection, name)
            if other is not None and other.name != team.name and (other.members or other.aliases or name == team.name):
                raise UsageError(f"{name!r} is a name of team {other.name!r}")
        _take_over(connection, team)
        now = time.time()
        put_team(connection, team_data(team), now)
        journal.write(connection, "", EVENT, team_data(team), now)
        found = _find(connection, team.name)
    assert found is not None
    return found


def team_data(team: Team) -> dict[str, Any]:
    """A team as values of JSON, for the journal."""
    members = [
        {"address": one.address, "name": one.name, "role": one.role.value, "mail": one.mail} for one in team.members
    ]
    return {"team": team.name, "aliases": sorted(team.aliases), "members": members}


def put_team(connection: sa.Connection, data: Mapping[str, Any], at: float) -> None:
    """Make the rows say what `team_data` says; a team that had one of the names is no more."""
    name = data["team"]
    _put(connection, TEAMS, {"name": name, "since": at})
    names = {folded(one): one for one in (*data["aliases"], name)}
    others = sa.select(TEAM_NAMES.c.team).where(TEAM_NAMES.c.folded.in_(list(names)), TEAM_NAMES.c.team != name)
    gone = [str(other) for other in connection.scalars(others)]
    for table in (TEAM_NAMES, MEMBERS):
        connection.execute(sa.delete(table).where(table.c.team.in_([name, *gone])))
    connection.execute(sa.delete(TEAMS).where(TEAMS.c.name.in_(gone)))
    for key, one in names.items():
        connection.execute(sa.insert(TEAM_NAMES).values(folded=key, name=one, team=name))
    for member in data["members"]:
        connection.execute(sa.insert(MEMBERS).values(team=name, **member))


def rename_entry(connection: sa.Connection, identity: str, team: str) -> None:
    """Give an entry to another team."""
    connection.execute(sa.update(ENTRIES).where(ENTRIES.c.id == identity).values(team=team))


def _take_over(connection: sa.Connection, team: Team) -> None:
    """What was submitted under any spelling of the team's names becomes its own."""
    keys = {folded(name) for name in (team.name, *team.aliases)}
    spelt = [name for name in connection.scalars(sa.select(ENTRIES.c.team).distinct()) if folded(name) in keys]
    where = ENTRIES.c.team.in_(spelt) & (ENTRIES.c.team != team.name)
    for identity in connection.scalars(sa.select(ENTRIES.c.id).where(where)).all():
        rename_entry(connection, identity, team.name)
        journal.write(connection, identity, RENAMED, {"team": team.name}, time.time())


def _find(connection: sa.Connection, name: str) -> Team | None:
    row = connection.execute(
        sa.select(TEAMS).join(TEAM_NAMES, TEAM_NAMES.c.team == TEAMS.c.name).where(TEAM_NAMES.c.folded == folded(name))
    ).first()
    if row is None:
        return None
    names = connection.scalars(sa.select(TEAM_NAMES.c.name).where(TEAM_NAMES.c.team == row.name))
    members = connection.execute(sa.select(MEMBERS).where(MEMBERS.c.team == row.name).order_by(MEMBERS.c.address))
    return Team(
        name=row.name,
        aliases=tuple(sorted(one for one in names if one != row.name)),
        members=tuple(map(_member, members)),
        since=row.since,
    )


def _member(row: Any) -> Member:
    return Member(address=row.address, name=row.name, role=Role(row.role), mail=row.mail)


def _put(connection: sa.Connection, table: sa.Table, row: Mapping[str, Any]) -> None:
    connection.execute(insert(connection, table).values(row).on_conflict_do_nothing())
