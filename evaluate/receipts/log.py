"""The log of a state directory: every receipt in order, in a Merkle tree whose head is signed after each.

    receipt-log/origin       the name of the log
                leaves       the receipts, one line each: the only file that cannot be rebuilt
                ends         where each line ends, 8 bytes each
                hashes       the tree (`evaluate.receipts.note`)
                checkpoint   the newest signed head

A receipt is in the log when its line has reached the disk.  If the process ends before the rest is written, the next
one to append completes it, so a proof that was handed out always stays true.  Who has an older checkpoint, or any
receipt with its proof, finds a line that was lost or changed since, even if everything here was signed again.
"""

from __future__ import annotations

import io
import os
import struct
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from evaluate.core.errors import Fault, UsageError
from evaluate.core.files import exclusive, is_read_only, write_file
from evaluate.receipts import note
from evaluate.receipts.keys import LogPosition, PublicKey, Signer
from evaluate.receipts.note import Checkpoint, Proof, checkpoint, read_checkpoint, text_in

_END = struct.Struct(">Q")


class Log:
    """The log in a folder; any number of processes may append."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def origin(self) -> str:
        """The name of the log, made when it is first used."""
        file = self._folder / "origin"
        if not file.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            with exclusive(self._folder / "lock"):
                if not file.exists():
                    self._named()
        return file.read_text(encoding="utf-8").strip()

    def _named(self) -> str:
        origin = f"evaluate.log/{uuid.uuid4().hex[:16]}"
        write_file(self._folder / "origin", f"{origin}\n".encode())
        return origin

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep others from appending meanwhile, so that its files can be copied."""
        if is_read_only(self._folder.parent):
            yield
            return
        self._folder.mkdir(parents=True, exist_ok=True)  # the first receipt may be signed meanwhile
        with exclusive(self._folder / "lock"):
            yield

    @contextmanager
    def changed(self) -> Iterator[Held]:
        """The log as it is, which nobody else changes meanwhile. Raises Fault if the log is damaged."""
        origin = self.origin
        with exclusive(self._folder / "lock"):
            yield Held(self, origin, self._completed())

    def checkpoint(self) -> Checkpoint | None:
        """The newest signed head; None if nothing was ever logged."""
        file = self._folder / "checkpoint"
        return read_checkpoint(text_in(file), str(file)) if file.exists() else None

    @property
    def size(self) -> int:
        """The number of receipts."""
        ends = self._folder / "ends"
        return ends.stat().st_size // _END.size if ends.exists() else 0

    def root(self, size: int) -> bytes:
        """The root of the first ``size`` receipts."""
        with self._hashes() as read:
            return note.root(size, read)

    def leaves(self) -> Iterator[bytes]:
        """Every receipt, in order."""
        file = self._folder / "leaves"
        if file.exists():
            with file.open("rb") as lines:
                yield from (line[:-1] for line in lines if line.endswith(b"\n"))

    def receipts(self) -> Iterator[tuple[int, bytes]]:
        """Number and line of every receipt."""
        yield from enumerate(self.leaves())

    def find(self, data: bytes) -> int | None:
        """The number of a receipt; None if it is not in the log."""
        return next((number for number, line in enumerate(self.leaves()) if line == data), None)

    def leaf(self, index: int) -> bytes:
        """A receipt by its number, from 0. Raises UsageError if there is none of this number."""
        if not 0 <= index < self.size:
            raise UsageError(f"receipt {index} is not in the log, which has {self.size}")
        start, end = self._end(index - 1), self._end(index)
        with (self._folder / "leaves").open("rb") as leaves:
            leaves.seek(start)
            return leaves.read(end - start - 1)

    def proof(self, index: int) -> Proof:
        """The proof that a receipt is in the newest head. Raises UsageError if there is no receipt of this number."""
        with self._hashes() as read:
            return proof_in_head(index, self.checkpoint(), read)

    def problems(self, keys: Sequence[PublicKey], *earlier: Checkpoint) -> list[str]:
        """List what is wrong with the log: nothing, if every receipt that was ever logged is there and unchanged.

        Every line is read, and the whole tree calculated.

        ``earlier``: heads from outside; that they are the log's own is checked too.
        """
        problems: list[str] = []
        tree: list[bytes] = []
        size = 0
        with self._hashes() as stored:
            for line in self.leaves():
                new = note.appended(note.leaf_hash(line), size, tree.__getitem__)
                if not problems and stored(len(tree)) != new[0]:
                    problems.append(f"receipt {size} was changed after it was logged")
                tree += new
                size += 1
        return [*problems, *wrong_heads(size, tree.__getitem__, self.checkpoint(), earlier, keys)]

    def hashes(self, positions: Sequence[int]) -> bytes:
        """The stored hashes of the tree at these positions, one after the other (`evaluate.receipts.note`)."""
        with self._hashes() as read:
            return b"".join(map(read, positions))

    def _completed(self) -> int:
        """Complete what a process that was killed left, and return the number of receipts."""
        leaves = self._folder / "leaves"
        length = leaves.stat().st_size if leaves.exists() else 0
        size = self.size
        if size and self._end(size - 1) > length:
            raise Fault(f"the log of receipts in {self._folder} has lost receipts; see `evaluate log verify`")
        start = self._end(size - 1)
        hashes = self._folder / "hashes"
        stored = hashes.stat().st_size if hashes.exists() else 0
        if start == length and stored == note.stored_before(size) * note.HASH_BYTES:
            return size
        while stored < note.stored_before(size) * note.HASH_BYTES:
            size -= 1
        start = self._end(size - 1)
        with leaves.open("r+b") as file:
            file.seek(start)
            rest = file.read()
            *lines, partial = rest.split(b"\n")
            file.truncate(length - len(partial))
        self._index(size, lines)
        return size + len(lines)

    def _appended(self, origin: str, size: int, data: bytes, signer: Signer) -> Proof:
        if b"\n" in data:
            raise ValueError("a leaf is one line")
        try:
            with (self._folder / "leaves").open("ab") as leaves:
                leaves.write(data + b"\n")
                leaves.flush()
                os.fdatasync(leaves.fileno())
            self._index(size, [data])
        except OSError as e:
            raise Fault(f"the log of receipts in {self._folder} cannot be written: {e.strerror}") from e
        head = self._signed(origin, size + 1, signer)
        with self._hashes() as read:
            return proof_in_head(size, head, read)

    def _index(self, size: int, lines: list[bytes]) -> None:
        """Add these leaves to the tree after its first ``size``; whatever is beyond them is cut off."""
        end = self._end(size - 1)
        with (
            _cut(self._folder / "hashes", note.stored_before(size) * note.HASH_BYTES) as tree,
            _cut(self._folder / "ends", size * _END.size) as ends,
        ):
            for n, line in enumerate(lines, size):
                end += len(line) + 1
                new = note.appended(note.leaf_hash(line), n, partial(_hash_at, tree))
                tree.seek(0, os.SEEK_END)
                tree.write(b"".join(new))
                ends.write(_END.pack(end))

    def _end(self, index: int) -> int:
        """Return the position where a leaf ends; 0 for the one before the first."""
        if index < 0:
            return 0
        with (self._folder / "ends").open("rb") as file:
            file.seek(index * _END.size)
            (end,) = _END.unpack(file.read(_END.size))
        return int(end)

    def _signed(self, origin: str, size: int, signer: Signer) -> Checkpoint:
        head = checkpoint(origin, size, self.root(size), signer)
        # no flush: the next append would make it again
        temporary = self._folder / ".checkpoint"
        temporary.write_text(head.note, encoding="utf-8")
        temporary.replace(self._folder / "checkpoint")
        return head

    @contextmanager
    def _hashes(self) -> Iterator[note.Read]:
        """The stored hashes of the tree; a hash that is missing is empty."""
        path = self._folder / "hashes"
        with path.open("rb") if path.exists() else io.BytesIO() as file:
            yield partial(_hash_at, file)


def proof_in_head(index: int, head: Checkpoint | None, read: note.Read) -> Proof:
    """The proof that a receipt is in a head. Raises UsageError if the head has no receipt of this number."""
    if head is None or not 0 <= index < head.size:
        raise UsageError(f"receipt {index} is not in the log, which has {head.size if head else 0}")
    return Proof(index=index, hashes=tuple(note.inclusion_proof(index, head.size, read)), checkpoint=head)


def wrong_heads(
    size: int, read: note.Read, head: Checkpoint | None, earlier: Sequence[Checkpoint], keys: Sequence[PublicKey]
) -> Iterator[str]:
    """Say what is wrong with the heads of a tree: the newest one, and those from outside."""
    if head is None and size:
        yield f"the log has {size} receipts and no checkpoint"
    newest = [] if head is None else [(head, "the newest checkpoint")]
    for checked, name in (*newest, *((checked, "the checkpoint that was given") for checked in earlier)):
        by = checked.signed_by(keys)
        if by is None:
            yield f"{name} (size {checked.size}) is signed by none of the {len(keys)} known keys"
        elif not by.heads(checked.origin, checked.size):
            yield f"{name} (size {checked.size}) is signed by the key {by.id}, which was not in use at that size"
        if checked.size > size:
            yield f"{name} has {checked.size} receipts, and the log has {size}: the last ones were lost"
        elif checked.root != note.root(checked.size, read):
            yield f"the first {checked.size} receipts are not those of {name}"


@dataclass
class Held:
    """A log while nobody else may change it."""

    _log: Log
    origin: str
    size: int

    @property
    def position(self) -> LogPosition:
        """Position of the next receipt."""
        return self.origin, self.size

    def root(self) -> bytes:
        """The root of its tree."""
        return self._log.root(self.size)

    def append(self, data: bytes, signer: Signer) -> Proof:
        """Add one receipt, and return the proof that it is in the log. Raises Fault if the log cannot be written.

        ``data``: one line, without its end.
        """
        proof = self._log._appended(self.origin, self.size, data, signer)
        self.size += 1
        return proof

    def rename(self) -> None:
        """Give the log another origin, for what is not the continuation of all that was signed under the old one."""
        self.origin = self._log._named()

    def sign(self, signer: Signer) -> None:
        """Sign the newest head again, with another key."""
        if self.size:
            self._log._signed(self.origin, self.size, signer)


def _cut(path: Path, length: int) -> IO[bytes]:
    """A file that is cut to a length, open at its end; made if it does not exist."""
    path.touch(0o644)
    file = path.open("r+b")
    file.truncate(length)
    file.seek(length)
    return file


def _hash_at(file: IO[bytes], position: int) -> bytes:
    """The hash with a number in a file of hashes; empty if it is missing."""
    file.seek(position * note.HASH_BYTES)
    return file.read(note.HASH_BYTES)
