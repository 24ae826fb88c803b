"""Questions of ``evaluate status`` and pages of the site."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

import sqlalchemy as sa

from evaluate.store.db.database import Database
from evaluate.store.db.rows import Host, QueuedEntry, RecordedFault, State, TaskRow, entry_of, fault_of, folded, task_of
from evaluate.store.db.settings import Settings
from evaluate.store.db.tables import ENTRIES, FAULTS, HOSTS, SCORES, SETTINGS, TASKS, TEAM_NAMES, UPLOADS

DRAIN = "drain:"
"""Start of the key of a setting; the rest is the name of a drained host."""
PLACE = "place:"
"""Start of the key of a setting; the rest is a challenge's name in ``evaluate.yaml``, and the value where it was."""
DRAINED_BY = "fault "
"""Start of its value, before the number of the fault for which the host drained itself."""
JUDGED = "judged:"
"""Start of the key of a setting: JSON of a challenge and the digests of the ``data`` that its scores were given by."""
BASELINE = "baseline:"
"""Start of the key of a setting: what is marked as a baseline."""
_CHALLENGES = """
    with recursive known (challenge) as (
        select * from (select challenge from entries order by challenge limit 1) as first
        union all
        select (select challenge from entries where challenge > known.challenge order by challenge limit 1)
            from known where known.challenge is not null
    )
    select challenge from known where challenge is not null
"""
"""From one challenge to the next by looks into an index, however many entries they have."""


@dataclass(frozen=True, kw_only=True)
class EntrySelection:
    """Selection of entries."""

    team: str = ""
    """By its own name; empty: all."""
    challenge: str = ""
    """By its name in the store; empty: all."""

    @property
    def where(self) -> list[sa.ColumnElement[bool]]:
        """The conditions on entries; none for all of them."""
        values = {ENTRIES.c.team: self.team, ENTRIES.c.challenge: self.challenge}
        return [column == value for column, value in values.items() if value]


EVERYTHING = EntrySelection()


@dataclass(frozen=True, kw_only=True)
class Delayed:
    """An upload that has arrived and cannot be taken into the queue now; no fault of its team."""

    id: str
    team: str
    challenge: str
    name: str
    arrived: float
    tries: int
    again: float
    """When it is tried again."""
    fault: str
    """The newest error."""


class Reader:
    """Looks at a queue and changes nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def _rows(self, query: sa.Select[tuple[object, ...]]) -> list[sa.RowMapping]:
        with self._database.engine.connect() as connection:
            return list(connection.execute(query).mappings())

    def counts(self, of: EntrySelection = EVERYTHING) -> dict[State, int]:
        """Count the entries in each state; of all entries, those that are done are what the others leave."""
        query = sa.select(ENTRIES.c.state, sa.func.count().label("n")).group_by(ENTRIES.c.state)
        not_done = ENTRIES.c.state.in_([state.value for state in State if state is not State.DONE])
        numbers = {State(row["state"]): row["n"] for row in self._rows(query.where(*(of.where or [not_done])))}
        if not of.where:
            (newest,) = self._rows(sa.select(sa.func.coalesce(sa.func.max(ENTRIES.c.number), 0).label("n")))
            done = newest["n"] - sum(numbers.values())
            numbers |= {State.DONE: done} if done > 0 else {}
        return numbers

    def newest(self, most: int, of: EntrySelection = EVERYTHING) -> list[QueuedEntry]:
        """The entries that were submitted last, the newest first."""
        query = sa.select(ENTRIES).where(*of.where).order_by(ENTRIES.c.number.desc()).limit(most)
        return [entry_of(row) for row in self._rows(query)]

    def running(self, of: EntrySelection = EVERYTHING) -> list[TaskRow]:
        """The tasks that hold a slot."""
        query = sa.select(TASKS).where(TASKS.c.executor != "").order_by(TASKS.c.tag, TASKS.c.since)
        if of.where:
            query = query.where(TASKS.c.entry.in_(sa.select(ENTRIES.c.id).where(*of.where)))
        return [task_of(row) for row in self._rows(query)]

    def delayed(self) -> list[Delayed]:
        """The uploads delayed by an internal error, the oldest first."""
        names = ("id", "team", "challenge", "name", "arrived", "tries", "again", "fault")
        query = sa.select(*(UPLOADS.c[name] for name in names)).order_by(UPLOADS.c.arrived)
        query = query.where(UPLOADS.c.fault != "", UPLOADS.c.entry == "", UPLOADS.c.error == "")
        return [Delayed(**row) for row in self._rows(query)]

    def team(self, name: str) -> str | None:
        """The team's own name for any of its names; None if there is no such team."""
        rows = self._rows(sa.select(TEAM_NAMES.c.team).where(TEAM_NAMES.c.folded == folded(name)))
        return next((str(row["team"]) for row in rows), None)

    def judged(self) -> dict[str, list[str]]:
        """Challenge -> the digests of the data that its scores were given by, where there are several."""
        digests: dict[str, list[str]] = {}
        for value in Settings(self._database).under(JUDGED).values():
            judged = json.loads(value)  # by one exam of the challenge
            digests.setdefault(judged["challenge"], []).extend(judged["data"])
        return {challenge: several for challenge, several in digests.items() if len(set(several)) > 1}

    def data(
        self, challenge: str, begins: float = -math.inf, ends: float = math.inf, *, ranked: bool = False
    ) -> list[tuple[str, int]]:
        """The data that scores of entries of a time were given by, the newest last, and how many scores.

        ``ranked``: true to leave out baselines.
        """
        newest = sa.func.max(SCORES.c.at)
        same = (SCORES.c.entry == ENTRIES.c.id) & (SCORES.c.attempt == ENTRIES.c.attempt)
        query = sa.select(SCORES.c.judged, sa.func.count().label("n")).join(ENTRIES, same)
        query = query.where(ENTRIES.c.challenge == challenge, ENTRIES.c.state == State.DONE.value, ENTRIES.c.charged)
        query = query.where(*([ENTRIES.c.submitted >= begins] if math.isfinite(begins) else []))
        query = query.where(*([ENTRIES.c.submitted < ends] if math.isfinite(ends) else []))
        if ranked:
            marked = sa.exists().where(SETTINGS.c.key == sa.literal(BASELINE) + ENTRIES.c.id, SETTINGS.c.value != "")
            query = query.where(~marked, ENTRIES.c.team.not_in(self.baseline_teams()))
        return [(row["judged"], row["n"]) for row in self._rows(query.group_by(SCORES.c.judged).order_by(newest))]

    def baseline_teams(self) -> frozenset[str]:
        """The teams, by their own names, that are marked as baselines under any of their names."""
        marks = Settings(self._database).under(BASELINE).values()
        names = [json.loads(value)["team"] for value in marks if value]
        return frozenset(team for name in names if name and (team := self.team(name)) is not None)

    def challenges(self) -> list[str]:
        """The challenges that have entries, as rows name them."""
        with self._database.engine.connect() as connection:
            return list(connection.scalars(sa.text(_CHALLENGES)))

    def withdrawn(self, challenge: str) -> list[QueuedEntry]:
        """The scored entries to a challenge that were withdrawn or disqualified, in the order of their submission."""
        gone = (ENTRIES.c.state == State.WITHDRAWN.value) & (ENTRIES.c.challenge == challenge)
        return [entry_of(row) for row in self._rows(sa.select(ENTRIES).where(gone).order_by(ENTRIES.c.number))]

    def hosts(self) -> list[Host]:
        """Every host, ordered by name."""
        names = ("executor", "name", "slots", "version", "flow", "started", "gpus")
        drained = sa.func.coalesce(SETTINGS.c.value, "").label("drained")
        held = sa.select(sa.func.count()).where(TASKS.c.executor == HOSTS.c.executor).scalar_subquery()
        query = sa.select(*(HOSTS.c[name] for name in names), HOSTS.c.threads, drained, held.label("running"))
        query = query.add_columns((HOSTS.c.expires - self._database.now()).label("left_seconds"))
        query = query.outerjoin(SETTINGS, SETTINGS.c.key == sa.literal(DRAIN) + HOSTS.c.name)
        return [
            Host(
                **{name: row[name] for name in (*names, "running", "left_seconds")},
                draining=row["drained"] != "",
                fault=_fault(row["drained"]),
                threads=json.loads(row["threads"] or "{}"),
            )
            for row in self._rows(query.order_by(HOSTS.c.name, HOSTS.c.started))
        ]

    def faults(self) -> list[RecordedFault]:
        """The internal errors that are not resolved, the newest first, without those that they affect."""
        query = sa.select(FAULTS).where(FAULTS.c.resolved == 0).order_by(FAULTS.c.last.desc(), FAULTS.c.id.desc())
        return [fault_of(row) for row in self._rows(query)]


def _fault(drained: str) -> int:
    """The internal error for which a host was drained."""
    number = drained.removeprefix(DRAINED_BY)
    return int(number) if drained != number and number.isdecimal() else 0
