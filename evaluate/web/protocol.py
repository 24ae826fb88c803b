"""HTTP as it arrives: by httptools, with a bound on all that comes before a body, which it would keep in memory."""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD_BYTES = 32 << 10
"""Of a request's first line and headers; what is read at once may be as much more."""


class Bounded(HttpToolsProtocol):
    """One connection."""

    _in_head = True
    _ended = False
    """Whether a request has ended within what is being read."""
    _head = 0

    def on_headers_complete(self) -> None:
        """Its head has come."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """All of it has come."""
        self._in_head, self._head, self._ended = True, 0, True
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        """Some bytes have come."""
        self._ended = False
        super().data_received(data)
        if self._in_head and not self._ended:
            self._head += len(data)
            if self._head > MOST_HEAD_BYTES:
                self.send_400_response(f"expected at most {MOST_HEAD_BYTES} bytes before the body")
