"""A network between a host and its database that can be cut: what is sent is neither delivered nor refused."""

import socket
import threading
from contextlib import suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer

_CHUNK = 1 << 16
_POLL = 0.1


class Link(ThreadingTCPServer):
    """Forwards a port of loopback to another one, that of the server."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.target, self.port = port, int(self.server_address[1])
        self.whole = threading.Event()
        self.whole.set()
        self.ends: list[socket.socket] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def cut(self) -> None:
        """From now on nothing arrives, in either direction."""
        self.whole.clear()

    def mend(self) -> None:
        """Reset the old connections; new ones work."""
        ends, self.ends = self.ends, []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self.whole.set()

    def end(self) -> None:
        """Refuse everything."""
        self.shutdown()
        self.server_close()
        self.mend()


class _Connection(BaseRequestHandler):
    server: Link

    def handle(self) -> None:
        self.server.ends.append(self.request)
        self.server.whole.wait()
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.server.target)) as far:
            self.server.ends.append(far)
            back = threading.Thread(target=self._pump, args=(far, self.request), daemon=True)
            back.start()
            self._pump(self.request, far)
            back.join()

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(_CHUNK):
                while not self.server.whole.wait(_POLL):
                    if source.fileno() < 0:
                        return
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
