"""`evaluate try --profile`: sums of instructions by function and line, and the program that names them in the guest."""

import subprocess
from collections import Counter
from pathlib import Path

from evaluate.home import profile as profile_module
from evaluate.home.profile import Profile

TAKEN = {0x5555_5555_5140: 60, 0x5555_5555_5180: 20, 0x7FFF_F7D0_0000: 15, 0x40_0000: 5}
C = "/home/challenge/classify"
LIBM = "/lib/x86_64-linux-gnu/libm.so.6"
NAMED = (
    f"at\t555555555140\t{C}\tslow\nat\t555555555180\t{C}\tslow\nsomething else\nat\tzz\ta\tb\n"
    f"at\t7ffff7d00000\t{LIBM}\t\n"
    "in\t300\t/home/challenge/a.py:2 inner\nin\t100\t/usr/lib/x/b.py:7 <module>\nin\tx\ty\n"
)


def test_instructions_are_summed_by_function_and_time_of_python_by_line() -> None:
    profile = Profile.of("r1", 100, TAKEN, NAMED.encode())
    assert profile.functions == (
        ("slow", C, 80),
        ("", LIBM, 15),
        ("", "a program at a fixed address", 5),
    )
    assert list(profile.shown()) == [
        "record r1: 100 instructions; by function, to 64 bytes of code",
        "   80.0 %  slow  classify",
        "   15.0 %  (no name)  libm.so.6",
        "    5.0 %  (no name)  a program at a fixed address",
        "time of Python by line, without the lines that they call:",
        "   75.0 %  a.py:2 inner",
        "   25.0 %  b.py:7 (module level)",
    ]


BUSY = """
import os, subprocess, sys
def inner(n):
    t = 0
    while n:
        t, n = t + n * n, n - 1
    return t
def outer():
    return inner(1_500_000)
outer()
if len(sys.argv) == 1:
    subprocess.run([sys.executable, sys.argv[0], "again"], check=True)
    if os.fork() == 0:
        inner(6_000_000)
        os._exit(0)
    os.wait()
    os.execvp("./native", ["native"])
"""
NATIVE = """
static volatile long sink;
__attribute__((noinline, aligned(128))) static void work(void) { for (long i = 0; i < 400000000; i++) sink += i; }
__attribute__((noinline, aligned(128))) static int quick(int x) { return x + 1; }
__attribute__((noinline, aligned(128))) int main(int n, char **v) { (void)v; work(); return quick(n) == 0; }
"""


def test_programs_that_run_are_named_by_function_and_by_line(tmp_path: Path) -> None:
    """As in a guest: no addresses by chance, children, a process that becomes another program."""
    (tmp_path / "busy.py").write_text(BUSY)
    (tmp_path / "native.c").write_text(NATIVE)
    subprocess.run(["gcc", "-O1", "-pie", "-o", "native", "native.c"], cwd=tmp_path, check=True)
    symbols = subprocess.run(["nm", tmp_path / "native"], check=True, capture_output=True, text=True).stdout
    rows = (line.split() for line in symbols.splitlines())
    taken = {0x5555_5555_4000 + int(row[0], 16): 10 for row in rows if row[-1] in ("work", "quick", "main")}
    output = tmp_path / "output"
    program = profile_module._PROGRAM.read_text()
    addresses = ",".join(f"{address:x}" for address in taken)
    python = ["/usr/bin/python3", "-I", "-S", "-c", program, program, str(output), addresses]
    argv = ["setarch", "--addr-no-randomize", *python, "/usr/bin/python3", "busy.py"]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    profile = Profile.of("r1", 30, taken, output.read_bytes())
    assert {name for name, _, _ in profile.functions} == {"work", "quick", "main"}
    assert {file for _, file, _ in profile.functions} == {str(tmp_path / "native")}
    spent = Counter[str]()
    for row in output.read_text().splitlines():
        if row.startswith("in\t"):
            spent[row.rpartition(" ")[2]] += int(row.split("\t")[1])
    assert {"inner", "interpreter"} <= set(spent) and spent["inner"] > 0.5 * spent.total()
