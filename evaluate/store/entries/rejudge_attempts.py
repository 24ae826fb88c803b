"""The attempts of a rejudging, which belong together: begun, tried again, and adopted or discarded as a set."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa

from evaluate.core.errors import UsageError
from evaluate.core.model import Stage
from evaluate.store.db import journal
from evaluate.store.db.reasons import Cause, Reason
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.db.tables import ENTRIES, REJUDGING_ATTEMPTS
from evaluate.store.entries.store import (
    Store,
    newest_attempts,
    put_state,
    rejudging_attempts,
    retry_attempt,
    share_results,
)

_AT_ONCE = 500
_COLUMNS = REJUDGING_ATTEMPTS.c


def begin_rejudging(
    store: Store, entries: Sequence[QueuedEntry], purpose: str, first: Stage, *, references: str = ""
) -> int:
    """Queue an attempt at each of ``entries`` that is still over, from the stage ``first`` on; returns how many.

    The stages before it are those of the attempt that counts. Called again after a kill, it adds what is missing. What
    was withdrawn since ``entries`` were read is left out.

    ``references``: file or folder to score against; by default that of the challenge.
    """
    # all at once and by few statements: 10,000 entries must not keep other writers waiting
    with store.change() as connection:
        begun = set(connection.scalars(sa.select(_COLUMNS.entry).where(_COLUMNS.purpose == purpose)))
        counting = _counting_attempts(connection, [entry.id for entry in entries if entry.id not in begun])
        newest = newest_attempts(connection, list(counting))
        now, events, rows = time.time(), [], []
        for entry, base in counting.items():
            data = {"attempt": newest[entry] + 1, "purpose": purpose, "references": references, "base": base}
            data["first"] = first.value
            events.append((entry, "rejudging-began", data))
            rows.append({**data, "entry": entry, "state": State.QUEUED.value, "changed": now, "adopted": False})
        if rows:
            connection.execute(sa.insert(REJUDGING_ATTEMPTS), rows)
            share_results(connection, _COLUMNS.purpose == purpose)
            journal.write_all(connection, events, now)
    return len(begun) + len(rows)


def _counting_attempts(connection: sa.Connection, ids: Sequence[str]) -> dict[str, int]:
    """The number of the attempt that counts by now at each entry that is over, in the same order."""
    numbers: dict[str, int] = {}
    for start in range(0, len(ids), _AT_ONCE):
        query = sa.select(ENTRIES.c.id, ENTRIES.c.attempt).where(ENTRIES.c.id.in_(ids[start : start + _AT_ONCE]))
        over = query.where(ENTRIES.c.state == State.DONE.value)
        numbers.update((identity, attempt) for identity, attempt in connection.execute(over))
    return {identity: numbers[identity] for identity in ids if identity in numbers}


def adopt_rejudging(store: Store, purpose: str) -> tuple[int, bool]:
    """Let the attempts of a rejudging be those that count, all or none, but for those that were excluded.

    Raises UsageError if there are none, one of them has not ended, or another attempt counts now; nothing was changed.

    Returns how many, and whether they count from now on; else they were adopted before, and nothing was changed.
    """
    with store.change() as connection:
        attempts = [attempt for attempt in _all_of(connection, purpose) if attempt.reason.cause is not Cause.EXCLUDED]
        if attempts and all(attempt.adopted for attempt in attempts):
            return len(attempts), False
        if unfinished := [attempt for attempt in attempts if attempt.state is not State.DONE]:
            raise UsageError(
                f"{len(unfinished)} of {len(attempts)} attempts of {purpose!r} have not ended, such as the one at "
                f"{unfinished[0].id}, which is {unfinished[0].state}"
            )
        if not attempts:
            raise UsageError(f"every attempt of {purpose!r} is excluded, so there is nothing to apply")
        counting = _counting_attempts(connection, [attempt.id for attempt in attempts])
        for attempt in attempts:
            if (counts := counting.get(attempt.id, attempt.base)) != attempt.base:
                raise UsageError(
                    f"{purpose!r} was rejudged next to attempt {attempt.base} at {attempt.id}, and since then attempt "
                    f"{counts} {_origin(connection, attempt.id, counts)} counts; nothing was changed. Start another "
                    "rejudging"
                )
        now = time.time()
        same = ENTRIES.c.id == sa.bindparam("its_id")
        rows = [
            {
                "its_id": attempt.id,
                "its_attempt": attempt.attempt,
                "its_state": attempt.state.value,
                "its_reason": attempt.reason.as_text(),
            }
            for attempt in attempts
        ]
        values: dict[str, Any] = {name: sa.bindparam(f"its_{name}") for name in ("attempt", "state", "reason")}
        connection.execute(sa.update(ENTRIES).where(same).values(**values, changed=now), rows)
        ended = (_COLUMNS.purpose == purpose) & (_COLUMNS.state == State.DONE.value)
        connection.execute(sa.update(REJUDGING_ATTEMPTS).where(ended).values(adopted=True))
        events = [(attempt.id, "adopted", {"attempt": attempt.attempt}) for attempt in attempts]
        journal.write_all(connection, events, now)
    return len(attempts), True


def _origin(connection: sa.Connection, entry: str, attempt: int) -> str:
    """Origin of an attempt that counts, in words."""
    where = (_COLUMNS.entry == entry) & (_COLUMNS.attempt == attempt)
    purpose = connection.scalar(sa.select(_COLUMNS.purpose).where(where))
    return "(a retry)" if purpose is None else f"(of {purpose}, applied)"


def _all_of(connection: sa.Connection, purpose: str) -> list[QueuedEntry]:
    """All attempts of a rejudging. Raises UsageError if there are none."""
    attempts = rejudging_attempts(connection, _COLUMNS.purpose == purpose)
    if not attempts:
        raise unknown(purpose, connection.scalars(sa.select(_COLUMNS.purpose).distinct()))
    return attempts


def unknown(purpose: str, purposes: Iterable[str]) -> UsageError:
    """The error for a name that no rejudging has, with the names of all."""
    names = ", ".join(sorted(purposes, key=lambda name: (len(name), name))) or "none"
    return UsageError(f"no rejudging {purpose!r}; there are: {names}")


def discard_rejudging(store: Store, purpose: str) -> int:
    """End the attempts of a rejudging; returns how many. Their results stay, but do not count.

    Raises UsageError if there are none, or they were adopted.
    """
    with store.change() as connection:
        attempts = _all_of(connection, purpose)
        if any(attempt.adopted for attempt in attempts):
            raise UsageError(f"{purpose!r} was applied; nothing was changed")
        reason, now = Reason(cause=Cause.DISCARDED), time.time()
        values = {"state": State.CANCELLED.value, "reason": reason.as_text(), "changed": now}
        connection.execute(sa.update(REJUDGING_ATTEMPTS).where(_COLUMNS.purpose == purpose).values(values))
        data = {"to": State.CANCELLED.value, "reason": reason.as_dict()}
        events = [(attempt.id, "rejudging-moved", {"attempt": attempt.attempt, **data}) for attempt in attempts]
        journal.write_all(connection, events, now)
    return len(attempts)


def retry_rejudging(store: Store, purpose: str, entries: Sequence[str] = ()) -> int:
    """Queue parked attempts of a rejudging again, each under a new number; returns how many.

    Raises UsageError if one of them is not parked, or none is.

    ``entries``: their entries; by default all that are parked.
    """
    with store.change() as connection:
        parked = _parked(connection, purpose, entries)
        for attempt in parked:
            retry_attempt(connection, attempt)
    return len(parked)


def exclude_attempt(store: Store, purpose: str, entry: str, message: str) -> None:
    """Take a parked attempt out of a rejudging: the others can be adopted without it.

    Raises UsageError if it is not parked.
    """
    with store.change() as connection:
        (attempt,) = _parked(connection, purpose, [entry])
        put_state(connection, attempt, State.CANCELLED, Reason(cause=Cause.EXCLUDED, message=message))


def _parked(connection: sa.Connection, purpose: str, entries: Sequence[str]) -> list[QueuedEntry]:
    attempts = {attempt.id: attempt for attempt in _all_of(connection, purpose)}
    for entry in entries:
        if entry not in attempts:
            raise UsageError(f"{entry} is not in {purpose!r}")
        if attempts[entry].state is not State.PARKED:
            raise UsageError(f"{purpose!r}: the attempt at {entry} is {attempts[entry].state}; expected a parked one")
    parked = [attempt for attempt in attempts.values() if attempt.state is State.PARKED]
    if not parked:
        raise UsageError(f"no attempt of {purpose!r} is parked")
    return [attempts[entry] for entry in entries] or parked
