"""Texts that are long and seldom asked for: results with their records, scores with their resampled values.

Each text is kept once under its digest, compressed, in a table of its own.  A text is kept before the row that refers
to it is committed, so a reference always leads to something; what is read is checked by its digest.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext

import sqlalchemy as sa

from evaluate.core.errors import Fault
from evaluate.store.db.tables import DETAILS, insert

_Connects = Callable[[], AbstractContextManager[sa.Connection]]
PREFIX = "sha256:"
SHORT = 200
"""Characters of a text that stays where it is."""
_AT_ONCE = 500


class Details:
    """The texts of one queue.

    * ``engine``: of its database.
    * ``write`` and ``ask``: `Database.at_once` and `Database.ask`.
    """

    def __init__(self, engine: sa.Engine, write: _Connects, ask: _Connects) -> None:
        self._engine, self._write, self._ask = engine, write, ask

    def keep(self, text: str, connection: sa.Connection | None = None) -> str:
        """Keep a text; returns what stands for it in a row: the text itself if it is short, else a reference.

        ``connection``: the transaction to do it in; by default one of its own.
        """
        if len(text) <= SHORT:
            return text
        key = reference(text)
        row = {"sha256": key.removeprefix(PREFIX), "data": zlib.compress(text.encode())}
        with self._write() if connection is None else nullcontext(connection) as writing:
            writing.execute(insert(writing, DETAILS).values(row).on_conflict_do_nothing())
        return key

    def text_of(self, column: sa.Column[str], where: sa.ColumnElement[bool]) -> str:
        """The text of a column of one row, by one question; empty without such a row. Raises Fault as `texts` does."""
        both = sa.outerjoin(column.table, DETAILS, DETAILS.c.sha256 == sa.func.substr(column, len(PREFIX) + 1))
        with self._ask() as connection:
            row = connection.execute(sa.select(column, DETAILS.c.data).select_from(both).where(where)).first()
        if row is None or not row[0].startswith(PREFIX):
            return "" if row is None else str(row[0])
        return _present(row[0], row[1])

    def texts(self, kept: Sequence[str]) -> list[str]:
        """The texts that `keep` gave these for: few questions for many. Raises Fault if one is missing or damaged."""
        data: dict[str, bytes] = {}
        asked = [key.removeprefix(PREFIX) for key in dict.fromkeys(kept) if key.startswith(PREFIX)]
        with self._ask() as connection:
            for first in range(0, len(asked), _AT_ONCE):
                part = DETAILS.c.sha256.in_(asked[first : first + _AT_ONCE])
                rows = connection.execute(sa.select(DETAILS.c.sha256, DETAILS.c.data).where(part))
                data |= {PREFIX + row.sha256: row.data for row in rows}
        return [_present(key, data.get(key)) if key.startswith(PREFIX) else key for key in kept]

    def damaged(self) -> Iterator[str]:
        """The digests of texts that are not what their digests say."""
        with self._engine.connect().execution_options(yield_per=_AT_ONCE) as connection:
            for digest, data in connection.execute(sa.select(DETAILS.c.sha256, DETAILS.c.data)):
                try:
                    _unpacked(digest, data)
                except Fault:
                    yield digest


def _present(key: str, data: bytes | None) -> str:
    digest = key.removeprefix(PREFIX)
    if data is None:
        raise Fault(f"the details {digest} are missing (evaluate verify-state names what needs them)")
    return _unpacked(digest, data)


def reference(text: str) -> str:
    """Return the reference that stands for a long text."""
    return PREFIX + hashlib.sha256(text.encode()).hexdigest()


def _unpacked(digest: str, data: bytes) -> str:
    try:
        text = zlib.decompress(data)
    except zlib.error as e:
        raise Fault(f"the details {digest} are damaged: {e}") from e
    if (actual := hashlib.sha256(text).hexdigest()) != digest:
        raise Fault(f"the details {digest} are damaged: their digest is {actual}")
    return text.decode()
