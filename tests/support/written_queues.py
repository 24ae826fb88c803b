"""Queues with entries in every state, as programs of earlier releases wrote them: SQL dumps in ``tests/data/written``.

``python -m tests.support.written_queues COMMIT`` makes the dumps of the release at a commit, on SQLite and on its own
PostgreSQL server: it runs `write` below with the code of that commit.  What differs among releases is only how to
import what, and whether a reason is a sentence.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WRITTEN = Path(__file__).parent.parent / "data" / "written"
CHECKOUT = Path(__file__).parent.parent.parent
RELEASES = {
    "0001": "9ce2276",
    "0002": "0fd0541",
    "0003": "f1db6f7",
    "0004": "c8e8de5",
    "0006": "8aa5c1a",
    "0007": "9e8109d",
    "0008": "bca2964",
    "0009": "d8e0c42",
    "0010": "ef69ce2",
    "0012": "cd86edc",
    "0013": "6e813a5",
}
"""Schema -> a commit whose program writes it; none was released with 0005, and none opened a queue
with 0011: until 0012 it had two last migrations."""
FILES = ("queue.sqlite", "queue-details.sqlite")
STATES = {"queued": 7, "prep": 1, "quiz": 1, "exam": 1, "score": 1, "done": 6, "parked": 2, "cancelled": 2}
"""How many entries are in each state."""
STAGES = ("prep", "quiz", "exam", "score")
_USAGE = {"instructions": 5, "wall_seconds": 0.5, "memory_bytes": 0, "output_bytes": 0}


def load(release: str, state: Path, url: str) -> None:
    """Fill a state directory, and the empty database of ``url`` if there is one, with what a release wrote."""
    for digest, data in _archives().items():
        place = state / "entries" / digest
        place.mkdir(parents=True)
        (place / "archive").write_bytes(data)
    if url:
        import sqlalchemy as sa  # earlier releases run this module too

        engine = sa.create_engine(url)
        with engine.begin() as connection:
            text = (WRITTEN / f"{release}.postgresql.sql").read_text()
            connection.connection.cursor().execute(text)  # SQLAlchemy would look for parameters in it
        engine.dispose()
        return
    for name in FILES:
        if (dump := WRITTEN / f"{release}.{name}.sql").is_file():
            with sqlite3.connect(state / name) as connection:
                connection.executescript(dump.read_text())
            connection.close()


def _archives() -> dict[str, bytes]:
    data = [f"{n}".encode() for n in range(sum(STATES.values()))]
    return {hashlib.sha256(one).hexdigest(): one for one in data}


def _of_release(*names: str) -> Any:
    """The first module of these that there is."""
    for name in names:
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError:
            continue
    raise ModuleNotFoundError(names)


class _Writer:
    def __init__(self, state: Path, url: str) -> None:
        entries = _of_release("evaluate.queue.entries.store", "evaluate.queue.store.entries", "evaluate.queue.store")
        self.states = _of_release("evaluate.queue.db.rows", "evaluate.queue.store.rows", "evaluate.queue.store").State
        self.stages = _of_release("evaluate.core.model", "evaluate.model").Stage
        self.reasons = _of_release("evaluate.queue.db.reasons", "evaluate.queue.store.reasons", "evaluate.errors")
        self.store = entries.open_store(state, url) if url else entries.open_store(state)

    def why(self, cause: str, text: str = "") -> Any:
        """A reason, as a sentence where that is what the release knows."""
        if not hasattr(self.reasons, "Reason"):
            return text
        if cause == "verdict":
            return self.reasons.ended_with(text)
        return self.reasons.Reason(cause=self.reasons.Cause(cause), stage="exam", message=text)

    def run(self, entry: Any, last: str, verdict: str = "") -> None:
        """Take an entry to its stage ``last``, and to its end if there is a verdict."""
        for stage in STAGES[: STAGES.index(last) + 1]:
            self.store.move(entry.id, self.states(stage))
            if stage == "exam":
                if hasattr(self.store, "charge"):
                    self.store.charge(entry.id, entry.attempt)
                else:
                    self.store.move(entry.id, self.states(stage), charged=True)
            if stage != last or verdict:
                self.result(entry.id, entry.attempt, stage, verdict if stage == last else "OK")
        if verdict and last == "score":
            self.score(entry.id, entry.attempt, 0.5)
        if verdict:
            self.store.move(entry.id, self.states.DONE, self.why("verdict", verdict))

    def result(self, identity: str, attempt: int, stage: str, verdict: str) -> None:
        names = ("A1", "A2") if stage in ("quiz", "exam") else ()
        records = [
            {"record": name, "verdict": verdict, "usage": _USAGE, "answer": None, "message": ""} for name in names
        ]
        found = {"stage": stage, "verdict": verdict, "message": "x" * 300, "usage": _USAGE, "records": records}
        self.store.keep_result(identity, attempt, stage, {**found, "diagnostics": "", "machine": None})

    def score(self, identity: str, attempt: int, value: float) -> None:
        found = {"primary": "F1", "values": {"F1": value}, "official": {"F1": value}, "notes": []}
        self.store.keep_score(identity, attempt, {**found, "intervals": {"F1": [value / 2, value * 1.5]}})


def write(state: Path, url: str) -> None:
    """Write the queue with whatever release is imported."""
    own = _Writer(state, url)
    store = own.store
    for n, digest in enumerate(_archives()):
        team = ("red", "Blue", "großes Team", "green")[n % 4]
        row = {"challenge": "cinc2017", "team": team, "name": f"{n}.zip", "sha256": digest, "bytes": 2, "commit": ""}
        ((newest, _),) = store.submit([row])
    several = "teams_in_stages" in store.next_entries.__code__.co_varnames
    taken: Iterator[Any] = iter(store.next_entries(14, "old:1") if several else store.next_entries(14))
    ends = (("score", "OK"), ("score", "OK"), ("score", "OK"), ("prep", "PREP_ERROR"), ("quiz", "WRONG_ANSWER"))
    for last, verdict in (*ends, ("exam", "TIME_LIMIT")):
        own.run(next(taken), last, verdict)
    for last in STAGES:
        own.run(next(taken), last)
    for attempt in ("parked", "parked", "retried", "cancelled"):
        entry = next(taken)
        own.run(entry, "exam")
        if attempt == "cancelled":
            if hasattr(store, "cancel"):  # the first release cannot
                store.cancel(entry.id)
            continue
        store.move(entry.id, own.states.PARKED, own.why("infrastructure", "exam: SandboxFault: the guest is gone"))
        if attempt == "retried":
            store.retry(entry.id)
    entry = next(one for one in store.entries() if one.state == "exam")
    store.move(entry.id, own.states.EXAM, own.why("retry", "try 2 in 30 s: SandboxFault: the guest is gone"))
    if hasattr(store, "cancel"):
        store.cancel(newest)
    _rejudge(own)
    store.engine.dispose()


def _rejudge(own: _Writer) -> None:
    """Four sets: applied, discarded, half done, waiting."""
    try:
        shadows = _of_release(
            "evaluate.queue.entries.shadows", "evaluate.queue.store.shadows", "evaluate.queue.shadows"
        )
    except ModuleNotFoundError:
        return
    store = own.store
    done = [one for one in store.entries() if one.state == "done" and one.charged]
    for purpose, first in (("r1", "score"), ("r2", "exam"), ("r3", "prep"), ("r4", "score")):
        shadows.begin_shadows(store, done, purpose, own.stages(first))
    for one in shadows.shadows_of(store, "r1"):
        store.move(one.entry, own.states.SCORE, attempt=one.attempt)
        own.result(one.entry, one.attempt, "score", "OK")
        own.score(one.entry, one.attempt, 0.7)
        store.move(one.entry, own.states.DONE, own.why("verdict", "OK"), attempt=one.attempt)
    shadows.adopt_shadows(store, "r1")
    shadows.drop_shadows(store, "r2")
    begun, stuck, *_ = shadows.shadows_of(store, "r3")
    store.move(begun.entry, own.states.PREP, attempt=begun.attempt)
    why = own.why("challenge" if "CHALLENGE" in dir(getattr(own.reasons, "Cause", 0)) else "infrastructure", "no score")
    store.move(stuck.entry, own.states.PARKED, why, attempt=stuck.attempt)


def _run(code: Path, state: Path, url: str) -> None:
    program = "import pathlib, runpy, sys; runpy.run_path(sys.argv[1])['write'](pathlib.Path(sys.argv[2]), sys.argv[3])"
    argv = [sys.executable, "-c", program, __file__, str(state), url]
    subprocess.run(argv, check=True, env={**os.environ, "PYTHONPATH": str(code)}, cwd=code)


def main() -> None:
    """Make the dumps of the releases that are named."""
    from tests.support.postgres import BINARIES, server  # not with earlier releases

    for release in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            code, state = Path(folder) / "code", Path(folder) / "state"
            code.mkdir()
            state.mkdir()
            packed = subprocess.run(
                ["git", "archive", RELEASES[release]], check=True, capture_output=True, cwd=CHECKOUT
            )
            subprocess.run(["tar", "-x"], input=packed.stdout, check=True, cwd=code)
            _run(code, state, "")
            for path in (state / name for name in FILES if (state / name).exists()):
                with sqlite3.connect(path) as connection:
                    (WRITTEN / f"{release}.{path.name}.sql").write_text("\n".join(connection.iterdump()) + "\n")
                connection.close()
            if release == "0001":
                continue
            with server() as running:
                url = running.database("written")
                state.with_name("other").mkdir()
                _run(code, state.with_name("other"), url)
                argv = [
                    BINARIES[-1].with_name("pg_dump"),
                    "--inserts",
                    "--no-owner",
                    "--no-privileges",
                    "--no-comments",
                ]
                done = subprocess.run([*argv, url.replace("+psycopg", "")], check=True, capture_output=True, text=True)
                lines = [line for line in done.stdout.splitlines() if line and not re.match(r"\\|--|SET ", line)]
                (WRITTEN / f"{release}.postgresql.sql").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
