from __future__ import annotations

import configparser
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evaluate.config.types import Config
from evaluate.confine.control_groups import CONTROLLERS
from evaluate.confine.root_helper import SOCKET
from evaluate.operate.service import service_unit, units
from tests.conftest import CHECKOUT


def parsed(text: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None, strict=False)  # systemd takes some keys several times
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(text)
    return parser


def test_units_show_what_lies_in_a_folder_for_temporary_files() -> None:
    texts = units(Path("/tmp/e é/.venv/bin/python"), Path("/var/tmp/state"), Config())
    for name in ("evaluate.service", "evaluate-web.service", "evaluate-backup.service", "evaluate-prune.service"):
        service = parsed(texts[name])["Service"]
        assert (service["BindReadOnlyPaths"], service["BindPaths"]) == ('"/tmp/e é/.venv"', "/var/tmp/state"), name
    assert "Bind" not in "".join(units(Path("/opt/e/bin/python"), Path("/srv/tmp"), Config()).values())


def test_daemon_is_not_root_and_can_make_namespaces() -> None:
    service = parsed(service_unit(Path("/usr/bin/python3"), Path("/var/lib/evaluate"), Config()))["Service"]
    assert (service["User"], service["SupplementaryGroups"]) == ("evaluate", "kvm")
    # bubblewrap refuses to start with any, and QEMU and libvirt would have them too
    assert service["AmbientCapabilities"] == ""
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


EXPOSURE = {
    "evaluate": 6.7,
    "evaluate-web": 3.5,
    "evaluate-backup": 3.5,
    "evaluate-prune": 3.5,
    "evaluate-helper@": 1.4,
}
"""Most that `systemd-analyze security` may say; docs/organiser.md has the same."""
WITH_SYSTEMD = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")


@pytest.fixture
def written(tmp_path: Path) -> Path:
    for name, text in units(Path("/usr/bin/env"), Path("/var/lib/evaluate"), Config()).items():
        (tmp_path / name).write_text(text)
    return tmp_path


@WITH_SYSTEMD
def test_systemd_accepts_the_units(written: Path) -> None:
    argv = ["systemd-analyze", "verify", "--man=no", *map(str, sorted(written.iterdir()))]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@WITH_SYSTEMD
@pytest.mark.parametrize("name", EXPOSURE)
def test_exposure_of_a_unit_is_at_most_what_is_stated(written: Path, name: str) -> None:
    options = ("--offline=true", "--no-pager", f"--threshold={EXPOSURE[name] * 10:.0f}")
    argv = ["systemd-analyze", "security", *options, str(written / f"{name}.service")]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout.splitlines()[-1]
    assert f"| `{name}` | {EXPOSURE[name]} |" in (CHECKOUT / "docs" / "organiser.md").read_text()


@pytest.mark.parametrize("name", ["evaluate-web", "evaluate-backup", "evaluate-prune"])
def test_unit_that_starts_no_machine_has_no_right_and_can_be_walled_in(written: Path, name: str) -> None:
    service = parsed((written / f"{name}.service").read_text())["Service"]
    assert (service["User"], service["NoNewPrivileges"], service["CapabilityBoundingSet"]) == ("evaluate", "yes", "")
    # what reads strangers' bytes makes namespaces, in which nothing of /proc may be covered
    refusing = {
        "RestrictNamespaces",
        "ProtectHostname",
        "ProtectKernelTunables",
        "ProtectKernelLogs",
        "ProtectProc",
        "ProcSubset",
    }
    assert refusing.isdisjoint(service)
    if name == "evaluate-backup":
        assert service["ReadWritePaths"] == "/var/lib/evaluate /var/backups/evaluate"


def test_every_night_comes_also_after_a_night_in_which_the_machine_was_off(written: Path) -> None:
    for name in ("backup", "prune"):
        timer = parsed((written / f"evaluate-{name}.timer").read_text())["Timer"]
        assert (timer["OnCalendar"], timer["Persistent"]) == ("daily", "yes")


def test_only_the_user_of_the_services_reaches_the_one_process_that_is_root(written: Path) -> None:
    door = parsed((written / "evaluate-helper.socket").read_text())["Socket"]
    assert (door["SocketUser"], door["SocketMode"]) == ("evaluate", "0600")
    assert door["ListenSequentialPacket"] == str(SOCKET)
    helper = parsed((written / "evaluate-helper@.service").read_text())["Service"]
    assert "User" not in helper and helper["CapabilityBoundingSet"] == "CAP_SYS_ADMIN"
    assert (helper["StandardInput"], helper["StandardOutput"]) == ("socket", "journal")
    others = [path for path in written.glob("*.service") if path.name != "evaluate-helper@.service"]
    assert {parsed(path.read_text())["Service"]["User"] for path in others} == {"evaluate"}
    for name in ("evaluate", "evaluate-web"):
        assert "evaluate-helper.socket" in parsed((written / f"{name}.service").read_text())["Unit"]["Wants"].split()


def test_what_runs_as_root_is_small() -> None:
    """The helper can be read in minutes, and imports nothing else of this program."""
    assert len((CHECKOUT / "evaluate/confine/root_helper.py").read_text().splitlines()) <= 300
    program = "import sys, evaluate.confine.root_helper; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    imported = {name for name in done.stdout.split() if name.startswith("evaluate")}
    assert imported == {"evaluate", "evaluate.confine", "evaluate.confine.root_helper"}


@pytest.mark.parametrize("name", ["evaluate", "evaluate-web"])
def test_what_reads_strangers_bytes_may_make_control_groups(written: Path, name: str) -> None:
    service = parsed((written / f"{name}.service").read_text())["Service"]
    assert service["Delegate"].split() == list(CONTROLLERS)
    # without it, one reader that is ended for its memory would end the service
    assert service["OOMPolicy"] == "continue"
    assert "ProtectControlGroups" not in service
