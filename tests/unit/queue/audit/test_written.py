"""What programs of earlier releases wrote opens without a false alarm, is finished, and is backed up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.commands.main import main
from evaluate.core.model import Stage
from evaluate.queue.audit.dump import backup, restore
from evaluate.queue.audit.verify import repair, whole
from evaluate.queue.db.reasons import ended_with
from evaluate.queue.db.rows import State
from evaluate.queue.entries.shadows import drop_shadows, retry_shadows, shadows_of
from evaluate.queue.entries.store import Store
from evaluate.queue.storage.depot import SharedFolder
from evaluate.queue.upkeep import LastComparison, check_at_start, everything
from tests.support.queues import STAGES, queue, result, run_stages, score
from tests.support.written_queues import FILES, RELEASES, STATES, WRITTEN, load

pytestmark = pytest.mark.slow


@pytest.fixture(params=RELEASES)
def release(request: pytest.FixtureRequest, database_url: str) -> str:
    if request.param == "0001" and database_url:
        pytest.skip("this release had no servers")
    return str(request.param)


@pytest.fixture
def store(release: str, tmp_path: Path, database_url: str) -> Iterator[Store]:
    load(release, tmp_path, database_url)
    with queue(tmp_path, database_url) as found:
        yield found


def finish(store: Store, state: Path) -> None:
    """Take every entry to its end."""
    for entry in store.entries():
        if entry.state is State.PARKED:
            store.retry(entry.id)
    for entry in store.next_entries(100, "new:1"):
        run_stages(store, state, entry)
    for entry in (entry for entry in store.entries() if not entry.state.ended):
        run_stages(store, state, entry, first=Stage(entry.state.value))
    if not (ones := shadows_of(store, "r3")):
        return
    retry_shadows(store, "r3", [])
    for one in shadows_of(store, "r3"):
        for stage in STAGES:
            store.move(one.entry, State(stage.value), attempt=one.attempt)
            store.keep_result(one.entry, one.attempt, stage.value, result(stage))
        store.keep_score(one.entry, one.attempt, score(0.5))
        store.move(one.entry, State.DONE, ended_with("OK"), attempt=one.attempt)
    drop_shadows(store, "r4")
    assert len(shadows_of(store, "r3")) == len(ones)


def test_nothing_is_called_damaged_before_and_after_its_entries_end(store: Store, release: str, tmp_path: Path) -> None:
    if release != "0001":
        assert Counter(entry.state.value for entry in store.entries()) == STATES
    assert list(everything(store, tmp_path, tmp_path, SharedFolder(tmp_path))) == []
    assert check_at_start(store, LastComparison()) == []
    finish(store, tmp_path)
    assert all(entry.state.ended for entry in store.entries())
    assert list(whole(store.database)) == []
    assert check_at_start(store, LastComparison()) == []
    assert repair(store.database) == []
    assert list(whole(store.database)) == []


def test_a_backup_is_made_and_restored(store: Store, tmp_path: Path) -> None:
    backup(store, tmp_path / "before.sqlite")
    finish(store, tmp_path)
    backup(store, tmp_path / "after.sqlite")
    for name in ("before", "after"):
        for from_journal in (False, True):
            folder = tmp_path / f"{name} {from_journal}"
            folder.mkdir()
            assert restore(tmp_path / f"{name}.sqlite", folder, from_journal=from_journal) == sum(STATES.values())
            with queue(folder) as again:
                assert list(whole(again.database)) == []


@pytest.mark.parametrize("release", [release for release in RELEASES if release < "0005"])  # one file until then
def test_a_backup_that_the_release_made_is_restored(release: str, tmp_path: Path) -> None:
    load(release, tmp_path, "")
    (tmp_path / "new").mkdir()
    assert restore(tmp_path / FILES[0], tmp_path / "new") == sum(STATES.values())
    for _ in range(2):
        with queue(tmp_path / "new") as again:
            assert list(whole(again.database)) == []
            again.retry(next(entry.id for entry in again.entries() if entry.state is State.PARKED))


@pytest.mark.parametrize("release", ["0002"], indirect=True)
def test_a_time_that_was_changed_since_is_still_seen(store: Store) -> None:
    entry = store.entries()[0]
    with store.change() as connection:
        connection.exec_driver_sql(f"update entries set submitted = submitted - 4000 where id = '{entry.id}'")
    (found,) = whole(store.database)
    assert (found.where, found.message[:13]) == (f"entries {entry.id}", "submitted is ")


def test_there_is_one_of_every_release() -> None:
    assert {path.name[:4] for path in WRITTEN.iterdir()} == set(RELEASES)


@pytest.mark.parametrize("command", ["status", "daemon --once", "verify-state", "backup copy", "board cinc2017"])
def test_a_queue_of_a_later_release_is_refused_in_words(command: str, tmp_path: Path) -> None:
    load("0008", tmp_path, "")
    with queue(tmp_path) as store, store.change() as connection:
        connection.exec_driver_sql("update alembic_version set version_num = '9999'")
    before = (tmp_path / FILES[0]).read_bytes()
    found = CliRunner().invoke(main, ["--state", str(tmp_path), *command.split()])
    assert found.exit_code == 3
    assert "has schema 9999 of a newer version of evaluate; this version supports up to" in found.stderr
    assert "install that version again, or restore a backup from before the upgrade" in found.stderr
    assert (tmp_path / FILES[0]).read_bytes() == before
