"""Internal errors: which part is stopped and when, and what its repair brings back."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from typing import Any

import pytest
import sqlalchemy as sa

from evaluate.core.errors import UsageError
from evaluate.core.model import Stage
from evaluate.operate.audit import verify
from evaluate.operate.audit.verify import whole
from evaluate.store.db import journal
from evaluate.store.db.rows import FaultyPart, State
from evaluate.store.entries.store import Store
from evaluate.store.schedule.faults import ended_well, faults, resolve, signals, stopped_challenges
from evaluate.store.schedule.hosts import drain, draining, hosts
from evaluate.views.why import why, why_for_team
from tests.support.queues import CHALLENGE, at_fault, failed, lease, submitted, upload


def succeeded(
    store: Store, host: str = "green", task: str = "prep", image: str = "", *, packages: bool = False
) -> None:
    with store.database.step() as connection:
        ended_well(connection, store.entries()[-1].id, host, CHALLENGE, task, image, packages=packages)


def test_host_that_fails_for_different_entries_in_a_row_is_drained_once(store: Store) -> None:
    names = submitted(store, "A", "B", "C", "D")
    failed(store, names[0], names[0], names[0], names[1])
    assert not draining(store, "green"), "two entries are not three"
    failed(store, names[2])
    assert draining(store, "green")
    failed(store, names[3])
    (fault,) = faults(store.database)
    assert (fault.id, fault.part, fault.name, fault.times, fault.stopped) == (1, FaultyPart.HOST, "green", 6, True)
    assert (fault.message, fault.lines, fault.entries) == ("KVM is gone", ("one", "two"), tuple(sorted(names)))
    events = [line.event for line in journal.read(store.database) if line.event.startswith("fault")]
    assert events.count("fault-stopped") == 1
    assert list(verify.whole(store.database)) == []


def test_entry_that_ends_well_between_shows_that_the_host_works(store: Store) -> None:
    names = submitted(store, "A", "B", "C", "D")
    for name in names:
        failed(store, name)
        succeeded(store)
    failed(store, names[0], names[1])
    assert not draining(store, "green")
    succeeded(store, "blue")
    failed(store, names[2])
    assert draining(store, "green")


def test_challenge_whose_scorer_fails_is_stopped_alone_however_its_entries_come(store: Store) -> None:
    """Entries that are prepared well meanwhile, and hosts that record at once, hide nothing of its faults."""
    names = submitted(store, "A", "B", "C")
    works = [partial(failed, store, name, part=FaultyPart.CHALLENGE, name=CHALLENGE, task="score") for name in names]
    with ThreadPoolExecutor() as pool:
        for done in [pool.submit(work) for work in (*works, partial(succeeded, store), partial(succeeded, store))]:
            done.result()
    (fault,) = faults(store.database)
    assert (fault.stopped, fault.times, fault.entries) == (True, 3, tuple(sorted(names)))
    assert stopped_challenges(store.database) == {CHALLENGE: False} and not draining(store, "green")
    assert store.next_entries(9, stopped=[CHALLENGE]) == []
    assert [entry.id for entry in store.next_entries(9, stopped=["other"])] == names
    assert not any(store.entry(name).charged for name in names)
    assert list(verify.whole(store.database)) == []


def test_death_at_any_statement_of_a_fault_leaves_none_or_all_of_it(store: Store) -> None:
    (name,) = submitted(store, "A")
    before = list(journal.read(store.database))
    for at in count(1):
        left = iter(range(at))

        def dies(*_: object, left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise KeyboardInterrupt

        sa.event.listen(store.database.engine, "before_cursor_execute", dies)
        try:
            failed(store, name, part=FaultyPart.CHALLENGE, name=CHALLENGE, task="score")
            break
        except KeyboardInterrupt:
            pass
        finally:
            sa.event.remove(store.database.engine, "before_cursor_execute", dies)
        assert (list(journal.read(store.database)), faults(store.database)) == (before, [])
    assert at > 3, "there are several"
    (fault,) = faults(store.database)
    assert (fault.times, fault.entries, store.entry(name).charged) == (1, (name,), False)
    assert list(verify.whole(store.database)) == []


def test_mirror_that_fails_keeps_only_prep_waiting_until_a_prep_installed_packages(store: Store) -> None:
    for name in submitted(store, "A", "B", "C"):
        succeeded(store, task="prep", image="bookworm")
        failed(store, name, part=FaultyPart.MIRROR, name="of packages")
    now = signals(store, "green:1")
    assert now.faulty and [stage for stage in Stage if now.stops(CHALLENGE, stage)] == [Stage.PREP]
    assert not now.stops("other", Stage.PREP)
    succeeded(store, task="prep", image="bookworm")
    assert stopped_challenges(store.database) == {CHALLENGE: True}
    succeeded(store, task="prep", image="bookworm", packages=True)
    assert stopped_challenges(store.database) == {}


PARTS: list[tuple[FaultyPart, str, dict[str, Any]]] = [
    (FaultyPart.CHALLENGE, CHALLENGE, {"task": "score"}),
    (FaultyPart.MIRROR, "of packages", {"task": "prep", "packages": True}),
    (FaultyPart.IMAGE, "bookworm", {"task": "quiz", "image": "bookworm"}),
]


@pytest.mark.parametrize(("part", "name", "used"), PARTS)
def test_faults_of_one_team_or_with_good_entries_between_stop_no_challenge_and_what_ends_well_ends_a_stop(
    store: Store, part: FaultyPart, name: str, used: dict[str, Any]
) -> None:
    for identity in submitted(store, "E", "F", "G", "H"):
        failed(store, identity, part=part, name=name, task=used["task"])
        assert stopped_challenges(store.database) == {}
        succeeded(store, **used)
    of_one_team = [identity for identity, _ in store.submit([upload("A", n) for n in range(6)])]
    failed(store, *of_one_team, part=part, name=name, task=used["task"])
    assert stopped_challenges(store.database) == {}
    (waiting, *others) = submitted(store, "B", "C", "D")
    failed(store, *others, part=part, name=name, task=used["task"])
    assert list(stopped_challenges(store.database)) == [CHALLENGE]
    entry = store.entry(waiting)
    assert "fault 1" in why(entry, store) and "evaluate resolve 1" in why(entry, store)
    assert "paused by the organiser" in why_for_team(entry, store) and "fault" not in why_for_team(entry, store)
    succeeded(store, **used)
    assert stopped_challenges(store.database) == {} and "fault" not in why(entry, store)
    assert list(whole(store.database)) == []


def test_resolving_a_fault_lets_the_host_work_again_and_requeues_what_is_parked_for_it(store: Store) -> None:
    names = submitted(store, "A", "B", "C", "D")
    store.next_entries(4)
    failed(store, *names[:3])
    for name in (names[0], names[3]):
        store.move(name, State.PARKED, at_fault("KVM is gone"))
    assert resolve(store.database, 1, requeue=True) == [names[0]], "the last one is not parked for it"
    assert not draining(store, "green")
    assert faults(store.database) == [] and faults(store.database, resolved=True)[0].resolved > 0
    assert (store.entry(names[0]).state, store.entry(names[0]).attempt) == (State.QUEUED, 2)
    assert resolve(store.database, 1, requeue=True) == [], "again: nothing is left to do"
    failed(store, names[1])
    assert [fault.id for fault in faults(store.database)] == [2], "what comes later is another fault"
    assert list(verify.whole(store.database)) == []
    with pytest.raises(UsageError, match="no fault 7; `evaluate status --faults` lists them"):
        resolve(store.database, 7)


def test_host_that_the_organiser_drained_stays_drained(store: Store) -> None:
    lease(store, "green:1")
    failed(store, *submitted(store, "A", "B", "C"))
    assert [(host.draining, host.fault) for host in hosts(store)] == [(True, 1)]
    drain(store, "green")
    resolve(store.database, 1)
    assert [(host.draining, host.fault) for host in hosts(store)] == [(True, 0)]
    failed(store, *submitted(store, "D", "E", "F"))
    resolve(store.database, 2)
    assert draining(store, "green"), "what still ran there failed, and that is repaired"


def test_host_that_the_organiser_lets_work_again_drains_itself_if_it_still_fails(store: Store) -> None:
    lease(store, "green:1")
    names = submitted(store, *"ABCDEFG")
    failed(store, *names[:3])
    drain(store, "green", on=False)
    failed(store, names[3])
    assert draining(store, "green"), "none ended well between"
    drain(store, "green", on=False)
    succeeded(store)
    failed(store, *names[4:6])
    assert not draining(store, "green")
    failed(store, names[6])
    assert draining(store, "green")
    resolve(store.database, 1)
    assert not draining(store, "green")
