"""Marks that boards follow: baselines, which organisers set.

They are settings, so the journal has every one.  A mark changes no score, receipt or quota.
"""

from __future__ import annotations

import json

import sqlalchemy as sa

from evaluate.core.errors import UsageError
from evaluate.store.db.rows import QueuedEntry, folded
from evaluate.store.db.settings import keep_in, key_for, setting_in
from evaluate.store.entries.store import Named, Store, named
from evaluate.store.people.teams import own_name

BASELINE = "baseline:"
"""Start of the key of a setting: what is marked as a baseline."""


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
    return [*sorted(baseline_teams(store)), *sorted(mark["entry"] for mark in marks if mark["entry"])]


def baseline_teams(store: Store) -> frozenset[str]:
    """The teams, by their own names, that are marked as baselines under any of their names."""
    marks = store.settings.under(BASELINE).values()
    names = [json.loads(value)["team"] for value in marks if value]
    with store.database.ask() as connection:
        return frozenset(team for name in names if name and (team := own_name(connection, name)) is not None)


def _set(connection: sa.Connection, key: str, value: str) -> None:
    if setting_in(connection, key) != value:
        keep_in(connection, key, value)
