"""Attempts next to the ones that count: created, listed, and adopted or discarded as a set."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from evaluate.core.errors import UsageError
from evaluate.core.model import Stage
from evaluate.store.db import journal
from evaluate.store.db.reasons import Cause, Reason, reason_from_text
from evaluate.store.db.rows import ACTIVE, QueuedEntry, State, entry_of
from evaluate.store.db.tables import ENTRIES, RESULTS, SHADOWS
from evaluate.store.entries import score_provenance
from evaluate.store.entries.store import Store, row_of

_AT_ONCE = 500


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
    """References that the exam is scored against; empty: those that the challenge names."""
    base: int
    """The attempt on whose products it builds."""
    first: Stage
    """The first stage it runs itself."""
    state: State
    reason: Reason
    changed: float
    adopted: bool
    """True if it became the attempt that counts, even if a later one has replaced it."""
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
    """Queue a shadow attempt at each of ``entries`` that is still over, from the stage ``first`` on; how many.

    The stages before it are those of the attempt that counts. Called again after a kill, it adds what is missing. What
    was withdrawn since ``entries`` were read is left out.

    * ``challenge``: the rules to evaluate by; by default those of the entry.
    * ``references``: what to score against; by default what the rules say.
    """
    # all at once and by few statements: 10,000 entries must not keep other writers waiting
    with store.change() as connection:
        known = set(connection.scalars(sa.select(SHADOWS.c.entry).where(SHADOWS.c.purpose == purpose)))
        counting = _counting_attempts(connection, [entry.id for entry in entries if entry.id not in known])
        new = [entry for entry in entries if entry.id in counting]
        newest = _newest_attempts(connection, list(counting))
        data = [
            {
                "attempt": newest[entry.id] + 1,
                "purpose": purpose,
                "challenge": challenge or entry.challenge,
                "references": references,
                "base": counting[entry.id],
                "first": first.value,
            }
            for entry in new
        ]
        now = time.time()
        rest = {"state": State.QUEUED.value, "reason": "", "changed": now, "adopted": False}
        rows = [{**one, **rest, "entry": entry.id} for entry, one in zip(new, data, strict=True)]
        if rows:
            connection.execute(sa.insert(SHADOWS), rows)
            _share_results(connection, SHADOWS.c.purpose == purpose)
            events = [(entry.id, "shadowed", one) for entry, one in zip(new, data, strict=True)]
            journal.write_all(connection, events, now)
    return len(known) + len(new)


def _counting_attempts(connection: sa.Connection, ids: Sequence[str]) -> dict[str, int]:
    """The number of the attempt that counts by now at each entry that is over."""
    found: dict[str, int] = {}
    for start in range(0, len(ids), _AT_ONCE):
        query = sa.select(ENTRIES.c.id, ENTRIES.c.attempt).where(ENTRIES.c.id.in_(ids[start : start + _AT_ONCE]))
        over = query.where(ENTRIES.c.state == State.DONE.value)
        found.update((identity, attempt) for identity, attempt in connection.execute(over))
    return found


def _newest_attempts(connection: sa.Connection, ids: Sequence[str]) -> dict[str, int]:
    """The highest number of any attempt at each entry."""
    found: dict[str, int] = {}
    for start in range(0, len(ids), _AT_ONCE):
        part = ids[start : start + _AT_ONCE]
        counting = sa.select(ENTRIES.c.id, ENTRIES.c.attempt).where(ENTRIES.c.id.in_(part))
        beside = sa.select(SHADOWS.c.entry, sa.func.max(SHADOWS.c.attempt)).where(SHADOWS.c.entry.in_(part))
        tried = sa.select(RESULTS.c.entry, sa.func.max(RESULTS.c.attempt)).where(RESULTS.c.entry.in_(part))
        for query in (counting, beside.group_by(SHADOWS.c.entry), tried.group_by(RESULTS.c.entry)):
            for identity, attempt in connection.execute(query):
                found[identity] = max(found.get(identity, 0), attempt)
    return found


def _share_results(connection: sa.Connection, which: sa.ColumnElement[bool]) -> None:
    """Give shadow attempts the results of the stages that they do not run."""
    for first in list(Stage)[1:]:
        before = [stage.value for stage in first.before]
        columns = [SHADOWS.c.attempt if column.name == "attempt" else column for column in RESULTS.c]
        there = sa.alias(RESULTS)
        same = (there.c.entry == SHADOWS.c.entry) & (there.c.attempt == SHADOWS.c.attempt)
        shared = (
            sa.select(*columns)
            .join_from(SHADOWS, RESULTS, (RESULTS.c.entry == SHADOWS.c.entry) & (RESULTS.c.attempt == SHADOWS.c.base))
            .where(which, SHADOWS.c.first == first.value, RESULTS.c.stage.in_(before))
            .where(~sa.exists().where(same, there.c.stage == RESULTS.c.stage))
        )
        connection.execute(sa.insert(RESULTS).from_select([column.name for column in RESULTS.c], shared))


def shadows_of(store: Store, purpose: str | None = None) -> list[Shadow]:
    """All of one purpose, or of all."""
    return _shadows(store) if purpose is None else _shadows(store, SHADOWS.c.purpose == purpose)


def shadow(store: Store, entry: str, attempt: int, connection: sa.Connection | None = None) -> Shadow | None:
    """One shadow attempt; None if this attempt is not one.

    ``connection``: the transaction to read in; by default none.
    """
    query = sa.select(SHADOWS).where(SHADOWS.c.entry == entry, SHADOWS.c.attempt == attempt)
    with store.database.ask() if connection is None else nullcontext(connection) as reading:
        row = reading.execute(query).mappings().first()
    return _shadow(row) if row is not None else None


def adopt_shadows(store: Store, purpose: str) -> tuple[int, bool]:
    """Let the attempts of one purpose be those that count, all or none, but for those that were excluded.

    Raises UsageError if there are none, one of them has not ended, or another attempt counts now; nothing was changed.

    Returns how many, and whether they count from now on; else they were adopted before, and nothing was changed.
    """
    with store.change() as connection:
        found = [one for one in _all_of(connection, purpose) if one.reason.cause is not Cause.EXCLUDED]
        if found and all(one.adopted for one in found):
            return len(found), False
        if open_ones := [one for one in found if one.state is not State.DONE]:
            raise UsageError(
                f"{len(open_ones)} of {len(found)} attempts of {purpose!r} have not ended, such as the one at "
                f"{open_ones[0].entry}, which is {open_ones[0].state}"
            )
        if not found:
            raise UsageError(f"every attempt of {purpose!r} is excluded, so there is nothing to apply")
        query = sa.select(SHADOWS.c.entry, SHADOWS.c.base, ENTRIES.c.attempt)
        query = query.join(ENTRIES, ENTRIES.c.id == SHADOWS.c.entry).where(SHADOWS.c.purpose == purpose)
        excluded = {one.entry for one in _all_of(connection, purpose)} - {one.entry for one in found}
        for entry, base, counts in connection.execute(query.where(SHADOWS.c.base != ENTRIES.c.attempt)):
            if entry not in excluded:
                other = _adopted(connection, entry, counts)
                raise UsageError(
                    f"{purpose!r} was rejudged next to attempt {base} at {entry}, and since then attempt {counts} "
                    f"{other} counts; nothing was changed. Start another rejudging"
                )
        now = time.time()
        same = ENTRIES.c.id == sa.bindparam("its_id")
        rows = [
            {
                "its_id": one.entry,
                "its_attempt": one.attempt,
                "its_state": one.state.value,
                "its_reason": one.reason.as_text(),
            }
            for one in found
        ]
        values: dict[str, Any] = {name: sa.bindparam(f"its_{name}") for name in ("attempt", "state", "reason")}
        connection.execute(sa.update(ENTRIES).where(same).values(**values, changed=now), rows)
        mine = (SHADOWS.c.purpose == purpose) & (SHADOWS.c.state == State.DONE.value)
        connection.execute(sa.update(SHADOWS).where(mine).values(adopted=True))
        journal.write_all(connection, [(one.entry, "adopted", {"attempt": one.attempt}) for one in found], now)
        score_provenance.renew(connection, found[0].challenge)
    return len(found), True


def _adopted(connection: sa.Connection, entry: str, attempt: int) -> str:
    """Say in words where an attempt that counts comes from."""
    where = (SHADOWS.c.entry == entry) & (SHADOWS.c.attempt == attempt)
    purpose = connection.scalar(sa.select(SHADOWS.c.purpose).where(where))
    return "(a retry)" if purpose is None else f"(of {purpose}, applied)"


def _all_of(connection: sa.Connection, purpose: str) -> list[Shadow]:
    """Return the shadow attempts of one purpose. Raises UsageError if there are none."""
    rows = connection.execute(sa.select(SHADOWS).where(SHADOWS.c.purpose == purpose)).mappings().all()
    if not rows:
        raise UsageError(f"no attempts of {purpose!r}")
    return [_shadow(row) for row in rows]


def drop_shadows(store: Store, purpose: str) -> int:
    """End the attempts of one purpose; returns how many. Their results stay, but do not count.

    Raises UsageError if there are none, or they were adopted.
    """
    with store.change() as connection:
        found = _all_of(connection, purpose)
        if any(one.adopted for one in found):
            raise UsageError(f"{purpose!r} was applied; nothing was changed")
        reason, now = Reason(cause=Cause.DISCARDED), time.time()
        values = {"state": State.CANCELLED.value, "reason": reason.as_text(), "changed": now}
        connection.execute(sa.update(SHADOWS).where(SHADOWS.c.purpose == purpose).values(values))
        data = {"to": State.CANCELLED.value, "reason": reason.as_dict()}
        events = [(one.entry, "shadow-moved", {"attempt": one.attempt, **data}) for one in found]
        journal.write_all(connection, events, now)
    return len(found)


def retry_shadows(store: Store, purpose: str, entries: Sequence[str] = ()) -> int:
    """Queue parked attempts of one purpose again, each under a new number; returns how many.

    Raises UsageError if one of them is not parked, or none is.

    ``entries``: whose; by default all that are parked.
    """
    with store.change() as connection:
        chosen = _parked(connection, purpose, entries)
        newest = _newest_attempts(connection, [one.entry for one in chosen])
        now = time.time()
        for one in chosen:
            attempt = newest[one.entry] + 1
            where = (SHADOWS.c.entry == one.entry) & (SHADOWS.c.attempt == one.attempt)
            values = {"state": State.QUEUED.value, "reason": "", "changed": now, "plan": ""}
            connection.execute(sa.update(SHADOWS).where(where).values(**values, attempt=attempt))
        _share_results(connection, SHADOWS.c.purpose == purpose)
        events = [
            (one.entry, "shadow-retried", {"before": one.attempt, "attempt": newest[one.entry] + 1}) for one in chosen
        ]
        journal.write_all(connection, events, now)
    return len(chosen)


def exclude_shadow(store: Store, purpose: str, entry: str, message: str) -> None:
    """Take a parked attempt out of its set: the others can be adopted without it.

    Raises UsageError if it is not parked.
    """
    with store.change() as connection:
        (one,) = _parked(connection, purpose, [entry])
        reason, now = Reason(cause=Cause.EXCLUDED, message=message), time.time()
        values = {"state": State.CANCELLED.value, "reason": reason.as_text(), "changed": now}
        where = (SHADOWS.c.entry == one.entry) & (SHADOWS.c.attempt == one.attempt)
        connection.execute(sa.update(SHADOWS).where(where).values(values))
        data: dict[str, Any] = {"attempt": one.attempt, "to": State.CANCELLED.value, "reason": reason.as_dict()}
        journal.write(connection, one.entry, "shadow-moved", data, now)


def _parked(connection: sa.Connection, purpose: str, entries: Sequence[str]) -> list[Shadow]:
    found = {one.entry: one for one in _all_of(connection, purpose)}
    for entry in entries:
        if entry not in found:
            raise UsageError(f"{entry} is not in {purpose!r}")
        if found[entry].state is not State.PARKED:
            raise UsageError(f"{purpose!r}: the attempt at {entry} is {found[entry].state}; expected a parked one")
    chosen = [found[entry] for entry in entries] or [one for one in found.values() if one.state is State.PARKED]
    if not chosen:
        raise UsageError(f"no attempt of {purpose!r} is parked")
    return chosen


def take_shadows(
    store: Store,
    most: int,
    begin: Callable[[sa.Connection, QueuedEntry], None] = lambda _connection, _entry: None,
) -> list[Shadow]:
    """Mark some of those that are queued as started, the oldest first.

    ``begin``: called for each attempt, in the transaction.
    """
    with store.database.step("shadows") as connection:
        queued = sa.select(SHADOWS).where(SHADOWS.c.state == State.QUEUED.value)
        rows = connection.execute(queued.order_by(SHADOWS.c.changed, SHADOWS.c.entry).limit(most)).mappings().all()
        started = []
        for row in rows:
            beside = _shadow(row)
            now = time.time()
            where = (SHADOWS.c.entry == beside.entry) & (SHADOWS.c.attempt == beside.attempt)
            connection.execute(sa.update(SHADOWS).where(where).values(state=beside.first.value, changed=now))
            data: dict[str, Any] = {"attempt": beside.attempt, "to": beside.first.value, "reason": {}}
            journal.write(connection, beside.entry, "shadow-moved", data, now)
            taken = replace(beside, state=State(beside.first.value), changed=now)
            begin(connection, _as_seen(entry_of(row_of(connection, beside.entry)), taken))
            started.append(taken)
    return started


def shadows_in_stages(store: Store) -> list[Shadow]:
    """Return the shadow attempts in their stages."""
    return _shadows(store, SHADOWS.c.state.in_([stage.value for stage in Stage]))


def attempt_of(store: Store, identity: str, attempt: int) -> QueuedEntry:
    """An entry as an attempt at it sees it: a shadow attempt has its own number, rules and state."""
    entry = store.entry(identity)
    if attempt == entry.attempt or (beside := shadow(store, identity, attempt)) is None:
        return entry
    return _as_seen(entry, beside)


def locked_attempt(connection: sa.Connection, identity: str, attempt: int) -> QueuedEntry | None:
    """As `attempt_of`, in a transaction, which keeps others from changing it; None if it is not in its stages."""
    row = connection.execute(sa.select(ENTRIES).where(ENTRIES.c.id == identity).with_for_update()).mappings().first()
    if row is None:
        return None
    entry = entry_of(row)
    if entry.attempt != attempt:
        same = (SHADOWS.c.entry == identity) & (SHADOWS.c.attempt == attempt)
        row = connection.execute(sa.select(SHADOWS).where(same).with_for_update()).mappings().first()
        if row is None:
            return None
        entry = _as_seen(entry, _shadow(row))
    return entry if entry.state in ACTIVE else None


def attempts_in_stages(store: Store) -> list[QueuedEntry]:
    """Attempts in their stages, as they see their entries."""
    beside = shadows_in_stages(store)
    ids = sorted({one.entry for one in beside})
    entries = {entry.id: entry for entry in store.entries(ENTRIES.c.id.in_(ids))} if ids else {}
    return store.in_stages() + [_as_seen(entries[one.entry], one) for one in beside]


def _as_seen(entry: QueuedEntry, beside: Shadow) -> QueuedEntry:
    return replace(
        entry,
        attempt=beside.attempt,
        challenge=beside.challenge,
        references=beside.references,
        state=beside.state,
        reason=beside.reason,
        changed=beside.changed,
        plan=beside.plan,
        shadow=True,
    )


def _shadows(store: Store, *where: sa.ColumnElement[bool]) -> list[Shadow]:
    query = sa.select(SHADOWS).where(*where).order_by(SHADOWS.c.entry, SHADOWS.c.attempt)
    with store.database.ask() as connection:
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
