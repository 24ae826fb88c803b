"""Runs one of our functions on untrusted bytes in its own process, so that a defect in it costs only seconds.

The child is spawned (no copy of a process with threads), gets its arguments as JSON, and is bounded in processor time,
memory, the files it writes and the length of its reply.  Results are returned as JSON and converted to the type that
the function declares; nothing that a child sends is executed, unlike a pickle.  Errors of
`evaluate.core.errors` are raised again as the same type.

`_argv` is the place to add confinement: a child can still read and write what this user can.
"""

from __future__ import annotations

import importlib
import json
import os
import select
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, ParamSpec, TypeVar, get_type_hints

import msgspec

from evaluate.core import errors
from evaluate.core.children import started
from evaluate.core.deadline import Deadline
from evaluate.core.errors import EntryError, EvaluateError, Fault

_P = ParamSpec("_P")
_R = TypeVar("_R")
_MOST_REPLY_BYTES = 256 << 20
_CHUNK_BYTES = 1 << 20
_CODE = "import sys; sys.path.insert(0, sys.argv.pop()); from evaluate.core.isolated import child; child()"
_ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """What one call may use, and the error that is raised if it uses more."""

    doing: str
    """Start of the message, such as "reading the archive"."""
    seconds: float
    """Processor time; the elapsed time may be ten times that plus a minute, so that a busy host changes no verdict."""
    memory_bytes: int = 1 << 30
    file_bytes: int = 0
    """Limit of each file that the function writes."""
    blame: type[EvaluateError] = EntryError
    """The error that is raised if time, memory or the length of the reply is exceeded."""
    pass_fds: Sequence[int] = ()
    """Open files of this process that the function gets, by descriptor number."""


def isolated(bounds: Bounds, function: Callable[_P, _R], *arguments: _P.args, **named: _P.kwargs) -> _R:
    """Call a public function of a module in a child process and return its result.

    Raises
    ------
    EvaluateError
        The function raised it; or it exceeded a bound, which raises ``bounds.blame``.
    Fault
        The function met an error of the host (a full disk), or has a defect.
    """
    request = {
        "function": f"{function.__module__}:{function.__qualname__}",
        "arguments": msgspec.to_builtins(arguments, enc_hook=_encoded),
        "named": msgspec.to_builtins(named, enc_hook=_encoded),
    }
    deadline = Deadline(10 * bounds.seconds + 60)
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stderr:
        stdin.write(json.dumps(request).encode())
        stdin.seek(0)
        with started(
            _argv(),
            env={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8"},
            cwd=Path("/"),
            seconds=bounds.seconds,
            most_bytes=max(bounds.file_bytes, _CHUNK_BYTES),
            memory_bytes=bounds.memory_bytes,
            stdin=stdin,
            stdout=-1,
            stderr=stderr,
            pass_fds=bounds.pass_fds,
        ) as process:
            assert process.stdout is not None
            data = _reply(process.stdout, bounds, deadline)
            status = process.wait()
        if status == -signal.SIGXCPU:
            raise bounds.blame(f"{bounds.doing} took more than {bounds.seconds:.0f} s of processor time")
        if status != 0:
            stderr.seek(0)
            last = stderr.read()[-2000:].decode(errors="replace").strip().splitlines()[-1:]
            ended = f"signal {-status}" if status < 0 else f"exit status {status}"
            raise Fault(": ".join([f"{bounds.doing} ended with {ended}", *last]))
    found: _R = _value(data, bounds, get_type_hints(function).get("return"))
    return found


def _argv() -> list[str]:
    return [sys.executable, "-I", "-c", _CODE, str(_ROOT)]


def _reply(stream: IO[bytes], bounds: Bounds, deadline: Deadline) -> bytes:
    data = bytearray()
    while True:
        if not select.select([stream], [], [], deadline.left)[0]:
            raise Fault(f"{bounds.doing} did not end within {deadline.seconds:.0f} s")
        chunk = os.read(stream.fileno(), _CHUNK_BYTES)
        if not chunk:
            return bytes(data)
        data += chunk
        if len(data) > _MOST_REPLY_BYTES:
            raise bounds.blame(f"{bounds.doing} found more than {_MOST_REPLY_BYTES >> 20} MiB of names and text")


def _value(data: bytes, bounds: Bounds, kind: Any) -> Any:
    try:
        reply = json.loads(data)
        if "value" in reply:
            return msgspec.convert(reply["value"], kind, dec_hook=_decoded)
        if reply.get("error") == "memory":
            raise bounds.blame(f"{bounds.doing} took more than {bounds.memory_bytes >> 20} MiB of memory")
        error = getattr(errors, str(reply["error"]), None)
        message = str(reply["message"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, msgspec.ValidationError) as e:
        raise Fault(f"{bounds.doing}: the reply of the reader cannot be read: {e}") from e
    if not (isinstance(error, type) and issubclass(error, EvaluateError)):
        raise Fault(f"{bounds.doing}: {message}")
    raise error(message)


def _encoded(value: Any) -> str:
    if isinstance(value, Path):
        return str(value.absolute())  # a child has another working directory
    raise NotImplementedError(f"a value of {type(value)}")


def _decoded(kind: type, value: Any) -> Any:
    if issubclass(kind, Path) and isinstance(value, str):
        return Path(value)
    raise NotImplementedError(f"a value of {kind}")


def child() -> None:
    """In the child: one request from standard input, one reply to standard output."""
    reply = os.dup(1)
    os.dup2(2, 1)  # so that nothing printed mixes with the reply
    request = json.load(sys.stdin.buffer)
    module, _, name = request["function"].partition(":")
    try:
        function = getattr(importlib.import_module(module), name)
        kinds = get_type_hints(function)
        positional = zip(function.__code__.co_varnames, request["arguments"], strict=False)
        arguments = [msgspec.convert(value, kinds[key], dec_hook=_decoded) for key, value in positional]
        named = {key: msgspec.convert(value, kinds[key], dec_hook=_decoded) for key, value in request["named"].items()}
        found: dict[str, object] = {"value": msgspec.to_builtins(function(*arguments, **named), enc_hook=_encoded)}
    except MemoryError:
        found = {"error": "memory"}
    except EvaluateError as e:
        found = {"error": type(e).__name__, "message": str(e)}
    except OSError as e:
        found = {"error": Fault.__name__, "message": str(e)}
    with os.fdopen(reply, "w") as out:
        json.dump(found, out)
