from __future__ import annotations

from collections.abc import Iterator

from evaluate.protocol import messages
from evaluate.protocol.frames import FrameWriter


def speak(writer: FrameWriter) -> Iterator[bytes]:
    data = writer.pack(messages.encode(messages.Ready()))
    while True:
        yield data
