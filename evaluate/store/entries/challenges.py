"""Challenges by name: their entries stay theirs wherever their folders move.

Rows name a challenge by its place: the folder of one of the organiser's own, or a name in the program.  The queue
remembers the place of each name in ``evaluate.yaml``.  Where that says another one, what is about the old place is
about the new one from then on, in one transaction and with one line of the journal.  What the site keeps is about the
name itself, and follows when a challenge is renamed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping

import sqlalchemy as sa

from evaluate.config.challenge.load import challenge_folder
from evaluate.config.load import challenge_key
from evaluate.config.types import Config
from evaluate.core.errors import UsageError
from evaluate.core.files import is_read_only
from evaluate.store.db import journal
from evaluate.store.db.settings import keep_in, key_for, setting_in
from evaluate.store.db.tables import ENTRIES, FAULTS, SETTINGS, UPLOADS
from evaluate.store.entries.store import Store
from evaluate.store.people.logins import ORGANISES
from evaluate.store.people.site_settings import ACCEPTED, NEWS, TEXT, release_key
from evaluate.store.people.teams import DEADLINE

EVENT = "challenge-renamed"
PLACE = "place:"
"""Start of the key of a setting; the rest is a challenge's name in ``evaluate.yaml``, and the value where it was."""


Follow = Callable[[str, str], object]
"""Called with an old and a new place, to move what is beside the database, before the transaction is committed."""


def settle(store: Store, config: Config, follow: Follow = lambda _old, _new: None) -> dict[str, str]:
    """Let entries follow the challenges whose places changed; returns old place -> new place."""
    wanted = {name: challenge_key(name, config) for name in config.challenges}
    if store.settings.under(PLACE).items() >= wanted.items():
        return {}
    anchor = store.database.anchor
    if anchor is not None and is_read_only(anchor.path.parent):
        return {}
    with store.change() as connection:
        kept = _places(connection)
        moved = {kept[name]: challenge for name, challenge in wanted.items() if kept.get(name, challenge) != challenge}
        if store.database.shared:  # other hosts may have it elsewhere, as long as it is there too
            moved = {old: new for old, new in moved.items() if not _is_there(old)}
            wanted = {name: new for name, new in wanted.items() if kept.get(name, new) in (new, *moved)}
        _move(connection, moved, follow)
        for name, challenge in wanted.items():
            if kept.get(name) != challenge:
                keep_in(connection, PLACE + name, challenge)
    return moved


def rename(store: Store, config: Config, old: str, new: str, follow: Follow = lambda _old, _new: None) -> int:
    """Give the entries of a challenge to another one, which is known by that name from then on; how many.

    Raises UsageError if there is no such challenge, or none of its entries.

    ``old``: a name that ``evaluate.yaml`` had, or what entries say.
    """
    target = challenge_key(new, config)
    names = store.challenges()
    with store.change() as connection:
        kept = _places(connection)
        source = kept.get(old) or (challenge_key(old, config) if old in config.challenges else old)
        if source == target:
            raise UsageError(f"{old} and {new} are the same challenge, at {target}")
        count = connection.scalar(sa.select(sa.func.count()).where(ENTRIES.c.challenge == source)) or 0
        if not count:
            known_names = ", ".join(names) or "none"
            raise UsageError(f"{old}: no entry belongs to such a challenge; those of entries are {known_names}")
        _move(connection, {source: target}, follow)
        former = [name for name in kept if kept[name] == source and name not in config.challenges]
        for name in former:
            keep_in(connection, PLACE + name, target)
        for name in {old, *former} - {new}:
            _rename(connection, name, new)
    return count


def _places(connection: sa.Connection) -> dict[str, str]:
    rows = connection.execute(sa.select(SETTINGS).where(SETTINGS.c.key.startswith(PLACE, autoescape=True)))
    return {row.key.removeprefix(PLACE): row.value for row in rows}


def _is_there(challenge: str) -> bool:
    try:
        challenge_folder(challenge)
    except UsageError:
        return False
    return True


def _rename(connection: sa.Connection, old: str, new: str) -> None:
    """Give what is kept by a challenge's name at the site to another name, unless that has the same of its own."""
    connection.execute(sa.update(UPLOADS).where(UPLOADS.c.challenge == old).values(challenge=new))
    for key, value in connection.execute(sa.select(SETTINGS).where(SETTINGS.c.value != "")).all():
        prefix = key[: key.find(":", key.find(":") + 1) + 1]
        if key.startswith((TEXT, ACCEPTED)) and key == key_for(prefix, old):
            if not setting_in(connection, key_for(prefix, new)):
                keep_in(connection, key_for(prefix, new), value)
            keep_in(connection, key, "")
        elif key.startswith((NEWS, DEADLINE)) and (about := json.loads(value))["challenge"] == old:
            keep_in(connection, key, json.dumps({**about, "challenge": new}))
        elif key.startswith(ORGANISES) and old in (names := json.loads(value)):
            keep_in(connection, key, json.dumps(sorted({new, *names} - {old})))


def _move(connection: sa.Connection, moved: Mapping[str, str], follow: Follow) -> None:
    """All at once, since two challenges may have changed places."""
    if not moved:
        return
    target = sa.case(moved, value=ENTRIES.c.challenge)
    connection.execute(sa.update(ENTRIES).where(ENTRIES.c.challenge.in_(list(moved))).values(challenge=target))
    released = {old: setting_in(connection, release_key(old)) for old in moved}
    for old in (old for old in moved if released[old]):
        keep_in(connection, release_key(old), "")
    for old, new in moved.items():
        if released[old]:
            keep_in(connection, release_key(new), released[old])
    for fault in connection.execute(sa.select(FAULTS).where(FAULTS.c.resolved == 0)).all():
        concerned = json.dumps(sorted({moved.get(name, name) for name in json.loads(fault.challenges)}))
        name = moved.get(fault.name, fault.name) if fault.part == "challenge" else fault.name
        connection.execute(sa.update(FAULTS).where(FAULTS.c.id == fault.id).values(challenges=concerned, name=name))
    journal.write(connection, "", EVENT, {"places": dict(moved)}, time.time())
    for old, new in moved.items():
        follow(old, new)
