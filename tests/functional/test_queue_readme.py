"""The commands of evaluate/store/README.md as they stand, with a new challenge whose entries need no machine."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from evaluate import store
from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Kind
from evaluate.config.load import load_config
from evaluate.operate.prometheus import Measures
from evaluate.store.entries.store import open_store
from evaluate.store.threads import Threads
from tests.support.forked import Forked

TEXT = (Path(str(store.__file__)).parent / "README.md").read_text()
COMMANDS = re.findall(r"^\.venv/bin/evaluate (.+)$", TEXT, re.MULTILINE)
REFUSED = {
    "resolve 1 --requeue": "no fault 1; 'evaluate status --faults' lists them",
    "daemon --for 12h --stop-seconds 120": "a daemon runs here already",
    "resolve ID": "is done; only a parked entry can be retried",
    "cancel ID": "is done already",
    "rejudge retry r1": "no attempt of 'r1' is parked",
    "rejudge exclude r1 ID --reason withdrawn": "expected a parked one",
}
"""Commands that are refused because their entry ended well, and the messages."""


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state directory whose daemon is the host ``green``."""
    folder = tmp_path / "state"
    folder.mkdir()
    (folder / "evaluate.yaml").write_text("host: green\n")
    return folder


@pytest.fixture
def forked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Forked]:
    monkeypatch.chdir(tmp_path)
    with Forked() as commands:
        yield commands


def test_every_command_does_what_it_says(state: Path, tmp_path: Path, forked: Forked) -> None:
    assert len(COMMANDS) > 20
    hearts = tmp_path / "hearts"
    write_skeleton(hearts, Kind.ANSWERS)
    references = str(load_challenge(str(hearts)).exam.references)
    words = {"entry.zip": str(hearts / "sample_entry"), "cinc2017": str(hearts), "REFERENCE.csv": references}
    daemon: subprocess.Popen[str] | None = None
    try:
        for command in COMMANDS:
            if command.startswith("host") and daemon is None:
                daemon = started(state)
            if command.startswith("rejudge list"):
                judged(forked, state, "r1", "r2")
            folder = tmp_path / "new" if command.startswith("restore") else state
            argv = [words.get(word, word) for word in shlex.split(command)]
            done = run(forked, folder, *argv)
            refused = REFUSED.get(command)
            if refused is not None:
                assert (done.returncode, refused in done.stderr) == (2, True), f"{command}: {done.stderr}"
            else:
                assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
            if command.startswith("submit"):
                words["ID"] = done.stdout.strip()
    finally:
        if daemon is not None:
            daemon.terminate()
            daemon.communicate(timeout=60)
    assert (tmp_path / "report.html").is_file()
    board = json.loads(run(forked, tmp_path / "new", "board", str(hearts), "--json").stdout)
    assert [row["team"] for row in board] == ["alpha"]


def run(forked: Forked, state: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return forked.run("--state", str(state), *words)


def started(state: Path) -> subprocess.Popen[str]:
    argv = [sys.executable, "-W", "ignore", "-m", "evaluate", "--state", str(state), "daemon"]
    daemon = subprocess.Popen(argv, stderr=subprocess.PIPE, text=True)
    assert daemon.stderr is not None
    while "daemon started" not in daemon.stderr.readline():
        assert daemon.poll() is None
    return daemon


def judged(forked: Forked, state: Path, *rejudgings: str) -> None:
    while True:
        done = run(forked, state, "rejudge", "list", "--json")
        assert done.returncode == 0, done.stderr
        rejudging_rows = json.loads(done.stdout)
        if all(row["state"] == "ready" for row in rejudging_rows if row["id"] in rejudgings):
            return
        time.sleep(0.5)  # for the daemon, which has the processor meanwhile


def test_configuration_is_taken(tmp_path: Path) -> None:
    (text,) = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    (tmp_path / "evaluate.yaml").write_text(text)
    config = load_config(tmp_path)
    assert config.host == yaml.safe_load(text)["host"] == "green"
    assert [phase.name for phase in config.terms("cinc2017").phases] == ["unofficial", "official"]


def test_every_number_for_prometheus_is_told(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    named = set(re.findall(r"`(evaluate_\w+)", TEXT))
    measures = Measures(store, Threads())
    registered = measures.registry._names_to_collectors
    families = list(measures.registry.collect())
    collected = {family.name + ("_total" if family.type == "counter" else "") for family in families}
    assert named <= set(registered) | collected
    store.engine.dispose()
