"""The helper that is root: what it gives to the user of the services, and what it refuses."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluate.confine import root_helper
from evaluate.confine.root_helper import MOST_BYTES, ask, serve
from evaluate.confine.scratch import has_loops
from tests.support.commands import output_of

NOBODY = 65534
pytestmark = pytest.mark.skipif(not has_loops(), reason="only root mounts files, where the kernel has loop devices")


@contextlib.contextmanager
def helped(path: Path, *words: object) -> Iterator[None]:
    """A socket, as systemd has it: a process of Python for each connection."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        listening.bind(str(path))
        path.chmod(0o666)
        listening.listen()

        def accept() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:  # closed
                    return
                with connection:
                    subprocess.run([sys.executable, "-I", *map(str, words)], stdin=connection, check=True, env={})

        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()


@pytest.fixture
def helper(passable: Path) -> Iterator[Path]:
    """The socket of a helper."""
    images = passable / "images"
    images.mkdir(mode=0o700)
    with helped(passable / "socket", "-m", root_helper.__name__, images):
        yield passable / "socket"
    assert list(images.iterdir()) == []  # no file of a place has a name


def as_nobody(code: str, *words: object) -> str:
    nobody: Any = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    return output_of(sys.executable, "-c", code, *words, **nobody)


_READER = """
import sys
from dataclasses import replace
from pathlib import Path
from evaluate.confine import root_helper, scratch
from evaluate.confine.isolated import Bounds, isolated
from evaluate.confine.scratch import PLACE, Scratch
from evaluate.confine.walls import Openings
from evaluate.core.errors import EntryError
from tests.support import isolated_functions
folder, helper = map(Path, sys.argv[1:])
scratch._memory_bytes = lambda: 0
ask = root_helper.ask
scratch.root_helper.ask = lambda size: ask(size, helper)
assert scratch.has_helper()
with scratch.provided(Scratch(folder=folder, most_bytes=8 << 20), None) as place:
    print(place.watched)
bounds = Bounds(doing="reading", seconds=60, file_bytes=1 << 20)
bounds = replace(bounds, openings=Openings(scratch=Scratch(folder=folder, most_bytes=8 << 20)))
try:
    isolated(bounds, isolated_functions.fill_folder, PLACE)
except EntryError as e:
    print(e)
print(isolated(bounds, isolated_functions.nest, PLACE, 100), list(folder.iterdir()))
"""


def test_reader_of_an_ordinary_user_writes_to_a_place_that_has_an_end(helper: Path) -> None:
    folder = helper.with_name("state")
    folder.mkdir()
    os.chown(folder, NOBODY, NOBODY)
    lines = as_nobody(_READER, folder, helper).splitlines()
    assert lines == ["None", "reading wrote more than 8 MiB or too many files", "100 []"]


_SEEN = """
import os, sys
from pathlib import Path
from evaluate.confine.root_helper import ask
mount = ask(32 << 20, Path(sys.argv[1]))
found = os.fstatvfs(mount)
status = os.fstat(mount)
print(found.f_frsize * found.f_blocks >= 32 << 20, found.f_frsize * found.f_blocks < 128 << 20)
print(bool(found.f_flag & os.ST_NOSUID), bool(found.f_flag & os.ST_NODEV), status.st_uid, status.st_gid)
print(os.listdir(os.open('.', os.O_RDONLY, dir_fd=mount)), os.get_inheritable(mount))
"""


def test_place_has_its_size_its_owner_and_no_set_user_id_programs_or_devices(helper: Path) -> None:
    lines = as_nobody(_SEEN, helper).splitlines()
    assert lines == ["True True", f"True True {NOBODY} {NOBODY}", "['lost+found'] False"]


def test_loop_device_is_free_again_after_the_last_use(helper: Path) -> None:
    mount = ask(32 << 20, helper)
    number = os.minor(os.fstat(mount).st_dev)
    backing = Path(f"/sys/block/loop{number}/loop/backing_file")
    assert backing.exists()
    os.close(mount)
    # the kernel frees it when the file system is gone, a moment later; whoever takes it next has another file
    with contextlib.suppress(OSError):  # it has no backing file any more
        while str(helper.parent) in backing.read_text():
            os.sched_yield()


def reply_to(request: bytes, folder: Path) -> tuple[dict[str, str], int]:
    """What the helper answers, and how many descriptors come with it."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, its:
        ours.send(request)
        serve(its, folder)
        data, fds, _, _ = socket.recv_fds(ours, 4096, 4)
    for fd in fds:
        os.close(fd)
    return json.loads(data), len(fds)


@pytest.mark.parametrize(
    "fields",
    [
        *(b"", b'"bytes": -1', b'"bytes": 1', b'"bytes": true', b'"bytes": "5000"', b'"bytes": 1e6, "folder": "/etc"'),
        *(b'"bytes": %d' % (MOST_BYTES + 1), b'"bytes": 5000, "bytes": 99999999999999999999'),
        *(None, b"[" * 4000, b"\xff\xfe", b"{}", b'{"type": "mount", "bytes": 5000}', b"x" * 5000),
    ],
    ids=lambda data: repr(data and data[:40]),
)
def test_request_that_is_not_agreed_on_or_for_more_than_the_disk_has_is_refused(
    fields: bytes | None, tmp_path: Path
) -> None:
    disk = os.statvfs(tmp_path)
    free = disk.f_bavail * disk.f_frsize
    if fields is None and free >= MOST_BYTES:
        pytest.skip("this disk has space for the largest place there is")
    most = b'"bytes": %d' % min(MOST_BYTES, free + (1 << 30))
    whole = fields is not None and not fields.startswith(b'"')
    request = fields if fields and whole else b'{"type": "place", %s}' % (most if fields is None else fields)
    reply, count = reply_to(request, tmp_path)
    assert (reply["type"], count, list(tmp_path.iterdir())) == ("refused", 0, [])
    after = os.statvfs(tmp_path)
    assert after.f_bavail * after.f_frsize > free // 2


def test_without_a_helper_there_is_no_place(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ask(1 << 20, tmp_path / "none")


@pytest.mark.parametrize(
    ("reply", "what"),
    [
        (b'{"type": "mounted"}', "no mount"),
        (b'{"type": "refused", "reason": "full"}', "full"),
        (b'{"type": "mounted", "at": "/etc"}', "no reply that can be read"),
        (b"", "no reply that can be read"),
    ],
)
def test_reply_without_a_mount_is_an_error(reply: bytes, what: str, tmp_path: Path) -> None:
    answers = f"import os; os.read(0, 4096); os.write(0, {reply!r})"
    with helped(tmp_path / "socket", "-c", answers), pytest.raises(OSError, match=what):
        ask(1 << 20, tmp_path / "socket")


_STARTS = """
import os, sys
from pathlib import Path
from evaluate.confine.root_helper import ask, start
socket, folder = map(Path, sys.argv[1:])
started = [start(65534, 65534, socket, folder) for _ in range(2)]
status = socket.stat()
helper = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()[0]
os.setgroups([])
os.setresgid(65534, 65534, 65534)
os.setresuid(65534, 65534, 65534)
mounts = [os.fstat(ask(4 << 20, socket)).st_uid for _ in range(3)]
again = dict(line.split(":\\t") for line in Path(f"/proc/{helper}/status").read_text().splitlines())
only_mounts = int(again["CapEff"], 16) == 1 << 21
print(started, status.st_uid, oct(status.st_mode & 0o777), mounts, only_mounts, again["NoNewPrivs"])
"""


def test_root_that_becomes_another_user_leaves_a_helper_that_ends_with_it(passable: Path) -> None:
    at, images = passable / "socket", passable / "images"
    for _ in range(2):  # the second finds the name of a helper that has ended
        told = output_of(sys.executable, "-c", _STARTS, at, images)
        assert told == "[True, False] 65534 0o600 [65534, 65534, 65534] True 1\n"
        while root_helper._answers(at) and not os.sched_yield():  # the kernel ends it, a moment after its parent
            pass
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as ended:  # what one that was killed leaves
            ended.bind(str(at))
    assert images.stat().st_mode & 0o777 == 0o700 and list(images.iterdir()) == []
