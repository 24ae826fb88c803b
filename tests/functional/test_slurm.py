"""The page docs/slurm.md: pilots from a real Slurm empty the queue and end, and the manifest says the same."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from evaluate.commands.host import DURATION
from evaluate.config.challenge.cache import load_challenge
from tests.conftest import CHECKOUT
from tests.support.commands import printed
from tests.support.documents import blocks
from tests.support.loopback import free_port
from tests.support.postgres import Server

PAGE = CHECKOUT / "docs/slurm.md"
PROGRAMS = ("slurmctld", "slurmd", "sbatch", "squeue", "sinfo")
MISSING = [name for name in PROGRAMS if shutil.which(name) is None]
_CONF = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
MpiDefault=none
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/controller
SlurmdSpoolDir={folder}/node
SlurmctldPidFile={folder}/controller.pid
SlurmdPidFile={folder}/node.pid
SlurmctldLogFile={folder}/controller.log
SlurmdLogFile={folder}/node.log
ReturnToService=2
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 RealMemory=100 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


@contextmanager
def cluster(folder: Path) -> Iterator[dict[str, str]]:
    """Run a Slurm of one node, without munge; gives the environment in which its commands find it."""
    folder.mkdir()
    for name in ("controller", "node"):
        (folder / name).mkdir()
    host = socket.gethostname().partition(".")[0]
    text = _CONF.format(host=host, folder=folder, ports=[free_port(), free_port()])
    (folder / "slurm.conf").write_text(text)
    environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
    running = []
    try:
        for argv in (["slurmctld", "-D", "-i"], ["slurmd", "-D"]):
            with (folder / f"{argv[0]}.out").open("wb") as output:
                running.append(subprocess.Popen(argv, env=environment, stdout=output, stderr=output))
        while not _is_idle(environment):
            if any(daemon.poll() is not None for daemon in running):
                raise AssertionError((folder / "node.log").read_text() + (folder / "controller.log").read_text())
            time.sleep(0.2)
        yield environment
    finally:
        for daemon in running:
            daemon.terminate()
        for daemon in running:
            daemon.wait()


def _is_idle(environment: dict[str, str]) -> bool:
    argv = ["sinfo", "-h", "-t", "idle", "-o", "%D"]
    return subprocess.run(argv, check=False, env=environment, capture_output=True).stdout.strip() == b"1"


def block(language: str) -> str:
    """The one block of the page in a language."""
    (text,) = (shown.text for shown in blocks(PAGE) if shown.language == language)
    return text


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """The page's job, for a small node."""
    script = tmp_path / "pilot.sbatch"
    words = {"--time=04:00:00": "--time=600", "--cpus-per-task=2": "--cpus-per-task=1", "--mem=8G": "--mem=10"}
    text = block("sbatch")
    for old, new in {**words, "--array=1-4": "--array=1-2"}.items():
        assert old in text
        text = text.replace(old, new)
    script.write_text(text)
    return script


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING), reason=f"not found: {MISSING} (Debian packages slurmctld, slurmd, slurm-client)")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a Slurm of its own")
def test_pilots_take_what_is_queued_and_give_their_machines_back(
    tmp_path: Path, postgres: Server, job: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, shared, pilots = tmp_path / "state", tmp_path / "shared", tmp_path / "pilots"
    for folder in (state, shared, pilots):
        folder.mkdir()
    common = tmp_path / "evaluate.yaml"
    common.write_text(
        f"database: {postgres.database('slurm')}\nshared: {shared}\nfree_gib: 0\nchallenges: {{kits19: {{}}}}\n"
    )
    (state / "evaluate.yaml").write_text(common.read_text() + "host: server\n")
    sample = load_challenge("kits19").folder / "sample_entry"
    entries = [printed(state, "submit", sample, "--challenge", "kits19", "--team", team).strip() for team in "abc"]
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    with cluster(tmp_path / "slurm") as environment:
        variables = {"EVALUATE_YAML": str(common), "EVALUATE_PILOTS": str(pilots)}
        subprocess.run(["sbatch", job], env={**environment, **variables}, cwd=tmp_path, check=True)
        while subprocess.run(["squeue", "-h"], env=environment, capture_output=True, check=True).stdout:
            time.sleep(0.5)  # until Slurm says that no job is left
    output = "".join(file.read_text() for file in tmp_path.glob("slurm-*.out"))
    states = [json.loads(printed(state, "status", entry, "--json"))["state"] for entry in entries]
    assert states == ["done"] * 3, output
    assert sorted(path.name for path in pilots.iterdir()) == ["1_1", "1_2"], output
    assert json.loads(printed(state, "host", "list", "--json")) == [], output


def test_manifest_leaves_a_pilot_the_time_that_it_needs() -> None:
    job = yaml.safe_load(block("yaml"))["spec"]["jobTemplate"]["spec"]
    pod = job["template"]["spec"]
    words = pod["containers"][0]["args"][0].split()
    seconds = DURATION.convert(words[words.index("--for") + 1], None, None)
    stop = float(words[words.index("--stop-seconds") + 1])
    assert seconds + stop <= job["activeDeadlineSeconds"] and stop < pod["terminationGracePeriodSeconds"]
    assert {mount["mountPath"] for mount in pod["containers"][0]["volumeMounts"]} == {"/etc/evaluate", "/state"}
