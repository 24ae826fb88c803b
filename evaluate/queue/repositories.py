"""The team that a private repository belongs to: the first that submitted it, until an organiser releases the claim.

The organisers' account reads the repositories of all teams, so a team could name that of another one.  Claims are
settings, and the journal has each.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import sqlalchemy as sa

from evaluate.config.repositories import HelperAccount
from evaluate.core.errors import EntryError, UsageError
from evaluate.core.model import Entry
from evaluate.queue.db.database import Database
from evaluate.queue.db.rows import folded
from evaluate.queue.db.settings import Settings, keep_in, setting_in
from evaluate.queue.db.tables import TEAM_NAMES
from evaluate.queue.logs import LOG
from evaluate.untrusted.archives import open_entry
from evaluate.untrusted.repository import host_of, only_name

_KEY = "repository:"


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A repository that belongs to a team."""

    repository: str
    """Its name as `only_name` gives it."""
    team: str
    """The team's own name then."""
    since: float


def fetch_entry(
    database: Database, accounts: Mapping[str, HelperAccount], address: str, team: str, scratch: Path, commit: str = ""
) -> Entry:
    """Fetch a repository as an entry of a team, which claims it if the organisers have an account at its host.

    Raises EntryError if another team has claimed it; otherwise as `open_entry`.
    """
    name = only_name(address) if host_of(address) in accounts else ""
    if name:
        with database.engine.connect() as connection:
            _refuse_claimed(connection, name, team)
    entry = open_entry(address, scratch, accounts=accounts, commit=commit)
    if name:
        with database.change() as connection:
            _refuse_claimed(connection, name, team)
            if not setting_in(connection, _key(name)):
                claim = Claim(repository=name, team=team, since=time.time())
                keep_in(connection, _key(name), json.dumps(asdict(claim)))
    return entry


def _refuse_claimed(connection: sa.Connection, name: str, team: str) -> None:
    found = setting_in(connection, _key(name))
    if found and _own_name(connection, team) != _own_name(connection, claimed := json.loads(found)["team"]):
        LOG.warning("team %s names the repository %s, which team %s has claimed", team, name, claimed)
        raise EntryError(
            f"{name}: expected a repository of team {team}, found one that another team submitted first; if it is "
            "yours, write to the organiser, who can release it"
        )


def _own_name(connection: sa.Connection, team: str) -> str:
    key = folded(team)
    return connection.scalar(sa.select(TEAM_NAMES.c.team).where(TEAM_NAMES.c.folded == key)) or key


def claims(settings: Settings) -> list[Claim]:
    """Every claim, by the names of the repositories."""
    found = [Claim(**json.loads(value)) for value in settings.under(_KEY).values() if value]
    return sorted(found, key=lambda claim: claim.repository)


def release_claim(settings: Settings, repository: str) -> None:
    """Let any team submit a repository, and the next that does claim it. Raises UsageError if nobody has claimed it."""
    if not settings.get(_key(repository)):
        raise UsageError(f"no team has claimed a repository {repository[:200]!r}")
    settings.keep(_key(repository), "")


def _key(name: str) -> str:
    return _KEY + hashlib.sha256(name.encode()).hexdigest()
