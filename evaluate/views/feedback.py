"""Limits on the view of an entry's team, by the decisions about its attempts at a hidden exam."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import sqlalchemy as sa

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import FeedbackRules, Show
from evaluate.config.load import NamedChallenge
from evaluate.config.types import Config
from evaluate.core.errors import ChallengeError, UsageError
from evaluate.core.model import Usage
from evaluate.report.audience import Feedback, Policy, on_board, usage_on_board
from evaluate.store.db.rows import AttemptRules, QueuedEntry
from evaluate.store.db.tables import ENTRIES
from evaluate.store.entries import leak_accounts
from evaluate.store.entries.bases import rules_of, with_rules
from evaluate.store.entries.leak_accounts import Account
from evaluate.store.entries.store import Store
from evaluate.store.files.stage_folders import challenge_of
from evaluate.store.people.site_settings import scores_released
from evaluate.views.board import BoardRow, board_of


def attempt_rules(store: Store, entry: QueuedEntry) -> AttemptRules:
    """The rules that an attempt began with; before it began, those of its challenge now.

    Raises ChallengeError if that is wrong, or missing.
    """
    return with_rules(store, entry).rules or rules_of(challenge_of(entry))


def policy_of(config: Config, store: Store, entry: QueuedEntry) -> Policy:
    """Limits on the view of an entry's team, by the rules that its attempt began with.

    Raises ChallengeError if it did not begin, and the challenge is wrong, or missing.
    """
    rules = attempt_rules(store, entry)
    released = scores_released(config, store.settings, entry.challenge)
    feedback = _feedback(config, store, entry, rules.feedback) if rules.hidden_exam else None
    return Policy(
        hidden_exam=rules.hidden_exam,
        hidden_training=rules.hidden_training,
        scores_released=released,
        feedback=feedback,
    )


def policies_of(config: Config, store: Store, challenge_name: str, ids: Sequence[str]) -> dict[str, Policy]:
    """Policies as of `policy_of` for entries to one challenge, by a fixed number of questions."""
    if not ids:
        return {}
    try:
        challenge = load_challenge(challenge_name)
    except (ChallengeError, UsageError):  # entries that have ended need nothing of it
        return {identity: policy_of(config, store, store.entry(identity)) for identity in ids}
    released = scores_released(config, store.settings, challenge_name)
    query = sa.select(ENTRIES.c.id).where(ENTRIES.c.id.in_(ids))
    shown = [exam for exam in challenge.exams if not challenge.hides(exam)]
    with store.engine.connect() as connection:
        public = set(connection.scalars(query.where(ENTRIES.c.data.in_(shown)))) if shown else set()
        decided = leak_accounts.decisions(connection, ids, config.terms(challenge_name).phases)
    policies = {
        identity: Policy(
            hidden_exam=True,
            hidden_training=challenge.hides_training,
            scores_released=released,
            feedback=feedback,
        )
        for identity, feedback in decided.items()
    }
    nothing = Policy(
        hidden_exam=True,
        hidden_training=challenge.hides_training,
        scores_released=released,
        feedback=Feedback(show=Show.VERDICT, digits=challenge.feedback.digits),  # they have not reached the exam
    )
    policies |= dict.fromkeys(public, Policy(hidden_exam=False, scores_released=released))
    return {identity: policies.get(identity, nothing) for identity in ids}


def charge(config: Config, store: Store, entry: QueuedEntry, data: str) -> None:
    """Charge an attempt that is about to reveal hidden data, and decide how much, by the rules that it began with.

    Raises ChallengeError if it did not begin, and the challenge is wrong, or missing.

    ``data``: digest of the data that judges its exam.
    """
    rules, account = attempt_rules(store, entry), None
    if rules.hidden_exam:
        account = Account(
            data=data,
            show=rules.feedback.show,
            digits=rules.feedback.digits,
            withheld=not scores_released(config, store.settings, entry.challenge),
        )
    store.charge(entry.id, entry.attempt, account)


def _feedback(config: Config, store: Store, entry: QueuedEntry, rules: FeedbackRules) -> Feedback:
    phases = config.terms(entry.challenge).phases
    with store.engine.connect() as connection:
        decided = leak_accounts.decisions(connection, [entry.id], phases).get(entry.id)
    # where nothing was decided, nothing is revealed
    return Feedback(show=Show.VERDICT, digits=rules.digits) if decided is None else decided


def places_of(store: Store, config: Config, named: NamedChallenge, *, public: bool = True) -> list[BoardRow]:
    """The board of a challenge; ``public``: as its teams may see it."""
    rules, terms = named.challenge, named.terms
    board = (named.store_name, terms.phases, terms.allowed(rules.board), rules.board.decimals)
    rows = board_of(store, *board, hides=rules.hides)
    if not public or not rules.hides_exams:
        return rows
    return places_for_teams(rows, policies_of(config, store, named.store_name, [row.entry for row in rows]))


def places_for_teams(places: Sequence[BoardRow], policies: Mapping[str, Policy]) -> list[BoardRow]:
    """The places of a board as teams may see them, all scores to the fewest digits that an attempt is shown to.

    ``policies``: entry -> policy, for every row.
    """
    told = [policies[row.entry].feedback for row in places]
    digits = min((feedback.digits for feedback in told if feedback is not None), default=0)
    return [_for_teams(row, policies[row.entry], digits) for row in places]


def _for_teams(row: BoardRow, policy: Policy, digits: int) -> BoardRow:
    if policy.feedback is not None:
        policy = replace(policy, feedback=replace(policy.feedback, digits=digits))
    usage = usage_on_board(Usage(instructions=row.instructions, wall_seconds=row.wall_seconds), policy)
    return replace(
        row,
        score=on_board(row.score, policy),
        low=on_board(row.low, policy),
        high=on_board(row.high, policy),
        instructions=usage.instructions,
        wall_seconds=usage.wall_seconds,
    )
