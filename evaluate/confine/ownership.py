"""Owner, mode, access and removal of files, by descriptor, where somebody else may be changing what names lead to.

A process that runs as root and changes "the file of this name" in a folder of another user changes whatever that user
puts there a moment before: a link to any file of the host.  Here a name is opened once, without following a link, and
everything is then done to what was opened.  Nothing in the rooms that work beside a guest changes owners, modes or
trees in another way (`tests/unit/test_tree.py`).
"""

from __future__ import annotations

import errno
import grp
import os
import pwd
import secrets
import stat
import struct
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from evaluate.core.waiting import Deadline

_PATH = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC


class NotOurs(OSError):
    """A name leads to something else than the file, folder or socket that this process has put there."""


@contextmanager
def held(path: Path | str, at: int | None = None) -> Iterator[Path]:
    """The file, folder or socket of a name, itself and no link: another name of it, that nobody can change.

    Raises NotOurs if it is a link, or a file with further names, which may be a file of anybody. Raises OSError if
    there is none.

    ``at``: the descriptor of the folder that it is in.
    """
    number = os.open(path, _PATH, dir_fd=at)
    try:
        status = os.fstat(number)
        if stat.S_ISLNK(status.st_mode) or (stat.S_ISREG(status.st_mode) and status.st_nlink != 1):
            raise NotOurs(errno.ELOOP, f"expected a file of its own, found a link to another: {path}")
        yield Path(f"/proc/self/fd/{number}")
    finally:
        os.close(number)


def give(path: Path, user: int, group: int, at: int | None = None) -> None:
    """Let a file, folder or socket belong to a user and a group; -1 leaves what is.

    Raises OSError as `held` does, or if this process may not.
    """
    with held(path, at) as name:
        os.chown(name, user, group)


def take(path: Path) -> None:
    """Let a file, folder or socket belong to this process; errors as of `give`."""
    give(path, os.geteuid(), os.getegid())


def set_mode(path: Path, mode: int) -> None:
    """Set the permissions of a file, folder or socket; errors as of `give`."""
    with held(path) as name:
        name.chmod(mode)


_CHANGED = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR)
"""Errors where a process changes a folder while it is removed: the next turn sees it as it is then."""
_WRITTEN_SECONDS = 60.0
"""For so long a process of this user, which nothing closes a folder to, may still write there: it is being killed."""


def remove_tree(path: Path) -> None:
    """Remove a folder with all that is in it, however deep, whatever its modes, and whatever happens in it meanwhile.

    Each folder in it is closed to everybody else and moved up to the top before it is emptied, so that two descriptors
    and no recursion are enough for any depth.  A folder that does not exist is well.  Raises OSError if it is no
    folder, or has something that this process may not remove, such as a place where something is mounted.
    """
    try:
        top = _locked(path)
    except FileNotFoundError:
        return
    deadline = Deadline(_WRITTEN_SECONDS)
    try:
        while entries := _entries(top):
            for name, is_folder in entries:
                try:
                    _empty(top, name) if is_folder else os.unlink(name, dir_fd=top)
                except OSError as e:
                    if e.errno not in _CHANGED and (e.errno != errno.ENOTEMPTY or deadline.passed):
                        raise
    finally:
        os.close(top)
    path.rmdir()


@contextmanager
def temporary_folder(prefix: str, inside: Path | None = None) -> Iterator[Path]:
    """A new folder, closed to others, that goes with whatever strangers have put into it (`remove_tree`)."""
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=inside))
    try:
        yield folder
    finally:
        discard_tree(folder)


def discard_tree(path: Path) -> None:
    """Remove a folder as `remove_tree`; leave to the next sweep the files that cannot be removed now."""
    with suppress(OSError):
        remove_tree(path)


def _empty(top: int, name: str) -> None:
    """Remove a folder in the top one: files in it are removed, folders moved up."""
    inner = _locked(name, top)
    try:
        for below, is_folder in _entries(inner):
            if is_folder:
                os.close(_locked(below, inner))
                os.rename(below, secrets.token_hex(16), src_dir_fd=inner, dst_dir_fd=top)
            else:
                os.unlink(below, dir_fd=inner)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=top)


def _locked(path: Path | str, at: int | None = None) -> int:
    """A descriptor of a folder that from now on only this user can use."""
    number = os.open(path, _PATH, dir_fd=at)
    try:
        if not stat.S_ISDIR(os.fstat(number).st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))
        name = Path(f"/proc/self/fd/{number}")
        if os.geteuid() == 0:
            os.chown(name, 0, 0)
        name.chmod(stat.S_IRWXU)
        return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    finally:
        os.close(number)


def _entries(folder: int) -> list[tuple[str, bool]]:
    """The names in a folder, and which of them are folders."""
    with os.scandir(folder) as listing:
        return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in listing]


# Folders that are closed to everybody but their owner and one more user, who may pass through to names it knows.
#
# A state directory holds hidden answers and scores.  QEMU of the system's libvirt runs as a user of its own and must
# reach disks in it; no other local user needs to.  An access control list (POSIX.1e) names that one user; where the
# file system has none, the folder's group is that user's.  Where every guest has a user of its own, the list names
# QEMU's group too, and the folder of each guest lets only its own user pass.


_ACL = "system.posix_acl_access"
_VERSION = 2
_OWNER, _USER, _GROUP, _NAMED_GROUP, _MASK, _OTHERS = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20
_NOBODY = 0xFFFFFFFF
_PASS, _WRITE, _READ, _ALL = 1, 2, 4, 7
_ENTRY = struct.Struct("<HHI")
"""Tag, mode, and user or group."""
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
    listed = list(_ENTRY.iter_unpack(_read(folder)[4:]))
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


def _drop(folder: Path) -> None:
    if _read(folder):
        os.removexattr(folder, _ACL)


# Numbers of users and groups that are free on this machine.
#
# A process that runs under one of them owns nothing, and no other process of that user exists that could trace it,
# send it signals, or read its files.


_FIRST, _COUNT = 0x70000000, 1 << 27
"""Numbers that neither distributions, nor systemd, nor containers give to anyone (systemd: "Users, Groups, UIDs")."""
_FREE, _SUBORDINATES = 2_000_000, 1 << 16
"""Number at which `install.sh` begins, and how many there are for a user."""
_ENOUGH = 1 << 15
"""With fewer numbers, two processes would soon get the same."""


def own_user() -> int:
    """A user number that nobody has, different for each process; also the number of its group."""
    first, count = _range()
    return first + secrets.randbelow(count)


def unused(numbers: range) -> int:
    """One of these user numbers, drawn from those that no process has now."""
    import psutil  # noqa: PLC0415  # most commands need not wait for it

    processes = (process.info["uids"] for process in psutil.process_iter(["uids"]))
    taken = {user for users in processes if users is not None for user in users}
    return secrets.choice([number for number in numbers if number not in taken])


def has_own_users() -> bool:
    """True if this user may start processes as other users, and knows enough numbers of them."""
    return min(_mapped("uid_map"), _mapped("gid_map")) >= _ENOUGH


def subordinate(user: str, files: Path = Path("/etc")) -> tuple[range, range] | None:
    """The numbers of users and of groups that an ordinary user may give to processes of its own; None if too few.

    ``files``: the folder with ``subuid`` and ``subgid``, of which newuidmap and newgidmap take them.
    """
    users, groups = (
        next((numbers for who, numbers in _given(files / name) if who == user and len(numbers) >= _ENOUGH), None)
        for name in ("subuid", "subgid")
    )
    return None if users is None or groups is None else (users, groups)


def free_subordinates(files: Path = Path("/etc")) -> range:
    """Numbers that no user has yet in these files, as many as `subordinate` needs at least."""
    given = (numbers for name in ("subuid", "subgid") for _, numbers in _given(files / name))
    first = max((numbers.stop for numbers in given), default=_FREE)
    return range(max(first, _FREE), max(first, _FREE) + _SUBORDINATES)


def _given(file: Path) -> Iterator[tuple[str, range]]:
    """Users of a file, and the numbers that each may give."""
    with suppress(OSError):
        rows = (line.split(":") for line in file.read_text().splitlines())
        rows = (row for row in rows if len(row) == 3 and all(map(str.isdecimal, row[1:])))  # as newuidmap reads it
        yield from ((row[0], range(int(row[1]), int(row[1]) + int(row[2]))) for row in rows)


def _range() -> tuple[int, int]:
    mapped = min(_mapped("uid_map"), _mapped("gid_map"))
    if mapped > _FIRST + _COUNT:
        return _FIRST, _COUNT
    return mapped * 3 // 4, max(1, mapped // 8)


def _mapped(name: str) -> int:
    """Return the number of users or groups that this root knows: a container may have a few thousand only."""
    rows = [[int(word) for word in line.split()] for line in Path("/proc/self", name).read_text().splitlines()]
    return max(inside + count for inside, _, count in rows)
