from __future__ import annotations

import os
import socket
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.support.guest_modules import guest_module

container = guest_module("container")


@pytest.fixture
def disks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Disks as `hello` makes them on a fresh machine."""
    for path in ("root/kept", "root/work", "home/kept", "tmp"):
        (tmp_path / path).mkdir(parents=True)
    monkeypatch.setattr(container, "DISKS", str(tmp_path))
    monkeypatch.setattr(container, "LAYERS", "/layer")
    return tmp_path


def mounts(place: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[str, str]]:
    """Where what is mounted: target -> source, options."""
    seen: dict[str, tuple[str, str]] = {}

    def mount(source: str, target: str, kind: str, flags: int = 0, data: str = "") -> None:
        seen[target] = (source, data)

    monkeypatch.setattr(container, "mount", mount)
    monkeypatch.setattr(container, "_make_devices", lambda _dev: None)
    place.build_root("/r")
    return seen


def options(mounted: tuple[str, str]) -> dict[str, str]:
    return dict(option.partition("=")[::2] for option in mounted[1].split(","))


def test_record_writes_to_a_scratch_layer_above_what_was_kept(disks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = container.Place(keep=False, n_layers=2)
    place.make()
    seen = mounts(place, monkeypatch)
    root, home = options(seen["/r"]), options(seen["/r/home/challenge"])
    assert root["lowerdir"] == f"{disks}/root/kept:/layer/0:/layer/1:/"
    assert root["upperdir"] == f"{disks}/root/run/upper"
    assert home["lowerdir"] == f"{disks}/home/kept"
    assert home["upperdir"] == f"{disks}/home/run/upper"
    assert "volatile" in root and "volatile" in home
    for upper in (root["upperdir"], home["upperdir"], root["workdir"], home["workdir"]):
        assert any(upper.startswith(f"{scratch}/") for scratch in place.scratch)
        assert Path(upper).is_dir()


def test_kept_command_writes_to_the_kept_layer(disks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = container.Place(keep=True, n_layers=0)
    place.make()
    seen = mounts(place, monkeypatch)
    root = options(seen["/r"])
    assert (root["lowerdir"], root["upperdir"]) == ("/", f"{disks}/root/kept")
    assert "volatile" not in root
    assert seen["/r/home/challenge"][0] == f"{disks}/home/kept"
    assert place.scratch == [f"{disks}/tmp/run"]


@pytest.mark.parametrize("keep", [False, True])
def test_temporary_folders_are_new_and_for_everybody(disks: Path, monkeypatch: pytest.MonkeyPatch, keep: bool) -> None:
    place = container.Place(keep=keep, n_layers=0)
    place.make()
    seen = mounts(place, monkeypatch)
    for target in ("/r/tmp", "/r/var/tmp"):
        folder = Path(seen[target][0])
        assert folder.parent == disks / "tmp/run"
        assert stat.S_IMODE(folder.stat().st_mode) == 0o1777


def test_scratch_home_has_the_mode_that_the_entry_gave_its_home(disks: Path) -> None:
    (disks / "home/kept").chmod(0o700)
    container.Place(keep=False, n_layers=0).make()
    assert stat.S_IMODE((disks / "home/run/upper").stat().st_mode) == 0o700


def test_regular_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    (tmp_path / "answers.txt").write_bytes(b"A01,N\r\n")
    (tmp_path / "empty").touch()
    assert container._read_file(str(tmp_path / "answers.txt"), 7) == b"+A01,N\r\n"
    assert container._read_file(str(tmp_path / "answers.txt"), 6) == b"larger than 6 bytes"
    assert container._read_file(str(tmp_path / "empty"), 0) == b"+"


def test_what_is_no_regular_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(str(tmp_path / "socket"))
    for name in ("link", "fifo", "socket", ""):
        assert container._read_file(str(tmp_path / name), 9) == b"not a regular file", name
    assert container._read_file("/dev/zero", 9) == b"not a regular file"
    for name in ("absent", "file/below"):
        assert container._read_file(str(tmp_path / name), 9) == b"missing"


def test_copy_replaces_a_link_instead_of_following_it(tmp_path: Path) -> None:
    (tmp_path / "A01.hea").write_text("record")
    (tmp_path / "model").write_text("mine")
    (tmp_path / "input").symlink_to("model")
    medium = os.open(tmp_path, os.O_RDONLY)
    container._copy(medium, "A01.hea", str(tmp_path / "input"))
    assert (tmp_path / "input").read_text() == "record"
    assert (tmp_path / "model").read_text() == "mine"
    with pytest.raises(LookupError, match=r"A02.hea on the records medium: No such file"):
        container._copy(medium, "A02.hea", str(tmp_path / "input"))
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        container._copy(medium, "A01.hea", str(tmp_path / "folder"))
    os.close(medium)


def test_child_that_fails_reports_and_never_returns() -> None:
    ours, theirs = os.pipe()
    pid = os.fork()
    if pid == 0:
        container._guarded(theirs, lambda: container._copy(-1, "", ""))
    os.close(theirs)
    report = os.read(ours, 4096)
    os.close(ours)
    assert report.startswith(b"LookupError: ")
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 70


def test_work_aside_is_waited_for_and_its_failure_is_told(tmp_path: Path) -> None:
    container.aside((tmp_path / "done").touch)
    assert (tmp_path / "done").exists()
    with pytest.raises(OSError, match=r"FileNotFoundError: .*absent"):
        container.aside((tmp_path / "absent").unlink)


def test_closing_leaves_only_what_was_named() -> None:
    pid = os.fork()
    if pid == 0:
        try:
            kept = os.dup(os.open("/", os.O_RDONLY))
            container._close_all_but((kept,))
            os._exit(sum(1 << (fd != kept) for fd in range(100) if _is_open(fd)))
        finally:
            os._exit(99)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 1


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True
