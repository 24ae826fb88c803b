"""What the plugin counts of instructions that QEMU does in several steps: a processor runs a few of them and stops.

The programs are in the place of a BIOS, in 16-bit mode, so nothing else runs; their addresses are those of programs.
"""

import re
import shutil
import struct
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from evaluate.counters.base import GatePlace
from evaluate.counters.tcg import TcgCounter, build_plugin, read_buckets
from evaluate.protocol.guest import MARK_AT
from evaluate.sandbox.memory_medium import Gate
from tests.conftest import CHECKOUT

QEMU = "qemu-system-x86_64"
EXIT = bytes.fromhex("b000 e6f4")  # mov al, 0; out 0xf4, al
HALT_AT = 0x8000
"""After the end, in a page and so in a block of its own: newer QEMU may run on until its main loop knows."""
AROUND = 1 + 1 + 2
"""Instructions of every program: the jump to its begin, that to its end, and its end."""
EXACT = ("-icount", "shift=1,sleep=off,align=off")
ROM_BYTES = 1 << 16

pytestmark = pytest.mark.skipif(shutil.which(QEMU) is None, reason=f"{QEMU} is not installed")


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_plugin(tmp_path_factory.mktemp("cache"))


def counted(
    plugin: Path,
    folder: Path,
    code: str,
    *,
    exact: bool,
    arguments: Sequence[str] = (),
    gate: GatePlace | None = None,
    mark: int = 0,
) -> int:
    """Instructions of machine code, in hexadecimal digits, without what is around."""
    program = bytes.fromhex(code)
    rom = bytearray((program + _jump(len(program), HALT_AT - len(EXIT))).ljust(ROM_BYTES, b"\xf4"))
    rom[HALT_AT - len(EXIT) : HALT_AT] = EXIT
    rom[0xFFF0:0xFFF3] = _jump(0xFFF0, 0x10000)
    (folder / "rom").write_bytes(rom)
    argv = [QEMU, "-machine", "pc", "-accel", "tcg", "-bios", folder / "rom", "-display", "none", "-nodefaults"]
    argv += ["-device", "isa-debug-exit,iobase=0xf4,iosize=1", *(EXACT if exact else ()), *arguments]
    argv += TcgCounter(plugin, buckets=True).qemu_arguments(folder, exact=exact, gate=gate, mark=mark)
    done = subprocess.run(argv, check=False, capture_output=True, timeout=120)
    assert done.returncode == 1, done.stderr  # what the device makes of 0
    (count, *_) = struct.unpack("=QQQ", (folder / "instructions").read_bytes())
    beyond = sum(n for address, n in read_buckets(folder).items() if address % ROM_BYTES == HALT_AT)
    return int(count) - AROUND - beyond


def _jump(at: int, to: int) -> bytes:
    return b"\xe9" + struct.pack("<H", (to - at - 3) % ROM_BYTES)


MODES = pytest.mark.parametrize("exact", [False, True], ids=["blocks", "exact"])


@MODES
@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("90 90 f390 0fa2", 4),
        # mov bx, 100; again: mov cx, 7; mov di, 0; rep stosb; dec bx; jnz again
        ("bb6400 b90700 bf0000 f3aa 4b 75f5", 1 + 100 * 5),
        # mov bx, 100; mov cx, 7; again: rep stosb; mov cx, 7; dec bx; jnz again: it is where the jump leads to
        ("bb6400 b90700 f3aa b90700 4b 75f8", 2 + 100 * 4),
        ("b90700 f3aa f3aa b90700 f3aa f3aa", 6),
        # mov cx, 100; mov di, 0; mov al, 1; repne scasb (zeros: to the end); repe scasb ends at the first
        ("b96400 bf0000 b001 f2ae b96400 f3ae", 6),
    ],
    ids=["nop, nop, pause, cpuid", "a string in a loop", "a string at a jump", "two strings", "comparisons"],
)
def test_instruction_counts_once_each_time(plugin: Path, tmp_path: Path, code: str, count: int, exact: bool) -> None:
    assert counted(plugin, tmp_path, code, exact=exact) == count


@MODES
@pytest.mark.parametrize("operation", ["aa", "a4", "ac", "66ab"], ids=["stosb", "movsb", "lodsb", "stosd"])
@pytest.mark.parametrize("times", [0, 1, 2, 5000])
def test_string_instruction_counts_once_however_often_it_repeats(
    plugin: Path, tmp_path: Path, operation: str, times: int, exact: bool
) -> None:
    setup = f"b9{struct.pack('<H', times).hex()}"  # mov cx, times
    prefixed = f"66f3{operation[2:]}" if operation.startswith("66") else f"f3{operation}"
    assert counted(plugin, tmp_path, f"{setup} {prefixed} 90", exact=exact) == 3


def from_memory(body: bytes) -> str:
    """A program that copies code to 0:7000, and runs it there, where it may change itself: 9 instructions more."""
    setup = bytes.fromhex("31c0 8ed8 8ec0")  # xor ax, ax; mov ds, ax; mov es, ax
    begin = len(setup) + 3 + 3 + 3 + 3 + 5
    end = begin + len(body) + 5
    # mov si, begin; mov di, 7000; mov cx, length; cs rep movsb; jmp 0:7000
    copy = struct.pack("<BHBHBH", 0xBE, begin, 0xBF, 0x7000, 0xB9, len(body) + 5) + bytes.fromhex("2ef3a4")
    return (setup + copy + bytes.fromhex("ea00700000") + body + struct.pack("<BHH", 0xEA, end, 0xF000)).hex()


@MODES
def test_store_into_the_following_instruction_counts_again(plugin: Path, tmp_path: Path, exact: bool) -> None:
    """QEMU begins it again, by itself; and the plugin sees no sign of that.  A block counts again as a whole."""
    again = 1 if exact else 4
    for times in (1, 10, 1000):
        # mov cx, times; again: mov byte [where], 90; next: nop; dec cx; jnz again
        begin = struct.pack("<BH", 0xB9, times)
        own, other = (begin + struct.pack("<BBHB", 0xC6, 0x06, at, 0x90) for at in (0x7008, 0x6000))
        rest = bytes.fromhex("90 49 75f7")
        around = 3 + 3 + 1 + 1 + 1
        assert counted(plugin, tmp_path, from_memory(other + rest), exact=exact) == around + 1 + 4 * times
        assert counted(plugin, tmp_path, from_memory(own + rest), exact=exact) == around + 1 + (4 + again) * times


@contextmanager
def at_the_gate(path: Path, *parts: tuple[int, bytes]) -> Iterator[None]:
    """Let a guest go on that comes to its gate, with what is written to its memory there."""
    with closing(Gate(path)) as gate:

        def supervise() -> None:
            gate.wait()
            gate.open(parts)

        supervisor = threading.Thread(target=supervise)
        supervisor.start()
        yield
        supervisor.join(60)


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
    with at_the_gate(tmp_path / "gate"):
        place = GatePlace(socket=tmp_path / "gate", at=top + shift + gate)
        counted(plugin, tmp_path, (setup + bytes(code)).hex(), exact=True, gate=place, mark=top + shift + mark)
    found = struct.unpack("=QQQ", (tmp_path / "instructions").read_bytes())[2]
    jump, before, gate_and_back = 1, 3 + 1 + 1 + 1, 1 + 1 + 2  # call and ret of the first mark, nop; gate, two nops
    assert found == jump + before + gate_and_back + 1, "up to the second call of the mark"


def test_supervisor_writes_to_a_guest_whose_memory_is_a_private_mapping(plugin: Path, tmp_path: Path) -> None:
    """And the file of the memory, which other guests have too, stays as it is."""
    at, memory = 0x7000, tmp_path / "memory"
    with memory.open("wb") as file:
        file.seek(at)
        file.write(struct.pack("<H", 1))
        file.truncate(64 << 20)
    # jmp gate; gate: xor ax, ax; mov ds, ax; mov cx, [at]; again: dec cx; jnz again
    code = "eb00 31c0 8ed8 8b0e" + struct.pack("<H", at).hex() + "49 75fd"
    backend = f"memory-backend-file,id=m,size=64M,mem-path={memory},share=off"
    arguments = ("-m", "64", "-object", backend, "-machine", "memory-backend=m")
    with at_the_gate(tmp_path / "gate", (at, struct.pack("<H", 500)), (1 << 20, bytes(1 << 20))):
        place = GatePlace(socket=tmp_path / "gate", at=0xFFFF0002, memory=memory)
        assert counted(plugin, tmp_path, code, exact=True, arguments=arguments, gate=place) == 4 + 2 * 500
    with memory.open("rb") as file:
        file.seek(at)
        assert struct.unpack("<H", file.read(2)) == (1,)


def test_keeper_has_the_address_of_the_mark() -> None:
    keeper = (CHECKOUT / "vm_images" / "guest" / "keeper.c").read_text()
    (number,) = re.findall(r"wanted = \(void \*\)\(\((\d+)UL << (\d+)\) \+ \((\d+)UL << (\d+)\)\);", keeper)
    one, left, other, right = map(int, number)
    assert (one << left) + (other << right) == MARK_AT


def test_instruction_that_faults_counts_each_time_it_is_begun_and_what_follows_when_it_is(
    plugin: Path, tmp_path: Path
) -> None:
    """A division by zero, in the middle of a block; its handler sets the divisor, and the division is done again."""
    vectors = "31c0 8ed8 8ed0 bc0010 c70600006000 c706020000f0"  # ax = ds = ss = 0; sp; where vector 0 leads
    program = "bb0100 31c9 31d2 90 f7f1 43 43"  # mov bx; xor cx, cx; xor dx, dx; nop; div cx; inc bx; inc bx
    end = "eb"
    code = bytes.fromhex(vectors + program)
    handler = bytes.fromhex("b90100 cf")  # mov cx, 1; iret
    over = 0x60 + len(handler) - len(code) - 2
    whole = (code + bytes.fromhex(end) + bytes([over])).ljust(0x60, b"\x90") + handler
    assert counted(plugin, tmp_path, whole.hex(), exact=True) == 6 + 5 + 2 + 1 + 2 + 1


def test_instruction_that_reaches_into_the_next_page_counts_once(plugin: Path, tmp_path: Path) -> None:
    """QEMU begins to translate it with those before it, gives it up, and begins a block with it."""
    jump = bytes.fromhex("e9") + struct.pack("<H", 0xFFA - 3)
    code = jump.ljust(0xFFA, b"\xf4") + bytes.fromhex("90 31c0 40 b83412 90")  # the constant is in the next page
    assert counted(plugin, tmp_path, code.hex(), exact=True) == 1 + 5


_CANNOT = """
90 89d8 4889d8 664189c0 01c8 0500000000 4883c001 83f805 31ff f7d8 f7e1 85c0 488d4708 0fb6c0 480fafc3 0f44c1 0f95c0
48c1e003 d3e0 b801000000 48b80000000000000000 4863d0 99 4899 ffc0 0fc8 0fbae003 0f1f00 660f1f440000 f30f1efa
c7c001000000 a801
"""
_MAY = """
8b07 8907 0107 4883042401 8501 f7f1 f7f9 48f7f9 f7b100000000 0f0b cc f00fb1c8 f001c8 f3a4 f348ab 50 58 e800000000 c3
ff10 fff0 cd80 0f05 0fa2 0f31 8ed8 0f6fc1 f20f58c1 660fefc0 c5f877 c4e27918c0 62f17c4828c0 0f4401 0fba2003 0fae38
8dc0 f390 40 66 48 f4 ec d9c0 9b c8000000 0fb607 f30fbcc0 f30fb8c0 c6f800 c7f800000000 0f01d0 6c d7 82c000 0fc7f0 f7
0f 0fb6
"""


def test_only_instructions_on_registers_and_constants_count_with_those_after_them(tmp_path: Path) -> None:
    program = tmp_path / "faults"
    source = CHECKOUT / "tests" / "support" / "plugin_faults.c"
    flags = ["-O1", "-w", "-DAPI_VERSION=1", "-static", "-Wl,--unresolved-symbols=ignore-all"]
    flags.append(f"-I{CHECKOUT}/evaluate/counters")
    subprocess.run(["gcc", *flags, "-o", program, source], check=True)
    cannot, may = _CANNOT.split(), _MAY.split()
    told = subprocess.run([program, *cannot, *may], check=True, capture_output=True, text=True).stdout.split()
    assert told == ["cannot"] * len(cannot) + ["may"] * len(may)
