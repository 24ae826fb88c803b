"""Comparison of a queue with its journal: the chain, the rows of the tables, the long texts, the database's files.

`whole` compares everything, as it is at one moment, one entry after another, so that it needs no more memory for more
entries. `Replay` gives the rows that the tables must have, by the journal alone: the one place that knows what each of
the journal's events means.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import merge
from itertools import chain, groupby
from operator import attrgetter, itemgetter
from typing import Any

import sqlalchemy as sa

from evaluate.core.errors import Fault
from evaluate.core.model import Stage
from evaluate.store.db import journal
from evaluate.store.db.blobs import PREFIX
from evaluate.store.db.database import Database
from evaluate.store.db.journal import JournalLine
from evaluate.store.db.journal import Row as JournalRow
from evaluate.store.db.reasons import reason_from_dict
from evaluate.store.db.rows import State
from evaluate.store.db.settings import put_setting
from evaluate.store.db.tables import (
    ACCOUNTS,
    BASES,
    DETAILS,
    ENTRIES,
    JOURNAL,
    MEMBERS,
    REJUDGING_ATTEMPTS,
    RESULTS,
    SCORES,
    SETTINGS,
    TEAM_NAMES,
    TEAMS,
)
from evaluate.store.db.tables import TABLES as METADATA
from evaluate.store.people.teams import CHANGED, put_change, put_new

Row = dict[str, Any]
_STAGES = [stage.value for stage in Stage]
OF_ENTRIES = (ENTRIES, ACCOUNTS, REJUDGING_ATTEMPTS, RESULTS, SCORES)
GENERAL = (TEAMS, TEAM_NAMES, MEMBERS, SETTINGS)
TABLES = (TEAMS, TEAM_NAMES, MEMBERS, *OF_ENTRIES, SETTINGS)
"""Tables that follow from the journal; of the settings, those that are in it."""


class Replay:
    """The rows of entries, by their keys, after the lines that were taken."""

    def __init__(self) -> None:
        self.entries: dict[str, Row] = {}
        self.accounts: dict[str, Row] = {}
        self.rejudging_attempts: dict[tuple[str, int], Row] = {}
        self.results: dict[tuple[str, int, str], Row] = {}
        self.scores: dict[tuple[str, int], Row] = {}

    def take(self, lines: Iterable[JournalLine]) -> Replay:
        """Do what these lines say.

        Raises Fault if a line is of an unknown kind, or about something that does not exist.
        """
        for line in lines:
            does = _EVENTS.get(line.event)
            if does is None:
                raise Fault(f"the journal has an event of an unknown kind in line {line.number}: {line.event!r}")
            try:
                does(self, line)
            except (KeyError, ValueError, TypeError) as e:
                raise Fault(f"line {line.number} of the journal makes no sense: {type(e).__name__}: {e}") from e
        return self

    def rows(self, table: sa.Table) -> dict[Any, Row]:
        """The rows of one of `OF_ENTRIES`, by their keys."""
        rows: dict[Any, Row] = getattr(self, table.name)
        return rows

    def _submitted(self, line: JournalLine) -> None:
        self.entries[line.entry] = {
            **line.data,
            "id": line.entry,
            "state": State.QUEUED.value,
            "attempt": 1,
            "charged": False,
            "reason": "",
            "changed": line.at,
        }

    def _moved(self, line: JournalLine) -> None:
        row, state = self.entries[line.entry], line.data["to"]
        row |= {"state": state, "reason": reason_from_dict(line.data["reason"]).as_text(), "changed": line.at}
        if line.data["charged"] is not None:
            row["charged"] = line.data["charged"]

    def _charged(self, line: JournalLine) -> None:
        self.entries[line.entry]["charged"] = line.data["charged"]

    def _account(self, line: JournalLine) -> None:
        self.accounts[line.entry] = {**line.data, "entry": line.entry}

    def _retried(self, line: JournalLine) -> None:
        row = {"state": State.QUEUED.value, "reason": "", "attempt": line.data["attempt"], "changed": line.at}
        self.entries[line.entry] |= row

    def _result(self, line: JournalLine) -> None:
        data = dict(line.data)
        text = data.pop("text")
        key = (line.entry, data["attempt"], data["stage"])
        if key not in self.results:
            self.results[key] = {**data, "entry": line.entry, "result": text, "at": line.at}

    def _score(self, line: JournalLine) -> None:
        data = dict(line.data)
        text = data.pop("text")
        row = {"judged": "", **data, "entry": line.entry, "score": text, "at": line.at}
        self.scores.setdefault((line.entry, data["attempt"]), row)

    def _rejudging_began(self, line: JournalLine) -> None:
        row = {**line.data, "entry": line.entry, "state": State.QUEUED.value, "reason": "", "changed": line.at}
        self.rejudging_attempts[line.entry, line.data["attempt"]] = {**row, "adopted": False}
        self._share(line.entry, line.data["attempt"], line.data["base"], line.data["first"])

    def _share(self, entry: str, attempt: int, base: int, first: str) -> None:
        """Give an attempt of a rejudging the results of the stages that it does not run."""
        for stage in _STAGES[: _STAGES.index(first)]:
            if (result := self.results.get((entry, base, stage))) is not None:
                self.results[entry, attempt, stage] = {**result, "attempt": attempt}

    def _rejudging_moved(self, line: JournalLine) -> None:
        values = {
            "state": line.data["to"],
            "reason": reason_from_dict(line.data["reason"]).as_text(),
            "changed": line.at,
        }
        self.rejudging_attempts[line.entry, line.data["attempt"]] |= values

    def _rejudging_retried(self, line: JournalLine) -> None:
        row = self.rejudging_attempts.pop((line.entry, line.data["before"]))
        values = {"attempt": line.data["attempt"], "state": State.QUEUED.value, "reason": "", "changed": line.at}
        self.rejudging_attempts[line.entry, line.data["attempt"]] = {**row, **values}
        self._share(line.entry, line.data["attempt"], row["base"], row["first"])

    def _adopted(self, line: JournalLine) -> None:
        attempt = self.rejudging_attempts[line.entry, line.data["attempt"]]
        attempt["adopted"] = True
        values = {name: attempt[name] for name in ("attempt", "state", "reason")} | {"changed": line.at}
        self.entries[line.entry] |= values

    def _renamed(self, line: JournalLine) -> None:
        self.entries[line.entry] |= {"team": line.data["team"]}

    def _challenge_renamed(self, line: JournalLine) -> None:
        moved = line.data["places"]
        for row in self.entries.values():
            row["challenge"] = moved.get(row["challenge"], row["challenge"])

    def _no_row(self, line: JournalLine) -> None:
        """No row follows; `evaluate.operate.signing` compares ``signed`` with the log of receipts."""


_EVENTS: dict[str, Callable[[Replay, JournalLine], None]] = {
    "submitted": Replay._submitted,
    "moved": Replay._moved,
    "charged": Replay._charged,
    "account": Replay._account,
    "retried": Replay._retried,
    "result": Replay._result,
    "score": Replay._score,
    "rejudging-began": Replay._rejudging_began,
    "rejudging-moved": Replay._rejudging_moved,
    "rejudging-retried": Replay._rejudging_retried,
    "adopted": Replay._adopted,
    "renamed": Replay._renamed,
    "challenge-renamed": Replay._challenge_renamed,
    **dict.fromkeys(("set", CHANGED), Replay._no_row),
    **dict.fromkeys(
        ("signed", "exam-began", "fault", "fault-stopped", "fault-cleared", "fault-resolved"), Replay._no_row
    ),
}


@contextmanager
def general(rows: Iterable[JournalRow]) -> Iterator[sa.Connection]:
    """A database with the rows that belong to no entry, after all lines of a journal: teams, settings.

    Raises Fault if the journal is damaged.
    """
    entered = set[str]()
    with sa.create_engine("sqlite://").begin() as connection:
        METADATA.create_all(connection, GENERAL)
        for number, at, _entry, event, data, _chain in rows:
            if event not in _EVENTS:
                raise Fault(f"the journal has an event of an unknown kind in line {number}: {event!r}")
            if event == CHANGED:
                put_change(connection, json.loads(data), at)
                entered.clear()
            elif event == "set":
                put_setting(connection, **json.loads(data))
            elif event == "submitted" and (team := json.loads(data)["team"]) not in entered:
                put_new(connection, team, at)
                entered.add(team)
        yield connection


def of_entries(connection: sa.Connection) -> Iterator[tuple[str, Replay]]:
    """Each entry, in the order of their ids, with the rows about it. Raises Fault as `Replay.take`."""
    for_all = [*journal.unchecked(connection, JOURNAL.c.entry == "", JOURNAL.c.event.in_(_FOR_ALL))]
    lines = journal.unchecked(connection, JOURNAL.c.entry != "", by_entry=True)
    for entry, lines_of_entry in groupby(lines, attrgetter("entry")):
        yield entry, Replay().take(merge(lines_of_entry, for_all, key=attrgetter("number")))


_FOR_ALL = frozenset({"challenge-renamed"})
"""Events without an entry that change rows of entries."""


# The comparison with the tables


_TEXTS = (RESULTS.c.result, SCORES.c.score, BASES.c.rules, BASES.c.exam)
"""Columns that `evaluate.store.db.blobs` keeps."""
_AT_ONCE = 500
MOST = 20
"""Findings of one sort that are named; the others are counted."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that is wrong."""

    kind: str
    """``file``, ``journal``, ``table``, ``details``, ``upload``, ``receipts`` or ``challenge``."""
    where: str
    """The file, line, row, digest, entry or challenge."""
    message: str
    """Statement of what was expected, and what was found."""
    absent: bool = False
    """True if it is only something that is not there, which keeps nobody from copying the rest."""

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


def first_of(findings: Iterable[Finding], where: str, what: str) -> Iterator[Finding]:
    """The first findings of one sort, and how many more there are of ``what``."""
    count, absent = 0, True
    for finding in findings:
        count += 1
        if count <= MOST:
            yield finding
        else:
            absent, kind = absent and finding.absent, finding.kind
    if count > MOST:
        yield Finding(kind=kind, where=where, message=f"{count - MOST} more {what}", absent=absent)


def files(database: Database) -> Iterator[Finding]:
    """Damage that SQLite finds in its own file."""
    if database.shared:
        return
    try:
        with database.engine.connect() as connection:
            answer = connection.exec_driver_sql("pragma quick_check").scalar()
    except sa.exc.DatabaseError as e:
        answer = str(e.orig)
    if answer != "ok":
        where = str(database.engine.url.database)
        yield Finding(kind="file", where=where, message=f"the file is damaged: {answer}; restore a backup")


def whole(database: Database) -> Iterator[Finding]:
    """All damage of a queue, perhaps named by others where its file, the journal, or a text in it cannot be read."""
    if damaged := list(files(database)):
        yield from damaged
        return
    try:
        yield from _whole(database)
    except Fault as e:
        yield Finding(kind="journal", where="journal", message=f"{e}; restore a backup")
    except (sa.exc.OperationalError, UnicodeDecodeError) as e:
        why = e if isinstance(e, UnicodeDecodeError) else e.orig
        if isinstance(e, sa.exc.OperationalError) and "Could not decode" not in str(why):
            raise
        where = str(database.engine.url.database)
        yield Finding(kind="file", where=where, message=f"a text cannot be read: {why}; restore a backup")


def _whole(database: Database) -> Iterator[Finding]:
    with database.snapshot() as connection:
        with general(journal.rows(connection)) as wanted:
            yield from _named(chain(_of_entries(connection), _general(connection, wanted)))
        missing = [digest for column in _TEXTS for digest in _missing(connection, column)]
    damaged = (_of_text(digest, "damaged") for digest in database.details.damaged())
    yield from first_of(damaged, "details", "texts are damaged")
    absent = (_of_text(digest, "missing") for digest in dict.fromkeys(missing))
    yield from first_of(absent, "details", "texts are missing")


def _missing(connection: sa.Connection, column: sa.Column[str]) -> Iterator[str]:
    """The digests of texts that rows refer to, and that are not there."""
    digest = sa.func.substr(column, len(PREFIX) + 1)
    is_kept = sa.exists().where(DETAILS.c.sha256 == digest)
    return iter(connection.scalars(sa.select(digest).where(column.startswith(PREFIX), ~is_kept)))


def _of_text(digest: str, how: str) -> Finding:
    return Finding(kind="details", where=digest, message=f"the text is {how}; restore a backup")


Difference = tuple[sa.Table, Any, Row | None, Row | None]
"""A table, a key, what the journal says, what the table has."""


def _named(differences: Iterable[Difference]) -> Iterator[Finding]:
    """Differences for people: the first of each table, and how many more."""
    named, counts = defaultdict[sa.Table, list[Finding]](list), Counter[sa.Table]()
    for table, key, wanted, row in differences:
        counts[table] += 1
        if counts[table] <= MOST:
            where = " ".join(map(str, key)) if isinstance(key, tuple) else str(key)
            message = _message(wanted, row)
            named[table].append(Finding(kind="table", where=f"{table.name} {where}", message=message))
    for table in TABLES:
        yield from named[table]
        if (more := counts[table] - MOST) > 0:
            yield Finding(kind="table", where=table.name, message=f"{more} more rows differ from the journal")


def _of_entries(connection: sa.Connection) -> Iterator[Difference]:
    """One entry after another, as the journal and the tables have them in the same order."""
    nothing = Replay()
    by_journal = ((entry, None, replay) for entry, replay in of_entries(connection))
    by_tables = [_rows_by_entry(connection, table) for table in OF_ENTRIES]
    together = merge(by_journal, *by_tables, key=itemgetter(0))
    for _, parts_of_entry in groupby(together, itemgetter(0)):
        parts: dict[sa.Table | None, Any] = {table: part for _, table, part in parts_of_entry}
        wanted = parts.get(None, nothing)
        for table in OF_ENTRIES:
            yield from _compared(table, wanted.rows(table), parts.get(table, ()))


def _rows_by_entry(connection: sa.Connection, table: sa.Table) -> Iterator[tuple[str, sa.Table, list[Row]]]:
    column = table.c.id if table is ENTRIES else table.c.entry
    order = column if connection.dialect.name == "sqlite" else sa.collate(column, "C")  # as Python sorts text
    for entry, rows in groupby(_rows(connection, sa.select(table).order_by(order)), itemgetter(column.name)):
        yield entry, table, list(rows)


def _general(connection: sa.Connection, wanted: sa.Connection) -> Iterator[Difference]:
    """All that belongs to no entry, by a database that was made of the journal."""
    for table in GENERAL:
        rows = {_key(table, row): row for row in _rows(wanted, sa.select(table))}
        yield from _compared(table, rows, _rows(connection, sa.select(table)))


def _rows(connection: sa.Connection, query: sa.Select[Any]) -> Iterator[Row]:
    for row in connection.execute(query.execution_options(yield_per=_AT_ONCE)).mappings():
        yield {str(name): value for name, value in row.items()}


def _compared(table: sa.Table, wanted: Mapping[Any, Row], rows: Iterable[Row]) -> Iterator[Difference]:
    seen = set()
    for row in rows:
        key = _key(table, row)
        if key not in wanted:
            if table is not SETTINGS:
                yield table, key, None, row
            continue
        seen.add(key)
        if not all(_equal(name, wanted[key], row) for name in row):
            yield table, key, wanted[key], row
    yield from ((table, key, row, None) for key, row in wanted.items() if key not in seen)


def _key(table: sa.Table, row: Row) -> Any:
    first, *others = (row[column.name] for column in table.primary_key.columns)
    return (first, *others) if others else first


def _message(wanted: Row | None, row: Row | None) -> str:
    if wanted is None:
        return "this row is not in the journal"
    if row is None:
        return "this row is missing; the journal has it"
    parts = [
        f"{name} is {_short(row[name])}, the journal says {_short(wanted[name])}"
        for name in row
        if not _equal(name, wanted, row)
    ]
    return "; ".join(parts)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}…"


def _equal(name: str, wanted: Row, row: Row) -> bool:
    """True if a column says the same; what an attempt was started with is not in the journal."""
    value, other = wanted.get(name, row[name]), row[name]
    if value == other:
        return True
    return isinstance(value, float) and isinstance(other, float) and math.isnan(value) and math.isnan(other)
