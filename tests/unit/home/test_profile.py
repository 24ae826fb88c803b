"""Instructions by function: the sums, and the names that a program's file has."""

from __future__ import annotations

import subprocess
from pathlib import Path

from evaluate.home._profile_guest import Program
from evaluate.home.profile import Function, Profile, functions, in_lines

TAKEN = {0x5555_5555_5140: 60, 0x5555_5555_5180: 20, 0x7FFF_F7D0_0000: 15, 0x40_0000: 5}
NAMED = (
    b"555555555140\t/home/challenge/classify\tslow\n555555555180\t/home/challenge/classify\tslow\n"
    b"not of ours\nzz\ta\tb\n"
)


def test_instructions_are_summed_by_function_and_what_has_no_name_by_its_place() -> None:
    assert functions(TAKEN, NAMED + b"7ffff7d00000\t/lib/x86_64-linux-gnu/libm.so.6\t\n") == (
        Function(name="slow", file="/home/challenge/classify", instructions=80),
        Function(name="", file="/lib/x86_64-linux-gnu/libm.so.6", instructions=15),
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
    program = Program((tmp_path / "p").read_bytes())
    # in an ordinary program of gcc, code lies in the file where it lies in memory
    for name in ("slow", "quick", "main"):
        assert program.function(addresses[name]).split(" or ")[0] == name
    assert program.function(1 << 40) == ""
