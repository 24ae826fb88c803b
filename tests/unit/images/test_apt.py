"""apt over archives that a test makes: whose fault it is that packages cannot be installed."""

from __future__ import annotations

import shutil
import socket
from pathlib import Path

import pytest

from evaluate.core.errors import EntryError, ImageFault
from evaluate.core.model import LayerLimits
from evaluate.images.apt import Apt, Package, _downloads
from evaluate.images.layers import _near, check_available, resolve
from evaluate.images.recipe import DEBIAN_KEYRING, load_recipe
from evaluate.untrusted.dependencies import parse_dependencies
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


INSTALLED = b"Package: present\nStatus: install ok installed\nVersion: 1.0\nArchitecture: amd64\n\n"


@pytest.fixture
def apt(archive: Path, tmp_path: Path) -> Apt:
    found = Apt(tmp_path / "apt", [f"deb [trusted=yes] file:{archive} ./"], INSTALLED)
    found.update()
    return found


def test_packages_come_with_what_they_depend_on(apt: Apt) -> None:
    wanted = parse_dependencies(b"good = 1.0\n")
    check_available(apt, RECIPE, wanted)
    packages = resolve(apt, wanted)
    assert packages == (Package("base", "1.0", "amd64"), Package("good", "1.0", "amd64"))
    download, installed = apt.sizes(packages)
    assert download > 500
    assert installed == 5 << 10
    assert apt.depends("good") == ("base",)


def test_packages_are_fetched_from_a_folder_too(apt: Apt, archive: Path, tmp_path: Path) -> None:
    wanted = apt.needed(["good"])
    assert [one.asked for one in wanted] == ["base=1.0", "good=1.0"]
    assert apt.located(["good", "base=1.0"]) == wanted
    fetched = apt.download(wanted, tmp_path / "debs")
    assert [deb.read_bytes() for deb in fetched] == [(archive / deb.name).read_bytes() for deb in fetched]


def test_file_of_a_package_is_in_no_other_folder_whoever_signed_its_name() -> None:
    shown = "'http://mirror/a.deb' {}a_1%3a2_all.deb 5 SHA256:00\n"
    (found,) = _downloads(shown.format("") + shown.format("../../"))
    assert (found.file, found.asked) == ("a_1%3a2_all.deb", "a=1:2")


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        (b"gone\n", "dependencies.txt line 1: gone: no such package in Debian bookworm"),
        (b"good = 2\n", "dependencies.txt line 1: good = 2: no such version; there is 1.0"),
    ],
)
def test_package_that_does_not_exist_is_the_entrys_fault(apt: Apt, text: bytes, wish: str) -> None:
    with pytest.raises(EntryError, match=wish):
        check_available(apt, RECIPE, parse_dependencies(text))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("python-numpy", "did you mean python3-numpy?"),
        ("python3-numpyy", "did you mean python3-numpy?"),
        ("python3-tensorflow", ""),
        ("matlab", "octave runs most MATLAB code"),
        ("python2.7", "Python 2 is no longer in Debian: python3"),
        ("ocatve", "did you mean octave?"),
        ("numpy", "write python3-numpy, Debian's package of numpy for Python"),
        ("scikit-learn", "write python3-sklearn, Debian's package of scikit-learn for Python"),
    ],
)
def test_similar_names_are_of_the_same_thing(name: str, said: str) -> None:
    names = ("python3", "python3-numpy", "python3-sklearn", "python3-taskflow", "octave", "octave-signal")
    assert _near(name, names) == said


@pytest.mark.parametrize(
    ("lines", "limits", "wish"),
    [
        (b"good\nlonely = 1.0\n", {}, "^dependencies.txt line 2: lonely = 1.0: cannot be installed: .*absent"),
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


def test_apt_that_does_not_work_is_not_the_entrys_fault(apt: Apt, tmp_path: Path) -> None:
    (tmp_path / "apt" / "status").write_bytes(b"no paragraph of dpkg")
    with pytest.raises(ImageFault, match="resolving packages: apt-get"):
        resolve(apt, parse_dependencies(b"good\n"))


def test_mirror_that_is_down_is_not_the_entrys_fault(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound and not listening: nobody else gets the port, and it refuses
        apt = Apt(tmp_path / "apt", [f"deb [trusted=yes] http://127.0.0.1:{unused.getsockname()[1]}/debian x main"])
        settings = tmp_path / "apt" / "apt.conf"
        settings.write_text(settings.read_text().replace('Acquire::Retries "3"', 'Acquire::Retries "0"'))
        with pytest.raises(ImageFault, match="fetching the package indexes"):
            apt.update()


def test_package_that_vanished_from_the_mirror_is_not_the_entrys_fault(archive: Path, tmp_path: Path) -> None:
    own = tmp_path / "archive"
    shutil.copytree(archive, own)
    apt = Apt(tmp_path / "apt", [f"deb [trusted=yes] copy:{own} ./"])
    apt.update()
    (own / "base_1.0_amd64.deb").unlink()
    with pytest.raises(ImageFault, match="downloading packages"):
        apt.fetch(["good"])
