"""A state directory knows its queue: less than that, and one of a later release, is refused with the way back."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from evaluate.core.errors import Fault
from evaluate.store.db import database
from evaluate.store.db.anchor import FILE as POSITION
from evaluate.store.db.anchor import Anchor, Position
from evaluate.store.db.database import FILE
from evaluate.store.entries.store import open_store
from tests.support.commands import run
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


def replaced(state: Path, *teams: str) -> None:
    """Put another database in place: a new one, or one that goes on from the older copy, to which teams submit."""
    folder = state.parent / "other"
    folder.mkdir()
    if len(teams) == 1:
        shutil.copy(state.parent / "older", folder / FILE)
    store = open_store(folder)  # with an identity of its own
    submitted(store, *teams)
    store.engine.dispose()
    shutil.copy(folder / FILE, state / FILE)


def uploads_alone(state: Path) -> None:
    for name in (FILE, POSITION):
        (state / name).unlink()
    (state / "entries" / "f").mkdir(parents=True)


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda state: (state / FILE).unlink(), r"with 2 lines in its journal; .*queue\.sqlite is missing"),
        (lambda state: (state / FILE).write_bytes(b""), r"queue\.sqlite is empty"),
        (lambda state: shutil.copy(state.parent / "older", state / FILE), r"queue\.sqlite is older and has 1"),
        (lambda state: replaced(state, "a", "b", "c"), r"queue\.sqlite is another queue"),
        (uploads_alone, r"whose uploads are here; .*queue\.sqlite is missing"),
        (lambda state: replaced(state, "mallory"), r"queue\.sqlite has another line 2"),
    ],
)
def test_database_that_is_less_or_another_is_refused_and_stays_as_it_is(
    state: Path, damage: Callable[[Path], object], why: str
) -> None:
    damage(state)
    before = (state / FILE).read_bytes() if (state / FILE).exists() else None
    refused(state, why)
    assert before == ((state / FILE).read_bytes() if (state / FILE).exists() else None)


def test_line_that_another_process_adds_while_the_queue_is_opened_is_not_missing(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = database._position

    def looked(connection: sa.Connection) -> Position:
        position = look(connection)
        monkeypatch.setattr(database, "_position", look)
        with queue(state) as other:
            submitted(other, "green")
        return position

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


@pytest.mark.parametrize("command", ["status", "daemon --once"])
def test_a_queue_of_a_later_release_is_refused_in_words(command: str, tmp_path: Path) -> None:
    with queue(tmp_path) as store, store.change() as connection:
        connection.exec_driver_sql("update alembic_version set version_num = '9999'")
    before = (tmp_path / "queue.sqlite").read_bytes()
    result = run(tmp_path, *command.split(), code=3)
    assert "has schema 9999 of a newer version of evaluate; this version supports up to" in result.stderr
    assert "install that version again, or restore a backup from before the upgrade" in result.stderr
    assert (tmp_path / "queue.sqlite").read_bytes() == before
