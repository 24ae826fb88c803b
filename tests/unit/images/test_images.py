"""Recipes, archives, manifests and locks of the image builder; building for real is a functional test."""

import multiprocessing
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.core.errors import ChallengeError, ImageFault, UsageError
from evaluate.core.files import data_folder
from evaluate.images import initrd
from evaluate.images.apt import Package
from evaluate.images.build import _finish, build_image, load_order
from evaluate.images.image import (
    MANIFEST,
    Lock,
    Locked,
    list_images,
    load_image,
    lock_of,
    read_lock,
)
from evaluate.images.recipe import FILE, load_recipe
from evaluate.images.staging import building
from tests.chaos.audit import wait_for
from tests.support.commands import command, printed
from tests.support.debs import small_image


def test_recipe_of_bookworm_has_what_2017_had_and_python_from_any_mirror(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = load_recipe("bookworm")
    assert {"devscripts", "build-essential", "zip", "python3"} <= set(recipe.packages)
    assert {"avx2", "erms"} <= set(recipe.cpu_disabled)
    monkeypatch.setenv("EVALUATE_MIRROR", "http://mirror.example/")
    assert "http://mirror.example/debian bookworm" in recipe.signed_sources()[0]
    assert "deb.debian.org" in recipe.sources()[0]
    with pytest.raises(UsageError, match="known: bookworm"):
        load_recipe("buster")


def test_every_mistake_in_a_recipe_is_named(tmp_path: Path) -> None:
    text = (data_folder("vm_images") / "bookworm" / FILE).read_text()
    for right, wrong in (("release: b", "relase: b"), ("- zip", "- -o=x"), ("1767225600", "now\nsnapshot: yesterday")):
        text = text.replace(right, wrong)
    (tmp_path / FILE).write_text(text)
    with pytest.raises(ChallengeError) as caught:
        load_recipe(tmp_path)
    words = ("relase", "release", "-o=x", "source_date_epoch", "a time such as")
    assert [word for word in words if word in str(caught.value)] == [*words]


Damage = Callable[[bytes], bytes]


@pytest.mark.parametrize(
    ("file", "damage", "wish"),
    [
        (MANIFEST, lambda data: data.replace(b"amd64", b"arm64"), "digest"),
        (MANIFEST, lambda data: data[:100], "cannot be read"),
        ("root.squashfs", lambda _: b"", r"root.squashfs should have \d+ bytes, it has 0; .*--rebuild"),
    ],
    ids=["another manifest", "a part of it", "no root"],
)
def test_damage_of_an_image_is_found(file: str, damage: Damage, wish: str, tmp_path: Path) -> None:
    small_image("b", load_recipe("bookworm"), tmp_path, "1.0")
    path = tmp_path / "images" / "b" / file
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ImageFault, match=wish):
        load_image("b", tmp_path)


def test_module_that_the_kernel_lacks_is_a_fault() -> None:
    with pytest.raises(ImageFault, match="no_such"):
        load_order(["no_such"], {}, frozenset())


def _hold(folder: Path, ready: Path) -> None:
    with building(folder, "x", lambda: None) as scratch:
        (scratch / "half").write_text("made")
        ready.touch()
        time.sleep(600)


def test_build_waits_for_another_of_the_same_and_finds_nothing_of_one_that_was_killed(tmp_path: Path) -> None:
    ready, folder = tmp_path / "ready", tmp_path / "images"
    process = multiprocessing.get_context("forkserver").Process(target=_hold, args=(folder, ready), daemon=True)
    process.start()
    wait_for(ready.exists)
    there: list[list[Path]] = []

    def waiting() -> None:
        there.append([path for path in folder.iterdir() if path.is_dir()])
        process.kill()

    with building(folder, "x", waiting) as scratch:
        assert [path for path in folder.iterdir() if path.is_dir()] == [scratch]
    process.join()
    assert len(there) == 1 and len(there[0]) == 1, "it was told to wait, while the other had its folder"
    assert not [path for path in folder.iterdir() if path.is_dir()]


def test_initial_file_system_has_the_guests_files_and_is_made_once_for_each_version_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, unpacked = initrd.base_archive({"squashfs": b"module"}), tmp_path / "it"
    (tmp_path / initrd.BASE).write_bytes(base)
    (tmp_path / initrd.PROBE).write_bytes(b"probe")
    first = initrd.with_agent(tmp_path)
    made = first.stat().st_mtime_ns
    assert initrd.with_agent(tmp_path) == first and first.stat().st_mtime_ns == made
    unpacked.mkdir()
    reader = ["cpio", "--quiet"] if shutil.which("cpio") else ["busybox", "cpio"]
    subprocess.run([*reader, "-i"], input=first.read_bytes().removeprefix(base), cwd=unpacked, check=True)
    for path in (data_folder("vm_images") / "guest").glob("*.py"):
        if path.name not in ("unpack.py", "model_folder.py", "build_image.py"):
            assert (unpacked / "evaluate" / path.name).read_bytes() == path.read_bytes()
            assert (unpacked / f"evaluate/__pycache__/{path.stem}.{sys.implementation.cache_tag}.pyc").is_file()
    assert all(
        (unpacked / name).stat().st_mode & 0o777 == 0o755 for name in ("init", "evaluate/keeper", "evaluate/probe")
    )
    monkeypatch.setattr(initrd, "_modules", lambda: {"evaluate/agent.py": b"print()"})
    assert initrd.with_agent(tmp_path) != first


def test_root_is_finished_wherever_the_build_was_begun(tmp_path: Path) -> None:
    """Such as in a home of root, whose image the service's user builds in a namespace."""
    root, home = tmp_path / "root", tmp_path / "home"
    for name in ("etc", "etc/default", "etc/apt/sources.list.d", "var/lib/dpkg", "var/log/apt"):
        (root / name).mkdir(parents=True, exist_ok=True)
    (root / "var/log/apt/term.log").write_text("13:05\n")
    home.mkdir()
    # root may enter every folder, and so could the build; this takes that right from the process
    without = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    hooks = [hook for hook in _finish(load_recipe("bookworm")) if not hook.startswith(("chroot ", "chown "))]
    for hook in hooks:
        closed = ["sh", "-c", 'chmod 0 .; exec sh -c "$0" exec "$1"', hook, str(root)]
        subprocess.run([*without, *closed], cwd=home, check=True)
        home.chmod(0o700)
    assert not list(root.glob("var/log/**/*.log"))


# Locks of images, and what is different in two of them.


LOCK = Lock(
    recipe="bookworm",
    recipe_digest="sha256:1",
    image="sha256:2",
    kernel=(Locked("linux-image-6", "6.1", "amd64", "aa"),),
    packages=(Locked("bash", "5.2", "amd64", "bb"), Locked("zip", "3.0", "amd64", "cc")),
)


def test_image_and_its_lock_are_read_back_and_the_lock_pins_every_package(tmp_path: Path) -> None:
    digest, image = small_image("a", load_recipe("bookworm"), tmp_path, "1.0", LOCK), load_image("a", tmp_path)
    assert (image.digest, image.packages) == (digest, (Package("tool", "1.0", "amd64"),))
    assert list_images(tmp_path) == ("a",)
    (tmp_path / "it").write_text(printed(tmp_path, "image", "lock", "a"))
    lock = read_lock(tmp_path / "it")
    assert lock == replace(LOCK, image=lock.image) == lock_of(tmp_path / "images" / "a")
    assert "no image 'c'" in command(tmp_path, "image", "lock", "c")[1]
    assert "Package: bash\nPin: version 5.2\nPin-Priority: 1001\n" in LOCK.pins
    (tmp_path / "it").write_text("{}")
    with pytest.raises(UsageError, match="expected the lock of an image"):
        read_lock(tmp_path / "it")


def test_what_the_archive_has_otherwise_is_named_and_a_lock_of_another_recipe_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="that is not the present one"):
        build_image(load_recipe("bookworm"), tmp_path, lambda _: None, lock=LOCK)
    LOCK.check(LOCK.kernel, LOCK.packages)
    bash, zip_ = LOCK.packages
    for packages, wish in (
        ((replace(bash, version="5.3"), zip_), "expected bash 5.2, found 5.3"),
        ((replace(bash, sha256="dd"), zip_), "bash 5.2: expected SHA-256 bb, found dd"),
        ((bash,), "expected zip 3.0, found none"),
        ((bash, zip_, Locked("xz", "1", "amd64", "ee")), "xz 1 is not in the lock"),
    ):
        with pytest.raises(ImageFault, match=wish):
            LOCK.check(LOCK.kernel, packages)
