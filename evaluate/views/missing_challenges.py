"""Challenges that have entries, and are not where they were."""

from __future__ import annotations

from dataclasses import dataclass

from evaluate.config.challenge.load import challenge_folder
from evaluate.core.errors import UsageError
from evaluate.store.db.reader import EntrySelection, Reader


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


def missing_challenges(reader: Reader) -> list[MissingChallenge]:
    """The missing challenges."""
    gone = [challenge for challenge in reader.challenges() if not _exists(challenge)]
    return [
        MissingChallenge(challenge=challenge, entries=sum(reader.counts(EntrySelection(challenge=challenge)).values()))
        for challenge in gone
    ]


def _exists(challenge: str) -> bool:
    """True if there is a challenge of this name in the store."""
    try:
        challenge_folder(challenge)
    except UsageError:
        return False
    return True
