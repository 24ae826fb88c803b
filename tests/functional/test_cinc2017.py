"""Entries of cinc2017 through the four stages in real virtual machines."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import libvirt
import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Challenge
from evaluate.core.model import Evaluation, Stage, Verdict
from evaluate.home.trial import Trial, TryOptions, try_entry, with_records
from evaluate.sandbox.connection import connect, default_uri, sweep
from evaluate.sandbox.run_folders import RunFolders
from evaluate.stages.job import NullMonitor

pytestmark = [pytest.mark.vm, pytest.mark.usefixtures("hypervisor")]
CHALLENGE = load_challenge("cinc2017")
SAMPLE = CHALLENGE.folder / "sample_entry"


def attempt(entry: Path, state: Path, challenge: Challenge = CHALLENGE, **options: Any) -> Evaluation:
    return try_entry(Trial(entry, challenge, state, NullMonitor(), "tcg"), TryOptions(**options))


def test_demo_ends_with_the_score_calculated_by_hand(state: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "evaluate", "--state", str(state), "demo", "--accelerator", "tcg"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "F1 0.8857" in done.stdout
    assert "of the instruction limit on the worst record, T000" in done.stdout
    assert "exam  OK  12 records, 12 answered" in done.stderr


def test_sample_entry_on_real_records(state: Path, tmp_path: Path, shared: Path) -> None:
    """Ten real records: the answers in the guest are those of the same program on this host."""
    source = shared / "data" / "cinc2017"
    records = tmp_path / "records"
    records.mkdir()
    names = (source / "records" / "RECORDS").read_text().split()[:10]
    for name in names:
        for suffix in (".hea", ".mat"):
            shutil.copyfile(source / "records" / f"{name}{suffix}", records / f"{name}{suffix}")
    (records / "RECORDS").write_text("".join(f"{name}\n" for name in names))
    entry = tmp_path / "entry"
    shutil.copytree(SAMPLE, entry)
    program = tmp_path / "classify"
    subprocess.run(["cc", "-O2", "-o", program, SAMPLE / "classify.c", "-lm"], check=True)
    answers = [
        subprocess.run([program, name], cwd=records, capture_output=True, text=True, check=True).stdout
        for name in names
    ]
    (entry / "answers.txt").write_text("".join(answers))
    challenge = with_records(CHALLENGE, records, source / "REFERENCE-v3.csv")
    evaluation = attempt(entry, state, challenge, own_records=True)
    assert [stage.verdict for stage in evaluation.stages] == [Verdict.OK] * 4, evaluation.stages[-1].message
    exam = next(stage for stage in evaluation.stages if stage.stage is Stage.EXAM)
    assert [f"{outcome.record},{outcome.answer}\n" for outcome in exam.records] == answers


def domains(connection: Any) -> Iterator[tuple[str, str]]:
    """Name and description of every guest with our prefix, without those that end meanwhile."""
    for domain in connection.listAllDomains():
        with suppress(libvirt.libvirtError):
            if domain.name().startswith("evaluate-guest-"):
                yield domain.name(), domain.XMLDesc()


def test_killed_supervisor_leaves_nothing_after_the_next_start(own_state: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "evaluate", "--state", str(own_state), "demo", "--accelerator", "tcg"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stderr is not None
    assert any("1/12" in line for line in process.stderr), "it ended before a record of the exam"
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stderr.close()
    connection = connect(default_uri())
    deadline = time.monotonic() + 60
    while True:  # libvirt destroys the domain when it sees the connection break; a sweep takes what is left
        sweep(connection, RunFolders(own_state / "runs"))
        left = [name for name, text in domains(connection) if str(own_state) in text]
        if not left or time.monotonic() > deadline:
            break
        time.sleep(0.2)
    connection.close()
    assert left == []
    assert [path.name for path in (own_state / "runs").iterdir() if path.is_dir()] == []
