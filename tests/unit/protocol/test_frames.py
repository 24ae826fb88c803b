"""The framing of the guest channel."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluate.protocol.frames import MAX_JSON, NONCE_BYTES, Frame, FrameError, FrameReader, FrameWriter

NONCE = bytes(range(NONCE_BYTES))
VALUES = st.dictionaries(st.text().filter(lambda key: key != "kind"), st.integers() | st.text() | st.none())
FRAMES = st.lists(st.builds(Frame, st.text(), VALUES, st.binary(max_size=200)), max_size=5)


@given(FRAMES, st.integers(1, 50))
def test_frames_arrive_as_they_were_sent_however_the_bytes_are_cut(frames: list[Frame], step: int) -> None:
    writer, reader = FrameWriter(NONCE), FrameReader(NONCE)
    data = b"".join(writer.pack(frame) for frame in frames)
    found = [frame for i in range(0, len(data), step) for frame in reader.feed(data[i : i + step])]
    assert found == frames


@given(st.integers(0, 36), st.integers(0, 255))
def test_changed_header_never_gives_another_frame(position: int, value: int) -> None:
    data = bytearray(FrameWriter(NONCE).pack(Frame("go", {"n": 1}, b"blob")))
    if data[position] == value:
        return
    data[position] = value
    try:
        found = FrameReader(NONCE).feed(bytes(data))
    except FrameError:
        return
    assert found == [] or found != [Frame("go", {"n": 1}, b"blob")]


def test_declared_length_is_refused_before_anything_of_it_is_read() -> None:
    data = bytearray(FrameWriter(NONCE).pack(Frame("ended")))
    data[32:36] = b"\xff\xff\xff\xff"
    with pytest.raises(FrameError, match="at most 100"):
        FrameReader(NONCE, max_blob=100).feed(bytes(data[:36]))


def test_frame_that_is_too_large_is_not_sent() -> None:
    with pytest.raises(FrameError, match="too large to send"):
        FrameWriter(NONCE).pack(Frame("run", {"text": "x" * MAX_JSON}))
