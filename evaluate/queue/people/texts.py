"""Rules and questions of a challenge as organisers wrote them at the site, and who accepted which rules.

All are settings, so the journal has them; of a person it has a digest, not the address.
"""

from __future__ import annotations

import hashlib
from enum import StrEnum

from evaluate.core.errors import UsageError
from evaluate.core.sanitize import sanitize
from evaluate.queue.db.settings import Settings

_LONGEST = 30_000


class TextKind(StrEnum):
    """What a text is."""

    RULES = "rules"
    """To be accepted by everybody before a first upload."""
    QUESTIONS = "questions"
    """Questions that are asked often, with their answers."""


def text_of(settings: Settings, kind: TextKind, challenge: str) -> str:
    """A text in Markdown; empty if there is none.

    ``challenge``: its name at the site.
    """
    return sanitize(settings.get(_key(kind, challenge)))


def keep_text(settings: Settings, kind: TextKind, challenge: str, text: str) -> None:
    """Replace a text; empty: there is none any more. Raises UsageError if it is too long."""
    if len(text) > _LONGEST:
        raise UsageError(f"expected a text of at most {_LONGEST} characters, found {len(text)}")
    settings.keep(_key(kind, challenge), sanitize(text.replace("\r\n", "\n").strip()))


def accept_rules(settings: Settings, challenge: str, address: str) -> None:
    """Note that a person accepted the rules as they are now."""
    settings.keep(_accepted(challenge, address), _digest(text_of(settings, TextKind.RULES, challenge)))


def has_accepted(settings: Settings, challenge: str, address: str) -> bool:
    """Whether a person accepted the rules as they are now; true where there are none."""
    rules = text_of(settings, TextKind.RULES, challenge)
    return not rules or settings.get(_accepted(challenge, address)) == _digest(rules)


def accepted_by(address: str) -> str:
    """A pattern of LIKE for the keys of all rules that a person accepted."""
    return f"accepted:%:{_digest(address)}"


def _key(kind: TextKind, challenge: str) -> str:
    return f"text:{kind}:{_short(challenge)}"


def _accepted(challenge: str, address: str) -> str:
    return f"accepted:{_short(challenge)}:{_digest(address)}"


def _short(challenge: str) -> str:
    """A name that fits into a key."""
    return challenge if len(challenge) <= 100 else _digest(challenge)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
