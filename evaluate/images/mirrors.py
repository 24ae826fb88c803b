"""The package index and Debian's archive for one guest that builds an image, through its relay and nothing else.

A connection of the guest becomes a pair of sockets, of which `evaluate.untrusted.mirror_proxy` gets one end behind
walls, with a network: nothing listens on the host.
"""

from __future__ import annotations

import os
import socket
import stat
import threading
from collections.abc import Iterator, Mapping
from configparser import Error as ConfigParserError
from configparser import RawConfigParser
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from evaluate.confine.isolated import Bounds, isolated
from evaluate.confine.walls import Openings
from evaluate.core.errors import EvaluateError, Fault
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
    index = setting_of_pip("index-url") or _INDEX
    named = [setting_of_pip("cert"), os.environ.get("SSL_CERT_FILE", ""), _CERTIFICATES]
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


# What this host's pip is configured with: its files, as pip finds them, and a setting of them


_OF_HOST = Path("/etc/pip.conf")


def files_of_pip(environment: Mapping[str, str]) -> tuple[Path, ...]:
    """The files that pip reads with these variables, the one that counts most first; each may be missing.

    As pip has it, the file of ``PIP_CONFIG_FILE`` takes the place of the user's own, and ``/dev/null`` that of all.
    """
    named = environment.get("PIP_CONFIG_FILE", "")
    if named == os.devnull:
        return ()
    home = Path(environment.get("HOME") or "/")
    folder = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    of_user = (folder / "pip/pip.conf", home / ".pip/pip.conf")
    others = (environment.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(":")
    of_host = (_OF_HOST, *(Path(other, "pip/pip.conf") for other in reversed(others)))
    return (*((Path(named),) if named and Path(named).exists() else of_user), *of_host)


def setting_of_pip(name: str, environment: Mapping[str, str] = os.environ) -> str:
    """A setting that holds for all commands of pip; empty: there is none."""
    if given := environment.get(f"PIP_{name.upper().replace('-', '_')}"):
        return given
    values = (value for file in files_of_pip(environment) for key, value in _settings(file, "global") if key == name)
    return next(values, "")


def words_of_pip(file: Path) -> list[str]:
    """The words of all values of one of its files, which may name further files: constraints, certificates."""
    return [word for _, value in _settings(file) for word in value.split()]


def _settings(file: Path, section: str = "") -> Iterator[tuple[str, str]]:
    """Names and values in a file, of one section or of all; none if it cannot be read: pip says what is wrong."""
    parser = RawConfigParser(allow_no_value=True)
    try:
        parser.read(file, encoding="utf-8")
    except (OSError, ValueError, ConfigParserError):
        return
    for name in parser.sections():
        if not section or name == section:
            yield from ((key, value) for key, value in parser[name].items() if value)
