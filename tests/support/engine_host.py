"""A process with its own DBOS that does what lines of JSON on its standard input say; for tests of the engine.

``python -m tests.support.engine_host STATE URL EXECUTOR VERSION``; a workflow continues when a file of its name exists.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from dbos import DBOS

from evaluate.queue.db.database import open_database
from evaluate.queue.execution import engine as engines
from evaluate.queue.schedule.engine import RECOVERIES, Engine, Flow

STATE = Path(sys.argv[1])
ENGINE: list[Engine] = []


@DBOS.workflow(name="stage", max_recovery_attempts=RECOVERIES)
def stage(name: str) -> dict[str, str]:
    with ENGINE[0].running(name):
        with (STATE / "ran").open("a") as f:
            f.write(f"{name} {sys.argv[3]}\n")
        while not (STATE / name).exists() and not (STATE / "all").exists():
            time.sleep(0.01)
    if name.startswith("bad"):
        raise sa.exc.OperationalError("select", {}, ValueError(name))
    return {"kind": name}


def main() -> None:
    _, state, url, executor, version = sys.argv
    engines.VERSION = version
    database = open_database(Path(state), url)
    engine = Engine(database, executor)
    ENGINE.append(engine)
    engine.launch()
    print(json.dumps("begun"), flush=True)
    for line in sys.stdin:
        word, *given = json.loads(line)
        print(json.dumps(answer(engine, word, given)), flush=True)
    sys.stdout.flush()


def answer(engine: Engine, word: str, given: list[Any]) -> Any:
    flows = [Flow(**one) for one in given[0] if isinstance(one, dict)] if given and isinstance(given[0], list) else []
    does: dict[str, Any] = {
        "start": lambda: engine.start(stage, given[0], given[0]),
        "children": lambda: [asdict(flow) for flow in engine.children((given[0], given[1])).values()],
        "ended": lambda: sorted(engine.ended(given[0])),
        "over": lambda: [asdict(flow) for flow in engine.over()],
        "unfinished": lambda: [asdict(flow) for flow in engine.unfinished()],
        "running": lambda: sorted(engine.running_here()),
        "left": lambda: sorted(engine.left()),
        "held": engine.held_here,
        "cancel": lambda: engine.cancel(iter(flows)),
        "forget": lambda: engine.forget(flows),
        "threads": lambda: sorted(thread.name for thread in threading.enumerate()),
        "end": engine.end,
    }
    return does[word]()


if __name__ == "__main__":
    main()
