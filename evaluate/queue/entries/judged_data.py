"""Which data the scores of a challenge were given by, in the order in which the data came.

Each score has a digest (`evaluate.receipts.exam_data` says of what).  Most challenges have one for ever, so that it is
kept as a setting which digests there are: only where there are several, scores are counted.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

import sqlalchemy as sa

from evaluate.queue.db.reader import JUDGED
from evaluate.queue.db.settings import keep_in
from evaluate.queue.db.tables import ENTRIES, SCORES, SETTINGS

_SAME = (SCORES.c.entry == ENTRIES.c.id) & (SCORES.c.attempt == ENTRIES.c.attempt)


def key_of(challenge: str) -> str:
    """The key of the setting; a challenge's name may be longer than a key."""
    return JUDGED + hashlib.sha256(challenge.encode()).hexdigest()


def note(connection: sa.Connection, challenge: str, digest: str) -> bool:
    """Note that a score that counts was given by this data; returns whether those before it were given by others.

    ``digest``: of the data; empty: nobody says, and nothing is noted.
    """
    if not digest:
        return False
    text = connection.scalar(sa.select(SETTINGS.c.value).where(SETTINGS.c.key == key_of(challenge)))
    known: list[str] = json.loads(text)["data"] if text else []
    if known and known[-1] == digest:
        return False
    _put(connection, challenge, [*(one for one in known if one != digest), digest])
    return bool(known)


def renew(connection: sa.Connection, challenge: str) -> None:
    """Note what the scores say that count now; the newest last."""
    newest = sa.func.max(SCORES.c.at)
    query = sa.select(SCORES.c.judged).join(ENTRIES, _SAME).where(ENTRIES.c.challenge == challenge)
    found = connection.scalars(query.group_by(SCORES.c.judged).order_by(newest)).all()
    text = connection.scalar(sa.select(SETTINGS.c.value).where(SETTINGS.c.key == key_of(challenge)))
    if (json.loads(text)["data"] if text else []) != list(found):
        _put(connection, challenge, found)


def _put(connection: sa.Connection, challenge: str, digests: Sequence[str]) -> None:
    key, value = key_of(challenge), json.dumps({"challenge": challenge, "data": list(digests)})
    keep_in(connection, key, value)
