"""What a root file system is made from: packages without compression, an index of them alone, and how both are sent."""

from __future__ import annotations

import io
import os
import shutil
import tarfile
import tempfile
from concurrent.futures import Future
from pathlib import Path

import pytest

from evaluate.core.errors import ImageFault
from evaluate.images import squashfs
from evaluate.images.apt import Apt, Mirrored, index_of, uncompressed
from evaluate.images.build import _parts, _root, _send
from evaluate.images.lock import Lock, Locked
from evaluate.images.recipe import DEBIAN_KEYRING, load_recipe
from tests.support.debs import package, paragraph, shown

pytestmark = pytest.mark.skipif(
    not (all(map(shutil.which, ("apt-get", "dpkg-deb"))) and DEBIAN_KEYRING.is_file()),
    reason="this machine has no apt, dpkg-deb or debian-archive-keyring",
)


@pytest.mark.parametrize("form", ["xz", "gzip", "zstd", "none"])
def test_package_is_the_same_without_compression(tmp_path: Path, form: str) -> None:
    deb = package(tmp_path, "tool", f"-Z{form}", Depends="base-files")
    plain = uncompressed(deb, tmp_path / "plain.deb")
    assert shown(plain, "--fsys-tarfile") == shown(deb, "--fsys-tarfile")
    assert shown(plain, "--ctrl-tarfile") == shown(deb, "--ctrl-tarfile")
    if form != "zstd":  # which dpkg decompresses itself
        assert plain.stat().st_size > 100_000


@pytest.mark.parametrize("kept", [0, 40, 90, 300, -20])
def test_damaged_package_is_named(tmp_path: Path, kept: int) -> None:
    deb = package(tmp_path, "tool", "-Zxz", version="1:1.0", architecture="all")
    deb.write_bytes(deb.read_bytes()[:kept])
    with pytest.raises(ImageFault, match=r"tool_1%3a1.0_all.deb cannot be read as a package of Debian"):
        uncompressed(deb, tmp_path / "plain.deb")


INDEX = b"""Package: tool
Version: 1:1.0
Architecture: all
Size: 900
MD5sum: 00
SHA256: 00
Description: x
 Package: other

Package: tool
Version: 2.0
Architecture: all
Size: 901
SHA256: 01

Package: other
Version: 1.0
Architecture: all
Size: 902
"""


def test_index_has_all_versions_of_the_packages_and_the_sizes_that_they_have_now() -> None:
    found = index_of(INDEX, {"tool_1%3a1.0_all.deb": 7}).split(b"\n\n")
    assert len(found) == 2
    assert found[0] == b"Package: tool\nVersion: 1:1.0\nArchitecture: all\nDescription: x\n Package: other\nSize: 7"
    assert found[1] == b"Package: tool\nVersion: 2.0\nArchitecture: all\nSize: 901\nSHA256: 01\n"


def test_apt_downloads_nothing_that_it_was_given(tmp_path: Path) -> None:
    """Its archive is gone; the file has another size and no digest in the index."""
    archive = tmp_path / "archive"
    archive.mkdir()
    deb = package(archive, "tool", "-Zxz", version="1:1.0", architecture="all", Depends="other | tool")
    (archive / "Packages").write_text(paragraph(deb, "0" * 64))
    apt = Apt(tmp_path / "apt", [f"deb [trusted=yes] file:{archive} ./"])
    apt.update()
    (wanted,) = apt.needed(["tool"])
    assert (wanted.asked, wanted.file, wanted.bytes) == ("tool=1:1.0", deb.name, deb.stat().st_size)
    given = uncompressed(deb, tmp_path / "apt" / "archives" / deb.name)
    for path in apt.lists.glob("*_Packages"):
        index = index_of(path.read_bytes(), {deb.name: given.stat().st_size})
        path.unlink()  # it is a link to the archive's
        path.write_bytes(index)
    shutil.rmtree(archive)
    assert apt.fetch(["tool"]) == (given,)
    assert apt.needed(["tool"]) == ()


def test_parts_have_every_package_once_and_none_is_far_larger() -> None:
    wanted = [Mirrored("", f"tool{n}_1.0_all.deb", 1_000_000 + n, "") for n in range(100)]
    wanted.append(Mirrored("", "large_1.0_all.deb", 5_000_000, ""))
    parts = _parts(wanted)
    assert sorted(one.file for part in parts for one in part) == sorted(one.file for one in wanted)
    totals = [sum(one.bytes for one in part) for part in parts]
    assert max(totals) - min(totals) <= 5_000_000
    assert _parts(wanted[:1]) == [wanted[:1]]


def done(path: Path) -> Future[Path]:
    future: Future[Path] = Future()
    future.set_result(path)
    return future


DEB = "tool_1%3a1.0_all.deb"


def given(tmp_path: Path) -> tuple[Path, Path]:
    """Indexes and a package, of modes that depend on who made them."""
    lists = tmp_path / "lists"
    (lists / "partial").mkdir(parents=True)
    (lists / "a_Packages").write_bytes(INDEX)
    (lists / "a_InRelease").write_bytes(b"signed")
    deb = tmp_path / DEB
    deb.write_bytes(b"odd")
    for path in (deb, lists / "a_Packages", lists / "a_InRelease"):
        path.chmod(0o600)
    return lists, deb


def test_root_begins_the_same_whoever_builds_it(tmp_path: Path) -> None:
    lists, deb = given(tmp_path)
    if os.geteuid() == 0:
        os.chown(deb, 996, 996)
    stream = io.BytesIO()
    _send({"etc/first": b"1"}, lists, [done(deb)], stream)
    with tarfile.open(fileobj=io.BytesIO(stream.getvalue())) as tar:
        members = {member.name: (member, tar.extractfile(member).read()) for member in tar}  # type: ignore[union-attr]
    assert list(members) == [
        "./etc/first",
        "./var/cache/apt/archives/tool_1%3a1.0_all.deb",
        "./var/lib/apt/lists/a_InRelease",
        "./var/lib/apt/lists/a_Packages",
    ]
    assert {(one.uid, one.gid, one.mode, one.mtime) for one, _ in members.values()} == {(0, 0, 0o644, 0)}
    assert members["./var/cache/apt/archives/tool_1%3a1.0_all.deb"][1] == b"odd"
    assert b"Size: 3\n" in members["./var/lib/apt/lists/a_Packages"][1]
    assert not deb.exists()


INSTALLER = """#!/bin/sh
mkdir "$TMPDIR"/mmdebstrap.left
for word; do case "$word" in --setup-hook=*) hook="${word#--setup-hook=}" ;; esac; done
sh -ec "$hook" exec "$TMPDIR"/mmdebstrap.left || exit 1
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


@pytest.fixture
def apt(tmp_path: Path) -> Apt:
    apt = Apt(tmp_path / "apt", [])
    shutil.copytree(given(tmp_path)[0], apt.lists, dirs_exist_ok=True)
    return apt


def test_installer_gets_the_packages_the_index_and_the_pins_of_a_lock(
    installer: Path, apt: Apt, tmp_path: Path
) -> None:
    _root(load_recipe("bookworm"), tmp_path / "root", apt, LOCK, [done(tmp_path / DEB)])
    assert squashfs.read_file(tmp_path / "root", f"var/cache/apt/archives/{DEB}") == b"odd"
    assert b"Pin: version 1:1.0\n" in squashfs.read_file(tmp_path / "root", "etc/apt/preferences.d/evaluate-lock")
    assert squashfs.read_file(tmp_path / "root", "var/lib/apt/lists/a_InRelease") == b"signed"
    assert list(installer.iterdir()) == []


def test_package_that_cannot_be_read_or_an_installer_that_ends_early_is_named_and_nothing_left(
    installer: Path, apt: Apt, tmp_path: Path
) -> None:
    bad: Future[Path] = Future()
    bad.set_exception(ImageFault("bad.deb cannot be read"))
    with pytest.raises(ImageFault, match=r"^bad.deb cannot be read$"):
        _root(load_recipe("bookworm"), tmp_path / "root", apt, None, [done(tmp_path / DEB), bad])
    assert list(installer.iterdir()) == []
    (tmp_path / DEB).write_bytes(bytes(1 << 20))  # more than a pipe holds
    (tmp_path / "bin" / "mmdebstrap").write_text("#!/bin/sh\necho no namespace >&2\nexit 3\n")
    message = r"making the root file system: mmdebstrap ended with exit status 3\n  no name"
    with pytest.raises(ImageFault, match=message):
        _root(load_recipe("bookworm"), tmp_path / "root", apt, None, [done(tmp_path / DEB)])
    assert list(installer.iterdir()) == []
