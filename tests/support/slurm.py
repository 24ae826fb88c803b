"""A Slurm of one node on loopback, as Debian packages it, without munge."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.loopback import free_port

PROGRAMS = ("slurmctld", "slurmd", "sbatch", "squeue", "sinfo")
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
    """Run it meanwhile; gives the environment in which its commands find it."""
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


def missing() -> list[str]:
    """Programs of it that this machine does not have."""
    return [name for name in PROGRAMS if shutil.which(name) is None]
