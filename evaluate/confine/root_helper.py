"""The one process of a server that is root: it makes empty places of a fixed size for the user of the services.

systemd starts it for each connection to its socket (`evaluate-helper.socket`), which only that user may open.  There is
one request and one reply, each a message of JSON; with a good one comes the descriptor of a mount
(`evaluate.confine.fixed_place`), which is attached nowhere and gone with its last user.  Nothing that the user wrote is
mounted: the file system is made here, in a file that has no name, in a folder of root's.

Nothing else that the services do needs root.  Numbers of users come from newuidmap, within what /etc/subuid allows;
access control lists are set by the owner of a file.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
from pathlib import Path
from typing import Annotated

import msgspec

from evaluate.confine.fixed_place import made

SOCKET = Path("/run/evaluate-helper.socket")
MOST_BYTES = 64 << 30
_MOST_MESSAGE = 4096
_SECONDS = 60.0
_PEER = struct.Struct("iII")
"""``struct ucred``."""


class Place(msgspec.Struct, tag="place", frozen=True, forbid_unknown_fields=True):
    """A request: a place for so many bytes of files, whose top folder belongs to the process that asks."""

    bytes: Annotated[int, msgspec.Meta(ge=4096, le=MOST_BYTES)]


class Mounted(msgspec.Struct, tag="mounted", frozen=True, forbid_unknown_fields=True):
    """A reply: here it is."""


class Refused(msgspec.Struct, tag="refused", frozen=True, forbid_unknown_fields=True):
    """A reply: why there is none."""

    reason: Annotated[str, msgspec.Meta(max_length=1000)]


def serve(connection: socket.socket, folder: Path) -> None:
    """Answer one request.

    Parameters
    ----------
    folder : Path
        Where the files of places are: root's, and closed to others.
    """
    _, uid, gid = _PEER.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))
    connection.settimeout(_SECONDS)
    try:
        asked = msgspec.json.decode(connection.recv(_MOST_MESSAGE), type=Place)
        mount = made(asked.bytes, uid, gid, folder, reserved=True)
    except (msgspec.MsgspecError, OSError) as e:
        connection.send(msgspec.json.encode(Refused(reason=str(e)[:1000])))
        return
    try:
        socket.send_fds(connection, [msgspec.json.encode(Mounted())], [mount])
    finally:
        os.close(mount)


def ask(size: int, at: Path = SOCKET) -> int:
    """Called by the user of the services: the descriptor of the mount of a new place.

    Raises
    ------
    OSError
        There is no helper, or it refuses.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        connection.settimeout(_SECONDS)
        connection.connect(str(at))
        connection.send(msgspec.json.encode(Place(bytes=size)))
        data, fds, _, _ = socket.recv_fds(connection, _MOST_MESSAGE, 1)
    try:
        reply = msgspec.json.decode(data, type=Mounted | Refused)
    except msgspec.MsgspecError as e:
        raise OSError(f"the helper {at} sent no reply that can be read: {e}") from e
    if isinstance(reply, Refused) or len(fds) != 1:
        raise OSError(f"the helper {at}: {reply.reason if isinstance(reply, Refused) else 'no mount'}")
    os.set_inheritable(fds[0], False)
    return fds[0]


if __name__ == "__main__":
    with socket.socket(fileno=0) as accepted:
        serve(accepted, Path(sys.argv[1]))
