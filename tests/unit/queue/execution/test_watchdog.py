from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from evaluate.queue.execution.progress import AttemptPlan, is_of_later_release
from evaluate.queue.execution.watchdog import Watchdog

from evaluate.config.types import Heartbeat
from evaluate.core.model import Stage
from evaluate.queue.db.reasons import ended_with
from evaluate.queue.db.rows import QueuedEntry, State
from evaluate.queue.db.tables import HOSTS, TASKS
from evaluate.queue.entries.shadows import begin_shadows, shadows_of, take_shadows
from evaluate.queue.entries.store import Store
from evaluate.queue.schedule import tasks
from evaluate.queue.schedule.engine import VERSION, Flow
from evaluate.queue.schedule.hosts import Lease, Neighbours, StatePlace, executors
from evaluate.queue.storage.depot import SharedFolder
from tests.support.queues import at_fault, enqueue, queue, submitted

ME = "green:me"
HERE = StatePlace(directory="here", instance="machine:1:boot")
SILENT = Heartbeat(seconds=3600, ttl_seconds=3600)


class ScriptedEngine:
    """As much of `evaluate.queue.execution.engine.Engine` as the watchdog uses; keeps what is asked."""

    def __init__(self) -> None:
        self.known: dict[str, Flow] = {}
        self.here: set[str] = set()
        self.cancelled: list[str] = []

    def add(self, identity: str, status: str, executor: str = ME, version: str = VERSION, name: str = "stage") -> None:
        found = Flow(id=identity, name=name, status=status, executor=executor, version=version)
        self.known[identity] = found

    def unfinished(self) -> list[Flow]:
        return [flow for flow in self.known.values() if not flow.over]

    def over(self) -> list[Flow]:
        return [flow for flow in self.known.values() if flow.over]

    def ended(self, ids: Iterable[str]) -> set[str]:
        return {name for name in ids if name in self.known and self.known[name].over}

    def running_here(self) -> set[str]:
        return self.here

    def cancel(self, flows: Iterable[Flow]) -> int:
        gone = [flow.id for flow in flows]
        self.cancelled += gone
        for name in gone:
            if name in self.known:
                self.known[name] = replace(self.known[name], status="CANCELLED")
        return len(gone)

    def forget(self, flows: Iterable[Flow]) -> int:
        gone = [flow.id for flow in flows]
        for name in gone:
            del self.known[name]
        return len(gone)


class Case:
    """A watchdog of a host that is alive."""

    def __init__(self, store: Store, shared: Path) -> None:
        self.store, self.engine, self.shared = store, ScriptedEngine(), shared
        self.host(ME)
        self.neighbours = Neighbours(store, ME, HERE, SILENT)
        self.watchdog = Watchdog(store, self.engine, ME, self.neighbours, SharedFolder(shared), shared)  # type: ignore[arg-type]

    def host(self, executor: str, flow: str = VERSION, place: str = "") -> None:
        lease = Lease(self.store, executor, place or executor, SILENT, lambda _: None)
        lease.take(1, flow)

    def entry(self, owner: str = ME, plan: str = "{}") -> QueuedEntry:
        submitted(self.store, "red")
        (entry,) = self.store.next_entries(1, owner)
        self.store.keep_plan(entry, plan)
        return self.store.entry(entry.id)

    def is_gone(self, executor: str) -> None:
        with self.store.change() as connection:
            connection.execute(sa.delete(HOSTS).where(HOSTS.c.executor == executor))


@pytest.fixture
def case(tmp_path: Path) -> Iterator[Case]:
    with queue(tmp_path) as store:
        yield Case(store, tmp_path)


def test_attempt_of_a_dead_host_is_taken_over_and_that_of_a_living_one_is_not(case: Case) -> None:
    case.host("blue:1")
    entry = case.entry("blue:1")
    case.watchdog.look()
    assert (case.store.entry(entry.id).owner, case.store.entry(entry.id).flow) == ("blue:1", 0)
    case.is_gone("blue:1")
    case.watchdog.look()
    assert (case.store.entry(entry.id).owner, case.store.entry(entry.id).flow) == (ME, 1)


def test_attempt_is_taken_over_however_often_hosts_died(case: Case) -> None:
    entry = case.entry("grey:1")
    case.store.adopt(entry, "grey:2", 500)
    case.watchdog.look()
    found = case.store.entry(entry.id)
    assert (found.owner, found.state) == (ME, State.PREP)


@pytest.mark.parametrize("more", [{"stages": ["prep", "polish", "quiz"]}, {"stages": ["prep"], "polish": 2}])
def test_attempt_with_a_plan_of_a_later_release_is_left_to_hosts_of_it(
    case: Case, more: dict[str, object], log: list[logging.LogRecord]
) -> None:
    entry = case.entry("grey:1", plan=json.dumps(more))
    case.watchdog.look()
    case.watchdog.look()
    assert case.store.entry(entry.id).owner == "grey:1"
    said = [record.getMessage() for record in log if "a later release began it" in record.getMessage()]
    assert len(said) == 1, "it is said once"


def test_plan_of_this_release_is_no_later_one() -> None:
    own = AttemptPlan(
        stages=tuple(Stage), shards=1, tries=3, delay=1.0, one_in_exam=False, charge_all=False, shadow=False
    )
    assert not is_of_later_release(own.as_text()) and not is_of_later_release("")


def test_of_two_hosts_that_look_at_once_one_takes_an_attempt_over(case: Case) -> None:
    entry = case.entry("grey:1")
    case.host("blue:1")
    neighbours = Neighbours(case.store, "blue:1", HERE, SILENT)
    other = Watchdog(case.store, case.engine, "blue:1", neighbours, SharedFolder(case.shared), case.shared)  # type: ignore[arg-type]
    case.watchdog.look()
    assert not case.store.adopt(entry, "blue:1", 1), "it read before, and acts after"
    other.look()
    assert case.store.entry(entry.id).owner == ME


@pytest.mark.parametrize("status", ["ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED", "SUCCESS"])
def test_what_ended_in_whatever_way_is_forgotten_when_its_attempt_has_ended(case: Case, status: str) -> None:
    entry = case.entry()
    case.engine.add(f"{entry.id}:1:prep:0", status)
    case.engine.add(f"{entry.id}:1:quiz:0", "PENDING")
    case.engine.here = {f"{entry.id}:1:quiz:0"}
    case.watchdog.look()
    assert len(case.engine.known) == 2
    case.store.move(entry.id, State.PARKED, at_fault("the disk is gone"))
    case.watchdog.look()
    assert list(case.engine.known) == [f"{entry.id}:1:quiz:0"], "a thread still runs it"


def test_what_earlier_releases_left_in_error_is_forgotten(case: Case) -> None:
    case.engine.add("e1:1:0", "ERROR", "grey:1", "flow2", "entry")
    case.engine.add("e1:1:prep:0", "SUCCESS", "grey:1", "flow2")
    case.watchdog.look()
    assert case.engine.known == {}


def test_work_of_a_host_that_is_gone_is_given_back(case: Case) -> None:
    case.host("blue:1")
    case.engine.add("s0", "PENDING", "grey:1")
    case.engine.add("s1", "PENDING", "blue:1")
    case.watchdog.look()
    assert case.engine.cancelled == ["s0"]


def test_host_whose_lease_ran_out_is_gone(case: Case, log: list[logging.LogRecord]) -> None:
    case.host("blue:1", place=str(HERE))  # an earlier process of this state directory
    case.engine.add("s0", "PENDING", "blue:1")
    case.neighbours.look()
    assert case.watchdog.is_needed()
    case.watchdog.look()
    assert case.engine.cancelled == ["s0"]
    assert list(executors(case.store)) == [ME]
    assert any("a host is dead" in record.getMessage() for record in log)
    assert not case.watchdog.is_needed()


def test_host_that_comes_while_it_is_looked_keeps_its_work(case: Case) -> None:
    def comes() -> list[Flow]:
        if "blue:1" not in executors(case.store):
            case.host("blue:1")
        return [Flow(id="s0", name="stage", status="PENDING", executor="blue:1", version=VERSION)]

    case.engine.unfinished = comes  # type: ignore[method-assign]
    case.watchdog.look()
    assert case.engine.cancelled == []


def test_workflow_without_a_thread_is_given_back_only_when_it_is_seen_twice(case: Case) -> None:
    case.engine.add("s0", "PENDING")
    case.watchdog.look()
    assert case.engine.cancelled == []
    case.watchdog.look()
    assert case.engine.cancelled == ["s0"]


def test_workflow_that_got_its_thread_in_between_is_not_given_back(case: Case) -> None:
    case.engine.add("s0", "PENDING")
    case.watchdog.look()
    case.engine.here = {"s0"}
    case.watchdog.look()
    case.engine.here = set()
    case.watchdog.look()
    assert case.engine.cancelled == []


def test_shadows_are_taken_over_as_entries_are(case: Case) -> None:
    entry = case.entry()
    case.store.move(entry.id, State.DONE, ended_with("OK"), charged=True)
    begin_shadows(case.store, [case.store.entry(entry.id)], "r1", Stage.SCORE)
    take_shadows(case.store, 1, "grey:1")
    case.watchdog.look()
    (found,) = shadows_of(case.store)
    assert (found.owner, found.state.value) == (ME, "score")


def test_tasks_of_a_host_that_is_gone_wait_again(case: Case) -> None:
    entry = case.entry()
    case.engine.add(f"{entry.id}:1:prep:0", "PENDING", "grey:1")
    enqueue(case.store, entry.id, 1, "prep", Stage.PREP, 0, 1.0, shadow=False)
    tasks.begin(case.store, entry.id, 1, "prep", "grey:1", 60)
    case.watchdog.look()
    assert [(row.running, row.turn) for row in tasks.tasks(case.store)] == [(False, 1)]
    assert case.engine.cancelled == [f"{entry.id}:1:prep:0"]


@pytest.mark.parametrize("began", [True, False])
def test_claimed_task_without_a_thread_waits_again_when_it_is_seen_twice(case: Case, began: bool) -> None:
    entry = case.entry()
    enqueue(case.store, entry.id, 1, "prep", Stage.PREP, 0, 1.0, shadow=False)
    (claimed,) = tasks.claim(case.store, ME, 1)
    if began:
        case.engine.add(f"{entry.id}:1:prep:0", "PENDING")
    case.watchdog.look()
    assert [row.running for row in tasks.tasks(case.store)] == [True]
    case.watchdog.look()
    assert [(row.running, row.turn) for row in tasks.tasks(case.store)] == [(False, claimed.turn + 1)]
    assert case.engine.cancelled == [f"{entry.id}:1:prep:0"] * began


def test_claimed_task_that_has_ended_is_left_to_its_owner_unless_nobody_waits_for_it(case: Case) -> None:
    entry = case.entry()
    enqueue(case.store, entry.id, 1, "prep", Stage.PREP, 0, 1.0, shadow=False)
    tasks.claim(case.store, ME, 1)
    case.engine.add(f"{entry.id}:1:prep:0", "SUCCESS")
    for _ in range(3):
        case.watchdog.look()
    assert [row.running for row in tasks.tasks(case.store)] == [True]
    case.store.cancel(entry.id)
    case.engine.add(f"{entry.id}:1:prep:0", "SUCCESS")
    case.watchdog.look()
    assert tasks.tasks(case.store) == []


def test_stage_that_runs_longer_than_its_limits_is_reported_once(case: Case, log: list[logging.LogRecord]) -> None:
    entry = case.entry()
    case.engine.add(f"{entry.id}:1:prep:0", "PENDING")
    case.engine.here = {f"{entry.id}:1:prep:0"}
    enqueue(case.store, entry.id, 1, "prep", Stage.PREP, 0, 1.0, shadow=False)
    tasks.begin(case.store, entry.id, 1, "prep", ME, 60)
    assert tasks.overdue(case.store) == 0
    case.watchdog.look()
    assert not any("longer than all its limits" in record.getMessage() for record in log)
    with case.store.change() as connection:
        connection.execute(sa.update(TASKS).values(deadline=1.0))
    for _ in range(3):
        case.watchdog.look()
    late = [record for record in log if "longer than all its limits" in record.getMessage()]
    assert len({id(record) for record in late}) == 1
    assert late[0].about["entry"] == entry.id  # type: ignore[attr-defined]
    assert tasks.overdue(case.store) == 1


def test_folders_of_hosts_that_are_gone_are_swept_and_those_of_the_living_are_not(case: Case) -> None:
    case.host("blue:boot2")
    folder = case.shared / "work" / "e1" / "1"
    for name in ("prep.me.ab.part", "exam-0.boot2.cd.part", "exam-1.grey.ef.part", "exam"):
        (folder / name).mkdir(parents=True)
    case.watchdog.look()
    assert sorted(path.name for path in folder.iterdir()) == ["exam", "exam-0.boot2.cd.part", "prep.me.ab.part"]
