"""Phases that have begun or ended, as lines of the journal, so that they are announced once, like everything else."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from evaluate.config.types import Config
from evaluate.store.db.settings import keep_in, setting_in
from evaluate.store.entries.store import Store

TURN = "phase-turn:"
"""Start of the key of a setting; the rest names a phase and which end of it, and the value is a `Turn`."""
_NEWS_SECONDS = 86400.0
"""Seconds after which what a daemon finds is no news, as after the phases of an earlier year were written down."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """The begin or the end of a phase."""

    challenge: str
    """Name of the challenge in ``evaluate.yaml``."""
    phase: str
    begins: bool
    at: float
    """Seconds since 1970, UTC."""
    until: float | None
    """End of the phase, where this is its begin; None: it does not end."""

    @property
    def words(self) -> str:
        """Words for what has happened."""
        return f"phase {self.phase} has {'begun' if self.begins else 'ended'}"


def turn_of(value: str) -> Turn:
    """The turn that a setting has."""
    return Turn(**json.loads(value))


def note_turns(store: Store, config: Config) -> None:
    """Write every turn of the last day into the journal, once; a phase whose times were changed turns again."""
    now = time.time()
    for turn in _turns(config):
        if not now - _NEWS_SECONDS < turn.at <= now:
            continue
        key, value = _key(turn), json.dumps(asdict(turn))
        if _is_of(store.settings.get(key), turn):
            continue
        with store.change() as connection:
            if not _is_of(setting_in(connection, key), turn):
                keep_in(connection, key, value)


def _turns(config: Config) -> Iterator[Turn]:
    for name, terms in config.challenges.items():
        for phase in terms.phases:
            until = phase.ends if math.isfinite(phase.ends) else None
            yield Turn(challenge=name, phase=phase.name, begins=True, at=phase.begins, until=until)
            yield Turn(challenge=name, phase=phase.name, begins=False, at=phase.ends, until=None)


def _is_of(value: str, turn: Turn) -> bool:
    return bool(value) and turn_of(value).at == turn.at


def _key(turn: Turn) -> str:
    named = json.dumps([turn.challenge, turn.phase, turn.begins])
    return TURN + hashlib.sha256(named.encode()).hexdigest()  # a key has room for 200 characters
