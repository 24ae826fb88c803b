"""Files that are closed to others, as the files of another user, for one process: mounted, not copied.

A process behind the walls of root is a user who owns nothing, so it could not read a folder of references that only its
owner may read.  The kernel shows such a folder with its owner exchanged (an idmapped mount: Linux 5.12, and a file
system that can do it), read-only, in the mount namespace of that process alone; nothing changes on the disk.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from evaluate.confine.root_helper import attaching

_OPEN_TREE, _MOUNT_SETATTR = 428, 442
"""Numbers of the system calls, the same on every processor."""
_CLONE, _CLOSE_ON_EXEC, _RECURSIVE, _EMPTY_PATH = 1, os.O_CLOEXEC, 0x8000, 0x1000
_READ_ONLY, _IDMAP = 0x1, 0x100000
_AT_FDCWD = -100


class NotPossible(Exception):
    """This kernel, this file system or the owners of these files do not allow it."""


@contextmanager
def lent(sources: Mapping[Path, Path], uid: int) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Show what is at ``sources`` (place -> file or folder) to a user.

    A place is an empty file or folder of the host, where the program that is started with the given prefix, and with
    the given descriptors, finds it.


    """
    with ExitStack() as stack:
        spaces: dict[tuple[int, int], int] = {}
        mounts: list[tuple[int, Path]] = []
        for place, source in sources.items():
            owner = _owner(source)
            if owner not in spaces:
                spaces[owner] = _space(owner, uid)
                stack.callback(os.close, spaces[owner])
            fd = _shown(source, spaces[owner])
            stack.callback(os.close, fd)
            mounts.append((fd, place))
        yield attaching(mounts), tuple(fd for fd, _ in mounts)


def _owner(source: Path) -> tuple[int, int]:
    """User and group of all that is closed in a folder, and that its owner can read."""
    found = set()
    paths = (Path(top, name) for top, folders, files in os.walk(source) for name in (*folders, *files))
    for path in (source, *paths):
        status = path.lstat()
        wanted = 0o5 if stat.S_ISDIR(status.st_mode) else 0o4
        if stat.S_ISLNK(status.st_mode) or status.st_mode & wanted == wanted:
            continue
        if status.st_mode >> 6 & wanted != wanted:
            raise NotPossible(f"{path} is closed to its owner")
        found.add((status.st_uid, status.st_gid))
    if len({user for user, _ in found}) != 1:
        raise NotPossible(f"{source} belongs to several users")
    return found.pop()


def _space(owner: tuple[int, int], uid: int) -> int:
    """A user namespace in which the owner is the other user: the form in which the kernel takes the exchange."""
    argv = ["unshare", "--user", "sh", "-c", "echo && read end"]
    try:
        with subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            for kind, number in zip(("uid_map", "gid_map"), owner, strict=True):
                Path(f"/proc/{process.pid}/{kind}").write_text(f"{number} {uid} 1")
            return os.open(f"/proc/{process.pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    except OSError as e:
        raise NotPossible(f"a user namespace: {e}") from e


def _shown(source: Path, space: int) -> int:
    """A descriptor of what is at a path, read-only and with its owner exchanged, mounted nowhere yet."""
    fd = _called(_OPEN_TREE, _AT_FDCWD, os.fsencode(source), _CLONE | _CLOSE_ON_EXEC | _RECURSIVE)
    try:
        attributes = struct.pack("QQQQ", _READ_ONLY | _IDMAP, 0, 0, space)
        _called(_MOUNT_SETATTR, fd, b"", _EMPTY_PATH | _RECURSIVE, attributes, ctypes.c_size_t(len(attributes)))
    except NotPossible:
        os.close(fd)
        raise
    return fd


def _called(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    result = int(libc.syscall(number, *arguments))
    if result < 0:
        raise NotPossible(os.strerror(ctypes.get_errno()))
    return result
