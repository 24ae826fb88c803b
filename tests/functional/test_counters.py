"""Counts of the plugin by place, the same to the last instruction, in one real guest."""

import os
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.counters.base import probe_instructions
from evaluate.counters.tcg import TcgCounter, TcgReading, build_plugin, read_buckets
from evaluate.images.image import Image
from evaluate.protocol import messages
from evaluate.protocol.guest import HOME, MARK_AT
from tests.functional.test_guest_agent import DISKS
from tests.support.bare_guest import BareGuest, bare_guest

pytestmark = pytest.mark.vm


@dataclass(frozen=True)
class Counted:
    """A bare guest with the plugin."""

    guest: BareGuest
    folder: Path
    reading: TcgReading

    def count(self, *argv: str) -> tuple[int, dict[int, int]]:
        """User instructions of one command and a constant, and where they were retired."""
        self.guest.order(argv)
        self.guest.channel.expect(messages.Started, 120)
        before, places = self.reading.instructions(settled=True), read_buckets(self.folder, settled=True)
        self.guest.channel.send(messages.Go())
        self.guest.channel.expect(messages.Exited, 120)
        count, buckets = self.reading.instructions(settled=True) - before, read_buckets(self.folder, settled=True)
        self.guest.channel.send(messages.Counted())
        self.guest.channel.expect(messages.Ended, 120)
        return count, {at: n - places.get(at, 0) for at, n in buckets.items() if n != places.get(at, 0)}

    def from_mark(self, *argv: str, **order: Any) -> int:
        """User instructions of one command from its mark on, and a constant."""
        assert self.reading.await_mark()
        assert self.reading.marked() == 0
        self.guest.order(argv, waits=False, **order)
        self.guest.channel.expect(messages.Exited, 120)
        count = self.reading.instructions(settled=True)
        mark = self.reading.marked()
        assert mark, "the command has begun"
        self.guest.channel.send(messages.Counted())
        assert self.guest.channel.expect(messages.Ended, 120).exit_code == 0
        return count - mark


@pytest.fixture(scope="module")
def counted(image: Image, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Counted]:
    folder = tmp_path_factory.mktemp("counted")
    arguments = TcgCounter(build_plugin(folder), buckets=True).qemu_arguments(folder, mark=MARK_AT)
    with (
        bare_guest(image, folder / "guest", disk_bytes=DISKS, arguments=arguments) as guest,
        closing(TcgReading(folder / "instructions", threading.get_native_id(), buckets=folder)) as reading,
    ):
        guest.hello()
        guest_and_counter = Counted(guest, folder, reading)
        for _ in range(2):  # what the first run reads is in memory for the next
            guest_and_counter.count("/usr/bin/python3", "-c", "pass")
        yield guest_and_counter


def test_buckets_add_up_to_the_count_and_show_where_two_runs_differ(counted: Counted) -> None:
    short, long = counted.count("@probe", "1"), counted.count("@probe", "1000001")
    assert [sum(places.values()) for _, places in (short, long)] == [short[0], long[0]]
    assert long[0] - short[0] == probe_instructions(1_000_001) - probe_instructions(1)
    differ = {at: n - short[1].get(at, 0) for at, n in long[1].items() if n != short[1].get(at, 0)}
    assert len(differ) <= 2  # the probe's loop
    assert max(differ.values()) >= 2 * 10**6


def test_command_counts_from_its_mark_whatever_its_order_says(counted: Counted) -> None:
    """Whoever prepares it sleeps by then, though nobody waits for that; an interrupt may add a few instructions."""
    counted.from_mark("@probe", "1")
    of_one_loop = counted.from_mark("@probe", "1")
    assert of_one_loop - probe_instructions(1) < 1000
    for i in range(30):
        order = {"env": {"NAME": "n" * 97 * i}, "cwd": "/", "inputs": {}, "collect": (f"/none{i}",) * i}
        expected = of_one_loop + probe_instructions(1 + i) - probe_instructions(1)
        assert counted.from_mark("@probe", str(1 + i), **order) == pytest.approx(expected, abs=20)


MOVES = """
import ctypes
for _ in range(10**6):
    pass
c, at = ctypes.CDLL(None), {at}
c.mmap.restype = ctypes.c_void_p
assert c.mmap(ctypes.c_void_p(at), ctypes.c_long(1), 7, 0x32, -1, ctypes.c_long(0)) == at  # private, anonymous, fixed
ctypes.memmove(at, bytes([0xC3]), 1)  # ret
ctypes.CFUNCTYPE(None)(at)()
"""


def test_command_that_comes_to_the_mark_by_itself_counts_from_its_begin(counted: Counted) -> None:
    assert counted.from_mark("/usr/bin/python3", "-c", MOVES.format(at=MARK_AT)) > 10**7


def test_init_comes_before_its_command_and_a_command_before_none(counted: Counted) -> None:
    """So whoever starts a command is done with that at its mark; until then, a tick might let it begin earlier."""
    ended = counted.guest.run(("/usr/bin/python3", "-c", "import os; print(*map(os.sched_getscheduler, (1, 0)))"))
    assert ended.stdout == f"{os.SCHED_FIFO} {os.SCHED_OTHER}\n"


# the last test: it ends the guest of the others
def test_file_missing_on_the_medium_is_our_fault_not_the_entrys(counted: Counted) -> None:
    counted.guest.order(["/bin/true"], inputs={f"{HOME}/A01.txt": "records/A01.txt"})
    with pytest.raises(SandboxFault, match="A01"):
        counted.guest.channel.expect(messages.Started, 60)
