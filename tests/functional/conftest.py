"""Real virtual machines for tests: the image of the state folder that `./run test` has built."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluate.core.errors import EvaluateError
from evaluate.host.accelerators import open_hypervisor
from evaluate.host.state import default_state, open_state
from evaluate.images.image import Image, load_image
from evaluate.sandbox.base import Command
from evaluate.sandbox.libvirt import LibvirtHypervisor


def bash(script: str, **options: Any) -> Command:
    """A script for a guest."""
    return Command(argv=("/bin/bash", "-c", script), **options)


@pytest.fixture(scope="session")
def state() -> Path:
    """The state folder with the built image."""
    return open_state(default_state())


@pytest.fixture(scope="session")
def image(state: Path) -> Image:
    """The image ``bookworm``."""
    try:
        return load_image("bookworm", state)
    except EvaluateError as e:
        pytest.skip(f"no virtual machine image: {e}")


@pytest.fixture(scope="session")
def hypervisor(state: Path, image: Image) -> LibvirtHypervisor:
    """Software emulation, so that every machine runs the same tests."""
    try:
        return open_hypervisor(state, image, "tcg")
    except EvaluateError as e:
        pytest.skip(f"no libvirt: {e}")


@pytest.fixture(scope="module")
def folder(hypervisor: LibvirtHypervisor) -> Iterator[Path]:
    """A folder that QEMU's own user can read; it cannot pass through one of pytest's."""
    with hypervisor.runs.new("test") as folder:
        yield folder


@pytest.fixture
def cold_state(hypervisor: LibvirtHypervisor, state: Path) -> Iterator[Path]:
    """A state directory of its own that shares the built image, where QEMU's user can pass through."""
    with hypervisor.runs.new("own") as folder:
        own = folder / "state"
        own.mkdir(mode=0o755)
        for name in ("images", "cache", "layers"):
            (state / name).mkdir(exist_ok=True)
            (own / name).symlink_to(state / name)
        yield own


@pytest.fixture
def own_state(hypervisor: LibvirtHypervisor, cold_state: Path) -> Path:
    """As `cold_state`, with the saved machines of the image, so that nothing boots that has booted before."""
    (cold_state / "snapshots").symlink_to(hypervisor._snapshots.path)
    return cold_state
