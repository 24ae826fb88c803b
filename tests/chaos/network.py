"""A network between a host and its database that can be cut: what is sent is neither delivered nor refused."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

_CHUNK = 1 << 16
_POLL = 0.1


class Link:
    """Forwards a port of loopback to another one, that of the server."""

    def __init__(self, port: int) -> None:
        self._server = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._whole = threading.Event()
        self._whole.set()
        self._ended = False
        self._ends: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """From now on nothing arrives, in either direction."""
        self._whole.clear()

    def mend(self) -> None:
        """Reset the old connections; new ones work."""
        self._reset()
        self._whole.set()

    def end(self) -> None:
        """Refuse everything."""
        self._ended = True
        self._listener.close()
        self.mend()

    def _reset(self) -> None:
        ends, self._ends = self._ends, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        while not self._ended:
            with suppress(OSError):
                near, _ = self._listener.accept()
                self._ends.append(near)
                threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        self._whole.wait()
        with suppress(OSError):
            far = socket.create_connection(("127.0.0.1", self._server))
            self._ends.append(far)
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._pump, args=(source, target), daemon=True).start()
            return
        near.close()

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(_CHUNK):
                while not self._whole.wait(_POLL):
                    if source.fileno() < 0:
                        return
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
