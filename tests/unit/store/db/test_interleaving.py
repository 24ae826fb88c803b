"""Who waits for whom when several processes write, and that the journal has one order whatever they do."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from evaluate.core.errors import UsageError
from evaluate.core.model import Stage
from evaluate.operate.audit import verify
from evaluate.store.db.reasons import NO_REASON
from evaluate.store.db.rows import State
from evaluate.store.entries.store import advance
from tests.support.queues import ON_A_SERVER, queue, result, upload

HOSTS, EACH = 3, 6


@ON_A_SERVER
def test_on_a_server_the_path_of_an_entry_waits_for_no_step_of_another(queue_url: str, tmp_path: Path) -> None:
    with queue(tmp_path, queue_url) as store, queue(tmp_path, queue_url) as other:
        store.submit([upload("a", 1), upload("b", 1)])
        mine, theirs = store.next_entries(2)
        with store.database.step() as connection:
            advance(connection, mine, State.QUIZ, NO_REASON)
            other.submit([upload("c", 1)])
            assert [entry.team for entry in other.next_entries(1)] == ["c"]
            other.charge(theirs.id, 1)
            with other.database.step() as beside:
                advance(beside, theirs, State.QUIZ, NO_REASON)
            assert store.entry(mine.id).state is State.PREP
        events = [(line[2], line[3]) for line in store.journal()]
        assert events[-1] == (mine.id, "moved") and events[-2] == (theirs.id, "moved")
        assert list(verify.whole(store.database)) == []


def test_what_an_organiser_changes_waits_for_the_step_and_sees_what_it_did(tmp_path: Path, queue_url: str) -> None:
    with queue(tmp_path, queue_url) as store, queue(tmp_path, queue_url) as other:
        store.submit([upload("a", 1)])
        (entry,) = store.next_entries(1)
        errors: list[str] = []

        def cancel() -> None:
            try:
                other.cancel(entry.id)
            except UsageError as e:
                errors.append(str(e))

        with store.database.step() as connection:
            organiser = threading.Thread(target=cancel)
            organiser.start()
            advance(connection, entry, State.DONE, NO_REASON)
        organiser.join()
        assert errors == [f"{entry.id} is done already"]
        assert store.entry(entry.id).state is State.DONE


def test_journal_has_one_order_whatever_hosts_teams_and_organisers_do(tmp_path: Path, queue_url: str) -> None:
    ready = threading.Barrier(2 * HOSTS + 1, timeout=60)

    def host(number: int) -> None:
        with queue(tmp_path, queue_url) as store:
            ready.wait()
            idle = 0
            while idle < EACH:
                taken = store.next_entries(2)
                idle += not taken
                for entry in taken:
                    for stage in (Stage.PREP, Stage.QUIZ, Stage.EXAM):
                        if stage is Stage.EXAM:
                            store.charge(entry.id, 1)
                        with store.database.step() as connection:
                            advance(connection, store.entry(entry.id), State(stage.value), NO_REASON)
                        store.keep_result(entry.id, 1, stage.value, result(stage))
                    store.move(entry.id, State.DONE)

    def team(number: int) -> None:
        with queue(tmp_path, queue_url) as store:
            ready.wait()
            for n in range(EACH):
                store.submit([upload(f"t{number}", n), upload("all", n)])

    def organiser() -> None:
        chance = random.Random(0)
        with queue(tmp_path, queue_url) as store:
            ready.wait()
            for n in range(EACH):
                store.settings.keep("drained:h0", str(n))
                if entries := store.entries():
                    with suppress(UsageError):  # it has ended
                        store.cancel(chance.choice(entries).id)

    with queue(tmp_path, queue_url), ThreadPoolExecutor(2 * HOSTS + 1) as pool:
        works = [pool.submit(kind, number) for number in range(HOSTS) for kind in (host, team)]
        for work in (*works, pool.submit(organiser)):
            work.result()
    with queue(tmp_path, queue_url) as store:
        lines = list(store.journal())
        assert [line[0] for line in lines] == list(range(1, len(lines) + 1))
        entries = store.entries()
        assert [entry.number for entry in entries] == list(range(1, len(entries) + 1))
        assert [line[2] for line in lines if line[3] == "submitted"] == [entry.id for entry in entries]
        assert list(verify.whole(store.database)) == []
