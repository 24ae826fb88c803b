"""CPU time of commands that people type often, as a ratio to starting Python: ``python -m tests.benchmarks.commands``.

User and system time of the process, the smallest of some runs; ``python -c pass`` is measured between them, so that the
ratios can be compared between machines and under load.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence

RUNS = 10
GOALS = {"--help": 0.15, "status": 0.4}
"""The goals in CPU seconds, on an idle machine of today."""


def cpu_seconds(argv: Sequence[str]) -> float:
    """CPU seconds of one process."""
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, argv
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Print a table."""
    with tempfile.TemporaryDirectory() as state:
        program = [sys.executable, "-m", "evaluate", "--state", state]
        measured: dict[str, list[str]] = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "--help": [*program, "--help"],
            "status": [*program, "status"],
            "board": [*program, "board", "cinc2017"],
        }
        subprocess.run(measured["status"], check=True, stdout=subprocess.DEVNULL)  # creates the database
        found: dict[str, list[float]] = {name: [] for name in measured}
        for _ in range(RUNS):
            for name, argv in measured.items():
                found[name].append(cpu_seconds(argv))
    base = min(found["python -c pass"])
    print(f"{'command':<16}{'CPU s':>8}{'ratio':>8}{'goal':>8}")
    for name, seconds in found.items():
        goal = f"{GOALS[name]:.2f}" if name in GOALS else ""
        print(f"{name:<16}{min(seconds):>8.3f}{min(seconds) / base:>8.1f}{goal:>8}")


if __name__ == "__main__":
    main()
