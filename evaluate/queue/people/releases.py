"""Whether teams may know their scores: as the configuration says, until an organiser releases them at the site.

A release is a setting, and so a line of the journal; it opens board, reports and mail at once for all.
"""

from __future__ import annotations

import hashlib

from evaluate.config.terms import Scores
from evaluate.config.types import Config
from evaluate.queue.db.settings import Settings

RELEASED = "released:"
_LONGEST = 150  # the key of a setting has room for 200


def scores_released(config: Config, settings: Settings, challenge: str) -> bool:
    """Whether the scores of a challenge, by its name in the store, are released."""
    return config.terms(challenge).scores is Scores.RELEASED or bool(settings.get(release_key(challenge)))


def release_scores(settings: Settings, challenge: str, *, on: bool = True) -> None:
    """Let teams know their scores, whatever the configuration says; ``on=False``: as the configuration says."""
    settings.keep(release_key(challenge), "yes" if on else "")


def release_key(challenge: str) -> str:
    """The key of its setting."""
    short = len(challenge) <= _LONGEST
    return RELEASED + (challenge if short else hashlib.sha256(challenge.encode()).hexdigest())
