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


def test_nonce_of_another_boot_is_refused() -> None:
    with pytest.raises(FrameError, match="another boot"):
        FrameReader(bytes(NONCE_BYTES)).feed(FrameWriter(NONCE).pack(Frame("ready")))


def test_first_nonce_is_adopted_and_then_kept() -> None:
    reader = FrameReader(None)
    reader.feed(FrameWriter(NONCE).pack(Frame("hello")))
    assert reader.nonce == NONCE
    with pytest.raises(FrameError, match="another boot"):
        reader.feed(FrameWriter(bytes(NONCE_BYTES)).pack(Frame("run")))


def test_repeated_frame_is_refused() -> None:
    data = FrameWriter(NONCE).pack(Frame("go"))
    with pytest.raises(FrameError, match="expected frame number 1, found 0"):
        FrameReader(NONCE).feed(data + data)


def test_declared_length_is_refused_before_anything_of_it_is_read() -> None:
    data = bytearray(FrameWriter(NONCE).pack(Frame("ended")))
    data[32:36] = b"\xff\xff\xff\xff"
    with pytest.raises(FrameError, match="at most 100"):
        FrameReader(NONCE, max_blob=100).feed(bytes(data[:36]))


def test_frame_that_is_too_large_is_not_sent() -> None:
    with pytest.raises(FrameError, match="too large to send"):
        FrameWriter(NONCE).pack(Frame("run", {"text": "x" * MAX_JSON}))


def test_deeply_nested_json_is_a_frame_error() -> None:
    writer = FrameWriter(NONCE)
    body = b"[" * 100_000
    header = writer.pack(Frame("x"))[:28] + len(body).to_bytes(4, "big") + bytes(4)
    with pytest.raises(FrameError, match="JSON"):
        FrameReader(NONCE).feed(header + body)
