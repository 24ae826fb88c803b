"""Settings of organisers and teams at the site: announcements, rules and questions, releases of scores, bars.

All are settings, so the journal has every one; of who accepted rules it has a digest, not the address.  A release opens
board, reports and mail at once for all.  A bar, of a team that was disqualified, holds for the team under each of its
names, so a team that becomes a part of another one, or changes how it is called, takes it along.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

import sqlalchemy as sa

from evaluate.config.terms import Scores
from evaluate.config.types import Config
from evaluate.core.errors import EntryError, UsageError
from evaluate.core.sanitize import sanitize
from evaluate.store.db.rows import folded
from evaluate.store.db.settings import Settings, keep_in, key_for
from evaluate.store.db.tables import SETTINGS, TEAM_NAMES

_NEWS = "news:"
_LONGEST_NEWS = 5000
_LONGEST_TEXT = 30_000
RELEASED = "released:"


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
    if not 0 < len(text.strip()) <= _LONGEST_NEWS:
        raise UsageError(f"expected a text of 1 to {_LONGEST_NEWS} characters to announce, found {len(text)}")
    now = time.time()
    announcement = Announcement(id=f"n{time.time_ns():x}", at=now, challenge=challenge, text=sanitize(text.strip()))
    settings.keep(_NEWS + announcement.id, json.dumps(asdict(announcement)))
    return announcement


def withdraw_news(settings: Settings, identity: str) -> None:
    """Remove an announcement. Raises UsageError if there is none with this id."""
    if not settings.get(_NEWS + identity):
        raise UsageError(f"no announcement {identity!r}")
    settings.keep(_NEWS + identity, "")


def announcements(settings: Settings) -> list[Announcement]:
    """All of them, the newest first."""
    news = [Announcement(**json.loads(value)) for value in settings.under(_NEWS).values() if value]
    return sorted(news, key=lambda announcement: -announcement.at)


class TextKind(StrEnum):
    """Kind of text."""

    RULES = "rules"
    """To be accepted by everybody before a first upload."""
    QUESTIONS = "questions"
    """Questions that are asked often, with their answers."""


def text_of(settings: Settings, kind: TextKind, challenge: str) -> str:
    """A text in Markdown; empty if there is none.

    ``challenge``: its name at the site.
    """
    return sanitize(settings.get(_text_key(kind, challenge)))


def keep_text(settings: Settings, kind: TextKind, challenge: str, text: str) -> None:
    """Replace a text; empty: there is none any more. Raises UsageError if it is too long."""
    if len(text) > _LONGEST_TEXT:
        raise UsageError(f"expected a text of at most {_LONGEST_TEXT} characters, found {len(text)}")
    settings.keep(_text_key(kind, challenge), sanitize(text.replace("\r\n", "\n").strip()))


def accept_rules(settings: Settings, challenge: str, address: str) -> None:
    """Note that a person accepted the rules as they are now."""
    settings.keep(_accepted(challenge, address), _digest(text_of(settings, TextKind.RULES, challenge)))


def has_accepted(settings: Settings, challenge: str, address: str) -> bool:
    """True if a person accepted the rules as they are now; true where there are none."""
    rules = text_of(settings, TextKind.RULES, challenge)
    return not rules or settings.get(_accepted(challenge, address)) == _digest(rules)


def accepted_by(address: str) -> str:
    """Start of the keys of all rules that a person accepted; who that was is not said."""
    return f"accepted:{_digest(address)}:"


def _text_key(kind: TextKind, challenge: str) -> str:
    return key_for(f"text:{kind}:", challenge)


def _accepted(challenge: str, address: str) -> str:
    return key_for(accepted_by(address), challenge)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def scores_released(config: Config, settings: Settings, challenge: str) -> bool:
    """True if the scores of a challenge, by its name in the store, are released."""
    return config.terms(challenge).scores is Scores.RELEASED or bool(settings.get(release_key(challenge)))


def release_scores(settings: Settings, challenge: str, *, on: bool = True) -> None:
    """Let teams know their scores, whatever the configuration says; ``on=False``: as the configuration says."""
    settings.keep(release_key(challenge), "yes" if on else "")


def release_key(challenge: str) -> str:
    """The key of its setting."""
    return key_for(RELEASED, challenge)


def barred(connection: sa.Connection, team: str) -> str:
    """Reason for which a team, by its own name, can no longer submit; empty: it may."""
    return next((str(json.loads(value)["reason"]) for value in _bars(connection, team).values()), "")


def refuse_barred(connection: sa.Connection, team: str) -> None:
    """Raise EntryError if a team was disqualified."""
    if why := barred(connection, team):
        raise EntryError(f"team {team} was disqualified and can no longer submit: {why}")


def bar(connection: sa.Connection, team: str, reason: str) -> None:
    """Let a team, by its own name, no longer submit."""
    keep_in(connection, _bar_key(team), json.dumps({"team": team, "reason": reason}))


def lift(connection: sa.Connection, team: str) -> None:
    """Let a team submit again."""
    for key in _bars(connection, team):
        keep_in(connection, key, "")


def keep_without(connection: sa.Connection, team: str, dropped: Sequence[str]) -> None:
    """Let a bar under a name that the team is about to lose hold for the team itself."""
    if dropped and (why := barred(connection, team)):
        bar(connection, team, why)


def _bars(connection: sa.Connection, team: str) -> dict[str, str]:
    names = {team, *connection.scalars(sa.select(TEAM_NAMES.c.name).where(TEAM_NAMES.c.team == team))}
    keys = {_bar_key(name) for name in names}
    query = sa.select(SETTINGS).where(SETTINGS.c.key.in_(keys), SETTINGS.c.value != "").order_by(SETTINGS.c.key)
    return {row.key: row.value for row in connection.execute(query)}


def _bar_key(name: str) -> str:
    return key_for("barred:", folded(name))
