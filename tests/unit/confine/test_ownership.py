"""What is done to a file by descriptor, while its folder belongs to somebody who wants it done to another."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from evaluate.confine.ownership import NotOurs, discard_tree, give, held, remove_tree, set_mode, take
from tests.support.passable import let_pass

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
    argv = ["setpriv", f"--reuid={_STRANGER}", f"--regid={_STRANGER}", "--clear-groups", sys.executable, "-c", program]
    with subprocess.Popen([*argv, *words], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.send_signal(signal.SIGKILL)


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    let_pass(tmp_path)
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
        for _ in range(100_000):
            try:
                change(ours)
            except NotOurs:
                refused += 1
                if refused == 20:
                    break
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


def test_folder_is_removed_however_deep_and_whatever_its_modes(tmp_path: Path, secret: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    here = Path.cwd()
    try:
        os.chdir(top)
        for n in range(1100):  # too deep for a recursion, and for a path
            Path("inner").mkdir()
            if n % 500 == 0:
                Path("link").symlink_to(secret.parent)
                Path("file").touch()
            os.chdir("inner")
    finally:
        os.chdir(here)
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
