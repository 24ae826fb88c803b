"""A daemon with scripted stages (`tests.chaos.daemon`) that finds entries whose workflow is lost."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluate.core.model import Stage
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import State
from evaluate.store.entries.rejudge_attempts import begin_rejudging
from evaluate.store.entries.store import Store, open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    found = open_store(tmp_path)
    yield found
    found.engine.dispose()


def drained(state: Path) -> None:
    (state / "evaluate.yaml").write_text("heartbeat: {seconds: 0.2, ttl_seconds: 5}\n")
    argv = [sys.executable, "-W", "ignore", "-m", "tests.chaos.daemon", str(state), "--once", "--seconds", "0.01"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_attempts_whose_workflows_are_lost_go_on_from_the_stage_they_were_in(store: Store, tmp_path: Path) -> None:
    uploads = [
        {"challenge": "cinc2017", "team": f"t{i}", "name": "good", "sha256": f"{i:064x}", "bytes": 1, "commit": ""}
        for i in range(3)
    ]
    store.submit(uploads)
    early, late, judged = store.next_entries(3)
    store.move(late.id, State.EXAM)  # as after a restore: the store knows where it was, DBOS knows nothing
    store.move(judged.id, State.DONE, ended_with("OK"), charged=True)
    for stage in ("prep", "quiz"):
        product = tmp_path / "work" / judged.id / "1" / stage
        product.mkdir(parents=True)
        (product / "half").write_text("first and second")  # what the scripted stages leave
    begin_rejudging(store, [store.entry(judged.id)], "r1", Stage.EXAM)
    store.next_rejudging_attempts(1)
    store.move(judged.id, State.SCORE, attempt=2)
    drained(tmp_path)
    assert {entry.id: (entry.state, entry.reason.verdict) for entry in store.entries()} == dict.fromkeys(
        (early.id, late.id, judged.id), (State.DONE, "OK")
    )
    assert [(one.state, one.reason.verdict) for one in store.rejudging_attempts()] == [(State.DONE, "OK")]
    stages = ["prep", "quiz", "exam", "score"]
    assert [result["stage"] for result in store.results(late.id, 1)] == stages
    passed = [data["to"] for _, _, identity, event, data in store.journal() if (identity, event) == (late.id, "moved")]
    assert passed == ["prep", "exam", "score", "done"]
