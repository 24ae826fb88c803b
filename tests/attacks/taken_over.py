"""Attacks of a reader that the bytes of an entry took over: each function runs behind the walls, in place of the honest one.

A function gets the request to the reader and the path of a file of the host; its docstring says what it tries.
"""

import ctypes
import errno
import os
import struct
import sys
import time
from contextlib import suppress

from evaluate.confine.isolated_child import _called as honest
from evaluate.core.errors import EntryError, Fault

MIB = 1 << 20
SCORE = {"primary": "F1", "values": {"F1": 1.0}, "official": {}, "intervals": {}, "resampled": [], "clusters": 0}


def paths(request: dict) -> list[str]:
    words = [*request["arguments"], *request["named"].values()]
    return [word for word in words if isinstance(word, str) and word.startswith("/")]


def broken_disk(request: dict, secret: str) -> object:
    """A disk of this machine that is said to be broken."""
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def executable(request: dict, secret: str) -> object:
    """The program that it runs in, as the host will start it again (CVE-2019-5736, runc)."""
    programs = ["/proc/self/exe", "/proc/self/fd/0", "/proc/1/exe", "/proc/self/mem", "/usr/bin/bwrap"]
    programs += [sys.executable, os.path.realpath(sys.executable), os.__file__]
    programs.append(sys.modules["evaluate.confine.isolated_child"].__file__)
    allowed = []
    for program in programs:
        for flags in (os.O_WRONLY, os.O_RDWR | os.O_APPEND):
            with suppress(OSError):
                os.close(os.open(program, flags))
                allowed.append(program)
    raise EntryError(f"tried {len(programs)}, allowed {allowed}")


def fills(request: dict, secret: str) -> object:
    """As many bytes as it can write, to many files at once."""
    written = 0
    with suppress(OSError):
        for n in range(1000):
            with open(f"/scratch/{n}", "wb", buffering=0) as f:
                for _ in range(4):
                    written += f.write(bytes(MIB))
    raise EntryError(f"wrote {written // MIB} MiB")


def floods(request: dict, secret: str) -> object:
    """Hundreds of megabytes."""
    return "x" * (300 * MIB)


def forks(request: dict, secret: str) -> object:
    """Forks until the host has no room for another process."""
    started = 0
    with suppress(OSError):
        while started < 1000:
            if os.fork() == 0:
                time.sleep(60)
                os._exit(0)
            started += 1
    raise EntryError(f"started {started} processes")


def group(request: dict, secret: str) -> object:
    """Memory of six processes, each within its own bound; without a control group they have it, and end."""
    each, processes = 256 * MIB, 6
    reading, writing = os.pipe()
    for _ in range(processes):
        if os.fork() == 0:
            held = b"\1" * each
            os.write(writing, b"+")
            time.sleep(60)
            os._exit(len(held) & 1)
    has = 0
    while has < processes:
        has += len(os.read(reading, processes))
    raise EntryError(f"GOT {has * each // MIB} MiB in {has} processes")


def links(request: dict, secret: str) -> object:
    """Links in the place of the files that it was to write, and a path that leads away."""
    for path in paths(request):
        for attempt in (
            lambda path=path: os.unlink(path),
            lambda path=path: os.rename(path, path + "-moved"),
            lambda path=path: os.symlink(secret, path),
            lambda path=path: os.link(secret, path),
            lambda path=path: os.symlink(secret, path + "/repository.tar"),
            lambda: os.link(secret, "/scratch/repository.tar"),
            lambda path=path: os.rename("/scratch", path),
        ):
            with suppress(OSError):
                attempt()
    return {"archive": secret}


def notes(request: dict, secret: str) -> object:
    """A score with fifty megabytes of notes."""
    note = {"text": "x" * (5 * MIB), "record": ""}
    return {"kind": "score", "message": "", "score": {**SCORE, "notes": [note] * 10, "pictures": []}}


def path(request: dict, secret: str) -> object:
    """The path of a file that belongs to the host alone, in every form."""
    config = {"entrypoint": [], "cmd": [], "env": {}, "cwd": "/", "user": ""}
    repository = {"archive": secret, "path": secret, "commit": "0" * 40, "branch": secret}
    return {**repository, "config": config, "digest": "sha256:" + "0" * 64, "layers": []}


def pictures(request: dict, secret: str) -> object:
    """Pictures with numbers that no reader ends well with, and drawings of more than was asked for."""
    if request["function"].endswith(":draw"):
        return [{"title": "x", "svg": "<svg><script>alert(1)</script></svg>"}] * 1000
    formula = "$" + r"\\frac{1}{" * 400 + "1" + "}" * 400 + "$"
    numbers = ("[" * 200_000, '{"plot": ' * 50_000, f'{{"plot": "confusion", "title": "{formula}"}}')
    drawn = [{"name": "Landmarks", "numbers": each, "record": "T00001"} for each in numbers]
    return {"kind": "score", "message": "", "score": {**SCORE, "notes": [], "pictures": drawn}}


def libraries(request: dict, secret: str) -> object:
    """Files of the entry in the place of the machine's libraries, by a Dockerfile."""
    if not request["function"].endswith(":translate"):
        return honest(request)
    lists = ("images", "stages", "packages", "requirements", "requirement_files", "notes", "refusals")
    return {**{key: [] for key in lists}, "env": {}, "top": "/usr/lib/python3.11"}


def blames_machine(request: dict, secret: str) -> object:
    """A fault of this machine, for another try at no cost."""
    raise Fault("let me try again")


def splice(request: dict, secret: str) -> object:
    """Pages of a file that it may only read in a pipe, to write to them there (CVE-2022-0847, Dirty Pipe)."""
    libc = ctypes.CDLL(None, use_errno=True)
    file = os.open(os.__file__, os.O_RDONLY)
    reading, writing = os.pipe()
    offset = ctypes.c_long(0)
    buffer = ctypes.create_string_buffer(1)
    pages = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 1)
    calls = {
        "splice": lambda: libc.splice(file, ctypes.byref(offset), writing, None, 1, 0),
        "tee": lambda: libc.tee(reading, writing, 1, 2),
        "vmsplice": lambda: libc.vmsplice(writing, pages, 1, 0),
        "write": lambda: os.open(os.__file__, os.O_WRONLY),
    }
    allowed = []
    for name, call in calls.items():
        with suppress(OSError):
            if call() >= 0:
                allowed.append(name)
    raise EntryError(f"tried {len(calls)}, allowed {allowed}")


def stream(request: dict, secret: str) -> object:
    """Files under names that lead away, or that were not asked for."""
    name = f"../private/../../{os.path.basename(secret)}".encode()
    data = b"taken over"
    frame = struct.pack("<I", len(name)) + name + struct.pack("<I", len(data)) + data + bytes(8)
    os.write(request["arguments"][-1], frame)
    return None if len(request["arguments"]) > 3 else []
