from __future__ import annotations

import configparser
import shutil
import subprocess
from pathlib import Path

import pytest

from evaluate.host.config import Config
from evaluate.queue.service import UNIT, service_unit


def parsed(text: str) -> configparser.ConfigParser:
    found = configparser.ConfigParser(interpolation=None, strict=True)
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
