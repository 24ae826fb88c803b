"""Uploads, results and scores for tests of the queue."""

import atexit
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from evaluate.config.types import Config, Heartbeat
from evaluate.core.model import RecordOutcome, Stage, StageOutcome, StageResult, Usage, Verdict
from evaluate.operate import signing
from evaluate.receipts.issue import Registry
from evaluate.store.db import journal
from evaluate.store.db.database import Database
from evaluate.store.db.reasons import Cause, Reason, ended_with
from evaluate.store.db.rows import FaultyPart, QueuedEntry, State, to_row
from evaluate.store.db.tables import TASKS
from evaluate.store.entries import store as entry_store
from evaluate.store.entries.store import SIGNED, Store, open_store
from evaluate.store.files.depot import SharedFolder
from evaluate.store.files.stage_folders import RESULT, work_folder
from evaluate.store.people.teams import Team, change_team
from evaluate.store.schedule import tasks
from evaluate.store.schedule.engine import VERSION
from evaluate.store.schedule.faults import FaultReport, record
from evaluate.store.schedule.hosts import Lease

ONE_DATABASE = pytest.mark.parametrize("queue_url", ["sqlite"], indirect=True)
"""Where the kind of database makes no difference."""
ON_A_SERVER = pytest.mark.parametrize("queue_url", ["postgresql"], indirect=True)
"""About hosts that share a database."""
CHALLENGE = "cinc2017"
STAGES = tuple(stage for stage in Stage if stage is not Stage.TRAIN)
"""Stages of a challenge whose entries are not trained."""


@cache
def _empty() -> Path:
    """A state directory with an empty queue; copies of it are made in a tenth of the time that its migrations take."""
    folder = tempfile.mkdtemp(prefix="evaluate-")
    atexit.register(shutil.rmtree, folder)
    open_store(Path(folder)).engine.dispose()
    return Path(folder)


@contextmanager
def queue(state: Path, url: str = "") -> Iterator[Store]:
    """An open store that is closed afterwards."""
    state.mkdir(parents=True, exist_ok=True)
    if not url and not (state / "entries").exists() and not any(state.glob("queue*")):
        for file in _empty().iterdir():
            shutil.copy(file, state)
    store = open_store(state, url)
    try:
        yield store
    finally:
        store.engine.dispose()


def by_hand(store: Store, statement: str | sa.Executable) -> None:
    """Change the database as no part of the program does."""
    with store.change() as connection:
        connection.execute(sa.text(statement) if isinstance(statement, str) else statement)


def upload(team: str, n: int, challenge: str = CHALLENGE) -> dict[str, Any]:
    name = f"{team}-{n}.zip"
    sha256 = name.encode().hex().ljust(64, "0")
    return {"challenge": challenge, "team": team, "name": name, "sha256": sha256, "bytes": 10, "commit": ""}


def submitted(store: Store, *teams: str, challenge: str = CHALLENGE) -> list[str]:
    """Submit an entry of each team, in order; returns their ids."""
    return [name for name, _ in store.submit([upload(team, i, challenge) for i, team in enumerate(teams)])]


def result(stage: Stage, verdict: str = "OK", message: str = "", records: Sequence[str] = ()) -> dict[str, Any]:
    ended: dict[str, Any] = {"verdict": Verdict(verdict), "usage": Usage(instructions=5, wall_seconds=0.5)}
    outcomes = tuple(RecordOutcome(record=name, **ended) for name in records)
    return to_row(StageOutcome(result=StageResult(stage=stage, message=message, records=outcomes, **ended)))


def at_fault(message: str, stage: str = "exam") -> Reason:
    """Why an entry is parked after faults of the infrastructure."""
    return Reason(cause=Cause.INFRASTRUCTURE, stage=stage, message=message)


def retried(message: str, number: int = 2, until: float | None = None) -> Reason:
    """Why an entry waits after a fault."""
    return Reason(cause=Cause.RETRY, stage="exam", message=message, number=number, until=until)


def score(value: float | None) -> dict[str, Any]:
    return {"primary": "F1", "values": {"F1": value}, "official": {"F1": value}, "intervals": {}, "notes": []}


def sign(store: Store, state: Path, entry: QueuedEntry, config: Config | None = None) -> Path | None:
    """Sign the receipt of an attempt, and note it in the journal, as its last step does; returns its file."""
    depot = SharedFolder(state)
    told = signing.sign(Registry(state), store, state, depot, config or Config(), entry, "green:1")
    if told is not None:
        with store.database.step() as connection:
            journal.write(connection, entry.id, SIGNED, told, time.time())
    return signing.receipt_of(state, depot, entry)


def keep_result(store: Store, identity: str, attempt: int, stage: str, result: Mapping[str, Any]) -> bool:
    """Keep the result of a stage unless there is one already; returns whether this one was kept."""
    line = store.result_line(attempt, stage, result)
    with store.change() as connection:
        return entry_store.keep_result(connection, identity, line)


def keep_score(store: Store, identity: str, attempt: int, score: Mapping[str, Any], judged_by: str = "") -> bool:
    """Keep a score unless there is one already; returns whether this one was kept."""
    line = store.score_line(attempt, score, judged_by)
    with store.change() as connection:
        return entry_store.keep_score(connection, identity, line)


def run_stages(
    store: Store,
    shared: Path,
    entry: QueuedEntry,
    value: float | None = 0.5,
    *,
    first: Stage = Stage.PREP,
    last: Stage = Stage.SCORE,
    verdict: str = "OK",
    judged: str = "",
    stages: Sequence[Stage] = STAGES,
    **more: Any,
) -> None:
    """Do what a daemon does for an attempt from stage ``first`` to ``last``, which ends with ``verdict``.

    ``stages``: those of the challenge.  ``more``: keys of the score.
    """
    for stage in stages[stages.index(first) : stages.index(last) + 1]:
        store.move(entry.id, State(stage.value), attempt=entry.attempt)
        if stage is Stage.EXAM:
            store.charge(entry.id, entry.attempt)
        ended = verdict if stage is last else "OK"
        records = ["A1", "A2"] if stage in (Stage.QUIZ, Stage.EXAM) else []
        keep_result(store, entry.id, entry.attempt, stage.value, result(stage, ended, f"{stage} text", records))
        folder = work_folder(shared, entry) / stage.value
        folder.mkdir(parents=True, exist_ok=True)
        (folder / RESULT).touch()
    if last is Stage.SCORE:
        keep_score(store, entry.id, entry.attempt, score(value) | more, judged)
    store.move(entry.id, State.DONE, ended_with(verdict), attempt=entry.attempt)


def judged(
    store: Store, state: Path, teams: Mapping[str, float | None], challenge: str = CHALLENGE, **more: Any
) -> list[str]:
    """Take an entry of each team through its stages to its score, as `run_stages` does; returns their ids."""
    values = dict(zip(submitted(store, *teams, challenge=challenge), teams.values(), strict=True))
    for entry in store.next_entries(len(teams)):
        run_stages(store, state, entry, values[entry.id], **more)
    return list(values)


def lease(store: Store, executor: str) -> Lease:
    """A host that is alive for an hour, and silent."""
    host = Lease(store, executor, executor, Heartbeat(seconds=3600, ttl_seconds=3600), lambda _: None)
    host.take(2, VERSION)
    return host


def failed(
    store: Store,
    *entries: str,
    part: FaultyPart = FaultyPart.HOST,
    name: str = "green",
    task: str = "prep",
) -> None:
    """Record a fault of a part for each entry; three of different entries in a row stop the part."""
    values = {"stage": task, "message": "KVM is gone", "lines": ("one", "two"), "challenge": CHALLENGE}
    for entry in entries:
        with store.database.step() as connection:
            record(connection, entry, 1, FaultReport(part=part, name=name, **values), 3)


def keep_team(database: Database, team: Team) -> Team:
    """Register a team, or replace all that is known of it."""
    return change_team(database, team.name, lambda _: team, make=True)


class NoEngine:
    """Takes workflows that nothing runs."""

    def place(self, *_: Any, **__: Any) -> None:
        """Nothing waits in a queue of DBOS."""


def enqueue(store: Store, identity: str, attempt: int, task: str, stage: Stage, cost: float = 1.0) -> int:
    """Record that a task waits; returns its place."""
    new = tasks.NewTask(entry=identity, attempt=attempt, task=task, stage=stage, cost=cost)
    with store.database.step() as connection:
        tasks.place(connection, NoEngine(), new, store.entry(identity).team)  # type: ignore[arg-type]
        row = (TASKS.c.entry == identity) & (TASKS.c.attempt == attempt) & (TASKS.c.task == task)
        return int(connection.scalar(sa.select(TASKS.c.place).where(row)) or 0)


def run_task(store: Store, identity: str, task: str, executor: str, seconds: float) -> str:
    """Record that a task holds a slot of an executor, with its limits; returns its workflow."""
    row = (TASKS.c.entry == identity) & (TASKS.c.task == task)
    with store.change() as connection:
        connection.execute(sa.update(TASKS).where(row).values(seconds=seconds))
        flow = str(connection.scalar(sa.select(TASKS.c.flow).where(row)))
    tasks.begin(store, flow, executor, ())
    return flow


def end_task(store: Store, identity: str, task: str) -> None:
    """Record that a task has ended."""
    by_hand(store, sa.delete(TASKS).where(TASKS.c.entry == identity, TASKS.c.task == task))
