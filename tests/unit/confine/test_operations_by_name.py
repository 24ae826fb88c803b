"""Where files are used by their names beside somebody who may be changing what names lead to: each place has a reason.

Between a look at a name and its use, whoever may write to the folder puts a link there.  `evaluate.confine.ownership`
and `delivery` work by descriptors; what is left is listed here with the reason why nobody else can change these names.
A module that begins to use another operation fails until somebody has thought about it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.support.walled_in import ROOT

_ROOMS = ("confine", "counters", "sandbox", "untrusted")
"""Rooms that work in folders, or with files, that a QEMU or a reader which was taken over may write to."""
_OPERATIONS = frozenset(
    {"chmod", "chown", "lchmod", "lchown", "fchmod", "fchown", "utime", "truncate"}
    | {"copy", "copy2", "copyfile", "copytree", "move", "rename", "rmdir", "rmtree", "unlink"}
    | {"link", "hardlink_to", "symlink", "symlink_to", "mkdir", "makedirs", "mkfifo", "touch"}
    | {"open", "read_bytes", "read_text", "write_bytes", "write_text", "exists", "is_dir", "is_file"}
)
_SAFE_FLAGS = {"O_NOFOLLOW", "O_EXCL"}
_KERNEL = "names in /proc, /sys and /dev, which are the kernel's"
_OURS = "a folder in which only this user makes names; a guest's QEMU owns files in it, and no folder"
_INSIDE = "runs behind walls itself, where nobody else is"
_BY_DESCRIPTOR = "the operations themselves, by descriptor; names only of what this process has just made"
_TOP = "the top folder, whose name only this user can change; everything below it by descriptor"
_READ_ONLY = "looks at files of this program and of organisers, to which no guest and no reader may write"
_UPLOAD = "the uploaded file and a folder beside it, which only this user can write to, before or after a reader runs"

ALLOWED: dict[str, tuple[str, str]] = {
    "confine/acl.py": ("chmod chown", "of `held` names"),
    "confine/c_programs.py": ("exists mkdir read_bytes", _OURS),
    "confine/control_groups.py": ("exists mkdir open read_text rmdir", _KERNEL),
    "confine/delivery.py": ("mkdir open unlink", _TOP),
    "confine/fixed_place.py": ("open truncate", _KERNEL),
    "confine/isolated.py": ("exists is_file open", _READ_ONLY),
    "confine/lockdown.py": ("open", _INSIDE),
    "confine/mounted_files.py": ("open write_text", _KERNEL),
    "confine/ownership.py": ("chmod chown is_dir open rename rmdir unlink", _BY_DESCRIPTOR),
    "confine/root_helper.py": ("chown mkdir unlink", "a socket in /run and a folder in /var/lib, which are root's"),
    "confine/scratch.py": ("mkdir", "a folder that was just made, and closed to others"),
    "confine/trees.py": ("open", _TOP),
    "confine/users.py": ("read_text", "names in /proc and /etc"),
    "confine/walls.py": (
        "chmod copyfile copytree exists fchown is_dir is_file mkdir read_text touch",
        "a folder that was just made, and closed to others, before a reader starts; descriptors of files",
    ),
    "counters/tcg.py": ("open truncate write_bytes", _OURS),
    "counters/vcpu.py": ("exists read_text", _KERNEL),
    "sandbox/assertions.py": ("is_dir read_bytes read_text", _KERNEL),
    "sandbox/attached_disks.py": ("exists", _OURS),
    "sandbox/connection.py": ("open", "of libvirt, no file"),
    "sandbox/disks.py": ("copyfile exists mkdir open truncate unlink utime write_bytes", _OURS),
    "sandbox/entropy.py": ("open", _OURS),
    "sandbox/fake.py": ("touch", "for tests of stages, without a guest"),
    "sandbox/folders.py": ("is_dir mkdir open", _OURS),
    "sandbox/host_load.py": ("mkdir open read_text", "/proc, and " + _OURS),
    "sandbox/machine_parts.py": ("exists read_text", _KERNEL),
    "sandbox/memory_medium.py": ("open", _OURS),
    "sandbox/migration_stream.py": ("open", _OURS),
    "sandbox/open_files.py": ("open read_text", _KERNEL),
    "sandbox/persistent_guest.py": ("copytree is_dir is_file read_bytes", _OURS),
    "sandbox/plain.py": (
        "copyfile copytree is_dir mkdir move open touch unlink write_bytes",
        "`try --plain`, on one's own machine: folders of an entry after its last process has ended",
    ),
    "sandbox/qemu_users.py": ("exists", _OURS),
    "sandbox/running.py": ("mkdir open rename", _OURS),
    "sandbox/snapshots.py": ("exists is_dir mkdir open unlink utime", _OURS),
    "sandbox/starting.py": ("exists open truncate", _OURS),
    "untrusted/answers_disk.py": ("chmod open", "of a `held` name, and " + _INSIDE),
    "untrusted/archives.py": ("is_dir is_file open", _UPLOAD),
    "untrusted/json_values.py": ("read_bytes", _INSIDE),
    "untrusted/listing.py": ("is_dir open", _INSIDE),
    "untrusted/merge.py": ("open", _INSIDE),
    "untrusted/oci.py": ("open", _INSIDE),
    "untrusted/pip.py": ("open", _INSIDE),
    "untrusted/repository.py": ("open replace touch write_text", _UPLOAD),
    "untrusted/tar.py": ("open", _INSIDE),
    "untrusted/wheel_files.py": ("chmod is_dir mkdir open write_text", _INSIDE),
}
"""Module -> the operations by name in it, and why nobody else can change what these names lead to."""


def _operations(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        called, flags = node.func, {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
        name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
        of_path = name == "replace" and isinstance(called, ast.Attribute) and len(node.args) == 1 and not node.keywords
        if of_path or (name in _OPERATIONS and not flags & _SAFE_FLAGS):
            yield name


@pytest.mark.parametrize("room", _ROOMS)
def test_operation_by_name_beside_strangers_has_a_reason(room: str) -> None:
    top = ROOT / "evaluate"
    found = {
        str(path.relative_to(top)): " ".join(sorted(set(_operations(path.read_text()))))
        for path in sorted((top / room).rglob("*.py"))
    }
    listed = {name: operations for name, (operations, _) in ALLOWED.items() if name.startswith(f"{room}/")}
    assert {name: operations for name, operations in found.items() if operations} == listed


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("os.rename(a, b)", ["rename"]),
        ("path.unlink(missing_ok=True)", ["unlink"]),
        ("path.replace(other); text.replace('a', 'b'); replace(limits, bytes=1)", ["replace"]),
        ("open(path)", ["open"]),
        ("os.open(path, os.O_RDONLY | os.O_CLOEXEC)", ["open"]),
        ("os.open(path, os.O_RDONLY | os.O_NOFOLLOW)", []),
        ("os.open(path, os.O_CREAT | os.O_EXCL)", []),
        ("if path.exists(): shutil.rmtree(path)", ["exists", "rmtree"]),
        ("os.chown(path, 0, 0); path.chmod(0o600)", ["chown", "chmod"]),
    ],
)
def test_operation_is_seen(line: str, seen: list[str]) -> None:
    assert sorted(_operations(line)) == sorted(seen)
