"""The commands of evaluate/store/README.md as they stand, with a new challenge whose entries need no machine."""

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
import yaml
from prometheus_client import generate_latest

from evaluate import store
from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Kind
from evaluate.config.load import load_config
from evaluate.operate.prometheus import Measures
from evaluate.store.threads import Threads
from tests.chaos.audit import wait_for
from tests.support.commands import command, printed, program
from tests.support.queues import queue
from tests.support.scorers import written

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


def test_every_command_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(COMMANDS) > 20
    monkeypatch.chdir(tmp_path)
    hearts, state = tmp_path / "hearts", tmp_path / "state"
    write_skeleton(hearts, Kind.ANSWERS)
    written(state, {"evaluate.yaml": "host: green\n"})
    references = str(load_challenge(str(hearts)).exam.references)
    words = {"entry.zip": str(hearts / "sample_entry"), "cinc2017": str(hearts), "REFERENCE.csv": references}
    with ExitStack() as daemon:
        for line in COMMANDS:
            if line == "host list":
                daemon.enter_context(running(state))
            if line.startswith("rejudge list"):
                wait_for(lambda: rejudgings(state) == {"r1": "ready", "r2": "ready"})
            folder = tmp_path / "new" if line.startswith("restore") else state
            argv = [words.get(word, word) for word in shlex.split(line)]
            code, output = command(folder, *argv)
            refusal = REFUSED.get(line, "")
            assert (code, refusal in output) == (2 if refusal else 0, True), f"{line}: {output}"
            if line.startswith("submit"):
                (words["ID"],) = re.findall(r"^e[0-9a-f]{12}$", output, re.MULTILINE)
    assert (tmp_path / "report.html").is_file()
    board = json.loads(printed(tmp_path / "new", "board", hearts, "--json"))
    assert [row["team"] for row in board] == ["alpha"]


@contextmanager
def running(state: Path) -> Iterator[None]:
    """A running daemon, which gets SIGTERM at the end."""
    with subprocess.Popen(program(state, "daemon"), stderr=subprocess.PIPE, text=True) as daemon:
        assert daemon.stderr is not None
        while "daemon started" not in daemon.stderr.readline():
            assert daemon.poll() is None
        try:
            yield
        finally:
            daemon.terminate()


def rejudgings(state: Path) -> dict[str, str]:
    """The state of each rejudging."""
    return {row["id"]: row["state"] for row in json.loads(printed(state, "rejudge", "list", "--json"))}


def test_configuration_is_taken(tmp_path: Path) -> None:
    (text,) = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    (tmp_path / "evaluate.yaml").write_text(text)
    config = load_config(tmp_path)
    assert config.host == yaml.safe_load(text)["host"] == "green"
    assert [phase.name for phase in config.terms("cinc2017").phases] == ["unofficial", "official"]


def test_every_number_for_prometheus_is_told(tmp_path: Path) -> None:
    with queue(tmp_path) as store:
        told = generate_latest(Measures(store, Threads()).registry).decode()
    assert set(re.findall(r"`(evaluate_\w+)", TEXT)) <= set(re.findall(r"^# TYPE (\w+) ", told, re.MULTILINE))
