"""Where files are used by their names beside somebody who may be changing what names lead to: each place has a reason.

Between a look at a name and its use, whoever may write to the folder puts a link there.  `evaluate.confine.ownership`
and `delivery` work by descriptors; what is left is listed here with the reason why nobody else can change these names.
A module, or a room with one reason, that begins to use another operation fails until somebody has thought about it.
"""

import ast
from collections.abc import Iterator

import pytest

from tests.conftest import CHECKOUT

_ROOMS = ("confine", "counters", "sandbox", "untrusted", "store", "run", "operate", "views", "serve", "stages", "home")
"""Rooms that work in folders, or with files, that a QEMU or a reader which was taken over may write to, or near."""
_OPERATIONS = frozenset(
    {"chmod", "chown", "lchmod", "lchown", "fchmod", "fchown", "utime", "truncate"}
    | {"copy", "copy2", "copyfile", "copytree", "move", "rename", "rmdir", "rmtree", "unlink"}
    | {"link", "hardlink_to", "symlink", "symlink_to", "mkdir", "makedirs", "mkfifo", "touch"}
    | {"open", "read_bytes", "read_text", "write_bytes", "write_text", "exists", "is_dir", "is_file"}
)
_KERNEL = "names in /proc, /sys and /dev, which are the kernel's"
_OURS = "a folder in which only this user makes names; a guest's QEMU owns files in it, and no folder"
_INSIDE = "runs behind walls itself, where nobody else is"
_BY_DESCRIPTOR = "the operations themselves, by descriptor; names only of what this process has just made"
_TOP = "the top folder, whose name only this user can change; everything below it by descriptor"
_READ_ONLY = "looks at files of this program and of organisers, to which no guest and no reader may write"
_UPLOAD = "the uploaded file and a folder beside it, which only this user can write to, before or after a reader runs"
_STATE = "the state directory: only its owner makes names there, and QEMU's users pass through to their files"
_HOST_MADE = "files that the host wrote itself, from a delivery or a reply, in folders of its own"
_CHALLENGE = "the folder of a challenge, which is its organiser's, and ours to read"
_IN_GUEST = "runs in a guest, as the organiser's scorer or the entry itself"
_AT_HOME = "one's own machine and files, with nobody else on them"

ALLOWED: dict[str, tuple[str, str]] = {
    "confine/children.py": ("exists mkdir read_bytes", _OURS),
    "confine/control_groups.py": ("exists mkdir open read_text rmdir", _KERNEL),
    "confine/delivery.py": ("mkdir open unlink", _TOP),
    "confine/isolated.py": ("exists is_file open read_text", _READ_ONLY),
    "confine/lockdown.py": ("open", _INSIDE),
    "confine/ownership.py": ("chmod chown is_dir open read_text rename rmdir unlink", _BY_DESCRIPTOR),
    "confine/root_helper.py": (
        "chown mkdir open truncate unlink",
        "a socket in /run and a folder in /var/lib, which are root's",
    ),
    "confine/scratch.py": ("mkdir", "a folder that was just made, and closed to others"),
    "confine/trees.py": ("open", _TOP),
    "confine/walls.py": (
        "chmod copyfile copytree exists fchown is_dir is_file mkdir open read_text touch write_text",
        "a folder that was just made, and closed to others, before a reader starts; descriptors of files",
    ),
    "counters/base.py": ("exists read_bytes read_text", _KERNEL),
    "counters/tcg.py": ("open truncate write_bytes", _OURS),
    "sandbox/assertions.py": ("is_dir read_bytes read_text", _KERNEL),
    "sandbox/connection.py": ("open", "of libvirt, no file"),
    "sandbox/disks.py": ("copyfile exists mkdir open truncate unlink utime write_bytes", _OURS),
    "sandbox/domain.py": ("exists read_text", _KERNEL),
    "sandbox/run_folders.py": ("is_dir mkdir open", _OURS),
    "sandbox/memory_medium.py": ("open", _OURS),
    "sandbox/open_files.py": ("open read_text", _KERNEL),
    "sandbox/plain.py": (
        "copyfile is_dir mkdir move open rename touch unlink",
        "`try --plain`, on one's own machine: folders of an entry after its last process has ended",
    ),
    "sandbox/qemu_walls.py": ("exists", _OURS),
    "sandbox/running.py": ("mkdir open rename", _OURS),
    "sandbox/snapshots.py": ("exists is_dir mkdir open unlink utime", _OURS),
    "sandbox/starting.py": ("exists mkdir open read_text truncate", "/proc, and " + _OURS),
    "untrusted/answers_disk.py": ("chmod open read_bytes", "of a `held` name, and " + _INSIDE),
    "untrusted/archives.py": ("hardlink_to is_dir is_file mkdir open", _UPLOAD),
    "untrusted/listing.py": ("open", _INSIDE),
    "untrusted/merge.py": ("open", _INSIDE),
    "untrusted/oci.py": ("open", _INSIDE),
    "untrusted/repository.py": ("mkdir open replace touch unlink write_text", f"{_UPLOAD}; otherwise {_INSIDE}"),
    "untrusted/tar.py": ("open", _INSIDE),
    "untrusted/wheel_files.py": ("chmod is_dir mkdir open write_text", _INSIDE),
    "home/_profile_guest.py": ("mkdir open", _IN_GUEST),
    "untrusted/packing.py": ("open", _AT_HOME),
    "untrusted/selection.py": ("exists is_dir is_file read_bytes", _AT_HOME),
    "stages/scorers/physionet_driver.py": ("read_text write_text", _IN_GUEST),
    "operate/": (
        "chmod copy copyfile exists is_dir is_file mkdir open read_bytes read_text rename replace rmdir unlink "
        "write_text",
        _STATE,
    ),
    "store/": (
        "chmod copyfile exists hardlink_to is_dir is_file link makedirs mkdir move open read_text rename symlink_to "
        "unlink write_text",
        _STATE,
    ),
    "run/": ("is_file open truncate unlink", _STATE),
    "views/": ("exists read_bytes", _STATE),
    "serve/": (
        "exists is_dir is_file link mkdir open read_bytes read_text touch truncate unlink utime write_bytes",
        _STATE,
    ),
    "stages/": (
        "copyfile exists is_dir is_file mkdir move open read_bytes read_text rename unlink write_bytes write_text",
        _HOST_MADE,
    ),
    "home/": ("copy2 copytree exists is_dir is_file mkdir read_text rename touch unlink write_text", _AT_HOME),
}
"""Module -> the operations by name in it, and why nobody else can change what these names lead to.

``room/``: all modules of a room that are not named, where the reason is the same for whatever they do.
"""


def _calls(source: str) -> Iterator[tuple[str, ast.Call]]:
    """The calls of functions and methods, with their names."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
            yield node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id, node


def _operations(source: str) -> Iterator[str]:
    for name, call in _calls(source):
        of_path = name == "replace" and isinstance(call.func, ast.Attribute)
        if name in _OPERATIONS or (of_path and len(call.args) == 1 and not call.keywords):
            yield name


@pytest.mark.parametrize("room", _ROOMS)
def test_operation_by_name_beside_strangers_has_a_reason(room: str) -> None:
    top = CHECKOUT / "evaluate"
    used: dict[str, set[str]] = {}
    for path in sorted((top / room).rglob("*.py")):
        name = str(path.relative_to(top))
        listed = name if name in ALLOWED or f"{room}/" not in ALLOWED else f"{room}/"
        used.setdefault(listed, set()).update(_operations(path.read_text()))
    found = {name: " ".join(sorted(operations)) for name, operations in used.items() if operations}
    assert found == {name: operations for name, (operations, _) in ALLOWED.items() if name.startswith(f"{room}/")}


_RECURSIVE = frozenset({"walk", "fwalk", "rglob", "copytree", "rmtree", "TemporaryDirectory"})
"""What calls itself for each folder, and so ends in a crash where thousands are in each other (Python 3.11).

`evaluate.confine.trees` walks and copies, `ownership` removes and has `temporary_folder`.
"""
_OURS_ALONE = "what this program, Debian's packages or whoever types the command made; no entry wrote it"
_BOUNDED = "files that the host wrote itself from a delivery, at most `delivery.MOST_DEPTH` folders in each other"
_FLAT = "files that the host put there without a folder"
_CHECKED = "a folder that `within` has walked through before"

RECURSIVE: dict[str, str] = {
    "attack/hosted.py": _OURS_ALONE,
    "authoring/check.py": _CHALLENGE,
    "authoring/contract_samples.py": _OURS_ALONE,
    "attack/guests.py": _FLAT,
    "authoring/imports/base.py": _CHECKED,
    "authoring/skeleton.py": _OURS_ALONE,
    "commands/challenge.py": _OURS_ALONE,
    "commands/state.py": _FLAT,
    "commands/queue.py": _FLAT,
    "commands/receipts.py": _OURS_ALONE,
    "confine/children.py": _OURS_ALONE,
    "confine/control_groups.py": _KERNEL,
    "confine/isolated.py": _CHALLENGE,
    "confine/scratch.py": _OURS_ALONE,
    "confine/walls.py": _CHALLENGE,
    "core/files.py": _BOUNDED,
    "home/measure.py": _CHALLENGE,
    "home/plain_job.py": _OURS_ALONE,
    "home/public_folder.py": _CHALLENGE,
    "home/trial.py": _BOUNDED,
    "images/delta.py": _OURS_ALONE,
    "images/initrd.py": _OURS_ALONE,
    "images/squashfs.py": _INSIDE,
    "operate/audit/dump.py": _OURS_ALONE,
    "operate/backup_folder.py": _BOUNDED,
    "operate/restoration.py": _BOUNDED,
    "operate/prune.py": _BOUNDED,
    "receipts/exam_data.py": _OURS_ALONE,
    "sandbox/assertions.py": "the guest's folder, in which QEMU owns files and no folder",
    "sandbox/disks.py": _FLAT,
    "stages/exam.py": _BOUNDED,
    "store/files/depot.py": _BOUNDED,
    "stages/score.py": _CHALLENGE,
    "stages/contracts/physionet_years.py": _BOUNDED,
    "stages/train.py": _AT_HOME,
    "serve/downloads.py": _CHALLENGE,
    "serve/receipts.py": _FLAT,
}
"""Module -> why nobody else decides how deep the folders are that it walks through, copies or removes."""


def _recursions(source: str) -> Iterator[str]:
    for name, call in _calls(source):
        of_os = isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "os"
        if name in _RECURSIVE and (of_os or not name.endswith("walk")):
            yield name


def test_recursion_over_folders_has_a_reason_why_they_are_not_deep() -> None:
    top = CHECKOUT / "evaluate"
    found = [str(path.relative_to(top)) for path in sorted(top.rglob("*.py")) if any(_recursions(path.read_text()))]
    assert found == sorted(RECURSIVE)
