"""A backup of everything brings everything back, and a part of one never passes for a whole."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluate.core.errors import Fault, UsageError
from evaluate.core.files import sha256_file
from evaluate.core.model import Stage
from evaluate.host.config import load_config
from evaluate.queue import copies
from evaluate.queue.copies import LIST, OBJECTS, Backup, backup, restore
from evaluate.queue.depot import SharedFolder
from evaluate.queue.rejudging import start
from evaluate.queue.store.anchor import Anchor
from evaluate.queue.store.entries import Store
from evaluate.queue.upkeep import everything
from evaluate.queue.work import archive_of
from tests.support.queues import CHALLENGE, queue, run_stages, upload


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    (folder / "keys").mkdir(parents=True)
    (folder / "keys" / "1.pem").write_text("private")
    (folder / "keys" / "1.pem").chmod(0o600)
    (folder / "evaluate.yaml").write_text("slots: 2\n")
    return folder


@pytest.fixture
def store(state: Path, queue_url: str) -> Iterator[Store]:
    if queue_url:
        (state / "evaluate.yaml").write_text(f"slots: 2\ndatabase: {queue_url}\nshared: {state}\n")
    with queue(state, queue_url) as found:
        for team in ("red", "blue"):
            submit(found, state, team)
        (entry, _) = found.next_entries(2)
        run_stages(found, state, entry, 0.7)
        yield found


def submit(store: Store, state: Path, team: str) -> str:
    part = state / "part"
    part.write_text(f"archive of {team}")
    digest = sha256_file(part)
    archive_of(state, digest).parent.mkdir(parents=True, exist_ok=True)
    part.rename(archive_of(state, digest))
    ((identity, _),) = store.submit([{**upload(team, 1), "sha256": digest}])
    return identity


def made(store: Store, state: Path, target: Path) -> Backup:
    return backup(store, state, state, SharedFolder(state), load_config(state), target)


def objects(target: Path) -> dict[str, int]:
    return {path.name: path.stat().st_ino for path in (target / OBJECTS).glob("*/*")}


ONE = pytest.mark.parametrize("queue_url", ["sqlite"], indirect=True)


@ONE
@pytest.mark.parametrize("from_journal", [False, True])
def test_restored_queue_has_everything_and_can_be_rejudged_from_prep(
    store: Store, state: Path, tmp_path: Path, *, from_journal: bool
) -> None:
    store.keep_setting("drain:green", "yes")
    (tmp_path / "truth.csv").write_text("A1,N\n")
    start(store, SharedFolder(state), CHALLENGE, Stage.SCORE, tmp_path / "truth.csv")
    made(store, state, tmp_path / "copy")
    wanted = store.entries()
    (tmp_path / "truth.csv").unlink()
    new = tmp_path / "new"
    new.mkdir()
    assert restore(tmp_path / "copy", new, from_journal=from_journal) == (2, [])
    assert (tmp_path / "truth.csv").read_text() == "A1,N\n"
    assert (new / "evaluate.yaml").read_text() == "slots: 2\n"
    assert (new / "keys" / "1.pem").stat().st_mode & 0o777 == 0o600
    with queue(new) as again:
        # whose workflow takes it through its stages is not restored from the journal
        assert [entry.submitted for entry in again.entries()] == [entry.submitted for entry in wanted]
        assert [entry.changed for entry in again.entries()] == [entry.changed for entry in wanted]
        assert again.setting("drain:green") == "yes"
        assert list(everything(again, new, SharedFolder(new))) == []
        assert start(again, SharedFolder(new), CHALLENGE, Stage.PREP)[:2] == ("r2", 1)
        assert all(archive_of(new, entry.sha256).is_file() for entry in again.entries())
        assert again.database.position() == Anchor(new).read()


def test_second_backup_copies_only_what_is_new(store: Store, state: Path, tmp_path: Path) -> None:
    first = made(store, state, tmp_path / "copy")
    before = objects(tmp_path / "copy")
    submit(store, state, "green")
    second = made(store, state, tmp_path / "copy")
    after = objects(tmp_path / "copy")
    same = {one.sha256 for one in first.files}
    assert {digest: after[digest] for digest in same} == {digest: before[digest] for digest in same}
    assert set(after) == {second.database, *(one.sha256 for one in second.files)}  # the old database is gone
    assert (second.entries, second.line > first.line) == (3, True)


@pytest.mark.slow
@ONE
def test_backup_that_was_killed_is_the_one_before_or_none(
    store: Store, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def kill(*_: object, **__: object) -> None:
        raise Killed

    target = tmp_path / "copy"
    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr(copies, "write_file", kill)
        made(store, state, target)
    (tmp_path / "new").mkdir()
    with pytest.raises(UsageError, match=r"no backup: there is no backup\.json, which is written last"):
        restore(target, tmp_path / "new")
    first = made(store, state, target)
    submit(store, state, "green")
    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr(copies, "write_file", kill)
        made(store, state, target)
    assert restore(target, tmp_path / "new") == (first.entries, [])


@ONE
@pytest.mark.parametrize("after", [2, 3])
def test_restore_that_was_killed_leaves_no_queue(
    store: Store, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    made(store, state, tmp_path / "copy")
    new = tmp_path / "new"
    new.mkdir()
    done = [0]
    bring = copies._bring

    def killed(*arguments: object) -> None:
        done[0] += 1
        if done[0] > after:
            raise KeyboardInterrupt
        bring(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(copies, "_bring", killed)
    monkeypatch.setattr(copies.databases, "restore", killed)
    with pytest.raises(KeyboardInterrupt):
        restore(tmp_path / "copy", new)
    assert not (new / "queue.sqlite").exists()
    monkeypatch.undo()
    with pytest.raises(UsageError, match="expected an empty folder, found"):
        restore(tmp_path / "copy", new)
    if (new / "entries").exists():
        with pytest.raises(Fault, match="whose uploads are here"), queue(new):
            pass


@ONE
def test_damaged_backup_brings_nothing_back(store: Store, state: Path, tmp_path: Path) -> None:
    found = made(store, state, tmp_path / "copy")
    archive = next(one for one in found.files if one.path.startswith("entries/"))
    place = tmp_path / "copy" / OBJECTS / archive.sha256[:2] / archive.sha256
    place.chmod(0o600)
    place.write_text("changed")
    (tmp_path / "new").mkdir()
    with pytest.raises(Fault, match="missing or damaged; nothing was written"):
        restore(tmp_path / "copy", tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []


@ONE
def test_changed_upload_is_named_and_a_missing_one_as_well(store: Store, state: Path, tmp_path: Path) -> None:
    first, second = store.entries()
    shutil.rmtree(archive_of(state, first.sha256).parent)
    found = made(store, state, tmp_path / "copy")
    assert found.missing == (first.sha256,)
    assert [one.kind for one in everything(store, state, SharedFolder(state))] == ["upload"]
    archive_of(state, second.sha256).write_text("changed")
    with pytest.raises(Fault, match="the upload is damaged"):
        made(store, state, tmp_path / "other")
    assert not (tmp_path / "other" / LIST).exists()


@ONE
def test_folder_with_something_else_is_not_touched(store: Store, state: Path, tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.jpg").touch()
    with pytest.raises(UsageError, match="expected a new folder or an earlier backup"):
        made(store, state, tmp_path / "photos")
    with pytest.raises(UsageError, match="expected an empty folder, found"):
        made(store, state, tmp_path / "copy")
        restore(tmp_path / "copy", state)


@ONE
def test_own_challenge_goes_back_to_its_place_unless_something_else_is_there(
    store: Store, state: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "challenges" / "own"
    folder.mkdir(parents=True)
    (folder / "challenge.yaml").write_text("name: own\n")
    row = {**upload("red", 9), "challenge": str(folder), "sha256": store.entries()[0].sha256}
    store.submit([row])
    made(store, state, tmp_path / "copy")
    shutil.rmtree(tmp_path / "challenges")
    for name in ("new", "newer"):
        (tmp_path / name).mkdir()
    assert restore(tmp_path / "copy", tmp_path / "new") == (3, [])
    assert (folder / "challenge.yaml").read_text() == "name: own\n"
    (folder / "challenge.yaml").write_text("name: changed\n")
    assert restore(tmp_path / "copy", tmp_path / "newer") == (3, [str(folder / "challenge.yaml")])
    assert (folder / "challenge.yaml").read_text() == "name: changed\n"
