"""What organisers announce at the site.  Announcements are settings, so the journal has them."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass

from evaluate.core.errors import UsageError
from evaluate.core.sanitize import sanitize
from evaluate.queue.db.settings import Settings

_NEWS = "news:"
_LONGEST = 5000


@dataclass(frozen=True, kw_only=True)
class Announcement:
    """One announcement."""

    id: str
    at: float
    challenge: str
    """Its name at the site; empty: for all."""
    text: str
    """Markdown."""


def announce(settings: Settings, text: str, challenge: str = "") -> Announcement:
    """Announce something. Raises UsageError if the text is empty or too long."""
    if not 0 < len(text.strip()) <= _LONGEST:
        raise UsageError(f"expected a text of 1 to {_LONGEST} characters to announce, found {len(text)}")
    now = time.time()
    found = Announcement(id=f"n{time.time_ns():x}", at=now, challenge=challenge, text=sanitize(text.strip()))
    settings.keep(_NEWS + found.id, json.dumps(asdict(found)))
    return found


def withdraw(settings: Settings, identity: str) -> None:
    """Remove an announcement. Raises UsageError if there is none with this id."""
    if not settings.get(_NEWS + identity):
        raise UsageError(f"no announcement {identity!r}")
    settings.keep(_NEWS + identity, "")


def announcements(settings: Settings) -> list[Announcement]:
    """All of them, the newest first."""
    found = [_announcement(value) for value in settings.under(_NEWS).values() if value]
    return sorted(found, key=lambda one: -one.at)


def _announcement(value: str) -> Announcement:
    return Announcement(**json.loads(value))
