"""Salted commitments: fix a value now, and show it later to whom one chooses.

A commitment is SHA-256 over 32 bytes of salt and the value as canonical JSON (RFC 8785).  Without its salt it says
nothing, even about a value with few possibilities.  A salt is derived from one secret of the state directory, the label
and the value: the same value under the same label has the same commitment in every receipt, so a change of the
references shows; and another value has a salt of its own, so an opening of one says nothing about the other.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import rfc8785

from evaluate.core.errors import Fault

ALGORITHM = "sha256-salted-rfc8785"
_SALT_BYTES = 32


@dataclass(frozen=True, kw_only=True)
class Opening:
    """What shows that a commitment is about a value."""

    label: str
    salt: str
    """Hexadecimal."""
    value: Any
    """As JSON."""

    @property
    def commitment(self) -> str:
        """The commitment that it opens."""
        return digest(bytes.fromhex(self.salt), self.value)


@dataclass(frozen=True)
class Committer:
    """Makes commitments, and remembers what opens them."""

    secret: bytes
    opened: dict[str, Opening] = field(default_factory=dict)
    """By label."""

    def commit(self, label: str, value: Any) -> str:
        """The commitment to a value, as hexadecimal digits."""
        salted = json.dumps([label]).encode() + rfc8785.dumps(value)
        salt = hmac.digest(self.secret, salted, "sha256").hex()
        self.opened[label] = Opening(label=label, salt=salt, value=value)
        return self.opened[label].commitment


def digest(salt: bytes, value: Any) -> str:
    """The commitment to a value under a salt."""
    return hashlib.sha256(salt + rfc8785.dumps(value)).hexdigest()


def secret_of(file: Path) -> bytes:
    """The secret in a file, made at first use. Raises Fault if it is damaged, or others may read it."""
    if not file.exists():
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        temporary = file.with_name(f".{file.name}.{secrets.token_hex(8)}")
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(secrets.token_bytes(_SALT_BYTES))
            out.flush()
            os.fsync(out.fileno())
        try:
            file.hardlink_to(temporary)  # two processes at once: the first decides
        except FileExistsError:
            pass
        finally:
            temporary.unlink()
    if file.stat().st_mode & 0o077:
        raise Fault(f"{file} may be read by others (mode {file.stat().st_mode & 0o777:o}); chmod 600 it")
    found = file.read_bytes()
    if len(found) != _SALT_BYTES:
        raise Fault(f"{file}: expected {_SALT_BYTES} bytes, found {len(found)}; restore it from a backup")
    return found


def decimals(value: Any) -> Any:
    """The value with every float as the shortest decimal string that is the same number.

    Readers in other languages then compare text, and no two JSON libraries disagree about a digit.
    """
    if isinstance(value, bool) or value is None or isinstance(value, int | str):
        return value
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Mapping):
        return {str(key): decimals(one) for key, one in value.items()}
    return [decimals(one) for one in value]
