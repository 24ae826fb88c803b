"""What a daemon does before its first stage, and that nothing of it waits in a thread."""

import json
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
import sqlalchemy as sa
import yaml

from evaluate.config.types import Config, Heartbeat
from evaluate.core.errors import Fault
from evaluate.run.chain import ATTEMPTS_OF_HOST
from evaluate.run.daemon import Daemon
from evaluate.run.flow import FlowContext
from evaluate.store.db import journal
from evaluate.store.db.database import ENGINE_POOL, POOL, Database
from evaluate.store.db.rows import ACTIVE, FaultyPart, State
from evaluate.store.db.tables import HOSTS
from evaluate.store.entries.store import Store
from evaluate.store.schedule.engine import Engine
from evaluate.store.schedule.faults import faults, signals
from evaluate.store.schedule.hosts import Lease, Neighbours, draining, hosts
from evaluate.store.schedule.slots import Slots
from tests.chaos.audit import wait_until
from tests.chaos.cluster import Host
from tests.chaos.daemon import flow_context
from tests.support.postgres import Server
from tests.support.queues import by_hand, queue, upload

_PATIENCE = 600.0
MANY = 60


class Launched(Exception):
    """The engine was launched."""


@pytest.fixture
def context(tmp_path: Path) -> Iterator[FlowContext]:
    with queue(tmp_path) as store:
        yield flow_context(store, tmp_path, "green:2", config=Config(host="green", slots=3, free_bytes=0))


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The start of the engine ends the daemon."""

    def launch(_: Engine, __: int) -> None:
        raise Launched

    monkeypatch.setattr(Engine, "launch", launch)


@pytest.mark.usefixtures("launched")
@pytest.mark.parametrize(
    ("slots_free", "drained", "free_bytes", "offered"),
    [(9, False, 0, 3), (2, False, 0, 2), (0, False, 0, 0), (9, True, 0, 0), (9, False, 1 << 60, 0)],
    ids=["all its slots", "a loaded host", "a full host", "drained before it started again", "a full disk"],
)
def test_daemon_offers_from_the_beginning_what_its_host_bears(
    context: FlowContext,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    slots_free: int,
    drained: bool,
    free_bytes: int,
    offered: int,
) -> None:
    offers: list[int] = []
    monkeypatch.setattr(Slots, "offer", lambda _, most: offers.append(most))
    context = replace(context, config=replace(context.config, free_bytes=free_bytes))
    if drained:
        context.store.settings.keep("drain:green", "yes")
    daemon = Daemon(tmp_path, context, bears=lambda held: held + slots_free)
    monkeypatch.setattr(Neighbours, "look", lambda _: daemon.stop())
    with suppress(Launched):
        daemon.run()
    assert offers[0] == offered


def test_host_with_gpus_is_waited_for_when_its_lease_has_ended(
    context: FlowContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr("evaluate.run.daemon.time.monotonic", lambda: now[0])
    daemon, lease = Daemon(tmp_path, context), Lease(context.store, "deep:1", "there", Heartbeat(), lambda _: None)
    lease.take(1, "chain1", 2)

    def seen() -> int:
        daemon._hear(signals(context.store, "green:2"))
        return daemon._signals.gpus

    assert seen() == 2
    lease.leave()
    for now[0], gpus in ((1060.0, 2), (9000.0, 0)):
        assert seen() == gpus
    monkeypatch.setattr(Database, "shared", True)
    daemon = Daemon(tmp_path, context)
    assert seen() > 0, "it may have been alive before this process"


def test_database_that_is_lost_while_a_daemon_starts_is_said_in_one_sentence(
    context: FlowContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def launch(_: Engine, __: int) -> None:
        raise sa.exc.OperationalError("select 1", {}, Exception("server closed the connection unexpectedly\n"))

    monkeypatch.setattr(Engine, "launch", launch)
    with pytest.raises(Fault) as caught:
        Daemon(tmp_path, context).run()
    assert str(caught.value) == (
        "database: lost while the daemon was starting; nothing was started: server closed the connection unexpectedly"
    )


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[tuple[Store, Host]]:
    """A queue of one host, which a test starts."""
    state = tmp_path / "host"
    state.mkdir()
    with queue(state) as store, Host(state) as host:
        yield store, host


def enter(store: Store, *teams: str) -> list[str]:
    """Submit an entry of each team that passes every stage; their ids."""
    return [entry for entry, _ in store.submit([{**upload(team, n), "name": "good"} for n, team in enumerate(teams)])]


@pytest.mark.slow
def test_result_of_a_stage_that_ends_while_the_daemon_is_told_to_end_is_recorded(alone: tuple[Store, Host]) -> None:
    store, host = alone
    (entry,) = enter(store, "red")
    host.start("--seconds", "1")
    file = host.state / "ran.txt"
    assert wait_until(file.is_file, _PATIENCE), host.said
    host.send(signal.SIGTERM)
    assert host.wait(_PATIENCE) == 0, host.said
    ran = [line.split()[1] for line in file.read_text().splitlines()]
    assert [one["stage"] for one in store.results(entry, 1)] == [task for task in ran if "-" not in task]


@pytest.mark.slow
def test_many_entries_cost_few_threads_and_rows_of_dbos_are_text_and_no_programs(alone: tuple[Store, Host]) -> None:
    """Whoever can write the database could run code on every host that reads a pickle."""
    store, host = alone
    entries = enter(store, *(f"team{n}" for n in range(MANY)))
    host.start("--slots", "1", "--seconds", "3600")
    assert wait_until(lambda: store.count_in_stages() >= ATTEMPTS_OF_HOST, _PATIENCE), host.said
    assert wait_until((host.state / "ran.txt").is_file, _PATIENCE)
    assert psutil.Process(host.pid).num_threads() < 25
    with store.engine.connect() as connection:
        inputs = connection.exec_driver_sql("select inputs from workflow_input").scalars().all()
    flows = [flow for text in inputs for flow in json.loads(text)["positionalArgs"]]
    assert flows and {flow.partition(":")[0] for flow in flows} <= set(entries)


@pytest.fixture
def shared(tmp_path: Path, postgres: Server) -> Iterator[tuple[Store, Callable[[str], Path]]]:
    """A queue of many hosts, and how one gets a state directory."""
    url = postgres.database(f"daemon_{tmp_path.name}")
    (tmp_path / "shared").mkdir()

    def state(name: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        heartbeat = {"seconds": 0.2, "ttl_seconds": 60}
        config = {"database": url, "shared": str(tmp_path / "shared"), "host": name, "heartbeat": heartbeat}
        (folder / "evaluate.yaml").write_text(yaml.safe_dump(config))
        return folder

    with queue(tmp_path, url) as store:
        yield store, state


@pytest.mark.slow
def test_copy_of_the_state_directory_of_a_live_host_is_told_what_to_do_and_the_host_goes_on(
    shared: tuple[Store, Callable[[str], Path]], tmp_path: Path
) -> None:
    store, state = shared
    with Host(state("green")) as green, Host(tmp_path / "copy") as copy:
        green.start()
        assert green.ready()
        shutil.copytree(green.state, copy.state)
        copy.start()
        assert copy.wait(_PATIENCE) == 2, copy.said
        assert f"{copy.state}: a copy of the state directory of host green, which is alive" in copy.said
        assert f"remove {copy.state / 'place'}" in copy.said
        assert green.alive and [one.name for one in hosts(store)] == ["green"]
        (copy.state / "place").unlink()
        copy.start()
        assert copy.ready(), copy.said
        assert len(hosts(store)) == 2


@pytest.mark.slow
def test_state_directory_that_was_moved_is_used_when_the_lease_of_its_earlier_place_has_expired(
    shared: tuple[Store, Callable[[str], Path]], tmp_path: Path
) -> None:
    store, state = shared
    green = Host(state("green"))
    green.start()
    assert green.ready()
    enter(store, "red")
    assert wait_until(store.in_stages, _PATIENCE)
    green.end()
    by_hand(store, sa.update(HOSTS).values(ttl=1.0))
    shutil.copytree(green.state, tmp_path / "moved")
    shutil.rmtree(green.state)
    assert "waiting for the lease of green" in Host(tmp_path / "moved").drain()
    assert not [entry for entry in store.entries() if entry.state in ACTIVE]


def ends(store: Store) -> list[str]:
    """The entries that are done, in the order in which they were."""
    lines = journal.read(store.database)
    return [line.entry for line in lines if line.event == "moved" and line.data["to"] == "done"]


@pytest.mark.slow
def test_host_that_fails_fast_drains_itself_and_costs_no_entry_its_tries(
    shared: tuple[Store, Callable[[str], Path]], tmp_path: Path
) -> None:
    store, state = shared
    names = enter(store, *(f"t{n}" for n in range(8)))
    with Host(state("broken")) as broken:
        broken.start("--broken")
        assert wait_until(lambda: draining(store, "broken"), _PATIENCE), broken.said
        Host(state("good")).drain("--seconds", "0.01")
        assert {entry.id: entry.reason.verdict for entry in store.entries()} == dict.fromkeys(names, "OK")
        (fault,) = faults(store.database)
        assert (fault.part, fault.name, fault.stopped) == (FaultyPart.HOST, "broken", True)
        assert (fault.message, fault.lines[0]) == ("SandboxFault: KVM is gone", "kvm: No such device")
        assert len(fault.entries) >= 5 and fault.times <= 5 + 2 * 3, "no more than its slots were running"
        (host,) = hosts(store)
        assert (host.name, host.fault) == ("broken", fault.id)


@pytest.mark.slow
def test_single_entries_of_ten_teams_do_not_wait_for_the_many_of_one(alone: tuple[Store, Host]) -> None:
    store, host = alone
    enter(store, *["many"] * 60)
    host.start("--slots", "2", "--seconds", "0.01", "--shards", "1", "--poll", "1", "--share", "0")
    assert wait_until(lambda: ends(store), _PATIENCE * 2), host.said
    few = enter(store, *(f"few{n}" for n in range(10)))
    assert wait_until(lambda: all(store.entry(entry).state is not State.QUEUED for entry in few), _PATIENCE), host.said
    before = len(ends(store))
    assert wait_until(lambda: set(few) <= set(ends(store)), _PATIENCE * 3), host.said
    host.end()
    order = ends(store)
    places = sorted(order.index(entry) - before for entry in few)
    assert places[-1] < 2 * len(few), f"they ended as {places} after they had begun"


@pytest.mark.slow
def test_daemon_for_a_time_runs_only_what_fits_into_it_and_ends_well(alone: tuple[Store, Host]) -> None:
    store, host = alone
    enter(store, "red")
    host.start("--for", "12", "--seconds", "0.01")
    assert host.wait(_PATIENCE) == 0, host.said
    assert not (host.state / "ran.txt").exists() and hosts(store) == []


@pytest.mark.slow
def test_pilot_of_a_shared_queue_that_no_stage_fits_into_ends_and_says_so(
    shared: tuple[Store, Callable[[str], Path]], tmp_path: Path
) -> None:
    store, state = shared
    (entry,) = enter(store, "red")
    host = Host(state("green"))
    for duration, ended in (("600", False), ("100000", True)):
        host.drain("--for", duration, "--seconds", "0.01")
        assert store.entry(entry).state.ended is ended
        assert hosts(store) == []
        if not ended:
            assert "the limits of the longest stage that waits do not end within the 5" in host.said


@pytest.mark.slow
def test_drained_host_is_started_with_a_new_database(shared: tuple[Store, Callable[[str], Path]]) -> None:
    store, state = shared
    store.settings.keep("drain:green", "yes")
    assert "cannot be used" not in Host(state("green")).drain()


@pytest.mark.slow
def test_engine_of_an_idle_host_ends_and_is_launched_for_the_next_entry(
    shared: tuple[Store, Callable[[str], Path]],
) -> None:
    store, state = shared
    count = sa.text(
        "select count(*) from pg_stat_activity where datname = current_database() "
        "and application_name like 'dbos%' and application_name not like '%client'"
    )

    def engines() -> int:
        with store.engine.connect() as connection:
            return connection.scalar(count) or 0

    with Host(state("green")) as green:
        green.start("--seconds", "0.01")
        for entries in (0, 1):
            assert wait_until(lambda: engines() > 0, _PATIENCE), green.said
            assert wait_until(lambda done=entries: len(ends(store)) == done, _PATIENCE), green.said
            assert wait_until(lambda: engines() == 0, _PATIENCE), green.said
            enter(store, f"team{entries}")


@pytest.mark.slow
def test_daemon_has_no_more_connections_than_it_says(
    shared: tuple[Store, Callable[[str], Path]], tmp_path: Path
) -> None:
    store, state = shared
    enter(store, *(f"t{n}" for n in range(24)))
    count = sa.text(
        "select count(*) from pg_stat_activity where backend_type = 'client backend' "
        "and datname = current_database() and pid != pg_backend_pid()"
    )
    most = 0
    with Host(state("green")) as green:
        green.start("--once", "--slots", "12", "--seconds", "0.01")
        with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            while green.alive:
                most = max(most, connection.scalar(count) or 0)
                time.sleep(0.01)
        assert green.wait(_PATIENCE) == 0, green.said
    assert 4 <= most <= POOL + ENGINE_POOL + 3, "and none is waited for in vain"
    assert len(ends(store)) == 24
