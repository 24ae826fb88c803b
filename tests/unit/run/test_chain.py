"""The chain of an attempt: order, retries, parking, shards, turns, and what is done again after a kill.

There is no DBOS: workflows run in this thread in the order of their priorities, by a runner that does what the test
says, and a pause is over as soon as nothing else is left to do.
"""

import json
import shutil
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.load import program_challenge
from evaluate.config.terms import Terms
from evaluate.config.types import Config, Retries
from evaluate.core.errors import ChallengeError, SandboxFault
from evaluate.core.model import Stage, Verdict
from evaluate.operate.signing import receipt_of
from evaluate.run import chain, flow
from evaluate.run.chain import admit, begin_again, let_go, stage_flow
from evaluate.run.flow import FlowContext
from evaluate.store.db import journal
from evaluate.store.db.reasons import Cause, Reason, ended_with
from evaluate.store.db.rows import ACTIVE, FaultyPart, QueuedEntry, State
from evaluate.store.db.tables import TASKS
from evaluate.store.entries.rejudge_attempts import begin_rejudging
from evaluate.store.entries.store import Store
from evaluate.store.files.evidence import evidence_of
from evaluate.store.files.stage_folders import Task
from evaluate.store.schedule import tasks
from evaluate.store.schedule.faults import faults, resolve, signals, stopped_challenges
from evaluate.store.schedule.hosts import Lease
from evaluate.store.schedule.slots import Slots
from evaluate.views.why import why
from tests.chaos.daemon import flow_context
from tests.support.queues import CHALLENGE, by_hand, queue, upload

IN_ORDER = ["prep", "quiz", "exam-0", "exam-1", "exam", "score"]
LOST = "SandboxFault: the guest closed its channel"


class InlineEngine:
    """Keeps the workflows that are placed; one of a transaction that was rolled back has no task, and does nothing."""

    def __init__(self) -> None:
        self.waiting: list[tuple[float, int, int, str]] = []
        """Delay, priority, order of arrival and id of each."""
        self.names: list[str] = []

    def place(self, _: sa.Connection, name: str, priority: int, *, needs_gpu: bool = False, delay: float = 0.0) -> None:
        self.names.append(name)
        self.waiting.append((delay, priority, len(self.names), name))

    def next(self) -> tuple[float, str]:
        """The first that need not wait, else that whose pause is the shortest."""
        first = min(self.waiting)
        self.waiting.remove(first)
        return first[0], first[3]


@dataclass
class Case:
    """A queue, and what happened to it."""

    store: Store
    shared: Path
    context: FlowContext
    engine: InlineEngine
    ran: list[str] = field(default_factory=list)
    """Tasks in the order in which they ran."""
    waits: list[float] = field(default_factory=list)
    """Seconds."""
    seen: list[tuple[State, set[str]]] = field(default_factory=list)
    """The state of the entry, and the tasks that wait or run, when each of them ran."""
    problems: dict[str, list[Exception]] = field(default_factory=lambda: defaultdict(list))
    """Task -> what its next tries raise."""
    while_waiting: Callable[[], object] = lambda: None
    """Called whenever all that is left is to wait."""
    gpus_in_use: int = 0
    """How often a task finds every GPU in use."""
    gpu_host: str = "green"
    """Host of these; empty: it is away."""

    @property
    def own(self) -> FlowContext:
        return flow.context()

    def with_config(self, **changes: Any) -> None:
        config = replace(self.own.config, **changes)
        flow.set_context(replace(self.own, config=config))

    def begin(self) -> None:
        admit(self.own, entries=True, rejudgings=True, hosts=1)

    def submitted(self, name: str = "good", team: str = "red", n: int = 1) -> QueuedEntry:
        ((identity, _),) = self.store.submit([{**upload(team, n), "name": name}])
        self.begin()
        return self.store.entry(identity)

    def step(self) -> bool:
        """Run the next workflow; False if there is none."""
        for identity, attempt in tasks.held(self.store):
            let_go(self.own, identity, attempt)
        if not self.engine.waiting:
            return False
        delay, name = self.engine.next()
        if delay >= 1.0:
            self.waits.append(delay)
            self.while_waiting()
        stage_flow.__wrapped__(name)  # type: ignore[attr-defined]
        return True

    def run(self, entry: QueuedEntry) -> tuple[State, str]:
        """Do everything that is to be done, however long it takes; returns the end, and the verdict."""
        for _ in range(300):
            if not self.step() or self.store.entry(entry.id).state not in ACTIVE:
                break
        else:
            pytest.fail("it never ends")
        found = self.store.entry(entry.id)
        return found.state, found.reason.verdict

    def ended(self, entry: QueuedEntry) -> tuple[State, Reason, bool]:
        found = self.store.entry(entry.id)
        return found.state, found.reason, found.charged

    def events(self) -> list[str]:
        return [line.event for line in journal.read(self.store.database)]


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Case]:
    with queue(tmp_path) as store:
        slots, engine = Slots(), InlineEngine()
        slots.offer(9)
        context = flow_context(
            store,
            tmp_path,
            "green:1",
            config=Config(host="green", shards=2, retries=Retries(attempts=3, delay_seconds=10.0)),
            engine=engine,
            slots=slots,
            signals=lambda: signals(store, "green:1"),
            share_seconds=0.0,
        )
        found = Case(store=store, shared=tmp_path, context=context, engine=engine)

        def runner(task: Task, folder: Path) -> Any:
            found.ran.append(task.name)
            found.seen.append((store.entry(task.entry.id).state, {row.task for row in tasks.tasks(store)}))
            if found.problems[task.name]:
                raise found.problems[task.name].pop(0)
            return context.runner(task, folder)

        def lease(*_: Any) -> tuple[str, ...]:
            if found.gpus_in_use:
                found.gpus_in_use -= 1
                raise flow._NoGpu(1, found.gpu_host)
            return ()

        monkeypatch.setattr(flow, "_lease_gpus", lease)
        monkeypatch.setattr(flow, "_context", replace(context, runner=runner))
        yield found


def lost(times: int) -> list[Exception]:
    return [SandboxFault("the guest closed its channel")] * times


def test_stages_run_in_order_and_the_exam_is_joined_after_its_shards(case: Case) -> None:
    entry = case.submitted()
    assert case.run(entry) == (State.DONE, Verdict.OK)
    assert case.ran == IN_ORDER
    assert case.seen == [
        (State.PREP, {"prep"}),
        (State.QUIZ, {"quiz"}),
        (State.EXAM, {"exam-0", "exam-1"}),
        (State.EXAM, {"exam-1"}),
        (State.EXAM, {"exam"}),
        (State.SCORE, {"score"}),
    ], "it is in the stage that runs, and holds no slot of an earlier one"
    assert case.ended(entry) == (State.DONE, ended_with("OK"), True)
    assert case.store.score(entry.id, 1) is not None
    assert tasks.tasks(case.store) == []
    assert receipt_of(case.shared, case.own.depot, entry) is not None
    assert (case.events().count("signed"), case.events().count("result")) == (1, 4)


@pytest.mark.parametrize(
    ("seconds", "others", "slots", "workflows"),
    [
        pytest.param(0.0, 0, 9, 2, id="nothing else waits: one workflow, and one for the other shard"),
        pytest.param(60.0, 1, 9, 2, id="its stages are short"),
        pytest.param(0.0, 1, 9, 3, id="another team's prep has precedence"),
        pytest.param(60.0, 0, 0, 6, id="the host accepts nothing more: other hosts continue it"),
    ],
)
def test_attempt_keeps_its_slot_from_stage_to_stage(
    case: Case, seconds: float, others: int, slots: int, workflows: int
) -> None:
    flow.set_context(replace(case.own, share_seconds=seconds))
    entry = case.submitted()
    for other in range(others):
        case.submitted(team=f"blue{other}")
    perform = case.own.runner

    def runner(task: Task, folder: Path) -> Any:
        case.own.slots.offer(slots)  # an organiser drains the host meanwhile
        return perform(task, folder)

    flow.set_context(replace(case.own, runner=runner))
    while case.store.entry(entry.id).state in ACTIVE:
        assert case.step()
        case.own.slots.offer(9)
    assert case.ended(entry)[0] is State.DONE
    assert len([name for name in case.engine.names if name.startswith(f"{entry.id}:")]) == workflows


@pytest.mark.parametrize(("waited", "state"), [(0.0, State.EXAM), (60.0, State.QUIZ)])
def test_attempt_keeps_no_slot_at_once_while_a_later_stage_of_another_has_waited_long(
    case: Case, waited: float, state: State
) -> None:
    for team in ("blue", "green"):
        case.submitted(team=team)
    assert case.step()  # the quiz of blue waits for the prep of green
    flow.set_context(replace(case.own, share_seconds=60.0))
    by_hand(case.store, sa.update(TASKS).where(TASKS.c.task == "quiz").values(since=time.time() - waited))
    red = case.submitted()
    case.submitted(team="white")
    while case.store.entry(red.id).state in (State.QUEUED, State.PREP):
        assert case.step()
    assert case.store.entry(red.id).state is state


def test_connection_lost_after_an_outcome_was_recorded_removes_nothing_of_the_next_task(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry, step, losses = case.submitted(), case.store.database.step, [1, 1, 1]

    @contextmanager
    def lossy(*names: str) -> Iterator[sa.Connection]:
        with step(*names) as connection:
            yield connection
        if losses and not losses[-1]:
            losses.pop()
            raise sa.exc.OperationalError("", {}, Exception("the answer was lost"))
        if losses:
            losses[-1] -= 1

    monkeypatch.setattr(case.store.database, "step", lossy)
    monkeypatch.setattr("evaluate.run.flow.time.sleep", lambda _: None)
    assert case.run(entry) == (State.DONE, Verdict.OK)
    assert (case.ran, case.events().count("result"), losses) == (IN_ORDER, 4, [])


def test_fault_is_tried_again_after_longer_and_longer_waits_and_costs_nothing(case: Case) -> None:
    entry, begun = case.submitted(), time.time()
    case.problems["quiz"] = lost(2)
    reasons: list[Reason] = []
    case.while_waiting = lambda: reasons.append(case.store.entry(entry.id).reason)
    assert case.run(entry) == (State.DONE, Verdict.OK)
    assert case.ran == ["prep", "quiz", "quiz", *IN_ORDER[1:]]
    assert case.waits == [10.0, 20.0]
    assert [replace(reason, until=None) for reason in reasons] == [
        Reason(cause=Cause.RETRY, stage="quiz", message=LOST, number=number) for number in (2, 3)
    ]
    assert reasons[0].until is not None and begun + 10.0 <= reasons[0].until <= time.time() + 10.0


def test_entry_that_fails_again_stops_no_second_host(case: Case) -> None:
    case.problems["quiz"] = lost(2)
    case.with_config(retries=replace(case.own.config.retries, stop_after=1))
    case.while_waiting = lambda: case.with_config(host="blue")
    assert case.run(case.submitted()) == (State.DONE, Verdict.OK)
    assert {fault.name: fault.stopped for fault in faults(case.store.database)} == {"green": True, "blue": False}


def test_entry_is_parked_when_every_try_failed(case: Case) -> None:
    entry = case.submitted()
    case.problems["exam-1"] = lost(3)
    assert case.run(entry) == (State.PARKED, "")
    reason = Reason(cause=Cause.INFRASTRUCTURE, stage="exam", message=LOST)
    assert case.ended(entry) == (State.PARKED, reason, False)  # the exam had begun, and the attempt is given back
    assert [fault["try"] for fault in evidence_of(case.shared, case.own.depot, entry.id, 1)] == [1, 2, 3]
    assert tasks.tasks(case.store) == [] and "signed" not in case.events()


@pytest.mark.parametrize(
    ("task", "ran"),
    [
        ("exam-1", ["prep", "quiz", "exam-0", "exam-1", "exam-1", "exam", "score"]),
        ("exam", ["prep", "quiz", "exam-0", "exam-1", "exam", "exam", "score"]),
    ],
)
def test_only_the_part_of_an_exam_that_failed_runs_again_by_the_plan_of_the_beginning(
    case: Case, task: str, ran: list[str]
) -> None:
    entry = case.submitted()
    case.problems[task] = lost(1)
    case.with_config(shards=7, retries=Retries(attempts=1, delay_seconds=1.0))
    assert case.run(entry) == (State.DONE, Verdict.OK)
    assert case.ran == ran


def test_shards_that_failed_are_not_joined_and_those_that_wait_do_not_run(case: Case) -> None:
    case.with_config(retries=Retries(attempts=1, delay_seconds=1.0))
    case.problems["exam-0"] = lost(1)
    case.run(case.submitted())
    assert tasks.tasks(case.store) == []
    while case.step():
        pass
    assert case.ran == ["prep", "quiz", "exam-0"]


def test_challenge_at_fault_is_not_tried_again_and_what_it_printed_is_evidence(case: Case) -> None:
    entry = case.submitted()
    case.problems["score"] = [ChallengeError("metric own.py failed\nTraceback: line 7\nValueError: 3")]
    assert case.run(entry) == (State.PARKED, "")
    state, reason, charged = case.ended(entry)
    assert (state, reason.cause, reason.stage, charged) == (State.PARKED, Cause.CHALLENGE, "score", False)
    assert (case.ran, case.waits) == (IN_ORDER, [])
    (kept,) = evidence_of(case.shared, case.own.depot, entry.id, 1)
    assert (kept["task"], kept["error"]) == ("score", "ChallengeError")
    assert "Traceback: line 7" in kept["message"]
    assert "\n" not in why(case.store.entry(entry.id), case.store)


def test_entries_whose_challenge_has_keys_of_a_newer_version_are_parked_and_run_after_the_upgrade(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two looks it is stopped for its faults, so that no more are parked than may begin at once."""
    monkeypatch.setattr(chain, "ATTEMPTS_OF_HOST", 2)
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "challenge.yaml").write_text("title: of a newer version\nafterlife: true\n")
    for n in range(5):
        case.store.submit([{**upload(f"t{n}", n), "challenge": str(tmp_path / "new")}])
    case.begin()
    assert [entry.state for entry in case.store.entries()] == [State.PARKED] * 2 + [State.QUEUED] * 3
    entry = case.store.entries()[0]
    state, reason, charged = case.ended(entry)
    assert (state, reason.cause, charged) == (State.PARKED, Cause.CHALLENGE, False)
    assert "challenge.yaml:2: unknown key 'afterlife'" in reason.message
    (fault,) = faults(case.store.database)
    assert (fault.part, fault.name, fault.times) == (FaultyPart.CHALLENGE, entry.challenge, 2)
    shutil.copytree(program_challenge("cinc2017") or tmp_path, tmp_path / "new", dirs_exist_ok=True)
    for other in case.store.entries()[1:]:
        case.store.cancel(other.id)
    case.store.retry(entry.id)
    case.begin()
    assert case.run(entry) == (State.DONE, Verdict.OK)


def test_challenge_whose_scorer_fails_is_stopped_and_what_waits_runs_when_that_is_resolved(case: Case) -> None:
    entries = [case.submitted(team="yellow")]
    case.step()
    case.with_config(retries=replace(case.own.config.retries, stop_after=3))
    for n, team in enumerate(("red", "green", "blue"), 1):
        assert stopped_challenges(case.store.database) == {}
        case.problems["score"] = [ChallengeError("the codabench scorer ended with exit code 1")] * 2
        entry = case.submitted(team=team)
        waiting = [one for one in case.engine.waiting if entries[0].id in one[3]]
        case.engine.waiting = [one for one in case.engine.waiting if one not in waiting]
        assert case.run(entry) == (State.PARKED, "")
        case.engine.waiting += waiting
        (fault,) = faults(case.store.database)
        assert (fault.stage, fault.times) == ("score", n)
    assert stopped_challenges(case.store.database) == {CHALLENGE: False}
    case.problems["score"] = []
    ((queued, _),) = case.store.submit([upload("white", 1)])
    case.begin()
    assert case.run(entries[0])[0] is State.EXAM, "it is in its stages, and held"
    assert "is in the exam, but its challenge is stopped for fault 1 (" in why(
        case.store.entry(entries[0].id), case.store
    )
    assert case.store.entry(queued).state is State.QUEUED
    resolve(case.store.database, fault.id)
    assert case.run(entries[0]) == (State.DONE, Verdict.OK)


def test_verdict_of_an_early_stage_ends_it_and_is_charged_where_the_terms_say_so(case: Case) -> None:
    for n, charges in enumerate((False, True)):
        case.with_config(challenges={CHALLENGE: Terms(charge_dry_runs=charges)})
        entry = case.submitted("fails-quiz", n=n)
        assert case.run(entry) == (State.DONE, Verdict.RUNTIME_ERROR)
        assert case.ended(entry) == (State.DONE, ended_with("RUNTIME_ERROR"), charges)
    assert case.ran == ["prep", "quiz"] * 2


def test_cancelled_entry_starts_no_further_stage(case: Case) -> None:
    entry = case.submitted()
    case.problems["quiz"] = lost(1)
    case.while_waiting = lambda: case.store.cancel(entry.id)
    assert case.run(entry) == (State.CANCELLED, "")
    while case.step():
        pass
    assert case.ran == ["prep", "quiz"] and tasks.tasks(case.store) == []
    assert case.ended(entry) == (State.CANCELLED, Reason(cause=Cause.ORGANISER), False)


def test_waiting_for_a_gpu_is_no_try_reveals_nothing_and_lasts_longer_each_time_up_to_a_minute(case: Case) -> None:
    entry = case.submitted()
    case.gpus_in_use = 8
    found: list[tuple[State, Reason, bool]] = []
    case.while_waiting = lambda: found.append(case.ended(entry))
    assert case.run(entry) == (State.DONE, Verdict.OK)
    assert case.ran == IN_ORDER
    assert set(found) == {(State.PREP, Reason(cause=Cause.GPU, stage="prep", gpus=1, host="green"), False)}
    assert case.waits == [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]


def test_absence_of_hosts_with_gpus_parks_what_has_waited_for_them_and_blames_no_challenge(case: Case) -> None:
    entry = case.submitted()
    case.gpus_in_use, case.gpu_host, signals_of = 9, "", case.own.signals
    flow.set_context(replace(case.own, signals=lambda: replace(signals_of(), gpus=1)))
    case.step()
    waits = Reason(cause=Cause.GPU, stage="prep", gpus=1)
    assert case.ended(entry) == (State.PREP, waits, False) and tasks.tasks(case.store)[0].needs_gpu
    flow.set_context(replace(case.own, signals=signals_of))
    assert case.run(entry) == (State.PARKED, "")
    _, reason, charged = case.ended(entry)
    assert (reason.cause, charged) == (Cause.INFRASTRUCTURE, False)
    assert reason.message.startswith("no host with a GPU has been alive for a while")
    (fault,) = faults(case.store.database)
    assert (fault.words, fault.times) == ("host with a GPU", 1)


def test_stage_waits_for_a_database_that_is_away(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that does not end by itself is a fault, which is tried again."""
    entry = case.submitted()
    stays = [sa.exc.ProgrammingError("", {}, Exception("no such column"))] * 2
    monkeypatch.setattr(chain, "keep_result", at_first(stays, chain.keep_result))
    away = defaultdict(lambda: [sa.exc.OperationalError("", {}, Exception("restarting"))] * 3)
    monkeypatch.setattr(flow.time, "sleep", lambda _: None)
    for owner, name in ((case.store, "result_line"), (tasks, "begin"), (tasks, "end"), (tasks, "place")):
        monkeypatch.setattr(owner, name, at_first(away[name], getattr(owner, name)))
    assert case.run(entry) == (State.DONE, Verdict.OK)
    assert case.ran == IN_ORDER and case.waits == [10.0, 20.0]
    assert evidence_of(case.shared, case.own.depot, entry.id, 1) == [], "none of a stage that ended"


def at_first(errors: list[Any], work: Callable[..., Any]) -> Callable[..., Any]:
    def does(*given: Any, **named: Any) -> Any:
        if errors and any(isinstance(one, (sa.Connection, dict, int, str, Store)) for one in given):
            raise errors.pop()
        return work(*given, **named)

    return does


@pytest.mark.parametrize("at", ["rules_of", "keep_result"])
def test_attempt_that_cannot_begin_or_go_on_is_parked_with_the_cause_and_hinders_no_other(
    case: Case, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    work = getattr(chain, at)

    def broken(*given: Any) -> Any:
        monkeypatch.setattr(chain, at, work)
        raise KeyError("train")

    monkeypatch.setattr(chain, at, broken)
    first, second = (case.store.entry(name) for name, _ in case.store.submit([upload("a", 1), upload("b", 2)]))
    case.begin()
    assert case.run(second) == (State.DONE, Verdict.OK)
    reason = Reason(cause=Cause.INFRASTRUCTURE, stage="prep", message="KeyError: 'train'")
    assert case.ended(first) == (State.PARKED, reason, False)


@pytest.mark.parametrize("ends", [State.CANCELLED, State.PARKED])
def test_held_task_of_an_attempt_that_is_over_is_removed(case: Case, ends: State) -> None:
    entry = case.submitted()
    with case.store.change() as connection:
        tasks.again(connection, case.own.engine, tasks.tasks(case.store)[0].flow, held=True)
    case.store.move(entry.id, ends)
    let_go(case.own, entry.id, 1)
    assert tasks.tasks(case.store) == []


def test_workflow_that_runs_twice_records_once(case: Case) -> None:
    entry = case.submitted()
    for _ in range(40):
        twice = [one[3] for one in case.engine.waiting]
        if not case.step():
            break
        for name in twice:
            stage_flow.__wrapped__(name)  # type: ignore[attr-defined]
    assert case.ended(entry) == (State.DONE, ended_with("OK"), True)
    assert (case.events().count("signed"), case.events().count("result")) == (1, 4)


def test_workflow_whose_task_was_given_to_another_records_nothing(case: Case) -> None:
    entry = case.submitted()
    ((_, _, _, name),) = case.engine.waiting

    def taken_over() -> None:
        with case.store.database.step() as connection:
            assert tasks.again(connection, case.own.engine, name)

    flow.set_context(
        replace(case.own, runner=lambda task, folder: (taken_over(), case.context.runner(task, folder))[1])
    )
    stage_flow.__wrapped__(name)  # type: ignore[attr-defined]
    assert case.store.results(entry.id, 1) == [] and len(tasks.tasks(case.store)) == 1
    flow.set_context(replace(case.own, runner=case.context.runner))
    assert case.run(entry) == (State.DONE, Verdict.OK)


def test_full_host_puts_a_workflow_back_with_its_place_in_the_queue(case: Case) -> None:
    case.submitted()
    ((_, priority, _, name),) = case.engine.waiting
    case.own.slots.offer(0)
    case.step()
    ((delay, again, _, other),) = case.engine.waiting
    assert (delay, again) == (0.0, priority) and other != name and case.ran == []
    case.own.slots.offer(1)
    case.step()
    assert case.ran[0] == "prep"


@pytest.mark.parametrize("leaves", [True, False])
def test_host_that_failed_leaves_a_task_to_another_while_one_is_alive(case: Case, leaves: bool) -> None:
    entry = case.submitted()
    lease = Lease(case.store, "blue:1", "elsewhere", case.own.config.heartbeat, lambda _: None)
    lease.take(1, "")
    case.problems["prep"] = lost(1)
    for _ in range(5):
        case.step()
    assert case.ran == ["prep"] and case.waits == [10.0, 1.0, 1.0, 1.0]
    if leaves:
        lease.leave()
    assert case.run(entry) == (State.DONE, Verdict.OK)
    assert len(case.waits) == (5 if leaves else 16), "another host that never gets it delays it by seconds"


def test_attempt_without_a_task_goes_on_and_runs_nothing_again(case: Case) -> None:
    entry = case.submitted()
    case.step()
    assert case.ran == IN_ORDER[:3]
    with case.store.change() as connection:
        tasks.end_all(connection, entry.id, 1)
    case.engine.waiting.clear()
    for _ in range(2):  # by two hosts
        begin_again(case.own, case.store.entry(entry.id))
    assert case.run(entry) == (State.DONE, Verdict.OK)
    assert case.ran == IN_ORDER
    assert case.events().count("result") == 4


def test_challenge_without_references_has_no_score_stage(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    known = load_challenge(CHALLENGE)
    bare = known.with_records(exam=replace(known.exam, references=None))
    monkeypatch.setattr(chain, "challenge_of", lambda _: bare)
    entry = case.submitted()
    assert case.run(entry) == (State.DONE, Verdict.OK)
    assert case.ran == IN_ORDER[:-1]


def test_attempt_beside_the_one_that_counts_runs_from_its_first_stage_on_and_after_all_others(case: Case) -> None:
    entry = case.submitted()
    case.run(entry)
    begin_rejudging(case.store, [case.store.entry(entry.id)], "r1", Stage.EXAM)
    case.begin()
    later = case.submitted(team="blue")
    case.run(later)
    assert case.ran == [*IN_ORDER, *IN_ORDER], "the other entry first"
    while case.step():
        pass
    (beside,) = case.store.rejudging_attempts("r1")
    assert (beside.attempt, beside.state) == (2, State.DONE)
    assert case.ran[12:] == IN_ORDER[2:]
    assert json.loads(beside.plan)["stages"] == ["exam", "score"]


def test_team_with_everything_in_the_queue_does_not_wait_for_the_exams_of_others(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chain, "ATTEMPTS_OF_HOST", 2)
    many = [case.submitted(team="many", n=n) for n in range(4)]
    few = case.submitted(team="few", n=9)
    states = [case.store.entry(entry.id).state for entry in (*many, few)]
    assert states == [State.PREP, State.PREP, State.QUEUED, State.QUEUED, State.PREP]
