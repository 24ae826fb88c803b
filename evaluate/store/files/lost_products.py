"""Attempts whose stages left results, but no products, as after a restore."""

from __future__ import annotations

from pathlib import Path

from evaluate.store.db.reasons import Cause, Reason
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.entries.store import Store, attempt_in, retry_attempt
from evaluate.store.files.depot import Depot
from evaluate.store.files.stage_folders import work_folder


def begins_again(store: Store, depot: Depot, entry: QueuedEntry) -> str:
    """Let an attempt begin again whose stages left results, but no products, as after a restore; which stages.

    Else others would be made, and its receipt would state those of before.
    """
    stages = [result["stage"] for result in store.results(entry.id, entry.attempt)]
    work = work_folder(Path(), entry)
    gone = [stage for stage in stages if stage not in entry.first.before and not depot.has(str(work / stage))]
    if not gone:
        return ""
    names = ", ".join(gone)
    if entry.rejudging:
        message = f"the products of {names} are gone; `evaluate rejudge retry` begins again"
        reason = Reason(cause=Cause.INFRASTRUCTURE, stage=entry.state.value, message=message)
        store.move(entry.id, State.PARKED, reason, attempt=entry.attempt)
        return names
    with store.change() as connection:
        now = attempt_in(connection, entry.id)
        if (now.attempt, now.state) == (entry.attempt, entry.state):
            retry_attempt(connection, now)
    return names
