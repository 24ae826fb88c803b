"""The scores of subgroups beside a board, as its readers may see them; none of a hidden exam."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from evaluate.config.challenge.types import Challenge
from evaluate.report.audience import Policy, measures_on_board
from evaluate.store.db.attempts import Attempt
from evaluate.store.db.tables import ENTRIES, SCORES
from evaluate.store.entries.best_attempts import with_resampled
from metrics.display import GroupLine, group_lines

if TYPE_CHECKING:
    from evaluate.store.entries.store import Store
    from evaluate.views.board import BoardRow

_AT_ONCE = 500


def groups_of(store: Store, challenge: Challenge, places: Sequence[BoardRow]) -> dict[str, tuple[GroupLine, ...]]:
    """Entry -> the scores of its subgroups, without their intervals; empty if the metric's options have none."""
    policy = Policy(hidden_exam=challenge.hides_exams)
    if not challenge.has_subgroups or policy.hidden_exam:
        return {}
    keys, attempts = scored_attempts(store, places)
    groups = {
        attempt.entry: group_lines(keys[attempt.entry], measures_on_board(attempt.values, policy), {})
        for attempt in with_resampled(store, [attempt for attempt in attempts if attempt.entry in keys])
    }
    return {entry: lines for entry, lines in groups.items() if lines}


def scored_attempts(store: Store, places: Sequence[BoardRow]) -> tuple[dict[str, str], list[Attempt]]:
    """The name of the primary measure of each entry that has one, and of each place the attempt that counts."""
    same = (SCORES.c.entry == ENTRIES.c.id) & (SCORES.c.attempt == ENTRIES.c.attempt)
    query = sa.select(ENTRIES.c.id, ENTRIES.c.attempt, ENTRIES.c.submitted, SCORES.c.key).join(SCORES, same)
    rows: dict[str, Any] = {}
    with store.engine.connect() as connection:
        for first in range(0, len(places), _AT_ONCE):
            asked = [row.entry for row in places[first : first + _AT_ONCE]]
            rows |= {row.id: row for row in connection.execute(query.where(ENTRIES.c.id.in_(asked)))}
    attempts = []
    for board_row in places:
        row = rows.get(board_row.entry)
        number, submitted = (1, 0.0) if row is None else (row.attempt, row.submitted)
        attempts.append(
            Attempt(
                entry=board_row.entry,
                team=board_row.team,
                number=0,
                submitted=submitted,
                score=board_row.score,
                attempt=number,
            )
        )
    return {entry: row.key for entry, row in rows.items()}, attempts
