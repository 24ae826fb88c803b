"""An empty file system of a fixed size, mounted nowhere: who has its descriptor attaches it where nobody else sees it.

ext4 in a file without a name, on a loop device that the kernel frees with the last use.  To make one needs root; to
attach it, a mount namespace of one's own.  Imports nothing of the program: `evaluate.confine.root_helper` runs as root.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ADMIN_PATH = "/usr/sbin:/sbin:/usr/bin:/bin"
_ROOM_FOR_ITSELF = 1.05, 32 << 20
"""What ext4 needs in addition for its lists of files."""
_TRIES = 16
"""Others may take a free loop device first."""
_FSOPEN, _FSCONFIG, _FSMOUNT = 430, 431, 432
"""Numbers of the system calls, the same on every processor."""
_SET_FLAG, _SET_STRING, _CREATE, _CLOSE_ON_EXEC = 0, 1, 6, 1
_NO_SUID, _NO_DEVICES, _NO_ACCESS_TIMES = 0x2, 0x4, 0x10
_LOOP_FREE, _LOOP_CONFIGURE, _LOOP_AUTOCLEAR = 0x4C82, 0x4C0A, 4
_ATTACH = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
words = sys.argv[1:]
while words[0] != "--":
    fd, place = words.pop(0), words.pop(0)
    if libc.syscall(429, int(fd), b"", -100, os.fsencode(place), 4) != 0:
        sys.exit(f"a folder cannot be mounted: {os.strerror(ctypes.get_errno())}")
    os.close(int(fd))
os.execvp(words[1], words[1:])
"""
"""`move_mount` of each descriptor to its place, and then the program: before it there is nobody else's byte."""


def attaching(mounts: Sequence[tuple[int, Path]]) -> tuple[str, ...]:
    """What comes before a program, which gets these descriptors, so that it finds the mounts at their places.

    A user without rights attaches them in a user namespace of its own.
    """
    words = [word for fd, place in mounts for word in (str(fd), str(place))]
    own = () if os.geteuid() == 0 else ("--user", "--map-root-user")
    unshare = (shutil.which("unshare") or "unshare", *own, "--mount", "--propagation", "private")
    return (*unshare, sys.executable, "-I", "-c", _ATTACH, *words, "--")


def made(size: int, uid: int, gid: int, folder: Path, *, reserved: bool = False) -> int:
    """The descriptor of the mount of a new file system for ``size`` bytes of files, whose top folder belongs to a user.

    Raises OSError if it cannot be made here.

    * ``folder``: where the file is: a folder in which only this user may write.
    * ``reserved``: whether its space is reserved at once, where nobody looks whether the disk is full.
    """
    factor, more = _ROOM_FOR_ITSELF
    with tempfile.TemporaryFile(dir=folder, buffering=0) as image:
        length = int(size * factor) + more
        os.posix_fallocate(image.fileno(), 0, length) if reserved else image.truncate(length)
        _make_file_system(image.fileno(), uid, gid)
        loop = _loop(image.fileno())
    try:
        return _mounted(f"/dev/loop{os.minor(os.fstat(loop).st_rdev)}")
    finally:
        os.close(loop)


def _make_file_system(image: int, uid: int, gid: int) -> None:
    options = f"lazy_itable_init=1,nodiscard,root_owner={uid}:{gid}"
    argv = [shutil.which("mke2fs", path=ADMIN_PATH) or "mke2fs", "-q", "-F", "-t", "ext4", "-m", "0"]
    argv += ["-O", "^has_journal,^resize_inode", "-E", options, f"/proc/self/fd/{image}"]
    done = subprocess.run(argv, pass_fds=(image,), capture_output=True, check=False)
    if done.returncode != 0:
        raise OSError(errno.EIO, f"mke2fs: {done.stderr.decode(errors='replace').strip()}")


def _loop(image: int) -> int:
    """A loop device of a file, which is free again when nothing uses it."""
    info = struct.pack("=5Q4I64s64s32s2Q", *(0,) * 5, 0, 0, 0, _LOOP_AUTOCLEAR, b"", b"", b"", 0, 0)
    configuration = struct.pack("=II", image, 0) + info + bytes(64)
    control = os.open("/dev/loop-control", os.O_RDWR | os.O_CLOEXEC)
    try:
        for _ in range(_TRIES):
            number = fcntl.ioctl(control, _LOOP_FREE)
            device = os.open(f"/dev/loop{number}", os.O_RDWR | os.O_CLOEXEC)
            try:
                fcntl.ioctl(device, _LOOP_CONFIGURE, configuration)
            except OSError as e:
                os.close(device)
                if e.errno != errno.EBUSY:
                    raise
            else:
                return device
    finally:
        os.close(control)
    raise OSError(errno.EBUSY, "no free loop device")


def _mounted(device: str) -> int:
    context = _called("fsopen", _FSOPEN, b"ext4", _CLOSE_ON_EXEC)
    try:
        _called("source", _FSCONFIG, context, _SET_STRING, b"source", device.encode(), 0)
        for option in (b"nobarrier", b"noinit_itable"):
            _called("option", _FSCONFIG, context, _SET_FLAG, option, None, 0)
        _called("mount", _FSCONFIG, context, _CREATE, None, None, 0)
        return _called("fsmount", _FSMOUNT, context, _CLOSE_ON_EXEC, _NO_SUID | _NO_DEVICES | _NO_ACCESS_TIMES)
    finally:
        os.close(context)


def _called(what: str, number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    result = int(libc.syscall(number, *arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")
    return result
