"""Whose fault is it, through the whole queue: submit, a real daemon, real stages; answers need no virtual machine."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Challenge, Kind
from evaluate.store.db.reasons import Cause
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.entries.store import open_store
from tests.functional.test_daemon import evaluate


@pytest.fixture
def challenge(tmp_path: Path) -> Challenge:
    write_skeleton(tmp_path / "toy", Kind.ANSWERS)
    return load_challenge(str(tmp_path / "toy"))


def evaluated(tmp_path: Path, challenge: Challenge, answers: dict[str, bytes]) -> QueuedEntry:
    """The entry as the queue has it after a daemon has done what it can."""
    with zipfile.ZipFile(tmp_path / "answers.zip", "w") as bundle:
        for name, data in answers.items():
            bundle.writestr(name, data)
    options = ("--challenge", str(challenge.folder), "--team", "red")
    submitted = evaluate(tmp_path / "state", "submit", str(tmp_path / "answers.zip"), *options)
    assert submitted.returncode == 0, submitted.stderr
    done = evaluate(tmp_path / "state", "daemon", "--once", "--free-gib", "0")
    assert done.returncode == 0, done.stderr
    store = open_store(tmp_path / "state")
    try:
        return store.entry(submitted.stdout.strip())
    finally:
        store.engine.dispose()


def right_answers(challenge: Challenge) -> dict[str, bytes]:
    sample = challenge.folder / "sample_entry"
    return {path.name: path.read_bytes() for path in sample.iterdir()}


def test_answer_over_its_limit_is_a_verdict_and_is_not_retried_or_parked(tmp_path: Path, challenge: Challenge) -> None:
    name = f"{challenge.exam.records[0]}.txt"
    most = challenge.limits["exam"].answer_bytes
    entry = evaluated(tmp_path, challenge, {**right_answers(challenge), name: bytes(most + 1)})
    assert (entry.state, entry.reason.verdict) == (State.DONE, "INVALID_ENTRY")
    report = evaluate(tmp_path / "state", "report", entry.id)
    assert report.returncode == 1
    assert f"{name} is larger than 1 MiB" in report.stdout


def test_own_metric_that_fails_parks_the_entry_for_the_organiser_with_its_last_line(
    tmp_path: Path, challenge: Challenge
) -> None:
    metric = challenge.folder / "accuracy.py"
    metric.write_text(
        metric.read_text().replace("def score(", "def score(self, *_, **__):\n        return {}['x']\n\n    def old(")
    )
    entry = evaluated(tmp_path, challenge, right_answers(challenge))
    assert (entry.state, entry.reason.cause, entry.charged) == (State.PARKED, Cause.CHALLENGE, False)
    assert "accuracy.py, line" in entry.reason.message
    assert entry.reason.message.endswith("KeyError: 'x'")
