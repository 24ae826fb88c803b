"""Locks of images, and what is different in two of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.commands.main import main
from evaluate.core.errors import ImageFault, UsageError
from evaluate.images.apt import Package
from evaluate.images.build import build_image
from evaluate.images.image import Manifest, describe_files
from evaluate.images.lock import Lock, Locked, kept, lock_of, read_lock
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


def test_lock_of_an_image_is_printed(tmp_path: Path) -> None:
    folder = tmp_path / "images" / "a"
    folder.mkdir(parents=True)
    manifest = Manifest(
        recipe_digest="sha256:1",
        sources=(),
        cpu_model="Haswell",
        cpu_disabled=(),
        kernel_packages=(Package("linux-image-6", "6.1", "amd64"),),
        packages=(Package("zip", "3.0", "amd64"),),
        files=describe_files(folder),
    )
    manifest.write(folder, kept(LOCK))
    (tmp_path / "lock").write_text(evaluate(tmp_path, "lock", "a")[1])
    found = read_lock(tmp_path / "lock")
    assert found == replace(LOCK, image=found.image) == lock_of(folder, "a")
    assert "no image 'c'" in evaluate(tmp_path, "lock", "c")[1]


def evaluate(state: Path, *argv: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["--state", str(state), "image", *argv])
    return done.exit_code, done.output
