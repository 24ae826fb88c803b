from __future__ import annotations

import os
import struct


def taken_over(request: dict, secret: str) -> object:
    name = f"../private/../../{os.path.basename(secret)}".encode()
    data = b"taken over"
    stream = struct.pack("<I", len(name)) + name + struct.pack("<I", len(data)) + data + bytes(8)
    os.write(request["arguments"][-1], stream)
    return None if len(request["arguments"]) > 3 else []
