"""A state directory on a disk that is mounted read-only can be looked at, and backed up."""

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from evaluate.operate.restoration import restore
from evaluate.store.db.rows import State
from tests.support.commands import program
from tests.support.queues import queue, run_stages, sign
from tests.unit.operate.test_backup_folder import submit

pytestmark = pytest.mark.slow
PRIVATE = ("unshare", "--mount", "--map-root-user")


def can_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    done = subprocess.run([*PRIVATE, "mount", "-t", "tmpfs", "none", "/mnt"], check=False, capture_output=True)
    return done.returncode == 0


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With an entry that has ended and one that waits; a file of the queue's log is left, as by a killed process."""
    folder = tmp_path_factory.mktemp("state")
    with queue(folder) as store:
        submit(store, folder, "red")
        (entry,) = store.next_entries(1)
        run_stages(store, folder, entry, 0.7)
        sign(store, folder, store.entry(entry.id))
        submit(store, folder, "blue")
        left = folder.with_name("left")
        shutil.copytree(folder, left)
    return left


def read_only(state: Path, tmp_path: Path, *commands: str) -> list[tuple[int, str]]:
    """Exit codes, with what was printed, of commands on a copy of a state directory on a disk that is read-only."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = f"mount -t tmpfs none {disk} && cp -a {state}/. {disk} && mount -o remount,ro {disk}"
    outputs = [tmp_path / f"output{number}" for number in range(len(commands))]
    runs = [
        f"{shlex.join(program(disk, *shlex.split(command)))} > {output} 2>&1; echo $? >> {output}"
        for command, output in zip(commands, outputs, strict=True)
    ]
    subprocess.run([*PRIVATE, "sh", "-ec", "\n".join([mount, "set +e", *runs])], check=True)
    ended = [output.read_text().splitlines() for output in outputs]
    return [(int(lines[-1]), "\n".join(lines[:-1])) for lines in ended]


@pytest.mark.skipif(not can_mount(), reason="no mount namespaces for this user")
@pytest.mark.parametrize("log", ["log and index", "neither"])
def test_what_looks_works_and_what_writes_says_why_it_cannot(state: Path, tmp_path: Path, log: str) -> None:
    copy = tmp_path / "own"
    shutil.copytree(state, copy)
    if log == "neither":
        with queue(copy):
            pass  # whoever closes it last removes them
    assert (copy / "queue.sqlite-wal").exists() == (log != "neither")
    with queue(shutil.copytree(copy, tmp_path / "look")) as store:
        ended = next(entry.id for entry in store.entries() if entry.state is State.DONE)
        waits = next(entry.id for entry in store.entries() if entry.state is not State.DONE)
    looks = [
        *("status", f"status {ended} --json", f"report {ended} --receipt {tmp_path}/receipt --organiser", "host list"),
        *("board cinc2017", "board verify cinc2017", "rejudge list", "team list", "prune --dry-run", "verify-state"),
        f"backup {tmp_path}/copy",
    ]
    sample = shlex.quote(str(Path("challenges/cinc2017/sample_entry").absolute()))
    writes = [f"cancel {waits}", "daemon --once", "team add green"]
    writes += [f"submit {sample} --challenge cinc2017 --team red"]
    if log != "log and index":  # the file is opened in other ways; what is asked is the same
        looks, writes = [f"backup {tmp_path}/copy", "status", f"report {ended} --organiser"], writes[:1]
    results = read_only(copy, tmp_path, *looks, *writes)
    assert [code for code, _ in results[: len(looks)]] == [0] * len(looks), results
    for command, (code, text) in zip(writes, results[len(looks) :], strict=True):
        assert (code, "ead-only" in text) == (3, True), (command, code, text)
        assert "Traceback" not in text
    assert restore(tmp_path / "copy", tmp_path / "new").entries == 2
