"""What is decided for an attempt: order, retries, parking, shards, turns.

There is no DBOS: each stage is run at once in this thread, by a runner that does what the test says, and the clock of
pauses is the test's.
"""

from __future__ import annotations

import json
import shutil
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from evaluate.queue.execution.progress import AttemptPlan, Progress

from evaluate.challenge.cache import load_challenge
from evaluate.challenge.load import program_challenge
from evaluate.config.terms import Terms
from evaluate.config.types import Config, Retries
from evaluate.core.errors import ChallengeError, SandboxFault
from evaluate.core.model import Stage, Verdict
from evaluate.queue.db.reasons import Cause, Reason, ended_with
from evaluate.queue.db.rows import ACTIVE, FaultyPart, QueuedEntry, State
from evaluate.queue.db.tables import ENTRIES
from evaluate.queue.entries.shadows import begin_shadows, shadows_of, take_shadows
from evaluate.queue.entries.store import Store
from evaluate.queue.execution import flow
from evaluate.queue.execution import progress as progress_of
from evaluate.queue.execution.flow import FlowContext
from evaluate.queue.schedule import tasks
from evaluate.queue.schedule.engine import VERSION, Flow
from evaluate.queue.schedule.faults import FaultReport, faults, stopped_challenges
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
        self.states: dict[str, str] = {}
        """Id -> as what DBOS knows it, without that it was run."""
        self.newest: set[str] = set()
        self.asked: list[tuple[tuple[str, int], ...]] = []
        """The attempts that were looked at together."""

    def start(self, flow: Callable[..., Any], identity: str, *arguments: Any) -> bool:
        if identity in self.known:
            return False
        common = {"id": identity, "name": "stage", "executor": "green:1", "version": VERSION}
        if identity in self.states:
            self.known[identity] = Flow(**common, status=self.states[identity])
        elif identity in self.lost:
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
        self.asked.append(attempts)
        return {name: flow for name, flow in self.known.items() if flow.attempt in attempts}

    def ended(self, ids: Iterable[str]) -> set[str]:
        return {name for name in ids if name in self.known and self.known[name].over}


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
    seen: list[tuple[State, set[str]]] = field(default_factory=list)
    """The state of the entry, and the tasks that wait or run, when each of them ran."""
    placed: list[tasks.NewTask] = field(default_factory=list)
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
        for _ in range(200):
            if self.store.entry(entry.id).state not in ACTIVE:
                break
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
        else:
            pytest.fail("it never ends")
        found = self.store.entry(entry.id)
        return found.state, found.reason.verdict

    def process(self) -> tuple[Progress, list[float]]:
        """One that looks for the first time, and its clock."""
        now = [0.0]
        return Progress(self.engine, lambda: self.context, lambda: now[0]), now  # type: ignore[arg-type]

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
            found.seen.append((store.entry(task.entry.id).state, {row.task for row in tasks.tasks(store)}))
            if found.problems[task.name]:
                raise found.problems[task.name].pop(0)
            return context.runner(task, folder)

        place = tasks.place

        def noted(connection: sa.Connection, new: tasks.NewTask, tag: float) -> int:
            found.placed.append(new)
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


def test_entry_whose_challenge_has_keys_of_a_newer_version_is_parked_and_runs_after_the_upgrade(
    case: Case, tmp_path: Path
) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "challenge.yaml").write_text("title: of a newer version\nafterlife: true\n")
    ((identity, _),) = case.store.submit([{**upload("red", 1), "challenge": str(tmp_path / "new")}])
    (entry,) = case.store.next_entries(9, case.context.executor)
    assert entry.id == identity and case.run(entry) == (State.PARKED, "")
    state, reason, charged = case.ended(entry)
    assert (state, reason.cause, charged) == (State.PARKED, Cause.CHALLENGE, False)
    assert "challenge.yaml:2: unknown key 'afterlife'" in reason.message and case.ran == []
    shutil.copytree(program_challenge("cinc2017") or tmp_path, tmp_path / "new", dirs_exist_ok=True)
    case.store.retry(identity)
    (again,) = case.store.next_entries(9, case.context.executor)
    assert case.run(again) == (State.DONE, Verdict.OK)


def test_challenge_whose_scorer_fails_is_stopped_though_earlier_stages_end_well(case: Case) -> None:
    entries = []
    config = case.context.config
    case.context = replace(case.context, config=replace(config, retries=replace(config.retries, stop_after=3)))
    for n, team in enumerate(("red", "green", "blue"), 1):
        assert stopped_challenges(case.store.database) == {}
        entries.append(case.submitted(team=team))
        case.problems["score"] = [ChallengeError("the codabench scorer ended with exit code 1")]
        assert case.run(entries[-1]) == (State.PARKED, "")
        (fault,) = faults(case.store.database)
        assert (fault.stage, fault.times) == ("score", n)
    assert stopped_challenges(case.store.database) == {entries[0].challenge: False}
    assert not any(case.ended(entry)[2] for entry in entries), "none cost an attempt"
    waiting = case.store.submit([upload("yellow", 1)])
    assert waiting and case.store.next_entries(9, "green:1", stopped=stopped_challenges(case.store.database)) == []


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
    case.submitted()
    both = [Progress(case.engine, lambda: case.context) for _ in range(2)]  # type: ignore[arg-type]
    for _ in range(12):
        for progress in both:
            progress.look()
            case.claim()
    assert case.ran == IN_ORDER
    ends = [data["to"] for _, _, _, event, data in case.store.journal() if event == "moved" and data["to"] == "done"]
    assert ends == ["done"]


@pytest.mark.parametrize("error", [KeyError("stages"), sa.exc.ProgrammingError("", {}, Exception("no such column"))])
def test_attempt_that_cannot_be_continued_hinders_no_other_and_is_looked_at_again(case: Case, error: Exception) -> None:
    first, second = case.submitted(n=1, team="a"), case.submitted(n=2, team="b")
    children = case.engine.children

    def broken(*attempts: tuple[str, int]) -> dict[str, Flow]:
        if (first.id, 1) in attempts and not case.store.entry(second.id).state.ended:
            raise error
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


def test_entry_is_in_the_stage_that_runs_and_holds_no_slot_of_an_earlier_one(case: Case) -> None:
    case.run(case.submitted())
    shards = (State.EXAM, {"exam-0", "exam-1"})
    assert case.seen == [
        (State.PREP, {"prep"}),
        (State.QUIZ, {"quiz"}),
        shards,
        shards,
        (State.EXAM, {"exam"}),
        (State.SCORE, {"score"}),
    ]


def test_attempt_ends_with_the_look_that_finds_its_last_stage_and_is_signed_once(case: Case) -> None:
    entry, (progress, _) = case.submitted(), case.process()
    for _ in range(5):  # the shards run together
        progress.look()
        case.claim()
    assert (case.ran, case.store.entry(entry.id).state) == (IN_ORDER, State.SCORE)
    progress.look()
    assert case.ended(entry) == (State.DONE, ended_with("OK"), True)
    events = [event for _, _, _, event, _ in case.store.journal()]
    assert (events.count("signed"), events.count("result")) == (1, 4)


def test_task_is_placed_with_its_share_and_away_from_the_hosts_on_which_it_failed(case: Case) -> None:
    case.problems["exam-1"] = [SandboxFault("the guest closed its channel")] * 2
    case.run(case.submitted())
    assert [(one.task, one.number, one.turn, one.cost, one.avoid) for one in case.placed] == [
        ("prep", 0, 0, 1.0, ()),
        ("quiz", 0, 0, 1.0, ()),
        ("exam-0", 0, 0, 0.5, ()),
        ("exam-1", 0, 0, 0.5, ()),
        ("exam-1", 1, 0, 0.5, ("green",)),
        ("exam-1", 2, 0, 0.5, ("green", "green")),
        ("exam", 0, 0, 1.0, ()),
        ("score", 0, 0, 1.0, ()),
    ]


def test_task_that_waits_for_a_gpu_has_no_place_and_waits_longer_each_time_up_to_a_minute(case: Case) -> None:
    case.context = replace(case.context, poll_seconds=1.0)
    case.gpus_in_use = 8
    rows: list[tuple[str, list[tasks.Claimed]]] = []

    def look() -> None:
        (row,) = tasks.tasks(case.store)
        rows.append((row.executor, tasks.claim(case.store, "blue:1", 9)))

    case.while_waiting = look
    assert case.run(case.submitted())[0] is State.DONE
    assert rows == [("", [])] * 8
    assert case.waits == [2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0]
    assert [(one.number, one.turn) for one in case.placed if one.task == "prep"] == [(0, turn) for turn in range(9)]


def test_task_that_waits_for_a_gpu_is_placed_when_one_that_held_a_gpu_has_left(case: Case) -> None:
    def hold(identity: str) -> None:
        new = tasks.NewTask(entry=identity, attempt=1, task="prep", stage=Stage.PREP)
        with case.store.change() as connection:
            tasks.place(connection, new, 1.0)
        tasks.begin(case.store, identity, 1, "prep", "blue:1", 60.0, ["0000:01:00.0"])

    case.submitted()
    (holder, _), (later, _), (without, _) = case.store.submit([upload("blue", n) for n in (2, 3, 4)])
    hold(holder)
    with case.store.change() as connection:
        tasks.place(connection, tasks.NewTask(entry=without, attempt=1, task="prep", stage=Stage.PREP), 1.0)
    tasks.begin(case.store, without, 1, "prep", "blue:1", 60.0)
    case.context = replace(case.context, poll_seconds=30.0)
    case.gpus_in_use = 1
    progress, now = case.process()
    progress.look()
    case.claim()
    progress.look()
    begun = len(case.engine.asked)
    for change in (lambda: None, lambda: hold(later), lambda: tasks.end(case.store, without, 1)):
        change()
        assert progress.is_due(), "whether a GPU is free is asked for each time"
        progress.look(everywhere=False)
        case.claim()
        assert (len(case.engine.asked), case.ran) == (begun, [])
    tasks.end(case.store, holder, 1)
    progress.look(everywhere=False)
    case.claim()
    assert case.ran == ["prep"] and now == [0.0]


def test_process_knows_without_asking_when_a_look_is_due(case: Case) -> None:
    entry = case.submitted()
    case.problems["quiz"] = [SandboxFault("the guest closed its channel")]
    progress, now = case.process()
    assert not progress.faulty
    assert progress.is_due(), "it has not looked yet"

    def look() -> int:
        progress.look(everywhere=False)
        return len(case.engine.asked)

    look()
    for _ in range(2):  # prep runs, then quiz fails
        assert not progress.is_due(), "its task waits for a slot"
        case.engine.newest.add("stranger:1:prep:0")
        assert not progress.is_due(), "of no attempt of this process"
        case.claim()
        assert progress.is_due() and progress.is_due()
        before = look()
        assert look() == before, "it waits, for its task or for the end of its pause"
    assert progress.faulty
    for now[0] in (1.0, 9.9):
        assert not progress.is_due()
        assert look() == before
    now[0] = 10.0
    assert progress.is_due()
    assert look() > before
    assert not progress.is_due(), "the pause is over, and its task waits"
    before = look()
    assert look() == before
    for _ in range(5):
        case.claim()
        look()
    assert case.ended(entry) == (State.DONE, ended_with("OK"), True)
    assert not progress.is_due()
    assert case.ran == ["prep", "quiz", *IN_ORDER[1:]]


def test_what_ended_on_another_host_is_seen_only_by_a_look_everywhere(case: Case) -> None:
    case.submitted()
    progress, _ = case.process()
    progress.look()
    (claimed,) = tasks.claim(case.store, "blue:1", 9)
    flow.start(case.engine, claimed)  # type: ignore[arg-type]
    case.engine.newest.clear()  # it left its thread elsewhere
    progress.look(everywhere=False)
    assert [one.task for one in case.placed] == ["prep"]
    progress.look(everywhere=True)
    assert [one.task for one in case.placed] == ["prep", "quiz"]


def test_stage_that_runs_is_awaited_and_one_that_left_its_thread_is_looked_at_until_its_outcome_is_known(
    case: Case,
) -> None:
    entry = case.submitted()
    identity = f"{entry.id}:1:prep:0"
    case.engine.states[identity] = "PENDING"
    case.process()[0].look()
    case.claim()
    case.engine.newest.clear()
    progress, _ = case.process()  # after a restart
    for _ in range(2):
        progress.look()
    assert len(case.engine.asked) == 2, "one look of each process"
    assert not progress.is_due()
    case.engine.newest.add(identity)
    for _ in range(2):
        assert progress.is_due()
        progress.look(everywhere=False)
    assert len(case.engine.asked) == 4
    case.engine.known[identity] = replace(
        case.engine.known[identity], status="SUCCESS", output={"kind": "result", "verdict": "OK"}
    )
    progress.look(everywhere=False)
    assert [one.task for one in case.placed] == ["prep", "quiz"]
    assert not progress.is_due()


@pytest.mark.parametrize(("seconds", "first"), [(0.0, 3), (0.9, 3), (1.0, 2)])
def test_look_ends_after_a_second_and_the_next_begins_with_the_attempts_that_are_left(
    case: Case, monkeypatch: pytest.MonkeyPatch, seconds: float, first: int
) -> None:
    monkeypatch.setattr("evaluate.queue.execution.progress._AT_ONCE", 2)
    for n, team in enumerate("abc"):
        case.submitted(team=team, n=n)
    progress, now = case.process()
    children = case.engine.children

    def slow(*attempts: tuple[str, int]) -> dict[str, Flow]:
        now[0] += seconds
        return children(*attempts)

    case.engine.children = slow  # type: ignore[method-assign]
    progress.look()
    assert len(case.placed) == first
    assert progress.is_due() == (first < 3)
    progress.look(everywhere=False)
    assert len(case.placed) == 3 == len({one.entry for one in case.placed})
    assert not progress.is_due()


def test_stage_that_was_taken_from_a_lost_process_is_placed_at_once_and_is_no_fault(case: Case) -> None:
    entry = case.submitted()
    case.engine.states[f"{entry.id}:1:quiz:0"] = "CANCELLED"
    assert case.run(entry) == (State.DONE, Verdict.OK)
    assert (case.ran, case.waits) == (IN_ORDER, [])
    assert [(one.number, one.turn) for one in case.placed if one.task == "quiz"] == [(0, 0), (0, 1)]
    assert faults(case.store.database) == []


def test_stage_whose_attempt_was_gone_ends_and_begins_nothing(case: Case) -> None:
    entry, (progress, _) = case.submitted(), case.process()
    identity = f"{entry.id}:1:prep:0"
    case.engine.known[identity] = Flow(
        id=identity, name="stage", executor="green:1", version=VERSION, status="SUCCESS", output={"kind": "gone"}
    )
    for _ in range(3):
        progress.look()
    assert (case.store.entry(entry.id).state, case.placed) == (State.PREP, [])


def test_stage_that_dbos_gave_up_is_a_fault_of_that_name(case: Case) -> None:
    entry = case.submitted()
    case.engine.states = {f"{entry.id}:1:prep:{n}": "MAX_RECOVERY_ATTEMPTS_EXCEEDED" for n in range(3)}
    assert case.run(entry) == (State.PARKED, "")
    assert case.ended(entry)[1].message == "MAX_RECOVERY_ATTEMPTS_EXCEEDED: "
    assert "signed" not in [event for _, _, _, event, _ in case.store.journal()]


@pytest.mark.parametrize("since", ["planned", "cancelled", "retried"])
def test_attempt_that_another_process_took_further_before_its_plan_was_kept(
    case: Case, since: str, caplog: pytest.LogCaptureFixture
) -> None:
    entry, (progress, _) = case.submitted(), case.process()
    children = case.engine.children
    stages = tuple(stage for stage in Stage if stage is not Stage.TRAIN)
    other = AttemptPlan(stages=stages, shards=1, tries=3, delay=1.0, one_in_exam=False, charge_all=False, shadow=False)

    def late(*attempts: tuple[str, int]) -> dict[str, Flow]:
        case.engine.children = children  # type: ignore[method-assign]
        if since == "planned":
            case.store.keep_plan(entry, other.as_text())
        elif since == "cancelled":
            case.store.cancel(entry.id)
        else:
            case.store.move(entry.id, State.PARKED, Reason(cause=Cause.INFRASTRUCTURE))
            case.store.retry(entry.id)
            case.store.next_entries(9, case.context.executor)
        return children(*attempts)

    case.engine.children = late  # type: ignore[method-assign]
    progress.look()
    assert "cannot be continued" not in caplog.text
    assert [one.task for one in case.placed] == (["prep"] if since == "planned" else [])
    for _ in range(8):
        progress.look()
        case.claim()
    found = case.store.entry(entry.id)
    ends = {"planned": (State.DONE, 1), "cancelled": (State.CANCELLED, 1), "retried": (State.DONE, 2)}
    assert (found.state, found.attempt) == ends[since]
    ran = {"planned": ["prep", "quiz", "exam-0", "exam", "score"], "cancelled": [], "retried": IN_ORDER}
    assert case.ran == ran[since]


def test_attempt_that_cannot_be_continued_is_left_alone_for_a_heartbeat(case: Case) -> None:
    case.submitted()
    progress, now = case.process()
    children, asked = case.engine.children, []

    def broken(*attempts: tuple[str, int]) -> dict[str, Flow]:
        asked.append(attempts)
        raise KeyError("stages")

    case.engine.children = broken  # type: ignore[method-assign]
    for _ in range(3):
        progress.look()
    assert len(asked) == 1 and not progress.is_due()
    case.engine.children = children  # type: ignore[method-assign]
    now[0] = case.context.config.heartbeat.seconds
    assert progress.is_due()
    progress.look()
    assert [one.task for one in case.placed] == ["prep"]


def test_attempt_that_can_never_be_continued_is_parked_with_the_cause(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("train")

    monkeypatch.setattr(progress_of, "keep_rules", broken)
    entry = case.submitted()
    progress, now = case.process()
    for _ in range(10):
        progress.look()
        now[0] += case.context.config.heartbeat.seconds
    reason = Reason(cause=Cause.INFRASTRUCTURE, stage="prep", message="KeyError: 'train'")
    assert case.ended(entry) == (State.PARKED, reason, False)


def test_error_that_passes_concerns_all_attempts_and_is_the_callers(case: Case) -> None:
    case.submitted()
    progress, _ = case.process()
    progress.look()
    case.claim()
    children = case.engine.children

    def away(*_: tuple[str, int]) -> dict[str, Flow]:
        raise sa.exc.OperationalError("", {}, Exception("restarting"))

    case.engine.children = away  # type: ignore[method-assign]
    with pytest.raises(sa.exc.OperationalError):
        progress.look()
    assert progress.is_due()
    case.engine.children = children  # type: ignore[method-assign]
    progress.look(everywhere=False)
    assert [one.task for one in case.placed] == ["prep", "quiz"]


def test_each_fault_is_recorded_once_and_what_ends_well_shows_only_then_that_a_host_works(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[tuple[str, bool]] = []
    well: list[str] = []
    record, ended_well = progress_of.record, progress_of.ended_well

    def recorded(connection: sa.Connection, entry: str, attempt: int, one: FaultReport, in_a_row: int) -> None:
        found.append((one.stage, one.again))
        record(connection, entry, attempt, one, in_a_row)

    def worked(connection: sa.Connection, entry: str, host: str, *used: str) -> None:
        well.append(host)
        ended_well(connection, entry, host, *used)

    monkeypatch.setattr(progress_of, "record", recorded)
    monkeypatch.setattr(progress_of, "ended_well", worked)
    entry, (progress, now) = case.submitted(), case.process()
    case.problems["exam-0"] = [SandboxFault("the guest closed its channel")] * 2
    for _ in range(12):
        progress.look(faulty=bool(found))
        case.claim()
        now[0] += 10.0
        if case.ran[-1] == "quiz":
            assert well == []
    assert case.ended(entry)[0] is State.DONE
    assert found == [("exam-0", False), ("exam-0", True)]
    assert well == ["green"] * 4, "exam-1, exam-0, the join, and score"
    (fault,) = faults(case.store.database)
    assert (fault.entries, fault.times) == ((entry.id,), 2)


@pytest.mark.parametrize("where", ["challenge_of", "seconds_allowed"])
def test_challenge_that_cannot_be_read_any_more_parks_the_attempt_and_is_named(
    case: Case, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    read = getattr(progress_of, where)

    def broken(of: Any) -> Any:
        if where == "challenge_of" or of.stage is Stage.QUIZ:
            raise ChallengeError("challenge.yaml is gone")
        return read(of)

    monkeypatch.setattr(progress_of, where, broken)
    entry = case.submitted()
    assert case.run(entry) == (State.PARKED, "")
    stage, ran = ("prep", []) if where == "challenge_of" else ("quiz", ["prep"])
    reason = Reason(cause=Cause.CHALLENGE, stage=stage, message="challenge.yaml is gone")
    assert (case.ended(entry), case.ran) == ((State.PARKED, reason, False), ran)
    (fault,) = faults(case.store.database)
    assert (fault.part, fault.name, fault.times) == (FaultyPart.CHALLENGE, CHALLENGE, 1)


def test_challenge_without_references_has_no_score_stage(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    known = load_challenge(CHALLENGE)
    bare = known.with_records(exam=replace(known.exam, references=None))
    monkeypatch.setattr(progress_of, "challenge_of", lambda _: bare)
    entry = case.submitted()
    assert case.run(entry) == (State.DONE, Verdict.OK)
    assert case.ran == IN_ORDER[:-1]


def test_attempt_beside_the_one_that_counts_runs_from_its_first_stage_on_and_after_all_others(case: Case) -> None:
    entry = case.submitted()
    case.run(entry)
    begin_shadows(case.store, [case.store.entry(entry.id)], "r1", Stage.EXAM)
    (one,) = take_shadows(case.store, 1, case.context.executor)
    progress, _ = case.process()
    progress.look(shadows=False)
    assert len(case.placed) == len(IN_ORDER)
    for _ in range(5):
        progress.look(shadows=True)
        case.claim()
    (found,) = shadows_of(case.store, "r1")
    assert (found.attempt, found.state) == (one.attempt, State.DONE)
    assert case.ran == [*IN_ORDER, *IN_ORDER[2:]]
    assert [new.shadow for new in case.placed] == [False] * 6 + [True] * 4
    assert AttemptPlan.from_text(found.plan).stages == (Stage.EXAM, Stage.SCORE)


def test_dry_run_is_charged_where_the_terms_say_so(case: Case) -> None:
    rules = {CHALLENGE: Terms(charge_dry_runs=True)}
    case.context = replace(case.context, config=replace(case.context.config, challenges=rules))
    entry = case.submitted("fails-quiz")
    case.run(entry)
    assert case.ended(entry) == (State.DONE, ended_with("RUNTIME_ERROR"), True)


def test_second_entry_of_a_team_runs_up_to_the_exam_and_looks_again_after_a_pause(case: Case) -> None:
    rules = {CHALLENGE: Terms(one_in_exam=True)}
    config = replace(case.context.config, challenges=rules)
    case.context = replace(case.context, config=config, poll_seconds=5.0)
    first, second = case.submitted(n=1), case.submitted(n=2)
    case.store.move(first.id, State.EXAM)
    with case.store.change() as connection:
        connection.execute(sa.update(ENTRIES).where(ENTRIES.c.id == first.id).values(owner="blue:1"))
    progress, now = case.process()
    for _ in range(4):
        progress.look()
        case.claim()
    assert case.ran == ["prep", "quiz"]
    assert case.ended(second) == (State.QUIZ, Reason(cause=Cause.TEAM, entry=first.id), False)
    assert not progress.is_due()
    now[0] = 5.0
    assert progress.is_due()
    case.store.move(first.id, State.DONE, ended_with("OK"))
    for _ in range(4):
        progress.look()
        case.claim()
    assert case.ended(second)[0] is State.DONE


def test_pause_before_a_retry_says_when_it_ends(case: Case) -> None:
    entry, begun = case.submitted(), time.time()
    case.problems["prep"] = [SandboxFault("the guest closed its channel")]
    untils: list[float | None] = []
    case.while_waiting = lambda: untils.append(case.store.entry(entry.id).reason.until)
    case.run(entry)
    (until,) = untils
    assert until is not None and begun + 10.0 <= until <= time.time() + 10.0
