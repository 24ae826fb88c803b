"""The child of `evaluate.confine.isolated`: one request from standard input, one reply to standard output.

A new process is started for each call, so this imports little.
"""

from __future__ import annotations

import errno
import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from evaluate.confine.lockdown import Orders, give_up
from evaluate.confine.replies import MEMORY, MOST_MESSAGE, SPACE
from evaluate.core.errors import EntryError, EvaluateError, Fault

STANDING = b"+"
"""First byte of a reply: the walls stand, and what follows is of the function."""


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors that writing beyond a bound ends with."""


def decoded(kind: type, value: Any) -> Any:
    """A value of JSON that msgspec does not convert to its type by itself."""
    if issubclass(kind, Path) and isinstance(value, str):
        return Path(value)
    raise NotImplementedError(f"a value of {kind}")


def child() -> None:
    """Answer one request from standard input on standard output."""
    reply = os.dup(1)
    os.dup2(2, 1)  # so that nothing printed mixes with the reply
    request = json.load(sys.stdin.buffer)
    give_up(msgspec.convert(request["orders"], Orders))
    os.write(reply, STANDING)
    try:
        outcome: dict[str, object] = {"value": _called(request)}
    except MemoryError:
        outcome = {"error": MEMORY, "message": ""}
    except (EvaluateError, OSError) as e:
        outcome = _error_reply(e)
    except BaseException:  # a defect
        import traceback  # noqa: PLC0415  # for defects only

        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    with os.fdopen(reply, "w") as out:
        json.dump(outcome, out)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # threads that a library left behind do not keep the host waiting


def _error_reply(error: EvaluateError | OSError) -> dict[str, object]:
    trouble = error if isinstance(error, OSError) else error.__cause__
    full = isinstance(trouble, OSError) and trouble.errno in _FULL and not isinstance(error, EntryError)
    name = SPACE if full else Fault.__name__ if isinstance(error, OSError) else type(error).__name__
    return {"error": name, "message": str(error)[:MOST_MESSAGE]}


def _called(request: dict[str, Any]) -> Any:
    module, _, name = request["function"].partition(":")
    function = getattr(importlib.import_module(module), name)
    kinds = get_type_hints(function)
    positional = zip(function.__code__.co_varnames, request["arguments"], strict=False)
    arguments = [msgspec.convert(value, kinds[key], dec_hook=decoded) for key, value in positional]
    named = {key: msgspec.convert(value, kinds[key], dec_hook=decoded) for key, value in request["named"].items()}
    return msgspec.to_builtins(function(*arguments, **named))
