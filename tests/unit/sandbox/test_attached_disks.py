"""Which disks a guest has, and how large what it writes may become."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.core.model import MIB
from evaluate.images.image import Image
from evaluate.sandbox.attached_disks import ANSWERS, attached, most_file_bytes
from evaluate.sandbox.base import Machine, Sizes


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    for name in ("vmlinuz", "agent-1.img", "root.squashfs"):
        (tmp_path / name).touch()
    image = Image(
        name="plain",
        digest="sha256:0",
        kernel=tmp_path / "vmlinuz",
        initrd=tmp_path / "agent-1.img",
        root=tmp_path / "root.squashfs",
        cpu_model="max",
        cpu_disabled=(),
        packages=(),
        recipe_digest="sha256:0",
    )
    return Machine(image=image, sizes=Sizes(root_bytes=64 * MIB, home_bytes=32 * MIB, tmp_bytes=16 * MIB))


@pytest.mark.parametrize("all_slots", [True, False], ids=["saved", "booted"])
def test_disk_for_answers_has_the_size_of_the_challenge_and_is_absent_where_none_is_needed(
    machine: Machine, tmp_path: Path, all_slots: bool
) -> None:
    """It had 64 GiB in every guest that was to be saved, also for programs that leave answers in files of a record."""
    (tmp_path / "one").mkdir()
    serials = [disk.serial for disk in attached(machine, tmp_path / "one", tmp_path / "blank", all_slots=all_slots)]
    assert "answers" not in serials and not (tmp_path / "one" / ANSWERS).exists()
    (tmp_path / "two").mkdir()
    asks = replace(machine, answers_bytes=10 * MIB)
    disk = attached(asks, tmp_path / "two", tmp_path / "blank", all_slots=all_slots)[-1]
    assert (disk.serial, disk.readonly) == ("answers", False)
    assert disk.path.stat().st_size == (10 + 128) * MIB


def test_no_file_of_a_guest_may_exceed_its_largest_disk_by_much(machine: Machine, tmp_path: Path) -> None:
    assert 64 * MIB < most_file_bytes(machine) < 200 * MIB
    assert most_file_bytes(replace(machine, answers_bytes=2048 * MIB)) == (2048 + 128) * MIB
    for disk in attached(replace(machine, answers_bytes=MIB), tmp_path, tmp_path / "blank", all_slots=False):
        assert disk.readonly or disk.path.stat().st_size <= most_file_bytes(machine)
