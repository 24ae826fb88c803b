from __future__ import annotations

from collections.abc import Iterator

from evaluate.protocol import messages
from evaluate.protocol.frames import FrameWriter


def speak(writer: FrameWriter) -> Iterator[bytes]:
    yield writer.pack(messages.encode(messages.Ready()))
    yield writer.pack(messages.encode(messages.Exited()))
