"""Single functions of the keeper, compiled into a program that calls them; the whole is tested in a real guest."""

from __future__ import annotations

import socket
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evaluate.protocol import messages
from evaluate.protocol.frames import pack
from tests.support.guest_modules import GUEST, guest_module

container = guest_module("container")
NONCE = b"n" * 16


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of `keeper_calls.c`."""
    program = tmp_path_factory.mktemp("keeper") / "calls"
    source = Path(__file__).parents[2] / "support" / "keeper_calls.c"
    flags = ("-static", "-O1", "-Wall", "-Wno-unused-function", f"-I{GUEST}")
    subprocess.run(["gcc", *flags, "-o", program, source], check=True)
    return program


def fields(sent: bytes) -> list[bytes]:
    found = []
    (size,), report = struct.unpack_from("<I", sent), sent[4:]
    assert size == len(report)
    while report:
        (size,) = struct.unpack_from("<I", report)
        found.append(report[4 : 4 + size])
        report = report[4 + size :]
    return found


def written(tmp_path: Path, steps: Sequence[tuple[Any, ...]]) -> Path:
    plan = tmp_path / "plan"
    content = container._field(container._encoded(steps))
    plan.write_bytes(struct.pack("<I", len(content)) + content)
    return plan


def test_link_in_the_place_of_a_top_level_folder_is_refused(calls: Path, tmp_path: Path) -> None:
    (tmp_path / "input").symlink_to("/etc")
    plan = written(tmp_path, [("top", tmp_path / "input")])
    done = subprocess.run([calls, plan], capture_output=True, check=False)
    assert done.returncode == 70
    assert done.stderr.startswith(b"not a folder of the top level: ")


def packed(message: messages.Message, number: int) -> bytes:
    return pack(messages.encode(message), NONCE, number)


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
