"""The keys that receipts and the heads of the log are signed with: one Ed25519 key in use, and all earlier public ones.

    keys/<id>.pem      private key, PKCS#8, mode 0600; removed when the key is replaced
    keys/public.json   every public key with the times and the parts of the log in which it was used

A key is judged by the place of a receipt in the log, which nobody can choose later; by the time that a receipt states
only where the list names no places (`Span`).
"""

from __future__ import annotations

import base64
import hashlib
import json
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

import msgspec
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from evaluate.core.errors import Fault, UsageError
from evaluate.core.files import exclusive, write_file
from evaluate.core.sanitize import parsed

_PUBLIC, _LOCK = "public.json", "lock"
_ID_DIGITS = 16


MINUTE = 60.0
"""Receipts state their time to the minute."""
LogPosition = tuple[str, int]
"""The origin of a log, and a number in it, from 0."""


@dataclass(frozen=True, kw_only=True)
class Span:
    """The part of a log that a key signed."""

    origin: str
    """Origin of the log."""
    first: int
    """Number of the first receipt that it may have signed."""
    end: int | None = None
    """The size of the log when the key was replaced; None: it is in use."""
    revoked: int | None = None
    """Receipts from this number on do not count, because the key was revoked; None: it was not."""
    restored: int | None = None
    """The log was restored from a backup of this size, under another origin: it lost receipts from this number on."""
    adopted: tuple[int, ...] = ()
    """Numbers of earlier receipts of the key that were lost and handed back when it was no longer in use."""

    def covers(self, index: int) -> bool:
        """True if a receipt with this number counts."""
        return self.used(index) and (self.revoked is None or index < self.revoked)

    def used(self, index: int) -> bool:
        """True if the key was in use at this number, revoked since or not."""
        return index in self.adopted or (self.first <= index and (self.end is None or index < self.end))

    def heads(self, size: int) -> bool:
        """True if a head of this size may be signed by the key."""
        return self.first <= size and (self.end is None or size <= self.end)


@dataclass(frozen=True, kw_only=True)
class PublicKey:
    """A key as it is published."""

    id: str
    """The first 16 hexadecimal digits of the SHA-256 of the 32 raw bytes."""
    pem: str
    since: float
    """Seconds since 1970 when it was first used; statements with an earlier time are not by it."""
    until: float | None = None
    """Time of its replacement; None: it is in use."""
    revoked: float | None = None
    """Time from which what it signed does not count, because somebody else may have it; None: nothing is known."""
    logs: tuple[Span, ...] = ()
    """Parts of logs where it was used; empty for a key alone (PEM)."""

    @property
    def key(self) -> Ed25519PublicKey:
        """The key itself; UsageError if it is none."""
        return public_from_pem(self.pem.encode(), f"key {self.id}")

    @property
    def raw(self) -> bytes:
        """Its 32 bytes."""
        return self.key.public_bytes_raw()

    def covers(self, at: float) -> bool:
        """True if it was in use in the minute that begins at a time, and not revoked before the minute's end."""
        if self.revoked is not None and at + MINUTE > self.revoked:
            return False
        return at + MINUTE > self.since and (self.until is None or at <= self.until)

    def span(self, origin: str) -> Span | None:
        """The part of a log that it signed; None if it signed none."""
        return next((part for part in self.logs if part.origin == origin), None)

    def heads(self, origin: str, size: int) -> bool:
        """True if it may have signed the head of a log at this size."""
        span = self.span(origin)
        return not self.logs or (span is not None and span.heads(size))


@dataclass(frozen=True, kw_only=True)
class Signer:
    """The private key that is in use."""

    public: PublicKey
    private: Ed25519PrivateKey

    def sign(self, data: bytes) -> bytes:
        """An Ed25519 signature, 64 bytes."""
        return self.private.sign(data)


class KeyRing:
    """The keys in a folder; made at first use.  Any number of processes may use it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def signer(self, position: LogPosition | None = None) -> Signer:
        """The key in use. Raises Fault if a key is damaged, or others may read it.

        ``position``: where it signs; hold the log until it has.
        """
        with self._locked():
            current = [key for key in self.public() if key.until is None and self._file(key.id).exists()]
            if current:
                return self._adopted(self._private(current[-1].id), position)
            return self._made(position)

    def rotate(self, position: LogPosition | None = None) -> Signer:
        """Replace the key in use; what it has signed stays valid.

        ``position``: the log, and its size.
        """
        with self._locked():
            return self._made(position)

    def replace(self, changed: Iterable[PublicKey]) -> None:
        """Publish other times and places for keys of these ids."""
        with self._locked():
            new = {key.id: key for key in changed}
            self._publish([new.get(key.id, key) for key in self.public()])

    def public(self) -> list[PublicKey]:
        """Every public key, the oldest first."""
        file = self._folder / _PUBLIC
        return public_keys(file.read_bytes(), str(file)) if file.exists() else []

    def _made(self, position: LogPosition | None) -> Signer:
        private = Ed25519PrivateKey.generate()
        pem = private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        write_file(self._file(key_id(private.public_key())), pem, 0o600)
        return self._adopted(private, position)

    def _adopted(self, private: Ed25519PrivateKey, position: LogPosition | None) -> Signer:
        """Publish the key as the one in use, at a place, if it is not, and delete those before it."""
        name, now = key_id(private.public_key()), time.time()
        published_keys = self.public()
        keys = list(published_keys)
        if not published_keys or published_keys[-1].id != name:
            keys = [replace(key, until=now) if key.until is None else key for key in published_keys]
            keys.append(PublicKey(id=name, pem=public_pem(private.public_key()), since=now))
        if position is not None:
            keys = [*(_ended(key, position) for key in keys[:-1]), _begun(keys[-1], position)]
        if keys != published_keys:
            self._publish(keys)
        for key in keys[:-1]:
            self._file(key.id).unlink(missing_ok=True)
        return Signer(public=keys[-1], private=private)

    def _publish(self, keys: list[PublicKey]) -> None:
        write_file(self._folder / _PUBLIC, published(keys).encode())

    def _private(self, name: str) -> Ed25519PrivateKey:
        file = self._file(name)
        status = file.stat()
        if status.st_mode & 0o077:
            raise Fault(f"{file} may be read by others (mode {status.st_mode & 0o777:o}); chmod 600 it, or rotate")
        try:
            key = serialization.load_pem_private_key(file.read_bytes(), None)
            if not isinstance(key, Ed25519PrivateKey):
                raise ValueError("it is a key of another kind")
        except (ValueError, TypeError, UnsupportedAlgorithm) as e:
            raise Fault(f"{file}: expected an Ed25519 private key as PEM: {e}") from e
        return key

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.pem"

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with exclusive(self._folder / _LOCK):
            yield


def restored_size(keys: Iterable[PublicKey], origin: str) -> int | None:
    """The size at which a log was restored, and got another origin; None if it was not."""
    spans = (key.span(origin) for key in keys)
    return min((span.restored for span in spans if span is not None and span.restored is not None), default=None)


def continued(key: PublicKey, before: str, now: str, size: int) -> PublicKey:
    """A key of a log that was restored at a size, and has another origin now."""
    span = key.span(before)
    if span is None:
        return key
    others = [part for part in key.logs if part is not span]
    return replace(key, logs=(*others, replace(span, restored=size), replace(span, origin=now)))


def _begun(key: PublicKey, position: LogPosition) -> PublicKey:
    """The key in use at a place of a log."""
    origin, index = position
    if key.span(origin) is not None:
        return key
    return replace(key, logs=(*key.logs, Span(origin=origin, first=index)))


def _ended(key: PublicKey, position: LogPosition) -> PublicKey:
    """A key that another one replaced at a place of a log, or before."""
    origin, index = position
    logs = tuple(replace(part, end=index) if part.origin == origin and part.end is None else part for part in key.logs)
    return replace(key, logs=logs)


def published(keys: list[PublicKey]) -> str:
    """The keys as the JSON that verifiers read."""
    return json.dumps({"keys": [asdict(key) for key in keys]}, indent=1) + "\n"


def public_keys(data: bytes, name: str) -> list[PublicKey]:
    """The keys of a ``public.json``, or of a PEM file, whose key is taken for valid at any time.

    Raises UsageError if it is neither.
    """
    if data.lstrip().startswith(b"-----BEGIN"):
        alone = public_from_pem(data, name)
        return [PublicKey(id=key_id(alone), pem=public_pem(alone), since=0.0)]
    try:
        keys = [msgspec.convert(values, PublicKey) for values in parsed(data)["keys"]]
    except (ValueError, TypeError, KeyError, msgspec.ValidationError) as e:
        raise UsageError(f"{name}: expected public keys as JSON or PEM, found neither") from e
    for key in keys:
        if key_id(key.key) != key.id:
            raise UsageError(f"{name}: the key {key.id} does not have that id")
    return keys


def read_base64(text: str) -> bytes:
    """The bytes of canonical base64, so that no byte of a signed file can change unseen; else ValueError."""
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data).decode() != text:
        raise ValueError("base64 that is not canonical")
    return data


def key_id(key: Ed25519PublicKey) -> str:
    """The id of a key; see `PublicKey.id`."""
    return hashlib.sha256(key.public_bytes_raw()).hexdigest()[:_ID_DIGITS]


def public_pem(key: Ed25519PublicKey) -> str:
    """The key as PEM, which ``openssl`` reads."""
    return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()


@cache
def public_from_pem(data: bytes, name: str) -> Ed25519PublicKey:
    """A public key; UsageError if the data are none."""
    try:
        key = serialization.load_pem_public_key(data)
        if not isinstance(key, Ed25519PublicKey):
            raise ValueError("it is a key of another kind")
    except (ValueError, UnsupportedAlgorithm) as e:
        raise UsageError(f"{name}: expected an Ed25519 public key as PEM: {e}") from e
    return key
