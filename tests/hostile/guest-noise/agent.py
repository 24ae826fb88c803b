from __future__ import annotations

from collections.abc import Iterator

from evaluate.protocol.frames import FrameWriter


def speak(writer: FrameWriter) -> Iterator[bytes]:
    yield bytes(range(256)) * 100
