"""apt over archives that a test makes: whose fault it is that packages cannot be installed."""

import io
import os
import re
import shutil
import socket
import tarfile
import tempfile
from pathlib import Path

import pytest

from evaluate.core.errors import EntryError, ImageFault
from evaluate.core.model import LayerLimits
from evaluate.images import squashfs
from evaluate.images.apt import Apt, Package, parse_status
from evaluate.images.build import _root
from evaluate.images.image import Lock, Locked
from evaluate.images.layers import check_available, resolve
from evaluate.images.recipe import DEBIAN_KEYRING, load_recipe
from evaluate.untrusted.requirements import parse_dependencies
from tests.support.debs import package, paragraph

pytestmark = pytest.mark.skipif(
    not (shutil.which("apt-get") and shutil.which("dpkg-deb") and DEBIAN_KEYRING.is_file()),
    reason="this machine has no apt, dpkg-deb or debian-archive-keyring",
)
RECIPE = load_recipe("bookworm")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archive")
    debs = [
        package(folder, "good", Depends="base", Installed_Size="3"),
        package(folder, "base", Installed_Size="2"),
        package(folder, "lonely", Depends="absent (>= 2)"),
        package(folder, "left", Conflicts="right"),
        package(folder, "right"),
        package(folder, "rival", Conflicts="present"),
    ]
    (folder / "Packages").write_text("\n".join(map(paragraph, debs)))
    return folder


STATUS = b"""Package: present
Status: install ok installed
Architecture: amd64
Version: 1.0
Description: GNU C Library: Shared libraries
 .
Conffiles:
 /etc/ld.so.conf.d/x86_64-linux-gnu.conf d4e7a7b88a71b5ffd9e2644e71a0cfab


Package: gone
Status: deinstall ok config-files
Architecture: all
Version: 1
"""
"""Stanzas of Debian's control format."""


@pytest.fixture
def apt(archive: Path, tmp_path: Path) -> Apt:
    apt = Apt(tmp_path / "apt", [f"deb [trusted=yes] file:{archive} ./"], STATUS)
    apt.update()
    return apt


def test_packages_come_with_what_they_depend_on_unless_apt_does_not_work(apt: Apt, tmp_path: Path) -> None:
    wanted = parse_dependencies(b"good = 1.0\n")
    check_available(apt, RECIPE, wanted)
    packages = resolve(apt, wanted)
    assert packages == (Package("base", "1.0", "amd64"), Package("good", "1.0", "amd64"))
    download, installed = apt.sizes(packages)
    assert download > 500
    assert installed == 5 << 10
    assert apt.depends("good") == ("base",)
    assert parse_status(STATUS) == (Package("present", "1.0", "amd64"),), "whatever further lines a stanza has"
    (tmp_path / "apt" / "status").write_bytes(b"no paragraph of dpkg")
    with pytest.raises(ImageFault, match="resolving packages: apt-get"):  # not the entry's fault
        resolve(apt, wanted)


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("good = 2", "good = 2: no such version; there is 1.0"),
        ("gone", "gone: no such package in Debian bookworm"),
        ("python-numpy", "; did you mean python3-numpy?"),
        ("python3-numpyy", "; did you mean python3-numpy?"),
        ("python3-tensorflow", "python3-tensorflow: no such package in Debian bookworm"),
        ("matlab", "; octave runs most MATLAB code"),
        ("python2.7", "; Python 2 is no longer in Debian: python3"),
        ("ocatve", "; did you mean octave?"),
        ("numpy", "; write python3-numpy, Debian's package of numpy for Python"),
        ("scikit-learn", "; write python3-sklearn, Debian's package of scikit-learn for Python"),
    ],
)
def test_package_that_does_not_exist_is_the_entrys_fault_and_similar_ones_are_of_the_same_thing(
    apt: Apt, text: str, wish: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("python3", "python3-numpy", "python3-sklearn", "python3-taskflow", "octave", "octave-signal")
    monkeypatch.setattr(apt, "names", lambda: names)
    with pytest.raises(EntryError, match=f"^dependencies.txt line 1: .*{re.escape(wish)}$"):
        check_available(apt, RECIPE, parse_dependencies(text.encode()))


@pytest.mark.parametrize(
    ("lines", "limits", "wish"),
    [
        (b"good\nlonely = 1.0\n", {}, "txt line 2: lonely = 1.0: cannot be installed: lonely : Depends: absent"),
        (b"left\nright\n", {}, r"cannot be installed together: .*\n  .*line 1: left\n  .*line 2: right"),
        (b"rival\n", {}, "would remove present, which the image needs"),
        (b"good\n", {"installed_bytes": 4 << 10}, "needs 0 MiB of disk space; at most 0 are allowed"),
        (b"good\n", {"download_bytes": 100}, "MiB to download; at most 0"),
        (b"good\n", {"packages": 1}, r"needs 2 packages .*; at most 1 are allowed"),
    ],
)
def test_lines_that_cannot_be_installed_are_the_entrys_fault(
    apt: Apt, lines: bytes, limits: dict[str, int], wish: str
) -> None:
    with pytest.raises(EntryError, match=wish):
        resolve(apt, parse_dependencies(lines), LayerLimits(**limits))


def test_mirror_that_is_down_or_has_lost_a_package_is_not_the_entrys_fault(archive: Path, tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound and not listening: nobody else gets the port, and it refuses
        apt = Apt(tmp_path / "apt", [f"deb [trusted=yes] http://127.0.0.1:{unused.getsockname()[1]}/debian x main"])
        settings = tmp_path / "apt" / "apt.conf"
        settings.write_text(settings.read_text().replace('Acquire::Retries "3"', 'Acquire::Retries "0"'))
        with pytest.raises(ImageFault, match="fetching the package indexes"):
            apt.update()
    copy = shutil.copytree(archive, tmp_path / "archive")
    apt = Apt(tmp_path / "lost", [f"deb [trusted=yes] copy:{copy} ./"])
    apt.update()
    (copy / "base_1.0_amd64.deb").unlink()
    with pytest.raises(ImageFault, match="downloading packages"):
        apt.fetch(["good"])


# What a root file system is made from.


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    """Indexes, of modes that depend on who made them."""
    lists = tmp_path / "lists"
    (lists / "partial").mkdir(parents=True)
    for name in ("a_Packages", "a_InRelease"):
        (lists / name).write_bytes(b"signed")
        (lists / name).chmod(0o600)
    return lists


INSTALLER = """#!/bin/sh
mkdir "$TMPDIR"/mmdebstrap.left
for word; do case "$word" in --setup-hook=*) hook="${word#--setup-hook=}" ;; esac; done
tee "$TMPDIR"/mmdebstrap.left/sent | sh -ec "$hook" exec "$TMPDIR"/mmdebstrap.left || exit 1
tar -C "$TMPDIR"/mmdebstrap.left -cf - .
"""
"""It does of an installer only what a test looks at: it unpacks what it is sent, and dies without tidying."""


@pytest.fixture
def installer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for what it leaves."""
    if not shutil.which("tar2sqfs"):
        pytest.skip("this machine has no tar2sqfs")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "mmdebstrap").write_text(INSTALLER)
    (tmp_path / "bin" / "mmdebstrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    (left := tmp_path / "left").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(left))
    return left


LOCK = Lock(
    recipe="bookworm",
    recipe_digest="",
    image="",
    kernel=(),
    packages=(Locked("tool", "1:1.0", "all", "00"),),
)


def test_installer_gets_the_index_and_the_pins_of_a_lock_and_the_same_whoever_builds(
    installer: Path, lists: Path, tmp_path: Path
) -> None:
    _root(load_recipe("bookworm"), tmp_path / "root", lists, LOCK)
    pins = "etc/apt/preferences.d/evaluate-lock"
    assert b"Pin: version 1:1.0\n" in squashfs.read_file(tmp_path / "root", pins)
    assert squashfs.read_file(tmp_path / "root", "var/lib/apt/lists/a_InRelease") == b"signed"
    with tarfile.open(fileobj=io.BytesIO(squashfs.read_file(tmp_path / "root", "sent"))) as tar:
        members = tar.getmembers()
    indexes = [f"./var/lib/apt/lists/{name}" for name in ("a_InRelease", "a_Packages")]
    assert [member.name for member in members] == [f"./{pins}", *indexes]
    assert {(member.uid, member.gid, member.mode, member.mtime) for member in members} == {(0, 0, 0o644, 0)}
    assert list(installer.iterdir()) == []


def test_installer_that_ends_early_is_named_and_nothing_left(installer: Path, lists: Path, tmp_path: Path) -> None:
    (lists / "a_Packages").write_bytes(bytes(1 << 20))  # more than a pipe holds
    (tmp_path / "bin" / "mmdebstrap").write_text("#!/bin/sh\necho no namespace >&2\nexit 3\n")
    message = r"making the root file system: mmdebstrap ended with exit status 3\n  no name"
    with pytest.raises(ImageFault, match=message):
        _root(load_recipe("bookworm"), tmp_path / "root", lists, None)
    assert list(installer.iterdir()) == []
