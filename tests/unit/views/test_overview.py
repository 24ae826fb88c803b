import io
import json
import re
from dataclasses import replace

import sqlalchemy as sa
from rich.console import Console

from evaluate.core.model import Stage
from evaluate.store.db.rows import State
from evaluate.store.db.tables import HOSTS
from evaluate.store.entries.store import Store
from evaluate.store.people.uploads import Upload, begin_upload, put_off
from evaluate.store.schedule.hosts import drain
from evaluate.views.overview import SHOWN, as_json, as_renderable, overview
from tests.support.queues import ONE_DATABASE, at_fault, enqueue, lease, run_task, submitted, upload


def said(store: Store, width: int = 200) -> str:
    text = io.StringIO()
    Console(file=text, width=width).print(as_renderable(overview(store)))
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


@ONE_DATABASE
def test_empty_queue_has_every_state_and_no_daemon(store: Store) -> None:
    assert said(store) == (
        "queued 0  prep 0  train 0  quiz 0  exam 0  score 0  done 0  parked 0  cancelled 0  withdrawn 0\n"
        "no daemon is running (evaluate daemon)"
    )
    assert as_json(overview(store)) == {
        "counts": {state.value: 0 for state in State},
        "hosts": [],
        "running": [],
        "newest": [],
        "faults": [],
        "delayed": [],
    }


def test_upload_that_cannot_be_taken_in_is_shown_with_its_error(store: Store) -> None:
    database = store.database
    address = "https://example.org/a.git"
    begun = begin_upload(database, Upload(address="a@b", team="red", challenge="kits19", name="a.git", source=address))
    assert overview(store).delayed == ()
    put_off(database, begun, "OSError: No space left on device")
    (upload_shown,) = overview(store).delayed
    assert (upload_shown.team, upload_shown.tries, upload_shown.arrived) == ("red", 1, begun.arrived)
    assert "OSError: No space left on device" in said(store)
    assert as_json(overview(store))["delayed"][0]["fault"] == upload_shown.fault
    put_off(database, replace(begun, tries=5000), "a month later")
    assert overview(store).delayed[0].tries == 5001


def test_what_runs_stands_with_its_host_and_its_limit(store: Store) -> None:
    first, second = submitted(store, "red", "blue")
    store.next_entries(2)
    lease(store, "green:1")
    for identity, executor in ((first, "green:1"), (second, "grey:1")):
        enqueue(store, identity, 1, "prep", Stage.PREP)
        run_task(store, identity, "prep", executor, 1200)
    text = said(store)
    assert "hosts: green 1 of 2 slots\n" in text
    assert re.search(rf"^{first}  prep +green +\d+ s +20 minutes$", text, re.MULTILINE)
    assert re.search(rf"^{second}  prep +\? +\d+ s +20 minutes$", text, re.MULTILINE)
    assert [(row["entry"], row["executor"]) for row in as_json(overview(store))["running"]] == [
        (first, "green:1"),
        (second, "grey:1"),
    ]


def test_hosts_that_are_drained_or_do_not_answer_are_said_to_be(store: Store) -> None:
    for executor in ("blue:1", "green:1", "red:1"):
        lease(store, executor)
    drain(store, "green")
    with store.change() as connection:
        silent = HOSTS.c.executor == "red:1"
        connection.execute(sa.update(HOSTS).where(silent).values(expires=store.database.now() - 1.0))
    assert "hosts: blue 0 of 2 slots; green 0 of 2 slots, drained; red 0 of 2 slots, does not answer" in said(store)


@ONE_DATABASE
def test_of_many_entries_the_newest_are_shown_and_all_counted(store: Store) -> None:
    store.submit([upload(f"t{i}", i) for i in range(SHOWN + 5)])
    look = overview(store)
    assert [entry.number for entry in look.newest] == list(range(SHOWN + 5, 5, -1))
    assert look.counts == {State.QUEUED: SHOWN + 5}
    assert len(said(store).splitlines()) == 2 + 1 + 2 + SHOWN
    assert len(json.loads(json.dumps(as_json(look)))["newest"]) == SHOWN


@ONE_DATABASE
def test_names_of_strangers_are_shown_as_they_are(store: Store) -> None:
    store.submit([{**upload("[bold]red[/]", 1), "name": "[link=x]a.zip"}])
    (entry,) = store.entries()
    store.move(entry.id, State.PARKED, at_fault("[red]first line\nsecond line\nlast line " + "x" * 100))
    text = said(store)
    assert "[bold]red[/]" in text and "[link=x]a.zip" in text and "[red]first line" in text
    assert "second line" not in text
