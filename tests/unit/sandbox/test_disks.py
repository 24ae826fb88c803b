"""Which disks a guest has, and how large what it writes may become."""

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.core.model import MIB
from evaluate.sandbox.base import Machine, Prepared, Sizes
from evaluate.sandbox.disks import ANSWERS, attached, blank_disk, most_file_bytes, overlay, size_of
from tests.support.scripted import IMAGE


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    for name in ("vmlinuz", "agent-1.img", "root.squashfs"):
        (tmp_path / name).touch()
    kernel, initrd, root = (tmp_path / name for name in ("vmlinuz", "agent-1.img", "root.squashfs"))
    image = replace(IMAGE, kernel=kernel, initrd=initrd, root=root)
    return Machine(image=image, sizes=Sizes(root_bytes=64 * MIB, home_bytes=32 * MIB, tmp_bytes=16 * MIB))


@pytest.mark.parametrize("alone", [True, False], ids=["saved", "booted"])
def test_disk_for_answers_has_the_size_of_the_challenge_and_is_absent_where_none_is_needed(
    machine: Machine, tmp_path: Path, alone: bool
) -> None:
    """It had 64 GiB in every guest that was to be saved, also for programs that leave answers in files of a record."""
    (tmp_path / "one").mkdir()
    serials = [disk.serial for disk in attached(machine, tmp_path / "one", tmp_path / "blank", alone=alone)]
    assert "answers" not in serials and not (tmp_path / "one" / ANSWERS).exists()
    (tmp_path / "two").mkdir()
    asks = replace(machine, answers_bytes=10 * MIB)
    disk = attached(asks, tmp_path / "two", tmp_path / "blank", alone=alone)[-1]
    assert (disk.serial, disk.readonly) == ("answers", False)
    assert disk.path.stat().st_size == (10 + 128) * MIB


def test_no_file_of_a_guest_may_exceed_its_largest_disk_by_much(machine: Machine, tmp_path: Path) -> None:
    assert 64 * MIB < most_file_bytes(machine) < 200 * MIB
    assert most_file_bytes(replace(machine, answers_bytes=2048 * MIB)) == (2048 + 128) * MIB
    for disk in attached(replace(machine, answers_bytes=MIB), tmp_path, tmp_path / "blank"):
        assert disk.readonly or disk.path.stat().st_size <= most_file_bytes(machine)


def written(folder: Path, size: int, *options: str) -> Path:
    """A disk as a QEMU that its guest took over might leave it for the next guest."""
    path = folder / "root.qcow2"
    made = ["qemu-img", "create", "-q", "-u", "-f", "qcow2", *options, str(path), str(size)]
    subprocess.run(made, check=True)
    return path


@pytest.mark.parametrize("alone", [True, False], ids=["room", "guest"])
def test_no_program_of_the_host_follows_the_header_of_a_disk_that_a_guest_has_left(
    machine: Machine, tmp_path: Path, alone: bool
) -> None:
    """qemu-img runs as the daemon: it opened what the header names, also a pipe, for ever, or a socket of the host."""
    trap = tmp_path / "trap"
    os.mkfifo(trap)
    left = written(tmp_path, 48 * MIB, "-b", str(trap), "-F", "raw")
    kept = Prepared(root=left, home=blank_disk(tmp_path / "blank", 32 * MIB, "home"))
    (tmp_path / "next").mkdir()
    found = attached(replace(machine, prepared=kept), tmp_path / "next", tmp_path / "blank", alone=alone)
    root = next(disk for disk in found if disk.serial == "root")
    assert root.backing == (left, blank_disk(tmp_path / "blank", 64 * MIB, "root"))
    assert size_of(root.path) == 64 * MIB
    assert size_of(overlay(tmp_path / "above.qcow2", left)) == 48 * MIB


def test_disk_whose_data_are_elsewhere_or_that_is_none_is_refused(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "secret").touch()
    elsewhere = written(tmp_path, MIB, "-o", f"data_file={tmp_path / 'secret'}")
    for alone in (True, False):
        kept = Prepared(root=elsewhere, home=elsewhere)
        with pytest.raises(SandboxFault, match="expected a disk as it was made"):
            attached(replace(machine, prepared=kept), tmp_path, tmp_path / "blank", alone=alone)
    for data in (b"", b"QFI\xfb", bytes(100), b"QFI\xfb" + (2).to_bytes(4, "big") + bytes(100)):
        elsewhere.write_bytes(data)
        with pytest.raises(SandboxFault, match="expected a disk as it was made"):
            size_of(elsewhere)
