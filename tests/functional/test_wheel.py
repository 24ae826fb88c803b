"""The program works from a wheel, outside the checkout."""

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
_WITHOUT = """
import sys
from importlib.machinery import PathFinder

class Some(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in MODULES else PathFinder.find_spec(name, path, target)

sys.meta_path[sys.meta_path.index(PathFinder)] = Some
sys.path.pop(0)
from evaluate.commands.main import main
main()
"""
"""Runs the program as if modules were not installed."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the contents of the wheel; its dependencies are those of this environment."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("sandbox_evaluate-*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", str(folder / "site"), str(wheel)], check=True)
    return folder / "site"


def run(installed: Path, *argv: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(installed)}
    argv = (sys.executable, *argv)
    return subprocess.run(
        argv, cwd=cwd or installed.parent, env=env, capture_output=True, check=False, encoding="utf-8"
    )


def test_challenges_recipes_and_guest_travel_along(installed: Path) -> None:
    done = run(installed, "-c", "import evaluate; print(evaluate.__file__)")
    assert done.stdout.startswith(str(installed))
    assert run(installed, "-m", "evaluate", "challenge", "check", "cinc2017").returncode == 0
    guest = ("agent.py", "container.py", "kernel.py", "licence.py", "unpack.py")
    for name in (*guest, "boot.c", "keeper.c", "probe.S"):
        assert (installed / "evaluate" / "_data" / "vm_images" / "guest" / name).is_file()
    assert (installed / "evaluate" / "counters" / "tcg_count.c").is_file()


def test_wheel_attacks_itself_without_the_checkout(installed: Path, tmp_path: Path) -> None:
    state = ("--state", str(tmp_path / "state"))
    names = ("archive-traversal", "image-json", "metric-runs", "guest-noise", "answers-cinc2017-line")
    done = run(installed, "-m", "evaluate", *state, "doctor", "--attack", *names)
    assert "5 of 5 attacks ended as they must" in done.stdout, done.stdout + done.stderr


def test_first_minutes_need_no_extra(installed: Path, tmp_path: Path) -> None:
    """As after ``pipx install sandbox-evaluate``, which installs what the core needs and nothing for servers."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    names = {re.split(r"[\[<>=]", name)[0] for group in extras.values() for name in group} - {"sandbox-evaluate"}
    owners = packages_distributions()
    modules = [module for module, of in owners.items() if names & {name.lower() for name in of}]
    assert {"libvirt", "dbos", "sqlalchemy", "fastapi"} <= set(modules)
    program = tmp_path / "evaluate.py"
    program.write_text(_WITHOUT.replace("MODULES", repr(modules)))
    for words in (["new", "mine", "--lang", "python"], ["try", "mine", "--runner", "plain", "--html", "report.html"]):
        argv = [str(program), "--state", str(tmp_path / "state"), *words, "--challenge", "cinc2017"]
        done = run(installed, *argv, cwd=tmp_path)
        assert done.returncode == 0, done.stderr


def test_queue_runs_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    command = ("-W", "ignore", "-m", "evaluate", "--state", str(tmp_path / "state"))
    sample = installed / "evaluate" / "_data" / "challenges" / "kits19" / "sample_entry"
    entry = run(installed, *command, "submit", str(sample), "--challenge", "kits19", "--team", "t")
    assert entry.returncode == 0, entry.stderr
    drained = run(installed, *command, "daemon", "--once")
    assert drained.returncode == 0, drained.stderr
    assert " OK" in drained.stderr
    assert run(installed, *command, "host", "service").stdout.startswith("# Written by `evaluate host service`")
