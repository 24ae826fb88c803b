"""Runs one of our functions on untrusted bytes in its own process behind walls, so that a defect in it wins nothing.

The process is new (no copy of a process with threads), gets its arguments as JSON, and is bounded in processor time,
memory, the files it writes and the length of its reply.  It can read the interpreter, our code and the paths among its
arguments, and write to what `evaluate.confine.walls.Openings` names; `evaluate.confine.walls` describes what it cannot
do.

**The rule for replies**, since the author of the bytes may have taken the process over:

* A reply is plain data (`evaluate.confine.replies`), converted to exactly the type that the function declares; it never
  carries a path, and nothing in it is executed.
* Files come back only in files that the host made and named itself (`Openings.writes`), or as a stream that the host
  writes down (`evaluate.confine.delivery`).  What the process wrote elsewhere is gone with it.
* It may blame whom the call declares (`Bounds.raises`), and nobody else.
"""

from __future__ import annotations

import json
import math
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO, Any, ParamSpec, TypeVar

import msgspec

from evaluate.confine import replies
from evaluate.confine.children import ChildLimits, bounded_group, started
from evaluate.confine.isolated_child import STANDING
from evaluate.confine.scratch import PLACE
from evaluate.confine.trees import holds_at_most
from evaluate.confine.walls import ROOT, Openings, interpreter, walls
from evaluate.core.errors import EntryError, EvaluateError, Fault
from evaluate.core.waiting import Deadline, readable

_P = ParamSpec("_P")
_R = TypeVar("_R")
_MOST_SAID_BYTES = 64 << 10
_MOST_PATIENCE = 3600.0
_LOOK_SECONDS = 0.05
_LEAST_FREE_BYTES = 64 << 20
"""A disk with less is full for its writers."""
_CHUNK_BYTES = 1 << 20
_CODE = "import sys; sys.path.insert(0, sys.argv.pop()); from evaluate.confine.isolated_child import child; child()"


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Limits on what one call may use, and the error that is raised if it uses more."""

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
    reply_bytes: int = 1 << 20
    """Limit of the length of the reply, as JSON."""
    blame: type[EvaluateError] = EntryError
    """The error that is raised if a bound is exceeded, or if the function raises what it must not."""
    raises: tuple[type[EvaluateError], ...] = (EntryError,)
    """The errors that the function may raise.  An attacker who took it over may raise them too: a `Fault` among them
    is a free retry."""
    defect: type[EvaluateError] = Fault
    """The error that is raised if the function ends without a reply, or not at all."""
    openings: Openings = field(default_factory=Openings)
    """Openings through which the function can reach more than the paths among its arguments."""
    pass_fds: Sequence[int] = ()
    """Open files of this process that the function gets, by descriptor number."""
    printed: Callable[[str], None] | None = None
    """Is given what the function printed, if it printed anything; at most the last 64 KiB."""


def isolated(bounds: Bounds, function: Callable[_P, _R], *arguments: _P.args, **named: _P.kwargs) -> _R:
    """Call a public function of a module behind walls and return its result.

    Raises EvaluateError if the function raised it, and the call declares it (``bounds.raises``); or it exceeded a
    bound, which raises ``bounds.blame``; or it has a defect, which raises ``bounds.defect``. Raises Fault if the
    function met an error of the host that the host meets too (a full disk, an unreadable file), or the walls cannot be
    built on this host. Raises TypeError if the function returns something else than plain data.
    """
    form = replies.form_of(function)
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
    written = {path.absolute() for path in bounds.openings.writes}
    reads = [p for p in dict.fromkeys(reads) if p not in written and not p.is_relative_to(PLACE) and p.exists()]
    openings = replace(bounds.openings, reads=tuple(reads))
    begin, kills = time.monotonic(), _memory_kills()
    with (
        walls(openings) as built,
        os.fdopen(os.memfd_create("request"), "w+b") as stdin,
        bounded_group(bounds.memory_bytes, _scratch_bytes(bounds)) as group,
    ):
        stdin.write(json.dumps({"orders": asdict(built.orders), **request}).encode())
        stdin.seek(0)
        with started(
            [*built.prefix, str(interpreter()), "-I", "-c", _CODE, str(ROOT)],
            ChildLimits(seconds=bounds.seconds, most_bytes=bounds.file_bytes, memory_bytes=bounds.memory_bytes),
            group,
            env=built.environment,
            cwd="/",
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(*built.pass_fds, *bounds.pass_fds),
        ) as process:
            assert process.stdout is not None and process.stderr is not None
            data, printed = _reply(process.stdout, process.stderr, bounds, built.watched)
            status = process.wait()
        starved = group is not None and group.ran_out_of_memory
        _check_disks(bounds)  # while all that the process wrote is still there
    if bounds.printed is not None and printed:
        bounds.printed(printed.decode(errors="replace"))
    if starved and status != 0 and data.startswith(STANDING):
        raise _too_much_memory(bounds)
    longest = (time.monotonic() - begin) * (os.cpu_count() or 1)
    if status in (-signal.SIGKILL, 128 + signal.SIGKILL) and longest >= bounds.seconds and _memory_kills() == kills:
        status = -signal.SIGXCPU  # which the process ignored
    value: _R = _judged(data, printed, status, replace(bounds, openings=openings), form)
    return value


def _memory_kills() -> int:
    """Processes that the kernel has ended on this machine for lack of memory."""
    match = re.search(r"^oom_kill (\d+)$", Path("/proc/vmstat").read_text(), re.MULTILINE)
    return int(match[1]) if match else -1


def _judged(data: bytes, printed: bytes, status: int, bounds: Bounds, form: Any) -> Any:
    if status > 128:  # so bubblewrap reports a signal
        status = 128 - status
    last = printed.decode(errors="replace").strip().splitlines()[-1:]
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
    return _value(data.removeprefix(STANDING), bounds, form)


def _reply(stdout: IO[bytes], stderr: IO[bytes], bounds: Bounds, watched: Path | None) -> tuple[bytes, bytes]:
    """All of standard output, and the end of standard error."""
    patience = min(10 * bounds.seconds + 60, bounds.seconds + _MOST_PATIENCE)
    deadline = Deadline(min(patience, bounds.elapsed_seconds))
    look = Deadline(_LOOK_SECONDS if watched else deadline.seconds)
    data, printed = bytearray(), bytearray()
    waiting = {stdout.fileno(): data, stderr.fileno(): printed}
    while waiting:
        if deadline.passed:
            error = bounds.defect(f"{bounds.doing} did not end within {deadline.seconds:.0f} s")
            error.too_slow = True
            raise error
        for fd in readable(waiting, min(look.left, deadline.left)):
            chunk = os.read(fd, _CHUNK_BYTES)
            if not chunk:
                del waiting[fd]
            waiting.get(fd, data).extend(chunk)
        del printed[:-_MOST_SAID_BYTES]
        if len(data) > bounds.reply_bytes + len(STANDING):
            raise bounds.blame(f"{bounds.doing} found more than {bounds.reply_bytes >> 10} KiB of names and text")
        if watched is not None and look.passed:
            begin = time.monotonic()
            if not holds_at_most(watched, _scratch_bytes(bounds)):
                raise _too_much(bounds)
            look = Deadline(max(_LOOK_SECONDS, 10 * (time.monotonic() - begin)))
    return bytes(data), bytes(printed)


def _scratch_bytes(bounds: Bounds) -> int:
    return bounds.openings.scratch.most_bytes if bounds.openings.scratch else 0


def _too_much(bounds: Bounds) -> EvaluateError:
    most = max(bounds.file_bytes, _scratch_bytes(bounds))
    return bounds.blame(f"{bounds.doing} wrote more than {most >> 20} MiB or too many files")


def _too_much_memory(bounds: Bounds) -> EvaluateError:
    return bounds.blame(f"{bounds.doing} took more than {bounds.memory_bytes >> 20} MiB of memory")


def _value(data: bytes, bounds: Bounds, form: Any) -> Any:
    try:
        reply = replies.value_of(data, form)
    except replies.UnreadableReply as e:
        raise bounds.defect(f"{bounds.doing} ended without a reply that can be read: {e}") from e
    if not isinstance(reply, replies.Error):
        return reply
    if reply.error == replies.MEMORY:
        raise _too_much_memory(bounds)
    if reply.error == replies.SPACE:
        raise _too_much(bounds)
    for kind in bounds.raises:
        if kind.__name__ == reply.error:
            raise kind(reply.message)
    trouble = next(_host_errors(bounds.openings), None)
    if trouble is not None:
        raise Fault(f"{bounds.doing}: {trouble}")
    raise bounds.blame(reply.message)


def _check_disks(bounds: Bounds) -> None:
    """Check for space where the process wrote, whatever it says: on a full disk its own place may have lost bytes.

    Raises Fault if a disk is full.
    """
    openings = bounds.openings
    for path in (*openings.writes, *([openings.scratch.folder] if openings.scratch else [])):
        space = os.statvfs(path)
        if space.f_bavail * space.f_frsize < _LEAST_FREE_BYTES:
            raise Fault(
                f"{bounds.doing}: the disk of {path} is full: less than {_LEAST_FREE_BYTES >> 20} MiB are free; "
                "make room, for instance with `evaluate prune`"
            )


def _host_errors(openings: Openings) -> Iterator[OSError]:
    """Errors of the host that it meets itself when it reads what the process read: a claim of them is not enough."""
    for read in (path for path in openings.reads if not path.is_relative_to(ROOT / "evaluate")):
        files = [read] if read.is_file() else [Path(top, name) for top, _, names in os.walk(read) for name in names]
        for path in files:
            try:
                with path.open("rb", buffering=0) as f:
                    while f.read(_CHUNK_BYTES):
                        pass
            except OSError as e:
                yield e
