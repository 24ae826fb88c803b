"""Information revealed about attempts at hidden exams: decided once for each entry, when its attempt is charged.

Its number is counted from the team's other attempts at the same hidden records, in the transaction that charges it: so
attempts that run at once have different numbers.  It stays whatever comes of the attempt: it may have revealed them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import sqlalchemy as sa

from evaluate.config.challenge.types import Show
from evaluate.config.terms import Phase, phase_at
from evaluate.report.audience import Feedback
from evaluate.store.db import journal
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.db.tables import ACCOUNTS, ENTRIES, SCORES

Row = sa.RowMapping


@dataclass(frozen=True, kw_only=True)
class Account:
    """Account of what an attempt that is about to be charged reveals, before it has a number."""

    data: str
    """Digest of what its exam is judged by (`evaluate.receipts.exam_data`)."""
    show: Show
    digits: int
    withheld: bool


def open_account(connection: sa.Connection, entry: QueuedEntry, account: Account, at: float) -> None:
    """Keep what an attempt reveals, unless that is decided."""
    if connection.scalar(sa.select(ACCOUNTS.c.entry).where(ACCOUNTS.c.entry == entry.id)) is not None:
        return
    others = sa.select(sa.func.max(ACCOUNTS.c.number)).join(ENTRIES, ENTRIES.c.id == ACCOUNTS.c.entry)
    others = others.where(ENTRIES.c.challenge == entry.challenge, ENTRIES.c.team == entry.team)
    number = 1 + (connection.scalar(others.where(ACCOUNTS.c.data == account.data)) or 0)
    row = {**asdict(account), "show": account.show.value, "number": number}
    connection.execute(sa.insert(ACCOUNTS).values(entry=entry.id, **row))
    journal.write(connection, entry.id, "account", row, at)


def decisions(connection: sa.Connection, ids: Sequence[str], phases: Sequence[Phase]) -> dict[str, Feedback]:
    """Return the decisions for entries to one challenge; nothing for those without a decision.

    ``phases``: of the challenge.
    """
    query = sa.select(ACCOUNTS, ENTRIES.c.submitted).join(ENTRIES, ENTRIES.c.id == ACCOUNTS.c.entry)
    rows = connection.execute(query.where(ACCOUNTS.c.entry.in_(ids))).mappings()
    decided = {row["entry"]: _feedback(row, phases) for row in rows}
    best = _best(connection, [entry for entry, decision in decided.items() if not decision.at_once], phases)
    return {entry: replace(decision, best=entry in best) for entry, decision in decided.items()}


def _feedback(row: Row, phases: Sequence[Phase]) -> Feedback:
    phase = phase_at(phases, row["submitted"])
    return Feedback(
        show=Show(row["show"]),
        digits=row["digits"],
        number=row["number"],
        withheld=bool(row["withheld"]),
        over=phase is not None and phase.ends <= time.time(),
    )


def _best(connection: sa.Connection, ids: Sequence[str], phases: Sequence[Phase]) -> set[str]:
    """Return the best attempt in each phase of every team that has one of these entries; of equal ones the first."""
    if not ids:
        return set()
    asked = ENTRIES.alias("asked")
    same = (ENTRIES.c.challenge == asked.c.challenge) & (ENTRIES.c.team == asked.c.team)
    of_teams = (
        sa.select(ENTRIES.c.id, ENTRIES.c.challenge, ENTRIES.c.team, ENTRIES.c.submitted)
        .join(ACCOUNTS, ACCOUNTS.c.entry == ENTRIES.c.id)
        .join(SCORES, (SCORES.c.entry == ENTRIES.c.id) & (SCORES.c.attempt == ENTRIES.c.attempt))
        .where(ENTRIES.c.state == State.DONE.value, ENTRIES.c.charged, sa.exists().where(asked.c.id.in_(ids), same))
        .order_by(SCORES.c.value.is_(None), SCORES.c.value.desc(), ENTRIES.c.number)
    )
    best: dict[tuple[str, str, Phase | None], str] = {}
    for row in connection.execute(of_teams):
        best.setdefault((row.challenge, row.team, phase_at(phases, row.submitted)), row.id)
    return set(best.values())
