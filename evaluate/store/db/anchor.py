"""Record of a queue in its state directory, outside the database: which queue it is, and how far its journal had come.

Without it a missing, emptied or older database, or one whose newest changes were lost together with its write-ahead
log, would look like a queue with fewer entries.  The file is written after every commit of a journal line, without
waiting for the disk: it is never ahead of the database, and after a power cut at most a little behind.
"""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

from evaluate.core.errors import Fault

FILE = "queue.position"
_WIDTH = 160
"""Bytes of the file: always the same, so that it is overwritten in one step."""


@dataclass(frozen=True)
class Position:
    """The end of a queue's journal."""

    identity: str
    """Identity of the queue; new for every queue that is created, the same in its backups."""
    line: int
    """The number of the newest line; 0 if there is none."""
    chain: str
    """The link of that line; empty if there is none."""


class Anchor:
    """The file of one state directory."""

    def __init__(self, state: Path) -> None:
        self.path = state / FILE

    def read(self) -> Position | None:
        """Return the known position; None if there is none.

        Read it before the database: others may add to both meanwhile, and no database is behind what was known before.
        Raises Fault if the file is damaged.
        """
        try:
            fd = os.open(self.path, os.O_RDONLY)
        except FileNotFoundError:
            return None
        try:
            fcntl.flock(fd, fcntl.LOCK_SH)  # never a part of what another process is writing
            return self._parsed(os.pread(fd, _WIDTH, 0))
        finally:
            os.close(fd)

    def note(self, position: Position, *, sync: bool = False) -> None:
        """Write a position, unless a later one of the same queue is known."""
        fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            earlier = self._parsed(os.pread(fd, _WIDTH, 0))
            if earlier is None or earlier.identity != position.identity or earlier.line < position.line:
                text = f"{position.identity} {position.line} {position.chain or '-'}"
                os.pwrite(fd, text.ljust(_WIDTH - 1).encode() + b"\n", 0)
            if sync:
                os.fsync(fd)
        finally:
            os.close(fd)

    def forget(self) -> None:
        """Know nothing any more; for a queue that is restored."""
        self.path.unlink(missing_ok=True)

    def refuse(self, noted: Position | None, finding: str, repair: str) -> Fault:
        """The error for a database that is less than what is known."""
        line = f"with {noted.line} lines in its journal" if noted else "whose uploads are here"
        return Fault(
            f"{self.path.parent} belongs to a queue {line}; {finding}. Nothing was changed. {repair}, or bring it back "
            f"with `evaluate restore DIR`; to continue with what is there, remove {self.path}"
        )

    def check(self, noted: Position, position: Position, chain: str | None, name: str) -> None:
        """Compare a database with what is known. Raises Fault if it is another queue, or an older state of it.

        * ``noted``: what was read before the database.
        * ``position``: the end of the journal in the database.
        * ``chain``: the link of the line that is known, in the database; None if it is not at hand.
        * ``name``: of the database.
        """
        if not position.identity:
            wrong = "is empty"
        elif position.identity != noted.identity:
            wrong = "is another queue"
        elif position.line < noted.line:
            wrong = f"is older and has {position.line}"
        elif chain is not None and chain != noted.chain:
            wrong = f"has another line {noted.line}"
        else:
            return
        raise self.refuse(noted, f"{name} {wrong}", "Put the right database back")

    def _parsed(self, data: bytes) -> Position | None:
        if not data.strip(b"\0 \n"):
            return None  # created just before a power cut
        try:
            identity, line, chain = data.decode().split()
            return Position(identity, int(line), "" if chain == "-" else chain)
        except ValueError as e:
            raise Fault(f"{self.path} is damaged; if the queue is the right one, remove this file") from e
