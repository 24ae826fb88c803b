"""The one process of a server that is root: it makes empty places of a fixed size for the user of the services.

systemd starts it for each connection to its socket (`evaluate-helper.socket`), which only that user may open.  Where
there is none, such as in a container, root starts it before a daemon or a site becomes that user (`start`).  There is
one request and one reply, each a message of JSON; with a good one comes the descriptor of a mount
(`evaluate.confine.root_helper`), which is attached nowhere and gone with its last user.  Nothing that the user wrote is
mounted: the file system is made here, in a file that has no name, in a folder of root's.

Nothing else that the services do needs root.  Numbers of users come from newuidmap, within what /etc/subuid allows;
access control lists are set by the owner of a file.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec

# An empty file system of a fixed size, mounted nowhere: the owner of its descriptor attaches it unseen by others.
#
# ext4 in a file without a name, on a loop device that the kernel frees with the last use.  To make one needs root; to
# attach it, a mount namespace of one's own.  Imports nothing of the program: `evaluate.confine.root_helper` runs as
# root.


ADMIN_PATH = "/usr/sbin:/sbin:/usr/bin:/bin"
_ROOM_FOR_ITSELF = 1.05, 32 << 20
"""Space that ext4 needs in addition for its lists of files."""
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
    """Return the words before a program, which gets these descriptors, so that it finds the mounts at their places.

    A user without rights attaches them in a user namespace of its own.
    """
    words = [word for fd, target in mounts for word in (str(fd), str(target))]
    user_namespace = () if os.geteuid() == 0 else ("--user", "--map-root-user")
    unshare = (shutil.which("unshare") or "unshare", *user_namespace, "--mount", "--propagation", "private")
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
    context = called("fsopen", _FSOPEN, b"ext4", _CLOSE_ON_EXEC)
    try:
        called("source", _FSCONFIG, context, _SET_STRING, b"source", device.encode(), 0)
        for option in (b"nobarrier", b"noinit_itable"):
            called("option", _FSCONFIG, context, _SET_FLAG, option, None, 0)
        called("mount", _FSCONFIG, context, _CREATE, None, None, 0)
        return called("fsmount", _FSMOUNT, context, _CLOSE_ON_EXEC, _NO_SUID | _NO_DEVICES | _NO_ACCESS_TIMES)
    finally:
        os.close(context)


def called(what: str, number: int, *arguments: object) -> int:
    """Make a system call. Raises OSError if it fails; names ``what``."""
    libc = ctypes.CDLL(None, use_errno=True)
    result = int(libc.syscall(number, *arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


SOCKET = Path("/run/evaluate-helper.socket")
FOLDER = Path("/var/lib/evaluate-helper")
"""Folder of the files of places: root's, and closed to others."""
MOST_BYTES = 64 << 30
_MOST_MESSAGE = 4096
_SECONDS = 60.0
_WAITING = 16
_MOUNTS_ONLY = ("/usr/bin/setpriv", "--bounding-set=-all,+sys_admin", "--no-new-privs", "--")
"""As in `evaluate-helper@.service`."""
_PEER = struct.Struct("iII")
"""``struct ucred``."""


class PlaceRequest(msgspec.Struct, tag="place", frozen=True, forbid_unknown_fields=True):
    """A request: a place for so many bytes of files, whose top folder belongs to the process that asks."""

    bytes: Annotated[int, msgspec.Meta(ge=4096, le=MOST_BYTES)]


class Mounted(msgspec.Struct, tag="mounted", frozen=True, forbid_unknown_fields=True):
    """A reply: here it is."""


class Denied(msgspec.Struct, tag="refused", frozen=True, forbid_unknown_fields=True):
    """A reply: why there is none."""

    reason: Annotated[str, msgspec.Meta(max_length=1000)]


def serve(connection: socket.socket, folder: Path) -> None:
    """Answer one request.

    ``folder``: as `FOLDER`.
    """
    _, uid, gid = _PEER.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))
    connection.settimeout(_SECONDS)
    try:
        asked = msgspec.json.decode(connection.recv(_MOST_MESSAGE), type=PlaceRequest)
        mount = made(asked.bytes, uid, gid, folder, reserved=True)
    except (msgspec.MsgspecError, OSError) as e:
        connection.send(msgspec.json.encode(Denied(reason=str(e)[:1000])))
        return
    try:
        socket.send_fds(connection, [msgspec.json.encode(Mounted())], [mount])
    finally:
        os.close(mount)


def ask(size: int, at: Path = SOCKET) -> int:
    """Called by the user of the services: the descriptor of the mount of a new place.

    Raises OSError if there is no helper, or it refuses.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        connection.settimeout(_SECONDS)
        connection.connect(str(at))
        connection.send(msgspec.json.encode(PlaceRequest(bytes=size)))
        data, fds, _, _ = socket.recv_fds(connection, _MOST_MESSAGE, 1)
    try:
        reply = msgspec.json.decode(data, type=Mounted | Denied)
    except msgspec.MsgspecError as e:
        raise OSError(f"the helper {at} sent no reply that can be read: {e}") from e
    if isinstance(reply, Denied) or len(fds) != 1:
        raise OSError(f"the helper {at}: {reply.reason if isinstance(reply, Denied) else 'no mount'}")
    os.set_inheritable(fds[0], False)
    return fds[0]


def start(uid: int, gid: int, at: Path = SOCKET, folder: Path = FOLDER) -> bool:
    """Start a helper for a user that root is about to become; it ends with this process. False if one runs already.

    Raises OSError if there can be none.
    """
    if _answers(at):
        return False
    folder.mkdir(mode=0o700, exist_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        before = os.umask(0o177)
        try:
            listening.bind(str(at))  # in a folder of root's, so nobody else changes what this name leads to
        finally:
            os.umask(before)
        os.chown(at, uid, gid)
        listening.listen(_WAITING)
        words = ["-I", "-m", "evaluate.confine.root_helper", str(folder), str(os.getpid())]
        argv, nowhere = [*_MOUNTS_ONLY, sys.executable, *words], subprocess.DEVNULL
        subprocess.Popen(argv, stdin=listening.fileno(), stdout=nowhere, env={}, cwd="/", start_new_session=True)
    return True


def _answers(at: Path) -> bool:
    """True if a helper listens there; the name of one that has ended is removed."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        try:
            connection.connect(str(at))
        except OSError as e:
            if e.errno == errno.ECONNREFUSED:
                at.unlink()
            elif e.errno != errno.ENOENT:
                raise
            return False
    return True


def _listen(listening: socket.socket, folder: Path, parent: int) -> None:
    """Answer one after the other, until the process that started this one ends.

    That is an ordinary user by then, whose end the kernel signals to no process of root (``PR_SET_PDEATHSIG``).
    """
    its_end = os.pidfd_open(parent)
    while os.getppid() == parent and its_end not in select.select([listening.fileno(), its_end], [], [])[0]:
        connection, _ = listening.accept()
        with connection, suppress(OSError):  # the client has gone
            serve(connection, folder)


if __name__ == "__main__":
    with socket.socket(fileno=0) as given:
        if len(sys.argv) > 2:
            _listen(given, Path(sys.argv[1]), int(sys.argv[2]))
        else:
            serve(given, Path(sys.argv[1]))
