"""Behind the walls a hostile program wins nothing: as root, and as an ordinary user."""

import json
import os
import re
import shutil
import site
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evaluate.confine import scratch as scratch_module
from evaluate.confine import walls as module
from evaluate.confine.isolated import Bounds, isolated
from evaluate.confine.scratch import PLACE, Scratch
from evaluate.confine.walls import NotPossible, Openings, lent
from evaluate.core.errors import EntryError, Fault
from tests.conftest import CHECKOUT as ROOT
from tests.support import isolated_functions, wall_attacks
from tests.support.children import children
from tests.support.commands import output_of
from tests.support.passable import passable_folder, skip_where_closed

BOUNDS = Bounds(doing="reading the archive", seconds=60)
NOBODY = 64321
_AS = """
import json, sys
from pathlib import Path
from evaluate.confine.isolated import Bounds, isolated
from tests.support import wall_attacks
bounds = Bounds(doing="reading", seconds=60)
won = isolated(bounds, wall_attacks.every, Path(sys.argv[1]), sys.argv[2])
print(json.dumps([won, isolated(bounds, wall_attacks.seen)]))
"""


_BECOME = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
_CALLERS = {
    "root": (),
    "an ordinary user": _BECOME,
    # as systemd starts a service with AmbientCapabilities=CAP_PERFMON
    "a service with rights": (*_BECOME, "--inh-caps=+perfmon", "--ambient-caps=+perfmon"),
}


def behind_walls_of(who: str, given: Path, secret: Path) -> Any:
    """`wall_attacks.every` and `.seen`, called by root, an ordinary user, or one with ambient capabilities."""
    if who != "root":
        skip_where_closed()
    if who != "an ordinary user" and os.geteuid() != 0:
        pytest.skip("these tests do not run as root")
    become = _CALLERS[who] if os.geteuid() == 0 else ()
    return json.loads(output_of(*become, sys.executable, "-c", _AS, given, secret))


@pytest.fixture(scope="module", params=_CALLERS)
def attacked(request: pytest.FixtureRequest) -> Iterator[Any]:
    with passable_folder() as folder:
        folder.chmod(0o777)
        given, secret = folder / "given", folder / "secret"
        for path in (given, secret):
            path.write_text("of another entry")
            path.chmod(0o666)
        won, seen = behind_walls_of(request.param, given, secret)
        yield won, seen
        assert (given.read_text(), secret.read_text()) == ("of another entry", "of another entry")
        assert sorted(folder.iterdir()) == [given, secret]
        assert given.stat().st_mode & 0o7777 == 0o666


def test_no_attack_from_inside_wins_anything(attacked: Any) -> None:
    won, _ = attacked
    assert {name: what for name, what in won.items() if what} == {}
    assert len(won) > 120


def test_inside_there_is_the_interpreter_and_what_is_given_and_nothing_else(attacked: Any) -> None:
    _, seen = attacked
    assert seen["/dev"] == ["null", "urandom", "zero"]
    assert set(seen["/etc"]) <= {"alternatives", "ld.so.cache"}
    assert {"proc", "sys", "run", "home", "var", "boot"}.isdisjoint(set(seen["/"]) - set(ROOT.parts))
    assert set(seen["environment"]) <= {"LC_ALL", "PATH", "PWD"}
    assert len(seen["open"]) == 4  # the request, standard output and error, the reply


def test_calls_of_other_architectures_kill_the_process() -> None:
    for attack in (wall_attacks.call_of_i386, wall_attacks.call_of_x32):
        with pytest.raises(Fault, match="reading the archive ended with signal 31"):
            isolated(BOUNDS, attack)


def test_process_has_no_rights_and_its_own_namespaces_as_the_host_sees_it() -> None:
    (listen, ready), (go, release) = os.pipe(), os.pipe()
    others = children()
    bounds = replace(BOUNDS, pass_fds=(ready, go))
    thread = threading.Thread(target=isolated, args=(bounds, wall_attacks.wait, ready, go))
    thread.start()
    try:
        os.read(listen, 1)
        started = children(beside=others)
        inside = [p for p in started if not p.children() and p.name() != "bwrap"]
        status = Path(f"/proc/{inside[0].pid}/status").read_text()
        fields = dict(line.split(":", 1) for line in status.splitlines())
        spaces = {
            name: [Path("/proc", pid, "ns", name).readlink() for pid in (str(inside[0].pid), "self")]
            for name in ("pid", "net", "mnt", "ipc", "uts")
        }
    finally:
        os.write(release, b"x")
        thread.join()
        for fd in (listen, ready, go, release):
            os.close(fd)
    assert len(inside) == 1
    assert "0" not in fields["Uid"].split() + fields["Gid"].split()
    if os.geteuid() == 0:
        assert fields["Groups"].split() == []
    assert {fields[name].strip() for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {"0" * 16}
    assert (fields["NoNewPrivs"].strip(), fields["Seccomp"].strip()) == ("1", "2")
    assert all(there != here for there, here in spaces.values())


SCRATCHES = ["a file system in a file", "a file system in memory", "a folder that is watched"]


@pytest.fixture(params=SCRATCHES)
def scratch(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bounds:
    """Bounds with 8 MiB to write to, by each of the ways there are."""
    if request.param == SCRATCHES[0] and not scratch_module.has_loops():
        pytest.skip("only root mounts files, where the kernel has loop devices")
    monkeypatch.setattr(scratch_module, "has_loops", lambda: request.param == SCRATCHES[0])
    if request.param == SCRATCHES[2]:
        monkeypatch.setattr(scratch_module, "_memory_bytes", lambda: 0)
    return replace(BOUNDS, file_bytes=1 << 20, openings=Openings(scratch=Scratch(folder=tmp_path, most_bytes=8 << 20)))


def test_what_is_given_is_the_only_place_to_write_up_to_its_size_and_is_gone_afterwards(
    scratch: Bounds, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    assert set(isolated(scratch, wall_attacks.write_everywhere, PLACE, outside).values()) == {""}
    with pytest.raises(EntryError, match="reading the archive wrote more than 8 MiB or too many files"):
        isolated(scratch, isolated_functions.fill_folder, PLACE)
    keep_size = 1
    for mode in (0, keep_size):  # no space is reserved beyond a file's length
        assert isolated(scratch, isolated_functions.reserve, PLACE, mode, 8 << 30) == "EPERM"
    # a file system of 8 MiB has no room for all of them, and a folder that is watched may end them
    with suppress(EntryError):
        assert isolated(scratch, isolated_functions.nest, PLACE, 1500) > 1000
    assert list(tmp_path.rglob("*")) == [outside]


_UNSHARED = ("unshare", "--mount", "--propagation", "private", "sh", "-c")
_FULL = """
import os, sys
from pathlib import Path
from evaluate.core.errors import Fault
from evaluate.confine.isolated import Bounds, isolated
from evaluate.confine.scratch import PLACE, Scratch
from evaluate.confine.walls import Openings
from tests.support import isolated_functions
disk = Path(sys.argv[1])
scratch = Scratch(folder=disk, most_bytes=1 << 30)
try:
    bounds = Bounds(doing="reading", seconds=60, file_bytes=1 << 20, openings=Openings(scratch=scratch))
    isolated(bounds, isolated_functions.fill_folder, PLACE)
except Fault as e:
    print(e)
assert list(disk.iterdir()) == []
"""


def test_full_disk_of_the_host_is_no_fault_of_the_bytes(tmp_path: Path) -> None:
    """A disk of 80 MiB, on which a place of a gigabyte is promised."""
    if not scratch_module.has_loops():
        pytest.skip("only root mounts files, where the kernel has loop devices")
    mount = 'mount -t tmpfs -o size=80m none "$0" && exec "$@"'
    told = output_of(*_UNSHARED, mount, tmp_path, sys.executable, "-c", _FULL, tmp_path)
    assert f"reading: the disk of {tmp_path} is full: less than 64 MiB are free" in told


def test_file_of_the_host_is_written_in_place_up_to_its_bound(tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.touch(0o600)
    inode = made.stat().st_ino
    bounds = replace(BOUNDS, file_bytes=1 << 20, openings=Openings(writes=(made,)))
    isolated(bounds, isolated_functions.write_file, made, 1 << 20)
    found = made.stat()
    assert (found.st_ino, found.st_size, found.st_uid, found.st_gid) == (inode, 1 << 20, os.geteuid(), os.getegid())
    assert made.read_bytes() == b"x" * (1 << 20)
    with pytest.raises(EntryError, match="wrote more than 1 MiB"):
        isolated(bounds, isolated_functions.write_file, made, 2 << 20)


@pytest.mark.parametrize("kind", ["link", "second name", "pipe"])
def test_what_is_no_file_of_the_host_alone_is_not_opened_for_writing(kind: str, tmp_path: Path) -> None:
    secret, made = tmp_path / "secret", tmp_path / "made"
    secret.write_text("of another entry")
    {"link": made.symlink_to, "second name": made.hardlink_to, "pipe": lambda _: os.mkfifo(made)}[kind](secret)
    bounds = replace(BOUNDS, file_bytes=1 << 20, openings=Openings(writes=(made,)))
    with pytest.raises((Fault, OSError)):
        isolated(bounds, isolated_functions.write_file, made, 5)
    assert (secret.read_text(), secret.stat().st_uid) == ("of another entry", os.geteuid())


def test_python_that_a_relative_link_leads_to_is_found(passable: Path) -> None:
    """As tools make environments that can be moved: bin/python -> ../../base/python."""
    real = Path(sys.executable).resolve()
    base, bin_, packages = (passable / name for name in ("base", "env/bin", f"env/lib/{real.name}/site-packages"))
    for folder in (base, bin_, packages):
        folder.mkdir(parents=True)
    (base / "python").symlink_to(real)
    (bin_ / "python").symlink_to("../../base/python")
    (passable / "env" / "pyvenv.cfg").write_text(f"home = {real.parent}\ninclude-system-site-packages = false\n")
    (packages / "ours.pth").write_text(f"{site.getsitepackages()[0]}\n")
    for program in (bin_ / "python", bin_ / ".." / "bin" / "python"):
        assert output_of(program, "-c", _TRIAL) == "here\n"


_TRIAL = """
from evaluate.confine.isolated import Bounds, isolated
from evaluate.confine.lockdown import standing
assert isolated(Bounds(doing="reading", seconds=60), standing).landlock >= 0
print("here")
"""


def test_only_programs_that_are_named_can_be_started(tmp_path: Path) -> None:
    git = Path("/usr/bin/git")
    bounds = replace(BOUNDS, openings=Openings(programs=(git,)))
    assert isolated(bounds, wall_attacks.start, str(git), ["--version"]).startswith("git version")
    for program in ("/bin/sh", sys.executable, "/usr/bin/python3"):
        assert isolated(bounds, wall_attacks.start, program, ["-c", "pass"]) in ("FileNotFoundError", "PermissionError")
    assert isolated(BOUNDS, wall_attacks.start, str(git), ["--version"]) in ("FileNotFoundError", "PermissionError")


@pytest.mark.parametrize("why", ["root's", "a stranger's", "several owners", "closed to its owner", "an old kernel"])
def test_closed_files_are_read_and_copied_only_where_they_cannot_be_mounted(
    why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, is_root, mountable = tmp_path / "closed", os.geteuid() == 0, why in ("root's", "a stranger's")
    (folder / "deep").mkdir(parents=True)
    for path in (folder / "a", folder / "deep" / "b"):
        path.write_text("a")
        path.chmod(0o600)
    for path in (folder / "deep", folder):
        path.chmod(0o700)
    if not is_root and why != "root's":
        pytest.skip("an ordinary user reads its own files alone")
    if why == "a stranger's":
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
    elif why == "several owners":
        os.chown(folder / "a", NOBODY, NOBODY)
    elif why == "closed to its owner":
        (folder / "a").chmod(0)
    elif why == "an old kernel":
        monkeypatch.setattr(module, "_MOUNT_SETATTR", 100_000)
    try:
        with lent({tmp_path / "place": folder}, 12345):
            assert mountable
        monkeypatch.setattr(module, "_copied", lambda *_: pytest.fail("copied"))
    except NotPossible as e:
        if mountable and is_root:
            pytest.skip(f"this kernel or file system copies: {e}")
    before = [(path.stat().st_mode, path.stat().st_uid) for path in sorted(folder.rglob("*"))]
    for path in (folder / "a", folder / "deep", folder / "deep" / "b"):
        assert isolated(BOUNDS, isolated_functions.size_of, path) == 1
    assert isolated(BOUNDS, isolated_functions.names_in, folder) == ["a", "b", "deep"]
    assert set(isolated(BOUNDS, wall_attacks.files, folder / "a", str(tmp_path / "secret")).values()) == {""}
    assert [(path.stat().st_mode, path.stat().st_uid) for path in sorted(folder.rglob("*"))] == before
    assert not any(str(folder) in line for line in Path("/proc/self/mountinfo").read_text().splitlines())


_CHROOT = """
set -e
for folder in usr proc dev etc tmp "$CHECKOUT"; do
    mkdir -p "$ROOT/$folder"
    mount --rbind "/$folder" "$ROOT/$folder"
done
for folder in bin lib lib64 sbin; do ln -s usr/$folder "$ROOT/$folder"; done
exec chroot "$ROOT" "$PYTHON" -c '
from evaluate.confine.isolated import Bounds, isolated
from evaluate.confine.walls import root_is_mounted
from tests.support.wall_attacks import seen
assert not root_is_mounted()
print(isolated(Bounds(doing="reading", seconds=60), seen)["/dev"])
'
"""


def test_plain_chroot_has_walls_as_well(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("a plain chroot has no namespaces for an ordinary user")
    if not module.root_is_mounted():
        pytest.skip("this is a plain chroot: the other tests show it")
    place = {"ROOT": str(tmp_path), "CHECKOUT": str(ROOT), "PYTHON": sys.executable}
    assert output_of(*_UNSHARED, _CHROOT, env=place) == "['null', 'urandom', 'zero']\n"
    assert not any(str(tmp_path) in line for line in Path("/proc/self/mountinfo").read_text().splitlines())


def test_without_walls_nothing_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = tmp_path / "read"
    read.touch()
    for name in ("prlimit", "setpriv"):  # the second where a container's root has ambient capabilities
        found = shutil.which(name)
        assert found is not None
        (tmp_path / name).symlink_to(found)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Fault, match=r"not found on this machine: bwrap; install with: apt-get install bubblewrap"):
        isolated(BOUNDS, isolated_functions.size_of, read)
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    wish = "no process can be walled in on this machine: bwrap: No permissions to create new namespace"
    with pytest.raises(Fault, match=re.escape(wish) + ".*evaluate doctor"):
        isolated(BOUNDS, isolated_functions.size_of, read)
