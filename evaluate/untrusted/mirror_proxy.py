"""One connection of a guest that builds an image, to the package index and the archive of Debian, and nowhere else.

What arrives is HTTP as a client says it to its proxy, and was written by a stranger: it is read here, behind walls, a
line at a time.  Only GET and HEAD of a few hosts are passed on, with a request line and headers of our own making.
A client speaks plain HTTP with us; where a host is asked over TLS, our side does it, and links in its pages are changed
so that the client comes back here.  Only this process reads what the host answers.
"""

from __future__ import annotations

import base64
import hashlib
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import IO, Annotated
from urllib.parse import urlsplit

from msgspec import Meta

_MOST_LINE_BYTES, _MOST_HEADERS = 8 << 10, 100
_MOST_PAGE_BYTES = 64 << 20
"""Size of a page whose links are changed."""
_CHUNK = 64 << 10
_SECONDS = 60.0
"""Longest silence of a guest or a host."""
_TARGET = re.compile(r"http://([A-Za-z0-9.-]{1,253}(?::[0-9]{1,5})?)(/[!-~]*)")
_ASKED = re.compile(r"(GET|HEAD) ([!-~]{1,4096}) HTTP/1\.[01]\r?\n")
_HEADER = re.compile(r"([A-Za-z0-9-]{1,80}):[ \t]*([ -~\t]*?)[ \t]*\r?\n")
_PASSED_ON = {"accept", "range", "if-range", "if-modified-since", "if-none-match", "cache-control", "user-agent"}
_PASSED_BACK = ("content-type", "last-modified", "etag", "content-range", "accept-ranges", "cache-control")
_PAGES = ("text/html", "application/vnd.pypi.simple")
_NO_BODY = (204, 304)


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """One answer that a guest was given."""

    url: str
    """Without the credentials that the host may have for it."""
    status: int
    bytes: Annotated[int, Meta(ge=0)]
    sha256: str
    """Digest of its content; of a page before its links were changed."""
    whole: bool = True
    """True if all of it came."""


class NotPassedOn(Exception):
    """A request that is not passed on, with the status and the sentence of the answer."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


@dataclass(frozen=True)
class Request:
    """GET or HEAD of a page of a host."""

    method: str
    host: str
    path: str
    """With its query."""
    headers: Mapping[str, str]
    """By their names in small letters."""
    keeps: bool
    """True if the connection is used again."""


def serve_connection(
    descriptor: int, upstreams: Mapping[str, str], certificates: Path | None, most_requests: int, most_bytes: int
) -> tuple[Fetched, ...]:
    """Answer the requests of one connection until it ends; returns what was fetched.

    * ``descriptor``: the connected socket.
    * ``upstreams``: host as a client names it -> the address, with credentials if it wants some, that stands for it.
    * ``certificates``: of those who sign for hosts that are asked over TLS; None: Python's own.
    * ``most_bytes``: of all answers together.
    """
    trusted = ssl.create_default_context(cafile=certificates)
    fetched: list[Fetched] = []
    with socket.socket(fileno=descriptor) as client, suppress(OSError, ValueError):
        client.settimeout(_SECONDS)
        stream = client.makefile("rb")
        for _ in range(most_requests):
            try:
                request = read_request(stream)
                if request is None:
                    break
                left = most_bytes - sum(reply.bytes for reply in fetched)
                _answer(client, request, upstreams, trusted, left, fetched)
            except NotPassedOn as e:
                client.sendall(_head(e.status, {"content-type": "text/plain"}, len(str(e))) + str(e).encode())
                break
            except (HTTPException, ssl.SSLError, OSError) as e:
                why = f"the mirror does not answer: {type(e).__name__}"
                client.sendall(_head(502, {"content-type": "text/plain"}, len(why)) + why.encode())
                break
            if not request.keeps:
                break
    return tuple(fetched)


def _lines(stream: IO[bytes]) -> Iterator[str]:
    """Lines until an empty one, each with its end."""
    for _ in range(_MOST_HEADERS + 1):
        line = stream.readline(_MOST_LINE_BYTES + 1)
        if len(line) > _MOST_LINE_BYTES:
            raise NotPassedOn(431, "a line of the request is too long")
        yield line.decode("latin-1")
        if line in (b"", b"\r\n", b"\n"):
            return
    raise NotPassedOn(431, "the request has too many headers")


def read_request(stream: IO[bytes]) -> Request | None:
    """The next request; None: there is none. Raises NotPassedOn if it is not one that is passed on."""
    lines = list(_lines(stream))
    if lines[0] == "":
        return None
    asked = _ASKED.fullmatch(lines[0])
    if asked is None:
        raise NotPassedOn(405, "expected GET or HEAD of a page: nothing else leaves this machine")
    target = _TARGET.fullmatch(asked[2])
    if target is None:
        raise NotPassedOn(400, "expected an address http://HOST/PATH")
    headers: dict[str, str] = {}
    for line in lines[1:-1]:
        header = _HEADER.fullmatch(line)
        if header is None or header[1].lower() in headers:
            raise NotPassedOn(400, "a header that cannot be read, or is there twice")
        headers[header[1].lower()] = header[2]
    if lines[-1] == "" or "transfer-encoding" in headers or headers.get("content-length", "0") != "0":
        raise NotPassedOn(400, "expected a request without a body")
    parts = target[2].partition("?")[0].split("/")
    if ".." in parts or "." in parts or "#" in target[2] or re.search(r"%2e|%2f|%5c|\\", target[2], re.IGNORECASE):
        raise NotPassedOn(400, "expected a path without '..'")
    keeps = "close" not in (headers.get("connection", ""), headers.get("proxy-connection", ""))
    return Request(asked[1], target[1].lower(), target[2], headers, keeps)


def _answer(
    client: socket.socket,
    request: Request,
    upstreams: Mapping[str, str],
    trusted: ssl.SSLContext,
    left: int,
    fetched: list[Fetched],
) -> None:
    """Answer a request, and note what came of the answer, however it ends."""
    upstream = upstreams.get(request.host)
    if upstream is None:
        raise NotPassedOn(403, f"{request.host} cannot be reached: there is {', '.join(upstreams)}")
    if left <= 0:
        raise NotPassedOn(403, "this build has fetched as much as it may")
    address = urlsplit(upstream)
    host, port = address.hostname or "", address.port
    if address.scheme == "https":
        connection: HTTPConnection = HTTPSConnection(host, port, timeout=_SECONDS, context=trusted)
    else:
        connection = HTTPConnection(host, port, timeout=_SECONDS)
    headers = {name: value for name, value in request.headers.items() if name in _PASSED_ON}
    headers |= {"accept-encoding": "identity", "connection": "close"}
    if address.username is not None:
        words = f"{address.username}:{address.password or ''}"
        headers["authorization"] = f"Basic {base64.b64encode(words.encode()).decode()}"
    try:
        connection.request(request.method, address.path.rstrip("/") + request.path, headers=headers)
        _pass_back(client, request, connection.getresponse(), upstreams, left, fetched)
    finally:
        connection.close()


def _pass_back(
    client: socket.socket,
    request: Request,
    response: HTTPResponse,
    upstreams: Mapping[str, str],
    left: int,
    fetched: list[Fetched],
) -> None:
    kept = {name: value for name in _PASSED_BACK if (value := response.headers.get(name)) and _is_plain(value)}
    if 300 <= response.status < 400 and (to := response.headers.get("location")):
        kept["location"] = _local(to, upstreams)
    length = response.length
    pages = kept.get("content-type", "").startswith(_PAGES)
    noted = Fetched(url=f"http://{request.host}{request.path}", status=response.status, bytes=0, sha256="")
    if request.method == "HEAD" or response.status in _NO_BODY:
        fetched.append(noted)
        client.sendall(_head(response.status, kept, None if length is None or pages else length))
        return
    at_once = not pages and length is not None
    if length is not None and length > left:
        raise NotPassedOn(403, f"{length >> 20} MiB are more than this build may still fetch")
    if at_once:
        client.sendall(_head(response.status, kept, length))
    parts: list[bytes] = []
    digest, size, most = hashlib.sha256(), 0, left if at_once else min(left, _MOST_PAGE_BYTES)
    # no other answer may begin within one that has begun
    ending = suppress(HTTPException, OSError) if at_once else nullcontext()
    try:
        with ending:
            while size <= most and (chunk := response.read(_CHUNK)):
                digest.update(chunk)
                size += len(chunk)
                if at_once:
                    client.sendall(chunk)
                else:
                    parts.append(chunk)
    finally:
        whole = size <= most and size == (size if length is None else length)
        fetched.append(replace(noted, bytes=size, sha256=digest.hexdigest(), whole=whole))
    if at_once and not whole:
        raise ValueError("the answer of the mirror ended too early, and its beginning has been passed on")
    if not whole:
        raise NotPassedOn(502, "the answer of the mirror is too large, or ended too early")
    if not at_once:
        shown = b"".join(parts)
        for host in upstreams if pages else ():
            shown = shown.replace(f"https://{host}/".encode(), f"http://{host}/".encode())
        client.sendall(_head(response.status, kept, len(shown)) + shown)


def _local(address: str, upstreams: Mapping[str, str]) -> str:
    """Target of a redirection, as the client may ask for it; refused if it leads elsewhere."""
    parts = urlsplit(address)
    if not _is_plain(address) or (parts.netloc and parts.netloc.lower() not in upstreams):
        raise NotPassedOn(403, "the mirror leads to another host")
    return address if not parts.netloc else parts._replace(scheme="http").geturl()


def _is_plain(value: str) -> bool:
    return len(value) <= _MOST_LINE_BYTES and all(" " <= c <= "~" for c in value)


def _head(status: int, headers: Mapping[str, str], length: int | None) -> bytes:
    lines = [f"HTTP/1.1 {status} {'OK' if status < 400 else 'Refused'}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if length is not None:
        lines.append(f"content-length: {length}")
    return "\r\n".join([*lines, "", ""]).encode("latin-1")
