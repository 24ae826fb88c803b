"""Rows that the tables must have, by the journal alone: the one place that knows what each of its events means.

`evaluate.operate.audit.verify` compares a queue with it, one entry after another, so that it needs no more memory for
more entries.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from heapq import merge
from itertools import groupby
from operator import attrgetter
from typing import Any

import sqlalchemy as sa

from evaluate.core.errors import Fault
from evaluate.core.model import Stage
from evaluate.store.db import journal
from evaluate.store.db.journal import JournalLine
from evaluate.store.db.journal import Row as JournalRow
from evaluate.store.db.reasons import reason_from_dict
from evaluate.store.db.rows import State
from evaluate.store.db.settings import put_setting
from evaluate.store.db.tables import (
    ACCOUNTS,
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
