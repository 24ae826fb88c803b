"""The readiness report: this machine, and the outcome of every attack on it."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evaluate import __version__
from evaluate.attack.cases import cases_folder
from evaluate.attack.suite import Result
from evaluate.core.errors import EvaluateError
from evaluate.core.files import write_file
from evaluate.core.model import MachineInfo
from evaluate.core.sanitize import in_one_line
from evaluate.host.doctor import libvirt_version
from evaluate.host.finding import Check
from evaluate.sandbox.domain import qemu_version

FORMAT = "evaluate readiness 1"
_SHOWN = 160


def readiness(results: Sequence[Result], checks: Sequence[Check], machine: MachineInfo | None) -> dict[str, Any]:
    """The report as JSON values."""
    counter = machine.counter if machine else None
    return {
        "format": FORMAT,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "host": _host(),
        "versions": {
            "evaluate": __version__,
            "python": platform.python_version(),
            "kernel": platform.release(),
            "qemu": _or_none(qemu_version),
            "libvirt": _or_none(libvirt_version),
        },
        "accelerator": machine.accelerator if machine else None,
        "counter": {"kind": counter.kind, "calibration_error": counter.calibration_error} if counter else None,
        "digests": {
            "image": machine.image if machine else None,
            "program": _digest(Path(__file__).parent.parent, "**/*.py"),
            "cases": _digest(cases_folder(), "**/*"),
        },
        "findings": [
            {"name": check.name, "ok": check.ok, "needed": check.needed, "found": check.found} for check in checks
        ],
        "attacks": [_attack(result) for result in results],
        "summary": summary(results),
    }


def summary(results: Sequence[Result]) -> dict[str, int]:
    """Count the attacks that were tried, ended as they must, got through as is known, failed, or were not tried."""
    tried = [result for result in results if result.tried]
    return {
        "tried": len(tried),
        "held": sum(result.held for result in tried),
        "residual": sum(result.held and bool(result.seen.reached) for result in tried),
        "failed": sum(not result.held for result in tried),
        "not_tried": len(results) - len(tried),
    }


def outcomes(results: Sequence[Result]) -> dict[str, Any]:
    """The outcome of each case for other programs; one that was not tried here counts as neither passed nor failed."""
    each = [
        {
            "case": result.case.name,
            "expected": list(result.case.expected),
            "seen": result.seen.outcome,
            "ok": result.held,
        }
        for result in results
    ]
    counts = summary(results)
    return {"cases": each, "passed": counts["held"], "failed": counts["failed"]}


def _attack(result: Result) -> dict[str, Any]:
    return {
        "name": result.case.name,
        "attack": result.case.attack,
        "expected": result.case.wanted,
        "seen": result.seen.outcome,
        "said": in_one_line(result.seen.text),
        "reached": [in_one_line(line) for line in result.seen.reached],
        "residual": result.case.residual,
        "held": result.held,
        "seconds": round(result.seconds, 1),
    }


def line(result: Result) -> str:
    """One case for a terminal: what was tried, expected and seen."""
    how = "held" if result.held else "FAILED"
    if not result.tried:
        how = "not tried"
    elif result.held and result.seen.reached:
        how = "known"
    text = (
        f"{how:<10}{result.case.name}: {result.case.attack}; expected {result.case.wanted}; saw {result.seen.outcome}"
    )
    reached = "; ".join(result.seen.reached) or ("" if result.held else result.seen.text)
    if reached:
        text += f" ({in_one_line(reached)[:_SHOWN]})"
    if result.case.residual and result.seen.reached:
        text += f"; known: {result.case.residual}"
    return f"{text}  {result.seconds:.1f} s"


def _to_text(report: dict[str, Any], results: Sequence[Result]) -> str:
    """The report for people."""
    counts = report["summary"]
    lines = [
        f"readiness of {report['host']['name']}, {report['at']}",
        ", ".join(f"{name} {version}" for name, version in report["versions"].items() if version),
        f"accelerator {report['accelerator']}, counter {json.dumps(report['counter'])}",
        *(f"{name} {digest}" for name, digest in report["digests"].items() if digest),
        "",
        *(f"{'ok  ' if row['ok'] else 'note'}  {row['name']:<12}{row['found']}" for row in report["findings"]),
        "",
        *map(line, results),
        "",
        f"{counts['tried']} attacks tried, {counts['held']} ended as they must, "
        f"{counts['residual']} of them with what is known to get through, "
        f"{counts['failed']} did not, {counts['not_tried']} could not be run here",
    ]
    return "\n".join(lines) + "\n"


def keep(report: dict[str, Any], results: Sequence[Result], folder: Path) -> tuple[Path, Path]:
    """Write the report of these results as JSON and as text; returns both files."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"readiness-{report['at'].replace(':', '').replace('+0000', 'Z')}"
    files = folder / f"{stem}.json", folder / f"{stem}.txt"
    write_file(files[0], (json.dumps(report, indent=1, allow_nan=False) + "\n").encode())
    write_file(files[1], _to_text(report, results).encode())
    return files


def _host() -> dict[str, Any]:
    models = [text for text in Path("/proc/cpuinfo").read_text().splitlines() if text.startswith("model name")]
    return {
        "name": platform.node(),
        "machine": platform.machine(),
        "processor": models[0].partition(":")[2].strip() if models else "",
        "cores": os.cpu_count(),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "user": "root" if os.geteuid() == 0 else "ordinary",
        "interpreter": sys.implementation.name,
    }


def _or_none(ask: Any) -> str | None:
    try:
        return str(ask())
    except (EvaluateError, OSError):
        return None


def _digest(folder: Path, pattern: str) -> str:
    """SHA-256 over the names and contents of files, so that a reader knows the cases that ran."""
    total = hashlib.sha256()
    for path in sorted(path for path in folder.glob(pattern) if path.is_file() and path.suffix != ".pyc"):
        total.update(f"{path.relative_to(folder)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return f"sha256:{total.hexdigest()}"
