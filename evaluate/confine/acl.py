"""Folders that are closed to everybody but their owner and one more user, who may pass through to names it knows.

A state directory holds hidden answers and scores.  QEMU of the system's libvirt runs as a user of its own and must
reach disks in it; no other local user needs to.  An access control list (POSIX.1e) names that one user; where the file
system has none, the folder's group is that user's.  Where every guest has a user of its own, the list names QEMU's
group too, and the folder of each guest lets only its own user pass.
"""

from __future__ import annotations

import errno
import grp
import os
import pwd
import stat
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path

from evaluate.confine.ownership import held

_ACL = "system.posix_acl_access"
_VERSION = 2
_OWNER, _USER, _GROUP, _NAMED_GROUP, _MASK, _OTHERS = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
_NOBODY = 0xFFFFFFFF
_PASS, _WRITE, _READ, _ALL = 1, 2, 4, 7
_ENTRY = struct.Struct("<HHI")
_QEMU_USERS = ("libvirt-qemu", "qemu")
"""Names that distributions give QEMU's user."""


def qemu_user() -> tuple[int, int] | None:
    """User and group that the system's libvirt usually runs QEMU as; None if this machine has no such user."""
    for name in _QEMU_USERS:
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        return user.pw_uid, user.pw_gid
    return None


def members(group: int) -> set[int]:
    """The numbers of the users in a group."""
    try:
        names = grp.getgrgid(group).gr_mem
    except KeyError:
        names = []
    return {user.pw_uid for user in pwd.getpwall() if user.pw_gid == group or user.pw_name in names}


def close(folder: Path, user: tuple[int, int] | None, group: int | None = None) -> None:
    """Let only the owner into a folder of this user, and ``user`` (its number and group) and ``group`` through it.

    Others who could pass before cannot any more; a folder of somebody else is left as it is. Raises OSError if the file
    system allows neither an access control list nor another group.
    """
    with held(folder.resolve()) as name:
        status = name.stat()
        if status.st_uid != os.geteuid():
            return
        mode = stat.S_IMODE(status.st_mode) & stat.S_IRWXU
        if user is None or user[0] == status.st_uid:
            _drop(name)
            name.chmod(mode)
            return
        entries = [(_OWNER, mode >> 6, _NOBODY), (_USER, _PASS, user[0]), (_GROUP, 0, _NOBODY)]
        entries += [(_NAMED_GROUP, _PASS, group)] if group is not None else []
        entries += [(_MASK, _PASS, _NOBODY), (_OTHERS, 0, _NOBODY)]
        data = struct.pack("<I", _VERSION) + b"".join(_ENTRY.pack(*entry) for entry in entries)
        try:
            if _read(name) != data:
                os.setxattr(name, _ACL, data)
        except OSError as e:
            if e.errno not in (errno.ENOTSUP, errno.EOPNOTSUPP):
                raise
            os.chown(name, -1, user[1])
            name.chmod(mode | stat.S_IXGRP)


def lend(path: Path, user: int) -> None:
    """Let one more user read and write a file or socket of this user, by an access control list.

    Raises OSError if the file system has no access control lists.
    """
    with held(path) as name:
        mode = stat.S_IMODE(name.stat().st_mode)
        entries = [(_OWNER, mode >> 6 & 7, _NOBODY), (_USER, _READ | _WRITE, user), (_GROUP, mode >> 3 & 7, _NOBODY)]
        entries += [(_MASK, _READ | _WRITE, _NOBODY), (_OTHERS, mode & 7, _NOBODY)]
        os.setxattr(name, _ACL, struct.pack("<I", _VERSION) + b"".join(_ENTRY.pack(*entry) for entry in entries))


def take_back(path: Path) -> None:
    """Undo `lend`."""
    with held(path) as name:
        _drop(name)


def may_pass(folder: Path, user: tuple[int, int]) -> bool:
    """True if a user (its number and group) can pass through a folder, other groups of it aside."""
    status = folder.stat()
    if status.st_uid == user[0]:
        return bool(status.st_mode & stat.S_IXUSR)
    listed = _entries(folder)
    mask = next((mode for tag, mode, _ in listed if tag == _MASK), _ALL)
    granted = next((mode for tag, mode, who in listed if tag == _USER and who == user[0]), None)
    if granted is not None:
        return bool(granted & mask & _PASS)
    groups = [mode for tag, mode, who in listed if tag == _NAMED_GROUP and who == user[1]]
    if status.st_gid == user[1]:
        groups.append(next((mode for tag, mode, _ in listed if tag == _GROUP), (status.st_mode >> 3) & _ALL))
    if groups:
        return any(mode & mask & _PASS for mode in groups)
    return bool(status.st_mode & stat.S_IXOTH)


def opens(path: Path, user: int, group: int, groups: Sequence[int] = ()) -> bool:
    """True if a process of this user really opens a file for reading and writing; only root can try."""
    argv = ["/bin/sh", "-c", ': <>"$1"', "sh", str(path)]
    done = subprocess.run(
        argv, user=user, group=group, extra_groups=list(groups), cwd="/", capture_output=True, check=False
    )
    return done.returncode == 0


def _read(folder: Path) -> bytes:
    try:
        return os.getxattr(folder, _ACL)
    except OSError as e:
        if e.errno in (errno.ENODATA, errno.ENOTSUP, errno.EOPNOTSUPP):
            return b""
        raise


def _entries(folder: Path) -> list[tuple[int, int, int]]:
    """Tag, mode and user or group of each entry of a list."""
    return list(_ENTRY.iter_unpack(_read(folder)[4:]))


def _drop(folder: Path) -> None:
    if _read(folder):
        os.removexattr(folder, _ACL)
