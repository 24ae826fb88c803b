"""Single functions of the keeper, compiled into a program that calls them; the whole is tested in a real guest."""

from __future__ import annotations

import ctypes
import os
import socket
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evaluate.images.initrd import program
from evaluate.protocol import messages
from evaluate.protocol.frames import pack
from tests.support.guest_modules import GUEST, guest_module

container = guest_module("container")
KIB = 1 << 10
NONCE = b"n" * 16


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of `keeper_calls.c`."""
    program = tmp_path_factory.mktemp("keeper") / "calls"
    source = Path(__file__).parents[2] / "support" / "keeper_calls.c"
    flags = ("-static", "-O1", "-Wall", "-Wno-unused-function", f"-I{GUEST}")
    subprocess.run(["gcc", *flags, "-o", program, source], check=True)
    return program


def called(calls: Path, *arguments: str | Path, stdin: bytes = b"") -> bytes:
    done = subprocess.run([calls, *arguments], input=stdin, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def fields(sent: bytes) -> list[bytes]:
    found = []
    (size,), report = struct.unpack_from("<I", sent), sent[4:]
    assert size == len(report)
    while report:
        (size,) = struct.unpack_from("<I", report)
        found.append(report[4 : 4 + size])
        report = report[4 + size :]
    return found


def output(calls: Path, data: bytes) -> Any:
    total, head, tail = fields(called(calls, "output", stdin=data))
    return container.Output(int(total), head, tail)


def test_it_is_compiled_once(tmp_path: Path) -> None:
    first = program("keeper.c", tmp_path)
    made = first.stat().st_mtime_ns
    assert program("keeper.c", tmp_path) == first
    assert first.stat().st_mtime_ns == made


def test_output_of_64_kib_is_kept_whole(calls: Path) -> None:
    data = os.urandom(64 * KIB)
    assert output(calls, data).kept() == data


def test_output_one_byte_longer_says_what_is_left_out(calls: Path) -> None:
    kept = output(calls, b"a" * (32 * KIB) + b"?" + b"b" * (32 * KIB)).kept().decode()
    assert kept == "a" * (32 * KIB) + "\n[… 1 bytes left out …]\n" + "b" * (32 * KIB)


def test_long_output_keeps_a_bounded_part(calls: Path) -> None:
    found = output(calls, b"".join(b"%05d " % i * 1000 for i in range(100)))
    assert found.total == 600_000
    assert len(found.kept()) < 66_000
    assert found.kept().startswith(b"00000 ")
    assert found.kept().endswith(b"00099 ")


def file(calls: Path, root: Path, path: str, most: int) -> bytes:
    """What is reported of a file of a command's root."""
    (found,) = fields(called(calls, "file", root, path, str(most)))
    return found


def test_regular_file_is_read_up_to_its_bound(calls: Path, tmp_path: Path) -> None:
    (tmp_path / "answers.txt").write_bytes(b"A01,N\r\n")
    (tmp_path / "empty").touch()
    assert file(calls, tmp_path, "/answers.txt", 7) == b"+A01,N\r\n"
    assert file(calls, tmp_path, "/answers.txt", 6) == b"larger than 6 bytes"
    assert file(calls, tmp_path, "/empty", 0) == b"+"
    (tmp_path / "long").write_bytes(bytes(range(256)) * 5000)
    assert file(calls, tmp_path, "/long", 1 << 30) == b"+" + bytes(range(256)) * 5000


def test_what_is_no_regular_file_is_not_read(calls: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(str(tmp_path / "socket"))
    for name in ("link", "fifo", "socket", ""):
        assert file(calls, tmp_path, f"/{name}", 9) == b"not a regular file", name
    assert file(calls, Path("/dev"), "/zero", 9) == b"not a regular file"
    for name in ("absent", "file/below"):
        assert file(calls, tmp_path, f"/{name}", 9) == b"missing"


def test_file_is_looked_for_below_the_root_of_the_command(calls: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "home").mkdir(parents=True)
    (tmp_path / "answers.txt").write_text("not yours")
    (root / "up").symlink_to("..")
    (root / "whole").symlink_to("/")
    (root / "out").symlink_to(f"/proc/{os.getpid()}/root")
    for path in ("/up/answers.txt", "/../answers.txt", f"/whole{tmp_path}/answers.txt", "/out/etc/passwd"):
        assert file(calls, root, path, 99) == b"missing", path
    assert file(calls, Path("/"), f"/proc/{os.getpid()}/root/etc/passwd", 1 << 20) == b"not a regular file"
    (root / "answers.txt").write_text("mine")
    assert file(calls, root, "/home/../whole/answers.txt", 99) == b"+mine"


def test_values_of_a_control_group_are_found_by_their_keys(calls: Path, tmp_path: Path) -> None:
    (tmp_path / "memory.events").write_text("low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 1\n")
    (tmp_path / "pids.events").write_text("max 7\n")
    (tmp_path / "memory.peak").write_text("123456789012\n")
    for name, key, value in (
        ("memory.events", "\noom_kill ", b"2"),
        ("pids.events", "max ", b"7"),
        ("memory.peak", "", b"123456789012"),
        ("pids.events", "min ", b"0"),
    ):
        assert fields(called(calls, "value", tmp_path, name, key)) == [value]


def test_input_replaces_a_link_instead_of_following_it(calls: Path, tmp_path: Path) -> None:
    (tmp_path / "A01.hea").write_text("record")
    (tmp_path / "model").write_text("mine")
    (tmp_path / "input").symlink_to("model")
    assert called(calls, "copy", tmp_path, "A01.hea", tmp_path / "input") == b""
    assert (tmp_path / "input").read_text() == "record"
    assert (tmp_path / "model").read_text() == "mine"
    (tmp_path / "folder").mkdir()
    assert b"directory" in called(calls, "copy", tmp_path, "A01.hea", tmp_path / "folder")


def test_input_that_is_not_on_the_medium_is_a_fault_with_its_name(calls: Path, tmp_path: Path) -> None:
    done = subprocess.run([calls, "copy", tmp_path, "A02.hea", tmp_path / "x"], capture_output=True, check=False)
    assert done.returncode == 70
    assert done.stderr == b"A02.hea on the records medium: No such file or directory"


def test_folders_of_any_depth_and_name_are_removed(calls: Path, tmp_path: Path) -> None:
    top = tmp_path / "top"
    (top / "upper" / "full" / "er").mkdir(parents=True)
    (top / "upper" / "full" / "er" / "file").touch()
    for n in range(3):
        (top / f"moved-{n}" / "taken").mkdir(parents=True)
    (top / "upper" / "new\nline").symlink_to("/etc")
    (tmp_path / "kept").touch()
    (top / "outside").symlink_to(tmp_path)
    here = os.open(top, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    called(calls, "remove", top)
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_folder_is_emptied_and_dated_but_stays_the_same(calls: Path, tmp_path: Path) -> None:
    top = tmp_path / "top"
    (top / "a" / "b" / "c").mkdir(parents=True)
    (top / "a" / "file").touch()
    os.utime(top, (0, 0))
    before = top.stat()
    called(calls, "steps", written(tmp_path, [("empty", top), ("date", top, 1_000_000_000)]))
    after = top.stat()
    assert list(top.iterdir()) == []
    assert after.st_ino == before.st_ino
    assert after.st_mtime_ns == after.st_atime_ns == 10**18


def test_folder_that_was_written_to_has_another_date(calls: Path, tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    dated = written(tmp_path, [("date", top, container.UNWRITTEN)])

    def unwritten() -> bool:
        return called(calls, "dated", str(container.UNWRITTEN), top, top) == b"yes"

    assert not unwritten()
    called(calls, "steps", dated)
    assert unwritten()
    (top / "letter").touch()
    (top / "letter").unlink()
    assert not unwritten()
    called(calls, "steps", dated)
    os.utime(top)  # which does not need its owner, only the right to write
    assert not unwritten()


def written(tmp_path: Path, steps: Sequence[tuple[Any, ...]]) -> Path:
    plan = tmp_path / "plan"
    content = container._field(container._encoded(steps))
    plan.write_bytes(struct.pack("<I", len(content)) + content)
    return plan


def test_steps_are_done_in_their_order(calls: Path, tmp_path: Path) -> None:
    (tmp_path / "limit").touch()
    steps = [
        ("mkdir", tmp_path / "a", 0o1777),
        ("mkdir", tmp_path / "a/b", 0o700),
        ("write", tmp_path / "limit", 42),
        ("top", tmp_path / "a"),
        ("top", tmp_path / "c"),
    ]
    called(calls, "steps", written(tmp_path, steps))
    assert (tmp_path / "a/b").is_dir()
    assert (tmp_path / "limit").read_text() == "42"
    assert (tmp_path / "c").is_dir()


def resident(path: Path) -> int:
    """Pages of a file that are in memory."""
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    size = path.stat().st_size
    with path.open("rb") as file:
        place = ctypes.c_void_p(libc.mmap(None, ctypes.c_size_t(size), 1, 2, file.fileno(), ctypes.c_long(0)))
    found = (ctypes.c_ubyte * (-(-size // 4096)))()
    assert libc.mincore(place, ctypes.c_size_t(size), found) == 0
    libc.munmap(place, ctypes.c_size_t(size))
    return sum(one & 1 for one in found)


def test_files_of_an_entry_are_forgotten(calls: Path) -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:  # not in memory itself, as /tmp may be
        letter = Path(folder) / "sub" / "letter"
        letter.parent.mkdir()
        letter.write_bytes(os.urandom(1 << 18))
        (letter.parent / "pipe").symlink_to("/dev/zero")
        with letter.open("rb") as file:
            os.fsync(file.fileno())
        if resident(letter) == 0:
            pytest.skip("the file system of /var/tmp keeps nothing in memory")
        called(calls, "steps", written(Path(folder), [("forget", folder, 100)]))
        if resident(letter):
            pytest.skip("/var/tmp is a file system in memory")
        assert letter.read_bytes()
        assert resident(letter) > 0


@pytest.mark.parametrize(
    ("most", "size", "expected"),
    [(7, 12 * KIB, "held"), (6, 12 * KIB, "not held"), (7, 12 * KIB - 1, "not held")],
)
def test_files_of_an_entry_are_locked_if_they_are_few_and_small(
    calls: Path, tmp_path: Path, most: int, size: int, expected: str
) -> None:
    (tmp_path / "first" / "sub").mkdir(parents=True)
    (tmp_path / "second").mkdir()
    for path in ("first/a", "first/sub/b", "second/a"):
        (tmp_path / path).write_bytes(bytes(4 * KIB))
    (tmp_path / "first" / "empty").write_bytes(b"")
    (tmp_path / "first" / "link").symlink_to("/etc/passwd")
    os.link(tmp_path / "first" / "empty", tmp_path / "second" / "again")
    os.mkfifo(tmp_path / "second" / "pipe")
    (tmp_path / "second" / "closed").touch(mode=0)
    found = called(calls, "hold", str(most), str(size), tmp_path / "first", tmp_path / "second").decode().splitlines()
    assert found[0] == expected
    assert (int(found[1]) >= 12) == (expected == "held")


def test_link_in_the_place_of_a_top_level_folder_is_refused(calls: Path, tmp_path: Path) -> None:
    (tmp_path / "input").symlink_to("/etc")
    plan = written(tmp_path, [("top", tmp_path / "input")])
    done = subprocess.run([calls, "steps", plan], capture_output=True, check=False)
    assert done.returncode == 70
    assert done.stderr.startswith(b"not a folder of the top level: ")


def packed(message: messages.Message, number: int) -> bytes:
    return pack(messages.encode(message), NONCE, number)


def test_frames_are_compared_byte_by_byte(tmp_path: Path) -> None:
    """`hear` is called through a program of its own: a frame has zero bytes, which no argument can have."""
    source, program = tmp_path / "hear.c", tmp_path / "hear"
    source.write_text(_HEAR)
    subprocess.run(["gcc", "-Wno-unused-function", f"-I{GUEST}", "-o", program, source], check=True)
    go, kill = packed(messages.Go(), 5), packed(messages.Kill(), 6)

    def heard(*parts: bytes) -> bytes:
        template = packed(messages.Go(), 0), packed(messages.Kill(), 0)
        argv = [program, str(len(template[0])), str(len(template[1]))]
        with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None and process.stdout is not None
            for part in (*template, *parts):
                process.stdin.write(part)
                process.stdin.flush()
            process.stdin.close()
            return process.stdout.read()

    assert heard(go, kill) == b"2 1 0"
    assert heard(go[:30], go[30:] + kill[:7], kill[7:]) == b"2 1 0"
    assert heard(packed(messages.Go(), 4)) == b"0 2 %d" % len(go)
    assert heard(packed(messages.Kill(), 5))[:4] == b"0 2 "


_HEAR = """
#define main keeper_main
#include "keeper.c"
#undef main
int main(int argc, char **argv)
{
    static char templates[2][FRAME];
    enum heard what = EXPECTED;
    int good = 0;
    for (int i = 0; i < argc - 1; i++)
        for (int n = atoi(argv[i + 1]), at = 0; at < n;)
            at += read(0, templates[i] + at, n - at);
    dup2(0, PORT);
    heard = 5;
    for (int i = 0; i < 2 && what == EXPECTED; i++) {
        struct bytes frame = {templates[i], (uint32_t)atoi(argv[i + 1])};
        while ((what = hear(frame)) == NOTHING_YET)
            ;
        good += what == EXPECTED;
    }
    printf("%d %d %zu", good, what, n_arriving);
    return 0;
}
"""


def test_what_the_host_says_after_the_end_is_heard_or_left_to_the_agent(tmp_path: Path) -> None:
    """`follow` is called for a command that has ended; ``Kill`` may have been on its way, as a whole or in part."""
    source, program = tmp_path / "follow.c", tmp_path / "follow"
    source.write_text(_FOLLOW)
    subprocess.run(["gcc", "-Wno-unused-function", f"-I{GUEST}", "-o", program, source], check=True)
    exited, counted, kill = packed(messages.Exited(), 2), packed(messages.Counted(), 5), packed(messages.Kill(), 5)

    def followed(*parts: bytes, begun: bytes = b"") -> list[bytes]:
        template = packed(messages.Exited(), 0), packed(messages.Counted(), 0), packed(messages.Kill(), 0)
        argv = [program, *(str(len(each)) for each in (*template, begun))]
        host, port = socket.socketpair()
        with host, port, subprocess.Popen(argv, stdin=port, stdout=subprocess.PIPE) as process:
            for part in (*template, begun):
                host.sendall(part)
            assert host.recv(1 << 10) == exited
            for part in parts:
                host.sendall(part)
            assert process.stdout is not None
            return fields(process.stdout.read())

    assert followed(counted) == [b"1", b"1", b"", b"", b"1"]
    assert followed(counted[:9], counted[9:]) == [b"1", b"1", b"", b"", b"1"]
    sent, heard, unread, status, was_counted = followed(kill)
    assert (sent, heard, status, was_counted) == (b"1", b"0", b"", b"0")
    assert kill.startswith(unread) and unread
    assert followed(kill[7:], begun=kill[:7]) == [b"1", b"0", kill[:7], b"", b"0"], "the rest is in the port"


_FOLLOW = """
#define _GNU_SOURCE
#include <sched.h>
#include <sys/ioctl.h>
#define sched_setscheduler(...) 0 /* not every user may */
#define main keeper_main
#include "keeper.c"
#undef main
static struct bytes taken(const char *size)
{
    struct bytes found = {malloc(FRAME), (uint32_t)atoi(size)};
    for (uint32_t at = 0; at < found.n;)
        at += read(0, found.at + at, found.n - at);
    return found;
}
static int waiting(void)
{
    int n;
    return ioctl(0, FIONREAD, &n) ? -1 : n;
}
int main(int argc, char **argv)
{
    struct order order = {0};
    struct turn turn = {.sent = 2, .heard = 5};
    int ended[2], go_ends[2];
    (void)argc;
    exited = taken(argv[1]);
    counted = taken(argv[2]);
    kill_frame = taken(argv[3]);
    while (waiting() < atoi(argv[4]))
        usleep(1000);
    if (pipe(ended) || pipe(go_ends))
        return 1;
    if (fork() == 0) { /* the command, which ends when the keeper has read what there is */
        while (waiting() > 0)
            usleep(1000);
        return 0;
    }
    close(ended[1]); /* the other end can be read when the command has ended, as the descriptor of a process */
    dup2(1, REPORT);
    dup2(0, PORT);
    struct running running = {.init = -1, .init_fd = ended[0], .pids_events = -1, .ready = -1, .status = ended[0],
                              .go = go_ends[1]};
    order.output_bytes = 1;
    follow(&running, &order, turn);
    send_report();
    return 0;
}
"""
