"""What DBOS does not document and the engine rests on; to be run on every upgrade of DBOS.

A process has one DBOS, so every host is a process (`tests.support.engine_host`).
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from evaluate.queue.engine import VERSION, Engine, Flow
from evaluate.queue.store.database import DAEMON_CONNECTIONS, Database
from tests.support.queues import queue

pytestmark = pytest.mark.slow

LIMIT = 15.0


class Host:
    """A process with an engine."""

    def __init__(self, state: Path, url: str, executor: str, version: str = VERSION) -> None:
        argv = [sys.executable, "-W", "ignore", "-m", "tests.support.engine_host", str(state), url, executor, version]
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._answer() == "begun"

    def ask(self, *words: Any) -> Any:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        return self._answer()

    def flows(self, *words: Any) -> dict[str, Flow]:
        return {one["id"]: Flow(**one) for one in self.ask(*words)}

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()

    def _answer(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"the host ended with {self.process.wait()}"
        return json.loads(line)


Start = Callable[..., Host]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def alone(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Host, Path, str]]:
    """A host on a database of its own for tests that do not kill it, its state directory, and the database."""
    server = request.getfixturevalue("postgres") if request.param == "postgresql" else None
    state = tmp_path_factory.mktemp("engine")
    url = server.database(f"engine_{time.monotonic_ns()}") if server else ""
    host = Host(state, url, "green:1")
    yield host, state, url
    host.kill()


@pytest.fixture
def start(tmp_path: Path, database_url: str) -> Iterator[Start]:
    """Begins a host on one database."""
    begun: list[Host] = []

    def one(executor: str, version: str = VERSION) -> Host:
        begun.append(Host(tmp_path, database_url, executor, version))
        return begun[-1]

    yield one
    for host in begun:
        if host.process.returncode is None:
            host.kill()


def asked(flows: dict[str, Flow]) -> list[dict[str, str]]:
    return [{name: getattr(flow, name) for name in Flow.__dataclass_fields__} for flow in flows.values()]


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, "what was waited for did not come"
        time.sleep(0.02)


def ran(state: Path) -> list[str]:
    return (state / "ran").read_text().splitlines() if (state / "ran").exists() else []


def test_host_runs_as_many_as_it_has_slots_now_in_their_order(alone: tuple[Host, Path, str]) -> None:
    green, state, _ = alone
    for number in range(5):
        green.ask("enqueue", f"s{number}", 10 - number)
    assert green.ask("flows") == 0
    green.ask("slots", 2)
    wait_for(lambda: green.ask("held") == 2)
    assert green.ask("running") == ["s3", "s4"]
    assert sorted(green.flows("waiting")) == ["s0", "s1", "s2"]
    (state / "s4").touch()
    wait_for(lambda: green.ask("running") == ["s2", "s3"])
    found = green.flows("flow", "s4")["s4"]
    assert (found.name, found.status, found.version, found.over) == ("stage", "SUCCESS", VERSION, True)
    green.ask("slots", 0)
    before = green.ask("asked")
    wait_for(lambda: green.ask("asked") > before + 1)  # a look at the queue that knows two slots has ended
    for name in ("s2", "s3"):
        (state / name).touch()
    wait_for(lambda: green.ask("held") == 0)
    names = [line.split()[0] for line in ran(state)]
    assert (set(names[:2]), names[2:]) == ({"s3", "s4"}, ["s2"])
    assert sorted(green.flows("waiting")) == ["s0", "s1"]
    for name in ("s0", "s1"):  # for the next test
        (state / name).touch()


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_hosts_of_different_slots_run_their_own_number_each(start: Start) -> None:
    green, blue = start("green:1"), start("blue:1")
    for number in range(6):
        green.ask("enqueue", f"s{number}", 1)
    green.ask("slots", 1)
    blue.ask("slots", 3)
    wait_for(lambda: (green.ask("held"), blue.ask("held")) == (1, 3))
    assert len(green.flows("waiting")) == 2
    assert not set(green.ask("running")) & set(blue.ask("running"))
    owners = {flow.executor for flow in green.flows("pending").values()}
    assert owners == {"green:1", "blue:1"}


def test_work_of_a_killed_host_is_given_back_once_and_run_by_another(start: Start, tmp_path: Path) -> None:
    green = start("green:1")
    for name in ("s0", "s1"):
        green.ask("enqueue", name, 1)
    green.ask("slots", 2)
    wait_for(lambda: len(ran(tmp_path)) == 2)
    green.kill()
    blue = start("blue:1")
    blue.ask("slots", 2)
    pending = blue.flows("pending")
    assert {flow.executor for flow in pending.values()} == {"green:1"}
    assert blue.ask("running") == []
    others = {name: replace(flow, executor="grey:1") for name, flow in pending.items()}
    assert blue.ask("give back", asked(others)) == 0
    assert blue.ask("give back", asked(pending)) == 2
    assert blue.ask("give back", asked(pending)) == 0
    wait_for(lambda: blue.ask("held") == 2)
    assert blue.ask("give back", asked(pending)) == 0  # it runs here now, whoever still thinks it is the dead one's
    (tmp_path / "all").touch()
    wait_for(lambda: all(blue.flows("flow", name)[name].status == "SUCCESS" for name in ("s0", "s1")))
    assert sorted(ran(tmp_path)) == sorted(f"{name} {host}" for name in ("s0", "s1") for host in ("blue:1", "green:1"))


def test_waiting_work_of_another_version_is_left_alone_until_it_is_adopted(start: Start, tmp_path: Path) -> None:
    (tmp_path / "all").touch()
    old = start("green:1", "flow0")
    old.ask("enqueue", "old", 1)
    old.kill()
    blue = start("blue:1")
    assert blue.ask("unfinished") is True
    blue.ask("enqueue", "new", 2)
    blue.ask("slots", 1)
    wait_for(lambda: blue.flows("flow", "new")["new"].over)
    waiting = blue.flows("waiting")
    assert [(flow.id, flow.version) for flow in waiting.values()] == [("old", "flow0")]
    assert blue.ask("adopt", []) == 0
    assert blue.ask("adopt", asked(waiting)) == 1
    wait_for(lambda: blue.flows("flow", "old")["old"].over)
    assert blue.flows("flow", "old")["old"].version == VERSION
    assert blue.ask("adopt", asked(waiting)) == 0
    assert ran(tmp_path) == ["new blue:1", "old blue:1"]
    assert blue.ask("unfinished") is False


def test_flow_begun_twice_is_one(alone: tuple[Host, Path, str]) -> None:
    green, state, _ = alone
    green.ask("slots", 1)
    (state / "twice:1:x").touch()
    for _ in range(2):
        green.ask("enqueue", "twice:1:x", 1)
    wait_for(lambda: green.flows("flow", "twice:1:x")["twice:1:x"].over)
    green.ask("enqueue", "twice:1:x", 1)
    assert [line for line in ran(state) if line.startswith("twice")] == ["twice:1:x green:1"]
    assert green.ask("ended", ["twice:1:x", "none"]) == ["twice:1:x"]


def test_outcomes_of_an_attempt_are_its_own_and_say_what_dbos_could_not_complete(
    alone: tuple[Host, Path, str],
) -> None:
    green, state, _ = alone
    names = ("e1:1:a", "e1:1:b", "e1:11:a", "e11:1:a")
    for name in (*names, "bad:1:a"):
        (state / name).touch()
        green.ask("enqueue", name, 1)
    green.ask("slots", 2)
    wait_for(lambda: green.ask("ended", [*names, "bad:1:a"]) == sorted([*names, "bad:1:a"]))
    found = green.flows("children", "e1", 1)
    assert {name: flow.output for name, flow in found.items()} == {name: {"kind": name} for name in names[:2]}
    assert {flow.attempt for flow in found.values()} == {("e1", 1)}
    (bad,) = green.flows("children", "bad", 1).values()
    assert (bad.status, bad.error, bad.over) == ("ERROR", "OperationalError", True)


def test_what_has_ended_is_forgotten_with_all_its_rows_however_it_ended(alone: tuple[Host, Path, str]) -> None:
    green, state, url = alone
    for name in ("f1:1:a", "bad:2:a"):
        (state / name).touch()
        green.ask("enqueue", name, 1)
    green.ask("slots", 2)
    wait_for(lambda: green.ask("ended", ["f1:1:a", "bad:2:a"]) == ["bad:2:a", "f1:1:a"])
    over = green.flows("over")
    gone = {name: flow for name, flow in over.items() if flow.attempt in (("f1", 1), ("bad", 2))}
    assert green.ask("forget", asked(gone)) == 2
    assert set(green.flows("over")) == set(over) - set(gone)
    with queue(state, url) as store, store.engine.connect() as connection:
        schema = "dbos." if store.database.shared else ""
        for table in ("workflow_status", "workflow_input", "workflow_output", "operation_outputs"):
            kept = connection.exec_driver_sql(f"select workflow_uuid from {schema}{table}").scalars()
            assert not set(kept) & set(gone)


def test_cancelled_flow_is_over(alone: tuple[Host, Path, str]) -> None:
    green, _, _ = alone
    green.ask("slots", 0)
    green.ask("enqueue", "c1:1:a", 1)
    green.ask("cancel", asked(green.flows("flow", "c1:1:a")))
    assert green.flows("flow", "c1:1:a")["c1:1:a"].over


def test_rows_of_the_database_are_text_and_no_programs(alone: tuple[Host, Path, str]) -> None:
    green, state, url = alone
    (state / "text").touch()
    green.ask("slots", 1)
    green.ask("enqueue", "text", 1)
    wait_for(lambda: green.flows("flow", "text")["text"].over)
    with queue(state, url) as store, store.engine.connect() as connection:
        schema = "dbos." if store.database.shared else ""
        query = f"select output from {schema}workflow_output where workflow_uuid = 'text'"
        (kept,) = connection.exec_driver_sql(query).scalars()
    assert "text" in json.dumps(json.loads(kept))


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_dbos_has_no_connections_besides_ours_and_the_one_that_it_listens_on(
    start: Start, tmp_path: Path, database_url: str
) -> None:
    green = start("green:1")
    for number in range(30):
        green.ask("enqueue", f"s{number}", 1)
    green.ask("slots", 30)
    wait_for(lambda: green.ask("held") == 30)
    (tmp_path / "all").touch()
    most = 0
    with queue(tmp_path, database_url) as store, store.engine.connect() as connection:
        own = connection.scalar(sa.select(sa.func.pg_backend_pid()))
        count = sa.text(
            "select count(*) from pg_stat_activity where backend_type = 'client backend' "
            f"and datname = current_database() and pid != {own}"
        )
        while green.ask("held"):
            most = max(most, connection.scalar(count) or 0)
            connection.rollback()
    assert 2 <= most <= DAEMON_CONNECTIONS - 1, "one is for heartbeats, of which there are none here"


def test_engine_that_is_not_launched_holds_nothing(tmp_path: Path) -> None:
    with queue(tmp_path) as store:
        database: Database = store.database
        assert Engine(database, "green:1", lambda: 1, 1.0).held_here() == 0
