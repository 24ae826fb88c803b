"""The one list of Debian packages, and the extras: what is not installed is named."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import click
import pytest

from evaluate.commands.main import main
from evaluate.core.packages import EXTRAS, package_of, search_path, to_install
from tests.conftest import CHECKOUT
from tests.support.commands import printed
from tests.support.scorers import written


def test_every_program_has_one_package() -> None:
    assert package_of()["qemu-img"] == "qemu-utils"
    assert to_install(["mke2fs", "tar2sqfs", "sqfs2tar"]) == "apt-get install e2fsprogs squashfs-tools-ng"


@pytest.mark.parametrize("system", ["debian", "ubuntu"])
@pytest.mark.parametrize("script", ["run", "install.sh"])
def test_scripts_that_set_a_host_up_install_the_packages_of_the_list(
    script: str, system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = tmp_path / "os-release"
    release.write_text("ID=debian\n" if system == "debian" else "ID=linuxmint\nID_LIKE='ubuntu debian'\n")
    text = (CHECKOUT / script).read_text().replace("/etc/os-release", str(release))
    lines = re.search(r"^ *ubuntu=.*\n.*awk (?:.*\n)+? *evaluate/core/debian-packages\.txt", text, re.MULTILINE)
    assert lines is not None
    shell = lines[0] + (")\necho $packages" if "packages=$(" in lines[0] else "")
    done = subprocess.run(["sh", "-euc", shell], cwd=CHECKOUT, capture_output=True, check=True)
    packages = done.stdout.decode().split()
    monkeypatch.setattr("platform.freedesktop_os_release", lambda: {"ID": system})
    package_of.cache_clear()
    try:
        assert set(package_of().values()) <= set(packages)
    finally:
        package_of.cache_clear()
    assert {"python3-venv", "debian-archive-keyring"} <= set(packages)
    assert ("linux-tools-generic" in packages) == (system == "ubuntu")
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9+.-]+", package) for package in packages)


def set_up(folder: Path, programs: dict[str, str], **variables: str) -> subprocess.CompletedProcess[str]:
    """`./run setup` with these programs, each a line of a shell."""
    copied = ("run", "pyproject.toml", "evaluate/core/debian-packages.txt")
    written(folder, {name: (CHECKOUT / name).read_bytes() for name in copied})
    written(folder, {name: f"#!/bin/sh\n{does}\n" for name, does in programs.items()})
    for name in programs:
        (folder / name).chmod(0o755)
    environment = {"PATH": f"{folder}:{os.defpath}", **variables}
    return subprocess.run(["sh", folder / "run", "setup"], env=environment, capture_output=True, text=True, check=False)


def test_packages_that_cannot_be_installed_come_with_what_apt_said_of_its_archives(tmp_path: Path) -> None:
    """Where archives cannot be reached, ``apt-get update`` warns and ends with 0, and the packages are then unknown."""
    programs = {
        "id": "echo 0",
        "dpkg-query": "exit 1",
        "apt-get": '[ "$1" = install ] || exec echo W: Temporary failure resolving; echo E: Unable to locate; exit 100',
    }
    done = set_up(tmp_path, programs)
    assert done.returncode == 100
    assert "W: Temporary failure resolving\nE: Unable to locate" in done.stderr


@pytest.mark.parametrize(("given", "wish"), [({}, ".[all]"), ({"EXTRAS": "vm,plots"}, ".[vm,plots]")])
def test_setup_installs_the_extras_that_are_asked_for(given: dict[str, str], wish: str, tmp_path: Path) -> None:
    programs = {
        "dpkg-query": "printf installed",
        ".venv/bin/python": f'printf "%s\\n" "$@" >>{tmp_path}/words',
        ".venv/bin/evaluate": "exit 0",
    }
    assert set_up(tmp_path, programs, **given).returncode == 0
    assert wish in (tmp_path / "words").read_text().splitlines()


def test_commands_of_ordinary_users_find_what_debian_leaves_out_of_their_path(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    look = click.Command("look", callback=lambda: seen.append(os.environ["PATH"]))
    monkeypatch.setattr(main, "get_command", lambda _context, _name: look)
    monkeypatch.setenv("PATH", "/usr/bin:/usr/sbin:/mine")
    printed(None, "look")
    assert seen == ["/usr/bin:/usr/sbin:/mine:/usr/local/sbin:/sbin"]
    monkeypatch.delenv("PATH")
    assert search_path().startswith(f"{os.defpath}:")


_PROBE = """
import sys
for name in sys.argv.pop(1).split(","):
    sys.modules[name] = None  # as if it were not installed
"""
_COMMAND = "from evaluate.commands.main import main; main(sys.argv[1:])"


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
    "argv", [["cancel", "1"], ["daemon"], ["rejudge", "list"], ["serve"]], ids=lambda argv: argv[0]
)
def test_command_without_its_extra_names_it_and_ends_as_a_fault(argv: list[str], tmp_path: Path) -> None:
    extra = "web" if argv == ["serve"] else "daemon"
    done = without(extra, _COMMAND, "--state", tmp_path, *argv)
    assert done.returncode == 3
    python = re.escape(shlex.quote(sys.executable))
    remedy = rf"needs the Python package \w+: {python} -m pip install 'sandbox-evaluate\[{extra}\]'"
    assert re.fullmatch(f"evaluate: this command {remedy}\n", done.stderr)


_PARTS = {
    "vm": "from evaluate.sandbox.connection import connect; connect('test:///default')",
    "objects": "from evaluate.store.files.depot import Mirror; Mirror('memory://a', None)",
    "plots": "import metrics.plots.draw",
    "images": "import pathlib, metrics.readers.references as r; r.read_mask(pathlib.Path('a.tif'), record='')",
}


@pytest.mark.parametrize("extra", _PARTS)
def test_part_without_its_extra_names_it(extra: str) -> None:
    done = without(extra, _PARTS[extra])
    assert done.returncode == 1
    assert f"pip install 'sandbox-evaluate[{extra}]'" in done.stderr.splitlines()[-1]
