import shutil
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from evaluate.config.types import Heartbeat
from evaluate.store.db.tables import HOSTS
from evaluate.store.entries.store import Store
from evaluate.store.schedule import hosts
from evaluate.store.schedule.engine import VERSION
from evaluate.store.schedule.hosts import Lease, Neighbours, evict, executors, is_first, state_identity
from evaluate.store.threads import Threads
from tests.chaos.audit import wait_for
from tests.support.queues import ON_A_SERVER, ONE_DATABASE, by_hand, queue

LIMIT = 60.0
SILENT = Heartbeat(seconds=3600, ttl_seconds=3600)
QUICK = Heartbeat(seconds=0.02, ttl_seconds=3600)
LEASED = Heartbeat(seconds=3600, ttl_seconds=10)


class Host:
    """A lease, and why it was lost."""

    def __init__(self, store: Store, executor: str, state_place: str = "", heartbeat: Heartbeat = SILENT) -> None:
        self.why: list[str] = []
        self.gone = threading.Event()
        self.lease = Lease(store, executor, state_place or executor, heartbeat, self._lost)
        self.lease.take(2, VERSION)

    def _lost(self, why: str) -> None:
        self.why.append(why)
        self.gone.set()


def expire(store: Store, executor: str, seconds: float = 1.0) -> None:
    with store.change() as connection:
        expires = store.database.now() - seconds
        connection.execute(sa.update(HOSTS).where(HOSTS.c.executor == executor).values(expires=expires))


def test_host_that_took_a_lease_is_listed_until_it_leaves(store: Store) -> None:
    host = Host(store, "green:1", heartbeat=QUICK)
    (row,) = hosts.hosts(store)
    assert (row.executor, row.name, row.slots, row.running) == ("green:1", "green", 2, 0)
    assert (row.flow, row.draining) == (VERSION, False)
    assert 3500 < row.left_seconds < 3700  # a heartbeat may come after the clock was read
    host.lease.offer(5)  # waits for no database that is away
    wait_for(lambda: hosts.hosts(store)[0].slots == 5)
    host.lease.leave()
    assert hosts.hosts(store) == [] and executors(store) == {}


def test_host_whose_lease_was_taken_away_is_told(store: Store) -> None:
    host = Host(store, "green:1", heartbeat=QUICK)
    by_hand(store, sa.delete(HOSTS))
    assert host.gone.wait(LIMIT)
    host.lease.leave()
    assert "the lease expired" in host.why[0]


@ONE_DATABASE
def test_host_that_leaves_is_not_told_that_it_lost_its_lease(store: Store) -> None:
    for number in range(10):
        host = Host(store, f"green:{number}", heartbeat=Heartbeat(seconds=0.001, ttl_seconds=3600))
        host.lease.leave()
        for thread in host.lease._threads:
            thread.join(LIMIT)
        assert host.why == []


class Observer:
    """How one host sees the others, by a clock of its own."""

    def __init__(self, store: Store, executor: str, state_place: str = "away:far:1:boot") -> None:
        self.now = 1000.0
        self.store = store
        self.seen = Neighbours(store, executor, state_place, lambda: self.now)

    def evicts(self) -> list[str]:
        return evict(self.store, self.seen.expired())


def test_lease_that_is_not_renewed_for_as_long_as_its_host_says_is_evicted_by_one_other(store: Store) -> None:
    for executor in ("green:1", "blue:1", "red:1"):
        Host(store, executor, heartbeat=LEASED)
    Host(store, "slow:1", heartbeat=Heartbeat(seconds=1, ttl_seconds=40))
    blue, red = Observer(store, "blue:1"), Observer(store, "red:1")
    assert blue.evicts() == red.evicts() == []
    blue.now += 9.9
    assert blue.evicts() == []
    blue.now += 0.2
    expire(store, "red:1", 0.0)  # it was renewed
    expired = blue.seen.expired()
    expire(store, "green:1", -60)
    assert evict(store, expired) == [], "it was renewed meanwhile"
    for gone in ("red:1", "green:1"):  # whose renewal was seen later
        blue.now += 10.1
        assert blue.evicts() == [gone]
    red.now += 39
    assert red.evicts() == ["blue:1"]
    red.now += 2
    assert red.evicts() == ["slow:1"]
    assert red.evicts() == blue.evicts() == []


@pytest.mark.parametrize("step", [-(10.0**7), 10.0**7])
def test_step_of_the_clock_of_the_database_ends_no_lease_and_prolongs_none(store: Store, step: float) -> None:
    Host(store, "green:1", heartbeat=LEASED)
    blue = Observer(store, "blue:1")
    assert blue.evicts() == []
    expire(store, "green:1", step)  # renewed by a clock that was set
    blue.now += 9
    assert blue.evicts() == []
    blue.now += 9
    assert blue.evicts() == [], "it was seen renewed only now"
    blue.now += 2
    assert blue.evicts() == ["green:1"]


@pytest.mark.parametrize("other", ["state:machine:8:boot", "state:machine:7:other-boot", "state:other:7:boot"])
def test_copy_of_a_state_directory_is_another_place_on_a_shared_database(store: Store, other: str) -> None:
    Host(store, "green:1", other)
    mine = Observer(store, "green:2", "state:machine:7:boot")
    if not store.database.shared:  # there is only one process, and the machine may have been restarted
        assert mine.seen.copies() == [] and mine.evicts() == ["green:1"]
        return
    assert mine.seen.copies() == ["green:1"] and mine.evicts() == []
    assert mine.seen.renewed() == set()
    expire(store, "green:1", -20)
    mine.seen.look()
    assert (mine.seen.renewed(), mine.seen.any_gone) == ({"green:1"}, False)


def test_place_is_the_same_after_a_restart_and_has_the_same_name_in_a_copy(tmp_path: Path) -> None:
    (deep := tmp_path / Path(*["x" * 100] * 6)).mkdir(parents=True)
    (tmp_path / "link").symlink_to(deep)
    with ThreadPoolExecutor(8) as pool:
        places = set(pool.map(state_identity, [deep, tmp_path / "link"] * 4))
    (first,) = places
    assert len(first) < 500, "it fits into its column"
    assert [path.name for path in deep.iterdir()] == ["place"]
    copy = state_identity(Path(shutil.copytree(deep, tmp_path / "copy")))
    assert copy.partition(":")[0] == first.partition(":")[0] and copy != first
    (tmp_path / "boot").write_text("another\n")
    assert state_identity(deep, tmp_path / "boot") != first


def test_first_is_the_oldest_that_lives(store: Store) -> None:
    first = Host(store, "z:1")
    Host(store, "a:1")
    assert [is_first(store, executor) for executor in ("z:1", "a:1", "nobody:1")] == [True, False, False]
    expire(store, "z:1")  # nobody has noticed yet
    assert [is_first(store, executor) for executor in ("z:1", "a:1")] == [False, True]
    first.lease.leave()
    assert is_first(store, "a:1")


@ON_A_SERVER
def test_leases_are_renewed_and_looked_at_while_a_writer_holds_all_others_up(store: Store) -> None:
    Host(store, "green:1", "state:machine:7:boot")
    host = Host(store, "green:2", "state:machine:7:boot", heartbeat=QUICK)
    for executor in ("green:1", "green:2"):
        expire(store, executor, -60.0)
    observer = Observer(store, "green:2", "state:machine:7:boot")
    woken = threading.Event()
    with store.change(), observer.seen.watched(0.01, Threads().start, woken.set):
        wait_for(woken.is_set)
        wait_for(lambda: max(row.left_seconds for row in hosts.hosts(store)) > 3000)
    assert observer.seen.gone() == ["green:1"] and not observer.seen.any_gone
    host.lease.leave()
    assert host.why == []


@ON_A_SERVER
def test_host_that_a_frozen_writer_kept_waiting_for_longer_than_a_lease_has_its_lease(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when another host is stopped in the middle of a write, just before this one starts."""
    passed, change = [0.0], store.change
    monkeypatch.setattr(hosts, "_clock", lambda: passed[0])

    @contextmanager
    def late() -> Iterator[sa.Connection]:
        with change() as connection:
            passed[0] += LEASED.ttl_seconds
            yield connection

    monkeypatch.setattr(store, "change", late)
    host = Host(store, "green:1", heartbeat=LEASED)
    passed[0] += 0.6 * LEASED.ttl_seconds
    assert not host.gone.wait(0.2)
    host.lease.leave()
    assert host.why == []


@ON_A_SERVER
def test_host_whose_database_hangs_gives_up_before_others_may_take_over(store: Store) -> None:
    heartbeat = Heartbeat(seconds=0.02, ttl_seconds=1.0)
    begun = time.monotonic()
    host = Host(store, "green:1", heartbeat=heartbeat)
    with store.engine.begin() as connection:
        connection.execute(sa.select(HOSTS).with_for_update())  # renewing waits and gets no answer
        assert host.gone.wait(LIMIT)
        assert time.monotonic() - begun >= 0.7
    assert "could not be renewed for 1 s: the database does not answer" in host.why[0]
    host.lease.leave()


def test_host_alone_waits_for_its_database_as_long_as_it_takes(tmp_path: Path) -> None:
    with queue(tmp_path) as store:
        host = Host(store, "green:1", heartbeat=Heartbeat(seconds=0.01, ttl_seconds=0.03))
        by_hand(store, "alter table hosts rename to away")
        wait_for(lambda: "no such table" in host.lease._problem)
        by_hand(store, "alter table away rename to hosts")
        expire(store, "green:1")
        wait_for(lambda: hosts.hosts(store)[0].left_seconds > 0)
        host.lease.leave()
        assert host.why == []
