"""The one list of Debian packages."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from evaluate.core.packages import package_of, to_install

ROOT = Path(__file__).parent.parent.parent.parent


def test_every_program_has_one_package() -> None:
    assert package_of()["qemu-img"] == "qemu-utils"
    assert to_install(["mke2fs", "tar2sqfs", "sqfs2tar"]) == "apt-get install e2fsprogs squashfs-tools-ng"


def test_script_that_sets_a_host_up_installs_the_packages_of_the_list() -> None:
    line = re.search(r"^packages=.*$", (ROOT / "run").read_text(), re.MULTILINE)
    assert line is not None
    done = subprocess.run(["sh", "-euc", f"{line[0]}\necho $packages"], cwd=ROOT, capture_output=True, check=True)
    packages = done.stdout.decode().split()
    assert set(package_of().values()) <= set(packages)
    assert {"python3-venv", "debian-archive-keyring"} <= set(packages)
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9+.-]+", package) for package in packages)
