"""The counters without a virtual machine; perf for real with a software event."""

import ctypes
import os
import shutil
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from evaluate.core.errors import CounterFault
from evaluate.counters import tcg
from evaluate.counters.base import GatePlace, cpu_seconds, is_alive, probe_instructions, vcpu_threads
from evaluate.counters.perf import PerfCounter
from evaluate.counters.tcg import TcgCounter, TcgReading, build_plugin, read_buckets

needs_perf = pytest.mark.skipif(
    shutil.which("perf") is None
    or subprocess.run(["perf", "--version"], capture_output=True, check=False).returncode != 0,
    reason="perf is not installed, or, on Ubuntu, not for this kernel (Debian package linux-perf)",
)


_TOUCH = """
import mmap, sys
for line in sys.stdin:
    pages = mmap.mmap(-1, int(line) * mmap.PAGESIZE)
    pages.madvise(mmap.MADV_NOHUGEPAGE)
    for i in range(int(line)):
        pages[i * mmap.PAGESIZE] = 1
    print("done", flush=True)
"""


@contextmanager
def touching(n: int) -> Iterator[tuple[list[int], Callable[[int], None]]]:
    """Processes, and a function that has each touch so many pages for the first time."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with ExitStack() as stack:
        processes = [stack.enter_context(subprocess.Popen([sys.executable, "-c", _TOUCH], **pipes)) for _ in range(n)]

        def touch(pages: int) -> None:
            for process in processes:
                assert process.stdin is not None and process.stdout is not None
                process.stdin.write(b"%d\n" % pages)
                process.stdin.flush()
                process.stdout.readline()

        yield [process.pid for process in processes], touch


@needs_perf
@pytest.mark.parametrize("threads", [1, 2])
def test_perf_counts_the_page_faults_of_threads_and_is_heard_out(threads: int) -> None:
    """A real count: the same code path as with instructions, with an event that needs no PMU.

    The work ends within an interval; a signal alone lost one count in seven.
    """
    with (
        touching(threads) as (pids, touch),
        closing(PerfCounter(event="page-faults:u").attach_threads(*pids)) as reading,
    ):
        counts = []
        for pages in (10, *(500, 700) * (20 // threads), 3000, 6000):
            before = reading.instructions(settled=True)
            touch(pages)
            counts.append(reading.instructions(settled=True) - before)
            assert pages < 500 or counts[-1] >= pages * threads
        # without huge pages each page is a fault; with them at least the order holds
        assert 3000 <= counts[-2] / threads < 3400 or counts[-2] < counts[-1]
        assert counts[0] < counts[-2]


def program(folder: Path, text: str) -> str:
    (folder / "program").write_text(f"#!/bin/bash\n{text}\n")
    (folder / "program").chmod(0o755)
    return str(folder / "program")


def fake_perf(folder: Path, script: str) -> str:
    """A perf that behaves as the real one does on machines we do not have."""
    begin = (
        'while [ $# -gt 0 ]; do [ "$1" = --log-fd ] && fd=$2; '
        '[ "$1" = --control ] && IFS=:, read -r _ control reply <<<"$2"; shift; done\n'
        "trap 'exit 0' INT\nprintf '# started on Sat\\n\\n' >&$fd\n"
    )
    return program(folder, begin + script)


SWITCHED_ON = "read -r -u $control && echo ack >&$reply"
SWITCHED_OFF = f"{SWITCHED_ON}\nwhile :; do sleep 0.01; done"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("0.05,1000,,instructions:uG,100,37.50,,", r"38%.*kernel.nmi_watchdog=0"),
        ("0.05,<not supported>,,instructions:uG,0,100.00,,", r"no PMU.*accelerator: tcg"),
        *((line, "expected a CSV line") for line in ("nonsense", "1,2", "x,1,,e,0,100", "0.1,many,,e,0,100")),
    ],
)
def test_line_without_a_count_names_the_remedy(line: str, problem: str, tmp_path: Path) -> None:
    perf = fake_perf(tmp_path, f"echo '{line}' >&$fd\n{SWITCHED_ON}\n{SWITCHED_OFF}")
    with pytest.raises(CounterFault, match=problem):
        PerfCounter(perf=perf).attach_threads(os.getpid())


def test_perf_that_may_not_count_or_is_missing_names_the_remedy(tmp_path: Path) -> None:
    perf = fake_perf(tmp_path, "echo 'Error: No permission: perf_event_paranoid setting is 4' >&2; exit 255")
    with pytest.raises(CounterFault, match=r"sysctl kernel.perf_event_paranoid=1"):
        PerfCounter(perf=perf).attach_threads(os.getpid())
    with pytest.raises(CounterFault, match="Debian package linux-perf"):
        PerfCounter(perf="no-such-perf").attach_threads(os.getpid())


@pytest.mark.parametrize(
    ("shares", "count"), [((100, 0), 500), ((60, 40), 700), ((60, 20), None)], ids=["one kind", "moved", "shared"]
)
def test_counts_of_two_kinds_of_cores_are_added(tmp_path: Path, shares: tuple[int, int], count: int | None) -> None:
    core, atom = shares
    small = f"{200 if atom else '<not counted>'},,cpu_atom/instructions:uG/,{atom},{atom}.00,,"
    lines = f"0.05,500,,cpu_core/instructions:uG/,{core},{core}.00,,\n0.05,{small}"
    perf = fake_perf(tmp_path, f"trap 'printf \"{lines}\\n\" >&$fd; exit 0' INT\n{SWITCHED_ON}\n{SWITCHED_OFF}")
    if count is None:
        with pytest.raises(CounterFault, match="80%"):
            PerfCounter(perf=perf).attach_threads(1)
        return
    reading = PerfCounter(perf=perf).attach_threads(1)
    assert reading.instructions(settled=True) == 2 * count
    reading.close()


def test_thread_that_ran_and_was_not_counted_is_a_fault(tmp_path: Path) -> None:
    line = "0.05,<not counted>,,instructions:uG,0,100.00,,"
    perf = fake_perf(
        tmp_path, f"{SWITCHED_ON}\n{SWITCHED_ON}\nwhile sleep 0.02; do echo '{line}' >&$fd; done 2>/dev/null"
    )
    reading = PerfCounter(perf=perf).attach_threads(os.getpid())
    begin = cpu_seconds(os.getpid())
    while cpu_seconds(os.getpid()) - begin < 0.2:
        pass
    with pytest.raises(CounterFault, match="<not counted> although the guest ran"):
        reading.instructions(settled=True)
    reading.close()


def test_thread_that_ran_before_perf_was_ready_and_then_slept_is_no_fault(tmp_path: Path) -> None:
    """As seen of a thread that started an interpreter while perf started, and waited from then on."""
    ended = threading.Event()

    def burn_and_sleep() -> None:
        while time.thread_time() < 0.3:
            pass
        (tmp_path / "slept").write_text("it did")
        ended.wait()

    thread = threading.Thread(target=burn_and_sleep)
    thread.start()
    assert thread.native_id is not None
    wait = f"until [ -s {tmp_path}/slept ]; do sleep 0.01; done"
    line = "echo '0.05,<not counted>,,instructions:uG,0,100.00,,' >&$fd"
    perf = fake_perf(tmp_path, f"{wait}\n{SWITCHED_ON}\n{line}\n{SWITCHED_OFF}")
    with closing(PerfCounter(perf=perf).attach_threads(thread.native_id)) as reading:
        assert cpu_seconds(thread.native_id) > 0.1
        assert reading.instructions(settled=True) == 0
    ended.set()
    thread.join()


def test_settled_count_waits_for_no_interval(tmp_path: Path) -> None:
    """A perf that prints only at SIGINT: there is nothing else to wait for."""
    lines = "trap 'echo 0.01,5,,instructions:uG,10,100.00,, >&$fd; exit 0' INT"
    reading = PerfCounter(perf=fake_perf(tmp_path, f"{lines}\n{SWITCHED_ON}\n{SWITCHED_OFF}")).attach_threads(1)
    counts = [reading.instructions(settled=True) for _ in range(3)]
    assert counts == [10, 15, 20]
    reading.close()
    with pytest.raises(CounterFault, match="perf was ended"):
        reading.instructions()


@pytest.mark.parametrize(
    ("version", "api"),
    [
        ("QEMU emulator version 7.2.22 (Debian 1:7.2)", 1),
        ("QEMU emulator version 8.2.0", 1),
        ("QEMU emulator version 9.0.1", 2),
        ("QEMU emulator version 10.0.0", 2),
    ],
)
def test_plugin_is_compiled_for_older_and_newer_qemu(version: str, api: int, tmp_path: Path) -> None:
    plugin = ctypes.CDLL(str(build_plugin(tmp_path, program(tmp_path, f"echo '{version}'"))), mode=os.RTLD_LAZY)
    assert ctypes.c_int.in_dll(plugin, "qemu_plugin_version").value == api


def test_plugin_without_qemu_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CounterFault, match="found 'hello'"):
        build_plugin(tmp_path, program(tmp_path, "echo hello"))
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(CounterFault, match=r"apt-get install qemu-system-x86$"):
        build_plugin(tmp_path)


def test_plugin_is_compiled_once(tmp_path: Path) -> None:
    if shutil.which("qemu-system-x86_64") is None:
        pytest.skip("qemu-system-x86_64 is not installed")
    first = build_plugin(tmp_path)
    stamp = first.stat().st_mtime_ns
    assert build_plugin(tmp_path) == first
    assert first.stat().st_mtime_ns == stamp
    assert [path.suffix for path in tmp_path.iterdir()] == [".so"]


@pytest.mark.parametrize(
    ("options", "does", "count"), [((), b"running\n", 3), (("exact=on",), b"asleep\n", 2)], ids=["", "exact"]
)
@pytest.mark.parametrize("processor", [0, 2])
@pytest.mark.parametrize("api", [1, 2])
def test_exact_guest_counts_each_instruction_and_halts_while_qemus_main_thread_sleeps(
    tmp_path: Path, options: tuple[str, ...], does: bytes, count: int, api: int, processor: int
) -> None:
    """With a real QEMU, one of a hundred runs of a program with many threads showed the second."""
    source, played = Path(tcg.__file__).with_name("tcg_count.c"), tmp_path / "played"
    qemu = Path(__file__).parents[2] / "support" / "plugin_calls.c"
    subprocess.run(["gcc", "-O1", f"-DAPI_VERSION={api}", "-pthread", "-o", played, qemu, source], check=True)
    words = tmp_path / "words"
    words.write_bytes(bytes(24 + processor * 4096))
    argv = [played, str(processor), f"words={words}", *options]
    if options and processor:
        assert b"exact=on is for one processor" in subprocess.run(argv, capture_output=True, check=False).stderr
        return
    assert subprocess.run(argv, capture_output=True, check=True).stdout == does
    with closing(TcgReading(words, threading.get_native_id(), processors=processor + 1)) as reading:
        assert (reading.instructions(settled=True), reading.marked()) == (count, 0)
    assert struct.unpack_from("=QQ", words.read_bytes(), processor * 4096) == (count, count)


def test_probe_of_one_and_of_ten_loops() -> None:
    assert probe_instructions(10) - probe_instructions(1) == 2 * 9 + 7
    with pytest.raises(ValueError, match="at least one loop"):
        probe_instructions(0)


@pytest.mark.parametrize("name", [b"CPU 0/TCG", b"CPU 0/KVM", b"ALL CPUs/TCG"])
def test_thread_of_the_processor_is_found_by_its_name(name: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """With -icount QEMU calls it ``ALL CPUs/TCG``; threads of QEMU that work beside it end at any time."""
    named, done, listed = threading.Event(), threading.Event(), Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda path: [path / str(2**22 + 1), *listed(path)])

    def vcpu() -> None:
        ctypes.CDLL(None).prctl(15, name, 0, 0, 0)  # PR_SET_NAME
        named.set()
        done.wait()

    thread = threading.Thread(target=vcpu)
    thread.start()
    try:
        named.wait()
        assert vcpu_threads(os.getpid()) == (thread.native_id,)
    finally:
        done.set()
        thread.join()


def test_process_without_a_vcpu_thread_or_a_thread_that_is_gone_is_a_fault() -> None:
    with subprocess.Popen(["sleep", "600"]) as process:
        for processors, expected in ((1, "one thread"), (4, "4 threads")):
            with pytest.raises(CounterFault, match=f"expected {expected} called"):
                vcpu_threads(process.pid, processors)
        process.kill()
    with pytest.raises(FileNotFoundError):
        vcpu_threads(process.pid)
    assert is_alive(threading.get_native_id()) and not is_alive(2**22 + 1)
    with pytest.raises(CounterFault, match="the guest has ended"):
        cpu_seconds(2**22 + 1)


def test_name_that_a_qemu_which_was_taken_over_gives_a_thread_of_its_own_is_no_defect() -> None:
    argv = ["sh", "-c", "printf '\\377) R' >/proc/$$/comm; read line"]
    with subprocess.Popen(argv, stdin=subprocess.PIPE) as process:
        while Path(f"/proc/{process.pid}/comm").read_bytes() != b"\xff) R\n":
            time.sleep(0.01)
        assert cpu_seconds(process.pid) < 10


class Words(TcgReading):
    """A reading whose words are a list: user instructions, and those at the last halt; one pair for each look."""

    def __init__(self, pairs: list[tuple[int, int]], vcpu: int | None = None) -> None:
        self._pairs, self._buckets, self._processors = pairs, None, 1
        self._vcpu = vcpu or threading.get_native_id()

    def _read(self) -> tuple[int, int]:
        return self._pairs.pop(0) if len(self._pairs) > 1 else self._pairs[0]


def test_guest_is_settled_when_it_has_halted_with_the_count_that_it_has() -> None:
    assert Words([(10, 7), (11, 7), (12, 11), (12, 12)]).instructions(settled=True) == 12
    assert Words([(10, 7)]).instructions() == 10


def test_guest_of_several_processors_is_settled_when_it_stays_so() -> None:
    """A processor that another one has woken has the words of one that is idle, until a program runs on it."""
    words = Words([(10, 10), (11, 10), (12, 12)])
    words._processors = 2
    assert words.instructions(settled=True) == 12


def test_guest_that_goes_on_or_ends_does_not_settle(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CounterFault, match="ended while its count was read"):
        Words([(10, 0)], vcpu=2**22 + 1).instructions(settled=True)
    monkeypatch.setattr(tcg, "_SETTLE_SECONDS", 0.05)
    with pytest.raises(CounterFault, match="did not become idle"):
        Words([(10, 0)]).instructions(settled=True)


def test_qemu_that_makes_its_files_shorter_or_longer_is_a_fault_and_ends_nothing_of_the_host(tmp_path: Path) -> None:
    """Each file is QEMU's, which its guest may have taken over."""
    words = tmp_path / "instructions"
    words.write_bytes(struct.pack("=QQQ", 7, 7, 3))
    reading = TcgReading(words, threading.get_native_id(), buckets=tmp_path)
    assert (reading.instructions(), reading.marked()) == (7, 3)
    words.write_bytes(struct.pack("=QQQ", 1 << 63, 7, 3))  # beyond what a database keeps
    with pytest.raises(CounterFault, match="no machine executes"):
        reading.instructions()
    os.truncate(words, 8)
    for ask in (reading.instructions, reading.marked):
        with pytest.raises(CounterFault, match="expected 24 bytes, found 8"):
            ask()
    os.truncate(words, 24)
    for size in (0, 17, 1 << 40):
        with (tmp_path / "buckets").open("wb") as f:
            f.truncate(size)
        if size < 1 << 22:
            with pytest.raises(CounterFault, match=f"expected {1 << 22} bytes, found {size}"):
                read_buckets(tmp_path)
        else:
            assert read_buckets(tmp_path) == {}
    reading.close()


def test_comma_in_a_path_is_part_of_it_for_qemu(tmp_path: Path) -> None:
    counter, gate = TcgCounter(Path("/a,b/plugin.so"), buckets=True), GatePlace(socket=Path("/c,d/gate"), at=16)
    (tmp_path / "e,f").mkdir()
    option, value = counter.qemu_arguments(tmp_path / "e,f", gate=gate, mark=32)
    assert option == "-plugin"
    assert value.replace(",,", "!").split(",") == [
        "/a!b/plugin.so",
        f"words={tmp_path}/e!f/instructions",
        "mark-at=0x20",
        "gate=/c!d/gate",
        "gate-at=0x10",
        f"buckets={tmp_path}/e!f/buckets",
    ]
