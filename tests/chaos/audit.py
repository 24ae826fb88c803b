"""Checks, for a queue whose daemons have ended, that nothing was lost, doubled, left behind or half-written.

Every finding is a line that starts with one of `KINDS`.
"""

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import psutil
import sqlalchemy as sa

from evaluate.config.load import load_config
from evaluate.core.codec import from_json
from evaluate.core.errors import Fault
from evaluate.core.model import Score, Stage
from evaluate.operate.audit import verify
from evaluate.operate.signing import FOLDER
from evaluate.store.db import journal
from evaluate.store.db.reasons import NO_REASON
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.entries import best_attempts
from evaluate.store.entries.store import Store
from evaluate.store.files.depot import Depot, open_depot
from evaluate.store.files.stage_folders import RESULT, work_folder
from evaluate.store.schedule.hosts import hosts
from evaluate.store.schedule.tasks import tasks
from evaluate.views.board import board, board_of
from evaluate.views.words import detail
from tests.chaos.daemon import scripted_score
from tests.support.queues import queue

KINDS = ("lost", "double", "left", "half-written", "differs")
_PATIENCE = 60.0
"""Seconds until a process has ended whose parent was killed."""
_OVER = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")


def audit(state: Path, root: Path | None = None, *, scripted: bool = True, disk_was_full: bool = False) -> list[str]:
    """Every violation, one line each.

    ``state``: the state directory of one of the hosts; ``root`` contains everything of all hosts.
    ``scripted``: the stages were those of `tests.chaos.daemon`.
    ``disk_was_full``: the last try of a stage that always fails may have failed because of a full disk instead.
    """
    faults = ("SandboxFault: the guest", *(["OSError: [Errno 28]"] if disk_was_full else []))
    try:
        config = load_config(state)
        with queue(state, config.database) as store:
            shared, depot = open_depot(state, config.shared)
            findings = [*_journal(store), *_counts(store), *_engine(store), *_rows(store), *_boards(store)]
            events = _events(store)
            for entry in store.entries():
                findings += _entry(store, entry, events[entry.id])
                findings += _products(store, entry, shared, depot)
                findings += _as_scripted(store, entry, shared, faults) if scripted else []
    except Fault as e:
        return [f"differs: {e}"]
    root = root or state
    return [*findings, *_parts(root), *_processes(root)]


def _events(store: Store) -> Mapping[str, list[tuple[str, dict[str, Any]]]]:
    """Events of each entry."""
    events = defaultdict(list)
    for line in journal.read(store.database):
        events[line.entry].append((line.event, line.data))
    return events


def _entry(store: Store, entry: QueuedEntry, events: list[tuple[str, dict[str, Any]]]) -> Iterator[str]:
    """It ended, or waits with a reason; once; with one score if it passed, else with none."""
    what = f"{entry.id} ({entry.name}, {entry.state} {detail(entry.reason)})"
    if not (entry.state.ended or (entry.state is State.PARKED and entry.reason != NO_REASON)):
        yield f"lost: {what} neither ended nor waits with a reason"
    ends = sum(event == "moved" and data["to"] in ("done", "parked", "cancelled") for event, data in events)
    wanted = 1 + sum(event == "retried" for event, _ in events)
    if ends > wanted:
        yield f"double: {what} ended {ends} times in {wanted} attempts"
    if ends < wanted:
        yield f"lost: {what} ended {ends} times in {wanted} attempts"
    passed = entry.state is State.DONE and entry.reason.verdict == "OK"
    scored = store.score(entry.id, entry.attempt) is not None
    if scored != passed:
        yield f"{'double' if scored else 'lost'}: {what} has {int(scored)} scores"
    stages = [str(result["stage"]) for result in store.results(entry.id, entry.attempt)]
    if stages != [stage.value for stage in Stage if stage.value in stages]:
        yield f"differs: {what} has its results in the order {', '.join(stages)}"


def _counts(store: Store) -> Iterator[str]:
    """Nothing counts twice in the journal, from which rows may be restored; tables have keys."""
    events = [(line.entry, line.event, line.data) for line in journal.read(store.database)]
    told = Counter((identity, data["attempt"]) for identity, event, data in events if event == "score")
    kept = Counter((identity, data["attempt"], data["stage"]) for identity, event, data in events if event == "result")
    for counted in (told, kept):
        yield from (f"double: {key} counts {count} times" for key, count in counted.items() if count > 1)


def _journal(store: Store) -> Iterator[str]:
    """The journal's chain holds, and the tables are what it says."""
    yield from (f"differs: {difference}" for difference in verify.whole(store.database))


def _engine(store: Store) -> Iterator[str]:
    """DBOS has nothing left to continue."""
    schema = "dbos" if store.database.shared else None
    if not sa.inspect(store.engine).has_table("workflow_status", schema=schema):
        return
    status = sa.table("workflow_status", sa.column("workflow_uuid"), sa.column("status"), schema=schema)
    query = sa.select(status.c.workflow_uuid, status.c.status).where(status.c.status.not_in(_OVER))
    with store.engine.connect() as connection:
        for identity, word in connection.execute(query):
            yield f"left: workflow {identity} is {word}"


def _rows(store: Store) -> Iterator[str]:
    yield from (f"left: a task {row.task} of {row.entry}, of {row.executor or 'nobody'}" for row in tasks(store))
    yield from (f"left: the host {host.executor}" for host in hosts(store))


def _boards(store: Store) -> Iterator[str]:
    """Boards are those of all attempts."""
    for challenge in {entry.challenge for entry in store.entries()}:
        attempts = best_attempts.with_resampled(store, best_attempts.attempts_of(store, challenge))
        if (shown := board_of(store, challenge, (), 0, 12)) != (expected := board(attempts)):
            yield f"differs: the board of {challenge} is not that of its attempts: {shown}, expected {expected}"


def _products(store: Store, entry: QueuedEntry, shared: Path, depot: Depot) -> Iterator[str]:
    """Published products are complete, and agree with the tables."""
    work = work_folder(shared, entry)
    for result in store.results(entry.id, entry.attempt):
        path = work / str(result["stage"]) / RESULT
        depot.fetch(str(path.parent.relative_to(shared)))
        written = _json(path) or {}
        score = written.pop("score", None)
        if written != result:
            yield f"differs: {path} and the kept result"
        if result["stage"] == Stage.SCORE and score != store.score(entry.id, entry.attempt):
            yield f"differs: the score in {path} and the kept score"
    for folder in _stages(work):
        if _json(folder / RESULT) is None:
            yield f"half-written: {folder}"


def _stages(work: Path) -> list[Path]:
    return [folder for folder in work.glob("*") if folder.name != FOLDER]


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None


def _as_scripted(store: Store, entry: QueuedEntry, shared: Path, faults: tuple[str, ...]) -> Iterator[str]:
    """It ended as its name says, with its own score and every file complete."""
    what, _, stage = entry.name.partition("-")
    wanted = {
        "fails": (State.DONE, ("RUNTIME_ERROR",)),
        "fault": (State.PARKED, tuple(f"{stage}: the infrastructure is at fault: {fault}" for fault in faults)),
        "broken": (State.PARKED, (f"{stage}: the challenge is at fault: REFERENCE.csv",)),
    }
    state, details = wanted.get(what, (State.DONE, ("OK",)))
    if entry.state is not state or not detail(entry.reason).startswith(details):
        state_now = f"{entry.state} {detail(entry.reason)}"
        yield f"lost: {entry.id} ({entry.name}) should be {state} {details[0]}, and is {state_now}"
    score = store.score(entry.id, entry.attempt)
    if score is not None and from_json(Score, score) != from_json(Score, scripted_score(entry.number)):
        yield f"differs: {entry.id} has the score {score}"
    for folder in _stages(work_folder(shared, entry)):
        if not (folder / "half").is_file() or (folder / "half").read_text() != "first and second":
            yield f"half-written: {folder / 'half'}"


def _parts(root: Path) -> Iterator[str]:
    yield from (f"half-written: {path}" for path in sorted(root.rglob("*.part")))


def _processes(root: Path) -> list[str]:
    """No process is alive that was started with this folder, or writes its log there."""
    ours = {psutil.Process().pid, *(parent.pid for parent in psutil.Process().parents())}

    def living() -> list[str]:
        alive = []
        for process in psutil.process_iter(["cmdline", "status"]):
            words = [*(process.info["cmdline"] or []), _output_of(process.pid)]
            if process.pid not in ours and any(str(root) in word for word in words):
                alive.append(f"left: process {process.pid}: {' '.join(words)[:200]}")
        return alive

    wait_until(lambda: not living(), _PATIENCE)
    return living()


def _output_of(pid: int) -> str:
    try:
        return str(Path(f"/proc/{pid}/fd/1").readlink())
    except OSError:
        return ""


def wait_for(condition: Callable[[], object], seconds: float = 120) -> None:
    """Wait until a condition is true; a failure if it is not in time, which is long for a busy machine."""
    assert wait_until(condition, seconds), "what was waited for did not come"


def wait_until(condition: Callable[[], object], seconds: float) -> bool:
    """True if a condition became true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
