"""A daemon whose stages are scripted by the names of the entries: ``python -m tests.chaos.daemon STATE [--once]``."""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from dataclasses import dataclass
from pathlib import Path

from evaluate.errors import ChallengeError, SandboxFault
from evaluate.model import Stage, StageResult, Usage, Verdict
from evaluate.queue.daemon import Daemon, Rules, stop_on_signals
from evaluate.queue.flow import Means
from evaluate.queue.store import open_store
from evaluate.queue.work import SCORE, Task

SHARDS = 3


@dataclass(frozen=True, kw_only=True)
class ScriptedRunner:
    """Takes a moment, leaves a file, and does what the entry's name says: ``<what>-<stage>…``."""

    state: Path
    seconds: float

    def __call__(self, task: Task, folder: Path) -> StageResult:
        what, _, stage = task.entry.name.partition("-")
        with (self.state / "ran.txt").open("a") as f:
            f.write(f"{task.entry.id} {task.name}\n")
        (folder / "half").write_text("first")
        time.sleep(random.uniform(0, 2 * self.seconds))
        (folder / "half").write_text("first and second")
        verdict = Verdict.OK
        if stage.startswith(task.stage.value):
            tries = (self.state / "ran.txt").read_text().count(f"{task.entry.id} {task.name}\n")
            if what == "fault" or (what == "recovers" and tries < 2):
                raise SandboxFault("the guest closed its channel")
            if what == "broken":
                raise ChallengeError("REFERENCE.csv is gone")
            if what == "fails":
                verdict = Verdict.RUNTIME_ERROR
        if task.stage is Stage.SCORE:
            values = {"F1": 0.5 + task.entry.number / 1000}
            score = {"primary": "F1", "values": values, "official": values, "intervals": {}, "notes": []}
            (folder / SCORE).write_text(json.dumps(score))
        return StageResult(
            stage=task.stage, verdict=verdict, message=task.name, usage=Usage(instructions=7, wall_seconds=0.1)
        )


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("state", type=Path)
    options.add_argument("--once", action="store_true")
    options.add_argument("--slots", type=int, default=3)
    options.add_argument("--seconds", type=float, default=0.05, help="mean length of a stage")
    asked = options.parse_args()
    means = Means(
        store=open_store(asked.state),
        state=asked.state,
        runner=ScriptedRunner(state=asked.state, seconds=asked.seconds),
        shards=SHARDS,
        delay_seconds=0.05,
        poll_seconds=0.1,
    )
    daemon = Daemon(means, Rules(slots=asked.slots, poll_seconds=0.1, free_bytes=0, stop_seconds=5), print)
    stop_on_signals(daemon)
    if not daemon.run(once=asked.once):
        os._exit(0)


if __name__ == "__main__":
    main()
