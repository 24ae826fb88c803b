"""The scores of subgroups beside a board, as its readers may see them; none of a hidden exam."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import sqlalchemy as sa

from evaluate.challenge.types import Challenge
from evaluate.queue.db.attempts import Attempt
from evaluate.queue.db.tables import ENTRIES, SCORES
from evaluate.queue.entries.best_attempts import with_resampled
from evaluate.report.audience import Policy, measures_on_board
from metrics.display import GroupLine, group_lines

if TYPE_CHECKING:
    from evaluate.queue.entries.store import Store
    from evaluate.queue.views.board import BoardRow

_AT_ONCE = 500


def groups_of(store: Store, challenge: Challenge, places: Sequence[BoardRow]) -> dict[str, tuple[GroupLine, ...]]:
    """Entry -> the scores of its subgroups, without their intervals; empty if the metric's options have none."""
    policy = Policy(hidden_exam=challenge.exam.hidden)
    if not challenge.has_subgroups or policy.hidden_exam:
        return {}
    same = (SCORES.c.entry == ENTRIES.c.id) & (SCORES.c.attempt == ENTRIES.c.attempt)
    query = sa.select(ENTRIES.c.id, ENTRIES.c.attempt, SCORES.c.key).join(SCORES, same)
    known = {place.entry: place for place in places}
    keys: dict[str, str] = {}
    attempts = []
    with store.engine.connect() as connection:
        for first in range(0, len(places), _AT_ONCE):
            asked = [place.entry for place in places[first : first + _AT_ONCE]]
            for row in connection.execute(query.where(ENTRIES.c.id.in_(asked))):
                keys[row.id] = row.key
                team, score = known[row.id].team, known[row.id].score
                attempts.append(
                    Attempt(entry=row.id, team=team, number=0, submitted=0.0, score=score, attempt=row.attempt)
                )
    found = {
        one.entry: group_lines(keys[one.entry], measures_on_board(one.values, policy), {})
        for one in with_resampled(store, attempts)
    }
    return {entry: lines for entry, lines in found.items() if lines}
