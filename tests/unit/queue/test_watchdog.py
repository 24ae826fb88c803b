from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from evaluate.core.model import Stage
from evaluate.host.config import Heartbeat
from evaluate.queue.engine import VERSION, Flow
from evaluate.queue.flow import flow_id
from evaluate.queue.store import tasks
from evaluate.queue.store.entries import Store
from evaluate.queue.store.hosts import Lease, executors
from evaluate.queue.store.reasons import ended_with
from evaluate.queue.store.rows import QueuedEntry, State
from evaluate.queue.store.shadows import begin_shadows, shadows_of, take_shadows
from evaluate.queue.store.tables import HOSTS, TASKS
from evaluate.queue.watchdog import Watchdog, overdue
from tests.support.queues import at_fault, queue, submitted

ME = "green:me"


class ScriptedEngine:
    """As much of `evaluate.queue.engine.Engine` as the watchdog uses; says what it is told and keeps what is asked."""

    def __init__(self) -> None:
        self.known: dict[str, Flow] = {}
        self.here: set[str] = set()
        self.given_back: list[str] = []
        self.adopted: list[str] = []
        self.cancelled: list[str] = []
        self.ended = 0

    def add(self, identity: str, status: str, executor: str = ME, version: str = VERSION, name: str = "entry") -> None:
        found = Flow(id=identity, name=name, status=status, executor=executor, version=version)
        self.known[identity] = found

    def pending(self) -> list[Flow]:
        return [flow for flow in self.known.values() if flow.status == "PENDING"]

    def waiting(self) -> list[Flow]:
        return [flow for flow in self.known.values() if flow.status == "ENQUEUED"]

    def flows(self, ids: list[str]) -> dict[str, Flow]:
        return {one: self.known[one] for one in ids if one in self.known}

    def running_here(self) -> set[str]:
        return self.here

    def give_back(self, flows: Iterable[Flow]) -> int:
        self.given_back += [flow.id for flow in flows]
        return len(self.given_back)

    def adopt(self, flows: Iterable[Flow]) -> int:
        self.adopted += [flow.id for flow in flows]
        return len(self.adopted)

    def cancel(self, flow: Flow) -> None:
        self.cancelled.append(flow.id)

    def forget_ended(self, most: int) -> int:
        done = min(most, self.ended)
        self.ended -= done
        return done


class Case:
    """A watchdog of a host that is alive."""

    def __init__(self, store: Store, shared: Path) -> None:
        self.store, self.engine, self.begun = store, ScriptedEngine(), list[str]()
        self.host(ME)
        self.shared = shared
        self.watchdog = Watchdog(store, self.engine, ME, "here", shared, self._begin)  # type: ignore[arg-type]

    def host(self, executor: str, flow: str = VERSION) -> None:
        lease = Lease(self.store, executor, executor, Heartbeat(seconds=3600, ttl_seconds=3600), lambda _: None)
        lease.take(1, flow)

    def entry(self, owner: str = ME) -> QueuedEntry:
        submitted(self.store, "red")
        (entry,) = self.store.next_entries(1, owner)
        return entry

    def _begin(self, entry: QueuedEntry) -> None:
        self.begun.append(flow_id(entry))


@pytest.fixture
def case(tmp_path: Path) -> Iterator[Case]:
    with queue(tmp_path) as store:
        yield Case(store, tmp_path)


def test_flow_that_was_never_begun_is_begun_by_its_owner(case: Case) -> None:
    entry = case.entry()
    case.watchdog.look()
    assert case.begun == [f"{entry.id}:1:0"]


def test_flow_that_another_living_host_is_about_to_begin_is_left_to_it(case: Case) -> None:
    case.host("blue:1")
    case.entry("blue:1")
    case.watchdog.look()
    assert case.begun == []


def test_flow_that_a_dead_host_did_not_begin_is_begun_here(case: Case) -> None:
    entry = case.entry("grey:1")
    case.watchdog.look()
    assert case.begun == [f"{entry.id}:1:0"]
    assert case.store.entry(entry.id).owner == ME


@pytest.mark.parametrize("status", ["ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED", "SUCCESS"])
def test_flow_that_ended_before_its_entry_is_started_again(case: Case, status: str) -> None:
    entry = case.entry()
    case.store.move(entry.id, State.EXAM)
    case.engine.add(flow_id(entry), status)
    case.watchdog.look()
    assert case.begun == [f"{entry.id}:1:1"]
    assert (case.store.entry(entry.id).flow, case.store.entry(entry.id).state) == (1, State.EXAM)
    case.engine.add(f"{entry.id}:1:1", "PENDING")
    case.engine.here = {f"{entry.id}:1:1"}
    case.watchdog.look()
    assert len(case.begun) == 1


def test_entry_that_ended_meanwhile_is_not_started_again(case: Case) -> None:
    entry = case.entry()
    case.engine.add(flow_id(entry), "SUCCESS")
    flows = case.engine.flows

    def ends_meanwhile(ids: list[str]) -> dict[str, Flow]:
        case.store.move(entry.id, State.DONE, ended_with("OK"))
        return flows(ids)

    case.engine.flows = ends_meanwhile  # type: ignore[method-assign]
    case.watchdog.look()
    assert case.begun == []


def test_flow_that_runs_is_left_alone(case: Case) -> None:
    entry = case.entry()
    case.engine.add(flow_id(entry), "PENDING")
    case.engine.here = {flow_id(entry)}
    for _ in range(3):
        case.watchdog.look()
    assert (case.begun, case.engine.given_back, case.engine.cancelled) == ([], [], [])


def test_flow_of_a_version_that_no_live_host_supports_is_cancelled_and_restarted(case: Case) -> None:
    entry = case.entry()
    case.engine.add(flow_id(entry), "ENQUEUED", "", "flow0")
    case.host("blue:1", "flow0")
    case.watchdog.look()
    assert (case.engine.cancelled, case.begun) == ([], [])
    with case.store.change() as connection:
        connection.execute(sa.delete(HOSTS).where(HOSTS.c.executor == "blue:1"))
    case.watchdog.look()
    assert (case.engine.cancelled, case.begun) == ([flow_id(entry)], [f"{entry.id}:1:1"])


def test_flow_that_its_entry_has_outlived_and_nobody_speaks_is_cancelled(case: Case) -> None:
    entry = case.entry()
    case.engine.add(flow_id(entry), "ENQUEUED", "", "flow0")
    case.store.move(entry.id, State.DONE, ended_with("OK"))
    case.host("blue:1", "flow0")
    case.watchdog.look()
    assert case.engine.cancelled == [], "blue will end it"
    with case.store.change() as connection:
        connection.execute(sa.delete(HOSTS).where(HOSTS.c.executor == "blue:1"))
    case.watchdog.look()
    assert (case.engine.cancelled, case.begun) == ([flow_id(entry)], [])


def test_only_stages_of_an_unspoken_version_are_taken_as_they_are(case: Case) -> None:
    case.engine.add("s0", "ENQUEUED", "", "flow0", "stage")
    case.engine.add("s1", "ENQUEUED", "", VERSION, "stage")
    case.engine.add("e0", "ENQUEUED", "", "flow0", "entry")
    case.engine.add("s2", "PENDING", ME, "flow0", "stage")
    case.watchdog.look()
    assert case.engine.adopted == ["s0"]
    case.host("blue:1", "flow0")
    case.watchdog.look()
    assert case.engine.adopted == ["s0"]


def test_owner_of_a_flow_that_was_taken_over_is_updated_and_the_flow_is_not_begun_again(case: Case) -> None:
    entry = case.entry("grey:1")
    case.host("blue:1")
    case.engine.add(flow_id(entry), "PENDING", "blue:1")
    case.watchdog.look()
    assert case.store.entry(entry.id).owner == "blue:1"
    assert (case.begun, case.engine.given_back) == ([], [])


def test_work_of_a_host_that_is_gone_is_given_back(case: Case) -> None:
    case.host("blue:1")
    case.engine.add("s0", "PENDING", "grey:1", name="stage")
    case.engine.add("s1", "PENDING", "blue:1", name="stage")
    case.watchdog.look()
    assert case.engine.given_back == ["s0"]


def test_host_whose_lease_ran_out_is_gone(case: Case, caplog: pytest.LogCaptureFixture) -> None:
    case.host("blue:1")
    with case.store.change() as connection:
        connection.execute(sa.update(HOSTS).where(HOSTS.c.executor == "blue:1").values(expires=1.0))
    case.engine.add("s0", "PENDING", "blue:1", name="stage")
    with caplog.at_level(logging.WARNING, "evaluate"):
        logging.getLogger("evaluate").addHandler(caplog.handler)
        case.watchdog.look()
        logging.getLogger("evaluate").removeHandler(caplog.handler)
    assert case.engine.given_back == ["s0"]
    assert list(executors(case.store)) == [ME]
    assert "a host is dead" in caplog.text


def test_host_that_comes_while_it_is_looked_keeps_its_work(case: Case) -> None:
    def comes() -> list[Flow]:
        if "blue:1" not in executors(case.store):
            case.host("blue:1")
        return [Flow(id="s0", name="stage", status="PENDING", executor="blue:1", version=VERSION)]

    case.engine.pending = comes  # type: ignore[method-assign]
    case.watchdog.look()
    assert case.engine.given_back == []


def test_workflow_without_a_thread_is_given_back_only_when_it_is_seen_twice(case: Case) -> None:
    case.engine.add("s0", "PENDING", name="stage")
    case.watchdog.look()
    assert case.engine.given_back == []
    case.watchdog.look()
    assert case.engine.given_back == ["s0"]


def test_workflow_that_got_its_thread_in_between_is_not_given_back(case: Case) -> None:
    case.engine.add("s0", "PENDING", name="stage")
    case.watchdog.look()
    case.engine.here = {"s0"}
    case.watchdog.look()
    case.engine.here = set()
    case.watchdog.look()
    assert case.engine.given_back == []


def test_attempt_that_gets_nowhere_is_parked_at_no_cost(case: Case) -> None:
    entry = case.entry()
    case.store.charge(entry.id, 1)
    case.store.adopt(entry, ME, 20)
    case.engine.add(f"{entry.id}:1:20", "ERROR")
    case.watchdog.look()
    found = case.store.entry(entry.id)
    assert (found.state, found.charged, case.begun) == (State.PARKED, False, [])
    assert found.reason == at_fault("its workflow was started 21 times", "prep")


def test_shadows_are_carried_on_as_entries_are(case: Case) -> None:
    entry = case.entry()
    case.store.move(entry.id, State.DONE, ended_with("OK"), charged=True)
    begin_shadows(case.store, [case.store.entry(entry.id)], "r1", Stage.SCORE)
    take_shadows(case.store, 1, "grey:1")
    case.watchdog.look()
    assert case.begun == [f"{entry.id}:2:0"]
    assert shadows_of(case.store)[0].owner == ME
    case.engine.add(f"{entry.id}:2:0", "ERROR")
    case.watchdog.look()
    assert case.begun[1:] == [f"{entry.id}:2:1"]
    with case.store.change() as connection:
        connection.exec_driver_sql("update shadows set flow = 20")
    case.engine.add(f"{entry.id}:2:20", "ERROR")
    case.watchdog.look()
    assert shadows_of(case.store)[0].state is State.PARKED
    assert case.store.entry(entry.id).state is State.DONE


def test_tasks_of_a_host_that_is_gone_wait_again(case: Case) -> None:
    entry = case.entry()
    case.engine.add(flow_id(entry), "PENDING")
    case.engine.here = {flow_id(entry)}
    tasks.enqueue(case.store, entry.id, 1, "prep", Stage.PREP, 0, 1.0, shadow=False)
    tasks.begin(case.store, entry.id, 1, "prep", "grey:1", 60)
    case.watchdog.look()
    assert [row.running for row in tasks.tasks(case.store)] == [False]


def test_stage_that_runs_longer_than_its_limits_is_reported_once(case: Case, caplog: pytest.LogCaptureFixture) -> None:
    entry = case.entry()
    case.engine.add(flow_id(entry), "PENDING")
    case.engine.here = {flow_id(entry)}
    tasks.enqueue(case.store, entry.id, 1, "prep", Stage.PREP, 0, 1.0, shadow=False)
    tasks.begin(case.store, entry.id, 1, "prep", ME, 60)
    assert overdue(case.store) == 0
    logger = logging.getLogger("evaluate")
    logger.addHandler(caplog.handler)
    try:
        case.watchdog.look()
        assert "longer than all its limits" not in caplog.text
        with case.store.change() as connection:
            connection.execute(sa.update(TASKS).values(deadline=1.0))
        for _ in range(3):
            case.watchdog.look()
    finally:
        logger.removeHandler(caplog.handler)
    late = [record for record in caplog.records if "longer than all its limits" in record.getMessage()]
    assert len({id(record) for record in late}) == 1
    assert late[0].about["entry"] == entry.id  # type: ignore[attr-defined]
    assert overdue(case.store) == 1


def test_folders_of_hosts_that_are_gone_are_swept_and_those_of_the_living_are_not(case: Case) -> None:
    case.host("blue:boot2")
    folder = case.shared / "work" / "e1" / "1"
    for name in ("prep.me.ab.part", "exam-0.boot2.cd.part", "exam-1.grey.ef.part", "exam"):
        (folder / name).mkdir(parents=True)
    case.watchdog.look()
    assert sorted(path.name for path in folder.iterdir()) == ["exam", "exam-0.boot2.cd.part", "prep.me.ab.part"]


def test_what_ended_well_is_forgotten_however_much_it_is(case: Case) -> None:
    case.engine.ended = 450
    case.watchdog.look()
    assert case.engine.ended == 0


def test_two_hosts_that_look_at_once_begin_a_lost_flow_once(case: Case) -> None:
    entry = case.entry("grey:1")
    case.host("blue:1")
    case.engine.add(flow_id(entry), "ERROR")
    other = Watchdog(case.store, case.engine, "blue:1", "there", case.shared, case._begin)  # type: ignore[arg-type]
    case.watchdog.look()
    other._carry(entry, case.engine.known[flow_id(entry)], executors(case.store))  # it read before, and acts after
    assert case.begun == [f"{entry.id}:1:1"]
    assert case.store.entry(entry.id).owner == ME
