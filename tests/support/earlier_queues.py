"""Queues as earlier schemas of the database had them: SQL dumps in ``tests/data/queue``, and how they were made.

``python -m tests.support.earlier_queues REVISION`` makes the dumps of a revision, on SQLite and on its own PostgreSQL
server. Do so once, before a later revision is added; existing dumps are never made again.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from evaluate.core.model import Stage
from evaluate.queue.db.database import details_file
from evaluate.queue.db.journal import _link
from evaluate.queue.db.reader import FILE
from tests.support.postgres import BINARIES, server
from tests.support.queues import result, score

DUMPS = Path(__file__).parent.parent / "data" / "queue"
KINDS = ("sqlite", "postgresql")
STATES = {
    "e1": ("done", "OK", True),
    "e2": ("parked", "quiz: the infrastructure is at fault: SandboxFault: the guest closed its channel", False),
    "e3": ("queued", "", False),
    "e4": ("cancelled", "by the organiser", False),
    "e5": ("exam", "try 2 in 30 s: SandboxFault: the guest closed its channel", True),
}
"""Entry -> state, detail, whether an attempt was charged."""


def load(revision: str, state: Path, url: str) -> None:
    """Fill the empty database of ``url``, or the SQLite file of a state directory, from a dump."""
    text = (DUMPS / f"{revision}.{'postgresql' if url else 'sqlite'}.sql").read_text()
    if not url:
        with sqlite3.connect(state / FILE) as connection:
            connection.executescript(text)
        connection.close()
        if revision >= "0005":  # the dumps have only short texts
            with sqlite3.connect(details_file(state / FILE)) as connection:
                connection.execute("create table details (sha256 varchar(64) primary key, data blob not null)")
            connection.close()
        return
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.connection.cursor().execute(text)  # SQLAlchemy would look for parameters in it
    engine.dispose()


def _fill(engine: sa.Engine, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(files("evaluate.queue.db") / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    tables = sa.MetaData()
    tables.reflect(engine)
    with engine.begin() as connection:
        for name, rows in _rows(revision).items():
            if rows:
                connection.execute(sa.insert(tables.tables[name]), rows)


def _rows(revision: str) -> dict[str, list[dict[str, Any]]]:
    """Of every table, as the program of that time wrote them."""
    found: dict[str, list[dict[str, Any]]] = {"entries": [], "results": [], "scores": []}
    lines: list[tuple[str, str, dict[str, Any]]] = []
    for number, (identity, (state, detail, charged)) in enumerate(STATES.items(), 1):
        upload = {"challenge": "cinc2017", "team": f"team {number % 2}", "name": f"{identity}.zip"}
        upload |= {"sha256": f"{number:064x}", "bytes": 10, "commit": ""}
        row = {**upload, "id": identity, "number": number, "state": state, "attempt": 1, "detail": detail}
        found["entries"].append({**row, "charged": charged, "submitted": 100.0 + number, "changed": 200.0 + number})
        lines.append((identity, "submitted", {**upload, "number": number}))
        if charged:
            lines.append((identity, "charged", {"charged": True}))
        if state != "queued":
            lines.append((identity, "moved", {"to": state, "detail": detail, "charged": None}))
    for stage in (stage for stage in Stage if stage is not Stage.TRAIN):  # as before there was training
        kept = result(stage)
        row = {
            "entry": "e1",
            "attempt": 1,
            "stage": stage.value,
            "verdict": "OK",
            "instructions": 5,
            "wall_seconds": 0.5,
        }
        found["results"].append({**row, "wall_seconds": 0.5, "result": json.dumps(kept), "at": 150.0})
        lines.append(("e1", "result", {"stage": stage.value, "attempt": 1, "result": kept}))
    kept = score(0.5)
    row = {"entry": "e1", "attempt": 1, "key": "F1", "value": 0.5, "score": json.dumps(kept)}
    found["scores"].append({**row, "at": 151.0})
    lines.append(("e1", "score", {"attempt": 1, "score": kept}))
    if revision == "0001":
        found["teams"] = [{"team": "team 0", "tag": 2.0}, {"team": "team 1", "tag": 3.0}, {"team": "", "tag": 1.0}]
    else:
        found |= _rows_of_many_hosts(lines)
    if revision >= "0003":  # reasons are fields; what an earlier release had written was converted
        for row in (*found["entries"], *found["shadows"]):
            reason = _reason(row["state"], row.pop("detail"))
            row["reason"] = json.dumps(reason, sort_keys=True) if reason else ""
    if revision >= "0005":  # records of results are in the details
        del found["record_outcomes"]
    found["journal"] = _chained(lines)
    return found


def _reason(state: str, detail: str) -> dict[str, str]:
    if state == "done":
        return {"cause": "verdict", "verdict": detail}
    causes = {"": {}, "by the organiser": {"cause": "organiser"}, "discarded": {"cause": "discarded"}}
    return causes.get(detail, {"cause": "earlier", "message": detail})


def _rows_of_many_hosts(lines: list[tuple[str, str, dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    shadows = []
    for attempt, (state, detail) in enumerate((("cancelled", "discarded"), ("parked", "score: no references")), 2):
        data = {"attempt": attempt, "purpose": f"r{attempt - 1}", "challenge": "cinc2017", "references": "", "base": 1}
        data["first"] = "score"
        shadow = {**data, "entry": "e1", "state": state, "detail": detail, "changed": 300.0, "adopted": False}
        shadows.append({**shadow, "owner": "", "flow": 0})
        lines.append(("e1", "shadowed", data))
        lines.append(("e1", "shadow-moved", {"attempt": attempt, "to": state, "detail": detail}))
    task = {"entry": "e5", "attempt": 1, "task": "exam-0", "number": 1, "stage": "exam", "tag": 1.5}
    host = {"executor": "green:1", "name": "green", "place": "p", "slots": 2, "version": "0.1.0", "flow": "flow2"}
    outcome = {"entry": "e1", "attempt": 1, "stage": "exam", "record": "A1", "verdict": "OK", "instructions": 5}
    return {
        "shadows": shadows,
        "shares": [{"queue": "entries", "team": "team 0", "tag": 2.0}, {"queue": "entries", "team": "", "tag": 1.0}],
        "tasks": [{**task, "executor": "green:1", "since": 210.0, "deadline": 400.0}],
        "hosts": [{**host, "started": 90.0, "expires": 9e9}],
        "record_outcomes": [{**outcome, "wall_seconds": 0.5}],
        "settings": [{"key": "rejudgings", "value": "2"}],
    }


def _chained(lines: list[tuple[str, str, dict[str, Any]]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    before = ""
    for number, (entry, event, data) in enumerate(lines, 1):
        text = json.dumps(data)
        before = _link(before, number, 100.0 + number, entry, event, text)
        row = {"number": number, "at": 100.0 + number, "entry": entry, "event": event, "data": text}
        found.append({**row, "chain": before})
    return found


def main() -> None:
    revision = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        engine = sa.create_engine(f"sqlite:///{folder}/{FILE}")
        _fill(engine, revision)
        engine.dispose()
        with sqlite3.connect(f"{folder}/{FILE}") as connection:
            (DUMPS / f"{revision}.sqlite.sql").write_text("\n".join(connection.iterdump()) + "\n")
        connection.close()
    with server() as running:
        url = running.database("earlier")
        engine = sa.create_engine(url)
        _fill(engine, revision)
        engine.dispose()
        argv = [BINARIES[-1].with_name("pg_dump"), "--inserts", "--no-owner", "--no-privileges", "--no-comments"]
        dump = subprocess.run([*argv, url.replace("+psycopg", "")], check=True, capture_output=True, text=True).stdout
        # lines meant only for the program psql, and settings that older servers do not know
        lines = [line for line in dump.splitlines() if line and not line.startswith(("\\", "--", "SET "))]
        (DUMPS / f"{revision}.postgresql.sql").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
