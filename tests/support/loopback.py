"""Servers of tests on loopback, each in a thread of the test."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import BaseServer
from typing import Any, TypeVar

S = TypeVar("S", bound=BaseServer)


@contextmanager
def serving(server: S) -> Iterator[S]:
    """Let a server answer meanwhile."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Hook(ThreadingHTTPServer):
    """A web server that keeps what is posted to it, each with its key, and first gives the answers of ``refuse``."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Posted)
        self.kept: list[dict[str, Any]] = []
        self.refuse: list[int] = []
        self.url = f"http://127.0.0.1:{self.server_port}/hook"


class _Posted(BaseHTTPRequestHandler):
    server: Hook

    def do_POST(self) -> None:
        values = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.server.refuse:
            self.send_error(self.server.refuse.pop())
            return
        self.server.kept.append({**values, "key": self.headers["Idempotency-Key"]})
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass
