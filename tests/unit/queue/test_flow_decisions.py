"""What a parent workflow decides: order, retries, parking, shards, turns.

Its functions run without DBOS: each task is run at once in this thread, by a runner that does what the test says.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from evaluate.core.errors import ChallengeError, SandboxFault
from evaluate.core.model import Stage, Verdict
from evaluate.host.config import Config, Retries, Terms
from evaluate.queue import flow
from evaluate.queue.depot import SharedFolder
from evaluate.queue.evidence import evidence_of
from evaluate.queue.flow import FlowContext
from evaluate.queue.store import tasks
from evaluate.queue.store.entries import Store
from evaluate.queue.store.reasons import Cause, Reason, ended_with
from evaluate.queue.store.rows import QueuedEntry, State
from evaluate.queue.work import Task
from tests.chaos.daemon import ScriptedRunner
from tests.support.queues import CHALLENGE, queue, upload

IN_ORDER = ["prep", "quiz", "exam-0", "exam-1", "exam", "score"]
LOST = "SandboxFault: the guest closed its channel"


@dataclass
class Case:
    """A queue, and what happened to it."""

    store: Store
    shared: Path
    context: FlowContext
    ran: list[str] = field(default_factory=list)
    """Tasks in the order in which they ran."""
    waits: list[float] = field(default_factory=list)
    """Seconds."""
    priorities: dict[str, int] = field(default_factory=dict)
    """Task -> its priority; lower is earlier."""
    problems: dict[str, list[Exception]] = field(default_factory=lambda: defaultdict(list))
    """Task -> what its next tries raise."""
    while_waiting: Callable[[], None] = lambda: None
    gpus_in_use: int = 0
    """How often a task finds every GPU in use."""

    def submitted(self, name: str = "good", team: str = "red", n: int = 1) -> QueuedEntry:
        ((identity, _),) = self.store.submit([{**upload(team, n), "name": name}])
        return next(entry for entry in self.store.next_entries(9, self.context.executor) if entry.id == identity)

    def run(self, entry: QueuedEntry) -> str:
        plan = self.context.plan(entry.challenge)
        found: str = flow.entry_flow.__wrapped__(entry.id, entry.attempt, plan)  # type: ignore[attr-defined]
        return found

    def ended(self, entry: QueuedEntry) -> tuple[State, Reason, bool]:
        found = self.store.entry(entry.id)
        return found.state, found.reason, found.charged


class Ended:
    """A handle of a task that was run."""

    def __init__(self, outcome: dict[str, Any]) -> None:
        self._outcome = outcome

    def get_result(self, polling_interval_sec: float) -> dict[str, Any]:
        del polling_interval_sec
        return self._outcome


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Case]:
    with queue(tmp_path) as store:
        context = FlowContext(
            store=store,
            shared=tmp_path,
            depot=SharedFolder(tmp_path),
            runner=ScriptedRunner(shared=tmp_path, seconds=0.0, host="green"),
            config=Config(shards=2, retries=Retries(attempts=3, delay_seconds=10.0)),
            executor="green:1",
            poll_seconds=0.001,
        )
        found = Case(store=store, shared=tmp_path, context=context)

        def runner(task: Task, folder: Path) -> Any:
            found.ran.append(task.name)
            if found.problems[task.name]:
                raise found.problems[task.name].pop(0)
            return context.runner(task, folder)

        def start(
            identity: str, attempt: int, stage: Stage, shard: int | None, number: int, plan: Any, turn: int = 0
        ) -> Ended:
            name = flow._name(stage, shard)
            found.priorities[name] = flow._enqueue(identity, attempt, stage.value, shard, plan["shards"], number)
            return Ended(flow._run(identity, attempt, stage.value, shard, plan["shards"], number, turn))

        def sleep(seconds: float) -> None:
            found.waits.append(seconds)
            found.while_waiting()

        def lease(*_: Any) -> tuple[str, ...]:
            if found.gpus_in_use:
                found.gpus_in_use -= 1
                raise flow._NoGpu(1, "green")
            return ()

        monkeypatch.setattr(flow, "_start", start)
        monkeypatch.setattr(flow, "_lease_gpus", lease)
        monkeypatch.setattr(flow.time, "sleep", sleep)
        monkeypatch.setattr(flow, "_context", replace(context, runner=runner))
        yield found


def test_stages_run_in_order_and_the_exam_is_joined_after_its_shards(case: Case) -> None:
    entry = case.submitted()
    assert case.run(entry) == Verdict.OK
    assert case.ran == IN_ORDER
    assert case.ended(entry) == (State.DONE, ended_with("OK"), True)
    assert case.store.score(entry.id, 1) is not None
    assert tasks.tasks(case.store) == []


def test_short_early_stages_get_a_slot_before_long_exams(case: Case) -> None:
    case.run(case.submitted())
    order = sorted(case.priorities, key=case.priorities.__getitem__)
    assert [name for name in order if name not in ("exam", "exam-1")] == ["prep", "quiz", "score", "exam-0"]


def test_fault_is_tried_again_after_longer_and_longer_waits_and_costs_nothing(case: Case) -> None:
    entry = case.submitted()
    case.problems["quiz"] = [SandboxFault("the guest closed its channel")] * 2
    said: list[Reason] = []
    case.while_waiting = lambda: said.append(case.store.entry(entry.id).reason)
    assert case.run(entry) == Verdict.OK
    assert case.ran == ["prep", "quiz", "quiz", *IN_ORDER[1:]]
    assert case.waits == [10.0, 20.0]
    assert [replace(reason, until=None) for reason in said] == [
        Reason(cause=Cause.RETRY, stage="quiz", message=LOST, number=number) for number in (2, 3)
    ]
    assert all(reason.until is not None for reason in said)


def test_entry_is_parked_when_every_try_failed(case: Case) -> None:
    entry = case.submitted()
    case.problems["exam-1"] = [SandboxFault("the guest closed its channel")] * 3
    assert case.run(entry) == State.PARKED
    reason = Reason(cause=Cause.INFRASTRUCTURE, stage="exam", message=LOST)
    assert case.ended(entry) == (State.PARKED, reason, False)  # the exam had begun, and the attempt is given back
    assert [fault["try"] for fault in evidence_of(case.shared, case.context.depot, entry.id, 1)] == [1, 2, 3]
    assert tasks.tasks(case.store) == []


def test_shards_that_failed_are_not_joined(case: Case) -> None:
    case.problems["exam-0"] = [SandboxFault("the guest closed its channel")] * 3
    case.run(case.submitted())
    assert case.ran == ["prep", "quiz", "exam-0", "exam-1", "exam-0", "exam-0"]


def test_only_the_shard_that_failed_runs_again_before_all_are_joined(case: Case) -> None:
    entry = case.submitted()
    case.problems["exam-1"] = [SandboxFault("the guest closed its channel")]
    assert case.run(entry) == Verdict.OK
    assert case.ran == ["prep", "quiz", "exam-0", "exam-1", "exam-1", "exam", "score"]


def test_joining_that_failed_runs_again_without_its_shards(case: Case) -> None:
    entry = case.submitted()
    case.problems["exam"] = [SandboxFault("the disk is full")]
    assert case.run(entry) == Verdict.OK
    assert case.ran == ["prep", "quiz", "exam-0", "exam-1", "exam", "exam", "score"]


def test_challenge_at_fault_is_not_tried_again(case: Case) -> None:
    entry = case.submitted()
    case.problems["score"] = [ChallengeError("REFERENCE.csv is gone")]
    assert case.run(entry) == State.PARKED
    reason = Reason(cause=Cause.CHALLENGE, stage="score", message="REFERENCE.csv is gone")
    assert case.ended(entry) == (State.PARKED, reason, False)
    assert (case.ran, case.waits) == (IN_ORDER, [])


def test_verdict_of_an_early_stage_ends_it_uncharged(case: Case) -> None:
    entry = case.submitted("fails-quiz")
    assert case.run(entry) == Verdict.RUNTIME_ERROR
    assert case.ran == ["prep", "quiz"]
    assert case.ended(entry) == (State.DONE, ended_with("RUNTIME_ERROR"), False)


def test_cancelled_entry_starts_no_further_stage(case: Case) -> None:
    entry = case.submitted()
    case.problems["quiz"] = [SandboxFault("the guest closed its channel")]
    case.while_waiting = lambda: case.store.cancel(entry.id) and None
    assert case.run(entry) == "gone"
    assert case.ran == ["prep", "quiz"]
    assert case.ended(entry) == (State.CANCELLED, Reason(cause=Cause.ORGANISER), False)


def test_waiting_for_a_gpu_is_no_try_and_reveals_nothing(case: Case) -> None:
    entry = case.submitted()
    case.gpus_in_use = 5
    said: list[tuple[State, Reason, bool]] = []
    case.while_waiting = lambda: said.append(case.ended(entry))
    assert case.run(entry) == Verdict.OK
    assert case.ran == IN_ORDER
    assert set(said) == {(State.PREP, Reason(cause=Cause.GPU, stage="prep", gpus=1, host="green"), False)}


def test_second_entry_of_a_team_waits_until_the_first_has_left_the_exam(case: Case) -> None:
    rules = {CHALLENGE: Terms(one_in_exam=True)}
    case.context = replace(case.context, config=replace(case.context.config, challenges=rules))
    first, second = case.submitted(n=1), case.submitted(n=2)
    case.store.move(first.id, State.EXAM)
    said: list[Reason] = []

    def leave() -> None:
        said.append(case.store.entry(second.id).reason)
        case.store.move(first.id, State.DONE, ended_with("OK"))

    case.while_waiting = leave
    assert case.run(second) == Verdict.OK
    assert said == [Reason(cause=Cause.TEAM, entry=first.id)]
