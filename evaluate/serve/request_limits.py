"""Checks that every request passes first, and every answer last: bounds on bodies, the Origin rule, headers of safety.

The Origin rule is that of Go's CrossOriginProtection: a changing request comes from an allowed origin, else the
browser says that it is of the same origin, else its Origin names our host.  A client that sends neither is no browser,
and has no session of one to misuse.
"""

from __future__ import annotations

import json
import re
from ipaddress import IPv4Address, IPv6Network, ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from evaluate.serve.errors import problem
from evaluate.serve.site import Site

MOST_BODY_BYTES = 64 << 10
"""Bytes of every body but those of uploads, which `evaluate.serve.uploads` bounds by the limit of the challenge."""
_UPLOADS = (
    ("PATCH", re.compile(r"/uploads/[^/]+")),
    ("POST", re.compile(r"/challenges/[^/]+/upload")),
    ("POST", re.compile(r"/api/v1/challenges/[^/]+/entries")),
)
_SAFE = ("GET", "HEAD", "OPTIONS")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Shield:
    """The outermost layer of the site."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app, self._site = app, site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers_sent = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers_sent.setdefault(name, value)
                if self._site.secure:
                    headers_sent.setdefault("Strict-Transport-Security", "max-age=31536000")
                headers_sent.setdefault("Cache-Control", "no-store")
            await send(message)

        most = None if is_upload(scope["method"], scope["path"]) else MOST_BODY_BYTES
        if (refused := self._refused(scope["method"], Headers(scope=scope), most)) is not None:
            await _answer(guarded, *refused)
            return
        left = most

        async def bounded() -> Message:
            nonlocal left
            message = await receive()
            if left is not None:
                left -= len(message.get("body", b""))
                if left < 0:
                    raise HTTPException(413, f"expected a body of at most {most} bytes")
            return message

        await self._app(scope, bounded, guarded)

    def _refused(self, method: str, headers: Headers, most: int | None) -> tuple[int, str] | None:
        """Status and reason, if a request is not let in."""
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit():
            return 400, "expected a number as Content-Length"
        if most is not None and int(length) > most:
            return 413, f"expected a body of at most {most} bytes, found {length}"
        if method not in _SAFE and not _same_origin(headers, self._site.origin):
            return 403, "this request comes from another site; open the page on this site and try again"
        return None


def is_upload(method: str, path: str) -> bool:
    """True if a request may bring a file."""
    return any(method == allowed and form.fullmatch(path) for allowed, form in _UPLOADS)


def network_of(address: str) -> str:
    """Whose requests count together: one IPv4 address, or the 2⁶⁴ of a network of IPv6, which are one subscriber's."""
    try:
        network = ip_address(address)
    except ValueError:
        return address
    if isinstance(network, IPv4Address) or network.is_loopback:
        return str(network)
    if network.ipv4_mapped is not None:
        return str(network.ipv4_mapped)
    return str(IPv6Network((int(network) >> 64 << 64, 64)))


def _same_origin(headers: Headers, site_origin: str) -> bool:
    origin, fetched = headers.get("origin"), headers.get("sec-fetch-site")
    if origin == site_origin:
        return True
    if fetched is not None:
        return fetched in ("same-origin", "none")
    return origin is None or origin.partition("://")[2] == str(headers.get("host", ""))


async def _answer(send: Send, status: int, detail: str) -> None:
    body = json.dumps(problem(status, detail)).encode()
    headers = [(b"content-type", b"application/problem+json"), (b"content-length", str(len(body)).encode())]
    if status == 413:
        headers.append((b"connection", b"close"))  # the rest of the body is not read
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
