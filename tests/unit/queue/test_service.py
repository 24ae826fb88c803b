from __future__ import annotations

import configparser
import shutil
import subprocess
from pathlib import Path

import pytest

from evaluate.host.config import Config
from evaluate.queue.service import UNIT, service_unit


def parsed(text: str) -> configparser.ConfigParser:
    found = configparser.ConfigParser(interpolation=None, strict=False)  # systemd takes some keys several times
    found.optionxform = str  # type: ignore[assignment, method-assign]
    found.read_string(text)
    return found


def test_unit_runs_this_installation_on_this_state_directory() -> None:
    config = Config(shared="/srv/evaluate", stop_seconds=90)
    service = parsed(service_unit(Path("/opt/e v/bin/python"), Path("/var/lib/evaluate"), config))["Service"]
    assert service["ExecStart"] == '"/opt/e v/bin/python" -m evaluate --state /var/lib/evaluate daemon'
    assert service["ExecReload"] == '/bin/sh -c "kill -HUP $MAINPID"'
    assert service["StateDirectory"] == "evaluate"
    assert service["ReadWritePaths"] == "/var/lib/evaluate /srv/evaluate"


def test_daemon_is_not_root_and_can_make_namespaces() -> None:
    service = parsed(service_unit(Path("/usr/bin/python3"), Path("/var/lib/evaluate"), Config()))["Service"]
    assert (service["User"], service["SupplementaryGroups"]) == ("evaluate", "kvm")
    assert service["AmbientCapabilities"] == "CAP_PERFMON"
    newuidmap = {"CAP_SETUID", "CAP_SETGID", "CAP_DAC_OVERRIDE", "CAP_SYS_ADMIN"}
    assert set(service["CapabilityBoundingSet"].split()) == {"CAP_PERFMON", *newuidmap}
    # each of these implies NoNewPrivileges for a user who is not root, and newuidmap would not work
    implying = (
        "NoNewPrivileges LockPersonality MemoryDenyWriteExecute PrivateDevices ProtectClock ProtectHostname "
        "ProtectKernelLogs ProtectKernelModules ProtectKernelTunables RestrictAddressFamilies RestrictNamespaces "
        "RestrictRealtime RestrictSUIDSGID SystemCallArchitectures SystemCallFilter"
    )
    assert set(implying.split()).isdisjoint(service)


def test_systemd_waits_longer_than_the_daemon_lets_stages_run() -> None:
    config = Config(stop_seconds=600)
    service = parsed(service_unit(Path("/usr/bin/python3"), Path("/data/state"), config))["Service"]
    assert float(service["TimeoutStopSec"]) > config.stop_seconds
    assert "StateDirectory" not in service
    assert (service["Restart"], service["RestartPreventExitStatus"]) == ("always", "2")


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    (tmp_path / UNIT).write_text(service_unit(Path("/usr/bin/env"), Path("/var/lib/evaluate"), Config()))
    argv = ["systemd-analyze", "verify", "--man=no", str(tmp_path / UNIT)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
