"""The exact counter of software emulation: our QEMU plugin adds up every translated block."""

from __future__ import annotations

import os
import re
import struct
import time
from pathlib import Path

from evaluate.confine.children import compiled, tool
from evaluate.core.errors import CounterFault
from evaluate.counters.base import GatePlace, is_alive, vcpu_threads

_SOURCE = Path(__file__).with_name("tcg_count.c")
_WORDS, _BUCKETS, _SETTLED = "instructions", "buckets", "buckets-settled"
BUCKET_BYTES = 64
_PAIR, _THREE = struct.Struct("=QQ"), struct.Struct("=QQQ")
_PAGE = 4096
"""So far from the words of a processor are those of the next one."""
_ONE_WORD = 8
_NO_MARK = (1 << 64) - 1
_N_PAIRS = 1 << 18
_MOST = 1 << 53
"""Instructions of a guest in three months; the sum over an attempt fits into a column of the database."""
_NO_ROOM = (1 << 64) - 1
_SETTLE_SECONDS = 30.0
_LOOK_SECONDS = 0.0002
_QUIET_LOOKS = 20
"""A processor that is woken by another has its old words until a program runs on it, so that several are idle only if
they stay idle for so many looks."""
_CC = ("cc", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror")


def build_plugin(cache: Path, qemu: str = "qemu-system-x86_64") -> Path:
    """The compiled plugin for the installed QEMU, from the cache or compiled now (a second).

    QEMU 9.0 has inline adds to memory of its own in place of those to any address, and calls that version 2 of its
    interface; later ones load plugins of version 2 too. Raises CounterFault if QEMU or the C compiler is missing or
    fails.
    """
    text = tool([qemu, "--version"], doing="asking QEMU for its version", fault=CounterFault).decode()
    version = text.partition("\n")[0]
    match = re.search(r"version (\d+)\.", version)
    if match is None:
        raise CounterFault(f"expected 'QEMU emulator version …', found {version!r}")
    api = 1 if int(match[1]) < 9 else 2
    return compiled(_SOURCE, cache, "tcg_count.so", (*_CC, f"-DAPI_VERSION={api}"), CounterFault)


class TcgCounter:
    """Counts with the plugin: each instruction of an exact guest, otherwise each block.

    A block in which an instruction faults is counted again in part: up to 0.1 % of a program that starts many others or
    loads many libraries, and some millionths of one that computes.
    """

    kind = "tcg"
    tolerance = 1e-3

    def __init__(self, plugin: Path, *, buckets: bool = False) -> None:
        """``buckets``: also count where, for `read_buckets`; about a tenth slower."""
        self._plugin = plugin
        self._buckets = buckets
        self.version = plugin.stem  # which has the digest of its source

    def qemu_arguments(
        self, folder: Path, *, exact: bool = False, gate: GatePlace | None = None, mark: int = 0, processors: int = 1
    ) -> tuple[str, ...]:
        """Load the plugin, with its words in a file of the guest's folder."""
        words = folder / _WORDS
        words.write_bytes(_THREE.pack(0, 0, 0 if mark else _NO_MARK) + bytes(_PAGE * (processors - 1)))
        options = [str(self._plugin), f"words={words}", *([f"mark-at={mark:#x}"] if mark else [])]
        if exact:
            options.append("exact=on")
        if gate is not None:
            options += [f"gate={gate.socket}", f"gate-at={gate.at:#x}"]
            options += [f"memory={gate.memory}"] if gate.memory is not None else []
        if self._buckets:
            with (folder / _BUCKETS).open("wb") as f:
                f.truncate(_N_PAIRS * _PAIR.size)
            options.append(f"buckets={folder / _BUCKETS}")
        return ("-plugin", ",".join(option.replace(",", ",,") for option in options))

    def attach(self, folder: Path, pid: int, processors: int = 1) -> TcgReading:
        thread, buckets = vcpu_threads(pid, processors)[0], folder if self._buckets else None
        return TcgReading(folder / _WORDS, thread, buckets=buckets, processors=processors)


def read_buckets(folder: Path, *, settled: bool = False) -> dict[int, int]:
    """Read where the guest with this folder has retired user instructions so far.

    ``settled``: when its settled count was last read.

    Returns the first address of each `BUCKET_BYTES` bytes of code -> instructions there, or of the blocks that begin
    there.  Programs that lie at the same addresses share them.  The key -1 has those that the table had no room for.
    """
    counts = {}
    for address, count in _PAIR.iter_unpack(_table(folder / (_SETTLED if settled else _BUCKETS))):
        if count:
            counts[-1 if address == _NO_ROOM else address * BUCKET_BYTES] = count
    return counts


def _table(path: Path) -> bytes:
    """All of a table, however long or short a QEMU that was taken over has made its file."""
    size = _N_PAIRS * _PAIR.size
    with path.open("rb") as f:
        data = f.read(size)
    if len(data) != size:
        raise CounterFault(f"{path.name}: expected {size} bytes, found {len(data)}")
    return data


class TcgReading:
    """The plugin's words, read from their file; a mapping would end this process if QEMU made the file shorter."""

    def __init__(self, words: Path, vcpu: int, *, buckets: Path | None = None, processors: int = 1) -> None:
        """``vcpu``: a thread of QEMU that runs the guest; ``buckets``: folder of that file."""
        self._vcpu = vcpu
        self._buckets = buckets
        self._processors = processors
        self._words = words.open("r+b", buffering=0)

    def instructions(self, *, settled: bool = False) -> int:
        """The count as it is now; ``settled`` waits until the guest's kernel has nothing to run.

        A frame arrives a moment before its sender goes to sleep; what the sender still executes in between is noise.
        What it has executed to send the frame came after the processor last halted.  So it sleeps, and every other
        program too, as soon as the processor has halted with the count at which it still is.
        """
        deadline = time.monotonic() + _SETTLE_SECONDS
        while settled and not self._idle():
            if time.monotonic() > deadline:
                raise CounterFault(f"the guest did not become idle within {_SETTLE_SECONDS:.0f} s")
            if not is_alive(self._vcpu):
                raise CounterFault("the guest has ended while its count was read")
            time.sleep(_LOOK_SECONDS)
        if settled and self._buckets is not None:
            (self._buckets / _SETTLED).write_bytes(_table(self._buckets / _BUCKETS))  # before the agent works again
        return self._read()[0]

    def _idle(self) -> bool:
        first = self._read()
        for _ in range(_QUIET_LOOKS if self._processors > 1 else 0):
            time.sleep(_LOOK_SECONDS)
            if self._read() != first:
                return False
        return first[0] == first[1]

    def _read(self) -> tuple[int, int]:
        """User instructions, and as many as there were when each processor last halted."""
        return self._totals()[:2]

    def await_mark(self) -> bool:
        can = not self._words.closed and self.marked() is not None
        if can:
            os.pwrite(self._words.fileno(), bytes(_ONE_WORD), _PAIR.size)
        return can

    def marked(self) -> int | None:
        count = self._totals()[2]
        return None if count == _NO_MARK else count

    def _totals(self) -> tuple[int, int, int]:
        size = _THREE.size + _PAGE * (self._processors - 1)
        data = os.pread(self._words.fileno(), size, 0)
        if len(data) != size:
            raise CounterFault(f"the counts of a guest: expected {size} bytes, found {len(data)}")
        user, at_halt = map(sum, zip(*(_PAIR.unpack_from(data, at) for at in range(0, size, _PAGE)), strict=True))
        if user > _MOST:
            raise CounterFault(f"the counts of a guest: {user} instructions, which no machine executes in its time")
        return user, at_halt, _THREE.unpack_from(data)[2]

    def close(self) -> None:
        self._words.close()
