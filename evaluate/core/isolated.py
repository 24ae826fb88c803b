"""Runs one of our functions on untrusted bytes in its own process behind walls, so that a defect in it wins nothing.

The process is new (no copy of a process with threads), gets its arguments as JSON, and is bounded in processor time,
memory, the files it writes and the length of its reply.  It can read the interpreter, our code and the paths among its
arguments, and write into one folder if it is given one; `evaluate.core.walls` describes what else it cannot do.
Results are returned as JSON and converted to the type that the function declares; nothing that it sends is executed,
unlike a pickle.  Errors of `evaluate.core.errors` are raised again as the same type.
"""

from __future__ import annotations

import json
import math
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO, Any, ParamSpec, TypeVar, get_type_hints

import msgspec

from evaluate.core import errors
from evaluate.core.children import folder_size, started
from evaluate.core.deadline import Deadline
from evaluate.core.errors import EntryError, EvaluateError, Fault
from evaluate.core.inside import STANDING, decoded
from evaluate.core.walls import ROOT, Openings, walls

_P = ParamSpec("_P")
_R = TypeVar("_R")
_MOST_REPLY_BYTES = 256 << 20
_MOST_SAID_BYTES = 64 << 10
_MOST_PATIENCE = 3600.0
_LOOK_SECONDS = 1.0
_FOLDER_FILES = 1_000_000
_CHUNK_BYTES = 1 << 20
_CODE = "import sys; sys.path.insert(0, sys.argv.pop()); from evaluate.core.inside import child; child()"


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """What one call may use, and the error that is raised if it uses more."""

    doing: str
    """Start of the message, such as "reading the archive"."""
    seconds: float
    """Processor time; the elapsed time may be ten times that plus a minute, but not more than an hour longer, so that a
    busy host changes no verdict."""
    elapsed_seconds: float = math.inf
    """A shorter bound of the elapsed time, where somebody waits and no verdict depends on it."""
    memory_bytes: int = 1 << 30
    file_bytes: int = 0
    """Limit of each file that the function writes."""
    folder_bytes: int = 0
    """Limit of what its folder may hold; it is looked at every second or so, and a little more may be written."""
    blame: type[EvaluateError] = EntryError
    """The error that is raised if time, memory or the length of the reply is exceeded."""
    defect: type[EvaluateError] = Fault
    """The error that is raised if the function ends without a reply, or not at all."""
    openings: Openings = field(default_factory=Openings)
    """What the function can reach in addition to the paths among its arguments."""
    pass_fds: Sequence[int] = ()
    """Open files of this process that the function gets, by descriptor number."""
    printed: Callable[[str], None] | None = None
    """Is given what the function printed, if it printed anything; at most the last 64 KiB."""


def isolated(bounds: Bounds, function: Callable[_P, _R], *arguments: _P.args, **named: _P.kwargs) -> _R:
    """Call a public function of a module behind walls and return its result.

    Raises
    ------
    EvaluateError
        The function raised it; or it exceeded a bound, which raises ``bounds.blame``; or it has a defect, which raises
        ``bounds.defect``.
    Fault
        The function met an error of the host (a full disk), or the walls cannot be built on this host.
    """
    package = ROOT / function.__module__.partition(".")[0]
    reads = [package, *bounds.openings.reads]

    def encoded(value: Any) -> str:
        if not isinstance(value, Path):
            raise NotImplementedError(f"a value of {type(value)}")
        path = value.absolute()  # a child has another working directory
        reads.append(path)
        return str(path)

    request = {
        "function": f"{function.__module__}:{function.__qualname__}",
        "arguments": msgspec.to_builtins(arguments, enc_hook=encoded),
        "named": msgspec.to_builtins(named, enc_hook=encoded),
    }
    folder = bounds.openings.folder and bounds.openings.folder.absolute()
    openings = replace(bounds.openings, reads=tuple(_reachable(reads, folder)), folder=folder)
    with walls(openings) as built, os.fdopen(os.memfd_create("request"), "w+b") as stdin:
        stdin.write(json.dumps({"orders": asdict(built.orders), **request}).encode())
        stdin.seek(0)
        with started(
            [*built.prefix, sys.executable, "-I", "-c", _CODE, str(ROOT)],
            env=built.environment,
            cwd=Path("/"),
            seconds=bounds.seconds,
            most_bytes=bounds.file_bytes,
            memory_bytes=bounds.memory_bytes,
            stdin=stdin,
            stdout=-1,
            stderr=-1,
            pass_fds=(*built.pass_fds, *bounds.pass_fds),
        ) as process:
            assert process.stdout is not None and process.stderr is not None
            data, said = _reply(process.stdout, process.stderr, bounds)
            status = process.wait()
    if bounds.printed is not None and said:
        bounds.printed(said.decode(errors="replace"))
    found: _R = _judged(data, said, status, bounds, get_type_hints(function).get("return"))
    return found


def _reachable(reads: Sequence[Path], folder: Path | None) -> list[Path]:
    """What exists and is not in the folder that is written into anyway."""
    return [path for path in dict.fromkeys(reads) if path.exists() and not (folder and path.is_relative_to(folder))]


def _judged(data: bytes, said: bytes, status: int, bounds: Bounds, kind: Any) -> Any:
    if status > 128:  # so bubblewrap reports a signal
        status = 128 - status
    last = said.decode(errors="replace").strip().splitlines()[-1:]
    if not data.startswith(STANDING):
        if status == -signal.SIGKILL:  # by the kernel, for memory, or by somebody
            raise Fault(f"{bounds.doing} ended with signal {-status} before its walls stood")
        reason = ": ".join(["no process can be walled in on this machine", *last])
        raise Fault(f"{bounds.doing}: {reason}; `evaluate doctor` names the repair")
    if status == -signal.SIGXCPU:
        raise bounds.blame(f"{bounds.doing} took more than {bounds.seconds:.0f} s of processor time")
    if status != 0:
        ended = f"signal {-status}" if status < 0 else f"exit status {status}"
        raise bounds.defect(": ".join([f"{bounds.doing} ended with {ended}", *last]))
    return _value(data.removeprefix(STANDING), bounds, kind)


def _reply(stdout: IO[bytes], stderr: IO[bytes], bounds: Bounds) -> tuple[bytes, bytes]:
    """All of standard output, and the end of standard error."""
    patience = min(10 * bounds.seconds + 60, bounds.seconds + _MOST_PATIENCE)
    deadline = Deadline(min(patience, bounds.elapsed_seconds))
    folder, look = bounds.openings.folder, Deadline(_LOOK_SECONDS)
    data, said = bytearray(), bytearray()
    waiting = {stdout.fileno(): data, stderr.fileno(): said}
    while waiting:
        if deadline.passed:
            raise bounds.defect(f"{bounds.doing} did not end within {deadline.seconds:.0f} s")
        for fd in select.select(list(waiting), [], [], min(look.left, deadline.left))[0]:
            chunk = os.read(fd, _CHUNK_BYTES)
            if not chunk:
                del waiting[fd]
            waiting.get(fd, data).extend(chunk)
        del said[:-_MOST_SAID_BYTES]
        if len(data) > _MOST_REPLY_BYTES:
            raise bounds.blame(f"{bounds.doing} found more than {_MOST_REPLY_BYTES >> 20} MiB of names and text")
        if look.passed:
            begin = time.monotonic()
            if folder is not None and not _fits(folder, bounds.folder_bytes):
                raise bounds.blame(f"{bounds.doing} wrote more than {bounds.folder_bytes >> 20} MiB or a million files")
            look = Deadline(max(_LOOK_SECONDS, 10 * (time.monotonic() - begin)))
    return bytes(data), bytes(said)


def _fits(folder: Path, most_bytes: int) -> bool:
    """Whether a folder holds no more than these bytes and a million files."""
    size, files = folder_size(folder)
    return size <= most_bytes and files <= _FOLDER_FILES


def _value(data: bytes, bounds: Bounds, kind: Any) -> Any:
    try:
        reply = json.loads(data)
        if "value" in reply:
            return msgspec.convert(reply["value"], kind, dec_hook=decoded)
        if reply.get("error") == "memory":
            raise bounds.blame(f"{bounds.doing} took more than {bounds.memory_bytes >> 20} MiB of memory")
        error = getattr(errors, str(reply["error"]), None)
        message = str(reply["message"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, msgspec.ValidationError) as e:
        raise bounds.defect(f"{bounds.doing} ended without a reply that can be read: {e}") from e
    if not (isinstance(error, type) and issubclass(error, EvaluateError)):
        raise bounds.defect(f"{bounds.doing}: {message}")
    raise error(message)
