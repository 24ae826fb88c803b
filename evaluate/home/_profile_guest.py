"""Program that `evaluate try --profile` runs in the guest: a record's command, and the names of the code that it ran.

    python3 -I -S -c PROGRAM PROGRAM OUTPUT ADDRESSES COMMAND…

ADDRESSES are hexadecimal, with commas.  Writes to the file OUTPUT a line for each address with code: ``at``, the
address, the file, and the function with most of the code there, with tabs between them; and then one for each note
about a line of a Python program: ``in``, microseconds, and the line.  Of two programs with the same address, the one
that computed longer is named.

Programs in Python load this file as ``sitecustomize``, in the place of their own: every few milliseconds a thread notes
the line that the main thread is in, with the processor time since the last note, so that a call into a library is one
long sample.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
import time
from bisect import bisect_left
from contextlib import suppress
from functools import cache

_LOOK_SECONDS, _SAMPLE_SECONDS = 0.002, 0.005
_BUCKET_BYTES = 64
_LOAD, _SYMBOLS, _DYNAMIC_SYMBOLS, _FUNCTIONS = 1, 2, 11, (2, 10)
_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SEGMENT, _SECTION, _SYMBOL = struct.Struct("<IIQQQQQQ"), struct.Struct("<IIQQQQIIQQ"), struct.Struct("<IBBHQQ")


@cache
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
    """The function with most bytes in the bucket at an offset of the file; empty if none has any."""
    end = offset + _BUCKET_BYTES
    near = functions[max(0, bisect_left(functions, (offset,)) - 1) : bisect_left(functions, (end,))]
    share, name = max(((min(stop, end) - max(start, offset), name) for start, stop, name in near), default=(0, ""))
    return name if share > 0 else ""


def sample() -> None:
    """Append a note at every look to the file that other processes write to as well, each with one call."""
    file = os.open(os.environ["EVALUATE_PROFILE"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    line, last = "the start of the interpreter", 0.0
    while True:
        now = time.process_time()
        name = line.replace("\t", " ").replace("\n", " ")
        os.write(file, f"in\t{round((now - last) * 1e6)}\t{name}\n".encode(errors="replace"))
        last = now
        time.sleep(_SAMPLE_SECONDS)
        frame = sys._current_frames().get(threading.main_thread().ident or 0)
        line = f"{frame.f_code.co_filename}:{frame.f_lineno} {frame.f_code.co_name}" if frame is not None else line


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
    program, output, listed, *command = sys.argv[1:]
    modules, lines = f"{output}.modules", f"{output}.lines"
    os.mkdir(modules)
    with open(f"{modules}/sitecustomize.py", "w") as f:
        f.write(program)
    path = os.pathsep.join(filter(None, (modules, os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": path, "EVALUATE_PROFILE": lines}
    nothing = subprocess.DEVNULL
    others = set(os.listdir("/proc"))
    child = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, env=environment)
    mappings: dict[tuple[int, int, int, str], int] = {}
    while child.poll() is None:
        look(mappings, others)
        time.sleep(_LOOK_SECONDS)
    with open(output, "w") as out:
        for word in listed.split(","):
            address = int(word, 16)
            owners = [(ticks, key) for key, ticks in mappings.items() if key[0] <= address < key[1]]
            if owners:
                _, (start, _, offset, path) = max(owners)
                out.write(f"at\t{word}\t{path}\t{function_at(functions_of(path), address - start + offset)}\n")
        with suppress(OSError), open(lines) as f:  # none if no Python program ran
            out.writelines(f)


if __name__ == "__main__":
    main()
elif __name__ == "sitecustomize" and "EVALUATE_PROFILE" in os.environ:
    threading.Thread(target=sample, daemon=True).start()
    os.register_at_fork(after_in_child=lambda: threading.Thread(target=sample, daemon=True).start())
