"""HTTP as it arrives, by httptools, with bounds: on all that comes before a body, which it would keep in memory, on the
time in which a request arrives, and on connections.

Who connects and does not finish a request is disconnected after a time, and at once if too many others do the same: the
oldest goes first, so that those who do finish their requests always get in.  If there are too many connections of any
kind, whoever has the most of them loses the one that has been silent for longest.
"""

from __future__ import annotations

import asyncio
from ipaddress import ip_address
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from evaluate.web.request_limits import is_upload, network_of

MOST_HEAD_BYTES = 32 << 10
"""Of a request's first line and headers; what is read at once may be as much more."""
HEAD_SECONDS = 20.0
"""In which a request's head arrives, and then again a body that is no upload."""
BODY_SECONDS, LEAST_BYTES = 30.0, 30 << 10
"""Of an upload so many bytes arrive in so many seconds."""
_LINGER_SECONDS = 5.0
"""For which the rest of a request is still read that was answered before its end, so that the answer gets through."""
MOST_ARRIVING = 500
"""Connections whose request has not arrived, uploads apart; more end the oldest."""
MOST_OF_ADDRESS = 400
"""Connections of one network address; a proxy on this host has as many as it needs."""
MOST_CONNECTIONS = 1800
"""In all, also those that wait for the next request or for news; fewer than those at which `evaluate serve` refuses."""


class Bounded(HttpToolsProtocol):
    """One connection."""

    _in_head = True
    _ended = False
    """Whether a request has ended within what is being read."""
    _head = 0
    _came = 0
    """Bytes of an upload since its time was last looked at."""
    _deadline: asyncio.TimerHandle | None = None
    _all_came = True
    """Whether nothing is missing of the newest request."""
    _arriving: ClassVar[dict[Bounded, None]] = {}
    """Those whose request has not arrived, the oldest first."""
    _of_network: ClassVar[dict[str, dict[Bounded, None]]] = {}
    """All, by where they come from; first those that have been silent for longest."""

    def connection_made(self, transport: Any) -> None:
        """Somebody has connected."""
        super().connection_made(transport)
        self._network = network_of(self.client[0] if self.client else "")
        mine = self._of_network.setdefault(self._network, {})
        mine[self] = None
        if len(mine) > MOST_OF_ADDRESS and not _is_here(self._network):
            self._end()
            return
        if sum(map(len, self._of_network.values())) > MOST_CONNECTIONS:
            most = max(self._of_network.values(), key=len)
            next(iter(most))._end()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """They have gone."""
        self._leave()
        super().connection_lost(exc)

    def _end(self) -> None:
        """Disconnect at once; it does not count from now on, although it is lost a little later."""
        self._leave()
        self.transport.abort()

    def _leave(self) -> None:
        self._stop_waiting()
        mine = self._of_network.get(self._network, {})
        mine.pop(self, None)
        if not mine:
            self._of_network.pop(self._network, None)

    def on_message_begin(self) -> None:
        """The first bytes of a request have come."""
        self._in_head, self._all_came = True, False
        super().on_message_begin()
        self._wait()

    def on_headers_complete(self) -> None:
        """Its head has come."""
        self._in_head = False
        super().on_headers_complete()
        self._wait(upload=is_upload(self.scope["method"], self.scope["path"]))

    def on_message_complete(self) -> None:
        """All of it has come."""
        self._in_head, self._head, self._ended, self._all_came = True, 0, True, True
        self._stop_waiting()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """It is answered."""
        super().on_response_complete()
        if not self._all_came and not self.transport.is_closing():
            self._set_deadline(_LINGER_SECONDS, self.transport.close)

    def data_received(self, data: bytes) -> None:
        """Some bytes have come."""
        self._ended = False
        self._came += len(data)
        if self in (mine := self._of_network.get(self._network, {})):
            mine[self] = mine.pop(self)
        super().data_received(data)
        if self._deadline is None and not self._ended and not self.transport.is_closing():
            self._wait()  # bytes that begin no request
        if self._in_head and not self._ended:
            self._head += len(data)
            if self._head > MOST_HEAD_BYTES:
                self.send_400_response(f"expected at most {MOST_HEAD_BYTES} bytes before the body")

    def _wait(self, *, upload: bool = False) -> None:
        """Give the next part of a request its time."""
        self._arriving.pop(self, None)
        self._came = 0
        if upload:
            self._set_deadline(BODY_SECONDS, self._look)
            return
        self._set_deadline(HEAD_SECONDS, self.transport.close)
        self._arriving[self] = None
        if len(self._arriving) > MOST_ARRIVING:
            next(iter(self._arriving))._end()

    def _look(self) -> None:
        """Whether an upload still comes; what waits for our disk is not late."""
        if self._came >= LEAST_BYTES or self.flow.read_paused:
            self._wait(upload=True)
        else:
            self.transport.close()

    def _set_deadline(self, seconds: float, then: Any) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(seconds, then)

    def _stop_waiting(self) -> None:
        self._arriving.pop(self, None)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _is_here(network: str) -> bool:
    try:
        return ip_address(network.partition("/")[0]).is_loopback
    except ValueError:
        return True  # a socket of this machine
