"""Notes of teams on their entries: what they tried.  Settings, so the journal has them."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from evaluate.core.errors import UsageError
from evaluate.core.sanitize import sanitize
from evaluate.queue.db.database import Database
from evaluate.queue.db.settings import Settings
from evaluate.queue.db.tables import SETTINGS

_KEY = "note:"
_LONGEST = 500


def keep_note(settings: Settings, entry: str, text: str) -> None:
    """Replace the note on an entry; empty: there is none any more. Raises UsageError if it is too long."""
    text = sanitize(text.replace("\r\n", "\n")).strip()
    if len(text) > _LONGEST:
        raise UsageError(f"expected a note of at most {_LONGEST} characters, found {len(text)}")
    if text != settings.get(_KEY + entry):
        settings.keep(_KEY + entry, text)


def notes_on(database: Database, entries: Sequence[str]) -> dict[str, str]:
    """Entry -> its note, of those that have one; by one statement."""
    query = sa.select(SETTINGS).where(SETTINGS.c.key.in_([_KEY + one for one in entries]), SETTINGS.c.value != "")
    with database.engine.connect() as connection:
        return {row.key.removeprefix(_KEY): sanitize(row.value) for row in connection.execute(query)}
