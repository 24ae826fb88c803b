"""Which disks a guest has, and how large a file of it may become."""

from __future__ import annotations

from pathlib import Path

from evaluate.sandbox import disks
from evaluate.sandbox.base import LAYER_SLOTS, Machine
from evaluate.sandbox.domain import Disk
from evaluate.sandbox.snapshots import Snapshot
from evaluate.untrusted.answers_disk import ROOM_FOR_NAMES

ANSWERS, ENTRY = "answers.raw", "entry.raw"
_TABLES, _ROOM_BYTES = 64, 64 << 20
"""Of a qcow2 file: its tables take less than this part of its content, and less than this beside it."""


def attached(
    machine: Machine,
    folder: Path,
    blanks: Path,
    *,
    all_slots: bool,
    saved: Snapshot | None = None,
    alone: bool = False,
) -> list[Disk]:
    """The disks of a guest, whose own are made in its folder.

    * ``blanks``: where templates are kept.
    * ``all_slots``: attach also what this machine has no use for: a saved guest has the same disks on every host.
    * ``saved``: what a saved guest had written to its disks is below those of this one.
    * ``alone``: for a guest of `rooms`: what is below its disks is not named in them.
    """
    sizes = machine.sizes
    media: dict[str, Path | None] = {"base": machine.image.root}
    media |= {f"layer{i}": layer for i, layer in enumerate(machine.layers)}
    media["entry"] = machine.entry and disks.raw_disk(folder / ENTRY, machine.entry)
    media["records"] = machine.records
    if all_slots:
        empty = disks.empty_slot(blanks)
        slots = {*(f"layer{i}" for i in range(LAYER_SLOTS)), *media}
        media = {serial: media.get(serial) or empty for serial in sorted(slots)}
    found = [Disk(serial=serial, path=path, format="raw", readonly=True) for serial, path in media.items() if path]
    chain = machine.prepared.chain if machine.prepared is not None else ()
    for serial, size, frozen in (
        ("root", sizes.root_bytes, [one.root for one in chain]),
        ("home", sizes.home_bytes, [one.home for one in chain]),
        ("tmp", sizes.tmp_bytes, []),
    ):
        blank = disks.blank_disk(blanks, size, serial)
        backing = (*frozen, blank)
        if saved is not None and saved.disk(serial).exists():
            backing = (saved.disk(serial), *backing)
        for written in backing[:-1]:
            disks.size_of(written)
        target = folder / f"{serial}.qcow2"
        # a disk that is frozen again, perhaps in a folder that is then renamed, names none below it
        named = not alone and not frozen
        top = disks.overlay(target, backing[0]) if named else disks.scratch(target, blanks, size)
        found.append(Disk(serial=serial, path=top, format="qcow2", readonly=False, backing=backing))
    if machine.answers_bytes:
        empty = disks.empty_disk(folder / ANSWERS, machine.answers_bytes + ROOM_FOR_NAMES)
        found.append(Disk(serial="answers", path=empty, format="raw", readonly=False))
    return found


def most_file_bytes(machine: Machine) -> int:
    """The size that no file of a guest exceeds; a QEMU that was taken over must not fill the disk of the host."""
    sizes = machine.sizes
    content = max(sizes.root_bytes, sizes.home_bytes, sizes.tmp_bytes)
    return max(content + content // _TABLES + _ROOM_BYTES, machine.answers_bytes + ROOM_FOR_NAMES)
