"""What the team of an entry may see, by what was decided of its attempts at a hidden exam."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace

import sqlalchemy as sa

from evaluate.challenge.cache import load_challenge
from evaluate.challenge.types import Challenge
from evaluate.config.terms import Phase
from evaluate.config.types import Config
from evaluate.core.codec import from_json
from evaluate.core.model import Score, Stage, Usage
from evaluate.queue.db.rows import QueuedEntry, entry_of
from evaluate.queue.db.tables import ACCOUNTS, ENTRIES, RESULTS, SCORES
from evaluate.queue.entries import leak_accounts
from evaluate.queue.entries.store import Store
from evaluate.queue.people.releases import scores_released
from evaluate.queue.storage.stage_folders import challenge_of
from evaluate.queue.views.board import BoardRow
from evaluate.report.audience import Policy, interval_on_board, on_board, usage_on_board
from evaluate.report.leaks import Feedback, LeakTerms, Level, by_the_old_rule, terms_of


def policy_of(config: Config, store: Store, entry: QueuedEntry) -> Policy:
    """What the team of an entry may not see. Raises ChallengeError if the challenge is wrong, or missing."""
    challenge = challenge_of(entry)
    released = scores_released(config, store.settings, entry.challenge)
    feedback = _feedback(config, store, entry, challenge) if challenge.exam.hidden else None
    return Policy(
        hidden_exam=challenge.exam.hidden,
        hidden_training=challenge.hides_training,
        scores_released=released,
        feedback=feedback,
    )


def policies_of(config: Config, store: Store, known: str, ids: Sequence[str]) -> dict[str, Policy]:
    """As `policy_of`, for entries to one challenge, by a fixed number of questions."""
    if not ids:
        return {}
    challenge = load_challenge(known)
    released = scores_released(config, store.settings, known)
    if not challenge.exam.hidden:
        return dict.fromkeys(ids, Policy(hidden_exam=False, scores_released=released))
    with store.engine.connect() as connection:
        decided = leak_accounts.known(connection, ids)
    phases = config.terms(known).phases
    found = {
        identity: Policy(
            hidden_exam=True,
            hidden_training=challenge.hides_training,
            scores_released=released,
            feedback=_ended(feedback, phases),
        )
        for identity, feedback in decided.items()
    }
    # those of an earlier version are decided once, now
    return found | {one: policy_of(config, store, store.entry(one)) for one in ids if one not in found}


def charge(config: Config, store: Store, entry: QueuedEntry) -> None:
    """Charge an attempt that is about to reveal hidden data, and decide how much.

    Raises ChallengeError if the challenge is wrong, or missing.
    """
    challenge = challenge_of(entry)
    terms = None
    if challenge.exam.hidden:
        _decide_earlier(config, store, entry, challenge)
        terms = _terms(config, entry, challenge)
    store.charge(entry.id, entry.attempt, terms)


def _feedback(config: Config, store: Store, entry: QueuedEntry, challenge: Challenge) -> Feedback:
    with store.engine.connect() as connection:
        found = leak_accounts.known(connection, [entry.id]).get(entry.id)
    if found is None and entry.charged:
        _decide_earlier(config, store, entry, challenge)
        with store.engine.connect() as connection:
            found = leak_accounts.known(connection, [entry.id]).get(entry.id)
    if found is None:  # nothing was decided, so nothing is revealed
        return Feedback(rules=challenge.feedback, number=0, level=Level.VERDICT)
    return _ended(found, config.terms(entry.challenge).phases)


def _ended(feedback: Feedback, phases: Sequence[Phase]) -> Feedback:
    """What was decided, with whether its phase is over."""
    ends = next((one.ends for one in phases if one.name == feedback.phase), None)
    return replace(feedback, over=ends is not None and ends <= time.time())


def _terms(config: Config, entry: QueuedEntry, challenge: Challenge) -> LeakTerms:
    rules = config.terms(entry.challenge)
    phase = rules.phase(entry.submitted) or Phase(name="")
    attempts = rules.allowed(challenge.board) if phase.attempts is None else phase.attempts
    return terms_of(challenge, attempts, phase.name)


def _decide_earlier(config: Config, store: Store, entry: QueuedEntry, challenge: Challenge) -> None:
    """Decide once, by the rule of that time, what the team's attempts reveal that an earlier version charged."""
    undecided = (
        (ENTRIES.c.challenge == entry.challenge)
        & (ENTRIES.c.team == entry.team)
        & ENTRIES.c.charged
        & sa.exists().where(RESULTS.c.entry == ENTRIES.c.id, RESULTS.c.stage == Stage.EXAM.value)
        & ~sa.exists().where(ACCOUNTS.c.entry == ENTRIES.c.id)
    )
    if not store.entries(undecided):
        return
    with store.change() as connection:
        now = time.time()
        rows = connection.execute(sa.select(ENTRIES).where(undecided).order_by(ENTRIES.c.number)).mappings()
        by_phase: dict[str, tuple[LeakTerms, list[QueuedEntry]]] = {}
        for one in map(entry_of, rows):
            terms = _terms(config, one, challenge)
            by_phase.setdefault(terms.phase, (terms, []))[1].append(one)
        for terms, entries in by_phase.values():
            scores = [_score(store, connection, one) for one in entries]
            for one, score, feedback in zip(entries, scores, by_the_old_rule(terms, scores), strict=True):
                leak_accounts.keep(connection, one.id, feedback, now)
                if score is not None:
                    leak_accounts.put_shown(connection, one.id, feedback, score.values[score.primary], now)


def _score(store: Store, connection: sa.Connection, entry: QueuedEntry) -> Score | None:
    where = (SCORES.c.entry == entry.id) & (SCORES.c.attempt == entry.attempt)
    row = connection.scalar(sa.select(SCORES.c.score).where(where))
    return None if row is None else from_json(Score, json.loads(store.details.text(row, connection)))


def place_for_team(place: BoardRow, policy: Policy) -> BoardRow:
    """A place of a board as teams may see it."""
    usage = usage_on_board(Usage(instructions=place.instructions, wall_seconds=place.wall_seconds), policy)
    return replace(
        place,
        score=on_board(place.score, policy),
        low=interval_on_board(place.low, policy),
        high=interval_on_board(place.high, policy),
        instructions=usage.instructions,
        wall_seconds=usage.wall_seconds,
    )
