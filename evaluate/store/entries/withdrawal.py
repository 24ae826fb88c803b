"""Withdrawn entries and teams: at their own request, or disqualified, with a reason.

A scored entry leaves the board and stays in the queue with its results, receipt and attempt: what it revealed stays
revealed.  One that has not ended is cancelled.  A disqualified team can no longer submit.  All of it can be taken back,
but for what was cancelled.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import sqlalchemy as sa

from evaluate.core.errors import UsageError
from evaluate.core.model import Stage
from evaluate.store.db.reasons import Cause, Reason, ended_with
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.db.tables import ENTRIES, REJUDGING_ATTEMPTS, RESULTS
from evaluate.store.entries.store import Named, Store, attempt_in, named, put_state, rejudging_attempts
from evaluate.store.people.site_settings import checked_reason
from evaluate.store.people.teams import Team, bar, barred, enter, lift


def withdraw(store: Store, what: Named, reason: str, *, disqualify: bool = False) -> list[str]:
    """Withdraw an entry, or all entries of a team; returns the ids of the entries that this changed.

    Raises UsageError if there is no such entry or team, the reason is empty or too long, or there is nothing
    to withdraw.

    * ``what``: an entry, or any name of a team.
    * ``disqualify``: true if the organiser decided it; a team can then no longer submit.
    """
    why = Reason(cause=Cause.DISQUALIFIED if disqualify else Cause.WITHDRAWN, message=checked_reason(reason))
    meant, changed = named(store, what), []
    with store.change() as connection:
        word, ids, team = _meant(connection, meant)
        for identity in ids:
            entry = attempt_in(connection, identity)
            if entry.state in (State.CANCELLED, State.WITHDRAWN):
                continue
            put_state(connection, entry, State.WITHDRAWN if entry.state is State.DONE else State.CANCELLED, why)
            _leave_rejudgings(connection, identity, why)
            changed.append(identity)
        if team and disqualify:
            bar(connection, team, why.message)
        elif not changed:
            raise UsageError(f"{word}: there is no entry that still counts")
    return changed


def readmit(store: Store, what: Named) -> list[str]:
    """Take it back: what was scored counts again, and the team may submit; returns the ids of the entries.

    Raises UsageError if there is no such entry or team, or nothing of it was withdrawn.
    """
    meant, changed = named(store, what), []
    with store.change() as connection:
        word, ids, team = _meant(connection, meant)
        for identity in ids:
            entry = attempt_in(connection, identity)
            if entry.state is not State.WITHDRAWN:
                continue
            same = (RESULTS.c.entry == identity) & (RESULTS.c.attempt == entry.attempt)
            verdicts = {row.stage: row.verdict for row in connection.execute(sa.select(RESULTS).where(same))}
            last = next(verdicts[stage.value] for stage in reversed(Stage) if stage.value in verdicts)
            put_state(connection, entry, State.DONE, ended_with(last))
            changed.append(identity)
        is_barred = bool(team and barred(connection, team))
        if team and is_barred:
            lift(connection, team)
        elif not changed:
            raise UsageError(f"{word}: nothing of it was withdrawn")
    return changed


def _meant(connection: sa.Connection, what: QueuedEntry | Team) -> tuple[str, Sequence[str], str]:
    """Return its name in messages, the ids that it stands for, and, if it is a team, the team's present name."""
    if isinstance(what, QueuedEntry):
        return what.id, [what.id], ""
    team = enter(connection, what.name, time.time())
    ids = sa.select(ENTRIES.c.id).where(ENTRIES.c.team == team).order_by(ENTRIES.c.number)
    return team, connection.scalars(ids).all(), team


def _leave_rejudgings(connection: sa.Connection, identity: str, why: Reason) -> None:
    """Its attempts in rejudgings that are not applied are left out, so that none of them brings it back."""
    columns = REJUDGING_ATTEMPTS.c
    undecided = (columns.entry == identity) & ~columns.adopted & (columns.state != State.CANCELLED.value)
    for attempt in rejudging_attempts(connection, undecided):
        put_state(connection, attempt, State.CANCELLED, Reason(cause=Cause.EXCLUDED, message=why.message))
