"""Marks that boards follow: baselines, which organisers set, and the entry that a team chose to count.

They are settings, so the journal has every one.  A mark changes no score, receipt or quota.  What is kept of a team for
boards is removed with a mark on its entry (`evaluate.queue.entries.best_attempts`).
"""

from __future__ import annotations

import hashlib
import json
import time

import sqlalchemy as sa

from evaluate.config.terms import Phase
from evaluate.config.types import Config
from evaluate.core.errors import UsageError
from evaluate.queue.db import journal
from evaluate.queue.db.reader import BASELINE, CHOSEN
from evaluate.queue.db.rows import QueuedEntry, State, entry_of, folded
from evaluate.queue.db.settings import put_setting, setting_in
from evaluate.queue.db.tables import BESTS
from evaluate.queue.entries.best_attempts import marked
from evaluate.queue.entries.named import Named, named
from evaluate.queue.entries.store import Store, row_of
from evaluate.queue.people.deadlines import running


def mark_baseline(store: Store, what: Named, *, on: bool = True) -> str:
    """Mark an entry, or all entries of a team to every challenge, as a baseline, or remove the mark.

    Raises UsageError if there is no such entry or team, or both, or nothing to remove.

    ``what``: an entry, or any name of a team; what is returned is the team's own.
    """
    found = named(store, what)
    if isinstance(found, QueuedEntry):
        word, keys, value = found.id, [BASELINE + found.id], {"entry": found.id, "team": ""}
    else:
        word, keys = found.name, [_team_key(one) for one in (found.name, *found.aliases)]
        value = {"entry": "", "team": found.name}
    with store.change() as connection:
        kept = [key for key in keys if setting_in(connection, key)]
        if not on and not kept:
            raise UsageError(f"{word}: not marked as a baseline")
        for key in kept if not on else keys[:1]:
            _set(connection, key, json.dumps(value) if on else "")
        if isinstance(found, QueuedEntry):
            _forget(connection, found)
    return word


def baselines(store: Store) -> list[str]:
    """The entries and the teams that are marked, by ids and own names."""
    marks = [json.loads(value) for value in store.settings.under(BASELINE).values() if value]
    return [*sorted(store.reader.baseline_teams()), *sorted(one["entry"] for one in marks if one["entry"])]


def choose(store: Store, config: Config, identity: str, *, on: bool = True) -> QueuedEntry:
    """Let an entry count on the board for its team, in its phase, or leave that to the best one again.

    Raises UsageError if there is no such entry, the rules of its challenge allow no choice, its phase has ended for the
    team, or it was cancelled, withdrawn or marked as a baseline.

    ``on``: False where the team withdraws its choice.
    """
    with store.change() as connection:
        entry = entry_of(row_of(connection, identity))
        if not (terms := config.terms(entry.challenge)).choice:
            name = config.name_of(entry.challenge) or entry.challenge
            raise UsageError(f"{name}: its rules allow no choice; the best entry of a team counts")
        if entry.state in (State.CANCELLED, State.WITHDRAWN):
            raise UsageError(f"entry {entry.id} is {entry.state}, so it cannot count")
        phase = terms.phase(entry.submitted) or Phase(name="")
        if not _is_open(connection, config, entry, phase):
            raise UsageError(f"phase {phase.name} has ended, and with it the time to choose")
        if setting_in(connection, BASELINE + entry.id):
            raise UsageError(f"entry {entry.id} is marked as a baseline, which has no rank")
        for other in sorted(marked(connection, CHOSEN, entry.challenge, [entry.team]) - {entry.id}):
            if phase.begins <= row_of(connection, other)["submitted"] < phase.ends:
                _set(connection, CHOSEN + other, "")
        _set(connection, CHOSEN + entry.id, json.dumps({"team": entry.team}) if on else "")
        _forget(connection, entry)
    return entry


def is_chosen(store: Store, entry: str) -> bool:
    """Whether the team of an entry chose it."""
    return bool(store.settings.get(CHOSEN + entry))


def may_choose(store: Store, config: Config, entry: QueuedEntry) -> bool:
    """Whether its team may choose an entry now, or another one instead of it."""
    terms = config.terms(entry.challenge)
    if not terms.choice or entry.state in (State.CANCELLED, State.WITHDRAWN):
        return False
    with store.engine.connect() as connection:
        marked_as_baseline = bool(setting_in(connection, BASELINE + entry.id))
        phase = terms.phase(entry.submitted) or Phase(name="")
        return not marked_as_baseline and _is_open(connection, config, entry, phase)


def _is_open(connection: sa.Connection, config: Config, entry: QueuedEntry, phase: Phase) -> bool:
    """Whether its phase, as which `Phase` without a name stands for a challenge without phases, is, for its team."""
    now, phases = time.time(), config.terms(entry.challenge).phases
    late = running(connection, config.name_of(entry.challenge), phases, [entry.team], now).get(entry.team)
    return phase.ends > now or (late is not None and late.phase == phase.name)


def _team_key(name: str) -> str:
    return BASELINE + hashlib.sha256(folded(name).encode()).hexdigest()


def _set(connection: sa.Connection, key: str, value: str) -> None:
    if setting_in(connection, key) != value:
        put_setting(connection, key, value)
        journal.write(connection, "", "set", {"key": key, "value": value}, time.time())


def _forget(connection: sa.Connection, entry: QueuedEntry) -> None:
    same = (BESTS.c.challenge == entry.challenge) & (BESTS.c.team == entry.team)
    connection.execute(sa.delete(BESTS).where(same))
