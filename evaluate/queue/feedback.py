"""What the team of an entry may see, by the attempts that it has made at a hidden exam before."""

from __future__ import annotations

import json
from dataclasses import replace

import sqlalchemy as sa

from evaluate.challenge import Challenge
from evaluate.core.codec import from_json
from evaluate.core.model import Score, Usage
from evaluate.host.config import Config, Phase
from evaluate.queue.store.entries import Store
from evaluate.queue.store.releases import scores_released
from evaluate.queue.store.rows import QueuedEntry
from evaluate.queue.store.tables import ENTRIES, SCORES
from evaluate.queue.views.board import Place
from evaluate.queue.work import challenge_of
from evaluate.report.audience import Policy, on_board
from evaluate.report.leaks import Feedback, after, coarse, numbers_in


def policy_of(config: Config, store: Store, entry: QueuedEntry) -> Policy:
    """What the team of an entry may not see.

    Raises
    ------
    ChallengeError
        The challenge is wrong, or missing.
    """
    challenge = challenge_of(entry)
    released = scores_released(config, store, entry.challenge)
    feedback = _feedback(config, store, entry, challenge) if challenge.exam.hidden else None
    return Policy(hidden_exam=challenge.exam.hidden, scores_released=released, feedback=feedback)


def _feedback(config: Config, store: Store, entry: QueuedEntry, challenge: Challenge) -> Feedback:
    terms = config.terms(entry.challenge)
    phase = terms.phase(entry.submitted) or Phase(name="")
    limits, records = challenge.limits["exam"], len(challenge.exam.records)
    feedback = Feedback(
        rules=challenge.feedback,
        records=records,
        seconds=limits.wall_seconds * records,
        instructions=limits.instructions * records,
        memory_bytes=limits.memory_bytes,
        attempts=terms.allowed(challenge.board) if phase.attempts is None else phase.attempts,
        numbers=numbers_in(_score(store, entry.id, entry.attempt)),
    )
    before = (
        (ENTRIES.c.challenge == entry.challenge)
        & (ENTRIES.c.team == entry.team)
        & (ENTRIES.c.number < entry.number)
        & (ENTRIES.c.submitted >= max(phase.begins, 0.0))
        & ENTRIES.c.charged
    )
    earlier = [_score(store, one.id, one.attempt) for one in store.entries(before)]
    used, best = after(feedback, earlier)
    return replace(feedback, number=len(earlier) + 1, used=used, best=best)


def _score(store: Store, identity: str, attempt: int) -> Score | None:
    with store.engine.connect() as connection:
        where = (SCORES.c.entry == identity) & (SCORES.c.attempt == attempt)
        row = connection.scalar(sa.select(SCORES.c.score).where(where))
        return None if row is None else from_json(Score, json.loads(store.details.text(row, connection)))


def place_for_team(place: Place, policy: Policy) -> Place:
    """A place of a board as teams may see it."""
    if policy.feedback is None:
        return place
    usage = coarse(Usage(instructions=place.instructions, wall_seconds=place.wall_seconds))
    return replace(
        place,
        score=on_board(place.score, policy),
        low=on_board(place.low, policy),
        high=on_board(place.high, policy),
        instructions=usage.instructions,
        wall_seconds=usage.wall_seconds,
    )
