"""Rules and digests that an attempt began with, kept with it: it is judged by them, and its report needs nothing else.

Its rules are those of ``challenge.yaml`` at its beginning.  The digests of records, references and metric are taken at
the beginning of its exam.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import sqlalchemy as sa

from evaluate.config.challenge.load import FILE
from evaluate.config.challenge.types import Challenge
from evaluate.core.codec import from_json, to_json
from evaluate.core.errors import ChallengeError
from evaluate.core.files import sha256_file
from evaluate.receipts.exam_data import ExamData
from evaluate.store.db import journal
from evaluate.store.db.rows import AttemptRules, QueuedEntry
from evaluate.store.db.tables import BASES, insert
from evaluate.store.entries.store import Store

EVENT = "exam-began"


def rules_of(challenge: Challenge) -> AttemptRules:
    """Return the rules of a challenge as it is now."""
    return AttemptRules(
        stages=challenge.stages,
        limits=challenge.limits,
        feedback=challenge.feedback,
        hidden_exam=challenge.exam.hidden,
        hidden_training=challenge.hides_training,
        sample_score=challenge.exam.sample_score,
        file=sha256_file(challenge.folder / FILE),
    )


def as_text(rules: AttemptRules) -> str:
    """Rules as JSON; equal rules give equal text."""
    return json.dumps(to_json(rules), sort_keys=True)


def keep_rules(connection: sa.Connection, entry: QueuedEntry, rules: str) -> None:
    """Keep what the details gave for the text of the rules of an attempt that begins, unless it has some."""
    row = {"entry": entry.id, "attempt": entry.attempt, "rules": rules}
    connection.execute(insert(connection, BASES).values(row).on_conflict_do_nothing())


def with_rules(store: Store, entry: QueuedEntry) -> QueuedEntry:
    """The attempt with the rules that it began with; as it is if it has them, or did not begin."""
    if entry.rules is not None:
        return entry
    text = _kept(store, BASES.c.rules, entry.id, entry.attempt)
    return replace(entry, rules=_rules_in(text)) if text else entry


@lru_cache(maxsize=32)
def _rules_in(text: str) -> AttemptRules:
    """Rules as they are kept; cached, since most attempts at a challenge have the same, and each stage reads them."""
    return from_json(AttemptRules, json.loads(text))


def begin_exam(store: Store, entry: QueuedEntry, now: ExamData) -> ExamData:
    """Return the data an attempt's exam is judged by: what is there now, if it begins now; else what was there then."""
    if (began := exam_of(store, entry.id, entry.attempt)) is not None:
        return began
    text = store.details.keep(now.as_text())
    row = {"entry": entry.id, "attempt": entry.attempt, "rules": "", "exam": text}
    with store.database.step() as connection:
        begins = insert(connection, BASES).values(row)
        begins = begins.on_conflict_do_update(
            index_elements=["entry", "attempt"], set_={"exam": text}, where=BASES.c.exam == ""
        )
        if connection.execute(begins.returning(BASES.c.entry)).first() is not None:
            data = {"attempt": entry.attempt, "data": now.digest}
            journal.write(connection, entry.id, EVENT, data, time.time())
            return now
    began = exam_of(store, entry.id, entry.attempt)
    assert began is not None
    return began


@contextmanager
def judged_as_begun(
    entry: QueuedEntry,
    before: ExamData,
    look: Callable[[], ExamData],
    began: ExamData,
    answered: ExamData | None = None,
) -> Iterator[None]:
    """Around a part of an attempt's exam, or its scoring: its data are those that its exam began with, then and after.

    Raises ChallengeError if they are not, also in the place of another error: a file that is being changed fails in
    many ways.

    * ``before``: data as they are before that part.
    * ``look``: takes the data as they are then.
    * ``began``: see `begin_exam`.
    * ``answered``: data of the attempt whose answers are scored again, perhaps by other references.
    """

    def compare(now: ExamData) -> None:
        changes = began.changes(now)
        if answered is not None:
            changes = (*changes, *answered.changes(now, answers_only=True))
        if changes:
            raise ChallengeError(
                f"{Path(entry.challenge).name}: changed since the exam of {entry.id} began: "
                f"{'; '.join(dict.fromkeys(changes))}. Put back what was there, or keep the change; then "
                f"{'`evaluate rejudge retry`' if entry.rejudging else 'the command in `evaluate status --faults`'} "
                "evaluates the entry again, at no cost to its team"
            )

    compare(before)
    try:
        yield
    except Exception as e:
        try:
            compare(look())
        except ChallengeError as changed:
            raise changed from e
        raise
    compare(look())


def exam_of(store: Store, identity: str, attempt: int) -> ExamData | None:
    """Return the data that the exam of an attempt is judged by; None before the exam began."""
    text = _kept(store, BASES.c.exam, identity, attempt)
    return from_json(ExamData, json.loads(text)) if text else None


def _kept(store: Store, column: sa.Column[str], identity: str, attempt: int) -> str:
    where = (BASES.c.entry == identity) & (BASES.c.attempt == attempt)
    return store.details.text_of(column, where)
