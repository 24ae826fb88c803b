"""apt over archives that a test makes: whose fault it is that packages cannot be installed."""

from __future__ import annotations

import hashlib
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from evaluate.core.errors import EntryError, ImageFault
from evaluate.core.model import LayerLimits
from evaluate.images.apt import Apt, Package, _downloads
from evaluate.images.layers import _near, check_available, resolve
from evaluate.images.recipe import DEBIAN_KEYRING, load_recipe
from evaluate.untrusted.dependencies import parse_dependencies

pytestmark = pytest.mark.skipif(
    not (shutil.which("apt-get") and shutil.which("dpkg-deb") and DEBIAN_KEYRING.is_file()),
    reason="this machine has no apt, dpkg-deb or debian-archive-keyring",
)
RECIPE = load_recipe("bookworm")


def package(folder: Path, name: str, **fields: str) -> str:
    """Build a package; its paragraph of the archive's index."""
    control = f"Package: {name}\nVersion: 1.0\nArchitecture: amd64\nMaintainer: a <a@example.org>\nDescription: x\n"
    control += "".join(f"{key}: {value}\n" for key, value in fields.items())
    tree = folder / "tree" / name
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "DEBIAN" / "control").write_text(control)
    deb = folder / f"{name}_1.0_amd64.deb"
    subprocess.run(["dpkg-deb", "-b", "--root-owner-group", tree, deb], check=True, capture_output=True)
    data = deb.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    return f"{control}Filename: ./{deb.name}\nSize: {len(data)}\nSHA256: {digest}\n"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archive")
    paragraphs = [
        package(folder, "good", **{"Depends": "base", "Installed-Size": "3"}),
        package(folder, "base", **{"Installed-Size": "2"}),
        package(folder, "lonely", Depends="absent (>= 2)"),
        package(folder, "left", Conflicts="right"),
        package(folder, "right"),
        package(folder, "rival", Conflicts="present"),
    ]
    (folder / "Packages").write_text("\n".join(paragraphs))
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
    found = resolve(apt, wanted)
    assert found == (Package("base", "1.0", "amd64"), Package("good", "1.0", "amd64"))
    download, installed = apt.sizes(found)
    assert download > 500
    assert installed == 5 << 10
    assert apt.depends("good") == ("base",)
    assert apt.candidate("good") == "1.0"


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
    ],
)
def test_similar_names_are_of_the_same_thing(name: str, said: str) -> None:
    names = ("python3", "python3-numpy", "python3-taskflow", "octave", "octave-signal")
    assert _near(name, names) == said


def test_line_that_cannot_be_installed_is_quoted(apt: Apt) -> None:
    with pytest.raises(EntryError) as caught:
        resolve(apt, parse_dependencies(b"good\nlonely = 1.0\n"))
    assert str(caught.value).startswith("dependencies.txt line 2: lonely = 1.0: cannot be installed: ")
    assert "absent" in str(caught.value)


def test_lines_that_contradict_each_other_are_the_entrys_fault(apt: Apt) -> None:
    with pytest.raises(EntryError, match=r"cannot be installed together: .*\n  .*line 1: left\n  .*line 2: right"):
        resolve(apt, parse_dependencies(b"left\nright\n"))
    with pytest.raises(EntryError, match="would remove present, which the image needs"):
        resolve(apt, parse_dependencies(b"rival\n"))


def test_number_and_size_of_packages_are_bounded(apt: Apt) -> None:
    wanted = parse_dependencies(b"good\n")
    with pytest.raises(EntryError, match="needs 0 MiB of disk space; at most 0 are allowed"):
        resolve(apt, wanted, LayerLimits(installed_bytes=4 << 10))
    with pytest.raises(EntryError, match="MiB to download; at most 0"):
        resolve(apt, wanted, LayerLimits(download_bytes=100))
    with pytest.raises(EntryError, match=r"needs 2 packages .*; at most 1 are allowed"):
        resolve(apt, wanted, LayerLimits(packages=1))


def test_apt_that_does_not_work_is_not_the_entrys_fault(apt: Apt, tmp_path: Path) -> None:
    (tmp_path / "apt" / "status").write_bytes(b"no paragraph of dpkg")
    with pytest.raises(ImageFault, match="resolving packages: apt-get"):
        resolve(apt, parse_dependencies(b"good\n"))


@pytest.mark.slow
def test_mirror_that_is_down_is_not_the_entrys_fault(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # bound and not listening: nobody else gets the port, and it refuses
        apt = Apt(tmp_path / "apt", [f"deb [trusted=yes] http://127.0.0.1:{unused.getsockname()[1]}/debian x main"])
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
