"""Teams: their names, their members, and the addresses for mail to them.

A team exists from its first entry on, or since an organiser (or a site) registered it.  Every name of a team, its own
and its aliases, leads to the same team, however it is written: ``delta`` is ``Delta``.  So a quota cannot be evaded by
spelling, and a board has one line for each team.

No team has a name that people would take for that of another, by the data of Unicode's technical standard 39: a name
has letters of one script (Latin goes with those of East Asia) and no character that nobody sees; and its skeleton, in
which every character is the one that all of its look-alikes stand for, is that of no other team.

Every change is one transaction: what it depends on is read in it.  In the journal it is a line ``team-changed`` with
what changed and nothing else; that a team came into being with an entry follows from the entry's own line.

A bar, of a team that was disqualified, is one of the settings of teams: a team that becomes a part of another one, or
changes how it is called, takes them along, and a later team of a name that it lost has none of them.
"""

from __future__ import annotations

import json
import re
import secrets
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from evaluate.config.schema.keys import is_address
from evaluate.core.errors import EntryError, UsageError
from evaluate.store.db import journal
from evaluate.store.db.database import Database
from evaluate.store.db.rows import folded
from evaluate.store.db.settings import keep_in
from evaluate.store.db.tables import ENTRIES, LINKS, MEMBERS, SETTINGS, SHARES, TEAM_NAMES, TEAMS, UPLOADS, insert

CHANGED, RENAMED = "team-changed", "renamed"
INVITE = "invite"
"""Kind of links by which people join a team, which is their subject."""
BARRED, BASELINE, DEADLINE, DEPLOY_KEY, CLAIM = "barred:", "baseline:", "deadline:", "deploy-key:", "repository:"
"""Starts of the keys of settings whose value, in JSON, names a team; the rest of a key says nothing of its name."""
_KINDS = (BARRED, BASELINE, DEADLINE, DEPLOY_KEY, CLAIM)
_ENTRY = re.compile("e[0-9a-f]{12}")
"""Ids of entries (`evaluate.store.entries.store.entry_id`): commands take either an id or a team."""
MOST = 100
"""Characters of a team's name; as many as the database has room for."""
_NEUTRAL = {"COMMON", "INHERITED", "UNKNOWN"}
_EAST_ASIAN = {"LATIN", "HAN", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"}
_UNSEEN = (
    (0x034F,),
    (0x115F,),
    (0x1160,),
    (0x17B4,),
    (0x17B5,),
    (0x3164,),
    (0xFFA0,),
    (0xFE00, 0xFE0F),
    (0xE0100, 0xE01EF),
)
"""Variation selectors, fillers, the grapheme joiner: marks and letters without a shape of their own."""
_ASCII = str.maketrans("1|0", "llo")
"""The look-alikes in ASCII, of folded text."""


class Role(StrEnum):
    """Role that says what a member may do for its team at a site; the command line does not ask."""

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
    """True if the member gets results by email."""
    own: bool = False
    """True if the person made or joined the team itself, which is possible in one team; an organiser may do more."""

    @property
    def person(self) -> str:
        """Identity of the person: all spellings of an address are one person."""
        return person_of(self.address)


@dataclass(frozen=True, kw_only=True)
class Team:
    """One team."""

    name: str
    """Name that boards and reports call it by."""
    aliases: tuple[str, ...] = ()
    """Further names, sorted."""
    members: tuple[Member, ...] = ()
    """Sorted by address."""
    since: float = 0.0

    @property
    def addresses(self) -> tuple[str, ...]:
        """Addresses to which results are sent."""
        return tuple(member.address for member in self.members if member.mail)

    def member(self, address: str) -> Member | None:
        """The member with an address; None if there is none."""
        return next((member for member in self.members if member.person == person_of(address)), None)


class InATeam(UsageError):
    """A person wants to make or join a team, and is in another one."""


def person_of(address: str) -> str:
    """Common form of all spellings of a mail address."""
    return address.strip().lower()


def check_name(name: str) -> str:
    """The name, if it can be that of a team.

    Raises UsageError if it is empty, too long, not printable, or has blanks around it.
    """
    if not name.isprintable() or name.strip() != name or not 0 < len(name) <= MOST:
        raise UsageError(f"--team: expected a name of 1 to {MOST} printable characters, found {name[: 2 * MOST]!r}")
    _check_letters(name)
    return name


def _check_letters(name: str) -> None:
    """Refuse a name with unseen characters, or letters of scripts that do not go together.

    Raises UsageError, which names the characters or the scripts.
    """
    if name.isascii():
        return
    unseen = [letter for letter in name if _is_unseen(letter)]
    if unseen:
        raise UsageError(f"--team: expected characters that can be seen, found U+{ord(unseen[0]):04X} in {name!r}")
    from confusable_homoglyphs import categories  # noqa: PLC0415  # reads a megabyte; most names are ASCII

    scripts = {categories.alias(letter) for letter in unicodedata.normalize("NFKC", name)} - _NEUTRAL
    if len(scripts) > 1 and not scripts <= _EAST_ASIAN:
        raise UsageError(f"--team: expected letters of one script, found {', '.join(sorted(scripts))} in {name!r}")


def _is_unseen(letter: str) -> bool:
    code = ord(letter)
    return 0x180B <= code <= 0x180F or any(ends[0] <= code <= ends[-1] for ends in _UNSEEN)


@lru_cache(maxsize=20_000)
def _skeleton(name: str) -> str:
    """Common form of all names that look alike."""
    text = unicodedata.normalize("NFD", folded(name))
    if not text.isascii():
        text = folded("".join(map(_prototype, text)))
    return text.translate(_ASCII)


def _prototype(letter: str) -> str:
    """The character that its look-alikes stand for."""
    if letter.isascii():
        return letter
    from confusable_homoglyphs.confusables import confusables_data  # noqa: PLC0415  # as above

    others = [other["c"] for other in confusables_data.get(letter, ())]
    # the data lists all look-alikes of a prototype, and of each other character its prototype alone
    return min(letter, others[0]) if len(others) == 1 else letter


def teams(database: Database) -> list[Team]:
    """Every team, sorted by name."""
    with database.engine.connect() as connection:
        return _teams(connection, sa.select(TEAMS.c.name))


def find_team(database: Database, name: str) -> Team | None:
    """The team of any of its names; None if there is none."""
    with database.engine.connect() as connection:
        return _find(connection, name)


def get_team(database: Database, name: str) -> Team:
    """As `find_team`. Raises UsageError if there is none."""
    if (team := find_team(database, name)) is None:
        raise _unknown(name)
    return team


def own_name(connection: sa.Connection, name: str) -> str | None:
    """The team's own name for any of its names; None if there is no such team."""
    return connection.scalar(sa.select(TEAM_NAMES.c.team).where(TEAM_NAMES.c.folded == folded(name)))


def known_name(connection: sa.Connection, name: str) -> str:
    """As `own_name`. Raises UsageError if there is no such team."""
    if (team := own_name(connection, name)) is None:
        raise _unknown(name)
    return team


def enter(connection: sa.Connection, name: str, now: float) -> str:
    """The team's own name for any of its names; a team that is not known comes into being."""
    if (team := own_name(connection, name)) is not None:
        return team
    _check_new(connection, name)
    put_new(connection, name, now)
    return name


def put_new(connection: sa.Connection, name: str, at: float) -> None:
    """Add a team that comes into being with an entry, unless it is there."""
    _put(connection, TEAMS, {"name": name, "since": at})
    _put(connection, TEAM_NAMES, {"folded": folded(name), "name": name, "team": name})


def _check_new(connection: sa.Connection, name: str, team: str = "") -> None:
    """Refuse a name that nobody has yet if it looks like that of another team than ``team``, or the id of an entry."""
    check_name(name)
    if _ENTRY.fullmatch(folded(name)):
        raise UsageError(f"{name!r} looks like the id of an entry; choose a different one")
    looks = _skeleton(name)
    for row in connection.execute(sa.select(TEAM_NAMES.c.name, TEAM_NAMES.c.team).where(TEAM_NAMES.c.team != team)):
        if _skeleton(row.name) == looks and folded(row.name) != folded(name):
            raise UsageError(f"{name!r} looks like {row.name!r}, a name of another team; choose a different one")


def change_team(database: Database, name: str, change: Callable[[Team], Team], *, make: bool = False) -> Team:
    """Change a team in one transaction; entries that were submitted under its new aliases become its own.

    Raises UsageError if there is no such team, a name or an address is not valid, a name is that of another team with
    members or aliases, or (`InATeam`) somebody joins by itself who is in another team.

    * ``change``: makes the new team of the one that there is; an error that it raises changes nothing.
    * ``make``: true if a team that does not exist is made; it is then changed from one of this name that has nothing,
      and is of no time.
    """
    with database.change() as connection:
        kept = _find(connection, name)
        if kept is None and not make:
            raise _unknown(name)
        before = kept or Team(name=name)
        team = change(before)
        _check(before, team)
        for alias in (*([team.name] if kept is None else []), *(set(team.aliases) - set(before.aliases))):
            _check_new(connection, alias, team.name)
        for alias in (team.name, *team.aliases):
            other = _find(connection, alias)
            if other is not None and other.name != team.name and (other.members or other.aliases or alias == team.name):
                raise UsageError(f"{alias!r} is a name of team {other.name!r}")
        return _keep(connection, kept, team)


def _unknown(name: str) -> UsageError:
    return UsageError(f"no team {name!r}; `evaluate team list` shows all")


def _check(before: Team, team: Team) -> None:
    """Refuse what is not valid."""
    for member in team.members:
        if before.member(member.address) is None and not is_address(member.address):
            raise UsageError(f"team {team.name}: expected a mail address, found {member.address!r}")
    if len({member.person for member in team.members}) < len(team.members):
        raise UsageError(f"team {team.name}: an address appears twice")


def _keep(connection: sa.Connection, there: Team | None, team: Team) -> Team:
    """Make the rows of a team say what is wanted, and write what that changes."""
    before = there or Team(name=team.name)
    joined = {member.person for member in team.members if member.own and before.member(member.address) is None}
    beside = sa.select(MEMBERS.c.team).where(MEMBERS.c.person.in_(joined), MEMBERS.c.team != team.name)
    gone = [other.name for alias in team.aliases if (other := _find(connection, alias)) is not None]
    if (elsewhere := connection.scalar(beside.where(MEMBERS.c.team.not_in(gone)).order_by(MEMBERS.c.team))) is not None:
        raise InATeam(f"you are in team {elsewhere}; leave it first")
    kept = {folded(alias) for alias in team.aliases}
    dropped = [alias for alias in before.aliases if folded(alias) not in kept]
    parts = {
        "members": [member_data(member) for member in team.members if member not in before.members],
        "left": [member.address for member in before.members if team.member(member.address) is None],
        "aliases": sorted(set(team.aliases) - set(before.aliases)),
        "dropped": dropped,
    }
    data = {"team": team.name, **{name: part for name, part in parts.items() if part}}
    if there is None or len(data) > 1:
        _take_over(connection, team, dropped)
        now = time.time()
        put_change(connection, data, now)
        journal.write(connection, "", CHANGED, data, now)
    if parts["left"]:  # the removed member may still have an invitation
        connection.execute(sa.delete(LINKS).where(LINKS.c.kind == INVITE, LINKS.c.subject == team.name))
    changed = _find(connection, team.name)
    assert changed is not None
    return changed


def member_data(member: Member) -> dict[str, Any]:
    """A member as values of JSON."""
    return {**asdict(member), "role": member.role.value}


def team_data(team: Team) -> dict[str, Any]:
    """A team as values of JSON."""
    return {"team": team.name, "aliases": sorted(team.aliases), "members": list(map(member_data, team.members))}


def put_change(connection: sa.Connection, data: Mapping[str, Any], at: float) -> None:
    """Do to the rows what a line of the journal says; a team that had one of the new names is no more."""
    name = data["team"]
    _put(connection, TEAMS, {"name": name, "since": at})
    names = {folded(alias): alias for alias in (name, *data.get("aliases", ()))}
    others = sa.select(TEAM_NAMES.c.team).where(TEAM_NAMES.c.folded.in_(list(names)), TEAM_NAMES.c.team != name)
    gone = [str(other) for other in connection.scalars(others)]
    for table in (TEAM_NAMES, MEMBERS):
        connection.execute(sa.delete(table).where(table.c.team.in_(gone)))
    connection.execute(sa.delete(TEAMS).where(TEAMS.c.name.in_(gone)))
    no_more = [*names, *map(folded, data.get("dropped", ()))]
    connection.execute(sa.delete(TEAM_NAMES).where(TEAM_NAMES.c.folded.in_(no_more), TEAM_NAMES.c.team == name))
    for key, alias in names.items():
        connection.execute(sa.insert(TEAM_NAMES).values(folded=key, name=alias, team=name))
    addresses = (*data.get("left", ()), *(member["address"] for member in data.get("members", ())))
    persons = [person_of(address) for address in addresses]
    connection.execute(sa.delete(MEMBERS).where(MEMBERS.c.team == name, MEMBERS.c.person.in_(persons)))
    for member in data.get("members", ()):
        connection.execute(sa.insert(MEMBERS).values(team=name, person=person_of(member["address"]), **member))


def _take_over(connection: sa.Connection, team: Team, dropped: Sequence[str]) -> None:
    """Make what is kept under any spelling of the team's names, and of those that it loses, the team's own."""
    keys = {folded(name) for name in (team.name, *team.aliases)}
    spelt = [name for name in connection.scalars(sa.select(ENTRIES.c.team).distinct()) if folded(name) in keys]
    where = ENTRIES.c.team.in_(spelt) & (ENTRIES.c.team != team.name)
    for identity in connection.scalars(sa.select(ENTRIES.c.id).where(where)).all():
        connection.execute(sa.update(ENTRIES).where(ENTRIES.c.id == identity).values(team=team.name))
        journal.write(connection, identity, RENAMED, {"team": team.name}, time.time())
    others = sa.select(TEAM_NAMES.c.team).where(TEAM_NAMES.c.folded.in_(keys))
    connection.execute(sa.update(UPLOADS).where(UPLOADS.c.team.in_(others)).values(team=team.name))
    invites = sa.update(LINKS).where(LINKS.c.kind == INVITE, LINKS.c.subject.in_(others))
    connection.execute(invites.values(subject=team.name))
    connection.execute(sa.delete(SHARES).where(SHARES.c.team.in_(others), SHARES.c.team != team.name))
    for kind in _KINDS:
        for name in {*team.aliases, *dropped} - {team.name}:
            for key, value in kept_of(connection, kind, name).items():
                # hosts of repositories know the team by its first one
                goes = kind == DEPLOY_KEY and kept_of(connection, kind, team.name)
                keep_in(connection, key, "" if goes else json.dumps({**value, "team": team.name}))


def _find(connection: sa.Connection, name: str) -> Team | None:
    named = sa.select(TEAM_NAMES.c.team).where(TEAM_NAMES.c.folded == folded(name))
    return next(iter(_teams(connection, named)), None)


def _teams(connection: sa.Connection, names: sa.Select[tuple[str]]) -> list[Team]:
    """The teams with these names of their own, sorted by them."""
    aliases, members = defaultdict[str, list[str]](list), defaultdict[str, list[Member]](list)
    for row in connection.execute(sa.select(TEAM_NAMES.c.team, TEAM_NAMES.c.name).where(TEAM_NAMES.c.team.in_(names))):
        if row.name != row.team:
            aliases[row.team].append(row.name)
    of_teams = sa.select(MEMBERS).where(MEMBERS.c.team.in_(names)).order_by(MEMBERS.c.address)
    for row in connection.execute(of_teams):
        member = Member(address=row.address, name=row.name, role=Role(row.role), mail=row.mail, own=row.own)
        members[row.team].append(member)
    rows = connection.execute(sa.select(TEAMS).where(TEAMS.c.name.in_(names))).all()
    return [
        Team(
            name=row.name,
            aliases=tuple(sorted(aliases[row.name])),
            members=tuple(members[row.name]),
            since=row.since,
        )
        for row in sorted(rows, key=lambda row: str(row.name))
    ]


def _put(connection: sa.Connection, table: sa.Table, row: Mapping[str, Any]) -> None:
    connection.execute(insert(connection, table).values(row).on_conflict_do_nothing())


def kept_of(connection: sa.Connection, kind: str, team: str) -> dict[str, dict[str, Any]]:
    """The settings of a kind that a team has, by its own name: the value of each key."""
    query = sa.select(SETTINGS).where(SETTINGS.c.key.startswith(kind, autoescape=True), SETTINGS.c.value != "")
    values = {row.key: json.loads(row.value) for row in connection.execute(query.order_by(SETTINGS.c.key))}
    return {key: value for key, value in values.items() if folded(value["team"]) == folded(team)}


def keep_of(connection: sa.Connection, kind: str, team: str, **value: Any) -> str:
    """Add a setting of a team, by its own name; returns its key."""
    key = f"{kind}{secrets.token_hex(16)}"
    keep_in(connection, key, json.dumps({"team": team, **value}))
    return key


def barred(connection: sa.Connection, team: str) -> str:
    """Reason for which a team, by its own name, can no longer submit; empty: it may."""
    return next((str(value["reason"]) for value in kept_of(connection, BARRED, team).values()), "")


def refuse_barred(connection: sa.Connection, team: str) -> None:
    """Raise EntryError if a team was disqualified."""
    if why := barred(connection, team):
        raise EntryError(f"team {team} was disqualified and can no longer submit: {why}")


def bar(connection: sa.Connection, team: str, reason: str) -> None:
    """Let a team, by its own name, no longer submit."""
    lift(connection, team)
    keep_of(connection, BARRED, team, reason=reason)


def lift(connection: sa.Connection, team: str) -> None:
    """Let a team submit again."""
    for key in kept_of(connection, BARRED, team):
        keep_in(connection, key, "")
