"""Values that several keys of ``evaluate.yaml`` share: addresses, moments, sizes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal
from urllib.parse import urlsplit

from evaluate.config.schema.keys import (
    COUNT,
    NUMBER,
    like,
    scaled,
)
from evaluate.core.model import MIB

# What a mail address is here: name and domain in ASCII, as every mail server takes them


_ATOM = r"[A-Za-z0-9!#$%&'*+/=^_{}~-]+"
_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?"
ADDRESS = rf"(?!-){_ATOM}(\.{_ATOM})*@{_LABEL}(\.{_LABEL})*"
"""A pattern for the whole text.

No pipe, address of a host in brackets, quoted name or encoded word: what a program that sends mail might take for
something else.
"""


def is_address(text: str) -> bool:
    """True if a text is a mail address."""
    return re.fullmatch(ADDRESS, text) is not None


GIB = 1024 * MIB
LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Names of the machine itself."""


AUTO, AUTO_WORD = 0, "auto"
"""In the place of a number of slots: as many as the host bears."""


def _slots(given: int | str) -> int:
    return AUTO if isinstance(given, str) else given


SLOTS = COUNT.but(expected="auto or a whole number from 1", type=COUNT.type | Literal["auto"], read=_slots)


@dataclass(frozen=True, kw_only=True)
class Address:
    """A TCP address to listen on."""

    host: str
    port: int


def seconds_since_1970(text: str) -> float:
    """A time without a zone is UTC, and a day is its first moment."""
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def address(text: str) -> Address:
    """The address that ``HOST:PORT`` names; ValueError if the port is none."""
    host, _, port = text.rpartition(":")
    if int(port) not in range(1, 65536):
        raise ValueError
    return Address(host=host.strip("[]"), port=int(port))


def web_address(text: str) -> str:
    """The text, if it is an address of http or https; else ValueError."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError
    return text


GIBIBYTES = scaled(NUMBER, GIB, "GiB")
MOMENT = like(
    r"\d{4}-\d{2}-\d{2}([Tt ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?([Zz]|[-+]\d{2}:\d{2})?)?",
    "a day or a time such as 2017-04-10T12:00:00Z",
).but(read=seconds_since_1970)
MAIL = like(ADDRESS, "a mail address")


DAYS = NUMBER.but(expected="a number of days")
