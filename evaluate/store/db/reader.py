"""Questions of ``evaluate status`` and pages of the site, in plain SQL that SQLite and PostgreSQL both take."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluate.store.db.rows import Host, Internal, QueuedEntry, State, TaskRow, entry_of, folded, internal_of, task_of

DRAIN = "drain:"
"""Start of the key of a setting; the rest is the name of a drained host."""
PLACE = "place:"
"""Start of the key of a setting; the rest is a challenge's name in ``evaluate.yaml``, and the value where it was."""
DRAINED_BY = "fault "
"""Start of its value, before the number of the fault for which the host drained itself."""
FILE = "queue.sqlite"
JUDGED = "judged:"
"""Start of the key of a setting: JSON of a challenge and the digests of the ``data`` that its scores were given by."""
BASELINE = "baseline:"
"""Start of the key of a setting: what is marked as a baseline."""
_LONG_AGO, _NEVER = -1e15, 1e15
IDENTITY = "identity"
"""Key of the setting that says which queue this is; the same in its backups."""
_COUNTS = "select state, count(*) as n from entries {where} group by state"
_NOT_DONE = f"where state in ({', '.join(repr(state.value) for state in State if state is not State.DONE)})"
_SUBMITTED = "select coalesce(max(number), 0) as n from entries"
_NEWEST = "select * from entries {where} order by number desc limit :most"
_RUNNING = "select * from tasks where executor != '' {which} order by tag, since"
_DELAYED = """
    select id, team, challenge, name, arrived, tries, again, fault from uploads
    where fault != '' and entry = '' and error = '' order by arrived
"""
_TEAM = "select team from team_names where folded = :folded"
_JUDGED = "select value from settings where key like :prefix order by key"
_DATA = """
    select scores.judged as judged, count(*) as n, max(scores.at) as last
    from entries join scores on scores.entry = entries.id and scores.attempt = entries.attempt
    where entries.challenge = :challenge and entries.state = 'done' and entries.charged
        and entries.submitted >= :begins and entries.submitted < :ends {ranked}
    group by scores.judged order by max(scores.at)
"""
_RANKED = f"and not exists (select 1 from settings where key = '{BASELINE}' || entries.id and value != '')"
_CHALLENGES = """
    with recursive known (challenge) as (
        select * from (select challenge from entries order by challenge limit 1) as first
        union all
        select (select challenge from entries where challenge > known.challenge order by challenge limit 1)
            from known where known.challenge is not null
    )
    select challenge from known where challenge is not null
"""
_WITHDRAWN = "select * from entries where state = 'withdrawn' and challenge = :challenge order by number"
_SETTINGS = "select key, value from settings where key >= :first and key < :last"
_HOSTS = """
    select hosts.*, hosts.expires - {now} as left_seconds, coalesce(settings.value, '') as drained,
        (select count(*) from tasks where tasks.executor = hosts.executor) as running
    from hosts left join settings on settings.key = :drain || hosts.name
    order by hosts.name, hosts.started
"""
_FAULTS = "select * from faults where resolved = 0 order by last desc, id desc"


@dataclass(frozen=True, kw_only=True)
class EntrySelection:
    """Which entries are looked at."""

    team: str = ""
    """By its own name; empty: all."""
    challenge: str = ""
    """By its name in the store; empty: all."""

    @property
    def parameters(self) -> dict[str, str]:
        """Column -> value."""
        found = {"team": self.team, "challenge": self.challenge}
        return {column: value for column, value in found.items() if value}

    @property
    def where(self) -> str:
        """The condition on entries; no text of a user is in it."""
        parts = [f"{column} = :{column}" for column in self.parameters]
        return f"where {' and '.join(parts)}" if parts else ""


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


Ask = Callable[[str, Mapping[str, Any]], Sequence[Mapping[Any, Any]]]
"""Runs a statement with its named parameters, and returns the rows by the names of their columns."""


class Reader:
    """Looks at a queue and changes nothing.

    * ``ask``: see `Ask`.
    * ``now``: returns the SQL of the clock by which leases expire, seconds since 1970.
    """

    def __init__(self, ask: Ask, now: Callable[[], str]) -> None:
        self._ask, self._now = ask, now

    def counts(self, of: EntrySelection = EVERYTHING) -> dict[State, int]:
        """Count the entries in each state; of all entries, those that are done are what the others leave."""
        where = of.where or _NOT_DONE
        found = {State(row["state"]): row["n"] for row in self._ask(_COUNTS.format(where=where), of.parameters)}
        if not of.where:
            done = self._ask(_SUBMITTED, {})[0]["n"] - sum(found.values())
            found |= {State.DONE: done} if done > 0 else {}
        return found

    def newest(self, most: int, of: EntrySelection = EVERYTHING) -> list[QueuedEntry]:
        """The entries that were submitted last, the newest first."""
        return [entry_of(row) for row in self._ask(_NEWEST.format(where=of.where), {"most": most, **of.parameters})]

    def running(self, of: EntrySelection = EVERYTHING) -> list[TaskRow]:
        """The tasks that hold a slot."""
        which = f"and entry in (select id from entries {of.where})" if of.where else ""
        return [task_of(row) for row in self._ask(_RUNNING.format(which=which), of.parameters)]

    def delayed(self) -> list[Delayed]:
        """The uploads delayed by an internal error, the oldest first."""
        return [Delayed(**row) for row in self._ask(_DELAYED, {})]

    def team(self, name: str) -> str | None:
        """The team's own name for any of its names; None if there is no such team."""
        return next((str(row["team"]) for row in self._ask(_TEAM, {"folded": folded(name)})), None)

    def judged(self) -> dict[str, list[str]]:
        """Challenge -> the digests of the data that its scores were given by, where there are several."""
        found: dict[str, list[str]] = {}
        for row in self._ask(_JUDGED, {"prefix": JUDGED + "%"}):
            judged = json.loads(row["value"])  # by one exam of the challenge
            found.setdefault(judged["challenge"], []).extend(judged["data"])
        return {challenge: digests for challenge, digests in found.items() if len(set(digests)) > 1}

    def data(
        self, challenge: str, begins: float = _LONG_AGO, ends: float = _NEVER, *, ranked: bool = False
    ) -> list[tuple[str, int]]:
        """The data that scores of entries of a time were given by, the newest last, and how many scores.

        ``ranked``: whether only of entries that are no baselines.
        """
        within = {"begins": max(begins, _LONG_AGO), "ends": min(ends, _NEVER)}
        apart = {f"team{n}": name for n, name in enumerate(sorted(self.baseline_teams()) if ranked else ())}
        others = f"and entries.team not in ({', '.join(f':{name}' for name in apart)})" if apart else ""
        query = _DATA.format(ranked=f"{_RANKED} {others}" if ranked else "")
        return [(row["judged"], row["n"]) for row in self._ask(query, {"challenge": challenge, **within, **apart})]

    def baseline_teams(self) -> frozenset[str]:
        """The teams, by their own names, that are marked as baselines under any of their names."""
        marked = [json.loads(value)["team"] for value in self.settings(BASELINE).values() if value]
        return frozenset(found for name in marked if name and (found := self.team(name)) is not None)

    def challenges(self) -> list[str]:
        """The challenges that have entries, as rows name them."""
        return [str(row["challenge"]) for row in self._ask(_CHALLENGES, {})]

    def withdrawn(self, challenge: str) -> list[QueuedEntry]:
        """The scored entries to a challenge that were withdrawn or disqualified, in the order of their submission."""
        return [entry_of(row) for row in self._ask(_WITHDRAWN, {"challenge": challenge})]

    def places(self) -> dict[str, str]:
        """Return where the challenges of ``evaluate.yaml`` were when the queue was last opened."""
        return self.settings(PLACE)

    def settings(self, prefix: str) -> dict[str, str]:
        """The settings whose keys begin with ``prefix``, by the rest of the key."""
        rows = self._ask(_SETTINGS, {"first": prefix, "last": prefix[:-1] + chr(ord(prefix[-1]) + 1)})
        return {row["key"].removeprefix(prefix): row["value"] for row in rows}

    def hosts(self) -> list[Host]:
        """Every host, ordered by name."""
        same = ("executor", "name", "slots", "running", "version", "flow", "started", "left_seconds", "gpus")
        rows = self._ask(_HOSTS.format(now=self._now()), {"drain": DRAIN})
        return [
            Host(
                **{key: row[key] for key in same},
                draining=row["drained"] != "",
                fault=_fault(row["drained"]),
                threads=json.loads(row["threads"] or "{}"),
            )
            for row in rows
        ]

    def faults(self) -> list[Internal]:
        """The internal errors that are not resolved, the newest first, without those that they affect."""
        return [internal_of(row) for row in self._ask(_FAULTS, {})]


def _fault(drained: str) -> int:
    """The internal error for which a host was drained."""
    number = drained.removeprefix(DRAINED_BY)
    return int(number) if drained != number and number.isdecimal() else 0
