from __future__ import annotations

import time
from collections.abc import Iterator

from evaluate.protocol import messages
from evaluate.protocol.frames import FrameWriter


def speak(writer: FrameWriter) -> Iterator[bytes]:
    while True:
        yield writer.pack(messages.encode(messages.Busy()))
        time.sleep(0.01)
