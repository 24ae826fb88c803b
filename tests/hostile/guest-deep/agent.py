from __future__ import annotations

from collections.abc import Iterator

from evaluate.protocol.frames import Frame, FrameWriter


def speak(writer: FrameWriter) -> Iterator[bytes]:
    ready = writer.pack(Frame("ready", {"x": 0}))
    yield ready[:-2] + b"[" * 100_000
