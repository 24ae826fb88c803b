"""Signed heads of the log (C2SP ``tlog-checkpoint``, a ``signed-note``) and proofs of inclusion (``tlog-proof@v1``)."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature

from evaluate.core.errors import UsageError
from evaluate.receipts import merkle
from evaluate.receipts.keys import PublicKey, Signer

PROOF_HEADER = "c2sp.org/tlog-proof@v1"
_ED25519 = b"\x01"
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

    def signed_by(self, keys: Sequence[PublicKey]) -> PublicKey | None:
        """The key of these that signed it; None if none did."""
        text, _, signatures = self.note.rpartition("\n\n")
        for line in signatures.splitlines():
            name, _, encoded = line.removeprefix(_DASH).partition(" ")
            try:
                data = base64.b64decode(encoded, validate=True)
            except binascii.Error:
                continue
            for key in keys:
                if name != self.origin or data[:_ID_BYTES] != _note_key_id(self.origin, key.raw):
                    continue
                try:
                    key.key.verify(data[_ID_BYTES:], f"{text}\n".encode())
                except InvalidSignature:
                    continue
                return key
        return None


def checkpoint(origin: str, size: int, root: bytes, signer: Signer) -> Checkpoint:
    """A signed head."""
    text = f"{origin}\n{size}\n{_encoded(root)}\n"
    signature = _note_key_id(origin, signer.public.raw) + signer.sign(text.encode())
    return Checkpoint(origin=origin, size=size, root=root, note=f"{text}\n{_DASH}{origin} {_encoded(signature)}\n")


def read_checkpoint(note: str, name: str) -> Checkpoint:
    """A head from its text; nothing about the signature is checked.

    Raises
    ------
    UsageError
        The text is not a checkpoint.
    """
    try:
        origin, size, root, *_ = note.partition("\n\n")[0].split("\n")
        found = Checkpoint(origin=origin, size=int(size), root=_decoded(root), note=note)
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
        lines = [PROOF_HEADER, f"index {self.index}", *map(_encoded, self.hashes), "", self.checkpoint.note]
        return "\n".join(lines)


def read_proof(text: str, name: str) -> Proof:
    """The proof in a ``.tlog-proof`` file.

    Raises
    ------
    UsageError
        The text is no such proof.
    """
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
        hashes = tuple(map(_decoded, lines[1:]))
    except (ValueError, IndexError) as e:
        raise UsageError(f"{name}: expected a proof {PROOF_HEADER}, found something else") from e
    return Proof(index=int(index), hashes=hashes, checkpoint=read_checkpoint(note, name))


def verifier_key(origin: str, key: PublicKey) -> str:
    """The key of a log as a C2SP ``vkey``, which verifiers of signed notes are given."""
    return f"{origin}+{_note_key_id(origin, key.raw).hex()}+{_encoded(_ED25519 + key.raw)}"


def _note_key_id(origin: str, raw: bytes) -> bytes:
    return hashlib.sha256(origin.encode() + b"\n" + _ED25519 + raw).digest()[:_ID_BYTES]


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _decoded(text: str) -> bytes:
    data = base64.b64decode(text, validate=True)
    if len(data) != merkle.HASH_BYTES:
        raise ValueError(text)
    return data
