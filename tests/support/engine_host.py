"""A process with its own DBOS that does what lines of JSON on its standard input say; for tests of the engine.

``python -m tests.support.engine_host STATE URL EXECUTOR VERSION``; a workflow continues when a file of its name exists.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from dbos import DBOS

from evaluate.queue import engine as engines
from evaluate.queue.engine import RECOVERIES, Engine, Flow
from evaluate.queue.store.database import open_database

STATE = Path(sys.argv[1])
SLOTS_NOW = [0]
ASKED = [0]
"""How often DBOS asked for the number of slots."""


@DBOS.workflow(name="stage", max_recovery_attempts=RECOVERIES)
def stage(name: str) -> dict[str, str]:
    with (STATE / "ran").open("a") as f:
        f.write(f"{name} {sys.argv[3]}\n")
    while not (STATE / name).exists() and not (STATE / "all").exists():
        time.sleep(0.01)
    if name.startswith("bad"):
        raise sa.exc.OperationalError("select", {}, ValueError(name))
    return {"kind": name}


def slots() -> int:
    ASKED[0] += 1
    return SLOTS_NOW[0]


def main() -> None:
    _, state, url, executor, version = sys.argv
    engines.VERSION = version
    database = open_database(Path(state), url)
    engine = Engine(database, executor, slots, 0.05)
    engine.launch()
    print(json.dumps("begun"), flush=True)
    for line in sys.stdin:
        word, *given = json.loads(line)
        print(json.dumps(answer(engine, word, given)), flush=True)
    sys.stdout.flush()


def answer(engine: Engine, word: str, given: list[Any]) -> Any:
    flows = [Flow(**one) for one in given[0] if isinstance(one, dict)] if given and isinstance(given[0], list) else []
    does: dict[str, Any] = {
        "slots": lambda: SLOTS_NOW.__setitem__(0, given[0]),
        "enqueue": lambda: engine.enqueue(stage, given[0], given[1], given[0]),
        "children": lambda: [asdict(flow) for flow in engine.children((given[0], given[1])).values()],
        "ended": lambda: sorted(engine.ended(given[0])),
        "over": lambda: [asdict(flow) for flow in engine.over()],
        "flow": lambda: [asdict(flow) for flow in engine.flows([given[0]]).values()],
        "flows": lambda: len(engine.flows([])),
        "pending": lambda: [asdict(flow) for flow in engine.pending()],
        "waiting": lambda: [asdict(flow) for flow in engine.waiting()],
        "unfinished": engine.unfinished,
        "running": lambda: sorted(engine.running_here()),
        "asked": lambda: ASKED[0],
        "held": engine.held_here,
        "give back": lambda: engine.give_back(flows),
        "adopt": lambda: engine.adopt(iter(flows)),
        "cancel": lambda: engine.cancel(flows[0]),
        "forget": lambda: engine.forget(flows),
        "end": engine.end,
    }
    return does[word]()


if __name__ == "__main__":
    main()
