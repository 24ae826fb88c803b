"""A state directory knows its queue: less than that is refused, with the way back."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

import pytest
import sqlalchemy as sa

from evaluate.core.errors import Fault
from evaluate.operate.audit.dump import backup, restore
from evaluate.store.db import database
from evaluate.store.db.anchor import FILE as POSITION
from evaluate.store.db.anchor import Anchor, Position
from evaluate.store.db.database import FILE
from evaluate.store.entries.store import open_store
from tests.support.queues import queue, submitted

BACK = r"evaluate restore DIR`; to continue with what is there, remove .*queue\.position"


def refused(state: Path, why: str, url: str = "") -> None:
    with pytest.raises(Fault, match=f"{why}.*Nothing was changed.*{BACK}"), queue(state, url):
        pass


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A queue with two lines; its older copy is ``older``."""
    folder = tmp_path / "state"
    folder.mkdir()
    with queue(folder) as store:
        submitted(store, "red")
    shutil.copy(folder / FILE, tmp_path / "older")
    with queue(folder) as store:
        submitted(store, "blue")
    return folder


def test_position_is_that_of_the_last_commit(state: Path) -> None:
    with queue(state) as store:
        found = store.database.position()
        assert found == Anchor(state).read() and found.line == 2 and found.identity
    assert stat.S_IMODE((state / POSITION).stat().st_mode) == 0o600


def test_missing_database_is_not_an_empty_queue(state: Path) -> None:
    (state / FILE).unlink()
    refused(state, r"with 2 lines in its journal; .*queue\.sqlite is missing")
    assert not (state / FILE).exists()


def test_missing_database_beside_uploads_is_not_an_empty_queue(state: Path) -> None:
    for name in (FILE, POSITION):
        (state / name).unlink()
    (state / "entries" / "f").mkdir(parents=True)
    refused(state, r"whose uploads are here; .*queue\.sqlite is missing")


def test_emptied_database_is_refused_and_stays_as_it_is(state: Path) -> None:
    (state / FILE).write_bytes(b"")
    refused(state, r"queue\.sqlite is empty")
    assert (state / FILE).read_bytes() == b""


def test_older_database_is_refused(state: Path, tmp_path: Path) -> None:
    shutil.copy(tmp_path / "older", state / FILE)
    refused(state, r"queue\.sqlite is older and has 1")


def test_write_ahead_log_without_its_tail_is_refused(tmp_path: Path) -> None:
    with queue(tmp_path) as store:
        submitted(store, "red")
        copied = tmp_path / "killed"
        copied.mkdir()
        shutil.copy(tmp_path / FILE, copied / FILE)
        shutil.copy(tmp_path / f"{FILE}-wal", copied / f"{FILE}-wal")
        submitted(store, "blue", "green")
        shutil.copy(tmp_path / POSITION, copied / POSITION)
    refused(copied, r"queue\.sqlite is older and has 1")


def test_another_queue_is_refused(state: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    store = open_store(other)
    submitted(store, "a", "b", "c")
    store.engine.dispose()
    shutil.copy(other / FILE, state / FILE)
    refused(state, r"queue\.sqlite is another queue")


def test_same_queue_with_another_history_is_refused(state: Path, tmp_path: Path) -> None:
    fork = tmp_path / "fork"
    fork.mkdir()
    shutil.copy(tmp_path / "older", fork / FILE)
    with queue(fork) as store:
        submitted(store, "mallory")
    shutil.copy(fork / FILE, state / FILE)
    refused(state, r"queue\.sqlite has another line 2")


def test_line_that_another_process_adds_while_the_queue_is_opened_is_not_missing(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = database._position

    def looked(connection: sa.Connection) -> Position:
        found = look(connection)
        monkeypatch.setattr(database, "_position", look)
        with queue(state) as other:
            submitted(other, "green")
        return found

    monkeypatch.setattr(database, "_position", looked)
    with queue(state) as store:
        assert len(store.entries()) == 3


def test_server_that_lost_its_newest_lines_is_refused(tmp_path: Path, database_url: str) -> None:
    with queue(tmp_path, database_url) as store:
        submitted(store, "red", "blue")
        with store.engine.begin() as connection:
            connection.exec_driver_sql("delete from journal where number = 2")
    refused(tmp_path, "is older and has 1", database_url)


def test_organiser_may_go_on_with_what_is_there(state: Path, tmp_path: Path) -> None:
    shutil.copy(tmp_path / "older", state / FILE)
    (state / POSITION).unlink()
    with queue(state) as store:
        assert len(store.entries()) == 1


def test_restored_queue_is_the_known_one(state: Path, tmp_path: Path) -> None:
    with queue(state) as store:
        backup(store, tmp_path / "copy")
        submitted(store, "later")
    (state / FILE).unlink()
    assert restore(tmp_path / "copy", state) == 2
    with queue(state) as store:
        assert store.database.position() == Anchor(state).read()


def test_position_never_goes_back_and_survives_a_power_cut(tmp_path: Path) -> None:
    anchor = Anchor(tmp_path)
    anchor.note(Position("q", 7, "c7"))
    anchor.note(Position("q", 6, "c6"))
    assert anchor.read() == Position("q", 7, "c7")
    (tmp_path / POSITION).write_bytes(b"\0" * 160)  # created, but its content had not reached the disk
    assert anchor.read() is None
    (tmp_path / POSITION).write_bytes(b"nonsense")
    with pytest.raises(Fault, match=r"queue\.position is damaged"):
        anchor.read()
