"""A database that an earlier version wrote opens and works; the dumps are those of `tests.support.earlier_queues`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.commands.main import main
from evaluate.queue.audit.dump import backup, restore
from evaluate.queue.audit.verify import repair
from evaluate.queue.db.journal import read
from evaluate.queue.db.reasons import NO_REASON, Cause, Reason, ended_with
from evaluate.queue.db.rows import State
from evaluate.queue.entries.shadows import shadows_of
from evaluate.queue.entries.store import Store
from evaluate.queue.schedule.tasks import tasks
from evaluate.queue.views.words import detail
from tests.support.earlier_queues import DUMPS, STATES, load
from tests.support.queues import queue, upload

pytestmark = pytest.mark.slow

REVISIONS = sorted({path.name.partition(".")[0] for path in DUMPS.glob("*.sql")})
MANY_HOSTS = [revision for revision in REVISIONS if revision >= "0002"]
REASONS = {
    "e1": ended_with("OK"),
    "e2": Reason(cause=Cause.EARLIER, message=STATES["e2"][1]),
    "e3": NO_REASON,
    "e4": Reason(cause=Cause.ORGANISER),
    "e5": Reason(cause=Cause.EARLIER, message=STATES["e5"][1]),
}


@pytest.fixture
def store(tmp_path: Path, database_url: str, revision: str) -> Iterator[Store]:
    load(revision, tmp_path, database_url)
    with queue(tmp_path, database_url) as found:
        yield found


def test_there_is_a_dump_of_every_earlier_schema() -> None:
    versions = Path(str(files("evaluate.queue.db"))) / "migrations" / "versions"
    known = sorted(path.name.partition("_")[0] for path in versions.glob("*.py"))
    assert known[:-1] == REVISIONS
    assert {path.name.partition(".")[0] for path in DUMPS.glob("*.postgresql.sql")} == set(REVISIONS)


@pytest.mark.parametrize("revision", REVISIONS)
def test_entries_keep_their_states_and_their_reasons_in_the_same_words(store: Store) -> None:
    found = {entry.id: entry for entry in store.entries()}
    assert {name: entry.reason for name, entry in found.items()} == REASONS
    assert {name: (entry.state.value, detail(entry.reason), entry.charged) for name, entry in found.items()} == STATES
    assert [result["stage"] for result in store.results("e1", 1)] == ["prep", "quiz", "exam", "score"]
    assert (store.score("e1", 1) or {})["values"] == {"F1": 0.5}


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_queue_goes_on(store: Store) -> None:
    assert store.retry("e2").attempt == 1 + max([1, *(one.attempt for one in shadows_of(store) if one.entry == "e2")])
    ((new, fresh),) = store.submit([upload("team 1", 7)])
    assert fresh
    assert {entry.id for entry in store.next_entries(5, "blue:1")} == {"e2", "e3", new}
    assert store.move("e5", State.DONE, ended_with("RUNTIME_ERROR"))
    assert store.entry("e5").reason.verdict == "RUNTIME_ERROR"
    assert len(list(read(store.database))) == store.journal_length()


@pytest.mark.slow
@pytest.mark.parametrize("revision", REVISIONS)
def test_its_journal_alone_gives_the_same_queue(store: Store, tmp_path: Path) -> None:
    repair(store.database)  # the dumps lack the results that their shadows share
    backup(store, tmp_path / "copy.sqlite")
    (tmp_path / "again").mkdir()
    assert restore(tmp_path / "copy.sqlite", tmp_path / "again", from_journal=True) == len(STATES)
    with queue(tmp_path / "again") as again:
        assert {entry.id: (entry.state, entry.reason, entry.charged) for entry in again.entries()} == {
            entry.id: (entry.state, entry.reason, entry.charged) for entry in store.entries()
        }
        assert [(one.state, one.reason) for one in shadows_of(again)] == [
            (one.state, one.reason) for one in shadows_of(store)
        ]


@pytest.mark.parametrize("revision", MANY_HOSTS)
def test_shadows_tasks_and_hosts_are_there(store: Store) -> None:
    assert [(one.state, one.reason.cause) for one in shadows_of(store)] == [
        (State.CANCELLED, Cause.DISCARDED),
        (State.PARKED, Cause.EARLIER),
    ]
    (task,) = tasks(store)
    assert (task.entry, task.executor, task.gpus) == ("e5", "green:1", ())
    (host,) = store.reader.hosts()
    assert (host.name, host.slots, host.running, host.gpus) == ("green", 2, 1, 0)


@pytest.mark.parametrize("revision", REVISIONS)
def test_commands_show_it(revision: str, tmp_path: Path) -> None:
    load(revision, tmp_path, "")
    found = CliRunner().invoke(main, ["--state", str(tmp_path), "status", "e2", "--json"])
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["detail"] == STATES["e2"][1]
    found = CliRunner().invoke(main, ["--state", str(tmp_path), "why", "e2"])
    assert f"at no cost to the team: {STATES['e2'][1]}." in found.stdout
    found = CliRunner().invoke(main, ["--state", str(tmp_path), "board", "cinc2017", "--json"])
    assert [place["entry"] for place in json.loads(found.stdout)] == ["e1"]
