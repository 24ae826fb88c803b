"""Evidence of faults, so that the organiser can say what was broken: one JSON file for each try that failed."""

from __future__ import annotations

import json
import os
import platform
import shutil
import socket
import time
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evaluate import __version__
from evaluate.core.errors import Fault, SandboxFault
from evaluate.core.files import publish
from evaluate.store.files.depot import Depot
from evaluate.store.files.stage_folders import EVIDENCE, Task, part_of
from evaluate.store.logs import LOG, about, indented
from evaluate.store.schedule.faults import LINES


def keep_evidence(shared: Path, depot: Depot, task: Task, number: int, executor: str, error: Exception) -> None:
    """Write down the fault of one try; if that fails too, it is in the log."""
    about_it = about(entry=task.entry.id, attempt=task.entry.attempt, task=task.name, number=number + 1)
    LOG.error("%s: %s", type(error).__name__, error, extra=about_it)
    try:
        depot.publish(str(_write(shared, task, number, executor, error).relative_to(shared)))
    except (OSError, Fault) as e:
        LOG.error("the evidence of this fault cannot be kept: %s", e, extra=about_it)


def _write(shared: Path, task: Task, number: int, executor: str, error: Exception) -> Path:
    folder = evidence_folder(shared, task.entry.id, task.entry.attempt)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    message = str(error)
    record = {
        "entry": task.entry.id,
        "attempt": task.entry.attempt,
        "task": task.name,
        "try": number + 1,
        "at": time.time(),
        "executor": executor,
        "host": socket.gethostname(),
        "error": type(error).__name__,
        "message": message,
        "console": list(error.console) if isinstance(error, SandboxFault) else [],
        "causes": "".join(traceback.format_exception(error)),
        "version": __version__,
        "kernel": platform.release(),
        "load": os.getloadavg(),
        "free_bytes": shutil.disk_usage(shared).free,
    }
    target = folder / f"{task.name}.{number + 1}.json"
    part = part_of(folder, target.stem, executor.rpartition(":")[2])
    try:
        part.write_text(json.dumps(record, indent=1))
        publish(part, target, 0o600)
    finally:
        part.unlink(missing_ok=True)
    return target


def last_lines(error: Exception) -> list[str]:
    """The last lines of what is known of a fault: of the guest's console, and of the causes."""
    console = list(error.console) if isinstance(error, SandboxFault) else []
    causes = "".join(traceback.format_exception(error)).splitlines()
    return [*console[-LINES // 2 :], *causes[-LINES // 2 :]]


def evidence_folder(shared: Path, identity: str, attempt: int) -> Path:
    """The folder with the evidence of an attempt."""
    return shared / EVIDENCE / identity / str(attempt)


def evidence_of(shared: Path, depot: Depot, identity: str, attempt: int) -> list[dict[str, Any]]:
    """The evidence of the faults of an attempt on all hosts, the first fault first."""
    names = depot.below(str(evidence_folder(Path(), identity, attempt)))
    records = []
    for name in names:
        if name.endswith(".json"):
            depot.fetch(name)
            records.append(json.loads((shared / name).read_text()))
    return sorted(records, key=lambda record: float(record["at"]))


def as_text(record: Mapping[str, Any]) -> str:
    """A fault as text for people."""
    at = datetime.fromtimestamp(record["at"], UTC)
    host, free = record["executor"].rpartition(":")[0], record["free_bytes"] >> 20
    lines = [
        f"{record['task']}, try {record['try']} on host {host}, {at:%Y-%m-%d %H:%M:%SZ}",
        f"evaluate {record['version']}, Linux {record['kernel']}, load {record['load'][0]:.1f}, {free} MiB free",
        record["causes"].rstrip(),
    ]
    return indented("\n".join(lines))
