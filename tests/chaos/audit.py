"""Proves of a state directory whose daemons have ended that nothing was lost, doubled or left half-written."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import sqlalchemy as sa

from evaluate.queue.store import RESULTS, SCORES, State, open_store
from evaluate.queue.work import RESULT


def audit(state: Path) -> list[str]:
    """Every violation, a line each."""
    store = open_store(state)
    problems = []
    entries = store.entries()
    for entry in entries:
        if not (entry.state.ended or (entry.state is State.PARKED and entry.detail)):
            problems.append(f"{entry.id} ({entry.name}) is {entry.state} without a reason")
    events = [(identity, event, data) for _, _, identity, event, data in store.journal()]
    with store.engine.connect() as connection:
        scored = Counter(connection.scalars(sa.select(SCORES.c.entry)))
        results = Counter(
            (row.entry, row.stage) for row in connection.execute(sa.select(RESULTS.c.entry, RESULTS.c.stage))
        )
    told = Counter(identity for identity, event, _ in events if event == "score")
    kept = Counter((identity, data["stage"]) for identity, event, data in events if event == "result")
    if told != scored or kept != results:
        problems.append("the journal and the tables differ")
    for entry in entries:
        passed = entry.state is State.DONE and entry.detail == "OK"
        if scored[entry.id] != (1 if passed else 0):
            problems.append(f"{entry.id} ({entry.name}, {entry.state} {entry.detail}) has {scored[entry.id]} scores")
        ended = [data["to"] for identity, event, data in events if identity == entry.id and event == "moved"]
        if ended.count("done") + ended.count("parked") != 1:
            problems.append(f"{entry.id} ended {ended.count('done') + ended.count('parked')} times")
    if any(count > 1 for count in (*scored.values(), *results.values())):
        problems.append("something counts twice")
    problems += [f"{path} is half-written" for path in (state / "work").rglob("*.part")]
    for path in (state / "work").rglob(RESULT):
        json.loads(path.read_text())
        if (path.parent / "half").read_text() != "first and second":
            problems.append(f"{path.parent} is half-written")
    store.engine.dispose()
    return problems
