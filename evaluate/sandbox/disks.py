"""The disks of a guest on the host: blank templates, copy-on-write overlays, read-only media.

Only files that this module wrote itself are ever opened with an image format; an upload of a team is
shown to the guest as raw bytes, because the header of an image file can refer to other files of the host.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import struct
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from evaluate.confine.children import tool
from evaluate.confine.ownership import remove_tree, set_mode
from evaluate.core.errors import SandboxFault
from evaluate.core.files import exclusive, publish
from evaluate.sandbox.base import LAYER_SLOTS, Machine
from evaluate.sandbox.domain import Disk
from evaluate.sandbox.snapshots import Snapshot
from evaluate.untrusted.answers_disk import ROOM_FOR_NAMES

ANSWERS, ENTRY = "answers.raw", "entry.raw"
_TABLES, _ROOM_BYTES = 64, 64 << 20
"""Bounds for a qcow2 file: its tables take less than this part of its content, and less than this beside it."""
SECTOR = 512
SLOT_BYTES = 64 << 30
"""Size of each medium that a saved guest reads, as it appears there; files are sparse, and the rest reads as zeros."""
_EPOCH = 1_483_228_800
"""2017-01-01, the time stamp of every file on a medium, so that the same files give the same bytes."""

_HEADER, _MAGIC, _VERSION = struct.Struct(">4sI16xQ40xQ"), b"QFI\xfb", 3
_DATA_ELSEWHERE = 1 << 2
"""A feature of qcow2: what is read is in another file, whose name is in this one."""


def run_tool(argv: Sequence[str | Path], env: Mapping[str, str] | None = None) -> None:
    """Run a host tool that makes a disk; a SandboxFault says what failed."""
    tool(argv, doing="making a disk", fault=SandboxFault, env={**os.environ, **(env or {})})


_FEATURES = "^has_journal,^metadata_csum,^resize_inode"
"""A disk is used only if its guest has unmounted it, so it needs no journal; and checksums of metadata, which emulation
computes slowly, took a tenth of the time of a short command."""
_SAME = "00000000-0000-4000-8000-000000000001"
"""Names of the file system and of the order of its folders: programs list a folder in the same order everywhere."""


def blank_disk(folder: Path, size_bytes: int, label: str) -> Path:
    """A qcow2 file with an empty ext4 file system, made once per size and label and never written again.

    The same size and label give the same file system on every host, to the last byte.
    """
    # many inodes: entries unpack tens of thousands of small files
    options = ["-t", "ext4", "-O", _FEATURES, "-i", "8192", "-m", "0", "-L", label, "-U", _SAME]
    options += ["-E", f"lazy_itable_init=1,nodiscard,root_owner=0:0,hash_seed={_SAME}"]
    form = hashlib.sha256(" ".join(options).encode()).hexdigest()[:8]

    def make(part: Path) -> None:
        raw = empty_disk(part.with_suffix(".raw"), size_bytes)
        run_tool(["mke2fs", "-q", "-F", *options, raw], {"E2FSPROGS_FAKE_TIME": str(_EPOCH)})
        run_tool(["qemu-img", "convert", "-f", "raw", "-O", "qcow2", raw, part])
        raw.unlink()

    return _template(folder / f"blank-{label}-{size_bytes >> 20}M-{form}.qcow2", make)


def _template(target: Path, make: Callable[[Path], object]) -> Path:
    """A file that is made once, by the first process that needs it, and never written again."""
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        with exclusive(target.parent / "lock"):
            if not target.exists():
                part = target.with_suffix(".part")
                make(part)
                publish(part, target, 0o444)
    return target


def overlay(target: Path, backing: Path) -> Path:
    """A copy-on-write disk above ``backing``, which no program opens for that: an earlier guest may have written it.

    Its header could name any file or socket of the host, and qemu-img runs without walls.
    """
    size = str(size_of(backing))
    run_tool(["qemu-img", "create", "-q", "-u", "-f", "qcow2", "-F", "qcow2", "-b", backing, target, size])
    return target


def size_of(disk: Path) -> int:
    """Bytes of a disk as its guest sees it; what is below it, each QEMU gets as an option.

    Raises SandboxFault if it is no qcow2 disk as it was made here, or its data are in a file that it names.
    """
    with disk.open("rb") as file:
        header = file.read(_HEADER.size)
    fields = _HEADER.unpack(header) if len(header) == _HEADER.size else (b"", 0, 0, 0)
    magic, version, size, features = fields
    if magic != _MAGIC or version != _VERSION or features & _DATA_ELSEWHERE:
        raise SandboxFault(f"{disk}: expected a disk as it was made; a guest may have taken over its QEMU")
    return int(size)


def scratch(target: Path, blanks: Path, size_bytes: int) -> Path:
    """A copy-on-write disk that names no other; QEMU gets the one below it as an option.  A copy, so quickly made."""
    create = ("qemu-img", "create", "-q", "-f", "qcow2")
    template = blanks / f"scratch-{size_bytes >> 20}M.qcow2"
    shutil.copyfile(_template(template, lambda part: run_tool([*create, part, str(size_bytes)])), target)
    return target


def raw_disk(target: Path, source: Path) -> Path:
    """A copy of a file, padded with a hole to the size of a slot, to be shown as a raw read-only disk."""
    shutil.copyfile(source, target)
    os.truncate(target, SLOT_BYTES)
    set_mode(target, 0o444)
    return target


def empty_slot(folder: Path) -> Path:
    """A raw read-only disk without contents, for a slot that is not used."""
    return _template(folder / "slot.raw", lambda part: empty_disk(part, SLOT_BYTES))


def empty_disk(target: Path, size_bytes: int) -> Path:
    """A raw disk of zeros that takes no space until it is written."""
    with target.open("wb") as f:
        f.truncate(-(-size_bytes // SECTOR) * SECTOR)
    return target


def medium(target: Path, files: Mapping[str, Path | bytes]) -> Path:
    """An ISO 9660 medium with ``files`` (name on the medium -> file of the host, or its contents).

    The same names and contents give the same bytes.
    """
    target.unlink(missing_ok=True)
    staging = target.with_suffix(".files")
    try:
        folder_medium(staging, files)
        for path in (staging, *staging.rglob("*")):
            os.utime(path, (_EPOCH, _EPOCH))
        run_tool(
            ["xorriso", "-as", "mkisofs", "-quiet", "-r", "-iso-level", "3", "-V", "RECORDS", "-o", target, staging],
            env={"SOURCE_DATE_EPOCH": str(_EPOCH)},
        )
    finally:
        remove_tree(staging)
    set_mode(target, 0o444)
    return target


def folder_medium(target: Path, files: Mapping[str, Path | bytes]) -> Path:
    """A folder with the files of a medium, in the place of one that is there."""
    remove_tree(target)
    target.mkdir(parents=True)
    for name, source in files.items():
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(source, bytes):
            copy.write_bytes(source)
        else:  # a copy, not a link: the organiser's modes and owners are meaningless in the guest
            shutil.copyfile(source, copy)
    return target


def attached(
    machine: Machine,
    folder: Path,
    blanks: Path,
    *,
    saved: Snapshot | None = None,
    alone: bool = False,
) -> list[Disk]:
    """The disks of a guest, whose own are made in its folder.

    * ``blanks``: where templates are kept.
    * ``saved``: what a saved guest had written to its disks is below those of this one.
    * ``alone``: for a guest of `rooms`, or one to be saved: what is below its disks is not named in them.

    A guest that is saved or restored has a disk in every slot, also those that this machine has no use for.
    """
    sizes = machine.sizes
    media: dict[str, Path | None] = {"base": machine.image.root}
    media |= {f"layer{i}": layer for i, layer in enumerate(machine.layers)}
    media["entry"] = machine.entry and raw_disk(folder / ENTRY, machine.entry)
    media["records"] = machine.records
    if alone or saved is not None:
        empty = empty_slot(blanks)
        slots = {*(f"layer{i}" for i in range(LAYER_SLOTS)), *media}
        media = {serial: media.get(serial) or empty for serial in sorted(slots)}
    disks = [Disk(serial=serial, path=path, format="raw", readonly=True) for serial, path in media.items() if path]
    chain = machine.prepared.chain if machine.prepared is not None else ()
    for serial, size, frozen in (
        ("root", sizes.root_bytes, [prepared.root for prepared in chain]),
        ("home", sizes.home_bytes, [prepared.home for prepared in chain]),
        ("tmp", sizes.tmp_bytes, []),
    ):
        blank = blank_disk(blanks, size, serial)
        backing = (*frozen, blank)
        if saved is not None and saved.disk(serial).exists():
            backing = (saved.disk(serial), *backing)
        for written in backing[:-1]:
            size_of(written)
        target = folder / f"{serial}.qcow2"
        # a disk that is frozen again, perhaps in a folder that is then renamed, names none below it
        named = not alone and not frozen
        top = overlay(target, backing[0]) if named else scratch(target, blanks, size)
        disks.append(Disk(serial=serial, path=top, format="qcow2", readonly=False, backing=backing))
    if machine.answers_bytes:
        empty = empty_disk(folder / ANSWERS, machine.answers_bytes + ROOM_FOR_NAMES)
        disks.append(Disk(serial="answers", path=empty, format="raw", readonly=False))
    return disks


def most_file_bytes(machine: Machine) -> int:
    """The size that no file of a guest exceeds; a QEMU that was taken over must not fill the disk of the host."""
    sizes = machine.sizes
    content = max(sizes.root_bytes, sizes.home_bytes, sizes.tmp_bytes)
    return max(content + content // _TABLES + _ROOM_BYTES, machine.answers_bytes + ROOM_FOR_NAMES)
