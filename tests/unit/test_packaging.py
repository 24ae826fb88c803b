"""Files of a server from `install.sh`: completion, a unit."""

import os
import re
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, metadata, version
from pathlib import Path

import pytest

import evaluate
from tests.conftest import CHECKOUT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which install.sh wrote a server's files."""
    folder = tmp_path_factory.mktemp("root")
    environment = {**os.environ, "DESTDIR": str(folder), "PYTHON": sys.executable}
    subprocess.run(["sh", CHECKOUT / "install.sh"], env=environment, check=True, capture_output=True, cwd=folder)
    return folder


def test_server_has_user_state_directory_and_unit(root: Path) -> None:
    unit = (root / "etc/systemd/system/evaluate.service").read_text()
    assert "ExecStart=/opt/evaluate/bin/python -m evaluate --state /var/lib/evaluate daemon" in unit
    assert "StateDirectory=evaluate" in unit and "User=evaluate" in unit
    assert "u evaluate " in (root / "usr/lib/sysusers.d/evaluate.conf").read_text()
    assert (root / "usr/lib/tmpfiles.d/evaluate.conf").read_text().startswith("d /var/lib/evaluate 0710 evaluate")
    assert (root / "usr/local/bin/evaluate").readlink() == Path("/opt/evaluate/bin/evaluate")


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("install.sh", 3, "needs root"),
        ("install.sh --uninstall", 3, "needs root"),
        ("install.sh --with-sites", 2, "no option --with-sites"),
        ("install.sh --help", 0, "--uninstall"),
        ("run --help", 0, "./run demo"),
        ("run tests", 2, "nothing is called tests"),
    ],
)
def test_script_says_what_it_does_and_what_it_needs(line: str, code: int, says: str, tmp_path: Path) -> None:
    """As an ordinary user, for whom it changes nothing."""
    for name, does in (("id", "echo 1000"), ("rm", f"touch {tmp_path}/removed")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)
    script, *options = line.split()
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", CHECKOUT / script, *options], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, says in done.stdout + done.stderr) == (code, True), done.stdout + done.stderr
    assert not (tmp_path / "removed").exists()


def test_uninstalling_names_the_state_directory_that_remains(tmp_path: Path) -> None:
    (tmp_path / "etc/evaluate").mkdir(parents=True)
    (tmp_path / "etc/evaluate/state").symlink_to("/srv/evaluate")
    done = subprocess.run(
        ["sh", CHECKOUT / "install.sh", "--uninstall"],
        env={**os.environ, "DESTDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "/srv/evaluate" in done.stderr
    assert [path for path in tmp_path.rglob("*") if path.name.startswith("evaluate")] == []


def test_completion_is_read_by_the_shell(root: Path) -> None:
    file = root / "usr/share/bash-completion/completions/evaluate"
    subprocess.run(["bash", "-n", file], check=True)
    assert "_EVALUATE_COMPLETE" in file.read_text()


def test_every_dependency_has_a_licence_that_a_program_under_mit_may_need() -> None:
    """A licence that would bind what imports it (GPL, AGPL) may not come in; the LGPL binds the library alone."""
    locked = re.findall(r"^([a-z0-9-]+)\b.*==", (CHECKOUT / "ci" / "server.lock").read_text(), re.MULTILINE)
    binding = re.compile(r"(?<!L)(?<!Lesser )A?GPL|(?<!Lesser )General Public")
    for name in locked:
        with suppress(PackageNotFoundError):  # a version of it for another Python
            stated = metadata(name).json
            classified = " ".join(text for text in stated.get("classifier", ()) if text.startswith("License ::"))
            text = str(stated.get("license_expression") or classified or stated.get("license"))
            assert not binding.search(text.partition("\n")[0]), name


def test_version_is_that_of_the_distribution() -> None:
    assert evaluate.__version__ == version(evaluate.DISTRIBUTION)
    assert re.match(r"\d+\.\d+", evaluate.__version__)
