"""Kills a daemon again and again, by a seeded schedule, and audits what is left: ``python -m tests.chaos``."""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from evaluate.queue.store import State, open_store
from tests.chaos.audit import audit

NAMES = ("good", "good", "good", "fails-quiz", "fails-exam", "fault-prep", "recovers-exam", "broken-score")


def chaos(state: Path, *, kills: int, entries: int, seed: int) -> tuple[int, list[str]]:
    """Run the schedule; how many kills hit a living daemon, and the auditor's findings."""
    dice = random.Random(seed)
    store = open_store(state)
    uploads = [
        {
            "challenge": "cinc2017",
            "team": f"team{i % 5}",
            "name": NAMES[i % len(NAMES)],
            "sha256": hashlib.sha256(str(i).encode()).hexdigest(),
            "bytes": 1,
            "commit": "",
        }
        for i in range(entries)
    ]
    # a part now, the others while daemons live and die
    store.submit(uploads[: entries // 2])
    waiting = uploads[entries // 2 :]
    done = 0
    for number in range(kills):
        daemon = start(state)
        if waiting:
            store.submit([waiting.pop()])
        time.sleep(dice.uniform(0.2, 1.6))
        frozen = dice.random() < 0.2
        if frozen:
            daemon.send_signal(signal.SIGSTOP)
            time.sleep(dice.uniform(0, 0.3))
            daemon.send_signal(signal.SIGCONT)
        if daemon.poll() is None:
            daemon.send_signal(signal.SIGTERM if dice.random() < 0.1 else signal.SIGKILL)
            done += 1
        daemon.wait(timeout=60)
        if number % 20 == 0:
            print(f"{number} of {kills} kills, {store.counts()}", file=sys.stderr)
        if not waiting and not any(store.counts().get(s, 0) for s in State if not s.ended and s is not State.PARKED):
            break
    store.submit(waiting)
    last = start(state, "--once")
    said, _ = last.communicate(timeout=600)
    problems = [] if last.returncode == 0 else [f"the last daemon ended with {last.returncode}: {said[-2000:]}"]
    store.engine.dispose()
    return done, problems + audit(state)


def start(state: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "tests.chaos.daemon", str(state), *options],
        stdout=subprocess.PIPE if options else subprocess.DEVNULL,
        stderr=subprocess.STDOUT if options else subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=100)
    options.add_argument("--entries", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        done, problems = chaos(Path(folder), kills=asked.kills, entries=asked.entries, seed=asked.seed)
        runs = (Path(folder) / "ran.txt").read_text().splitlines()
    for problem in problems:
        print(problem)
    print(
        f"{done} kills, {asked.entries} entries, {len(runs)} stage runs ({len(runs) - len(set(runs))} repeated), "
        f"{len(problems)} findings"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
