"""Find and read ``evaluate.yaml``: the one in the state directory, or the one that ``EVALUATE_CONFIG`` names.

All mistakes are reported together.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.load import FILE as CHALLENGE_FILE
from evaluate.config.challenge.load import challenge_folder, list_challenges, program_challenge
from evaluate.config.challenge.types import MAIN_EXAM, Challenge
from evaluate.config.schema.document import Document, load_document
from evaluate.config.schema.keys import (
    read,
)
from evaluate.config.terms import Phase, Terms
from evaluate.config.types import CONFIG, HOST, Config
from evaluate.core.errors import ChallengeError, UsageError

FILE = "evaluate.yaml"
VARIABLE = "EVALUATE_CONFIG"


def challenge_key(name: str, config: Config) -> str:
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
            names = ", ".join(list_challenges())
            document.complain(
                ("challenges", name),
                f"these rules are for no challenge: none of this name comes with the program ({names}); "
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
            _check_exams(name, rules, folder, document)


def _check_exams(name: str, rules: Terms, folder: Path, document: Document) -> None:
    """Note phases whose exams the challenge does not have."""
    named = {n: phase.data for n, phase in enumerate(rules.phases, 1) if phase.data != MAIN_EXAM}
    if not named:
        return
    try:
        exams = load_challenge(str(folder)).exams
    except ChallengeError:  # named by what needs the challenge
        return
    for n, exam in named.items():
        if exam not in exams:
            document.complain(
                ("challenges", name, "phases", n, "data"),
                f"expected one of {', '.join(exams)}, the exams in {folder / CHALLENGE_FILE}, found {exam!r}",
            )


# Challenges under the names that `evaluate.yaml` gives them, wherever their folders are


def public_name(key: str, config: Config) -> str:
    """Return the name that receipts, seals and people use for a challenge, by its name in the store.

    Its name in ``evaluate.yaml`` or in the program; of a folder that has none, the folder's.
    """
    return Path(config.name_of(key) or key).name


def load_named(key: str, config: Config) -> Challenge:
    """The challenge of this name in the store, as it is called; raises as `load_challenge`."""
    return with_public_name(load_challenge(key), key, config)


def with_public_name(challenge: Challenge, key: str, config: Config) -> Challenge:
    """A challenge that was loaded, as it is called."""
    name = public_name(key, config)
    return challenge if challenge.name == name else replace(challenge, name=name)


@dataclass(frozen=True, kw_only=True)
class NamedChallenge:
    """A challenge that a command or a page names, with the organiser's settings."""

    slug: str
    """The name by which it was named; at the site, its name in addresses."""
    store_name: str
    """Its name in the store."""
    challenge: Challenge
    terms: Terms

    @property
    def phases(self) -> list[Phase]:
        """The phases in their order."""
        return sorted(self.terms.phases, key=lambda phase: phase.begins)

    @property
    def phase_names(self) -> list[str]:
        """Names of the phases in their order; one empty name if there are none."""
        return [phase.name for phase in self.phases] or [""]


def named_challenge(name: str, config: Config) -> NamedChallenge:
    """The challenge of a name, or in a folder; raises as `challenge_key` and `load_named`."""
    key = challenge_key(name, config)
    return NamedChallenge(slug=name, store_name=key, challenge=load_named(key, config), terms=config.terms(key))


# The files and folders that an `evaluate.yaml` names, and the same text with other paths in it.
#
# Only the paths change: comments and layout stay as the organiser wrote them.


Named = tuple[str, ...]
"""Keys from the top of the file down to a path."""
CHALLENGES = "challenges"
_FILES = (
    ("notify", "mail", "password_file"),
    ("notify", "mail", "ca_file"),
    ("web", "oidc", "client_secret_file"),
)


def named_paths(text: str) -> dict[Named, str]:
    """Every path as it is written; the folder of a challenge under ``("challenges", NAME)``."""
    return {keys: node.value for keys, node in _nodes(text)}


def with_paths(text: str, paths: Mapping[Named, Path]) -> str:
    """The text with some of its paths replaced.

    Raises UsageError if a path is not written where it is used, but behind an anchor of YAML.
    """
    nodes = dict(_nodes(text))
    changed = text
    for keys in sorted(paths, key=lambda keys: nodes[keys].start_mark.index, reverse=True):
        start, end = nodes[keys].start_mark.index, nodes[keys].end_mark.index
        changed = changed[:start] + json.dumps(str(paths[keys])) + changed[end:]
    if named_paths(changed) != named_paths(text) | {keys: str(path) for keys, path in paths.items()}:
        wanted = "; ".join(f"{'.'.join(keys)}: {path}" for keys, path in paths.items())
        raise UsageError(f"evaluate.yaml: its paths are behind anchors; write them by hand: {wanted}")
    return changed


def _nodes(text: str) -> Iterator[tuple[Named, yaml.ScalarNode]]:
    top = yaml.compose(text, Loader=yaml.SafeLoader)
    challenges = _below(top, CHALLENGES)
    for key, value in challenges.value if isinstance(challenges, yaml.MappingNode) else ():
        node = _below(value, "folder") if isinstance(value, yaml.MappingNode) else value
        if isinstance(node, yaml.ScalarNode) and node.tag.endswith(":str"):
            yield (CHALLENGES, key.value), node
    for keys in _FILES:
        if isinstance(node := _below(top, *keys), yaml.ScalarNode):
            yield keys, node


def _below(node: yaml.Node | None, *keys: str) -> yaml.Node | None:
    for name in keys:
        if not isinstance(node, yaml.MappingNode):
            return None
        node = next((value for key, value in node.value if key.value == name), None)
    return node
