"""An entry's way through its stages, as durable workflows of DBOS.

The entry is a parent workflow; each stage, and each shard of an exam, is a child with a fixed id in the queue
``slots``, of which a host runs as many at once as it has slots, those of earlier stages first.  What ended is never run
again: after any kill, DBOS goes on with the first child that has no outcome.

Infrastructure faults are values, so that the slot is free while the entry waits: the parent counts them, waits longer
each time, and parks the entry in the end.  They cost the team nothing.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dbos import DBOS, SetEnqueueOptions, SetWorkflowID

from evaluate.challenge import load_challenge
from evaluate.errors import ChallengeError, EvaluateError, Fault
from evaluate.model import Stage, Verdict
from evaluate.queue.store import State, Store
from evaluate.queue.work import SCORE, Runner, Task, perform, work_folder

SLOTS = "slots"
VERSION = "flow1"
"""Changed only when the order of steps in a workflow changes: work of another version is left alone."""
_CLASS = 10**8
_CLASSES = {Stage.PREP: 1, Stage.QUIZ: 2, Stage.EXAM: 4, Stage.SCORE: 3}
"""Priorities: a score is short, an exam is long."""
_RECOVERIES = 100_000
"""DBOS counts restarts of the daemon against a workflow; they are not the entry's fault."""


@dataclass(frozen=True, kw_only=True)
class Means:
    """What the workflows of this process work with."""

    store: Store
    state: Path
    runner: Runner
    shards: int = 1
    """Into how many parts an exam is split."""
    attempts: int = 3
    """How often a stage is tried before an infrastructure fault parks the entry."""
    delay_seconds: float = 30.0
    """Before the second try; twice as long before each further one."""
    poll_seconds: float = 1.0


class Gate:
    """What stages pass through, so that a process that stops begins no more of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._closed = False

    @property
    def inside(self) -> int:
        """How many stages run."""
        return self._inside

    def close(self) -> None:
        """Let nobody in any more; who comes waits for the end of the process."""
        self._closed = True

    @contextmanager
    def passed(self) -> Iterator[None]:
        """Run a stage."""
        with self._lock:
            waits = self._closed
            self._inside += not waits
        while waits:
            time.sleep(3600)
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1


gate = Gate()
_means: Means | None = None


def set_means(means: Means) -> None:
    """Say what the workflows of this process work with; before DBOS is launched."""
    global _means  # noqa: PLW0603  # workflows are functions of the process, found by their name
    _means = means


def means() -> Means:
    """What `set_means` said."""
    if _means is None:
        raise RuntimeError("set_means comes before the first workflow")
    return _means


@DBOS.workflow(name="entry", max_recovery_attempts=_RECOVERIES)
def entry_flow(identity: str, attempt: int, shards: int) -> str:
    """Take an entry through its stages; how it ended."""
    for stage in Stage:
        _say(identity, stage.value, "")
        if stage is Stage.EXAM:
            for outcome in _exam(identity, attempt, shards):
                if outcome["kind"] != "result":
                    return _parked(identity, stage, outcome)
        if stage is Stage.SCORE and not _has_references(identity):
            return _ended(identity, "OK")
        outcome = _with_retries(identity, attempt, stage, None, shards)
        if outcome["kind"] != "result":
            return _parked(identity, stage, outcome)
        if outcome["verdict"] != Verdict.OK:
            return _ended(identity, outcome["verdict"])
    return _ended(identity, "OK")


def _exam(identity: str, attempt: int, shards: int) -> list[dict[str, Any]]:
    handles = [_start(identity, attempt, Stage.EXAM, i, shards, 0) for i in range(shards)]
    outcomes = []
    for i, handle in enumerate(handles):
        outcome = handle.get_result(polling_interval_sec=means().poll_seconds)
        if outcome["kind"] == "fault":
            outcome = _with_retries(identity, attempt, Stage.EXAM, i, shards, first=1, last=outcome)
        outcomes.append(outcome)
    return outcomes


def _with_retries(
    identity: str,
    attempt: int,
    stage: Stage,
    shard: int | None,
    shards: int,
    *,
    first: int = 0,
    last: dict[str, Any] | None = None,
) -> dict[str, Any]:
    outcome: dict[str, Any] = last or {}
    for number in range(first, means().attempts):
        if number:
            delay = means().delay_seconds * 2 ** (number - 1)
            _say(identity, stage.value, f"try {number + 1} in {delay:.0f} s: {outcome['message']}"[:2000])
            DBOS.sleep(delay)
        handle = _start(identity, attempt, stage, shard, shards, number)
        outcome = handle.get_result(polling_interval_sec=means().poll_seconds)
        if outcome["kind"] != "fault":
            return outcome
    return outcome


def _start(identity: str, attempt: int, stage: Stage, shard: int | None, shards: int, number: int) -> Any:
    name = stage.value if shard is None else f"{stage.value}-{shard}"
    order = means().store.entry(identity).number
    with (
        SetWorkflowID(f"{identity}:{attempt}:{name}:{number}"),
        SetEnqueueOptions(priority=_CLASSES[stage] * _CLASS + min(order, _CLASS - 1)),
    ):
        return DBOS.enqueue_workflow(SLOTS, stage_flow, identity, stage.value, shard, shards)


@DBOS.workflow(name="stage", max_recovery_attempts=_RECOVERIES)
def stage_flow(identity: str, stage: str, shard: int | None, shards: int) -> dict[str, Any]:
    """Run one stage in a slot; its outcome, faults included."""
    return _run(identity, stage, shard, shards)


@DBOS.step(name="run")
def _run(identity: str, stage: str, shard: int | None, shards: int) -> dict[str, Any]:
    own = means()
    entry = own.store.entry(identity)
    task = Task(entry=entry, stage=Stage(stage), shard=shard, shards=shards)
    try:
        with gate.passed():
            result = perform(task, own.state, own.runner)
    except ChallengeError as e:
        return {"kind": "challenge", "message": str(e)}
    except (Fault, EvaluateError, OSError) as e:
        return {"kind": "fault", "message": f"{type(e).__name__}: {e}"}
    if shard is None:
        own.store.keep_result(identity, entry.attempt, stage, result)
        kept = work_folder(own.state, entry) / Stage.SCORE.value / SCORE
        if task.stage is Stage.SCORE and kept.is_file():
            own.store.keep_score(identity, entry.attempt, json.loads(kept.read_text()))
    return {"kind": "result", "verdict": result["verdict"], "message": result["message"]}


@DBOS.step(name="say")
def _say(identity: str, state: str, detail: str) -> None:
    # what begins to reveal hidden records is what an attempt costs
    means().store.move(identity, State(state), detail, charged=True if state == State.EXAM else None)


@DBOS.step(name="references")
def _has_references(identity: str) -> bool:
    return load_challenge(means().store.entry(identity).challenge).exam.references is not None


@DBOS.step(name="end")
def _end(identity: str, state: str, detail: str) -> None:
    # a fault that is not the team's costs it nothing, wherever it came
    means().store.move(identity, State(state), detail, charged=False if state == State.PARKED else None)


def _ended(identity: str, verdict: str) -> str:
    _end(identity, State.DONE.value, verdict)
    return verdict


def _parked(identity: str, stage: Stage, outcome: Mapping[str, Any]) -> str:
    whose = "the challenge" if outcome["kind"] == "challenge" else "the infrastructure"
    _end(identity, State.PARKED.value, f"{stage.value}: {whose} is at fault: {outcome['message']}"[:4000])
    return "parked"
