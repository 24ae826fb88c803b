"""What the plugin counts of instructions that QEMU does in several steps: a processor runs a few of them and stops.

The programs are in the place of a BIOS, in 16-bit mode, so nothing else runs; their addresses are those of programs.
"""

from __future__ import annotations

import re
import shutil
import socket
import struct
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from evaluate.counters.tcg import TcgCounter, build_plugin
from evaluate.protocol.guest import MARK_AT
from tests.conftest import CHECKOUT

QEMU = "qemu-system-x86_64"
EXIT = bytes.fromhex("b000 e6f4")  # mov al, 0; out 0xf4, al
AROUND = 1 + 2
"""Instructions of every program: the jump to its begin, and its end."""
EXACT = ("-icount", "shift=1,sleep=off,align=off")
ROM_BYTES = 1 << 16

pytestmark = pytest.mark.skipif(shutil.which(QEMU) is None, reason=f"{QEMU} is not installed")


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_plugin(tmp_path_factory.mktemp("cache"))


def counted(plugin: Path, folder: Path, code: str, *, exact: bool, **places: Any) -> int:
    """Instructions of machine code, in hexadecimal digits, without what is around."""
    rom = bytearray((bytes.fromhex(code) + EXIT).ljust(ROM_BYTES, b"\xf4"))
    rom[0xFFF0:0xFFF3] = b"\xe9" + struct.pack("<H", 0x10000 - 0xFFF3)  # jmp 0
    (folder / "rom").write_bytes(rom)
    argv = [QEMU, "-machine", "pc", "-accel", "tcg", "-bios", folder / "rom", "-display", "none", "-nodefaults"]
    argv += ["-device", "isa-debug-exit,iobase=0xf4,iosize=1", *(EXACT if exact else ())]
    argv += TcgCounter(plugin).qemu_arguments(folder, exact=exact, **places)
    done = subprocess.run(argv, check=False, capture_output=True, timeout=120)
    assert done.returncode == 1, done.stderr  # what the device makes of 0
    (count, *_) = struct.unpack("=QQQ", (folder / "instructions").read_bytes())
    return int(count) - AROUND - (0 if exact else 1)  # the last block has another one that is not reached


MODES = pytest.mark.parametrize("exact", [False, True], ids=["blocks", "exact"])


@MODES
def test_instructions_count_once(plugin: Path, tmp_path: Path, exact: bool) -> None:
    assert counted(plugin, tmp_path, "90 90 f390 0fa2", exact=exact) == 4  # nop, nop, pause, cpuid


@MODES
@pytest.mark.parametrize("operation", ["aa", "a4", "ac", "66ab"], ids=["stosb", "movsb", "lodsb", "stosd"])
@pytest.mark.parametrize("times", [0, 1, 2, 5000])
def test_string_instruction_counts_once_however_often_it_repeats(
    plugin: Path, tmp_path: Path, operation: str, times: int, exact: bool
) -> None:
    setup = f"b9{struct.pack('<H', times).hex()}"  # mov cx, times
    prefixed = f"66f3{operation[2:]}" if operation.startswith("66") else f"f3{operation}"
    assert counted(plugin, tmp_path, f"{setup} {prefixed} 90", exact=exact) == 3


@MODES
def test_string_instruction_in_a_loop_counts_each_time(plugin: Path, tmp_path: Path, exact: bool) -> None:
    # mov bx, 100; again: mov cx, 7; mov di, 0; rep stosb; dec bx; jnz again
    loop = "bb6400 b90700 bf0000 f3aa 4b 75f5"
    assert counted(plugin, tmp_path, loop, exact=exact) == 1 + 100 * 5
    # mov bx, 100; mov cx, 7; again: rep stosb; mov cx, 7; dec bx; jnz again: it is where the jump leads to
    target = "bb6400 b90700 f3aa b90700 4b 75f8"
    assert counted(plugin, tmp_path, target, exact=exact) == 2 + 100 * 4
    # two of them, one after the other
    assert counted(plugin, tmp_path, "b90700 f3aa f3aa b90700 f3aa f3aa", exact=exact) == 6


@MODES
def test_comparison_that_ends_early_counts_once(plugin: Path, tmp_path: Path, exact: bool) -> None:
    # mov cx, 100; mov di, 0; mov al, 1; repne scasb (zeros: to the end); repe scasb ends at the first
    assert counted(plugin, tmp_path, "b96400 bf0000 b001 f2ae b96400 f3ae", exact=exact) == 6


def from_memory(body: bytes) -> str:
    """A program that copies code to 0:7000, and runs it there, where it may change itself: 9 instructions more."""
    setup = bytes.fromhex("31c0 8ed8 8ec0")  # xor ax, ax; mov ds, ax; mov es, ax
    begin = len(setup) + 3 + 3 + 3 + 3 + 5
    end = begin + len(body) + 5
    # mov si, begin; mov di, 7000; mov cx, length; cs rep movsb; jmp 0:7000
    copy = struct.pack("<BHBHBH", 0xBE, begin, 0xBF, 0x7000, 0xB9, len(body) + 5) + bytes.fromhex("2ef3a4")
    return (setup + copy + bytes.fromhex("ea00700000") + body + struct.pack("<BHH", 0xEA, end, 0xF000)).hex()


@pytest.mark.parametrize(("exact", "again"), [(True, 1), (False, 4)], ids=["exact", "blocks"])
def test_store_into_the_following_instruction_counts_again(
    plugin: Path, tmp_path: Path, exact: bool, again: int
) -> None:
    """QEMU begins it again, by itself; and the plugin sees no sign of that.  A block counts again as a whole."""
    for times in (1, 10, 1000):
        # mov cx, times; again: mov byte [where], 90; next: nop; dec cx; jnz again
        begin = struct.pack("<BH", 0xB9, times)
        own, other = (begin + struct.pack("<BBHB", 0xC6, 0x06, at, 0x90) for at in (0x7008, 0x6000))
        rest = bytes.fromhex("90 49 75f7")
        around = 3 + 3 + 1 + 1 + 1
        assert counted(plugin, tmp_path, from_memory(other + rest), exact=exact) == around + 1 + 4 * times
        assert counted(plugin, tmp_path, from_memory(own + rest), exact=exact) == around + 1 + (4 + again) * times


def test_mark_counts_once_and_only_after_the_gate(plugin: Path, tmp_path: Path) -> None:
    """A program that comes to the mark before, or again, does not change from where it is counted."""
    top, gate, mark = 0xFFFF0000, 0x20, 0x30
    # call mark; nop; call gate; nop; nop; call mark; nop; call mark; the end
    code = bytearray(0x40)
    calls = ((0, mark), (4, gate), (9, mark), (13, mark))
    code[: 16 + len(EXIT)] = b"\x90" * 16 + EXIT
    for at, target in calls:
        code[at : at + 3] = b"\xe8" + struct.pack("<h", target - at - 3)
    code[gate] = code[mark] = 0xC3  # ret
    setup = bytes.fromhex("bc0070 31c0 8ed0")  # mov sp, 0x7000; xor ax, ax; mov ss, ax
    shift = len(setup)
    path = tmp_path / "gate"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen(1)

        def supervise() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(1)  # it stands still at the gate
                connection.send(b"g")

        supervisor = threading.Thread(target=supervise)
        supervisor.start()
        places = {"gate": (path, top + shift + gate), "mark": top + shift + mark}
        counted(plugin, tmp_path, (setup + bytes(code)).hex(), exact=True, **places)
        supervisor.join(60)
    found = struct.unpack("=QQQ", (tmp_path / "instructions").read_bytes())[2]
    jump, before, gate_and_back = 1, 3 + 1 + 1 + 1, 1 + 1 + 2  # call and ret of the first mark, nop; gate, two nops
    assert found == jump + before + gate_and_back + 1, "up to the second call of the mark"


def test_keeper_has_the_address_of_the_mark() -> None:
    keeper = (CHECKOUT / "vm_images" / "guest" / "keeper.c").read_text()
    (number,) = re.findall(r"wanted = \(void \*\)\(\((\d+)UL << (\d+)\) \+ \((\d+)UL << (\d+)\)\);", keeper)
    one, left, other, right = map(int, number)
    assert (one << left) + (other << right) == MARK_AT
