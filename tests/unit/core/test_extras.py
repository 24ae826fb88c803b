"""Whatever extra is not installed: the message names it."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from evaluate.core.packages import EXTRAS
from tests.conftest import CHECKOUT

_PROBE = """
import sys
for name in sys.argv.pop(1).split(","):
    sys.modules[name] = None  # as if it were not installed
"""
_COMMAND = "from evaluate.commands.main import main; main(sys.argv[1:])"
_CONNECT = "from evaluate.sandbox.connection import connect; connect('test:///default')"
_DEPOT = "from pathlib import Path; from evaluate.store.files.depot import Mirror; Mirror('memory://a', Path())"
_MASK = """
from pathlib import Path
from metrics.readers.references import read_mask
read_mask(Path(sys.argv[1]), record="")
"""
_DRAW = "import metrics.plots.draw"


def without(extra: str, code: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """A process that has no module of an extra."""
    argv = [sys.executable, "-c", _PROBE + code, ",".join(sorted(EXTRAS[extra])), *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def test_every_library_of_an_extra_is_known_by_its_modules() -> None:
    extras = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    modules: dict[str, set[str]] = {}
    for module, distributions in packages_distributions().items():
        for name in distributions:
            modules.setdefault(re.sub(r"[-_.]+", "-", name).lower(), set()).add(module)
    for extra in extras.keys() - {"all"}:
        names = [re.split(r"[\[<>=]", text)[0].lower() for text in extras[extra]]
        for name in names:
            assert name == "sandbox-evaluate" or modules[name] & EXTRAS[extra], (extra, name)
    assert EXTRAS.keys() == extras.keys() - {"all"}


@pytest.mark.parametrize(
    ("extra", "argv"),
    [
        ("daemon", ["cancel", "1"]),
        ("daemon", ["daemon"]),
        ("daemon", ["rejudge", "list"]),
        ("web", ["serve"]),
    ],
)
def test_command_without_its_extra_names_it_and_ends_as_a_fault(extra: str, argv: list[str], tmp_path: Path) -> None:
    done = without(extra, _COMMAND, "--state", tmp_path, *argv)
    assert done.returncode == 3
    python = re.escape(shlex.quote(sys.executable))
    remedy = rf"needs the Python package \w+: {python} -m pip install 'sandbox-evaluate\[{extra}\]'"
    assert re.fullmatch(f"evaluate: this command {remedy}\n", done.stderr)


@pytest.mark.parametrize(
    ("extra", "code"), [("vm", _CONNECT), ("objects", _DEPOT), ("plots", _DRAW), ("images", _MASK)]
)
def test_part_without_its_extra_names_it(extra: str, code: str, tmp_path: Path) -> None:
    picture = tmp_path / "mask.tif"
    picture.write_bytes(b"II*\0")
    done = without(extra, code, picture)
    assert done.returncode == 1
    assert f"pip install 'sandbox-evaluate[{extra}]'" in done.stderr.splitlines()[-1]


def test_help_of_everything_needs_no_extra(tmp_path: Path) -> None:
    everything = ",".join(sorted(set().union(*EXTRAS.values())))
    argv = [sys.executable, "-c", _PROBE + _COMMAND, everything, "--help"]
    assert subprocess.run(argv, capture_output=True, check=False, cwd=tmp_path).returncode == 0
