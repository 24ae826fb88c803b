"""Signed heads of the log (C2SP ``tlog-checkpoint``, a ``signed-note``) and proofs of inclusion (``tlog-proof@v1``)."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from evaluate.core.errors import UsageError
from evaluate.receipts.keys import PublicKey, Signer, read_base64

# The Merkle tree of RFC 6962, section 2.1, over leaves whose hashes are kept in one growing sequence.
#
# The hash of every complete subtree is stored once, directly after its last leaf: leaf 0, leaf 1, their parent, leaf
# 2, and so on.  So a tree is only ever appended to, n leaves need fewer than 2 n hashes, and any proof reads O(log n)
# of them.  Verifying needs no storage (RFC 9162, sections 2.1.3.2 and 2.1.4.2).


HASH_BYTES = 32
EMPTY_ROOT = hashlib.sha256().digest()
Read = Callable[[int], bytes]
"""Returns the stored hash with this number, from 0."""


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf."""
    return hashlib.sha256(b"\0" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return hashlib.sha256(b"\1" + left + right).digest()


def stored_before(size: int) -> int:
    """Number of hashes that a tree of ``size`` leaves stores, which is also where the next leaf is stored."""
    total = 0
    while size:
        total += size
        size >>= 1
    return total


def appended(leaf: bytes, size: int, read: Read) -> list[bytes]:
    """Hashes that a tree of ``size`` leaves stores when a leaf is added: its hash and new complete nodes."""
    hashes = [leaf]
    for level in range(_trailing_ones(size)):
        hashes.append(node_hash(read(position(level, (size >> level) - 1)), hashes[-1]))
    return hashes


def root(size: int, read: Read) -> bytes:
    """The root of the first ``size`` leaves."""
    return _subtree(0, size, read) if size else EMPTY_ROOT


def inclusion_proof(index: int, size: int, read: Read) -> list[bytes]:
    """The hashes that lead from a leaf to the root of the first ``size`` leaves."""
    if not 0 <= index < size:
        raise ValueError(f"leaf {index} of a tree of {size}")
    return list(_path(index, 0, size, read))


def includes(leaf: bytes, index: int, size: int, proof: Sequence[bytes], expected: bytes) -> bool:
    """True if the proof leads from the leaf to the expected root."""
    if not 0 <= index < size:
        return False
    node, last, calculated = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if node & 1 or node == last:
            calculated = node_hash(sibling, calculated)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            calculated = node_hash(calculated, sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and calculated == expected


def _trailing_ones(n: int) -> int:
    return (~n & (n + 1)).bit_length() - 1


def position(level: int, n: int) -> int:
    """Return the position of the hash of the n-th complete subtree of 2^level leaves: after its last leaf."""
    last_leaf = ((n + 1) << level) - 1
    return stored_before(last_leaf) + level


def _split(size: int) -> int:
    """The largest power of two below ``size``."""
    return 1 << (size - 1).bit_length() - 1


def _subtree(low: int, high: int, read: Read) -> bytes:
    size = high - low
    if size & (size - 1) == 0:
        level = size.bit_length() - 1
        return read(position(level, low >> level))
    middle = low + _split(size)
    return node_hash(_subtree(low, middle, read), _subtree(middle, high, read))


def _path(index: int, low: int, high: int, read: Read) -> Iterator[bytes]:
    if high - low == 1:
        return
    middle = low + _split(high - low)
    if index < middle:
        yield from _path(index, low, middle, read)
        yield _subtree(middle, high, read)
    else:
        yield from _path(index, middle, high, read)
        yield _subtree(low, middle, read)


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
        """Bytes that are signed."""
        return f"{self.note.rpartition(_EMPTY_LINE)[0]}\n".encode()

    def signed_by(self, keys: Sequence[PublicKey]) -> PublicKey | None:
        """The key of these that signed it; None if none did."""
        return next((key for key in keys if self._has(key.raw)), None)

    def _has(self, raw: bytes) -> bool:
        """True if a key of the log signed it, and none of its signatures is invalid."""
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
    text = f"{origin}\n{size}\n{_encoded(root)}\n"
    signature = _key_id(origin, signer.public.raw) + signer.sign(text.encode())
    return Checkpoint(origin=origin, size=size, root=root, note=f"{text}\n{_DASH}{origin} {_encoded(signature)}\n")


def read_checkpoint(note: str, name: str) -> Checkpoint:
    """A head from its text; nothing about the signature is checked.

    Raises UsageError if the text is not a checkpoint.
    """
    try:
        origin, size, root, *_ = note.partition("\n\n")[0].split("\n")
        head = Checkpoint(origin=origin, size=int(size), root=read_hash(root), note=note)
    except ValueError as e:
        raise UsageError(f"{name}: expected a signed checkpoint of a log, found something else") from e
    if not origin or head.size < 0 or str(head.size) != size:
        raise UsageError(f"{name}: expected a signed checkpoint of a log, found something else")
    return head


@dataclass(frozen=True, kw_only=True)
class Proof:
    """Proof that a leaf is in the tree of a checkpoint."""

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: Checkpoint

    def holds_for(self, data: bytes) -> bool:
        """True if it is about these bytes."""
        head = self.checkpoint
        return includes(leaf_hash(data), self.index, head.size, self.hashes, head.root)

    @property
    def text(self) -> str:
        """The content of a ``.tlog-proof`` file."""
        lines = [PROOF_HEADER, f"index {self.index}", *map(_encoded, self.hashes), "", self.checkpoint.note]
        return "\n".join(lines)


def text_in(file: Path) -> str:
    """The text of a file of a checkpoint or a proof. Raises UsageError if it is no text."""
    try:
        return file.read_bytes().decode()
    except UnicodeDecodeError as e:
        raise UsageError(f"{file}: expected text, found bytes that are no UTF-8") from e


def proof_in(file: Path) -> Proof:
    """The proof in a ``.tlog-proof`` file. Raises UsageError if it is no such file."""
    return read_proof(text_in(file), str(file))


def read_proof(text: str, name: str) -> Proof:
    """The proof that a text is. Raises UsageError if it is none."""
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


def read_hash(text: str) -> bytes:
    """A hash from a note; ValueError if it is none."""
    data = read_base64(text)
    if len(data) != HASH_BYTES:
        raise ValueError(text)
    return data
