"""Servers of tests on loopback, each in a thread of the test."""

import email
import email.policy
import random
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import takewhile
from pathlib import Path
from socketserver import BaseServer, StreamRequestHandler, ThreadingTCPServer
from typing import Any, TypeVar

import pytest

_PORTS = range(20_000, 32_000)
"""Below those that the kernel gives by itself, one of which another process may get before it is used here."""


def free_port() -> int:
    """A port for a server whose configuration names its port."""
    while True:
        port = random.SystemRandom().choice(_PORTS)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


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


def certified(folder: Path, names: str) -> tuple[ssl.SSLContext, Path]:
    """The means of a server that encrypts, by a certificate for these names that nobody has signed; and its file.

    Skips without OpenSSL.
    """
    if shutil.which("openssl") is None:
        pytest.skip("this machine has no openssl to make a certificate with")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    if not key.exists():
        kind = "-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
        files = f"-addext subjectAltName={names} -keyout {key.name} -out {certificate.name}"
        subprocess.run(f"openssl req {kind} {files}".split(), cwd=folder, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context, certificate


class Post(ThreadingTCPServer):
    """A mail server that keeps letters, and first refuses some."""

    daemon_threads = True

    def __init__(self, context: ssl.SSLContext | None = None, *, whole: bool = False) -> None:
        """``context``: by which it can encrypt; ``whole``: it does so from the first byte."""
        super().__init__(("127.0.0.1", 0), _Session)
        self.context, self.whole = context, whole
        self.kept: list[EmailMessage] = []
        self.refuse = 0
        self.unknown = "nobody@example.org"
        self.rules = {"server": "127.0.0.1", "port": self.server_address[1], "sender": "evaluate@example.org"}

    @property
    def subjects(self) -> list[str]:
        """Subjects of the letters, in order."""
        return [letter["Subject"] for letter in self.kept]


class _Session(StreamRequestHandler):
    server: Post

    def handle(self) -> None:
        with suppress(OSError):  # a client that does not like the certificate
            if self.server.whole:
                self._encrypt()
            self.wfile.write(b"220 ready\r\n")
            self._talk()

    def finish(self) -> None:
        super().finish()
        self.request.close()  # an encrypted one is not the one that the server closes

    def _encrypt(self) -> None:
        assert self.server.context is not None
        self.request = self.server.context.wrap_socket(self.request, server_side=True)
        self.setup()

    def _talk(self) -> None:
        while line := self.rfile.readline():
            if self.server.context and line.startswith(b"ehlo"):
                self.wfile.write(b"250-ready\r\n250-AUTH PLAIN\r\n250 STARTTLS\r\n")
                continue
            if line == b"STARTTLS\r\n":
                self.wfile.write(b"220 go on\r\n")
                self._encrypt()
                continue
            if line == b"data\r\n" and self.server.refuse:
                self.server.refuse -= 1
                self.wfile.write(b"451 later\r\n")
                continue
            if line.lower().startswith(f"rcpt to:<{self.server.unknown}>".encode()):
                self.wfile.write(b"550 unknown\r\n")
                continue
            if line == b"data\r\n":
                self.wfile.write(b"354 go on\r\n")
                letter = b"".join(takewhile(lambda part: part != b".\r\n", self.rfile))
                self.server.kept.append(email.message_from_bytes(letter, policy=email.policy.default))
            self.wfile.write(b"221 bye\r\n" if line == b"QUIT\r\n" else b"250 done\r\n")


class Page(ThreadingHTTPServer):
    """A web server that gives one answer to every request, and notes the paths that were asked for."""

    def __init__(self, body: bytes = b"", status: int = 200) -> None:
        super().__init__(("127.0.0.1", 0), _Asked)
        self.body, self.status = body, status
        self.asked: list[str] = []
        self.url = f"http://127.0.0.1:{self.server_port}"


class _Asked(BaseHTTPRequestHandler):
    server: Page

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(self.server.body)))
        self.end_headers()
        self.wfile.write(self.server.body)

    def log_message(self, *_: Any) -> None:
        pass
