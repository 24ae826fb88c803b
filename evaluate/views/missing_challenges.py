"""Challenges that have entries, and are not where they were."""

from __future__ import annotations

from dataclasses import dataclass

from evaluate.config.challenge.load import challenge_folder
from evaluate.core.errors import UsageError
from evaluate.store.db.tables import ENTRIES
from evaluate.store.entries.store import Store


@dataclass(frozen=True, kw_only=True)
class MissingChallenge:
    """A missing challenge."""

    challenge: str
    """Name in entries: its folder, or its name in the program."""
    entries: int

    def __str__(self) -> str:
        return (
            f"{self.entries} entries belong to the challenge {self.challenge}, which is not there: put it back, or "
            f"give them to another one with `evaluate challenge rename {self.challenge} NAME`"
        )


def missing_challenges(store: Store) -> list[MissingChallenge]:
    """The missing challenges."""
    gone = [challenge for challenge in store.challenges() if not _exists(challenge)]
    return [
        MissingChallenge(challenge=challenge, entries=sum(store.counts(ENTRIES.c.challenge == challenge).values()))
        for challenge in gone
    ]


def _exists(challenge: str) -> bool:
    """True if there is a challenge of this name in the store."""
    try:
        challenge_folder(challenge)
    except UsageError:
        return False
    return True
