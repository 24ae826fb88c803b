"""A backup of everything brings everything back, and a part of one never passes for a whole."""

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

from evaluate.config.load import load_config
from evaluate.core.errors import ChallengeError, Fault, UsageError
from evaluate.core.files import sha256_file
from evaluate.core.model import Stage
from evaluate.host.state import open_state
from evaluate.operate import backup_folder
from evaluate.operate.audit import dump as databases
from evaluate.operate.audit.verify import Finding
from evaluate.operate.backup_folder import LIST, OBJECTS, Backup, backup, object_of, open_backup
from evaluate.operate.restoration import restore
from evaluate.operate.signing import FOLDER, receipt_of
from evaluate.operate.upkeep import everything
from evaluate.receipts.issue import Registry
from evaluate.store.db import journal
from evaluate.store.db.anchor import Anchor
from evaluate.store.db.rows import State
from evaluate.store.entries.store import Store
from evaluate.store.files.depot import SharedFolder
from evaluate.store.files.stage_folders import archive_of, work_folder
from evaluate.views.rejudging import start
from tests.support.commands import process, run
from tests.support.postgres import Server
from tests.support.queues import CHALLENGE, ONE_DATABASE, queue, run_stages, sign, upload


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
    with queue(state, queue_url) as store:
        for team in ("red", "blue"):
            submit(store, state, team)
        (entry, _) = store.next_entries(2)
        run_stages(store, state, entry, 0.7)
        yield store


def submit(store: Store, state: Path, team: str) -> str:
    part = state / "part"
    part.write_text(f"archive of {team}")
    digest = sha256_file(part)
    archive_of(state, digest).parent.mkdir(parents=True, exist_ok=True)
    part.rename(archive_of(state, digest))
    ((identity, _),) = store.submit([{**upload(team, 1), "sha256": digest}])
    return identity


def made(store: Store, state: Path, target: Path) -> Backup:
    return backup(store, state, state, SharedFolder(state), target)


@pytest.fixture
def copy(store: Store, state: Path, tmp_path: Path) -> Path:
    """A backup of the state directory."""
    made(store, state, tmp_path / "copy")
    return tmp_path / "copy"


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return tmp_path / "new"


def problems(store: Store, state: Path) -> list[Finding]:
    return list(everything(store, state, state, SharedFolder(state)))


def assert_whole(state: Path, url: str = "") -> None:
    with queue(open_state(state), url) as store:
        assert problems(store, state) == []


def objects(target: Path) -> dict[str, int]:
    return {path.name: path.stat().st_ino for path in (target / OBJECTS).glob("*/*")}


@ONE_DATABASE
def test_restored_queue_has_everything_and_can_be_rejudged_from_prep(
    store: Store, state: Path, tmp_path: Path, new: Path
) -> None:
    store.settings.keep("drain:green", "yes")
    (tmp_path / "truth.csv").write_text("A1,N\n")
    start(store, SharedFolder(state), CHALLENGE, Stage.SCORE, tmp_path / "truth.csv")
    ended = next(entry for entry in store.entries() if entry.state is State.DONE)
    (work_folder(state, ended) / FOLDER).mkdir()
    (work_folder(state, ended) / FOLDER / "receipt.json").write_text("{}")
    database = object_of(tmp_path / "copy", made(store, state, tmp_path / "copy").database)
    modes = [path.stat().st_mode & 0o777 for path in (tmp_path / "copy", database)]
    assert modes == [0o700, 0o400], "for its owner alone"
    (tmp_path / "truth.csv").unlink()
    assert restore(tmp_path / "copy", new).entries == 2
    assert (tmp_path / "truth.csv").read_text() == "A1,N\n"
    assert (new / "evaluate.yaml").read_text() == "slots: 2\n"
    assert (new / "keys" / "1.pem").stat().st_mode & 0o777 == 0o600
    assert_whole(new)
    assert receipt_of(new, SharedFolder(new), ended) is not None
    assert (new / "work").stat().st_mode & 0o777 == 0o711  # QEMU's user passes through
    with queue(new) as again:
        # whose workflow takes it through its stages is not restored from the journal
        times = [(entry.submitted, entry.changed) for entry in store.entries()]
        assert [(entry.submitted, entry.changed) for entry in again.entries()] == times
        assert again.settings.get("drain:green") == "yes"
        assert start(again, SharedFolder(new), CHALLENGE, Stage.PREP)[:2] == ("r2", 1)
        assert all(archive_of(new, entry.sha256).is_file() for entry in again.entries())
        assert again.database.position() == Anchor(new).read()


def test_second_backup_copies_only_what_is_new(store: Store, state: Path, copy: Path) -> None:
    first = open_backup(copy)
    before, same = objects(copy), first.digests - {first.database}
    submit(store, state, "green")
    second = made(store, state, copy)
    after = objects(copy)
    assert {digest: after[digest] for digest in same} == {digest: before[digest] for digest in same}
    assert set(after) == open_backup(copy).digests  # the old database is gone
    assert (second.entries, second.line > first.line) == (3, True)


@ONE_DATABASE
def test_two_backups_into_one_folder_at_once_are_whole(
    store: Store, state: Path, tmp_path: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, ended, second_copied = tmp_path / "copy", threading.Event(), threading.Event()

    def second() -> None:
        submit(store, state, "green")
        made(store, state, copy)

    other = threading.Thread(target=second)

    def sync() -> None:  # when everything is copied, and before the list and the removal of old objects
        if threading.current_thread() is other:
            second_copied.set()
            ended.wait(30)
        else:
            other.start()
            second_copied.wait(0.5)

    monkeypatch.setattr("evaluate.operate.backup_folder.os.sync", sync)
    made(store, state, copy)
    ended.set()
    other.join()
    restore(copy, new, check=True)
    assert open_backup(copy).entries == 3


@ONE_DATABASE
def test_backup_that_was_killed_is_the_one_before_or_none(
    store: Store, state: Path, tmp_path: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "copy"

    def killed() -> None:
        with monkeypatch.context() as patched, pytest.raises(Killed):
            patched.setattr(backup_folder, "write_file", killed_after(0, print))
            made(store, state, target)

    killed()
    with pytest.raises(UsageError, match=r"no backup: there is no backup\.json, which is written last"):
        restore(target, new)
    first = made(store, state, target)
    submit(store, state, "green")
    killed()
    assert restore(target, new).entries == first.entries


class Killed(BaseException):
    """No `except Exception` sees it."""


def killed_after(calls: int, what: Callable[..., object]) -> Callable[..., object]:
    left = [calls]

    def run(*arguments: object, **given: object) -> object:
        left[0] -= 1
        if left[0] < 0:
            raise Killed
        return what(*arguments, **given)

    return run


KILLS = [
    *((False, "shutil.copyfile", calls) for calls in range(3)),
    (False, "evaluate.operate.restoration.read_config", 0),
    *((given, "pathlib.Path.rename", calls) for given in (False, True) for calls in range(5)),
    (True, "pathlib.Path.rmdir", 0),
]
"""Whether the target has a configuration, what kills the restore, and after how many calls of it."""


@ONE_DATABASE
@pytest.mark.parametrize(("configured", "name", "calls"), KILLS)
def test_restore_that_was_killed_is_not_opened_and_begins_again(
    copy: Path, new: Path, monkeypatch: pytest.MonkeyPatch, name: str, calls: int, *, configured: bool
) -> None:
    if configured:
        new.mkdir(mode=0o750)
        (new / "evaluate.yaml").write_text("slots: 7\n")
    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr(name, killed_after(calls, resolve_name(name)))
        restore(copy, new)
    with pytest.raises(UsageError, match="has not finished; run `evaluate restore` again, or remove"):
        open_state(new)
    assert restore(copy, new).entries == 2
    assert_whole(new)
    assert sorted(path.name for path in new.parent.iterdir()) == ["copy", "new", "state"]
    assert not list(new.glob(".*"))
    if configured:
        assert (new / "evaluate.yaml").read_text() == "slots: 7\n"
        assert new.stat().st_mode & 0o777 == 0o750


@ONE_DATABASE
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_root_restores_as_the_user_to_whom_the_state_directory_belongs(copy: Path, new: Path) -> None:
    new.mkdir()
    shutil.chown(new, "nobody")
    done = process(new, "restore", copy)
    assert (done.returncode, "is closed to the user nobody, as whom evaluate runs" in done.stderr) == (2, True)
    assert list(new.iterdir()) == [], "files of root would be closed to the services"


@pytest.mark.slow
def test_queue_moves_into_a_server_though_that_was_killed_and_back_into_a_file(
    copy: Path, new: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgres: Server
) -> None:
    postgres.drop("restored")
    other_database, back = postgres.database("restored"), tmp_path / "back"
    for state in (new, tmp_path / "newer", back):
        state.mkdir()
        (state / "evaluate.yaml").write_text(f"slots: 2\ndatabase: {other_database}\nshared: {state}\n")
    with monkeypatch.context() as patched, pytest.raises(Killed):
        patched.setattr(Path, "rename", killed_after(0, print))
        restore(copy, new)
    assert restore(copy, new).entries == 2
    assert_whole(new, other_database)
    with queue(new, other_database) as again:
        assert again.entry(submit(again, new, "green")).number == 3
        made(again, new, tmp_path / "other")
    with pytest.raises(UsageError, match="already contains a queue"):
        restore(copy, tmp_path / "newer")
    (back / "evaluate.yaml").write_text("slots: 2\n")
    assert restore(tmp_path / "other", back).entries == 3
    assert_whole(back)
    with queue(new, other_database) as moved, queue(back) as again:
        assert (again.entries(), list(journal.read(again.database))) == (
            moved.entries(),
            list(journal.read(moved.database)),
        )


@ONE_DATABASE
@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.parametrize("check", [True, False])
def test_challenge_that_is_named_relative_to_the_configuration_moves_with_it(
    store: Store, state: Path, tmp_path: Path, new: Path, *, elsewhere: bool, check: bool
) -> None:
    (state / "hearts").mkdir()
    (state / "hearts" / "challenge.yaml").write_text("title: hearts\n")
    (state / "pw").write_text("secret")
    text = "slots: 2  # two\nchallenges:\n  hearts: {attempts: 3, folder: hearts}\n"
    mail = "notify: {mail: {server: localhost, sender: a@b.org, password_file: pw}}\n"
    (state / "evaluate.yaml").write_text(text + mail)
    made(store, state, tmp_path / "copy")
    shutil.rmtree(state)
    challenges = tmp_path / "challenges" if elsewhere else None
    before = sorted(tmp_path.rglob("*"))
    restored = restore(tmp_path / "copy", new, challenges=challenges, check=check)
    assert (restored.entries, restored.kept) == (2, ())
    if check:
        assert sorted(tmp_path.rglob("*")) == before
        return
    folder = (challenges or new) / "hearts"
    assert (folder / "challenge.yaml").read_text() == "title: hearts\n"
    assert load_config(new).challenges["hearts"].folder == folder
    written = str(folder) if elsewhere else "hearts"
    assert (new / "evaluate.yaml").read_text().replace('"', "") == text.replace("r: hearts", f"r: {written}") + mail
    assert (new / "pw").read_text() == "secret"


@ONE_DATABASE
def test_check_says_what_is_wrong_before_anything_is_written(copy: Path, new: Path) -> None:
    new.mkdir()
    (new / "evaluate.yaml").write_text("challenges: {hearts: {folder: hearts}}\n")
    for check in (True, False):
        with pytest.raises(ChallengeError, match=f"^{new}/evaluate.yaml:1: challenges.hearts.folder: .* found {new}/h"):
            restore(copy, new, check=check)
        assert [path.name for path in new.iterdir()] == ["evaluate.yaml"]


@ONE_DATABASE
def test_what_a_backup_lacks_is_said_when_it_is_made_rehearsed_and_restored(
    store: Store, state: Path, copy: Path, new: Path
) -> None:
    first, second = store.entries()
    store.submit([{**upload("red", 9), "challenge": "/gone/hearts", "sha256": first.sha256}])
    shutil.rmtree(archive_of(state, first.sha256).parent)
    done = run(state, "backup", copy)
    wanted = "".join(f"when this backup was made: {finding}\n" for finding in problems(store, state))
    assert first.sha256 in wanted and "/gone/hearts" in wanted
    assert (done.exit_code, done.stderr) == (3, wanted), "as verify-state"
    for check in (["--check"], []):
        assert run(new, "restore", copy, *check, code=0).stderr == wanted
    assert sha256_file(archive_of(new, first.sha256)) == first.sha256, "it stays in the backup that has it"
    archive_of(state, second.sha256).write_text("changed")
    with pytest.raises(Fault, match=f"{second.sha256}/archive: the upload was changed, .*; nothing was replaced"):
        made(store, state, copy.with_name("other"))
    assert not (copy.with_name("other") / LIST).exists()


@ONE_DATABASE
def test_damaged_backup_brings_nothing_back(copy: Path, new: Path) -> None:
    archive = next(file for file in open_backup(copy).files if file.path.startswith("entries/"))
    path = object_of(copy, archive.sha256)
    path.chmod(0o600)
    path.write_text("changed")
    with pytest.raises(Fault, match="missing or damaged; nothing was written"):
        restore(copy, new)
    assert not new.exists()


@ONE_DATABASE
def test_folder_with_something_else_is_not_touched(store: Store, state: Path, copy: Path) -> None:
    photos = copy.with_name("photos")
    photos.mkdir()
    (photos / "a.jpg").touch()
    with pytest.raises(UsageError, match="expected a new folder or an earlier backup"):
        made(store, state, photos)
    with pytest.raises(UsageError, match="expected an empty folder, found"):
        restore(copy, state)


@ONE_DATABASE
def test_own_challenge_goes_back_to_its_place_unless_something_else_is_there(
    store: Store, state: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "challenges" / "own"
    folder.mkdir(parents=True)
    (folder / "challenge.yaml").write_text("name: own\n")
    store.submit([{**upload("red", 9), "challenge": str(folder), "sha256": store.entries()[0].sha256}])
    made(store, state, tmp_path / "copy")
    shutil.rmtree(tmp_path / "challenges")
    assert restore(tmp_path / "copy", tmp_path / "new").kept == ()
    assert (folder / "challenge.yaml").read_text() == "name: own\n"
    (folder / "challenge.yaml").write_text("name: changed\n")
    assert restore(tmp_path / "copy", tmp_path / "newer").kept == (str(folder / "challenge.yaml"),)
    assert (folder / "challenge.yaml").read_text() == "name: changed\n"
    restored = restore(tmp_path / "copy", tmp_path / "newest", challenges=tmp_path / "other")
    assert restored.moved == ((str(folder), tmp_path / "other" / "own"),)
    assert (tmp_path / "other" / "own" / "challenge.yaml").read_text() == "name: own\n"


@pytest.mark.parametrize("damage", ["leaves", "checkpoint", "hashes"])
@ONE_DATABASE
def test_backup_of_a_damaged_log_of_receipts_is_refused(store: Store, state: Path, tmp_path: Path, damage: str) -> None:
    (state / "keys" / "1.pem").unlink()
    sign(store, state, next(entry for entry in store.entries() if entry.state is State.DONE))
    before = made(store, state, tmp_path / "copy")
    file = state / "receipt-log" / damage
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    assert "receipts" in {finding.kind for finding in problems(store, state)}
    done = run(state, "backup", tmp_path / "copy")
    assert (done.exit_code, "nothing was replaced" in done.output, "verified" in done.output) == (3, True, False)
    assert open_backup(tmp_path / "copy") == before


@ONE_DATABASE
@pytest.mark.parametrize("call", ["backup", "_copy_table"])
def test_copied_journal_and_copied_log_are_of_one_moment(
    store: Store, state: Path, tmp_path: Path, new: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """The first receipt, signed meanwhile by a process that waits for the log, is in both or in neither."""
    shutil.rmtree(state / "keys")
    entry = next(entry for entry in store.entries() if not entry.state.ended)
    run_stages(store, state, entry, 0.7)
    signer = threading.Thread(target=sign, args=(store, state, entry))
    copied = getattr(databases, call)

    def meanwhile(*arguments: Any) -> Any:
        if not signer.ident:
            signer.start()
            signer.join(0.5)
        return copied(*arguments)

    monkeypatch.setattr(databases, call, meanwhile)
    made(store, state, tmp_path / "copy")
    signer.join()
    assert Registry(state).log.size == 1
    restore(tmp_path / "copy", new)
    assert_whole(new)
    with queue(new) as again:
        signed = [line for line in again.lines() if line.event == "signed"]
    assert Registry(new).log.size == 2 * len(signed), "a log that is not empty says that it was restored"
