"""What is decided for an attempt: order, retries, parking, shards, turns.

There is no DBOS: each stage is run at once in this thread, by a runner that does what the test says, and the clock of
pauses is the test's.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from evaluate.config.terms import Terms
from evaluate.config.types import Config, Retries
from evaluate.core.errors import ChallengeError, SandboxFault
from evaluate.core.model import Verdict
from evaluate.queue.db.reasons import Cause, Reason, ended_with
from evaluate.queue.db.rows import ACTIVE, QueuedEntry, State
from evaluate.queue.entries.store import Store
from evaluate.queue.execution import flow
from evaluate.queue.execution.engine import VERSION, Flow
from evaluate.queue.execution.flow import FlowContext
from evaluate.queue.execution.progress import Progress
from evaluate.queue.schedule import tasks
from evaluate.queue.signing import receipt_of
from evaluate.queue.storage.depot import SharedFolder
from evaluate.queue.storage.evidence import evidence_of
from evaluate.queue.storage.stage_folders import Task
from evaluate.queue.views.why import why
from evaluate.receipts.issue import Registry
from tests.chaos.daemon import ScriptedRunner
from tests.support.queues import CHALLENGE, queue, upload

IN_ORDER = ["prep", "quiz", "exam-0", "exam-1", "exam", "score"]
LOST = "SandboxFault: the guest closed its channel"


class InlineEngine:
    """Runs what is started at once."""

    def __init__(self) -> None:
        self.known: dict[str, Flow] = {}
        self.lost: dict[str, str] = {}
        """Id -> the class of the error by which DBOS cannot complete it."""
        self.newest: set[str] = set()

    def start(self, flow: Callable[..., Any], identity: str, *arguments: Any) -> bool:
        if identity in self.known:
            return False
        common = {"id": identity, "name": "stage", "executor": "green:1", "version": VERSION}
        if identity in self.lost:
            self.known[identity] = Flow(**common, status="ERROR", error=self.lost[identity], message="gone")
        else:
            output = flow.__wrapped__(*arguments)  # type: ignore[attr-defined]
            self.known[identity] = Flow(**common, status="SUCCESS", output=json.loads(json.dumps(output)))
        self.newest.add(identity)
        return True

    def left(self) -> set[str]:
        found, self.newest = self.newest, set()
        return found

    def children(self, *attempts: tuple[str, int]) -> dict[str, Flow]:
        return {name: flow for name, flow in self.known.items() if flow.attempt in attempts}

    def ended(self, ids: Iterable[str]) -> set[str]:
        return set(self.known) & set(ids)


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
    """Called whenever all that is left is to wait."""
    gpus_in_use: int = 0
    """How often a task finds every GPU in use."""
    engine: InlineEngine = field(default_factory=InlineEngine)

    def submitted(self, name: str = "good", team: str = "red", n: int = 1) -> QueuedEntry:
        ((identity, _),) = self.store.submit([{**upload(team, n), "name": name}])
        return next(entry for entry in self.store.next_entries(9, self.context.executor) if entry.id == identity)

    def run(self, entry: QueuedEntry) -> tuple[State, str]:
        """Do everything that is to be done, however long it takes; returns the end, and the verdict."""
        now = [0.0]
        progress = Progress(self.engine, lambda: self.context, lambda: now[0])  # type: ignore[arg-type]
        while self.store.entry(entry.id).state in ACTIVE:
            begun = len(self.engine.known)
            progress.look()
            self.claim()
            if pauses := [pause.until for known in progress._pauses.values() for pause in known.values()]:
                if min(pauses) - now[0] >= 1.0:
                    self.waits.append(min(pauses) - now[0])
                self.while_waiting()
                now[0] = min(pauses)
            else:
                assert len(self.engine.known) > begun or self.store.entry(entry.id).state not in ACTIVE
        found = self.store.entry(entry.id)
        return found.state, found.reason.verdict

    def claim(self) -> None:
        """Do what the daemon does with tasks that wait."""
        for task in tasks.claim(self.store, self.context.executor, 99):
            flow.start(self.engine, task)  # type: ignore[arg-type]

    def ended(self, entry: QueuedEntry) -> tuple[State, Reason, bool]:
        found = self.store.entry(entry.id)
        return found.state, found.reason, found.charged


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Case]:
    with queue(tmp_path) as store:
        context = FlowContext(
            store=store,
            shared=tmp_path,
            depot=SharedFolder(tmp_path),
            runner=ScriptedRunner(shared=tmp_path, seconds=0.0, host="green"),
            config=Config(shards=2, retries=Retries(attempts=3, delay_seconds=10.0)),
            receipts=Registry(tmp_path),
            executor="green:1",
            poll_seconds=0.001,
        )
        found = Case(store=store, shared=tmp_path, context=context)

        def runner(task: Task, folder: Path) -> Any:
            found.ran.append(task.name)
            if found.problems[task.name]:
                raise found.problems[task.name].pop(0)
            return context.runner(task, folder)

        place = tasks.place

        def noted(connection: sa.Connection, new: tasks.NewTask, tag: float) -> int:
            found.priorities[new.task] = tasks.priority(new.stage, tag, shadow=new.shadow)
            return place(connection, new, tag)

        def lease(*_: Any) -> tuple[str, ...]:
            if found.gpus_in_use:
                found.gpus_in_use -= 1
                raise flow._NoGpu(1, "green")
            return ()

        monkeypatch.setattr(tasks, "place", noted)
        monkeypatch.setattr(flow, "_lease_gpus", lease)
        monkeypatch.setattr(flow, "_context", replace(context, runner=runner))
        yield found


def test_stages_run_in_order_and_the_exam_is_joined_after_its_shards(case: Case) -> None:
    entry = case.submitted()
    assert case.run(entry) == (State.DONE, Verdict.OK)
    assert case.ran == IN_ORDER
    assert case.ended(entry) == (State.DONE, ended_with("OK"), True)
    assert case.store.score(entry.id, 1) is not None
    assert tasks.tasks(case.store) == []
    assert receipt_of(case.shared, case.context.depot, entry) is not None


def test_short_early_stages_get_a_slot_before_long_exams(case: Case) -> None:
    case.run(case.submitted())
    order = sorted(case.priorities, key=case.priorities.__getitem__)
    assert [name for name in order if name not in ("exam", "exam-1")] == ["prep", "quiz", "score", "exam-0"]


def test_fault_is_tried_again_after_longer_and_longer_waits_and_costs_nothing(case: Case) -> None:
    entry = case.submitted()
    case.problems["quiz"] = [SandboxFault("the guest closed its channel")] * 2
    said: list[Reason] = []
    case.while_waiting = lambda: said.append(case.store.entry(entry.id).reason)
    assert case.run(entry) == (State.DONE, Verdict.OK)
    assert case.ran == ["prep", "quiz", "quiz", *IN_ORDER[1:]]
    assert case.waits == [10.0, 20.0]
    assert [replace(reason, until=None) for reason in said] == [
        Reason(cause=Cause.RETRY, stage="quiz", message=LOST, number=number) for number in (2, 3)
    ]
    assert all(reason.until is not None for reason in said)


def test_entry_is_parked_when_every_try_failed(case: Case) -> None:
    entry = case.submitted()
    case.problems["exam-1"] = [SandboxFault("the guest closed its channel")] * 3
    assert case.run(entry) == (State.PARKED, "")
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
    assert case.run(entry) == (State.DONE, Verdict.OK)
    assert case.ran == ["prep", "quiz", "exam-0", "exam-1", "exam-1", "exam", "score"]


def test_joining_that_failed_runs_again_without_its_shards(case: Case) -> None:
    entry = case.submitted()
    case.problems["exam"] = [SandboxFault("the disk is full")]
    assert case.run(entry) == (State.DONE, Verdict.OK)
    assert case.ran == ["prep", "quiz", "exam-0", "exam-1", "exam", "exam", "score"]


def test_challenge_at_fault_is_not_tried_again(case: Case) -> None:
    entry = case.submitted()
    case.problems["score"] = [ChallengeError("REFERENCE.csv is gone")]
    assert case.run(entry) == (State.PARKED, "")
    reason = Reason(cause=Cause.CHALLENGE, stage="score", message="REFERENCE.csv is gone")
    assert case.ended(entry) == (State.PARKED, reason, False)
    assert (case.ran, case.waits) == (IN_ORDER, [])


def test_verdict_of_an_early_stage_ends_it_uncharged(case: Case) -> None:
    entry = case.submitted("fails-quiz")
    assert case.run(entry) == (State.DONE, Verdict.RUNTIME_ERROR)
    assert case.ran == ["prep", "quiz"]
    assert case.ended(entry) == (State.DONE, ended_with("RUNTIME_ERROR"), False)


def test_what_a_failed_metric_said_is_among_the_evidence(case: Case) -> None:
    entry = case.submitted()
    case.problems["score"] = [ChallengeError("metric own.py failed\nTraceback: line 7\nValueError: 3")]
    assert case.run(entry) == (State.PARKED, "")
    depot = SharedFolder(case.shared)
    (kept,) = evidence_of(case.shared, depot, entry.id, 1)
    assert (kept["task"], kept["error"]) == ("score", "ChallengeError")
    assert "Traceback: line 7" in kept["message"]
    assert "\n" not in why(case.store.entry(entry.id), case.store)


def test_cancelled_entry_starts_no_further_stage(case: Case) -> None:
    entry = case.submitted()
    case.problems["quiz"] = [SandboxFault("the guest closed its channel")]
    case.while_waiting = lambda: case.store.cancel(entry.id) and None
    assert case.run(entry) == (State.CANCELLED, "")
    assert case.ran == ["prep", "quiz"]
    assert case.ended(entry) == (State.CANCELLED, Reason(cause=Cause.ORGANISER), False)


def test_waiting_for_a_gpu_is_no_try_and_reveals_nothing(case: Case) -> None:
    entry = case.submitted()
    case.gpus_in_use = 5
    said: list[tuple[State, Reason, bool]] = []
    case.while_waiting = lambda: said.append(case.ended(entry))
    assert case.run(entry) == (State.DONE, Verdict.OK)
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
    assert case.run(second) == (State.DONE, Verdict.OK)
    assert said == [Reason(cause=Cause.TEAM, entry=first.id)]


def test_database_that_was_away_costs_no_try_however_often(case: Case) -> None:
    entry = case.submitted()
    case.engine.lost = {f"{entry.id}:1:quiz:0": "OperationalError"}
    case.engine.lost |= {f"{entry.id}:1:quiz:0:{turn}": "InternalError" for turn in range(1, 30)}
    said: list[Reason] = []
    case.while_waiting = lambda: said.append(case.store.entry(entry.id).reason)
    assert case.run(entry) == (State.DONE, Verdict.OK)
    assert case.ran == IN_ORDER
    assert {(reason.cause, reason.number, reason.message) for reason in said} == {
        (Cause.RETRY, 1, "OperationalError: gone"),
        (Cause.RETRY, 1, "InternalError: gone"),
    }
    assert max(case.waits) == 60.0


def test_error_of_dbos_itself_is_a_fault_that_is_counted(case: Case) -> None:
    entry = case.submitted()
    case.engine.lost = {f"{entry.id}:1:prep:{number}": "DBOSException" for number in range(3)}
    assert case.run(entry) == (State.PARKED, "")
    assert case.ended(entry)[1].message == "DBOSException: gone"


def test_host_that_takes_over_continues_by_the_same_plan(case: Case) -> None:
    entry = case.submitted()
    case.problems["quiz"] = [SandboxFault("the guest closed its channel")]
    progress = Progress(case.engine, lambda: case.context)  # type: ignore[arg-type]
    for _ in range(3):
        progress.look()
        case.claim()
    assert case.ran == ["prep", "quiz"]
    case.context = replace(case.context, executor="blue:1", config=replace(case.context.config, shards=7))
    assert case.store.adopt(case.store.entry(entry.id), "blue:1", 1)
    assert case.run(entry) == (State.DONE, Verdict.OK)
    assert case.ran == ["prep", "quiz", "quiz", "exam-0", "exam-1", "exam", "score"]


def test_two_hosts_that_continue_one_attempt_do_it_once(case: Case) -> None:
    entry = case.submitted()
    both = [Progress(case.engine, lambda: case.context) for _ in range(2)]  # type: ignore[arg-type]
    while case.store.entry(entry.id).state in ACTIVE:
        for progress in both:
            progress.look()
            case.claim()
    assert case.ran == IN_ORDER
    ends = [data["to"] for _, _, _, event, data in case.store.journal() if event == "moved" and data["to"] == "done"]
    assert ends == ["done"]


def test_attempt_that_cannot_be_continued_hinders_no_other_and_is_looked_at_again(case: Case) -> None:
    first, second = case.submitted(n=1, team="a"), case.submitted(n=2, team="b")
    children = case.engine.children

    def broken(*attempts: tuple[str, int]) -> dict[str, Flow]:
        if (first.id, 1) in attempts and not case.store.entry(second.id).state.ended:
            raise KeyError("stages")
        return children(*attempts)

    case.engine.children = broken  # type: ignore[method-assign]
    assert case.run(second) == (State.DONE, Verdict.OK)
    assert case.run(first) == (State.DONE, Verdict.OK)


def test_stage_waits_for_a_database_that_is_away(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = case.submitted()
    keep, away = case.store.result_line, [sa.exc.OperationalError("", {}, Exception("restarting"))] * 5
    monkeypatch.setattr(flow.time, "sleep", lambda _: None)

    def away_at_first(*given: Any) -> dict[str, Any]:
        if away:
            raise away.pop()
        return keep(*given)

    monkeypatch.setattr(case.store, "result_line", away_at_first)
    assert case.run(entry) == (State.DONE, Verdict.OK)
    assert case.ran == IN_ORDER
    assert evidence_of(case.shared, case.context.depot, entry.id, 1) == []


@pytest.mark.parametrize("full", ["place", "remove"])
def test_attempt_whose_step_could_not_be_written_is_looked_at_again(
    case: Case, monkeypatch: pytest.MonkeyPatch, full: str
) -> None:
    """After a full disk it stood still: its pause was over, and nothing else was waited for."""
    entry, now = case.submitted(), [0.0]
    case.problems["quiz"] = [SandboxFault("the guest closed its channel")]
    progress = Progress(case.engine, lambda: case.context, lambda: now[0])  # type: ignore[arg-type]
    write, failures = getattr(tasks, full), []

    def on_a_full_disk(*given: Any) -> Any:
        if case.ran == ["prep", "quiz"] and len(failures) < 3:
            failures.append(given)
            raise sa.exc.OperationalError("", {}, Exception("database or disk is full"))
        return write(*given)

    monkeypatch.setattr(tasks, full, on_a_full_disk)
    for _ in range(40):
        try:
            progress.look()
        except sa.exc.OperationalError:
            assert progress.is_due()
        case.claim()
        now[0] += 20.0
    assert len(failures) == 3
    assert case.ended(entry) == (State.DONE, ended_with("OK"), True)


@pytest.mark.parametrize("knows", [True, False], ids=["owner lives", "owner died too"])
def test_task_whose_host_died_between_claiming_and_beginning_it_is_awaited_under_its_next_turn(
    case: Case, knows: bool
) -> None:
    entry = case.submitted()
    progress = Progress(case.engine, lambda: case.context)  # type: ignore[arg-type]
    progress.look()
    (claimed,) = tasks.claim(case.store, "grey:1", 9)
    tasks.release(case.store, [case.context.executor])
    assert [(row.task, row.turn) for row in tasks.tasks(case.store)] == [(claimed.task, 1)]
    if not knows:
        progress = Progress(case.engine, lambda: case.context)  # type: ignore[arg-type]
    for _ in range(20):
        progress.look()
        case.claim()
    assert case.ended(entry) == (State.DONE, ended_with("OK"), True)
    assert case.ran == IN_ORDER
