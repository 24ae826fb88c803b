"""Marks that boards follow: baselines, which organisers set.

They are settings, so the journal has every one.  A mark changes no score, receipt or quota.
"""

from __future__ import annotations

import json

import sqlalchemy as sa

from evaluate.core.errors import UsageError
from evaluate.store.db.reader import BASELINE
from evaluate.store.db.rows import QueuedEntry, folded
from evaluate.store.db.settings import keep_in, key_for, setting_in
from evaluate.store.entries.store import Named, Store, named


def mark_baseline(store: Store, what: Named, *, on: bool = True) -> str:
    """Mark an entry, or all entries of a team to every challenge, as a baseline, or remove the mark.

    Raises UsageError if there is no such entry or team, or nothing to remove.

    ``what``: an entry, or any name of a team; what is returned is the team's own.
    """
    meant = named(store, what)
    if isinstance(meant, QueuedEntry):
        word, keys, value = meant.id, [BASELINE + meant.id], {"entry": meant.id, "team": ""}
    else:
        word, keys = meant.name, [key_for(BASELINE, folded(name)) for name in (meant.name, *meant.aliases)]
        value = {"entry": "", "team": meant.name}
    with store.change() as connection:
        kept = [key for key in keys if setting_in(connection, key)]
        if not on and not kept:
            raise UsageError(f"{word}: not marked as a baseline")
        for key in kept if not on else keys[:1]:
            _set(connection, key, json.dumps(value) if on else "")
    return word


def baselines(store: Store) -> list[str]:
    """The entries and the teams that are marked, by ids and own names."""
    marks = [json.loads(value) for value in store.settings.under(BASELINE).values() if value]
    return [*sorted(store.reader.baseline_teams()), *sorted(mark["entry"] for mark in marks if mark["entry"])]


def _set(connection: sa.Connection, key: str, value: str) -> None:
    if setting_in(connection, key) != value:
        keep_in(connection, key, value)
