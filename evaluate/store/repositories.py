"""The team that a private repository belongs to: the first that submitted it, until an organiser releases the claim.

The organisers' account reads the repositories of all teams, so a team could name that of another one.  Claims are
settings, and the journal has each.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from evaluate.config.types import HelperAccount
from evaluate.core.errors import EntryError, UsageError
from evaluate.core.files import write_file
from evaluate.core.model import Entry
from evaluate.store.db.database import Database
from evaluate.store.db.rows import folded
from evaluate.store.db.settings import Settings, keep_in, key_for, setting_in
from evaluate.store.logs import LOG
from evaluate.store.people.teams import CLAIM, DEPLOY_KEY, keep_of, kept_of, own_name
from evaluate.untrusted.archives import open_entry
from evaluate.untrusted.repository import by_ssh, host_of, only_name

_KEYS = "deploy-keys"
"""Folder of what hosts share; no backup has it."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A repository that belongs to a team."""

    repository: str
    """Its name as `only_name` gives it."""
    team: str
    """The team's own name then."""
    since: float


def deploy_key(database: Database, shared: Path, team: str) -> Path:
    """The file of the key with which repositories of a team are read by ssh; its public half is in ``….pub``.

    It is made when it is asked for first, and stays when the team changes its name.
    """
    folder = shared / _KEYS
    with database.engine.connect() as connection:
        kept = kept_of(connection, DEPLOY_KEY, own_name(connection, team) or team)
    if there := next((file for key in kept if (file := _key_file(folder, key)).exists()), None):
        return there
    private = Ed25519PrivateKey.generate()
    folder.mkdir(mode=0o700, exist_ok=True)
    with database.change() as connection:
        name = own_name(connection, team) or team
        key = next(iter(kept_of(connection, DEPLOY_KEY, name)), None) or keep_of(connection, DEPLOY_KEY, name)
        file = _key_file(folder, key)
        if not file.exists():  # nor did another process make it meanwhile; no backup has it
            public = private.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
            write_file(file.with_suffix(".pub"), public)
            write_file(file, private.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()), 0o600)
    return file


def _key_file(folder: Path, key: str) -> Path:
    return folder / key.removeprefix(DEPLOY_KEY)


def public_key(database: Database, shared: Path, team: str) -> str:
    """The public half of a team's deploy key, as a host of repositories takes it."""
    return deploy_key(database, shared, team).with_suffix(".pub").read_text()


def fetch_entry(
    database: Database,
    accounts: Mapping[str, HelperAccount],
    shared: Path,
    address: str,
    team: str,
    scratch: Path,
    commit: str = "",
) -> Entry:
    """Fetch a repository as an entry of a team, which claims it if the organisers have an account at its host.

    Raises EntryError if another team has claimed it; otherwise as `open_entry`.

    ``shared``: the folder that all hosts reach, with the deploy keys.
    """
    host = host_of(address)
    name = only_name(address) if host in accounts else ""
    if name and by_ssh(address):
        accounts = {host: replace(accounts[host], token_file=deploy_key(database, shared, team))}
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
    text = setting_in(connection, _key(name))
    if not text:
        return
    claimed = json.loads(text)["team"]
    if len({own_name(connection, name) or folded(name) for name in (team, claimed)}) > 1:
        LOG.warning("team %s names the repository %s, which team %s has claimed", team, name, claimed)
        raise EntryError(
            f"{name}: expected a repository of team {team}, found one that another team submitted first; if it is "
            "yours, write to the organiser, who can release it"
        )


def claims(settings: Settings) -> list[Claim]:
    """Every claim, by the names of the repositories."""
    kept = [Claim(**json.loads(value)) for value in settings.under(CLAIM).values() if value]
    return sorted(kept, key=lambda claim: claim.repository)


def release_claim(settings: Settings, repository: str) -> None:
    """Let any team submit a repository, and the next that does claim it. Raises UsageError if nobody has claimed it."""
    if not settings.get(_key(repository)):
        raise UsageError(f"no team has claimed a repository {repository[:200]!r}")
    settings.keep(_key(repository), "")


def _key(name: str) -> str:
    return key_for(CLAIM, name)
