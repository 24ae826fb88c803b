"""The page docs/slurm.md: its jobs empty the queue and end, and the manifest says the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from evaluate.authoring.skeleton import write_skeleton
from evaluate.commands.host import DURATION
from evaluate.commands.main import main
from evaluate.config.challenge.types import Kind
from tests.conftest import CHECKOUT
from tests.support.documents import blocks
from tests.support.postgres import Server

PAGE = CHECKOUT / "docs/slurm.md"


def block(language: str) -> str:
    """The one block of the page in a language."""
    (text,) = (shown.text for shown in blocks(PAGE) if shown.language == language)
    return text


def evaluate(state: Path, *words: str) -> str:
    done = CliRunner().invoke(main, ["--state", str(state), *words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.slow
def test_pilots_take_what_is_queued_and_give_their_machines_back(tmp_path: Path, postgres: Server) -> None:
    state, shared, pilots, programs = (tmp_path / name for name in ("state", "shared", "pilots", "bin"))
    for folder in (state, shared, pilots, programs):
        folder.mkdir()
    hearts = tmp_path / "hearts"
    write_skeleton(hearts, Kind.ANSWERS)
    common = tmp_path / "evaluate.yaml"
    places = f"database: {postgres.database('slurm')}\nshared: {shared}\nfree_gib: 0\n"
    common.write_text(f"{places}challenges: {{hearts: {{folder: {hearts}}}}}\n")
    (state / "evaluate.yaml").write_text(common.read_text() + "host: server\n")
    sample = str(hearts / "sample_entry")
    entries = [evaluate(state, "submit", sample, "--challenge", "hearts", "--team", team).strip() for team in "ab"]
    # what Slurm does for a job: its variables, and when it ends
    (programs / "squeue").write_text("#!/bin/sh\ndate --date '4 hours' +%Y-%m-%dT%H:%M:%S\n")
    (programs / "squeue").chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{programs}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "EVALUATE_YAML": str(common),
        "EVALUATE_PILOTS": str(pilots),
        "SLURM_ARRAY_JOB_ID": "1",
    }
    jobs = [
        subprocess.Popen(
            ["bash", "-c", block("sbatch")],
            env={**environment, "SLURM_ARRAY_TASK_ID": str(task)},
            stderr=subprocess.PIPE,
            text=True,
        )
        for task in (1, 2)
    ]
    output = "".join(job.communicate()[1] for job in jobs)
    assert [job.returncode for job in jobs] == [0, 0], output
    states = [json.loads(evaluate(state, "status", entry, "--json"))["state"] for entry in entries]
    assert states == ["done"] * 2, output
    assert sorted(path.name for path in pilots.iterdir()) == ["1_1", "1_2"], output
    assert json.loads(evaluate(state, "host", "list", "--json")) == [], output


def test_manifest_leaves_a_pilot_the_time_that_it_needs() -> None:
    job = yaml.safe_load(block("yaml"))["spec"]["jobTemplate"]["spec"]
    pod = job["template"]["spec"]
    words = pod["containers"][0]["args"][0].split()
    seconds = DURATION.convert(words[words.index("--for") + 1], None, None)
    stop = float(words[words.index("--stop-seconds") + 1])
    assert seconds + stop <= job["activeDeadlineSeconds"] and stop < pod["terminationGracePeriodSeconds"]
    assert {mount["mountPath"] for mount in pod["containers"][0]["volumeMounts"]} == {"/etc/evaluate", "/state"}
