"""Signed heads of the log (C2SP ``tlog-checkpoint``, a ``signed-note``) and proofs of inclusion (``tlog-proof@v1``)."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from evaluate.core.errors import UsageError
from evaluate.receipts import merkle
from evaluate.receipts.keys import PublicKey, Signer, read_base64

PROOF_HEADER = "c2sp.org/tlog-proof@v1"
_ED25519 = b"\x01"
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
        return next((key for key in keys if self._has(key.raw)), None)

    def _has(self, raw: bytes) -> bool:
        """Whether a key of the log signed it, and none of its signatures is invalid."""
        signatures = list(self._signatures(raw))
        return bool(signatures) and all(_holds(raw, signature, self.body) for signature in signatures)

    def _signatures(self, raw: bytes) -> Iterator[bytes]:
        """The signatures of a key of the log: what follows the key's id in its lines."""
        for line in self.note.rpartition(_EMPTY_LINE)[2].split("\n"):
            signer, _, encoded = line.removeprefix(_DASH).partition(" ")
            try:
                data = read_base64(encoded)
            except ValueError:
                continue
            if line.startswith(_DASH) and signer == self.origin and data[:_ID_BYTES] == _key_id(self.origin, raw):
                yield data[_ID_BYTES:]


def _holds(raw: bytes, signature: bytes, data: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(raw).verify(signature, data)
    except InvalidSignature:
        return False
    return True


def checkpoint(origin: str, size: int, root: bytes, signer: Signer) -> Checkpoint:
    """A signed head."""
    text = f"{origin}\n{size}\n{written_hash(root)}\n"
    signature = _key_id(origin, signer.public.raw) + signer.sign(text.encode())
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
    return f"{origin}+{_key_id(origin, key.raw).hex()}+{_encoded(_ED25519 + key.raw)}"


def _key_id(name: str, raw: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + _ED25519 + raw).digest()[:_ID_BYTES]


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
