"""Internal errors, for which no entry is at fault: the guilty part, and the entries that are affected.

A fault is one record for each part (a host, an image, a challenge, a mirror of packages) until the organiser resolves
it.  When a part has failed for some entries in a row, each another one that had not failed before, it is stopped, and
nothing else: a host drains itself, and entries to a challenge wait.  For that a host needs different entries, any other
part entries of different teams: one team cannot stop what others need.  What ends well in between shows that all parts
work that it used, and ends the stop of those but the host.

A host reads once a second, with what is stopped, what waits to begin (`signals`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

import sqlalchemy as sa

from evaluate.core.errors import UsageError
from evaluate.core.model import Stage
from evaluate.core.sanitize import sanitize
from evaluate.store.db import journal
from evaluate.store.db.database import Database, at_last
from evaluate.store.db.rows import FaultyPart, RecordedFault, State, entry_of, fault_of
from evaluate.store.db.settings import keep_in, setting_in
from evaluate.store.db.tables import ENTRIES, FAULT_ENTRIES, FAULTS, HOSTS, REJUDGING_ATTEMPTS, SETTINGS, TASKS, insert
from evaluate.store.entries.store import Store, retry_attempt

DRAIN = "drain:"
"""Start of the key of a setting; the rest is the name of a drained host."""
DRAINED_BY = "fault "
"""Start of its value, before the number of the fault for which the host drained itself."""
LINES = 20
"""The last lines of a log that are kept."""
_WIDTH = 500
_MESSAGE = 4000


@dataclass(frozen=True, kw_only=True)
class FaultReport:
    """Report of a stage about its fault."""

    part: FaultyPart
    name: str
    stage: str
    message: str
    lines: tuple[str, ...] = ()
    """The last lines of its log."""
    challenge: str = ""
    """Challenge of its entry."""
    again: bool = False
    """True if the entry has failed before: that it fails again says less about the part than about the entry."""


def record(connection: sa.Connection, entry: str, attempt: int, report: FaultReport, in_a_row: int) -> None:
    """Record that a part failed for an attempt; stop it after ``in_a_row`` entries of which none ended well between."""
    at_last(connection, lambda: _record(connection, entry, attempt, report, in_a_row))


def _record(connection: sa.Connection, entry: str, attempt: int, report: FaultReport, in_a_row: int) -> None:
    now, unresolved = time.time(), (FAULTS.c.resolved == 0)
    same = (FAULTS.c.part == report.part.value) & (FAULTS.c.name == report.name) & unresolved
    open_fault = connection.execute(sa.select(FAULTS).where(same)).first()
    before = json.loads(open_fault.streak) if open_fault else []
    streak = before if report.again or entry in before else [*before, entry]
    challenges = sorted({*(json.loads(open_fault.challenges) if open_fault else []), report.challenge} - {""})
    drained = report.part is FaultyPart.HOST and setting_in(connection, DRAIN + report.name)
    was_stopped = bool(open_fault and open_fault.stopped and (drained or report.part is not FaultyPart.HOST))
    teams = sa.select(sa.func.count(ENTRIES.c.team.distinct())).where(ENTRIES.c.id.in_(streak))
    in_turn = len(streak) if report.part is FaultyPart.HOST else connection.scalar(teams) or 0
    stopped = was_stopped or in_turn >= in_a_row
    values = {
        "stage": report.stage,
        "message": sanitize(report.message)[:_MESSAGE],
        "lines": json.dumps([sanitize(line)[:_WIDTH] for line in report.lines[-LINES:]]),
        "last": now,
        "streak": json.dumps(streak),
        "challenges": json.dumps(challenges),
        "stopped": stopped,
    }
    if open_fault:
        number = int(open_fault.id)
        connection.execute(sa.update(FAULTS).where(FAULTS.c.id == number).values(**values, times=FAULTS.c.times + 1))
    else:
        number = 1 + (connection.scalar(sa.select(sa.func.max(FAULTS.c.id))) or 0)
        key = {"id": number, "part": report.part.value, "name": report.name}
        connection.execute(sa.insert(FAULTS).values(**key, **values, first=now, times=1, resolved=0.0))
    affected = insert(connection, FAULT_ENTRIES).values(fault=number, entry=entry, attempt=attempt)
    connection.execute(affected.on_conflict_do_nothing())
    fault = {"fault": number, "part": report.part.value, "name": report.name, "stage": report.stage, "attempt": attempt}
    journal.write(connection, entry, "fault", {**fault, "message": values["message"]}, now)
    if stopped and not was_stopped:
        if report.part is FaultyPart.HOST and not drained:
            keep_in(connection, DRAIN + report.name, f"{DRAINED_BY}{number}")
        journal.write(connection, entry, "fault-stopped", {"fault": number, "in_a_row": in_turn}, now)


def ended_well(
    connection: sa.Connection,
    entry: str,
    host: str,
    challenge: str,
    task: str,
    image: str = "",
    *,
    packages: bool = False,
) -> None:
    """A stage of an entry to a challenge ended with a verdict on a host: all that it used works, and is not stopped.

    Of a challenge whose scorer fails every entry is prepared and run well before, and what a mirror has is only needed
    in prep.

    * ``image``: on which it ran; empty: on none.
    * ``packages``: true if it installed some, which a mirror has.
    """
    stage = FAULTS.c.stage.startswith(task.partition("-")[0], autoescape=True)
    host_works = (FAULTS.c.part == FaultyPart.HOST.value) & (FAULTS.c.name == host)
    works = (FAULTS.c.part == FaultyPart.CHALLENGE.value) & (FAULTS.c.name == challenge) & stage
    if packages:
        works |= (FAULTS.c.part == FaultyPart.MIRROR.value) & stage
    works |= (FAULTS.c.part == FaultyPart.IMAGE.value) & (FAULTS.c.name == image)

    def clear() -> None:
        unresolved = FAULTS.c.resolved == 0
        again = sa.select(FAULTS.c.id).where(works, unresolved, FAULTS.c.stopped)
        for number in connection.scalars(again).all():
            journal.write(connection, entry, "fault-cleared", {"fault": number}, time.time())
        some = unresolved & (FAULTS.c.streak != "[]")
        connection.execute(sa.update(FAULTS).where(works, some).values(streak="[]", stopped=False))
        connection.execute(sa.update(FAULTS).where(host_works, some).values(streak="[]"))

    at_last(connection, clear)


def _stops(connection: sa.Connection) -> list[tuple[int, str, list[str]]]:
    """Faults for which entries wait: number, part, and the challenges whose entries do."""
    where = (FAULTS.c.resolved == 0) & FAULTS.c.stopped & (FAULTS.c.part != FaultyPart.HOST.value)
    rows = connection.execute(sa.select(FAULTS.c.id, FAULTS.c.part, FAULTS.c.challenges).where(where))
    return [(row.id, row.part, json.loads(row.challenges)) for row in rows]


def stop_of(connection: sa.Connection, challenge: str) -> int:
    """The number of the fault for which entries to a challenge do not begin; 0 if they do."""
    return next((number for number, _, challenges in _stops(connection) if challenge in challenges), 0)


def stopped_challenges(database: Database) -> dict[str, bool]:
    """The challenges whose entries wait for a fault to be resolved, and whether that concerns only their prep."""
    stopped: dict[str, bool] = {}
    with database.ask() as connection:
        for _, part, challenges in _stops(connection):
            for challenge in challenges:
                stopped[challenge] = stopped.get(challenge, True) and part == FaultyPart.MIRROR.value
    return stopped


def faults(database: Database, *, resolved: bool = False) -> list[RecordedFault]:
    """Return the faults that are not resolved, or all, the newest first."""
    query = sa.select(FAULTS).order_by(FAULTS.c.last.desc(), FAULTS.c.id.desc())
    with database.ask() as connection:
        rows = connection.execute(query if resolved else query.where(FAULTS.c.resolved == 0)).mappings().all()
        affected: dict[int, list[str]] = {row["id"]: [] for row in rows}
        names = sa.select(FAULT_ENTRIES.c.fault, FAULT_ENTRIES.c.entry).distinct().order_by(FAULT_ENTRIES.c.entry)
        for fault, entry in connection.execute(names.where(FAULT_ENTRIES.c.fault.in_(affected))):
            affected[fault].append(entry)
    return [fault_of(row, affected[row["id"]]) for row in rows]


def resolve(database: Database, number: int, *, requeue: bool = False) -> list[str]:
    """The organiser has repaired a part: it works again. Raises UsageError if there is no such fault.

    ``requeue``: requeue the entries that this error parked. Returns these entries.
    """
    now = time.time()
    with database.change() as connection:
        row = connection.execute(sa.select(FAULTS).where(FAULTS.c.id == number)).mappings().first()
        if row is None:
            raise UsageError(f"no fault {number}; `evaluate status --faults` lists them")
        if not row["resolved"]:
            connection.execute(sa.update(FAULTS).where(FAULTS.c.id == number).values(resolved=now, stopped=False))
            journal.write(connection, "", "fault-resolved", {"fault": number}, now)
            drained = DRAIN + row["name"]
            if row["part"] == FaultyPart.HOST and setting_in(connection, drained) == f"{DRAINED_BY}{number}":
                keep_in(connection, drained, "")
        return _requeued(connection, number) if requeue else []


def _requeued(connection: sa.Connection, number: int) -> list[str]:
    """Put entries whose attempt that counts is parked after this fault back into the queue."""
    same = (FAULT_ENTRIES.c.entry == ENTRIES.c.id) & (FAULT_ENTRIES.c.attempt == ENTRIES.c.attempt)
    query = sa.select(ENTRIES).join(FAULT_ENTRIES, same).where(FAULT_ENTRIES.c.fault == number)
    parked = query.where(ENTRIES.c.state == State.PARKED.value).order_by(ENTRIES.c.number)
    entries = [entry_of(row) for row in connection.execute(parked).mappings()]
    for entry in entries:
        retry_attempt(connection, entry)
    return [entry.id for entry in entries]


@dataclass(frozen=True, kw_only=True)
class Signals:
    """The signals of one look."""

    queued: bool = False
    """Entries wait for their turn."""
    rejudgings: bool = False
    """Attempts of rejudgings wait for their turn."""
    held: bool = False
    """Tasks are held until something else has ended."""
    busy: bool = False
    """Tasks wait, or run."""
    waits: bool = False
    """Tasks wait."""
    draining: bool = False
    faulty: bool = False
    """A fault is not resolved."""
    slots: int = 1
    """Slots of the largest host."""
    gpus: int = 0
    """The most devices of a host that is alive; to a stage, also of one that was alive a short time ago."""
    stopped: Mapping[str, bool] = field(default_factory=dict)
    """Challenges that wait until a fault is resolved, and whether only their prep does."""

    def stops(self, challenge: str, stage: Stage) -> bool:
        """True if a stage of a challenge may not begin."""
        return challenge in self.stopped and (stage is Stage.PREP or not self.stopped[challenge])


def signals(store: Store, executor: str) -> Signals:
    """Read them by one statement, which costs the same whatever waits."""
    key = DRAIN + executor.rpartition(":")[0]
    query = sa.select(
        sa.exists().where(ENTRIES.c.state == State.QUEUED.value).label("queued"),
        sa.exists().where(REJUDGING_ATTEMPTS.c.state == State.QUEUED.value).label("rejudgings"),
        sa.exists().where(TASKS.c.place < 0).label("held"),
        sa.exists().where(TASKS.c.place > 0).label("busy"),
        sa.exists().where(TASKS.c.place > 0, TASKS.c.executor == "").label("waits"),
        sa.exists().where(SETTINGS.c.key == key, SETTINGS.c.value != "").label("draining"),
        sa.exists().where(FAULTS.c.resolved == 0).label("faulty"),
        sa.select(sa.func.coalesce(sa.func.max(HOSTS.c.slots), 1)).scalar_subquery().label("slots"),
        sa.select(sa.func.coalesce(sa.func.max(HOSTS.c.gpus), 0)).scalar_subquery().label("gpus"),
        sa.exists().where(FAULTS.c.resolved == 0, FAULTS.c.stopped).label("stopped"),
    )
    with store.database.ask() as connection:
        row = connection.execute(query).mappings().one()
    numbers = {name: row[name] for name in ("slots", "gpus")}
    flags = {name: bool(value) for name, value in row.items() if name not in (*numbers, "stopped")}
    stopped = stopped_challenges(store.database) if row["stopped"] else {}
    return Signals(**flags, **numbers, stopped=stopped)
