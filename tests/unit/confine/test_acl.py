"""A state directory is for its owner; QEMU's user reaches disks in it, and nobody else anything."""

import os
import pwd
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evaluate.confine.ownership import close, lend, may_pass, qemu_user, take_back
from evaluate.core.model import Stage, StageOutcome, StageResult, Verdict
from evaluate.host.state import open_state
from evaluate.store.files.archives import keep
from evaluate.store.files.depot import SharedFolder
from evaluate.store.files.stage_folders import DISK, Task, archive_of, perform, work_folder
from tests.support.queues import queue, submitted

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")


@pytest.fixture
def state(passable: Path) -> Path:
    """A state directory that everybody could reach as far as the folders above it go."""
    return open_state(passable / "state")


def may(user: int, *words: object, group: int | None = None, groups: Sequence[int] = ()) -> bool:
    who: dict[str, Any] = {"user": user, "group": user if group is None else group, "extra_groups": groups}
    return subprocess.run([*map(str, words)], capture_output=True, check=False, **who).returncode == 0


def filled(state: Path) -> set[Path]:
    """Files as a queue leaves them; those that QEMU opens."""
    with queue(state) as store:
        entry = store.entry(*submitted(store, "red"))

    def runner(task: Task, folder: Path) -> StageOutcome:
        for name in (f"root{DISK}", "prepared.json") if task.stage is Stage.PREP else ("answers/A1.txt",):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).touch(0o444)
        return StageOutcome(result=StageResult(stage=task.stage, verdict=Verdict.OK))

    for stage in (Stage.PREP, Stage.EXAM, Stage.SCORE):
        perform(Task(entry=entry, stage=stage), state, runner, "green:1", SharedFolder(state))
    (state.parent / "part").touch()
    keep(state.parent / "part", archive_of(state, entry.sha256))
    image = state / "images" / "plain-1" / "root.squashfs"
    image.parent.mkdir(parents=True)
    image.touch()
    return {work_folder(state, entry) / "prep" / f"root{DISK}", image}


@AS_ROOT
def test_other_users_reach_nothing_even_if_they_know_the_id_and_qemus_user_only_disks(state: Path) -> None:
    disks = filled(state)
    files = {path for path in state.rglob("*") if path.is_file()}
    assert disks < files and len(files) > 8
    assert not [path for path in files if may(pwd.getpwnam("nobody").pw_uid, "cat", path)]
    if (user := qemu_user()) is None:
        pytest.skip("no user of QEMU (Debian package libvirt-daemon-system)")
    number, group = user
    groups = os.getgrouplist(pwd.getpwuid(number).pw_name, group)
    assert {path for path in files if may(number, "cat", path, group=group, groups=groups)} == disks
    assert not may(number, "ls", state, group=group, groups=groups)


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
    (state / "file").touch()
    assert may(1235, "test", "-f", state / "file", group=5678)
    assert not may(1235, "test", "-f", state / "file")
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
    writes = ("sh", "-c", f"cat {file} && echo more >>{file}")
    lend(file, 1234)
    assert may(1234, *writes) and not may(1235, *writes)
    assert file.stat().st_uid == 0
    take_back(file)
    assert not may(1234, *writes)
