"""Packages from an archive as it was at a date: a signed archive on loopback with two dates."""

import functools
import hashlib
import http.server
import itertools
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.core.errors import ImageFault, MirrorFault
from evaluate.images import apt as apt_module
from evaluate.images import recipe as recipe_module
from evaluate.images.apt import Apt
from evaluate.images.build import check_available
from evaluate.images.image import Lock, locked
from evaluate.images.recipe import DEBIAN_KEYRING, FILE, Recipe, load_recipe
from tests.conftest import CHECKOUT
from tests.support.commands import printed
from tests.support.debs import package, paragraph, small_image
from tests.support.documents import blocks
from tests.support.loopback import serving

pytestmark = pytest.mark.skipif(
    not (all(map(shutil.which, ("apt-get", "dpkg-deb", "gpg"))) and DEBIAN_KEYRING.is_file()),
    reason="this machine has no apt, dpkg-deb, gpg or debian-archive-keyring",
)
FIRST, SECOND = "2020-01-01T00:00:00Z", "2020-02-01T00:00:00Z"
EXPIRED = "Sat, 08 Feb 2020 00:00:00 UTC"
PACKAGES = {
    "20200101T000000Z": [("tool", "1.0", "x"), ("rare", "3.0", "x"), ("kernel", "6.1", "x")],
    "20200201T000000Z": [("tool", "1.1", "x"), ("kernel", "6.1", "rebuilt")],
}
TEXT = """release: bookworm
packages: [tool, rare]
kernel: kernel
modules: [virtio_blk]
source_date_epoch: 1577836800
cpu_model: Haswell-noTSX
cpu_disabled: []
"""


@pytest.fixture(scope="module")
def mirror(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """An archive with two dates, and the key that signs it: `rare` is gone at the second, `tool` is newer."""
    home, top = tmp_path_factory.mktemp("g"), tmp_path_factory.mktemp("archive")
    home.chmod(0o700)
    gpg = ["gpg", "--homedir", str(home), "--batch", "--quiet", "--passphrase", "", "--pinentry-mode", "loopback"]
    subprocess.run([*gpg, "--quick-generate-key", "a@example.org", "ed25519", "sign", "never"], check=True)
    key = top / "key.gpg"
    subprocess.run([*gpg, "--output", key, "--export"], check=True)

    suites = (
        "debian/{}/dists/bookworm",
        "debian/{}/dists/bookworm-updates",
        "debian-security/{}/dists/bookworm-security",
    )
    for (stamp, packages), place in itertools.product(PACKAGES.items(), suites):
        lists = top / place.format(stamp)
        index = lists / "main" / "binary-amd64" / "Packages"
        index.parent.mkdir(parents=True)
        of_suite = packages if lists.name == "bookworm" else ()
        debs = [package(lists.parents[1], name, version=version, Section=text) for name, version, text in of_suite]
        index.write_text("\n".join(map(paragraph, debs)))
        data = index.read_bytes()
        (lists / "Release").write_text(
            f"Suite: {lists.name}\nCodename: {lists.name}\nArchitectures: amd64\nComponents: main\n"
            f"Date: Wed, 01 Jan 2020 00:00:00 UTC\nValid-Until: {EXPIRED}\n"
            f"SHA256:\n {hashlib.sha256(data).hexdigest()} {len(data)} main/binary-amd64/Packages\n"
        )
        sign = ["--output", lists / "InRelease", "--clearsign", lists / "Release"]
        subprocess.run([*gpg, *sign], check=True, capture_output=True)
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=top)
    with serving(http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)) as server:
        yield f"http://127.0.0.1:{server.server_port}", key
    subprocess.run(["gpgconf", "--homedir", home, "--kill", "all"], check=False)


@pytest.fixture
def at(mirror: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Recipe]:
    """A recipe with a snapshot of a date, from that archive."""
    monkeypatch.setenv("EVALUATE_SNAPSHOT_MIRROR", mirror[0])
    monkeypatch.setattr(recipe_module, "DEBIAN_KEYRING", mirror[1])
    # so that no setting of this machine changes what expired indexes do; loopback needs no proxy
    monkeypatch.setattr(apt_module, "host_settings", tuple)

    def made(date: str) -> Recipe:
        folder = tmp_path / "recipe"
        folder.mkdir(exist_ok=True)
        (folder / FILE).write_text(f"{TEXT}snapshot: {date}\n")
        return load_recipe(folder)

    return made


def indexes(recipe: Recipe, folder: Path) -> Apt:
    apt = Apt(folder, recipe.signed_sources())
    apt.update()
    return apt


def lock_from(recipe: Recipe, folder: Path) -> Lock:
    apt = indexes(recipe, folder)
    check_available(recipe, apt, None)
    plans = [apt.plan(names).installed for names in ([recipe.kernel], recipe.packages)]
    kernel, packages = (locked(part, apt.digests(part)) for part in plans)
    return Lock(recipe=recipe.name, recipe_digest=recipe.digest, image="", kernel=kernel, packages=packages)


def test_same_date_gives_the_same_lock_and_its_packages_and_what_is_gone_at_another_is_named(
    at: Callable[..., Recipe], tmp_path: Path
) -> None:
    lock = lock_from(at(FIRST), tmp_path / "a")
    assert [(package.name, package.version) for package in lock.packages] == [("rare", "3.0"), ("tool", "1.0")]
    assert all(package.sha256 for package in (*lock.kernel, *lock.packages))
    assert lock == lock_from(at(FIRST), tmp_path / "b")
    apt = indexes(at(FIRST), tmp_path / "c")
    check_available(at(FIRST), apt, lock)
    assert apt.download("tool=1.0", tmp_path / "tool").name == "tool_1.0_amd64.deb"
    with pytest.raises(MirrorFault, match="downloading tool=9: "):
        apt.download("tool=9", tmp_path / "other")
    later = at(SECOND)
    assert later.digest != lock.recipe_digest
    apt = indexes(later, tmp_path / "d")
    for given in (None, lock):
        with pytest.raises(ImageFault, match=f"Debian bookworm as of {SECOND} does not have the packages .*rare"):
            check_available(later, apt, given)


def test_age_is_accepted_of_snapshots_alone_and_signatures_are_checked(
    at: Callable[..., Recipe], mirror: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = at(FIRST)
    assert recipe.sources()[0] == (
        "deb [check-valid-until=no] http://snapshot.debian.org/archive/debian/20200101T000000Z bookworm main"
    )
    assert all("check-valid-until=no" in line for line in recipe.sources())
    assert not any("check-valid-until" in line for line in replace(recipe, snapshot="").sources())
    plain = [line.replace(" check-valid-until=no", "") for line in recipe.signed_sources()]
    with pytest.raises(MirrorFault):
        Apt(tmp_path / "expired", plain).update()
    monkeypatch.setattr(recipe_module, "DEBIAN_KEYRING", DEBIAN_KEYRING)
    with pytest.raises(MirrorFault):
        indexes(recipe, tmp_path / "unsigned")


def test_security_update_as_the_guide_shows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of the guide, but that a small image stands where one is built."""
    shutil.copytree(CHECKOUT / "vm_images" / "bookworm", tmp_path / "vm_images" / "bookworm")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(recipe_module, "data_folder", tmp_path.joinpath)
    state = tmp_path / "state"
    small_image("bookworm", load_recipe("bookworm"), state, "1.0")
    (block,) = blocks(CHECKOUT / "vm_images" / "README.md")
    for line in block.commands:
        if line.startswith("evaluate image build "):
            recipe = load_recipe(line.split()[-1])
            assert recipe.archive.endswith("as of 2026-11-20T00:00:00Z"), "so a fault of this build says"
            small_image(recipe.name, recipe, state, "1.1")
        elif line.startswith("evaluate "):
            output = printed(state, *line.split()[1:])
            assert "tool" in output and "1.1" in output
        else:
            subprocess.run(["sh", "-ec", line], check=True)
