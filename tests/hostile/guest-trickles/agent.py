from __future__ import annotations

import time
from collections.abc import Iterator

from evaluate.protocol import messages
from evaluate.protocol.frames import FrameWriter


def speak(writer: FrameWriter) -> Iterator[bytes]:
    for byte in writer.pack(messages.encode(messages.Ready())):
        yield bytes([byte])
        time.sleep(1)
