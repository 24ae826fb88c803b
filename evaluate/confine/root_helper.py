"""The one process of a server that is root: it makes empty places of a fixed size for the user of the services.

systemd starts it for each connection to its socket (`evaluate-helper.socket`), which only that user may open.  Where
there is none, such as in a container, root starts it before a daemon or a site becomes that user (`start`).  There is
one request and one reply, each a message of JSON; with a good one comes the descriptor of a mount
(`evaluate.confine.fixed_place`), which is attached nowhere and gone with its last user.  Nothing that the user wrote is
mounted: the file system is made here, in a file that has no name, in a folder of root's.

Nothing else that the services do needs root.  Numbers of users come from newuidmap, within what /etc/subuid allows;
access control lists are set by the owner of a file.
"""

from __future__ import annotations

import errno
import os
import select
import socket
import struct
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec

from evaluate.confine.fixed_place import made

SOCKET = Path("/run/evaluate-helper.socket")
FOLDER = Path("/var/lib/evaluate-helper")
"""Where the files of places are: root's, and closed to others."""
MOST_BYTES = 64 << 30
_MOST_MESSAGE = 4096
_SECONDS = 60.0
_WAITING = 16
_MOUNTS_ONLY = ("/usr/bin/setpriv", "--bounding-set=-all,+sys_admin", "--no-new-privs", "--")
"""As in `evaluate-helper@.service`."""
_PEER = struct.Struct("iII")
"""``struct ucred``."""


class Place(msgspec.Struct, tag="place", frozen=True, forbid_unknown_fields=True):
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
        asked = msgspec.json.decode(connection.recv(_MOST_MESSAGE), type=Place)
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
        connection.send(msgspec.json.encode(Place(bytes=size)))
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
    """By root, which is about to become that user: a helper for it that ends with this process; False if there is one.

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
    """Whether a helper listens there; the name of one that has ended is removed."""
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
        with connection, suppress(OSError):  # who asked has gone
            serve(connection, folder)


if __name__ == "__main__":
    with socket.socket(fileno=0) as given:
        if len(sys.argv) > 2:
            _listen(given, Path(sys.argv[1]), int(sys.argv[2]))
        else:
            serve(given, Path(sys.argv[1]))
