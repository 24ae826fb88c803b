"""One sentence on what an entry waits for, who holds it, and what comes next."""

from __future__ import annotations

import time

import sqlalchemy as sa

from evaluate.model import Stage
from evaluate.queue.store import ENTRIES, RESULTS, QueuedEntry, State, Store

_NEXT = {State.PREP: "the quiz", State.QUIZ: "the exam", State.EXAM: "the score", State.SCORE: "the end"}


def why(entry: QueuedEntry, store: Store, daemon: int | None) -> str:
    """The sentence.

    Parameters
    ----------
    daemon : int or None
        Process of the daemon that runs on this state directory; None if none does.
    """
    holder = f"the daemon (process {daemon})" if daemon is not None else "nobody: no daemon runs (evaluate daemon)"
    since = _span(time.time() - entry.changed)
    if entry.state is State.QUEUED:
        ahead = _count(store, ENTRIES.c.state == State.QUEUED.value, ENTRIES.c.number < entry.number)
        teams = _teams(store)
        turn = f"{ahead} entries were submitted before it" if ahead else "it is the first in the queue"
        fair = f", and {teams} teams take turns" if teams > 1 else ""
        return f"{entry.id} waits for its turn: {turn}{fair}; it is held by {holder}; next comes prep."
    if entry.state in _NEXT:
        stage = Stage(entry.state.value)
        usual = _usual_seconds(store, entry.challenge, stage)
        often = f"; usually it takes {_span(usual)}" if usual is not None else ""
        wait = f" ({entry.detail})" if entry.detail else ""
        return (
            f"{entry.id} is in {stage} since {since}{wait}, held by {holder}{often}; next comes {_NEXT[entry.state]}."
        )
    if entry.state is State.PARKED:
        mended = f"(evaluate retry {entry.id})"
        return f"{entry.id} is parked since {since} and waits for the organiser {mended}: {entry.detail}"
    return f"{entry.id} ended {since} ago with {entry.detail}; `evaluate report {entry.id}` says more."


def _count(store: Store, *where: sa.ColumnElement[bool]) -> int:
    with store.engine.connect() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(ENTRIES).where(*where)) or 0


def _teams(store: Store) -> int:
    query = sa.select(sa.func.count(sa.distinct(ENTRIES.c.team))).where(ENTRIES.c.state == State.QUEUED.value)
    with store.engine.connect() as connection:
        return connection.scalar(query) or 0


def _usual_seconds(store: Store, challenge: str, stage: Stage) -> float | None:
    """Mean time in the guest of this stage of earlier entries of the challenge."""
    query = sa.select(sa.func.avg(RESULTS.c.wall_seconds)).join(ENTRIES, ENTRIES.c.id == RESULTS.c.entry)
    query = query.where(ENTRIES.c.challenge == challenge, RESULTS.c.stage == stage.value)
    with store.engine.connect() as connection:
        found: float | None = connection.scalar(query)
    return found


def _span(seconds: float) -> str:
    for size, name in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {name}s"
    return f"{max(0.0, seconds):.0f} s"
