"""The package index and Debian's archive for one guest that builds an image, through its relay and nothing else.

A connection of the guest becomes a pair of sockets, of which `evaluate.untrusted.mirror_proxy` gets one end behind
walls, with a network: nothing listens on the host.
"""

from __future__ import annotations

import ast
import os
import socket
import stat
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from evaluate.confine.children import tool
from evaluate.confine.isolated import Bounds, isolated
from evaluate.confine.walls import Openings
from evaluate.core.errors import EvaluateError, Fault, ImageFault
from evaluate.core.files import is_there
from evaluate.images.recipe import DEBIAN_MIRROR
from evaluate.untrusted.mirror_proxy import Fetched, serve_connection

PORT = 3128
"""Port at which the guest's programs find it, on their own loopback."""
_DEBIAN = ("deb.debian.org", "security.debian.org", "ftp.debian.org")
_INDEX = "https://pypi.org/simple"
_CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
_FILES_OF = {"pypi.org": "files.pythonhosted.org"}
"""Index -> the host that has its files."""
_AT_ONCE = 8
_MOST_REQUESTS, _MOST_BYTES = 5000, 8 << 30
"""Limits of all connections together: each reserves half of what is left, and returns what it did not use."""
_REPLY_BYTES = 8 << 10
"""Size of one answer in the list of what was fetched."""
_SECONDS = 900.0
"""Processor time for one connection."""


def upstreams_of(index: str) -> dict[str, str]:
    """Host as a guest names it -> where its pages are; of an index with the host of its files."""
    mirror = os.environ.get("EVALUATE_MIRROR", "").rstrip("/") or DEBIAN_MIRROR
    address = urlsplit(index)
    bare = address.netloc.rpartition("@")[2].lower()
    upstreams = dict.fromkeys(_DEBIAN, mirror) | {urlsplit(mirror).netloc.rpartition("@")[2].lower(): mirror}
    if address.scheme in ("http", "https"):
        upstreams[bare] = f"{address.scheme}://{address.netloc}"
        if files := _FILES_OF.get(bare):
            upstreams[files] = f"https://{files}"
    return upstreams


def mirrors_here() -> Mirrors:
    """Mirrors that this site installs from: the index of its pip, and its mirror of Debian."""
    settings = settings_of_pip()
    index = settings.get("index-url", _INDEX)
    named = [settings.get("cert", ""), os.environ.get("SSL_CERT_FILE", ""), _CERTIFICATES]
    certificates = next((Path(name) for name in named if name and is_there(Path(name), stat.S_ISREG)), None)
    return Mirrors(upstreams_of(index), index, certificates)


class Mirrors:
    """Mirrors that a guest may reach; see `evaluate.sandbox.base.Outside`."""

    ports = (PORT,)

    def __init__(self, upstreams: Mapping[str, str], index: str, certificates: Path | None = None) -> None:
        self._upstreams, self._certificates = dict(upstreams), certificates
        self.index = urlsplit(index)._replace(scheme="http", netloc=urlsplit(index).netloc.rpartition("@")[2]).geturl()
        """The index as the guest's pip asks for it."""
        self._slots = threading.BoundedSemaphore(_AT_ONCE)
        self._lock = threading.Lock()
        self._left, self._requests = _MOST_BYTES, _MOST_REQUESTS
        self._fetched: list[Fetched] = []
        self._threads: list[threading.Thread] = []

    def connect(self, port: int, timeout: float) -> socket.socket:
        """Open a connection. Raises OSError if there are too many, or no more requests are answered."""
        del port
        if not self._requests:
            raise OSError("too many requests")
        if not self._slots.acquire(blocking=False):
            raise OSError("too many connections")
        try:
            guests, ours = socket.socketpair()
            guests.settimeout(timeout)
            thread = threading.Thread(target=self._serve, args=(ours,), name="mirrors", daemon=True)
            self._threads = [*(worker for worker in self._threads if worker.is_alive()), thread]
            thread.start()
        except BaseException:
            self._slots.release()
            raise
        return guests

    def fetched(self) -> tuple[Fetched, ...]:
        """List what was fetched, once the guest has ended."""
        for thread in self._threads:
            thread.join()
        return tuple(self._fetched)

    def serve(self, ours: socket.socket) -> None:
        """Answer the requests of a connection until it ends. Raises EvaluateError if that goes wrong."""
        bounds = Bounds(
            doing="fetching packages for a build",
            seconds=_SECONDS,
            reply_bytes=_MOST_REQUESTS * _REPLY_BYTES,
            blame=Fault,
            raises=(),
            pass_fds=(ours.fileno(),),
            openings=Openings(network=True),
        )
        with self._lock:
            requests, most = (self._requests + 1) // 2, (self._left + 1) // 2
            self._requests -= requests
            self._left -= most
        fetched: list[Fetched] = []
        try:
            fetched += isolated(
                bounds, serve_connection, ours.fileno(), self._upstreams, self._certificates, requests, most
            )
        finally:
            with self._lock:
                self._fetched += fetched
                self._left += max(0, most - sum(answer.bytes for answer in fetched))
                self._requests += max(0, requests - len(fetched))

    def _serve(self, ours: socket.socket) -> None:
        try:
            with ours, suppress(EvaluateError):  # then the guest sees that its connection has ended
                self.serve(ours)
        finally:
            self._slots.release()


def settings_of_pip() -> dict[str, str]:
    """Settings of this host's pip that hold for all of its commands, by their names: of its files and its variables."""
    argv = [sys.executable, "-m", "pip", "config", "list"]
    printed = tool(argv, doing="asking pip how it is configured", fault=ImageFault).decode()
    values = {key: ast.literal_eval(value) for key, _, value in (line.partition("=") for line in printed.splitlines())}
    # what a variable says counts before what a file says
    return {
        key.removeprefix(origin): str(value)
        for origin in ("global.", ":env:.")
        for key, value in values.items()
        if key.startswith(origin)
    }
