"""The host's end of the licence relay: one server and the ports that the organiser named.

The guest has no network card.  It reports through a virtio port that a program connected to one of the listed ports on
its own loopback; this relay connects to the server's port with the same index, and to nothing else.  Frames: see
`evaluate.protocol.guest`.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import struct
import threading
from pathlib import Path

from evaluate.core.errors import SandboxFault
from evaluate.core.model import Outside
from evaluate.protocol.guest import (
    CLOSE,
    DATA,
    HEADER,
    MARKER_BYTES,
    MOST_BODY_BYTES,
    MOST_CONNECTIONS,
    OPEN,
    PLACE,
    RESET,
)

_CONNECT_SECONDS = 10.0


class LicenceRelay:
    """Serves one guest until it is closed."""

    def __init__(self, path: Path, server: Outside) -> None:
        self._server = server
        self._guest = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._guest.connect(str(path))
        except OSError as e:
            self._guest.close()
            raise SandboxFault(f"the guest's licence port {path} cannot be opened: {e}") from e
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._guest, selectors.EVENT_READ)
        self._connections: dict[int, socket.socket] = {}
        self._waiting = b""
        self._thread = threading.Thread(target=self._serve, name="licence relay", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Close every connection, also while a guest that does not read has a frame on its way."""
        with contextlib.suppress(OSError):
            self._guest.shutdown(socket.SHUT_RDWR)
        self._thread.join()

    def _serve(self) -> None:
        try:
            while True:
                for key, _ in self._selector.select():
                    if key.fileobj is self._guest:
                        data = self._guest.recv(MOST_BODY_BYTES)
                        if not data:
                            return
                        self._from_guest(data)
                    elif key.data in self._connections:
                        self._from_server(key.data)
        except (OSError, struct.error):
            return  # the guest has ended or broke the protocol: it has no licence server from now on
        finally:
            self._drop_all()
            self._guest.close()
            self._selector.close()

    def _from_guest(self, data: bytes) -> None:
        self._waiting += data
        while len(self._waiting) >= HEADER.size:
            kind, number, length = HEADER.unpack_from(self._waiting)
            if kind > CLOSE or length > MOST_BODY_BYTES:
                raise OSError("not a frame of the relay")
            if len(self._waiting) < HEADER.size + length:
                return
            body = self._waiting[HEADER.size : HEADER.size + length]
            self._waiting = self._waiting[HEADER.size + length :]
            self._frame(kind, number, body)

    def _frame(self, kind: int, number: int, body: bytes) -> None:
        if kind == RESET and len(body) == MARKER_BYTES:
            self._drop_all()
            self._guest.sendall(body)
        elif kind == OPEN:
            self._open(number, *PLACE.unpack(body))
        elif number in self._connections:
            if kind == DATA:
                try:
                    self._connections[number].sendall(body)
                    return
                except OSError:
                    self._send(CLOSE, number)
            self._drop(number)

    def _open(self, number: int, port: int) -> None:
        if port >= len(self._server.ports) or number in self._connections:
            raise OSError("no such port")
        try:
            if len(self._connections) >= MOST_CONNECTIONS:
                raise OSError("too many connections")
            connection = self._server.connect(port, _CONNECT_SECONDS)
        except OSError:
            self._send(CLOSE, number)
            return
        self._connections[number] = connection
        self._selector.register(connection, selectors.EVENT_READ, number)

    def _from_server(self, number: int) -> None:
        try:
            data = self._connections[number].recv(MOST_BODY_BYTES)
        except OSError:
            data = b""
        if data:
            self._send(DATA, number, data)
        else:
            self._send(CLOSE, number)
            self._drop(number)

    def _send(self, kind: int, number: int, body: bytes = b"") -> None:
        self._guest.sendall(HEADER.pack(kind, number, len(body)) + body)

    def _drop(self, number: int) -> None:
        connection = self._connections.pop(number)
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(connection)
        connection.close()

    def _drop_all(self) -> None:
        for number in list(self._connections):
            self._drop(number)
