"""Data by which the scores of a challenge were given, the newest last.

Each score has a digest (`evaluate.receipts.exam_data` says of what).  Most challenges have one for ever, so that it is
a setting has the digests: only where there are several, scores are counted.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import sqlalchemy as sa

from evaluate.config.challenge.types import MAIN_EXAM
from evaluate.store.db.settings import keep_in, key_for, setting_in
from evaluate.store.db.tables import ENTRIES, SCORES

JUDGED = "judged:"
"""Start of the key of a setting: JSON of a challenge and the digests of the ``data`` that its scores were given by."""
_SAME = (SCORES.c.entry == ENTRIES.c.id) & (SCORES.c.attempt == ENTRIES.c.attempt)


def key_of(challenge: str, exam: str = MAIN_EXAM) -> str:
    """The key of the setting of one exam."""
    return key_for(JUDGED, challenge if exam == MAIN_EXAM else json.dumps([challenge, exam]))


def note(connection: sa.Connection, challenge: str, exam: str, digest: str) -> bool:
    """Note that a score that counts was given by this data; returns whether those before it were given by others.

    * ``exam``: its name; phases may have exams of their own.
    * ``digest``: of the data; empty: nobody says, and nothing is noted.
    """
    if not digest:
        return False
    digests = _known(connection, challenge, exam)
    if digests and digests[-1] == digest:
        return False
    _put(connection, challenge, exam, [*(other for other in digests if other != digest), digest])
    return bool(digests)


def renew(connection: sa.Connection, challenge: str) -> None:
    """Note what the scores say that count now; the newest last."""
    newest = sa.func.max(SCORES.c.at)
    query = sa.select(ENTRIES.c.data, SCORES.c.judged).join(SCORES, _SAME).where(ENTRIES.c.challenge == challenge)
    of_exams: dict[str, list[str]] = {}
    for exam, digest in connection.execute(query.group_by(ENTRIES.c.data, SCORES.c.judged).order_by(newest)):
        of_exams.setdefault(exam, []).append(digest)
    for exam, digests in of_exams.items():
        if _known(connection, challenge, exam) != digests:
            _put(connection, challenge, exam, digests)


def _known(connection: sa.Connection, challenge: str, exam: str) -> list[str]:
    text = setting_in(connection, key_of(challenge, exam))
    return list(json.loads(text)["data"]) if text else []


def _put(connection: sa.Connection, challenge: str, exam: str, digests: Sequence[str]) -> None:
    keep_in(connection, key_of(challenge, exam), json.dumps({"challenge": challenge, "data": list(digests)}))
