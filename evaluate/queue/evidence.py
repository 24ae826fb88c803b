"""What is kept of a fault, so that the organiser can say what was broken: one JSON file for each try that failed."""

from __future__ import annotations

import json
import os
import platform
import shutil
import socket
import time
import traceback
from pathlib import Path

from evaluate import __version__
from evaluate.durable import publish
from evaluate.queue.logs import LOG, about
from evaluate.queue.work import EVIDENCE, Task, part_of

_CONSOLE = "  console: "


def keep_evidence(shared: Path, task: Task, number: int, executor: str, error: Exception) -> None:
    """Write down a fault of one try; where that cannot be done either, the log has it."""
    about_it = about(entry=task.entry.id, attempt=task.entry.attempt, task=task.name, number=number + 1)
    LOG.error("%s: %s", type(error).__name__, error, extra=about_it)
    try:
        _write(shared, task, number, executor, error)
    except OSError as e:
        LOG.error("the evidence of this fault cannot be kept: %s", e, extra=about_it)


def _write(shared: Path, task: Task, number: int, executor: str, error: Exception) -> None:
    folder = evidence_folder(shared, task.entry.id, task.entry.attempt)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    message = str(error)
    console = [line.removeprefix(_CONSOLE) for line in message.splitlines() if line.startswith(_CONSOLE)]
    found = {
        "entry": task.entry.id,
        "attempt": task.entry.attempt,
        "task": task.name,
        "try": number + 1,
        "at": time.time(),
        "executor": executor,
        "host": socket.gethostname(),
        "error": type(error).__name__,
        "message": message,
        "console": console,
        "causes": "".join(traceback.format_exception(error)),
        "version": __version__,
        "kernel": platform.release(),
        "load": os.getloadavg(),
        "free_bytes": shutil.disk_usage(shared).free,
    }
    target = folder / f"{task.name}.{number + 1}.json"
    part = part_of(folder, target.stem, executor.rpartition(":")[2])
    try:
        part.write_text(json.dumps(found, indent=1))
        publish(part, target)
    finally:
        part.unlink(missing_ok=True)


def evidence_folder(shared: Path, identity: str, attempt: int) -> Path:
    """Where the evidence of an attempt lies."""
    return shared / EVIDENCE / identity / str(attempt)
