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
from evaluate.operate.service import units
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


def test_systemd_waits_longer_than_the_daemon_lets_stages_run() -> None:
    config = Config(stop_seconds=600)
    service = parsed(units(Path("/usr/bin/python3"), Path("/data/state"), config)["evaluate.service"])["Service"]
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


# bubblewrap refuses to start with ambient capabilities, and QEMU and libvirt would have them too; newuidmap needs four
DAEMON = {
    "SupplementaryGroups": "kvm",
    "AmbientCapabilities": "",
    "CapabilityBoundingSet": ("CAP_PERFMON CAP_SETUID CAP_SETGID CAP_DAC_OVERRIDE CAP_SYS_ADMIN"),
}
# each of these implies NoNewPrivileges for a user who is not root, and newuidmap would not work
IMPLYING = (
    "NoNewPrivileges LockPersonality MemoryDenyWriteExecute PrivateDevices ProtectClock ProtectHostname "
    "ProtectKernelLogs ProtectKernelModules ProtectKernelTunables RestrictAddressFamilies RestrictNamespaces "
    "RestrictRealtime RestrictSUIDSGID SystemCallArchitectures SystemCallFilter"
)
WITHOUT_RIGHTS = {"User": "evaluate", "NoNewPrivileges": "yes", "CapabilityBoundingSet": ""}
# readers of strangers' bytes make namespaces, in which nothing of /proc may be covered
REFUSING = "RestrictNamespaces ProtectHostname ProtectKernelTunables ProtectKernelLogs ProtectProc ProcSubset"
# without the policy, one reader that is ended for its memory would end the service
READERS = {"User": "evaluate", "Delegate": " ".join(CONTROLLERS), "OOMPolicy": "continue"}
BACKUP = {"ReadWritePaths": "/var/lib/evaluate /var/backups/evaluate"}
NIGHTLY = {"OnCalendar": "daily", "Persistent": "yes"}  # also after a night in which the machine was off
DOOR = {"SocketUser": "evaluate", "SocketMode": "0600", "ListenSequentialPacket": str(SOCKET)}
HELPER = {"CapabilityBoundingSet": "CAP_SYS_ADMIN", "StandardInput": "socket", "StandardOutput": "journal"}


@pytest.mark.parametrize(
    ("name", "section", "keys", "absent"),
    [
        ("evaluate.service", "Service", DAEMON | READERS, f"{IMPLYING} ProtectControlGroups"),
        ("evaluate-web.service", "Service", WITHOUT_RIGHTS | READERS, f"{REFUSING} ProtectControlGroups"),
        ("evaluate-backup.service", "Service", WITHOUT_RIGHTS | BACKUP, REFUSING),
        ("evaluate-prune.service", "Service", WITHOUT_RIGHTS, REFUSING),
        ("evaluate-backup.timer", "Timer", NIGHTLY, ""),
        ("evaluate-prune.timer", "Timer", NIGHTLY, ""),
        ("evaluate-helper.socket", "Socket", DOOR, ""),
        ("evaluate-helper@.service", "Service", HELPER, "User"),
    ],
)
def test_units_have_no_more_rights_than_they_need(
    written: Path, name: str, section: str, keys: dict[str, str], absent: str
) -> None:
    unit = parsed((written / name).read_text())
    assert {key: sorted(unit[section][key].split()) for key in keys} == {
        key: sorted(value.split()) for key, value in keys.items()
    }
    assert set(absent.split()).isdisjoint(unit[section])
    if name in ("evaluate.service", "evaluate-web.service"):
        assert "evaluate-helper.socket" in unit["Unit"]["Wants"].split()


def test_what_runs_as_root_is_small() -> None:
    """The helper can be read in minutes, and imports nothing else of this program."""
    assert len((CHECKOUT / "evaluate/confine/root_helper.py").read_text().splitlines()) <= 300
    program = "import sys, evaluate.confine.root_helper; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    imported = {name for name in done.stdout.split() if name.startswith("evaluate")}
    assert imported == {"evaluate", "evaluate.confine", "evaluate.confine.root_helper"}
