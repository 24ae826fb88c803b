"""Attempts whose stages left results, but no products, as after a restore."""

from __future__ import annotations

from pathlib import Path

from evaluate.store.db.reasons import Cause, Reason
from evaluate.store.db.rows import QueuedEntry, State, entry_of
from evaluate.store.entries.rejudge_attempts import shadow
from evaluate.store.entries.store import Store, retry_entry, row_of
from evaluate.store.files.depot import Depot
from evaluate.store.files.stage_folders import work_folder


def begins_again(store: Store, depot: Depot, entry: QueuedEntry) -> str:
    """Let an attempt begin again whose stages left results, but no products, as after a restore; which stages.

    Else others would be made, and its receipt would state those of before.
    """
    work, known = work_folder(Path(), entry), store.results(entry.id, entry.attempt)
    beside = shadow(store, entry.id, entry.attempt) if entry.shadow else None
    others = beside.first.before if beside is not None else ()  # of another attempt
    own = [one["stage"] for one in known if one["stage"] not in others]
    gone = [stage for stage in own if not depot.has(str(work / stage))]
    if not gone:
        return ""
    stages = ", ".join(gone)
    if entry.shadow:
        message = f"the products of {stages} are gone; `evaluate rejudge retry` begins again"
        reason = Reason(cause=Cause.INFRASTRUCTURE, stage=entry.state.value, message=message)
        store.move(entry.id, State.PARKED, reason, attempt=entry.attempt)
        return stages
    with store.change() as connection:
        now = entry_of(row_of(connection, entry.id))
        if (now.attempt, now.state) == (entry.attempt, entry.state):
            retry_entry(connection, now)
    return stages
