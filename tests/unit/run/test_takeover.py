"""What a host does at every heartbeat; as much of the engine as that needs stands in for DBOS."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from evaluate.config.types import Heartbeat
from evaluate.core.model import Stage
from evaluate.run.chain import admit
from evaluate.run.flow import FlowContext
from evaluate.run.takeover import Takeover
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import State, TaskRow
from evaluate.store.db.tables import HOSTS, TASKS
from evaluate.store.entries.rejudge_attempts import begin_rejudging
from evaluate.store.entries.store import Store
from evaluate.store.schedule import tasks
from evaluate.store.schedule.engine import VERSION, Flow
from evaluate.store.schedule.faults import Signals
from evaluate.store.schedule.hosts import Lease, Neighbours, executors
from tests.chaos.daemon import flow_context
from tests.support.queues import by_hand, queue, submitted

ME = "green:me"
HERE = "here:machine:1:boot"
SILENT = Heartbeat(seconds=3600, ttl_seconds=3600)


@dataclass
class ScriptedEngine:
    """Workflows that wait, or that an executor has claimed."""

    flows: dict[str, Flow] = field(default_factory=dict)
    cancelled: list[str] = field(default_factory=list)

    def place(self, _: Any, flow: str, priority: int, *, needs_gpu: bool = False, delay: float = 0.0) -> None:
        self.flows[flow] = Flow(id=flow, executor="", version=VERSION, delayed=delay > 0)

    def claim(self, flow: str, executor: str, version: str = VERSION) -> None:
        self.flows[flow] = Flow(id=flow, executor=executor, version=version, delayed=False)

    def unfinished(self) -> list[Flow]:
        return list(self.flows.values())

    def cancel(self, flows: Collection[str]) -> None:
        self.cancelled += flows
        for flow in flows:
            self.flows.pop(flow, None)

    def forget(self) -> int:
        return 0


@dataclass
class Case:
    """A host that is alive, and an entry whose prep waits."""

    store: Store
    own: FlowContext
    engine: ScriptedEngine
    neighbours: Neighbours
    takeover: Takeover

    def host(self, executor: str, place: str = "") -> None:
        Lease(self.store, executor, place or executor, SILENT, lambda _: None).take(1, VERSION)

    def is_gone(self, executor: str) -> None:
        by_hand(self.store, sa.delete(HOSTS).where(HOSTS.c.executor == executor))

    def entry(self) -> str:
        (identity,) = submitted(self.store, "red")
        admit(self.own, entries=True, rejudgings=True, hosts=1)
        return identity

    def row(self) -> TaskRow:
        (row,) = tasks.tasks(self.store)
        return row

    def begun(self, executor: str) -> str:
        """Let an executor run the task."""
        flow = self.row().flow
        self.engine.claim(flow, executor)
        tasks.begin(self.store, flow, executor)
        return flow

    def look(self, times: int = 1) -> None:
        for _ in range(times):
            self.takeover.look(self.own)


@pytest.fixture
def case(tmp_path: Path) -> Iterator[Case]:
    with queue(tmp_path) as store:
        engine, neighbours = ScriptedEngine(), Neighbours(store, ME, HERE)
        own = flow_context(store, tmp_path, ME, engine=engine, runner=lambda *_: pytest.fail("nothing runs"))
        found = Case(store=store, own=own, engine=engine, neighbours=neighbours, takeover=Takeover(neighbours))
        found.host(ME)
        yield found


@pytest.mark.parametrize("lease", ["evicted", "ran out"])
def test_task_of_a_dead_host_waits_again_at_once_and_that_of_a_living_one_does_not(case: Case, lease: str) -> None:
    case.entry()
    case.host("blue:1", place=HERE if lease == "ran out" else "")
    flow = case.begun("blue:1")
    if lease == "ran out":  # of an earlier process of this state directory
        case.neighbours.look()
        assert case.takeover.is_needed()
    else:
        case.look(3)
        assert (case.row().flow, case.row().executor) == (flow, "blue:1")
        case.is_gone("blue:1")
    case.look()
    assert (case.row().flow != flow, case.row().running, case.row().number) == (True, False, 0)
    assert case.engine.cancelled == [flow] and list(executors(case.store)) == [ME]
    assert not case.takeover.is_needed()
    assert tasks.begin(case.store, flow, "blue:1") is None, "what woke up has nothing to record"


@pytest.mark.parametrize("recorded", [True, False])
def test_task_that_a_host_claimed_before_it_died_is_given_again_by_one_of_those_that_look(
    case: Case, recorded: bool
) -> None:
    case.entry()
    if recorded:
        case.begun("grey:1")
    else:
        case.engine.claim(case.row().flow, "grey:1")
    flows = list(case.engine.flows.values())
    case.look()
    after = case.row().flow
    assert case.engine.flows[after].executor == ""
    case.engine.unfinished = lambda: flows  # type: ignore[method-assign]
    Takeover(case.neighbours).look(replace(case.own, executor="blue:1"))
    assert case.row().flow == after, "it read before, and acts after"


def test_host_that_comes_while_it_is_looked_keeps_its_work(case: Case) -> None:
    case.entry()
    flow = case.begun("blue:1")
    listed = case.engine.unfinished

    def comes() -> list[Flow]:
        if "blue:1" not in executors(case.store):
            case.host("blue:1")
        return listed()

    case.engine.unfinished = comes  # type: ignore[method-assign]
    case.look()
    assert case.row().flow == flow


@pytest.mark.parametrize("left", ["claimed here, in no slot", "ended by DBOS, or of a restored database"])
def test_task_without_a_live_workflow_waits_again_when_it_is_seen_twice(case: Case, left: str) -> None:
    """After a full disk DBOS could record neither that a workflow began, nor its outcome, nor its end."""
    case.entry()
    flow = case.begun(ME) if left == "claimed here, in no slot" else case.row().flow
    if left != "claimed here, in no slot":
        case.engine.flows.clear()
    case.look()
    assert case.row().flow == flow
    case.look()
    assert case.row().flow != flow and not case.row().running


def test_workflow_in_a_slot_here_keeps_its_task_even_if_the_attempt_is_cancelled(case: Case) -> None:
    identity = case.entry()
    flow = case.begun(ME)
    case.own.slots.offer(1)
    with case.own.slots.taken(flow):
        for act in (lambda: None, lambda: case.store.cancel(identity)):
            act()
            case.look(3)
            assert (case.row().flow, case.row().running) == (flow, True)


@pytest.mark.parametrize("executor", ["grey:1", ""])
def test_work_of_another_version_is_left_to_its_hosts_while_there_are_any(case: Case, executor: str) -> None:
    case.entry()
    flow = case.row().flow
    case.engine.claim(flow, executor, "chain0")
    Lease(case.store, "blue:1", "elsewhere", SILENT, lambda _: None).take(1, "chain0")
    case.look(3)
    assert case.row().flow == flow and case.engine.cancelled == []
    case.is_gone("blue:1")
    case.look()
    assert case.engine.flows[case.row().flow].version == VERSION


def test_task_that_waits_longer_than_it_was_to_runs_though_a_clock_was_set_back(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    case.entry()
    with case.store.change() as connection:
        tasks.again(connection, case.own.engine, case.row().flow, delay=60.0)
    flow = case.row().flow
    now = [1000.0]
    monkeypatch.setattr("evaluate.run.takeover.time.monotonic", lambda: now[0])
    for now[0] in (1000.0, 1061.0):
        case.look()
        assert case.row().flow == flow
    now[0] = 1070.0
    case.look()
    assert case.row().flow != flow and not case.engine.flows[case.row().flow].delayed


def test_workflow_whose_attempt_was_cancelled_is_cancelled_with_its_task(case: Case) -> None:
    identity = case.entry()
    flow = case.row().flow
    case.store.cancel(identity)
    case.look(3)
    assert tasks.tasks(case.store) == [] and case.engine.cancelled == [flow]


def test_attempts_without_a_task_go_on(case: Case) -> None:
    (identity,) = submitted(case.store, "red")
    case.store.next_entries(1)
    case.look()
    assert case.row().task == "prep"
    case.store.move(identity, State.DONE, ended_with("OK"), charged=True)
    case.look()
    assert tasks.tasks(case.store) == []
    begin_rejudging(case.store, [case.store.entry(identity)], "r1", Stage.SCORE)
    admit(case.own, entries=False, rejudgings=True, hosts=1)
    with case.store.change() as connection:
        tasks.end_all(connection, identity, 2)
    case.look()
    assert (case.row().task, case.row().attempt) == ("score", 2)


def test_task_that_needs_gpus_runs_anywhere_when_no_host_has_had_any_for_a_while(case: Case) -> None:
    case.entry()
    by_hand(case.store, sa.update(TASKS).values(needs_gpu=True))
    case.own = replace(case.own, signals=lambda: Signals(gpus=4))
    case.look()
    assert case.row().needs_gpu
    assert tasks.longest(case.store, gpus=True) > tasks.longest(case.store, gpus=False) == 0
    case.own = replace(case.own, signals=Signals)
    case.look()
    assert not case.row().needs_gpu and tasks.longest(case.store, gpus=False) > 0


def test_folders_of_hosts_that_are_gone_are_swept_and_those_of_the_living_are_not(case: Case) -> None:
    case.host("blue:boot2")
    folder = case.own.shared / "work" / "e1" / "1"
    for name in ("prep.me.ab.part", "exam-0.boot2.cd.part", "exam-1.grey.ef.part", "exam"):
        (folder / name).mkdir(parents=True)
    case.look()
    assert sorted(path.name for path in folder.iterdir()) == ["exam", "exam-0.boot2.cd.part", "prep.me.ab.part"]
