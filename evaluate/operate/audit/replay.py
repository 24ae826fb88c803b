"""Rows that the tables must have, by the journal alone: the one place that knows what each of its events means.

`evaluate.operate.audit.verify` compares a queue with it: one entry after another (`replayed`), so that it needs no more
memory for more entries.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from heapq import merge
from itertools import groupby
from operator import attrgetter
from typing import Any

import sqlalchemy as sa

from evaluate.config.challenge.types import MAIN_EXAM
from evaluate.core.errors import Fault
from evaluate.core.model import Stage
from evaluate.store.db.journal import JournalLine
from evaluate.store.db.journal import Row as JournalRow
from evaluate.store.db.reasons import reason_from_dict
from evaluate.store.db.rows import State, folded
from evaluate.store.db.tables import (
    ACCOUNTS,
    ENTRIES,
    MEMBERS,
    REJUDGING_ATTEMPTS,
    RESULTS,
    SCORES,
    SETTINGS,
    TEAM_NAMES,
    TEAMS,
)
from evaluate.store.people.teams import person_of

Row = dict[str, Any]
_STAGES = [stage.value for stage in Stage]
TABLES = (TEAMS, TEAM_NAMES, MEMBERS, ENTRIES, ACCOUNTS, REJUDGING_ATTEMPTS, RESULTS, SCORES, SETTINGS)
"""Tables that follow from the journal; of the settings, those that are in it."""
OF_ENTRIES = (ENTRIES, ACCOUNTS, REJUDGING_ATTEMPTS, RESULTS, SCORES)
_SORT = """
    create table lines (entry text, number integer, at real, event text, data text);
    pragma cache_size = -4096; pragma journal_mode = off; pragma synchronous = off
"""


class Replay:
    """The rows of every table, by their keys, after the lines that were taken."""

    def __init__(self) -> None:
        self.entries: dict[str, Row] = {}
        self.accounts: dict[str, Row] = {}
        self.rejudging_attempts: dict[tuple[str, int], Row] = {}
        self.results: dict[tuple[str, int, str], Row] = {}
        self.scores: dict[tuple[str, int], Row] = {}
        self.settings: dict[str, Row] = {}
        self.teams: dict[str, Row] = {}
        self.team_names: dict[str, Row] = {}
        self.members: dict[tuple[str, str], Row] = {}

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
        """The rows of one of `TABLES`, by their keys."""
        found: dict[Any, Row] = getattr(self, table.name)
        return found

    def enter(self, line: JournalLine) -> None:
        """The team of an entry that is submitted, unless it is known."""
        team = line.data["team"]
        if (key := folded(team)) not in self.team_names:
            self.teams.setdefault(team, {"name": team, "since": line.at})
            self.team_names[key] = {"folded": key, "name": team, "team": team}

    def _submitted(self, line: JournalLine) -> None:
        self.enter(line)
        row = {
            "data": MAIN_EXAM,
            **line.data,
            "id": line.entry,
            "state": State.QUEUED.value,
            "attempt": 1,
            "charged": False,
            "reason": "",
        }
        submitted = line.data.get("submitted", line.at)
        self.entries[line.entry] = {
            **row,
            "submitted": submitted,
            "arrived": line.data.get("arrived", submitted),
            "changed": line.at,
            "plan": "",
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
        row = {"state": State.QUEUED.value, "reason": "", "attempt": line.data["attempt"]}
        row |= {"changed": line.at}
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
        self.rejudging_attempts[line.entry, line.data["attempt"]] = {**row, "adopted": False, "plan": ""}
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
        one = self.rejudging_attempts[line.entry, line.data["attempt"]]
        one["adopted"] = True
        values = {"attempt": line.data["attempt"], "state": one["state"], "reason": one["reason"], "changed": line.at}
        self.entries[line.entry] |= values

    def _team_changed(self, line: JournalLine) -> None:
        """As `evaluate.store.people.teams.put_change`."""
        name, data = line.data["team"], line.data
        dropped = {folded(one) for one in data.get("dropped", ())}
        self.team_names = {
            key: row for key, row in self.team_names.items() if row["team"] != name or key not in dropped
        }
        self._names(line, name, data.get("aliases", ()))
        no_more = {person_of(one) for one in data.get("left", ())}
        no_more |= {person_of(one["address"]) for one in data.get("members", ())}
        self.members = {key: row for key, row in self.members.items() if key[0] != name or row["person"] not in no_more}
        self._members(line, name, data.get("members", ()))

    def _names(self, line: JournalLine, name: str, aliases: Iterable[str]) -> None:
        """Give a team names; a team that had one of them is no more."""
        self.teams.setdefault(name, {"name": name, "since": line.at})
        names = {folded(one): one for one in (*aliases, name)}
        gone = {self.team_names[key]["team"] for key in names if key in self.team_names} - {name}
        self.team_names = {key: row for key, row in self.team_names.items() if row["team"] not in gone}
        self.members = {key: row for key, row in self.members.items() if key[0] not in gone}
        for other in gone:
            del self.teams[other]
        for key, one in names.items():
            self.team_names[key] = {"folded": key, "name": one, "team": name}

    def _members(self, line: JournalLine, name: str, members: Iterable[Row]) -> None:
        for one in members:
            row = {"own": False, **one, "team": name, "person": person_of(one["address"])}
            self.members[name, one["address"]] = row

    def _renamed(self, line: JournalLine) -> None:
        self.entries[line.entry] |= {"team": line.data["team"]}

    def _challenge_renamed(self, line: JournalLine) -> None:
        moved = line.data["places"]
        for row in self.entries.values():
            row["challenge"] = moved.get(row["challenge"], row["challenge"])

    def _set(self, line: JournalLine) -> None:
        self.settings[line.data["key"]] = dict(line.data)

    def _signed(self, line: JournalLine) -> None:
        """No row of a table: `evaluate.operate.signing` compares it with the log of receipts."""


def _tells(_replay: Replay, _line: JournalLine) -> None:
    """No row follows from it."""


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
    "signed": Replay._signed,
    "set": Replay._set,
    "team-changed": Replay._team_changed,
    "renamed": Replay._renamed,
    "challenge-renamed": Replay._challenge_renamed,
    **dict.fromkeys(("exam-began", "fault", "fault-stopped", "fault-cleared", "fault-resolved"), _tells),
}


class Replayed:
    """Rows that the tables must have, after all lines of a journal were taken.

    ``general`` is of what belongs to no entry: teams, settings.
    """

    def __init__(self, scratch: sqlite3.Connection) -> None:
        self._scratch = scratch
        self.general = Replay()
        self._for_all: list[JournalLine] = []

    def take(self, rows: Iterable[JournalRow]) -> None:
        """Do what concerns no entry, and put the rest aside."""
        self._scratch.executescript(_SORT)
        self._scratch.executemany("insert into lines values (?, ?, ?, ?, ?)", self._of_entries(rows))
        self._scratch.commit()

    def _of_entries(self, rows: Iterable[JournalRow]) -> Iterator[tuple[str, int, float, str, str]]:
        for number, at, entry, event, data, chain in rows:
            if event not in _EVENTS:
                raise Fault(f"the journal has an event of an unknown kind in line {number}: {event!r}")
            if entry and event != _SUBMITTED:
                yield entry, number, at, event, data
                continue
            line = JournalLine(number, at, entry, event, json.loads(data), chain)
            if event == _SUBMITTED:
                self.general.enter(line)
                yield entry, number, at, event, data
            elif event in FOR_ALL:
                self._for_all.append(line)
            else:
                self.general.take([line])

    def entries(self) -> Iterator[tuple[str, Replay]]:
        """Each entry, in the order of their ids, with the rows about it. Raises Fault as `Replay.take` does."""
        rows = self._scratch.execute("select number, at, entry, event, data from lines order by entry, number")
        lines = (JournalLine(number, at, entry, event, json.loads(data), "") for number, at, entry, event, data in rows)
        for entry, ones in groupby(lines, attrgetter("entry")):
            said = Replay().take(merge(ones, self._for_all, key=attrgetter("number")))
            yield entry, said


@contextmanager
def replayed(rows: Iterable[JournalRow]) -> Iterator[Replayed]:
    """Take all lines.  They are sorted on the disk, where temporary files are.

    Raises Fault if the journal is damaged.
    """
    with closing(sqlite3.connect("")) as scratch:  # a file that nobody else sees
        found = Replayed(scratch)
        found.take(rows)
        yield found


_SUBMITTED = "submitted"
FOR_ALL = frozenset({"challenge-renamed"})
"""Events without an entry that change rows of entries."""
