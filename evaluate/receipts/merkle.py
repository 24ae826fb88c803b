"""The Merkle tree of RFC 6962, section 2.1, over leaves whose hashes are kept in one growing sequence.

The hash of every complete subtree is stored once, directly after its last leaf: leaf 0, leaf 1, their parent, leaf 2,
and so on.  So a tree is only ever appended to, n leaves need fewer than 2 n hashes, and any proof reads O(log n) of
them.  Verifying needs no storage (RFC 9162, sections 2.1.3.2 and 2.1.4.2).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence

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
    """How many hashes a tree of ``size`` leaves stores, which is also where the next leaf is stored."""
    total = 0
    while size:
        total += size
        size >>= 1
    return total


def appended(leaf: bytes, size: int, read: Read) -> list[bytes]:
    """What a tree of ``size`` leaves stores when a leaf with this hash is appended: its hash and new complete nodes."""
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
    """Whether the proof leads from the leaf to the expected root."""
    if not 0 <= index < size:
        return False
    node, last, found = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if node & 1 or node == last:
            found = node_hash(sibling, found)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and found == expected


def _trailing_ones(n: int) -> int:
    return (~n & (n + 1)).bit_length() - 1


def position(level: int, n: int) -> int:
    """Where the hash of the n-th complete subtree of 2^level leaves is stored: after its last leaf."""
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
