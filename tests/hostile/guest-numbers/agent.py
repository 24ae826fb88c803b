from __future__ import annotations

from collections.abc import Iterator

from evaluate.protocol import messages
from evaluate.protocol.frames import Frame, FrameWriter


def speak(writer: FrameWriter) -> Iterator[bytes]:
    yield writer.pack(messages.encode(messages.Ready()))
    yield writer.pack(messages.encode(messages.Started()))
    yield writer.pack(messages.encode(messages.Exited()))
    yield writer.pack(Frame("ended", {"exit_code": -1, "signal": 1e308, "memory_peak": 10**400, "output_bytes": -5}))
