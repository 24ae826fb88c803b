"""What the engine rests on: what DBOS documents, and one thing that it does not; to be run on every upgrade of DBOS.

A process has one DBOS, so every host is a process (`tests.support.engine_host`).
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from evaluate.queue.db.database import DAEMON_CONNECTIONS, Database
from evaluate.queue.schedule.engine import VERSION, Engine, Flow
from tests.support.queues import queue

pytestmark = pytest.mark.slow

LIMIT = 60.0


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


def over(host: Host, *names: str) -> bool:
    return host.ask("ended", list(names)) == sorted(names)


def test_workflow_runs_at_once_and_leaves_its_slot_before_its_outcome_is_known(alone: tuple[Host, Path, str]) -> None:
    green, state, _ = alone
    assert green.ask("start", "s0") is True
    wait_for(lambda: "s0 green:1" in ran(state))
    assert (green.ask("running"), green.ask("held"), green.ask("left")) == (["s0"], 1, [])
    assert [(flow.id, flow.executor) for flow in green.flows("unfinished").values()] == [("s0", "green:1")]
    (state / "s0").touch()
    wait_for(lambda: over(green, "s0"))
    assert (green.ask("running"), green.ask("held"), green.ask("left"), green.ask("left")) == ([], 0, ["s0"], [])
    found = green.flows("over")["s0"]
    assert (found.name, found.status, found.version, found.host) == ("stage", "SUCCESS", VERSION, "green")


def test_workflow_that_was_begun_is_not_begun_again_here_or_elsewhere(start: Start, tmp_path: Path) -> None:
    green = start("green:1")
    assert green.ask("start", "s0") is True
    wait_for(lambda: ran(tmp_path) == ["s0 green:1"])
    assert green.ask("start", "s0") is False
    green.kill()
    blue = start("blue:1")
    assert blue.ask("start", "s0") is False, "its next turn has another id"
    assert (blue.ask("held"), blue.ask("running")) == (0, [])
    assert ran(tmp_path) == ["s0 green:1"]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_what_a_process_records_that_was_taken_for_dead_is_refused_and_no_error(
    start: Start, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    green, blue = start("green:1"), start("blue:1")
    green.ask("start", "s0")
    wait_for(lambda: ran(tmp_path) == ["s0 green:1"])
    assert blue.ask("cancel", asked(blue.flows("unfinished"))) == 1
    assert over(blue, "s0")
    (tmp_path / "s0").touch()
    wait_for(lambda: green.ask("left") == ["s0"])
    green.ask("end")  # DBOS has done all that it does
    assert blue.flows("over")["s0"].status == "CANCELLED"
    assert "Traceback" not in capfd.readouterr().err


def test_workflow_that_has_ended_is_not_cancelled(alone: tuple[Host, Path, str]) -> None:
    green, state, _ = alone
    (state / "done:1:a").touch()
    green.ask("start", "done:1:a")
    wait_for(lambda: over(green, "done:1:a"))
    green.ask("cancel", asked({"": green.flows("over")["done:1:a"]}))
    assert green.flows("over")["done:1:a"].status == "SUCCESS"


def test_outcomes_of_an_attempt_are_its_own_and_say_what_dbos_could_not_complete(
    alone: tuple[Host, Path, str],
) -> None:
    green, state, _ = alone
    names = ("e1:1:a", "e1:1:b", "e1:11:a", "e11:1:a")
    for name in (*names, "bad:1:a"):
        (state / name).touch()
        green.ask("start", name)
    wait_for(lambda: over(green, *names, "bad:1:a"))
    found = green.flows("children", "e1", 1)
    assert {name: flow.output for name, flow in found.items()} == {name: {"kind": name} for name in names[:2]}
    assert {flow.attempt for flow in found.values()} == {("e1", 1)}
    (bad,) = green.flows("children", "bad", 1).values()
    assert (bad.status, bad.error, bad.over) == ("ERROR", "OperationalError", True)


def test_what_has_ended_is_forgotten_with_all_its_rows_however_it_ended(alone: tuple[Host, Path, str]) -> None:
    green, state, url = alone
    for name in ("f1:1:a", "bad:2:a"):
        (state / name).touch()
        green.ask("start", name)
    wait_for(lambda: over(green, "f1:1:a", "bad:2:a"))
    before = green.flows("over")
    gone = {name: flow for name, flow in before.items() if flow.attempt in (("f1", 1), ("bad", 2))}
    assert green.ask("forget", asked(gone)) == 2
    assert set(green.flows("over")) == set(before) - set(gone)
    with queue(state, url) as store, store.engine.connect() as connection:
        schema = "dbos." if store.database.shared else ""
        for table in ("workflow_status", "workflow_input", "workflow_output", "operation_outputs"):
            kept = connection.exec_driver_sql(f"select workflow_uuid from {schema}{table}").scalars()
            assert not set(kept) & set(gone)


def test_rows_of_the_database_are_text_and_no_programs(alone: tuple[Host, Path, str]) -> None:
    green, state, url = alone
    (state / "text").touch()
    green.ask("start", "text")
    wait_for(lambda: over(green, "text"))
    with queue(state, url) as store, store.engine.connect() as connection:
        schema = "dbos." if store.database.shared else ""
        query = f"select output from {schema}workflow_output where workflow_uuid = 'text'"
        (kept,) = connection.exec_driver_sql(query).scalars()
    assert "text" in json.dumps(json.loads(kept))


def test_threads_of_dbos_that_only_ask_for_what_is_not_used_have_ended(alone: tuple[Host, Path, str]) -> None:
    """The one thing that is not documented: without it an idle daemon costs more, and is as right."""
    green, _, _ = alone
    unused = ("queue", "scheduler", "background-jobs")
    wait_for(lambda: not [name for name in green.ask("threads") if any(one in name for one in unused)])


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_dbos_has_no_connections_besides_ours_and_the_one_that_it_listens_on(
    start: Start, tmp_path: Path, database_url: str
) -> None:
    green = start("green:1")
    for number in range(30):
        green.ask("start", f"s{number}")
    assert green.ask("held") == 30
    most = 0
    with queue(tmp_path, database_url) as store, store.engine.connect() as connection:
        own = connection.scalar(sa.select(sa.func.pg_backend_pid()))
        count = sa.text(
            "select count(*) from pg_stat_activity where backend_type = 'client backend' "
            f"and datname = current_database() and pid != {own}"
        )
        for looks in range(1000):
            if looks == 1:
                (tmp_path / "all").touch()
            most = max(most, connection.scalar(count) or 0)
            connection.rollback()
            if not green.ask("held"):
                break
    assert 2 <= most <= DAEMON_CONNECTIONS - 1, "one is for heartbeats, of which there are none here"


def test_engine_that_is_not_launched_holds_nothing(tmp_path: Path) -> None:
    with queue(tmp_path) as store:
        database: Database = store.database
        assert Engine(database, "green:1").held_here() == 0
