"""Challenges by name: their entries stay theirs wherever their folders move.

Rows name a challenge by its place: the folder of one of the organiser's own, or a name in the program.  The queue
remembers the place of each name in ``evaluate.yaml``.  Where that says another one, what is about the old place is
about the new one from then on, in one transaction and with one line of the journal.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import sqlalchemy as sa

from evaluate.config.challenge.load import challenge_folder
from evaluate.config.load import challenge_key
from evaluate.config.types import Config
from evaluate.core.errors import UsageError
from evaluate.core.files import is_read_only
from evaluate.store.db import journal
from evaluate.store.db.settings import keep_in, setting_in
from evaluate.store.db.tables import ENTRIES, SETTINGS, UPLOADS
from evaluate.store.entries.store import Store
from evaluate.store.people.site_settings import release_key

EVENT = "challenge-renamed"
PLACE = "place:"
"""Start of the key of a setting; the rest is a challenge's name in ``evaluate.yaml``, and the value where it was."""


def settle(store: Store, config: Config) -> dict[str, str]:
    """Let entries follow the challenges whose places changed; returns old place -> new place."""
    wanted = {name: challenge_key(name, config) for name in config.challenges}
    if store.settings.under(PLACE).items() >= wanted.items():
        return {}
    anchor = store.database.anchor
    if anchor is not None and is_read_only(anchor.path.parent):
        return {}
    with store.change() as connection:
        rows = connection.execute(sa.select(SETTINGS).where(SETTINGS.c.key.startswith(PLACE, autoescape=True)))
        kept = {row.key.removeprefix(PLACE): row.value for row in rows}
        moved = {kept[name]: challenge for name, challenge in wanted.items() if kept.get(name, challenge) != challenge}
        if store.database.shared:  # other hosts may have it elsewhere, as long as it is there too
            moved = {old: new for old, new in moved.items() if not _is_there(old)}
            wanted = {name: new for name, new in wanted.items() if kept.get(name, new) in (new, *moved)}
        _move(connection, moved)
        for name, challenge in wanted.items():
            if kept.get(name) != challenge:
                keep_in(connection, PLACE + name, challenge)
    return moved


def rename(store: Store, config: Config, old: str, new: str) -> int:
    """Give the entries of a challenge to another one, which is known by that name from then on; how many.

    Raises UsageError if there is no such challenge, or none of its entries.

    ``old``: a name that ``evaluate.yaml`` had, or what entries say.
    """
    target = challenge_key(new, config)
    names = store.challenges()
    with store.change() as connection:
        kept = setting_in(connection, PLACE + old)
        source = kept or (challenge_key(old, config) if old in config.challenges else old)
        if source == target:
            raise UsageError(f"{old} and {new} are the same challenge, at {target}")
        count = connection.scalar(sa.select(sa.func.count()).where(ENTRIES.c.challenge == source)) or 0
        if not count:
            known_names = ", ".join(names) or "none"
            raise UsageError(f"{old}: no entry belongs to such a challenge; those of entries are {known_names}")
        _move(connection, {source: target})
        # those that wait have its name at the site
        connection.execute(sa.update(UPLOADS).where(UPLOADS.c.challenge == old).values(challenge=new))
        if kept and old not in config.challenges:
            keep_in(connection, PLACE + old, target)
    return count


def _is_there(challenge: str) -> bool:
    try:
        challenge_folder(challenge)
    except UsageError:
        return False
    return True


def _move(connection: sa.Connection, moved: Mapping[str, str]) -> None:
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
    journal.write(connection, "", EVENT, {"places": dict(moved)}, time.time())
