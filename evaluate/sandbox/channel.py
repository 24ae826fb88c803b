"""The supervisor's end of the guest channel: frames over a socket, every wait with a deadline."""

from __future__ import annotations

import secrets
import select
import socket
import time
from pathlib import Path
from typing import Any

from evaluate.core.errors import SandboxFault
from evaluate.protocol.frames import NONCE_BYTES, Frame, FrameError, Reader, Writer

_CHUNK = 1 << 20


class Channel:
    """One conversation with one booted guest."""

    def __init__(self, path: Path, *, max_blob: int) -> None:
        nonce = secrets.token_bytes(NONCE_BYTES)
        self._writer = Writer(nonce)
        self._reader = Reader(nonce, max_blob=max_blob)
        self._arrived: list[Frame] = []
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(30)  # for sending: the guest always reads
        try:
            self._socket.connect(str(path))
        except OSError as e:
            self._socket.close()
            raise SandboxFault(f"the guest's channel {path} cannot be opened: {e}") from e

    def send(self, kind: str, **values: Any) -> None:
        """Send one frame."""
        try:
            self._socket.sendall(self._writer.pack(Frame(kind, values)))
        except OSError as e:
            raise SandboxFault(f"the guest took no {kind!r} frame: {e}") from e

    def receive(self, timeout: float) -> Frame | None:
        """The next frame, or None if none came within ``timeout`` seconds."""
        deadline = time.monotonic() + timeout
        while not self._arrived:
            left = deadline - time.monotonic()
            if not select.select([self._socket], [], [], max(0.0, left))[0]:
                if left <= 0:
                    return None
                continue
            try:
                data = self._socket.recv(_CHUNK)
                if not data:
                    raise SandboxFault("the guest closed its channel")
                self._arrived += self._reader.feed(data)
            except (OSError, FrameError) as e:
                raise SandboxFault(f"the guest's channel broke: {e}") from e
        return self._arrived.pop(0)

    def expect(self, kind: str, timeout: float, **values: Any) -> Frame:
        """The next frame, which must be of this kind and carry these values."""
        frame = self.receive(timeout)
        if frame is None:
            raise SandboxFault(f"the guest sent no {kind!r} within {timeout:.0f} s")
        return check(frame, kind, **values)

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


def check(frame: Frame, kind: str, **values: Any) -> Frame:
    """The frame, if it is of this kind and carries these values."""
    if frame.kind == "fault":
        raise SandboxFault(f"the guest agent gave up: {frame.values.get('message')}")
    if frame.kind != kind or any(frame.values.get(key) != value for key, value in values.items()):
        raise SandboxFault(f"expected a {kind!r} frame with {values}, found {frame.kind!r} {frame.values}")
    return frame
