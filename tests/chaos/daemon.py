"""A daemon whose stages are scripted by the names of the entries: ``python -m tests.chaos.daemon STATE [--once]``."""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

from evaluate.config import Retries, load_config
from evaluate.errors import ChallengeError, SandboxFault
from evaluate.model import Stage, StageResult, Usage, Verdict
from evaluate.queue.daemon import Daemon, handle_signals
from evaluate.queue.depot import open_depot
from evaluate.queue.flow import Means
from evaluate.queue.hosts import new_executor
from evaluate.queue.logs import log_to
from evaluate.queue.store import open_store
from evaluate.queue.work import SCORE, Task

SHARDS = 3


@dataclass(frozen=True, kw_only=True)
class ScriptedRunner:
    """Takes a moment, leaves a file, and does what the entry's name says: ``<what>-<stage>…``."""

    shared: Path
    seconds: float

    def __call__(self, task: Task, folder: Path) -> StageResult:
        what, _, stage = task.entry.name.partition("-")
        with (self.shared / "ran.txt").open("a") as f:
            f.write(f"{task.entry.id} {task.name}\n")
        (folder / "half").write_text("first")
        time.sleep(random.uniform(0, 2 * self.seconds))
        (folder / "half").write_text("first and second")
        verdict = Verdict.OK
        if stage.startswith(task.stage.value):
            tries = (self.shared / "ran.txt").read_text().count(f"{task.entry.id} {task.name}\n")
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
    config = replace(
        load_config(asked.state),
        slots=asked.slots,
        shards=SHARDS,
        retries=Retries(delay_seconds=0.05),
        free_bytes=0,
        stop_seconds=5,
    )
    log_to(sys.stdout)
    shared, depot = open_depot(asked.state, config.shared)
    means = Means(
        store=open_store(asked.state, config.database),
        shared=shared,
        depot=depot,
        runner=ScriptedRunner(shared=shared, seconds=asked.seconds),
        config=config,
        executor=new_executor(config.host),
        poll_seconds=0.1,
    )
    daemon = Daemon(asked.state, means)
    handle_signals(daemon)
    if not daemon.run(once=asked.once):
        sys.stdout.flush()
        os._exit(0)


if __name__ == "__main__":
    main()
