"""What is long and seldom asked for: results with their records, scores with their resampled values, old journal lines.

Each text is kept once under its digest, compressed, out of the tables that every command reads: in a second SQLite file
next to the queue's, on PostgreSQL in a table of its own.  A copy of the queue (`evaluate.queue.audit.dump`) has them
in the queue's own file.  A text is kept before the row that refers to it is committed, so a reference always leads to
something; what is read is checked by its digest.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext

import sqlalchemy as sa

from evaluate.core.errors import Fault
from evaluate.queue.db.tables import DETAILS, insert

FILE = "details.sqlite"
PREFIX = "sha256:"
SHORT = 200
"""Characters of a text that stays where it is."""
_AT_ONCE = 500


class Details:
    """The texts of one queue.

    * ``writer`` and ``reader``: of the database that new texts are written to; transactions of the first begin as those
      of a writer, or each of its statements is one.
    * ``inside``: of the queue's own database, where a copy of a queue has its texts.
    * ``asking``: as ``reader``, for single questions.
    """

    def __init__(
        self, writer: sa.Engine, reader: sa.Engine, inside: sa.Engine, asking: sa.Engine | None = None
    ) -> None:
        self._writer, self._readers = writer, [reader] if reader is inside else [reader, inside]
        self._asked = self._readers if asking is None else [asking]

    def keep(self, text: str, connection: sa.Connection | None = None) -> str:
        """Keep a text; returns what stands for it in a row: the text itself if it is short, else a reference.

        ``connection``: one to the queue's database that is in use: a command has no second one to a server.
        """
        return self.keep_all([text], connection)[0]

    def keep_all(self, texts: Sequence[str], connection: sa.Connection | None = None) -> list[str]:
        """Keep texts in one transaction; see `keep`."""
        found = [text if len(text) <= SHORT else reference(text) for text in texts]
        rows: dict[str, dict[str, object]] = {
            key: {"sha256": key.removeprefix(PREFIX), "data": zlib.compress(text.encode())}
            for key, text in zip(found, texts, strict=True)
            if key is not text
        }
        if rows:
            self.put(list(rows.values()), connection)
        return found

    def put(self, rows: Sequence[dict[str, object]], connection: sa.Connection | None = None) -> None:
        """Add rows of `DETAILS`, unless they exist."""
        if connection is not None and connection.engine.pool is self._writer.pool:
            connection.execute(insert(connection, DETAILS).on_conflict_do_nothing(), rows)
            return
        with self._writer.begin() as writing:
            writing.execute(insert(writing, DETAILS).on_conflict_do_nothing(), rows)

    def text(self, kept: str, connection: sa.Connection | None = None) -> str:
        """The text that `keep` gave ``kept`` for; see there for ``connection``.

        Raises Fault if it is missing or damaged.
        """
        if not kept.startswith(PREFIX):
            return kept
        digest = kept.removeprefix(PREFIX)
        for engine in self._asked:
            with _on(engine, connection) as reading:
                data = reading.scalar(sa.select(DETAILS.c.data).where(DETAILS.c.sha256 == digest))
            if data is not None:
                return _unpacked(digest, data)
        raise Fault(f"the details {digest} are missing (evaluate verify-state names what needs them)")

    def texts(self, kept: Sequence[str]) -> list[str]:
        """The texts that `keep` gave these for: few questions for many of them. Raises Fault as `text` does."""
        found: dict[str, str] = {}
        for engine in self._asked:
            missing = [one.removeprefix(PREFIX) for one in dict.fromkeys(kept) if one.startswith(PREFIX)]
            missing = [digest for digest in missing if PREFIX + digest not in found]
            with engine.connect() as connection:
                for first in range(0, len(missing), _AT_ONCE):
                    part = DETAILS.c.sha256.in_(missing[first : first + _AT_ONCE])
                    for digest, data in connection.execute(sa.select(DETAILS.c.sha256, DETAILS.c.data).where(part)):
                        found[PREFIX + digest] = _unpacked(digest, data)
        return [found[one] if one in found else self.text(one) for one in kept]

    def rows(self) -> Iterator[list[dict[str, object]]]:
        """Every row there is, in parts; unchecked."""
        for engine in self._readers:
            with engine.connect().execution_options(yield_per=_AT_ONCE) as connection:
                for part in connection.execute(sa.select(DETAILS)).mappings().partitions(_AT_ONCE):
                    yield [{str(key): row[key] for key in row} for row in part]

    def missing(self, digests: Sequence[str], connection: sa.Connection | None = None) -> set[str]:
        """Those of which there is no text; see `keep` for ``connection``."""
        left = set(digests)
        for engine in self._readers:
            with _on(engine, connection) as reading:
                for first in range(0, len(digests), _AT_ONCE):
                    part = DETAILS.c.sha256.in_(digests[first : first + _AT_ONCE])
                    left.difference_update(reading.scalars(sa.select(DETAILS.c.sha256).where(part)))
        return left

    def damaged(self) -> Iterator[str]:
        """The digests of texts that are not what their digests say."""
        for part in self.rows():
            for row in part:
                try:
                    _unpacked(str(row["sha256"]), row["data"])  # type: ignore[arg-type]
                except Fault:
                    yield str(row["sha256"])


def _on(engine: sa.Engine, connection: sa.Connection | None) -> AbstractContextManager[sa.Connection]:
    if connection is not None and connection.engine.pool is engine.pool:
        return nullcontext(connection)
    return engine.connect()


def reference(text: str) -> str:
    """What stands for a long text."""
    return PREFIX + hashlib.sha256(text.encode()).hexdigest()


def _unpacked(digest: str, data: bytes) -> str:
    try:
        text = zlib.decompress(data)
    except zlib.error as e:
        raise Fault(f"the details {digest} are damaged: {e}") from e
    if (found := hashlib.sha256(text).hexdigest()) != digest:
        raise Fault(f"the details {digest} are damaged: their digest is {found}")
    return text.decode()
