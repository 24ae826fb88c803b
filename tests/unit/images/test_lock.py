"""Locks of images, and what is different in two of them."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.commands.main import main
from evaluate.core.errors import ImageFault, UsageError
from evaluate.images import squashfs
from evaluate.images.apt import Package
from evaluate.images.build import build_image
from evaluate.images.differences import ROOT
from evaluate.images.lock import Lock, Locked, kept, lock_of, read_lock
from evaluate.images.manifest import Manifest, describe_files
from evaluate.images.recipe import load_recipe

LOCK = Lock(
    recipe="bookworm",
    recipe_digest="sha256:1",
    image="sha256:2",
    kernel=(Locked("linux-image-6", "6.1", "amd64", "aa"),),
    packages=(Locked("bash", "5.2", "amd64", "bb"), Locked("zip", "3.0", "amd64", "cc")),
)


def test_a_lock_is_read_as_it_was_written_and_pins_every_package(tmp_path: Path) -> None:
    (tmp_path / "it").write_text(LOCK.text)
    assert read_lock(tmp_path / "it") == LOCK
    assert "Package: bash\nPin: version 5.2\nPin-Priority: 1001\n" in LOCK.pins
    (tmp_path / "it").write_text("{}")
    with pytest.raises(UsageError, match="expected the lock of an image"):
        read_lock(tmp_path / "it")


def test_what_the_archive_has_otherwise_is_named() -> None:
    LOCK.check(LOCK.kernel, LOCK.packages)
    bash, zip_ = LOCK.packages
    for found, said in (
        ((replace(bash, version="5.3"), zip_), "expected bash 5.2, found 5.3"),
        ((replace(bash, sha256="dd"), zip_), "bash 5.2: expected SHA-256 bb, found dd"),
        ((bash,), "expected zip 3.0, found none"),
        ((bash, zip_, Locked("xz", "1", "amd64", "ee")), "xz 1 is not in the lock"),
    ):
        with pytest.raises(ImageFault, match=said):
            LOCK.check(LOCK.kernel, found)


def test_a_lock_of_another_recipe_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="that is not the present one"):
        build_image(load_recipe("bookworm"), tmp_path, lambda _: None, lock=LOCK)


def evaluate(state: Path, *argv: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["--state", str(state), "image", *argv])
    return done.exit_code, done.output


def image(state: Path, name: str, version: str, text: str) -> None:
    root = state / f"{name}-tree"
    (root / "var/lib/dpkg/info").mkdir(parents=True)
    (root / "usr/bin").mkdir(parents=True)
    (root / "usr/bin/zip").write_text(text)
    (root / "var/lib/dpkg/info/zip.list").write_text("/.\n/usr/bin/zip\n")
    folder = state / "images" / name
    folder.mkdir(parents=True)
    squashfs.pack_tree(root, folder / ROOT)
    manifest = Manifest(
        recipe_digest="sha256:1",
        sources=(),
        cpu_model="Haswell",
        cpu_disabled=(),
        kernel_packages=(Package("linux-image-6", "6.1", "amd64"),),
        packages=(Package("zip", version, "amd64"),),
        files=describe_files(folder),
    )
    manifest.write(folder, kept(LOCK))


@pytest.mark.skipif(shutil.which("tar2sqfs") is None, reason="this machine has no tar2sqfs")
def test_two_images_differ_by_package_and_by_file(tmp_path: Path) -> None:
    image(tmp_path, "a", "3.0", "old")
    image(tmp_path, "b", "3.1", "new")

    code, text = evaluate(tmp_path, "diff", "a", "b")
    assert code == 1
    assert "zip is newer in b: 3.0 → 3.1\n" in text
    assert "1 file differs, of package zip:\n  usr/bin/zip: 644 0:0" in text
    assert "zip is older in a: 3.1 → 3.0\n" in evaluate(tmp_path, "diff", "b", "a")[1]
    assert evaluate(tmp_path, "diff", "a", "a") == (0, "a and a are the same\n")
    assert "no image 'c'" in evaluate(tmp_path, "diff", "a", "c")[1]
    (tmp_path / "lock").write_text(evaluate(tmp_path, "lock", "a")[1])
    found = read_lock(tmp_path / "lock")
    assert found == replace(LOCK, image=found.image) == lock_of(tmp_path / "images" / "a", "a")
    damaged = tmp_path / "images" / "b" / ROOT
    damaged.write_bytes(bytes(damaged.stat().st_size))
    code, text = evaluate(tmp_path, "diff", "a", "b")
    assert code == 3 and f"reading {damaged}: " in text and "Traceback" not in text


@pytest.mark.skipif(shutil.which("tar2sqfs") is None, reason="this machine has no tar2sqfs")
def test_same_files_that_are_packed_otherwise_are_said_to_be_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    image(tmp_path, "a", "3.0", "old")
    monkeypatch.setattr(squashfs, "_PACK", (*squashfs._PACK, "--comp-extra", "level=9", "--block-size", "4096"))
    image(tmp_path, "b", "3.0", "old")
    code, text = evaluate(tmp_path, "diff", "a", "b")
    assert code == 1
    assert text.endswith("root.squashfs has the same files, which were packed otherwise, as by another version\n")
