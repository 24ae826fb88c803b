"""What an organiser says of a host: ``evaluate.yaml`` in the state directory; every key has a default that works."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluate.challenge import Keys, load_yaml
from evaluate.errors import ChallengeError
from evaluate.sandbox.base import LicenceServer

FILE = "evaluate.yaml"
_PCI = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything in the file."""

    gpus: tuple[str, ...] = ()
    """PCI addresses of the devices that guests may be given, such as ``0000:65:00.0``."""
    licence_server: LicenceServer | None = None


def load_settings(state: Path) -> Settings:
    """The settings of a state directory.

    Raises
    ------
    ChallengeError
        The file is wrong; every mistake is named.
    """
    path = state / FILE
    if not path.is_file():
        return Settings()
    problems: list[str] = []
    keys = Keys(load_yaml(path), str(path), problems)
    none: tuple[str, ...] = ()
    settings = Settings(
        gpus=keys.take("gpus", "a list of PCI addresses such as 0000:65:00.0", _addresses, none),
        licence_server=_licence(keys) if keys.has("licence_server") else None,
    )
    keys.end()
    if problems:
        raise ChallengeError("\n".join(problems))
    return settings


def _licence(keys: Keys) -> LicenceServer:
    below = keys.below("licence_server")
    no_ports: tuple[int, ...] = ()
    found = LicenceServer(
        host=below.need("host", "a name or address", _host, ""),
        ports=below.need("ports", "a list of TCP ports", _ports, no_ports),
    )
    below.end()
    return found


def _addresses(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) and _PCI.fullmatch(one) for one in value):
        raise ValueError
    return tuple(value)


def _host(value: Any) -> str:
    if not isinstance(value, str) or not value or value.split() != [value]:
        raise ValueError
    return value


def _ports(value: Any) -> tuple[int, ...]:
    good = isinstance(value, list) and value and all(type(one) is int and 0 < one < 65536 for one in value)
    if not good or len(set(value)) < len(value):
        raise ValueError
    return tuple(value)
