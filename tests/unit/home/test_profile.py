"""Instructions by function: the sums, and the names that a program's file has."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

from evaluate.home import profile as profile_module
from evaluate.home._profile_guest import ElfProgram
from evaluate.home.profile import Function, Profile, functions, in_lines, sampled

TAKEN = {0x5555_5555_5140: 60, 0x5555_5555_5180: 20, 0x7FFF_F7D0_0000: 15, 0x40_0000: 5}
C = "/home/challenge/classify"
NAMED = (
    f"at\t555555555140\t{C}\t{C}\tslow\nat\t555555555180\t{C}\t{C}\tslow\nsomething else\nat\tzz\ta\tb\tc\n".encode()
)
LIBM = b"at\t7ffff7d00000\t/usr/bin/python3.11\t/lib/x86_64-linux-gnu/libm.so.6\t\n"


def test_instructions_are_summed_by_function_and_what_has_no_name_by_its_place() -> None:
    assert functions(TAKEN, NAMED + LIBM) == (
        Function(name="slow", file=C, instructions=80, program=C),
        Function(name="", file="/lib/x86_64-linux-gnu/libm.so.6", instructions=15, program="/usr/bin/python3.11"),
        Function(name="", file="a program at a fixed address", instructions=5),
    )


def test_profile_is_shown_in_percent_of_what_was_counted() -> None:
    found = Profile(record="r1", instructions=100, functions=functions(TAKEN, NAMED))
    assert list(in_lines(found)) == [
        "record r1: 100 instructions; by function, to 64 bytes of code",
        "   80.0 %  slow  classify",
        "   15.0 %  (no name)  a shared library",
        "    5.0 %  (no name)  a program at a fixed address",
    ]


def test_functions_of_a_compiled_program_are_found_by_their_place_in_the_file(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    pad = "__attribute__((noinline, aligned(128)))"
    source.write_text(
        f"{pad} int slow(int x) {{ return x * 3; }} {pad} int quick(int x) {{ return x + 1; }}"
        f" {pad} int main(int n, char **v) {{ (void)v; return slow(n) + quick(n); }}"
    )
    subprocess.run(["gcc", "-O1", "-o", tmp_path / "p", source], check=True)
    symbols = subprocess.run(["nm", tmp_path / "p"], check=True, capture_output=True, text=True).stdout
    addresses = {line.split()[2]: int(line.split()[0], 16) for line in symbols.splitlines() if len(line.split()) == 3}
    program = ElfProgram((tmp_path / "p").read_bytes())
    # in an ordinary program of gcc, code lies in the file where it lies in memory
    for name in ("slow", "quick", "main"):
        assert program.function(addresses[name]).split(" or ")[0] == name
    assert program.function(1 << 40) == ""


def test_what_the_interpreter_took_is_divided_among_the_lines_that_ran() -> None:
    lines = b"in\t300\t/home/challenge/a.py:2 inner\nin\t100\t/usr/lib/x/b.py:7 <module>\nin\tx\ty\n"
    found = Profile(record="r1", instructions=100, functions=functions(TAKEN, NAMED + LIBM), sampled=sampled(lines))
    assert list(in_lines(found))[-3:] == [
        "of it in lines of Python, without the lines that they call:",
        "   11.2 %  a.py:2 inner",
        "    3.8 %  b.py:7 (module level)",
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
__attribute__((noinline, aligned(128))) int main(void) { work(); return 0; }
"""


def test_programs_that_run_are_named_by_function_and_by_line(tmp_path: Path) -> None:
    """As in a guest: no addresses by chance, children, a process that becomes another program."""
    (tmp_path / "busy.py").write_text(BUSY)
    (tmp_path / "native.c").write_text(NATIVE)
    subprocess.run(["gcc", "-O1", "-pie", "-o", "native", "native.c"], cwd=tmp_path, check=True)
    symbols = subprocess.run(["nm", tmp_path / "native"], check=True, capture_output=True, text=True).stdout
    (work,) = [int(line.split()[0], 16) for line in symbols.splitlines() if line.endswith(" work")]
    address = 0x5555_5555_4000 + work
    found = tmp_path / "found"
    program, sampler = (path.read_text() for path in (profile_module._PROGRAM, profile_module._SAMPLER))
    python = ["/usr/bin/python3", "-I", "-S", "-c", program, sampler, str(found), f"{address:x}"]
    argv = ["setarch", "--addr-no-randomize", *python, "/usr/bin/python3", "busy.py"]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    (function,) = functions({address: 10}, found.read_bytes())
    assert function == Function(name="work", file=str(tmp_path / "native"), instructions=10, program=function.program)
    spent = Counter[str]()
    for line, microseconds in sampled(found.read_bytes()):
        spent[line.rpartition(" ")[2]] += microseconds
    assert {"inner", "interpreter"} <= set(spent) and spent["inner"] > 0.5 * spent.total()
