"""Many entries that have ended, in the tables as the store itself would have written them, but in bulk."""

from __future__ import annotations

import json
import random
import time
from functools import cache
from typing import Any

import sqlalchemy as sa

from evaluate.config.challenge.types import MAIN_EXAM
from evaluate.core.model import Stage
from evaluate.store.db import journal
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.tables import ENTRIES, RESULTS, SCORES
from evaluate.store.entries.store import Store, entry_id
from evaluate.store.people import teams

AT_ONCE = 500
TEAMS = 50
_VARIANTS = 64


def fill_ended(store: Store, start: int, end: int, records: int = 100, challenge: str = "cinc2017") -> None:
    """Add entries number ``start`` + 1 to ``end``, each with a quiz and an exam of so many records and a score."""
    with store.engine.connect() as connection:
        others = (connection.scalar(sa.select(sa.func.max(ENTRIES.c.number))) or 0) - start
    for first in range(start, end, AT_ONCE):
        _add(store, range(first, min(first + AT_ONCE, end)), others, records, challenge)


def _add(store: Store, numbers: range, others: int, records: int, challenge: str) -> None:
    now = time.time()
    rows: dict[Any, list[dict[str, Any]]] = {ENTRIES: [], RESULTS: [], SCORES: []}
    events: list[tuple[str, str, dict[str, Any]]] = []
    texts: list[str] = []
    made = [(n, *_texts(n, records)) for n in numbers]
    for _, _, long, score in made:
        texts += [*long, json.dumps(score)]
    with store.change() as connection:
        kept = iter([store.details.keep(text, connection) for text in texts])
    done = ended_with("OK")
    for n, results, _, score in made:
        upload = {"challenge": challenge, "team": f"t{n % TEAMS}", "name": f"entry-{n}.zip"}
        upload |= {"sha256": f"{n:064x}", "bytes": 12345, "commit": ""}
        identity = entry_id(challenge, str(upload["team"]), str(upload["sha256"]))
        events.append((identity, "submitted", {**upload, "number": n + 1 + others}))
        for result in results:
            stage = str(result["stage"])
            events.append((identity, "moved", {"to": stage, "reason": {}, "charged": None}))
            if stage == Stage.EXAM:
                events.append((identity, "charged", {"charged": True}))
            usage = result["usage"]
            data = {"stage": stage, "attempt": 1, "verdict": "OK", "instructions": usage["instructions"]}
            data |= {"wall_seconds": usage["wall_seconds"], "text": next(kept)}
            events.append((identity, "result", data))
            rows[RESULTS].append({**data, "entry": identity, "result": data["text"], "at": now})
        value = score["values"]["F1"]
        data = {
            "attempt": 1,
            "key": "F1",
            "value": value,
            "low": value - 0.01,
            "high": value + 0.01,
            "text": next(kept),
        }
        events.append((identity, "score", data))
        rows[SCORES].append({**data, "entry": identity, "score": data["text"], "at": now, "judged": ""})
        events.append((identity, "moved", {"to": "done", "reason": done.as_dict(), "charged": None}))
        row = {
            **upload,
            "id": identity,
            "number": n + 1 + others,
            "state": "done",
            "attempt": 1,
            "data": MAIN_EXAM,
            "reason": done.as_text(),
        }
        rows[ENTRIES].append(
            {
                **row,
                "charged": True,
                "submitted": now,
                "arrived": now,
                "changed": now,
                "owner": "green:1",
                "flow": 0,
                "plan": "",
            }
        )
    with store.change() as connection:
        for team in sorted({str(row["team"]) for row in rows[ENTRIES]}, key=lambda name: int(name[1:])):
            teams.enter(connection, team, now)
        for table, values in rows.items():
            names = [column.name for column in table.c]
            connection.execute(sa.insert(table), [{name: row[name] for name in names} for row in values])
        journal.write_all(connection, events, now)


def _texts(n: int, records: int) -> tuple[list[dict[str, Any]], list[str], dict[str, Any]]:
    """The results of the stages without their records, all as they are kept, and the score."""
    chance = random.Random(n)
    machine = {"accelerator": "kvm", "image": f"sha256:{n % 7:064x}", "counter": {"kind": "perf", "mode": "perf"}}
    results, texts = [], []
    for stage in Stage:
        result = {"stage": stage.value, "verdict": "OK", "message": "", "usage": _usage(chance)}
        result |= {"diagnostics": "", "machine": machine, "executor": f"green:{n % 9:012x}"}
        ones = _records(chance.randrange(_VARIANTS), records) if stage in (Stage.QUIZ, Stage.EXAM) else "[]"
        results.append(result)
        texts.append(f'{json.dumps(result)[:-1]}, "records": {ones}}}')
    value = round(chance.random(), 6)
    score = {"primary": "F1", "values": {"F1": value}, "official": {"F1": value}, "notes": [], "clusters": records}
    resampled = [round(value + away, 5) for away in _deviations(chance.randrange(_VARIANTS), 2 * records)]
    return results, texts, {**score, "intervals": {"F1": [value - 0.01, value + 0.01]}, "resampled": resampled}


@cache
def _records(variant: int, records: int) -> str:
    """As JSON; making each again would take most of the time."""
    chance = random.Random(variant)
    ones = [{"record": f"A{i:05}", "verdict": "OK", "usage": _usage(chance)} for i in range(records)]
    return json.dumps([{**one, "answer": chance.choice(("N", "A", "O", "~")), "message": ""} for one in ones])


@cache
def _deviations(variant: int, count: int) -> list[float]:
    chance = random.Random(variant)
    return [chance.gauss(0, 0.01) for _ in range(count)]


def _usage(chance: random.Random) -> dict[str, Any]:
    return {
        "instructions": chance.randrange(10**8, 10**10),
        "wall_seconds": round(chance.random() * 10, 3),
        "memory_bytes": chance.randrange(10**7, 10**9) // 4096 * 4096,
        "output_bytes": chance.randrange(100),
    }
