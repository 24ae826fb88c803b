"""What the plugin counts of instructions that QEMU does in several steps: a processor runs a few of them and stops.

The programs are in the place of a BIOS, in 16-bit mode, so nothing else runs; their addresses are those of programs.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from evaluate.counters.tcg import TcgCounter, build_plugin

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


def counted(plugin: Path, folder: Path, code: str, *, exact: bool) -> int:
    """Instructions of machine code, in hexadecimal digits, without what is around."""
    rom = bytearray((bytes.fromhex(code) + EXIT).ljust(ROM_BYTES, b"\xf4"))
    rom[0xFFF0:0xFFF3] = b"\xe9" + struct.pack("<H", 0x10000 - 0xFFF3)  # jmp 0
    (folder / "rom").write_bytes(rom)
    argv = [QEMU, "-machine", "pc", "-accel", "tcg", "-bios", folder / "rom", "-display", "none", "-nodefaults"]
    argv += ["-device", "isa-debug-exit,iobase=0xf4,iosize=1", *(EXACT if exact else ())]
    argv += TcgCounter(plugin).qemu_arguments(folder, exact=exact)
    done = subprocess.run(argv, check=False, capture_output=True, timeout=120)
    assert done.returncode == 1, done.stderr  # what the device makes of 0
    (count, _) = struct.unpack("=QQ", (folder / "instructions").read_bytes())
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
