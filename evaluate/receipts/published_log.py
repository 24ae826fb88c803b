"""A log as static files for any web server: a log of digests, with those receipts that may be published.

    checkpoint             the newest signed head (C2SP tlog-checkpoint), with the cosignatures of witnesses
    tile/<level>/<n>       the hashes of the tree (C2SP tlog-tiles)
    receipts/<number>/     receipts that may be published, each with its proof: all seals and statements about the log,
                           and what the organiser chose of the rest
    public.json            the keys; also as allowed_signers for OpenSSH, and as log.vkeys for monitors of C2SP logs

There are no bundles of entries (``tile/entries``): an entry of the log is a receipt, and most are a team's own affair.
A leaf hash says nothing about its receipt, which has a signature that nobody can guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

from evaluate.confine.ownership import remove_tree
from evaluate.core.errors import Fault, UsageError
from evaluate.core.files import write_file
from evaluate.receipts import note
from evaluate.receipts.envelope import allowed_signers, read_envelope
from evaluate.receipts.keys import PublicKey, public_keys, published, restored_size
from evaluate.receipts.log import Log, proof_in_head, wrong_heads
from evaluate.receipts.note import Checkpoint, Proof, read_checkpoint, text_in, verifier_key

WIDTH = 256
"""Hashes in a full tile."""
_HEIGHT = 8
_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")
CHECKPOINT, KEYS, RECEIPTS, PROOF = "checkpoint", "public.json", "receipts", "receipt.json.tlog-proof"


def export(log: Log, keys: Sequence[PublicKey], folder: Path, receipts: Mapping[int, Mapping[str, bytes]]) -> None:
    """Bring the site in a folder up to date; who reads it meanwhile sees the one before or the new one.

    Raises UsageError if the folder contains something else. Raises Fault if it is the site of a log that this one does
    not continue.

    ``receipts``: the files of each receipt that may be published, by its number; others that are there stay.
    """
    folder.mkdir(parents=True, exist_ok=True)
    site = ExportedLog(folder)
    head = log.checkpoint()
    _refuse_other(site, log, head, keys)
    if head is not None:
        for level, index, width in _tiles(head.size):
            # teams and witnesses have heads of all sizes, also of those between two exports
            for size in [width] if width == WIDTH else range(1, width + 1):
                tile = folder / _path(level, index, size)
                if not tile.exists():
                    tile.parent.mkdir(parents=True, exist_ok=True)
                    write_file(tile, log.hashes(_positions(level, index, size)))
    for number, files in receipts.items():
        receipt = folder / RECEIPTS / str(number)
        receipt.mkdir(parents=True, exist_ok=True)
        for name, data in {**files, PROOF: log.proof(number).text.encode()}.items():
            _put(receipt / name, data)
    _put(folder / KEYS, published(list(keys)).encode())
    _put(folder / "allowed_signers", allowed_signers(keys).encode())
    spans = [(span.origin, key) for key in keys for span in key.logs]
    _put(folder / "log.vkeys", "".join(f"{verifier_key(origin, key)}\n" for origin, key in spans).encode())
    if head is not None:
        _put(folder / CHECKPOINT, head.note.encode())


def _refuse_other(site: ExportedLog, log: Log, head: Checkpoint | None, keys: Sequence[PublicKey]) -> None:
    """Never replace a head by one that contradicts it."""
    if (before := site.checkpoint) is None:
        if any(site.folder.iterdir()):
            raise UsageError(f"{site.folder}: expected an empty folder, or an earlier export, found something else")
        return
    restored = restored_size(keys, before.origin)
    if before.origin != log.origin and restored is None:
        raise UsageError(f"{site.folder} is the site of the log {before.origin}, and this one is {log.origin}")
    if before.origin != log.origin and restored is not None and before.size > restored:
        remove_tree(site.folder / "tile")  # of receipts that were lost with the restore, which the log says
        for number, lost in numbered(site.folder / RECEIPTS):
            if number >= restored:
                remove_tree(lost)
    elif head is None or before.size > head.size or log.root(before.size) != before.root:
        size = head.size if head is not None else 0
        raise Fault(f"{site.folder} shows a log of {before.size} that this one of {size} does not continue: a fork")


def numbered(folder: Path) -> list[tuple[int, Path]]:
    """Number and folder of every receipt that lies in a folder, in order; a number has one name."""
    paths = folder.iterdir() if folder.is_dir() else ()
    return sorted((int(path.name), path) for path in paths if _NUMBER.fullmatch(path.name))


def _put(file: Path, data: bytes) -> None:
    if not file.exists() or file.read_bytes() != data:
        write_file(file, data)


def _tiles(size: int) -> Iterator[tuple[int, int, int]]:
    """Level, index and width of every tile of a tree."""
    level, hashes = 0, size
    while hashes:
        for index in range(hashes // WIDTH):
            yield level, index, WIDTH
        if hashes % WIDTH:
            yield level, hashes // WIDTH, hashes % WIDTH
        level, hashes = level + 1, hashes // WIDTH


def _positions(level: int, index: int, width: int) -> list[int]:
    """Return the positions where the hashes of a tile are stored (`merkle`)."""
    first = index * WIDTH
    return [note.position(_HEIGHT * level, n) for n in range(first, first + width)]


def _path(level: int, index: int, width: int) -> str:
    parts = [f"{index % 1000:03d}"]
    while index >= 1000:
        index //= 1000
        parts.insert(0, f"x{index % 1000:03d}")
    partial = f".p/{width}" if width < WIDTH else ""
    return f"tile/{level}/{'/'.join(parts)}{partial}"


class ExportedLog:
    """An exported log, read by anybody."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def checkpoint(self) -> Checkpoint | None:
        """Its head; None if nothing was exported."""
        file = self.folder / CHECKPOINT
        return read_checkpoint(text_in(file), str(file)) if file.exists() else None

    @property
    def keys(self) -> list[PublicKey]:
        """The keys that it names."""
        file = self.folder / KEYS
        return public_keys(file.read_bytes(), str(file)) if file.exists() else []

    @property
    def origin(self) -> str:
        """Origin of its log; empty if nothing was exported."""
        head = self.checkpoint
        return "" if head is None else head.origin

    @property
    def size(self) -> int:
        """Number of receipts of its log."""
        head = self.checkpoint
        return 0 if head is None else head.size

    def receipts(self) -> Iterator[tuple[int, bytes]]:
        """Number and line of the receipts that are published."""
        for number, path in numbered(self.folder / RECEIPTS):
            yield number, (path / "receipt.json").read_bytes().rstrip(b"\n")

    def proof(self, index: int) -> Proof:
        """The proof that a receipt is in its head. Raises UsageError if there is no receipt of this number."""
        return proof_in_head(index, self.checkpoint, self._tree.__getitem__)

    def problems(self, keys: Sequence[PublicKey], *earlier: Checkpoint) -> list[str]:
        """List what is wrong: as `Log.problems`, by the hashes of the tree and the receipts that are published."""
        try:
            tree, size = self._tree, self.size
        except OSError as e:
            return [f"{e.filename} cannot be read: {e.strerror}"]
        problems = [
            f"the tile {_path(*tile)} is not that of the tree"
            for tile in _tiles(size)
            if self._tile(*tile) != b"".join(tree[position] for position in _positions(*tile))
        ]
        for number, line in self.receipts():
            if number >= size or note.leaf_hash(line) != tree[note.stored_before(number)]:
                problems.append(f"receipt {number} is not the one in the log")
        return [*problems, *wrong_heads(size, tree.__getitem__, self.checkpoint, earlier, keys)]

    @cached_property
    def _tree(self) -> list[bytes]:
        """The stored hashes, calculated from those of the leaves."""
        tree: list[bytes] = []
        for number, leaf in enumerate(self._leaf_hashes()):
            tree += note.appended(leaf, number, tree.__getitem__)
        return tree

    def _leaf_hashes(self) -> Iterator[bytes]:
        for level, index, width in _tiles(self.size):
            if level == 0:
                data = self._tile(level, index, width).ljust(width * note.HASH_BYTES, b"\0")
                yield from (data[at : at + note.HASH_BYTES] for at in range(0, len(data), note.HASH_BYTES))

    def _tile(self, level: int, index: int, width: int) -> bytes:
        """A tile, or as much of the full one."""
        file = self.folder / _path(level, index, width)
        if not file.exists():
            file = self.folder / _path(level, index, WIDTH)
        return file.read_bytes()[: width * note.HASH_BYTES]


# Checks a whole log: nothing in it was lost or changed, and each receipt is of a key that was in use then


@dataclass(frozen=True, kw_only=True)
class Audit:
    """Findings of an audit."""

    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """Facts that hold, but should be known."""


def audit(log: Log | ExportedLog, keys: Sequence[PublicKey], earlier: Sequence[Checkpoint] = ()) -> Audit:
    """Read every receipt of a log, or those that a site publishes, and compare it with its heads and its keys.

    ``earlier``: heads from outside; that they are the log's own, and agree, is checked too.
    """
    same_log, notes, others = [], [], []
    origin = log.origin if log.size or earlier else ""
    for head in earlier:
        restored = restored_size(keys, head.origin)
        if head.origin == origin or (restored is not None and head.size <= restored):
            same_log.append(head)
        elif restored is not None and head.signed_by(keys) is not None:
            notes.append(
                f"the log {head.origin} was restored at size {restored}: its numbers {restored} to {head.size - 1} "
                "were lost; `evaluate log adopt RECEIPT` takes back what teams have"
            )
        else:
            others.append(f"the checkpoint that was given is of the log {head.origin}, and this one is {origin}")
    problems = [*log.problems(keys, *same_log), *others, *forks(earlier, keys)]
    void: dict[str, list[int]] = {}
    for number, line in log.receipts():
        try:
            key = read_envelope(line, f"receipt {number}").signed_by(list(keys))
        except UsageError:
            problems.append(f"number {number} is no receipt")
            continue
        span = key.span(origin) if key is not None else None
        if key is None:
            problems.append(f"receipt {number} is signed by none of the {len(keys)} known keys")
        elif span is None and key.logs:
            problems.append(f"receipt {number} is signed by the key {key.id}, which was never used in this log")
        elif span is not None and not span.used(number):
            used = f"in use from number {span.first} to {span.end}"
            problems.append(f"receipt {number} is signed by the key {key.id}, which was {used}")
        elif span is not None and not span.covers(number):
            void.setdefault(key.id, []).append(number)
    notes += [
        f"{len(numbers)} of the receipts from {numbers[0]} to {numbers[-1]} do not count: their key {name} is revoked"
        for name, numbers in void.items()
    ]
    return Audit(problems=tuple(problems), notes=tuple(notes))


def forks(heads: Sequence[Checkpoint], keys: Sequence[PublicKey]) -> Iterator[str]:
    """Heads of one log with the same size and other roots: two logs that were shown to different people."""
    for first, second in combinations(heads, 2):
        same = (first.origin, first.size) == (second.origin, second.size)
        if same and first.root != second.root and first.signed_by(keys) and second.signed_by(keys):
            yield f"FORK: two signed heads of the log {first.origin} have size {first.size} and different roots"
