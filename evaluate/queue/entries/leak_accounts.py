"""What is revealed of attempts at hidden exams: decided once for each entry, and never calculated again.

When an attempt is charged, its number, its level and its bits are fixed, from the rows of the team's other attempts in
the phase.  When its score is kept, it is fixed whether the team is shown it, which by the Ladder depends on the best
one that the team was shown before.  Both are in the transaction of what they belong to, so attempts that run at once
cannot use the same room of a budget, and nothing that a team has read changes when an earlier entry ends later.

Bits stay used whatever becomes of the attempt: it may have revealed them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import sqlalchemy as sa

from evaluate.challenge.types import FeedbackRules
from evaluate.queue.db import journal
from evaluate.queue.db.tables import ACCOUNTS, BESTS, ENTRIES, SCORES
from evaluate.report.leaks import Feedback, LeakTerms, Level

Row = sa.RowMapping


def open_account(connection: sa.Connection, entry: Row, terms: LeakTerms, at: float) -> None:
    """Decide what an attempt reveals, unless that is decided.

    ``entry``: the row of the entry.
    """
    if not known(connection, [entry["id"]]):
        others = _of_phase(connection, entry, terms.phase)
        number = 1 + max((one["number"] for one in others), default=0)
        keep(connection, entry["id"], terms.decide(number, sum(one["bits"] for one in others)), at)


def keep(connection: sa.Connection, identity: str, feedback: Feedback, at: float) -> None:
    """Keep what was decided for an entry."""
    row = as_row(feedback)
    connection.execute(sa.insert(ACCOUNTS).values(entry=identity, **row))
    journal.write(connection, identity, "account", row, at)


def settle(connection: sa.Connection, identity: str, at: float) -> None:
    """Decide whether the team is shown the score of the attempt that counts, if it has one.

    Once it was shown one, another attempt at the entry, which a rejudging has let count, is compared with the same best
    score as the first.
    """
    feedback = known(connection, [identity]).get(identity)
    if feedback is None:
        return
    attempt = sa.select(ENTRIES.c.attempt).where(ENTRIES.c.id == identity).scalar_subquery()
    query = sa.select(SCORES.c.value).where(SCORES.c.entry == identity, SCORES.c.attempt == attempt)
    score = connection.execute(query).first()
    if score is None:
        return
    best = feedback.best
    if connection.scalar(sa.select(ACCOUNTS.c.shown).where(ACCOUNTS.c.entry == identity)) is None:
        entry = connection.execute(sa.select(ENTRIES).where(ENTRIES.c.id == identity)).mappings().one()
        others = [one["score"] for one in _of_phase(connection, entry, feedback.phase) if one["score"] is not None]
        best = max(others, default=None)
    put_shown(connection, identity, replace(feedback, best=best), score.value, at)


def put_shown(connection: sa.Connection, identity: str, feedback: Feedback, value: float | None, at: float) -> None:
    """Keep as what the team is shown a score; None: it is not a number."""
    score = feedback.score_shown(math.nan if value is None else value)
    number = None if score is None or math.isnan(score) else score
    data = {"shown": score is not None, "score": number, "best": feedback.best}
    connection.execute(sa.update(ACCOUNTS).where(ACCOUNTS.c.entry == identity).values(**data))
    journal.write(connection, identity, "shown", data, at)
    entry = connection.execute(sa.select(ENTRIES.c.challenge, ENTRIES.c.team).where(ENTRIES.c.id == identity)).one()
    same = (BESTS.c.challenge == entry.challenge) & (BESTS.c.team == entry.team)
    connection.execute(sa.delete(BESTS).where(same))


def known(connection: sa.Connection, ids: Sequence[str]) -> dict[str, Feedback]:
    """What was decided for entries; nothing of those for which nothing was."""
    rows = connection.execute(sa.select(ACCOUNTS).where(ACCOUNTS.c.entry.in_(ids))).mappings()
    return {row["entry"]: _feedback(row) for row in rows}


def as_row(feedback: Feedback) -> dict[str, Any]:
    """The columns of `ACCOUNTS`, but for its entry and what is decided with the score."""
    terms = {
        "rules": asdict(feedback.rules),
        "attempts": feedback.attempts,
        "used": feedback.used,
        "level": feedback.level.value,
        "sizes": dict(feedback.sizes),
    }
    return {"phase": feedback.phase, "number": feedback.number, "bits": feedback.bits, "terms": json.dumps(terms)}


def _feedback(row: Row) -> Feedback:
    terms = json.loads(row["terms"])
    return Feedback(
        rules=FeedbackRules(**terms["rules"]),
        number=row["number"],
        level=Level(terms["level"]),
        sizes=terms["sizes"],
        attempts=terms["attempts"],
        phase=row["phase"],
        used=terms["used"],
        best=row["best"],
    )


def _of_phase(connection: sa.Connection, entry: Row, phase: str) -> list[dict[str, Any]]:
    """The rows of a team's attempts in a phase of a challenge."""
    query = sa.select(ACCOUNTS).join(ENTRIES, ENTRIES.c.id == ACCOUNTS.c.entry)
    query = query.where(ENTRIES.c.challenge == entry["challenge"], ENTRIES.c.team == entry["team"])
    return [dict(row) for row in connection.execute(query.where(ACCOUNTS.c.phase == phase)).mappings()]
