"""A state directory is for its owner; QEMU's user reaches disks in it, and nobody else anything."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluate.confine.ownership import close, lend, may_pass, qemu_user, take_back
from evaluate.core.model import Stage, StageOutcome, StageResult, Verdict
from evaluate.host.state import open_state
from evaluate.store.db.database import file_of
from evaluate.store.files.archives import keep
from evaluate.store.files.depot import SharedFolder
from evaluate.store.files.stage_folders import DISK, Task, archive_of, perform, work_folder
from tests.support.queues import queue, submitted

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")


@pytest.fixture
def state() -> Iterator[Path]:
    """A state directory that everybody could reach as far as the folders above it go."""
    above = Path(tempfile.mkdtemp(prefix="evaluate-access-", dir="/var/tmp"))
    above.chmod(0o755)
    yield open_state(above / "state")
    shutil.rmtree(above)


def may(user: str, *words: str) -> bool:
    number = pwd.getpwnam(user)
    argv = ["setpriv", f"--reuid={number.pw_uid}", f"--regid={number.pw_gid}", "--init-groups", *words]
    return subprocess.run(argv, capture_output=True, check=False).returncode == 0


def filled(state: Path) -> tuple[list[Path], list[Path]]:
    """What a queue leaves: what is secret, and the disks that QEMU opens."""
    (state / "part").write_text("an archive")
    with queue(state) as store:
        (identity,) = submitted(store, "red")
        entry = store.entry(identity)

    def runner(task: Task, folder: Path) -> StageOutcome:
        if task.stage is Stage.PREP:
            (folder / f"root{DISK}").write_text("disk")
            (folder / f"root{DISK}").chmod(0o444)
            (folder / "prepared.json").write_text("{}")
        else:
            (folder / "answers").mkdir()
            (folder / "answers" / "A1.txt").write_text("N")
        return StageOutcome(result=StageResult(stage=task.stage, verdict=Verdict.OK))

    for stage in (Stage.PREP, Stage.EXAM, Stage.SCORE):
        perform(Task(entry=entry, stage=stage), state, runner, "green:1", SharedFolder(state))
    keep(state / "part", archive_of(state, entry.sha256))
    work = work_folder(state, entry)
    secret = [
        work / "exam" / "answers" / "A1.txt",
        *(work / stage / "result.json" for stage in ("prep", "exam", "score")),
    ]
    secret += [work / "prep" / "prepared.json", archive_of(state, entry.sha256)]
    secret += [file_of(state), state / "queue.position"]
    (state / "images" / "plain-1").mkdir(parents=True)
    (state / "images" / "plain-1" / "root.squashfs").write_text("image")
    return secret, [work / "prep" / f"root{DISK}", state / "images" / "plain-1" / "root.squashfs"]


@AS_ROOT
def test_other_users_reach_nothing_even_if_they_know_the_id_and_qemus_user_only_disks(state: Path) -> None:
    secret, disks = filled(state)
    assert all(path.is_file() for path in (*secret, *disks))
    assert not [path for path in (*secret, *disks) if may("nobody", "cat", str(path))]
    if (user := qemu_user()) is None:
        pytest.skip("no user of QEMU (Debian package libvirt-daemon-system)")
    name = pwd.getpwuid(user[0]).pw_name
    assert [path for path in disks if not may(name, "cat", str(path))] == []
    assert [path for path in secret if may(name, "cat", str(path))] == []
    assert not may(name, "ls", str(state))


@AS_ROOT
def test_folder_that_is_no_state_directory_is_left_as_it_is(state: Path) -> None:
    other = state.parent / "lib"
    (other / "dpkg").mkdir(parents=True)
    other.chmod(0o755)
    assert open_state(other).stat().st_mode & 0o777 == 0o755
    (other / "queue.sqlite").touch()
    assert open_state(other).stat().st_mode & 0o007 == 0


@AS_ROOT
def test_folder_that_was_open_is_closed_but_to_a_user_and_a_group(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state.chmod(0o755)
    for _ in range(2):
        close(state, (1234, 1234))
        assert may_pass(state, (1234, 1234))
        assert not may_pass(state, (1235, 1235)) and not may_pass(state, (1235, 0))
    close(state, (1234, 1234), 5678)
    assert may_pass(state, (1234, 1234)) and may_pass(state, (1235, 5678))
    assert not may_pass(state, (1235, 1235))
    argv = ["setpriv", "--reuid=1235", "--regid=5678", "--clear-groups", "test", "-f", str(state / "file")]
    (state / "file").touch()
    assert subprocess.run(argv, check=False).returncode == 0
    assert subprocess.run([*argv[:2], "--regid=1235", *argv[3:]], check=False).returncode == 1
    close(state, None)
    assert not may_pass(state, (1234, 1234))
    assert state.stat().st_mode & 0o777 == 0o700

    def unsupported(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("os.setxattr", unsupported)  # without access control lists the group passes
    close(state, (1234, 1234))
    assert (state.stat().st_gid, state.stat().st_mode & 0o777) == (1234, 0o710)
    assert may_pass(state, (1234, 1234)) and not may_pass(state, (1235, 1235))


@AS_ROOT
def test_file_is_lent_to_one_more_user_and_taken_back(state: Path) -> None:
    """As the disk of a guest whose QEMU has a subordinate number."""
    state.chmod(0o711)
    file = state / "disk"
    file.write_text("disk")
    file.chmod(0o640)
    writes = ["sh", "-c", f"cat {file} && echo more >>{file}"]

    def may(user: int) -> bool:
        become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
        return subprocess.run([*become, *writes], capture_output=True, check=False).returncode == 0

    lend(file, 1234)
    assert may(1234) and not may(1235)
    assert file.stat().st_uid == 0
    take_back(file)
    assert not may(1234)
