"""Signed heads of the log (C2SP ``tlog-checkpoint``, a ``signed-note``) and proofs of inclusion (``tlog-proof@v1``)."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from evaluate.core.errors import UsageError
from evaluate.receipts import merkle
from evaluate.receipts.keys import PublicKey, Signer, read_base64

PROOF_HEADER = "c2sp.org/tlog-proof@v1"
_ED25519, _COSIGNATURE = b"\x01", b"\x04"
_TIME_BYTES = 8
_LAST_SECOND = 253_402_300_799
"""Of the year 9999, the last one that has a date."""
_EMPTY_LINE = "\n\n"
_DASH = "\N{EM DASH} "
_ID_BYTES = 4


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """The head of a log at one moment."""

    origin: str
    size: int
    root: bytes
    note: str
    """The signed text."""

    @property
    def body(self) -> bytes:
        """What is signed."""
        return f"{self.note.rpartition(_EMPTY_LINE)[0]}\n".encode()

    def signed_by(self, keys: Sequence[PublicKey]) -> PublicKey | None:
        """The key of these that signed it; None if none did."""
        return next((key for key in keys if self.has(LogKey(origin=self.origin, raw=key.raw))), None)

    def has(self, key: LogKey) -> bool:
        """Whether a key of its log signed it."""
        return bool(self.lines_of([key]))

    def lines_of(self, keys: Sequence[LogKey]) -> str:
        """The lines of these keys of its log; empty if none signed it, or if one of the signatures is invalid."""
        own = [key for key in keys if key.origin == self.origin]
        found = [(key, *one) for key in own for one in self._signatures(key.origin, _ED25519, key.raw)]
        hold = all(_holds(key.raw, data, self.body) for key, _, data in found)
        return "".join(dict.fromkeys(f"{line}\n" for _, line, _ in found)) if hold else ""

    def cosigned(self, witness: Cosigner) -> int | None:
        """When a witness signed it first, in seconds since 1970; None if it did not, or a signature is invalid."""
        times = []
        for _, data in self._signatures(witness.name, _COSIGNATURE, witness.raw):
            at = int.from_bytes(data[:_TIME_BYTES])
            if at > _LAST_SECOND or not _holds(witness.raw, data[_TIME_BYTES:], _cosigned_body(self, at)):
                return None
            times.append(at)
        return min(times, default=None)

    def _signatures(self, name: str, kind: bytes, raw: bytes) -> Iterator[tuple[str, bytes]]:
        """Each line of a name and key, and what follows the key's id in it."""
        for line in self.note.rpartition(_EMPTY_LINE)[2].split("\n"):
            signer, _, encoded = line.removeprefix(_DASH).partition(" ")
            try:
                data = read_base64(encoded)
            except ValueError:
                continue
            if line.startswith(_DASH) and signer == name and data[:_ID_BYTES] == _key_id(name, kind, raw):
                yield line, data[_ID_BYTES:]


@dataclass(frozen=True, kw_only=True)
class LogKey:
    """A key of a log, as witnesses know it."""

    origin: str
    raw: bytes
    """32 bytes."""


@dataclass(frozen=True, kw_only=True)
class Cosigner:
    """A witness: its name and key."""

    name: str
    raw: bytes
    """32 bytes."""

    @property
    def vkey(self) -> str:
        """As a C2SP verifier key."""
        return _vkey(self.name, _COSIGNATURE, self.raw)


def cosign(head: Checkpoint, witness: Cosigner, sign: Callable[[bytes], bytes], at: int) -> str:
    """The line that a witness adds to a head (C2SP ``tlog-cosignature``)."""
    data = at.to_bytes(_TIME_BYTES) + sign(_cosigned_body(head, at))
    return f"{_DASH}{witness.name} {_encoded(_key_id(witness.name, _COSIGNATURE, witness.raw) + data)}\n"


def _cosigned_body(head: Checkpoint, at: int) -> bytes:
    return f"cosignature/v1\ntime {at}\n".encode() + head.body


def _holds(raw: bytes, signature: bytes, data: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(raw).verify(signature, data)
    except InvalidSignature:
        return False
    return True


def read_cosigner(text: str, name: str = "a witness") -> Cosigner:
    """A witness by its C2SP verifier key; UsageError if the text is none."""
    witness, raw = _read_vkey(text, _COSIGNATURE, name)
    return Cosigner(name=witness, raw=raw)


def read_log_key(text: str, name: str) -> LogKey:
    """A key of a log by its C2SP verifier key; UsageError if the text is none."""
    origin, raw = _read_vkey(text, _ED25519, name)
    return LogKey(origin=origin, raw=raw)


def _read_vkey(text: str, kind: bytes, name: str) -> tuple[str, bytes]:
    signer, _, rest = text.partition("+")
    digits, _, encoded = rest.partition("+")
    try:
        data = read_base64(encoded)
    except ValueError:
        data = b""
    if not signer or data[:1] != kind or len(data) != 33 or _key_id(signer, kind, data[1:]).hex() != digits:
        raise UsageError(
            f"{name}: expected a verifier key such as name+0123abcd+base64 of kind {kind[0]}, found {text!r}"
        )
    return signer, data[1:]


def _vkey(name: str, kind: bytes, raw: bytes) -> str:
    return f"{name}+{_key_id(name, kind, raw).hex()}+{_encoded(kind + raw)}"


def checkpoint(origin: str, size: int, root: bytes, signer: Signer) -> Checkpoint:
    """A signed head."""
    text = f"{origin}\n{size}\n{written_hash(root)}\n"
    signature = _key_id(origin, _ED25519, signer.public.raw) + signer.sign(text.encode())
    return Checkpoint(origin=origin, size=size, root=root, note=f"{text}\n{_DASH}{origin} {_encoded(signature)}\n")


def read_checkpoint(note: str, name: str) -> Checkpoint:
    """A head from its text; nothing about the signature is checked.

    Raises UsageError if the text is not a checkpoint.
    """
    try:
        origin, size, root, *_ = note.partition("\n\n")[0].split("\n")
        found = Checkpoint(origin=origin, size=int(size), root=read_hash(root), note=note)
    except ValueError as e:
        raise UsageError(f"{name}: expected a signed checkpoint of a log, found something else") from e
    if not origin or found.size < 0 or str(found.size) != size:
        raise UsageError(f"{name}: expected a signed checkpoint of a log, found something else")
    return found


@dataclass(frozen=True, kw_only=True)
class Proof:
    """That a leaf is in the tree of a checkpoint."""

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: Checkpoint

    def holds_for(self, data: bytes) -> bool:
        """Whether it is about these bytes."""
        head = self.checkpoint
        return merkle.includes(merkle.leaf_hash(data), self.index, head.size, self.hashes, head.root)

    @property
    def text(self) -> str:
        """The content of a ``.tlog-proof`` file."""
        lines = [PROOF_HEADER, f"index {self.index}", *map(written_hash, self.hashes), "", self.checkpoint.note]
        return "\n".join(lines)


def read_proof(text: str, name: str) -> Proof:
    """The proof in a ``.tlog-proof`` file. Raises UsageError if the text is no such proof."""
    head, _, note = text.partition("\n\n")
    try:
        header, *lines = head.split("\n")
        if header != PROOF_HEADER:
            raise ValueError
        if lines[0].startswith("extra "):
            del lines[0]
        word, _, index = lines[0].partition(" ")
        if word != "index" or str(int(index)) != index:
            raise ValueError
        hashes = tuple(map(read_hash, lines[1:]))
    except (ValueError, IndexError) as e:
        raise UsageError(f"{name}: expected a proof {PROOF_HEADER}, found something else") from e
    return Proof(index=int(index), hashes=hashes, checkpoint=read_checkpoint(note, name))


def verifier_key(origin: str, key: PublicKey) -> str:
    """The key of a log as a C2SP ``vkey``, which verifiers of signed notes are given."""
    return _vkey(origin, _ED25519, key.raw)


def _key_id(name: str, kind: bytes, raw: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + kind + raw).digest()[:_ID_BYTES]


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def written_hash(data: bytes) -> str:
    """A hash as it is written in notes."""
    return _encoded(data)


def read_hash(text: str) -> bytes:
    """A hash from a note; ValueError if it is none."""
    data = read_base64(text)
    if len(data) != merkle.HASH_BYTES:
        raise ValueError(text)
    return data
