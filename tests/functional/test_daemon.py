"""The queue and its daemon, with scripted stages and with real virtual machines; see also ``test_chaos.py``."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.store.db.reasons import Cause, Reason
from evaluate.store.db.rows import State
from evaluate.store.entries.store import open_store
from tests.chaos.audit import audit, wait_until
from tests.chaos.cluster import Host
from tests.support.queues import at_fault

SAMPLE = load_challenge("cinc2017").folder / "sample_entry"


def evaluate(state: Path, *words: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-W", "ignore", "-m", "evaluate", "--state", str(state), *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def upload(n: int, name: str = "good") -> dict[str, object]:
    return {"challenge": "cinc2017", "team": "t", "name": name, "sha256": f"{n:064x}", "bytes": 1, "commit": ""}


def drain(state: Path) -> None:
    daemon = Host(state, state / "said.log")
    daemon.start("--once")
    assert daemon.process.wait(120) == 0, daemon.said


def test_faults_are_tried_again_and_parked_at_no_cost(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    names = ("fault-quiz", "recovers-exam", "broken-exam", "fails-quiz")
    store.submit([upload(i, name) for i, name in enumerate(names)])
    drain(tmp_path)
    found = {entry.name: entry for entry in store.entries()}
    assert found["fault-quiz"].state is State.PARKED
    assert found["fault-quiz"].reason == at_fault("SandboxFault: the guest closed its channel", "quiz")
    assert not found["fault-quiz"].charged
    assert (found["recovers-exam"].state, found["recovers-exam"].reason.verdict) == (State.DONE, "OK")
    broken = Reason(cause=Cause.CHALLENGE, stage="exam", message="REFERENCE.csv is gone")
    assert found["broken-exam"].reason == broken
    assert (found["fails-quiz"].reason.verdict, found["fails-quiz"].charged) == ("RUNTIME_ERROR", False)
    assert not found["broken-exam"].charged
    runs = (tmp_path / "ran.txt").read_text().split("\n")
    assert sum(line.startswith(f"{found['fault-quiz'].id} quiz") for line in runs) == 3
    told = evaluate(tmp_path, "status", found["fault-quiz"].id, "--evidence").stdout
    assert [f"quiz, try {i} on host" in told for i in (1, 2, 3)] == [True] * 3
    assert f"evaluate status {found['fault-quiz'].id} --evidence" in told
    assert "SandboxFault: the guest closed its channel" in told
    told = evaluate(tmp_path, "status", found["fails-quiz"].id, "--evidence").stdout
    assert told.endswith("no fault is known of attempt 1\n")
    store.engine.dispose()


def test_parked_entry_is_evaluated_again_when_it_is_retried(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    ((identity, _),) = store.submit([upload(1, "fault-quiz")])
    drain(tmp_path)
    with store.change() as connection:  # what was at fault is mended
        connection.exec_driver_sql("update entries set name = 'good'")
    store.retry(identity)
    drain(tmp_path)
    entry = store.entry(identity)
    assert (entry.state, entry.reason.verdict, entry.attempt) == (State.DONE, "OK", 2)
    assert store.score(identity, 2) is not None
    store.engine.dispose()


def test_second_daemon_is_refused_with_the_process_of_the_first(tmp_path: Path) -> None:
    first = Host(tmp_path, tmp_path / "said.log")
    first.start()
    try:
        wait_for(lambda: (tmp_path / "daemon.lock").is_file() and (tmp_path / "daemon.lock").read_text().strip() != "")
        argv = [sys.executable, "-W", "ignore", "-m", "tests.chaos.daemon", str(tmp_path), "--once"]
        second = subprocess.run(argv, capture_output=True, text=True, check=False)
        assert second.returncode != 0
        assert f"a daemon runs here already, process {first.process.pid}" in second.stdout + second.stderr
    finally:
        assert first.ready()
        assert first.end(signal.SIGTERM) == 0


def test_sigterm_lets_a_running_stage_end_and_begins_no_other(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.submit([upload(1)])
    daemon = Host(tmp_path, tmp_path / "said.log")
    daemon.start("--seconds", "1")
    wait_for((tmp_path / "ran.txt").is_file)
    assert daemon.end(signal.SIGTERM) == 0
    (entry,) = store.entries()
    begun = (tmp_path / "ran.txt").read_text().split("\n")[:-1]
    assert begun == [f"{entry.id} prep {tmp_path.name}"]
    drain(tmp_path)  # its outcome is kept, whoever takes the attempt further
    assert [result["stage"] for result in store.results(entry.id, 1)] == ["prep", "quiz", "exam", "score"]
    assert (tmp_path / "ran.txt").read_text().split("\n").count(f"{entry.id} prep {tmp_path.name}") == 1
    assert store.entry(entry.id).state is State.DONE
    store.engine.dispose()


def wait_for(condition: Callable[[], object], seconds: float = 120) -> None:
    assert wait_until(condition, seconds), "what was waited for did not come"


def test_upload_is_refused_as_in_prep_and_costs_no_place(tmp_path: Path) -> None:
    (tmp_path / "entry").mkdir()
    (tmp_path / "entry" / "next.sh").touch()
    done = evaluate(tmp_path / "state", "submit", str(tmp_path / "entry"), "--challenge", "cinc2017", "--team", "t")
    assert done.returncode == 1
    assert "setup.sh is missing" in done.stderr
    assert "queued 0" in evaluate(tmp_path / "state", "status").stdout


def test_team_has_as_many_attempts_as_the_challenge_says(tmp_path: Path) -> None:
    text = (load_challenge("kits19").folder / "challenge.yaml").read_text()
    folder = tmp_path / "limited"
    subprocess.run(["cp", "-r", str(load_challenge("kits19").folder), str(folder)], check=True)
    (folder / "challenge.yaml").write_text(f"{text}\nboard: {{attempts: 1}}\n")
    words = ["--challenge", str(folder), "--team", "t"]
    state = tmp_path / "state"
    first = evaluate(state, "submit", str(folder / "sample_entry"), *words)
    assert first.returncode == 0, first.stderr
    again = evaluate(state, "submit", str(folder / "sample_entry"), *words)
    assert (again.returncode, again.stdout) == (0, first.stdout)
    (folder / "sample_entry" / "notes.txt").write_text("another archive")
    other = evaluate(state, "submit", str(folder / "sample_entry"), *words)
    assert other.returncode == 1
    assert "team t has 1 attempts: 0 are used and 1 are in progress" in other.stderr
    assert evaluate(state, "daemon", "--once").returncode == 0
    report = json.loads(evaluate(state, "report", first.stdout.strip(), "--json").stdout)
    assert (report["verdict"], report["challenge"], report["accelerator"]) == ("OK", "limited", "none")
    board = json.loads(evaluate(state, "board", str(folder), "--json").stdout)
    assert [(place["rank"], place["team"]) for place in board] == [(1, "t")]


@pytest.mark.vm
@pytest.mark.long
def test_killed_daemon_goes_on_and_ends_with_the_report_of_an_undisturbed_run(own_state: Path) -> None:
    submitted = evaluate(own_state, "submit", str(SAMPLE), "--challenge", "cinc2017", "--team", "t")
    assert submitted.returncode == 0, submitted.stderr
    identity = submitted.stdout.strip()
    argv = [sys.executable, "-W", "ignore", "-m", "evaluate", "--state", str(own_state), "daemon", "--shards", "4"]
    store = open_store(own_state)
    for wanted in (State.PREP, State.EXAM):
        daemon = subprocess.Popen([*argv, "--accelerator", "tcg"], stderr=subprocess.DEVNULL)
        wait_for(lambda wanted=wanted: store.entry(identity).state is wanted, 300)
        if wanted is State.EXAM:
            wait_for(lambda: list((own_state / "work").glob("*/1/exam-*")), 300)
        os.kill(daemon.pid, signal.SIGKILL)
        daemon.wait()
    done = subprocess.run(
        [*argv, "--once", "--accelerator", "tcg"], capture_output=True, text=True, check=False, timeout=900
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(evaluate(own_state, "report", identity, "--json").stdout)
    assert report["verdict"] == "OK"
    assert report["score"]["values"]["F1"] == pytest.approx(0.885714, abs=1e-6)
    exam = next(stage for stage in report["stages"] if stage["stage"] == "exam")
    assert [record["record"] for record in exam["records"]] == [f"T{i:05d}" for i in range(1, 13)]
    assert exam["message"] == "12 records, 12 answered"
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", report["image"])
    assert list((own_state / "work").rglob("*.iso")) == [], "no copy of the records stays"
    assert audit(own_state, scripted=False) == []
    assert list((own_state / "runs").glob("*-*")) == []
    in_one = exam_in_one(own_state, argv[:-2])
    in_four = next(result["records"] for result in store.results(identity, 1) if result["stage"] == "exam")
    assert [(one["record"], one["answer"]) for one in in_one] == [(one["record"], one["answer"]) for one in in_four]
    store.engine.dispose()


def exam_in_one(state: Path, argv: list[str]) -> list[dict[str, Any]]:
    """Rejudge the only entry from the exam on, in one shard; returns the records of that exam."""
    started = evaluate(state, "rejudge", "start", "--challenge", "cinc2017", "--from", "exam")
    assert started.returncode == 0, started.stderr
    subprocess.run([*argv, "--once", "--accelerator", "tcg"], check=True, timeout=600, stderr=subprocess.DEVNULL)
    found = json.loads(evaluate(state, "rejudge", "show", started.stdout.strip(), "--json").stdout)
    assert found["state"] == "ready"
    (change,) = found["changes"]
    assert not change["differs"]
    assert change["new_score"] == change["score"]
    store = open_store(state)
    (entry,) = store.entries()
    records = next(result["records"] for result in store.results(entry.id, 2) if result["stage"] == "exam")
    store.engine.dispose()
    return list(records)
