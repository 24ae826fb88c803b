"""Program that `evaluate try --profile` runs in the guest: a record's command, and the names of the code that it ran.

    python3 -I -S -c PROGRAM SAMPLER OUTPUT ADDRESSES COMMAND…

ADDRESSES are hexadecimal, with commas; SAMPLER is the text of `_profile_python.py`.  Writes to the file OUTPUT a line
for each address with code: ``at``, the address, the file, and the function, with tabs between them; and then one for
each line of a Python program: ``in``, and the sampler's words.  Of two programs with the same address, the one that
computed longer is named.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import time
from bisect import bisect_left
from contextlib import suppress

_LOOK_SECONDS = 0.002
_BUCKET_BYTES = 64
_LOAD, _SYMBOLS, _DYNAMIC_SYMBOLS, _FUNCTIONS = 1, 2, 11, (2, 10)
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT, _SECTION, _SYMBOL = struct.Struct("<IIQQQQQQ"), struct.Struct("<IIQQQQIIQQ"), struct.Struct("<IBBHQQ")


def functions_of(path: str) -> list[tuple[int, int, str]]:
    """Functions of an ELF file of x86-64, sorted: begin and end in the file, and name. Empty if it is no such file."""
    functions = {}
    with suppress(OSError, ValueError, LookupError, struct.error), open(path, "rb") as f:
        data = f.read()
        header = _HEADER.unpack_from(data)
        segments = [_SEGMENT.unpack_from(data, header[5] + i * header[9]) for i in range(header[10])]
        sections = [_SECTION.unpack_from(data, header[6] + i * header[11]) for i in range(header[12])]
        for section in sections:
            if section[1] not in (_SYMBOLS, _DYNAMIC_SYMBOLS):
                continue
            names = sections[section[6]][4]
            for name, info, _, where, value, size in _SYMBOL.iter_unpack(data[section[4] : section[4] + section[5]]):
                if info & 15 not in _FUNCTIONS or not where:
                    continue
                text = data[names + name : data.index(b"\0", names + name)].decode(errors="replace")
                for kind, _, offset, address, _, length, *_ in segments:
                    if kind == _LOAD and address <= value < address + length:
                        begin = value - address + offset
                        functions[begin] = (begin, begin + size, text)
    return sorted(functions.values())


def function_at(functions: list[tuple[int, int, str]], offset: int) -> str:
    """The functions with bytes in the bucket at an offset of the file, the one with most first; empty if none has."""
    end = offset + _BUCKET_BYTES
    near = functions[max(0, bisect_left(functions, (offset,)) - 1) : bisect_left(functions, (end,))]
    shares = sorted(((min(stop, end) - max(start, offset), name) for start, stop, name in near), reverse=True)
    return " or ".join(name for share, name in shares if share > 0)


def look(mappings: dict[tuple[int, int, int, str], int], others: set[str]) -> None:
    """Add the code of every process that is not among the others, with the processor time of its process."""
    for pid in filter(str.isdigit, set(os.listdir("/proc")) - others):
        with suppress(OSError, IndexError):  # it has ended
            with open(f"/proc/{pid}/stat") as f:
                ticks = int(f.read().rpartition(")")[2].split()[11])
            with open(f"/proc/{pid}/maps") as f:
                lines = f.read().splitlines()
            for line in lines:
                span, rights, offset, _, _, *path = line.split(None, 5)
                if "x" in rights and path and path[0].startswith("/"):
                    start, end = (int(number, 16) for number in span.split("-"))
                    key = (start, end, int(offset, 16), path[0])
                    mappings[key] = max(ticks, mappings.get(key, 0))


def main() -> None:
    """Run the command, then name the addresses."""
    sampler, output, listed, *command = sys.argv[1:]
    modules, lines = f"{output}.modules", f"{output}.lines"
    os.mkdir(modules)
    with open(f"{modules}/sitecustomize.py", "w") as f:
        f.write(sampler)
    path = os.pathsep.join(filter(None, (modules, os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path, "EVALUATE_PROFILE": lines}
    nothing = subprocess.DEVNULL
    others = set(os.listdir("/proc"))
    child = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, env=environment)
    mappings: dict[tuple[int, int, int, str], int] = {}
    while child.poll() is None:
        look(mappings, others)
        time.sleep(_LOOK_SECONDS)
    files: dict[str, list[tuple[int, int, str]]] = {}
    with open(output, "w") as out:
        for word in listed.split(","):
            address = int(word, 16)
            owners = [(ticks, key) for key, ticks in mappings.items() if key[0] <= address < key[1]]
            if owners:
                _, (start, _, offset, path) = max(owners)
                functions = files.setdefault(path, functions_of(path) if path not in files else [])
                out.write(f"at\t{word}\t{path}\t{function_at(functions, address - start + offset)}\n")
        with suppress(OSError), open(lines) as f:  # none if no Python program ran
            out.writelines(f"in\t{line}" for line in f)


if __name__ == "__main__":
    main()
