import configparser
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evaluate.config.types import Config
from evaluate.core.errors import UsageError
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


@pytest.mark.parametrize("name", ["a$b", "50%", 'a"b', "it's", "a\\b", "a:b", "a\nExecStartPre=b", "\udce9"])
@pytest.mark.parametrize("which", ["state", "program", "shared"])
def test_path_that_a_unit_cannot_name_is_refused(name: str, which: str) -> None:
    paths = {"state": "/srv/state", "program": "/opt/e", "shared": "/srv/shared", which: f"/tmp/{name}/x"}
    with pytest.raises(UsageError, match=r"found .+ in a path that systemd units name; move it to one without"):
        units(Path(paths["program"]) / "bin/python", Path(paths["state"]), Config(shared=paths["shared"]))


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


# each of these implies NoNewPrivileges for a user who is not root, and newuidmap would not work
IMPLYING = (
    "NoNewPrivileges LockPersonality MemoryDenyWriteExecute PrivateDevices ProtectClock ProtectHostname "
    "ProtectKernelLogs ProtectKernelModules ProtectKernelTunables RestrictAddressFamilies RestrictNamespaces "
    "RestrictRealtime RestrictSUIDSGID SystemCallArchitectures SystemCallFilter"
)
# readers of strangers' bytes make namespaces, in which nothing of /proc may be covered
REFUSING = "RestrictNamespaces ProtectHostname ProtectKernelTunables ProtectKernelLogs ProtectProc ProcSubset"


@pytest.mark.parametrize(
    ("name", "absent"),
    [("evaluate", IMPLYING), ("evaluate-web", REFUSING), ("evaluate-backup", REFUSING), ("evaluate-prune", REFUSING)],
)
def test_no_unit_forbids_what_the_program_needs(written: Path, name: str, absent: str) -> None:
    service = parsed((written / f"{name}.service").read_text())["Service"]
    assert set(absent.split()).isdisjoint(service)
    assert (service["User"], service["AmbientCapabilities"]) == ("evaluate", "")


def test_what_runs_as_root_is_small() -> None:
    """The helper can be read in minutes, and imports nothing else of this program."""
    assert len((CHECKOUT / "evaluate/confine/root_helper.py").read_text().splitlines()) <= 300
    program = "import sys, evaluate.confine.root_helper; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    imported = {name for name in done.stdout.split() if name.startswith("evaluate")}
    assert imported == {"evaluate", "evaluate.confine", "evaluate.confine.root_helper"}
