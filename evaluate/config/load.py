"""Find and read ``evaluate.yaml``: the one in the state directory, or the one that ``EVALUATE_CONFIG`` names.

All mistakes are reported together.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from evaluate.challenge.cache import load_challenge
from evaluate.challenge.load import FILE as CHALLENGE_FILE
from evaluate.challenge.load import challenge_folder, list_challenges, program_challenge
from evaluate.challenge.types import Challenge
from evaluate.config.repositories import HOST
from evaluate.config.types import CONFIG, Config
from evaluate.core.errors import UsageError
from evaluate.schema.document import Document, load_document
from evaluate.schema.keys import (
    read,
)

FILE = "evaluate.yaml"
VARIABLE = "EVALUATE_CONFIG"


def name_of(known: str, config: Config) -> str:
    """What people call a challenge, by its name in the store."""
    return next((name for name in config.challenges if known_as(name, config) == known), known)


def known_as(name: str, config: Config) -> str:
    """The name of a challenge in the store, whatever name or path it is given by.

    Its name if it is part of the program and the configuration does not name its folder, else its folder; with either,
    `Config.terms` finds the organiser's terms for it. Raises UsageError if there is none. A name without a slash is
    never a folder of the current directory, because the rules of the configuration would then hold for it in one
    directory and not in another.
    """
    folder = config.locate(name)
    if folder is None and "/" not in name and name not in (".", ".."):
        names = ", ".join(dict.fromkeys([*config.challenges, *list_challenges()]))
        raise UsageError(
            f"no challenge {name!r}: there are {names}; name one of your own with its folder in {FILE}, "
            f"or write a path such as ./{name}"
        )
    folder = folder or challenge_folder(name)
    if any(rules.folder == folder for rules in config.challenges.values()):
        return str(folder)
    return folder.name if program_challenge(folder.name) == folder else str(folder)


def config_path(state: Path) -> Path | None:
    """The file that applies: the one that $EVALUATE_CONFIG names, else that of the state directory if there is one.

    Raises UsageError if the file that was named does not exist.
    """
    if not (named := os.environ.get(VARIABLE)):
        path = state / FILE
        return path if path.is_file() else None
    if not Path(named).is_file():
        raise UsageError(f"{VARIABLE} {named}: no such file")
    return Path(named).absolute()


def load_config(state: Path) -> Config:
    """The configuration of a state directory.

    Raises UsageError if the file that was named does not exist. Raises ChallengeError if the file is wrong; every
    mistake is named.
    """
    path = config_path(state)
    return Config() if path is None else read_config(path)


def read_config(path: Path) -> Config:
    """The configuration in a file; see `load_config`."""
    document = load_document(path)
    if document.value is None:
        document.value = {}
    config = read(document, CONFIG)
    if config is not None:
        _check(config, document)
    document.refuse_problems()
    assert config is not None
    return config


def _check(config: Config, document: Document) -> None:
    if config.database.startswith("postgresql") and "shared" not in document.value:
        document.complain((), "key 'shared' is missing; many hosts on one database need a folder that all reach")
    for host in config.repositories:
        if not HOST.fullmatch(host):
            wish = "expected a host such as github.com or git.example.org:8443, in lower case"
            document.complain(("repositories", host), f"{wish}, found {host!r}")
    first: dict[Path, str] = {}
    for name, rules in config.challenges.items():
        folder = rules.folder or program_challenge(name)
        if folder is None:
            known = ", ".join(list_challenges())
            document.complain(
                ("challenges", name),
                f"these rules are for no challenge: none of this name comes with the program ({known}); "
                "expected 'folder' with the folder of your own, relative to this file",
            )
        elif not (folder / CHALLENGE_FILE).is_file():
            document.complain(
                ("challenges", name, "folder"), f"expected a folder with a {CHALLENGE_FILE}, found {folder}"
            )
        elif folder in first:
            document.complain(("challenges", name), f"the folder of {first[folder]!r} again: {folder}")
        else:
            first[folder] = name


# Challenges under the names that `evaluate.yaml` gives them, wherever their folders are


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
