"""Challenges under the names that ``evaluate.yaml`` gives them, wherever their folders are."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from evaluate.challenge.cache import load_challenge
from evaluate.challenge.types import Challenge
from evaluate.config.load import known_as
from evaluate.config.types import Config
from evaluate.core.errors import UsageError


def called(known: str, config: Config) -> str:
    """What receipts, seals and people call a challenge, by its name in the store.

    Its name in ``evaluate.yaml`` or in the program; of a folder that has none, the folder's.
    """
    for name in config.challenges:
        with suppress(UsageError):  # that another one is missing
            if known_as(name, config) == known:
                return Path(name).name
    return Path(known).name


def load_named(known: str, config: Config) -> Challenge:
    """The challenge of this name in the store, as it is called; raises as `load_challenge`."""
    return named(load_challenge(known), known, config)


def named(challenge: Challenge, known: str, config: Config) -> Challenge:
    """A challenge that was loaded, as it is called."""
    name = called(known, config)
    return challenge if challenge.name == name else replace(challenge, name=name)
