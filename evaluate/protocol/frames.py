"""The frames between host and guest agent: pure functions on bytes.

A frame is a fixed header, a JSON object and a blob::

    magic 4 | nonce 16 | sequence u64 | JSON bytes u32 | blob bytes u32 | JSON | blob        (big endian)

* The host draws the nonce for every boot, and the guest learns it from the first frame: frames of another boot,
  or of a program that found the port, are refused.  A guest that is restored from a saved one continues its
  conversation, with its nonce and its numbers.
* Each side numbers its own frames 0, 1, 2, …; a lost, repeated or late frame is refused.
* Every length is checked against a bound before anything of that length is read or allocated.

A side that receives a bad frame does not try to recover: the guest is destroyed.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from typing import Any

MAGIC = b"EVL3"
"""The digit is the version of the messages: a side with another version is refused at its first bytes."""
NONCE_BYTES = 16
MAX_JSON = 1 << 20
MAX_BLOB = 64 << 20

_HEADER = struct.Struct(">4s16sQII")


class FrameError(Exception):
    """The received bytes are not the expected frame of this boot, or the frame is not a message."""


@dataclass(frozen=True)
class Frame:
    """One message before it is decoded: its kind, its JSON values and its bytes."""

    kind: str
    values: dict[str, Any] = field(default_factory=dict)
    blob: bytes = b""


def pack(frame: Frame, nonce: bytes, number: int) -> bytes:
    """The bytes of a frame; FrameError if it is too large."""
    body = _ENCODER.encode({"kind": frame.kind, **frame.values}).encode()
    if len(body) > MAX_JSON or len(frame.blob) > MAX_BLOB:
        raise FrameError(
            f"frame {frame.kind!r} is too large to send: {len(body)} bytes of JSON (at most {MAX_JSON}), "
            f"blob of {len(frame.blob)} (at most {MAX_BLOB})"
        )
    return _HEADER.pack(MAGIC, nonce, number, len(body), len(frame.blob)) + body + frame.blob


class FrameWriter:
    """Numbers and packs the frames of one side."""

    def __init__(self, nonce: bytes, number: int = 0) -> None:
        if len(nonce) != NONCE_BYTES:
            raise ValueError(f"a nonce of {len(nonce)} bytes, expected {NONCE_BYTES}")
        self._nonce = nonce
        self.number = number
        """Of the next frame."""

    def pack(self, frame: Frame) -> bytes:
        """The bytes of the next frame."""
        packed = pack(frame, self._nonce, self.number)
        self.number += 1
        return packed


class FrameReader:
    """Collects bytes as they arrive and returns complete frames from the other side.

    With ``nonce=None`` the nonce of the first frame is adopted.
    """

    def __init__(self, nonce: bytes | None, *, max_blob: int = MAX_BLOB, number: int = 0) -> None:
        self.nonce = nonce
        self._max_blob = max_blob
        self.number = number
        """Of the next frame."""
        self._buffer = bytearray()

    @property
    def between_frames(self) -> bool:
        """True if no frame has arrived in part."""
        return not self._buffer

    def feed(self, data: bytes) -> list[Frame]:
        """Frames completed by these bytes.

        Raises FrameError if magic, nonce, sequence number, length or JSON are wrong. Nothing after it can be trusted.
        """
        self._buffer += data
        frames = []
        while (frame := self._next()) is not None:
            frames.append(frame)
        return frames

    def _next(self) -> Frame | None:
        if len(self._buffer) < _HEADER.size:
            return None
        magic, nonce, sequence, n_json, n_blob = _HEADER.unpack_from(self._buffer)
        if magic != MAGIC:
            raise FrameError(f"expected the frame magic {MAGIC!r}, found {magic!r}")
        if self.nonce is None:
            self.nonce = nonce
        if nonce != self.nonce:
            raise FrameError("the frame carries the nonce of another boot")
        if sequence != self.number:
            raise FrameError(f"expected frame number {self.number}, found {sequence}")
        if n_json > MAX_JSON or n_blob > self._max_blob:
            raise FrameError(
                f"frame {sequence} declares {n_json} bytes of JSON (at most {MAX_JSON}) "
                f"and a blob of {n_blob} (at most {self._max_blob})"
            )
        end = _HEADER.size + n_json + n_blob
        if len(self._buffer) < end:
            return None
        body = bytes(self._buffer[_HEADER.size : _HEADER.size + n_json])
        blob = bytes(self._buffer[_HEADER.size + n_json : end])
        del self._buffer[:end]
        self.number += 1
        return Frame(*_values(body), blob)


def _values(body: bytes) -> tuple[str, dict[str, Any]]:
    try:
        values = _DECODER.decode(body.decode())
    except (ValueError, RecursionError) as e:
        raise FrameError(f"the frame's JSON cannot be read: {e}") from e
    if not isinstance(values, dict) or not isinstance(values.get("kind"), str):
        raise FrameError("the frame's JSON is not an object with a string 'kind'")
    return values.pop("kind"), values


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a JSON number")


# made once: in the guest that takes longer than what they read and write
_ENCODER = json.JSONEncoder(separators=(",", ":"))
_DECODER = json.JSONDecoder(parse_constant=_refuse)
