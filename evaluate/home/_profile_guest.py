"""Program that `evaluate try --profile` runs in the guest: it runs a record's command and learns which code lies where.

    python3 -I -S -c PROGRAM SAMPLER FOUND ADDRESSES COMMAND…

ADDRESSES are hexadecimal, with commas; SAMPLER is the text of `_profile_python.py`.  Writes to the file FOUND a line
for each address that code was found at: ``at``, the address, the program that ran, the file, and the function, with
tabs between them; and then one for each line of a Python program: ``in``, and what the sampler wrote.  Where two
programs have the same address, it is that of the one that computed longer.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import time
from bisect import bisect_right
from typing import TextIO

_LOOK_SECONDS = 0.002
_BUCKET_BYTES = 64
_NEAR_BYTES = 1 << 14
_LOAD, _SYMBOLS, _DYNAMIC_SYMBOLS, _FUNCTIONS = 1, 2, 11, (2, 10)
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT, _SECTION, _SYMBOL = struct.Struct("<IIQQQQQQ"), struct.Struct("<IIQQQQIIQQ"), struct.Struct("<IBBHQQ")


class ElfProgram:
    """The functions of an ELF file of x86-64."""

    def __init__(self, data: bytes) -> None:
        header = _HEADER.unpack_from(data)
        if header[0][:5] != b"\x7fELF\x02":
            raise ValueError("not a 64-bit ELF file")
        segments = (_SEGMENT.unpack_from(data, header[5] + i * header[9]) for i in range(header[10]))
        self._loaded = [
            (segment[2], segment[3], segment[5]) for segment in segments if segment[0] == _LOAD
        ]  # offset, address, size
        sections = [_SECTION.unpack_from(data, header[6] + i * header[11]) for i in range(header[12])]
        functions = {}
        for section in sections:
            if section[1] in (_SYMBOLS, _DYNAMIC_SYMBOLS):
                names = sections[section[6]][4]
                for at in range(section[4], section[4] + section[5], _SYMBOL.size):
                    name, info, _, where, value, size = _SYMBOL.unpack_from(data, at)
                    if info & 15 in _FUNCTIONS and where:
                        text = data[names + name : data.index(b"\0", names + name)].decode(errors="replace")
                        functions[value] = (value + size, text)
        self._functions = functions
        self._starts = sorted(functions)

    def function(self, offset: int) -> str:
        """The functions with bytes in the bucket at this place, the one with most first; empty where none is known."""
        for at, address, size in self._loaded:
            if at <= offset < at + size:
                here = offset - at + address
                first = max(0, bisect_right(self._starts, here) - 1)
                last = bisect_right(self._starts, here + _BUCKET_BYTES - 1)
                candidates = []
                for start in self._starts[first:last]:
                    end, name = self._functions[start]
                    candidates.append((min(end, here + _BUCKET_BYTES) - max(start, here), name))
                named = " or ".join(name for has, name in sorted(candidates, reverse=True) if has > 0)
                if named or not self._starts or self._starts[first] > here:
                    return named
                nearest = self._starts[bisect_right(self._starts, here) - 1]  # of a file without its local symbols
                return f"near {self._functions[nearest][1]}" if here - nearest < _NEAR_BYTES else ""
        return ""


def look(mappings: dict[tuple[int, int, int, str], tuple[int, str]]) -> None:
    """Add the code of every process of this user, with the processor time of its process, and its program."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if int(pid) == os.getpid():
            continue
        try:
            with open(f"/proc/{pid}/stat") as f:
                ticks = int(f.read().rpartition(")")[2].split()[11])
            with open(f"/proc/{pid}/maps") as f:
                lines = f.read().splitlines()
            program = os.readlink(f"/proc/{pid}/exe")
        except (OSError, IndexError):
            continue
        for line in lines:
            span, rights, offset, _, _, *path = line.split(None, 5)
            if "x" in rights and path and path[0].startswith("/"):
                start, end = (int(number, 16) for number in span.split("-"))
                key = (start, end, int(offset, 16), path[0])
                mappings[key] = max((ticks, program), mappings.get(key, (0, "")))


def main() -> None:
    """Run the command, then name the addresses."""
    sampler, output, listed, *command = sys.argv[1:]
    addresses = [int(word, 16) for word in listed.split(",")]
    mappings: dict[tuple[int, int, int, str], tuple[int, str]] = {}
    modules = f"{output}.modules"
    os.mkdir(modules)
    with open(f"{modules}/sitecustomize.py", "w") as f:
        f.write(sampler)
    path = os.pathsep.join(filter(None, (modules, os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path, "EVALUATE_PROFILE": f"{output}.lines"}
    nothing = subprocess.DEVNULL
    child = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, env=environment)
    while child.poll() is None:
        look(mappings)
        time.sleep(_LOOK_SECONDS)
    with open(output, "w") as out:
        name(addresses, mappings, out)
        try:
            with open(f"{output}.lines") as f:
                out.writelines(f"in\t{line}" for line in f)
        except OSError:
            pass  # no Python program ran


def name(addresses: list[int], mappings: dict[tuple[int, int, int, str], tuple[int, str]], out: TextIO) -> None:
    """Write a line for each address that code was found at."""
    programs: dict[str, ElfProgram | None] = {}
    for address in addresses:
        there = [(owner, key) for key, owner in mappings.items() if key[0] <= address < key[1]]
        if not there:
            continue
        (_, runs), (start, _, offset, path) = max(there)
        if path not in programs:
            try:
                with open(path, "rb") as f:
                    programs[path] = ElfProgram(f.read())
            except (OSError, ValueError, struct.error):
                programs[path] = None
        program = programs[path]
        function = program.function(address - start + offset) if program else ""
        out.write(f"at\t{address:x}\t{runs}\t{path}\t{function}\n")


if __name__ == "__main__":
    main()
