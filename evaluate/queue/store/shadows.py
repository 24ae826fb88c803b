"""Attempts next to the ones that count: created, listed, and adopted or discarded as a set."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from evaluate.core.errors import UsageError
from evaluate.core.model import Stage
from evaluate.queue.store import journal
from evaluate.queue.store.entries import Store, newest_attempt, row_of
from evaluate.queue.store.reasons import Cause, Reason, reason_from_text
from evaluate.queue.store.rows import QueuedEntry, State, entry_of
from evaluate.queue.store.tables import ENTRIES, OUTCOMES, RESULTS, SHADOWS


@dataclass(frozen=True, kw_only=True)
class Shadow:
    """An attempt at an entry next to the one that counts, such as a rejudging: its products are separate, it costs
    nothing, and the entry stays what it is until the attempt is adopted.
    """

    entry: str
    attempt: int
    purpose: str
    """The set it belongs to; all of one purpose are adopted or discarded together."""
    challenge: str
    """Name or folder of the rules, which need not be those of the entry."""
    references: str
    """What the exam is scored against; empty: what the challenge says."""
    base: int
    """The attempt on whose products it builds."""
    first: Stage
    """The first stage it runs itself."""
    state: State
    reason: Reason
    changed: float
    adopted: bool
    """Whether it became the attempt that counts, even if a later one has replaced it."""
    owner: str
    flow: int
    plan: str


def begin_shadows(
    store: Store,
    entries: Sequence[QueuedEntry],
    purpose: str,
    first: Stage,
    *,
    challenge: str = "",
    references: str = "",
) -> int:
    """Queue a shadow attempt at each of ``entries``, from the stage ``first`` on; how many.

    The stages before it are those of the attempt that counts. Called again after a kill, it adds what is missing.

    Parameters
    ----------
    challenge : str
        The rules to evaluate by; by default those of the entry.
    references : str
        What to score against; by default what the rules say.
    """
    with store.change() as connection:
        for entry in entries:
            where = (SHADOWS.c.entry == entry.id) & (SHADOWS.c.purpose == purpose)
            if connection.scalar(sa.select(SHADOWS.c.attempt).where(where)) is not None:
                continue
            attempt = newest_attempt(connection, entry_of(row_of(connection, entry.id))) + 1
            data = {
                "attempt": attempt,
                "purpose": purpose,
                "challenge": challenge or entry.challenge,
                "references": references,
                "base": entry.attempt,
                "first": first.value,
            }
            put_shadow(connection, entry.id, data, time.time())
            journal.write(connection, entry.id, "shadowed", data)
    return len(entries)


def put_shadow(connection: sa.Connection, entry: str, data: dict[str, object], at: float) -> None:
    """The row of a new shadow attempt, which has the results of the stages that it does not run."""
    before = [stage.value for stage in list(Stage)[: list(Stage).index(Stage(str(data["first"])))]]
    for table in (RESULTS, OUTCOMES):
        columns = [sa.literal(data["attempt"]) if column.name == "attempt" else column for column in table.c]
        base = (table.c.entry == entry) & (table.c.attempt == data["base"]) & table.c.stage.in_(before)
        names = [column.name for column in table.c]
        connection.execute(sa.insert(table).from_select(names, sa.select(*columns).where(base)))
    row = {**data, "entry": entry, "state": State.QUEUED.value, "changed": at, "adopted": False}
    row |= {"owner": "", "flow": 0}
    connection.execute(sa.insert(SHADOWS).values(row))


def shadows_of(store: Store, purpose: str | None = None) -> list[Shadow]:
    """All of one purpose, or of all."""
    return _shadows(store) if purpose is None else _shadows(store, SHADOWS.c.purpose == purpose)


def shadow(store: Store, entry: str, attempt: int) -> Shadow | None:
    """One shadow attempt; None if this attempt is not one."""
    found = _shadows(store, SHADOWS.c.entry == entry, SHADOWS.c.attempt == attempt)
    return found[0] if found else None


def shadow_in(connection: sa.Connection, entry: str, attempt: int) -> Shadow:
    """One shadow attempt, which must exist."""
    where = (SHADOWS.c.entry == entry) & (SHADOWS.c.attempt == attempt)
    return _shadow(connection.execute(sa.select(SHADOWS).where(where)).mappings().one())


def adopt_shadows(store: Store, purpose: str) -> int:
    """Let the attempts of one purpose be those that count, all or none; returns how many.

    Raises
    ------
    UsageError
        There are none, or one of them has not ended; nothing was changed.
    """
    with store.change() as connection:
        rows = connection.execute(sa.select(SHADOWS).where(SHADOWS.c.purpose == purpose)).mappings().all()
        found = [_shadow(row) for row in rows]
        if not found:
            raise UsageError(f"no attempts of {purpose!r}")
        if open_ones := [one for one in found if one.state is not State.DONE]:
            raise UsageError(
                f"{len(open_ones)} of {len(found)} attempts of {purpose!r} have not ended, such as the one at "
                f"{open_ones[0].entry}, which is {open_ones[0].state}"
            )
        for one in found:
            counts = row_of(connection, one.entry)["attempt"]
            if counts != one.base:
                raise UsageError(
                    f"{purpose!r} builds on attempt {one.base} at {one.entry}, and attempt {counts} is the one that "
                    "counts now; nothing was changed"
                )
        for one in found:
            put_adopted(connection, one, time.time())
            journal.write(connection, one.entry, "adopted", {"attempt": one.attempt})
    return len(found)


def put_adopted(connection: sa.Connection, one: Shadow, at: float) -> None:
    """Make the attempt the one that counts."""
    values = {"attempt": one.attempt, "state": one.state.value, "reason": one.reason.as_text(), "changed": at}
    connection.execute(sa.update(ENTRIES).where(ENTRIES.c.id == one.entry).values(values))
    where = (SHADOWS.c.entry == one.entry) & (SHADOWS.c.attempt == one.attempt)
    connection.execute(sa.update(SHADOWS).where(where).values(adopted=True))


def drop_shadows(store: Store, purpose: str) -> int:
    """End the attempts of one purpose; returns how many. Their results stay, but do not count.

    Raises
    ------
    UsageError
        There are none, or they were adopted.
    """
    with store.change() as connection:
        rows = connection.execute(sa.select(SHADOWS).where(SHADOWS.c.purpose == purpose)).mappings().all()
        found = [_shadow(row) for row in rows]
        if not found:
            raise UsageError(f"no attempts of {purpose!r}")
        if any(one.adopted for one in found):
            raise UsageError(f"{purpose!r} was applied; nothing was changed")
        reason = Reason(cause=Cause.DISCARDED)
        for one in found:
            put_shadow_state(connection, one.entry, one.attempt, State.CANCELLED, reason, time.time())
            data: dict[str, Any] = {"attempt": one.attempt, "to": State.CANCELLED.value, "reason": reason.as_dict()}
            journal.write(connection, one.entry, "shadow-moved", data)
    return len(found)


def put_shadow_state(
    connection: sa.Connection, entry: str, attempt: int, state: State, reason: Reason, at: float
) -> None:
    """Record where a shadow attempt is now."""
    where = (SHADOWS.c.entry == entry) & (SHADOWS.c.attempt == attempt)
    values = {"state": state.value, "reason": reason.as_text(), "changed": at}
    connection.execute(sa.update(SHADOWS).where(where).values(values))


def take_shadows(store: Store, most: int, owner: str) -> list[Shadow]:
    """Mark some of those that are queued as started by ``owner``, the oldest first."""
    with store.change() as connection:
        queued = sa.select(SHADOWS).where(SHADOWS.c.state == State.QUEUED.value)
        rows = connection.execute(queued.order_by(SHADOWS.c.changed, SHADOWS.c.entry).limit(most)).mappings().all()
        taken = []
        for row in rows:
            one = _shadow(row)
            values = {"state": one.first.value, "owner": owner, "changed": time.time()}
            where = (SHADOWS.c.entry == one.entry) & (SHADOWS.c.attempt == one.attempt)
            connection.execute(sa.update(SHADOWS).where(where).values(values))
            data: dict[str, Any] = {"attempt": one.attempt, "to": one.first.value, "reason": {}}
            journal.write(connection, one.entry, "shadow-moved", data)
            taken.append(replace(one, state=State(one.first.value), owner=owner))
    return taken


def owned_shadows(store: Store, owner: str | None = None) -> list[Shadow]:
    """Those in their stages: of one executor, or of all."""
    within = SHADOWS.c.state.in_([stage.value for stage in Stage])
    return _shadows(store, within) if owner is None else _shadows(store, within, SHADOWS.c.owner == owner)


def attempt_of(store: Store, identity: str, attempt: int) -> QueuedEntry:
    """An entry as an attempt at it sees it: a shadow attempt has its own number, rules and state."""
    entry = store.entry(identity)
    if attempt == entry.attempt or (found := shadow(store, identity, attempt)) is None:
        return entry
    return _as_seen(entry, found)


def attempts_in_stages(store: Store, owner: str | None = None) -> list[QueuedEntry]:
    """Attempts in their stages, as they see their entries: of one executor, or of all."""
    beside = owned_shadows(store, owner)
    ids = sorted({one.entry for one in beside})
    entries = {entry.id: entry for entry in store.entries(ENTRIES.c.id.in_(ids))} if ids else {}
    return store.owned(owner) + [_as_seen(entries[one.entry], one) for one in beside]


def _as_seen(entry: QueuedEntry, found: Shadow) -> QueuedEntry:
    return replace(
        entry,
        attempt=found.attempt,
        challenge=found.challenge,
        references=found.references,
        state=found.state,
        reason=found.reason,
        changed=found.changed,
        owner=found.owner,
        flow=found.flow,
        plan=found.plan,
    )


def _shadows(store: Store, *where: sa.ColumnElement[bool]) -> list[Shadow]:
    query = sa.select(SHADOWS).where(*where).order_by(SHADOWS.c.entry, SHADOWS.c.attempt)
    with store.engine.connect() as connection:
        return [_shadow(row) for row in connection.execute(query).mappings()]


def _shadow(row: sa.RowMapping) -> Shadow:
    found = {str(key): value for key, value in row.items()}
    return Shadow(
        **{
            **found,
            "state": State(row["state"]),
            "first": Stage(row["first"]),
            "reason": reason_from_text(row["reason"]),
        }
    )
