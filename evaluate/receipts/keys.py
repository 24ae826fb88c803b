"""The keys that receipts and the heads of the log are signed with: one Ed25519 key in use, and all earlier public ones.

    keys/<id>.pem      private key, PKCS#8, mode 0600; removed when the key is replaced
    keys/public.json   every public key with the time from when, and until when, it was used

A service manager may keep the private key instead: where ``$CREDENTIALS_DIRECTORY/evaluate-receipts`` exists (systemd,
``LoadCredentialEncrypted=evaluate-receipts``), it is the current key.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from evaluate.core.errors import Fault, UsageError
from evaluate.core.files import exclusive, write_file

CREDENTIAL = "evaluate-receipts"
_PUBLIC, _LOCK = "public.json", "lock"
_ID_DIGITS = 16


@dataclass(frozen=True, kw_only=True)
class PublicKey:
    """One key as it is published."""

    id: str
    """The first 16 hexadecimal digits of the SHA-256 of the 32 raw bytes."""
    pem: str
    since: float
    """Seconds since 1970 when it was first used; statements with an earlier time are not by it."""
    until: float | None = None
    """When it was replaced; None: it is in use."""

    @property
    def key(self) -> Ed25519PublicKey:
        """The key itself; UsageError if it is none."""
        return public_from_pem(self.pem.encode(), f"key {self.id}")

    @property
    def raw(self) -> bytes:
        """Its 32 bytes."""
        return raw_bytes(self.key)

    def covers(self, at: float) -> bool:
        """Whether it was in use at a time."""
        return self.since <= at and (self.until is None or at <= self.until)


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

    def signer(self) -> Signer:
        """The key in use.

        Raises
        ------
        Fault
            A key is damaged, or others may read it.
        """
        with self._locked():
            given = Path(os.environ.get("CREDENTIALS_DIRECTORY", ""), CREDENTIAL)
            if given.is_absolute() and given.is_file():
                private = private_from_pem(given.read_bytes(), str(given))
                return self._adopted(private)
            known = [key for key in self.public() if key.until is None and self._file(key.id).exists()]
            if known:
                return Signer(public=known[-1], private=self._private(known[-1].id))
            return self._made()

    def rotate(self) -> Signer:
        """Replace the key in use; what it has signed stays valid.

        Raises
        ------
        UsageError
            The key is a credential of the service manager, and must be replaced there.
        """
        if os.environ.get("CREDENTIALS_DIRECTORY") and Path(os.environ["CREDENTIALS_DIRECTORY"], CREDENTIAL).exists():
            raise UsageError(f"the key is the service manager's credential {CREDENTIAL}; replace it there")
        with self._locked():
            return self._made()

    def public(self) -> list[PublicKey]:
        """Every public key, the oldest first."""
        file = self._folder / _PUBLIC
        return public_keys(file.read_bytes(), str(file)) if file.exists() else []

    def _made(self) -> Signer:
        private = Ed25519PrivateKey.generate()
        pem = private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        file = self._file(key_id(private.public_key()))
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(pem)
            out.flush()
            os.fsync(out.fileno())
        return self._adopted(private)

    def _adopted(self, private: Ed25519PrivateKey) -> Signer:
        """Publish the key as the one in use, if it is not, and delete those before it."""
        name, now = key_id(private.public_key()), time.time()
        earlier = self.public()
        if earlier and earlier[-1].id == name:
            return Signer(public=earlier[-1], private=private)
        found = PublicKey(id=name, pem=public_pem(private.public_key()), since=now)
        ended = [replace(key, until=now) if key.until is None else key for key in earlier]
        write_file(self._folder / _PUBLIC, published([*ended, found]).encode())
        for key in ended:
            self._file(key.id).unlink(missing_ok=True)
        return Signer(public=found, private=private)

    def _private(self, name: str) -> Ed25519PrivateKey:
        file = self._file(name)
        status = file.stat()
        if status.st_mode & 0o077:
            raise Fault(f"{file} may be read by others (mode {status.st_mode & 0o777:o}); chmod 600 it, or rotate")
        return private_from_pem(file.read_bytes(), str(file))

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.pem"

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with exclusive(self._folder / _LOCK):
            yield


def published(keys: list[PublicKey]) -> str:
    """The keys as the JSON that verifiers read."""
    return json.dumps({"keys": [asdict(key) for key in keys]}, indent=1) + "\n"


def public_keys(data: bytes, name: str) -> list[PublicKey]:
    """The keys of a ``public.json``, or of a PEM file, whose key is taken for valid at any time.

    Raises
    ------
    UsageError
        It is neither.
    """
    if data.lstrip().startswith(b"-----BEGIN"):
        alone = public_from_pem(data, name)
        return [PublicKey(id=key_id(alone), pem=public_pem(alone), since=0.0)]
    try:
        keys = [PublicKey(**{**one, "since": float(one["since"])}) for one in json.loads(data)["keys"]]
    except (ValueError, TypeError, KeyError) as e:
        raise UsageError(f"{name}: expected public keys as JSON or PEM, found neither") from e
    for key in keys:
        if key_id(key.key) != key.id:
            raise UsageError(f"{name}: the key {key.id} does not have that id")
    return keys


def key_id(key: Ed25519PublicKey) -> str:
    """The id of a key; see `PublicKey.id`."""
    return hashlib.sha256(raw_bytes(key)).hexdigest()[:_ID_DIGITS]


def raw_bytes(key: Ed25519PublicKey) -> bytes:
    """The 32 bytes of a key."""
    return key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def public_pem(key: Ed25519PublicKey) -> str:
    """The key as PEM, which ``openssl`` reads."""
    return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()


@cache
def public_from_pem(data: bytes, name: str) -> Ed25519PublicKey:
    """A public key; UsageError if the data are none."""
    try:
        key = serialization.load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm) as e:
        raise UsageError(f"{name}: expected an Ed25519 public key as PEM: {e}") from e
    if not isinstance(key, Ed25519PublicKey):
        raise UsageError(f"{name}: expected an Ed25519 public key, found another kind")
    return key


def private_from_pem(data: bytes, name: str) -> Ed25519PrivateKey:
    """A private key; Fault if the data are none."""
    try:
        key = serialization.load_pem_private_key(data, None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as e:
        raise Fault(f"{name}: expected an Ed25519 private key as PEM: {e}") from e
    if not isinstance(key, Ed25519PrivateKey):
        raise Fault(f"{name}: expected an Ed25519 private key, found another kind")
    return key
