"""What is done to a file by descriptor, while its folder belongs to somebody who wants it done to another."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

from evaluate.confine import ownership
from evaluate.confine.ownership import (
    NotOurs,
    discard_tree,
    free_subordinates,
    give,
    held,
    remove_tree,
    set_mode,
    subordinate,
    take,
)

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")
_STRANGER = 0x70000001
_EXCHANGES = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
one, other = sys.argv[1:]
print(flush=True)
while True:
    libc.renameat2(-100, one.encode(), -100, other.encode(), 2)
"""
_CREATES = """
import os, sys
os.chdir(sys.argv[1])
place = os.open("inner", os.O_RDONLY)
print(flush=True)
n = 0
while True:
    n += 1
    try:
        os.mkdir(f"new-{n}", dir_fd=place)
    except OSError:
        pass
"""


@contextmanager
def _by_a_stranger(program: str, *words: str) -> Iterator[None]:
    argv, number = [sys.executable, "-c", program, *words], _STRANGER
    with subprocess.Popen(argv, stdout=subprocess.PIPE, user=number, group=number, extra_groups=[]) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.kill()


@pytest.fixture
def tmp_path(passable: Path) -> Path:
    return passable


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret"
    path.write_text("of the host")
    path.chmod(0o600)
    return path


@AS_ROOT
@pytest.mark.parametrize("change", [lambda p: give(p, _STRANGER, _STRANGER), lambda p: set_mode(p, 0o666)])
def test_exchange_of_names_changes_no_other_file(change: Callable[[Path], None], secret: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    ours, link = theirs / "ours", theirs / "link"
    ours.write_text("")
    link.symlink_to(secret)
    os.chown(theirs, _STRANGER, _STRANGER)
    refused = 0
    with _by_a_stranger(_EXCHANGES, str(ours), str(link)):
        deadline = time.monotonic() + 600
        while refused < 20 and time.monotonic() < deadline:
            try:
                change(ours)
            except NotOurs:
                refused += 1
    assert (secret.stat().st_uid, secret.stat().st_mode & 0o777) == (0, 0o600)
    assert refused == 20  # otherwise nothing was exchanged at the right moment


def test_link_and_file_with_two_names_are_refused_and_a_socket_is_not(secret: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(secret)
    os.link(secret, tmp_path / "second")
    for name in ("link", "second"):
        with pytest.raises(NotOurs, match=f"expected a file of its own, found a link to another: .*{name}"):
            set_mode(tmp_path / name, 0o666)
    assert secret.stat().st_mode & 0o777 == 0o600
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        set_mode(tmp_path / "socket", 0o600)
        take(tmp_path / "socket")
    assert (tmp_path / "socket").stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileNotFoundError), held(tmp_path / "nothing"):
        pass


def test_folder_is_removed_however_deep_and_whatever_its_modes(
    tmp_path: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = tmp_path / "top"
    top.mkdir()
    monkeypatch.chdir(top)
    for n in range(1100):  # too deep for a recursion, and for a path
        Path("inner").mkdir()
        if n % 500 == 0:
            Path("link").symlink_to(secret.parent)
            Path("file").touch()
        os.chdir("inner")
    (top / "closed" / "inner").mkdir(parents=True)
    (top / "closed").chmod(0)
    remove_tree(top)
    assert not top.exists() and secret.read_text() == "of the host"
    remove_tree(top)


@AS_ROOT
def test_removal_ends_while_a_stranger_creates(tmp_path: Path, secret: Path) -> None:
    top = tmp_path / "top"
    (top / "inner").mkdir(parents=True)
    for folder in (top, top / "inner"):
        os.chown(folder, _STRANGER, _STRANGER)
    with _by_a_stranger(_CREATES, str(top)):
        remove_tree(top)
    assert not top.exists()


@pytest.mark.parametrize("for_ever", [False, True])
def test_file_that_a_process_of_the_same_user_leaves_meanwhile_is_removed_too_for_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, for_ever: bool
) -> None:
    top, entries, left = tmp_path / "top", ownership._entries, list[int]()
    (top / "inner").mkdir(parents=True)

    def meanwhile(folder: int) -> list[tuple[str, bool]]:
        listed = entries(folder)
        if not listed and (for_ever or not left):
            left.append(os.open("late", os.O_CREAT | os.O_WRONLY, dir_fd=folder))
            os.close(left[-1])
        return listed

    monkeypatch.setattr(ownership, "_entries", meanwhile)
    if for_ever:
        monkeypatch.setattr(ownership, "_WRITTEN_SECONDS", 0.0)
    with pytest.raises(OSError, match="not empty") if for_ever else nullcontext():
        remove_tree(top)
    assert top.exists() is for_ever


def test_what_is_no_folder_is_not_removed_or_left_without_an_error(tmp_path: Path, secret: Path) -> None:
    (tmp_path / "link").symlink_to(secret.parent)
    for path in (secret, tmp_path / "link"):
        with pytest.raises(NotADirectoryError):
            remove_tree(path)
        discard_tree(path)
    discard_tree(tmp_path / "none")
    (tmp_path / "folder" / "inner").mkdir(parents=True)
    discard_tree(tmp_path / "folder")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "secret"]


@pytest.mark.parametrize(("mapped", "enough"), [(1 << 32, True), (65_536, True), (1000, False), (1, False)])
def test_every_process_is_another_user_where_the_numbers_are_enough(
    mapped: int, enough: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ownership, "_mapped", lambda _: mapped)
    assert ownership.has_own_users() is enough
    numbers = {ownership.own_user() for _ in range(20)}
    assert mapped == 1 or (len(numbers) > 1 and min(numbers) > 0)
    assert max(numbers) < mapped


def test_subordinate_numbers_are_those_of_the_files_and_enough_and_free_ones_nobodys(tmp_path: Path) -> None:
    assert free_subordinates(tmp_path) == range(2_000_000, 2_065_536)
    (tmp_path / "subuid").write_text("other:1:65536\nevaluate:x:\nevaluate:5:100\nevaluate:2000000:65536\n")
    assert subordinate("evaluate", tmp_path) is None
    (tmp_path / "subgid").write_text("evaluate:3000000:65536\n")
    assert subordinate("evaluate", tmp_path) == (range(2000000, 2065536), range(3000000, 3065536))
    assert subordinate("nobody", tmp_path) is None
    (tmp_path / "subgid").write_text("a:100000:65536\nb:3000000:10\n")
    assert free_subordinates(tmp_path) == range(3_000_010, 3_065_546)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a process of another user")
def test_number_that_a_process_has_is_not_given_again() -> None:
    first = ownership.own_user()
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, user=first) as process:
        assert {ownership.unused(range(first, first + 2)) for _ in range(20)} == {first + 1}
        process.communicate()
    assert {ownership.unused(range(first, first + 1))} == {first}
