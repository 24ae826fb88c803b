"""Frames and messages of host and guest agent, and what each side refuses."""

import json
from contextlib import suppress
from dataclasses import fields, replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluate.protocol import messages
from evaluate.protocol.frames import MAX_JSON, NONCE_BYTES, Frame, FrameError, FrameReader, FrameWriter
from evaluate.protocol.messages import FROM_GUEST, FROM_HOST, Ended, Message, decode, encode
from tests.support import fake_sandbox

NONCE = bytes(range(NONCE_BYTES))
VALUES = st.dictionaries(st.text().filter(lambda key: key != "kind"), st.integers() | st.text() | st.none())
FRAMES = st.lists(st.builds(Frame, st.text(), VALUES, st.binary(max_size=200)), max_size=5)


@given(FRAMES, st.integers(1, 50))
def test_frames_arrive_as_they_were_sent_however_the_bytes_are_cut(frames: list[Frame], step: int) -> None:
    writer, reader = FrameWriter(NONCE), FrameReader(NONCE)
    data = b"".join(writer.pack(frame) for frame in frames)
    found = [frame for i in range(0, len(data), step) for frame in reader.feed(data[i : i + step])]
    assert found == frames


def test_header_with_a_changed_byte_gives_no_frame_but_one_of_a_shorter_blob() -> None:
    sent = FrameWriter(NONCE).pack(Frame("go", {"n": 1}, b"blob"))
    last = sent.index(b"{") - 1
    for position, value in product(range(last + 2), range(256)):
        data = sent[:position] + bytes([value]) + sent[position + 1 :]
        found = []
        with suppress(FrameError):
            found = FrameReader(NONCE).feed(data)
        left = value if position == last and value <= 4 else 4 if data == sent else -1
        assert found == ([Frame("go", {"n": 1}, b"blob"[:left])] if left >= 0 else []), (position, value)


def test_frame_that_is_too_large_is_not_sent_and_one_of_a_declared_length_refused_before_it_is_read() -> None:
    data = bytearray(FrameWriter(NONCE).pack(Frame("ended")))
    data[32:36] = b"\xff\xff\xff\xff"
    with pytest.raises(FrameError, match="at most 100"):
        FrameReader(NONCE, max_blob=100).feed(bytes(data[:36]))
    with pytest.raises(FrameError, match="too large to send"):
        FrameWriter(NONCE).pack(Frame("run", {"text": "x" * MAX_JSON}))


# messages


LIMITS = messages.Limits(memory_bytes=1 << 30, processes=64, output_bytes=1 << 20, answer_bytes=4096, answers_bytes=0)
ENDED = replace(
    fake_sandbox.ENDED,
    disk_full=("home", "tmp"),
    files=(*fake_sandbox.ENDED.files, messages.Collected(data=b"", problem="")),
)
RUN = messages.Run(
    argv=("/bin/cat", "\udcff"),  # a file name that is not UTF-8
    cwd="/",
    env={"A": "b"},
    stdin_entry=False,
    inputs={"/home/challenge/A01.hea": "records/A01.hea"},
    remove=(),
    collect=("a", "b"),
    keep=False,
    mounts={},
    output="",
    user=messages.User(uid=0, gid=65535),
    limits=LIMITS,
)
EXAMPLES: tuple[Message, ...] = (
    messages.Hello(layers=2, container=False, entry=True, records=True, answers=False, licence=(27000,), fresh=True),
    RUN,
    messages.Invoke(at_once=True),
    messages.Await(order=RUN),
    ENDED,
    messages.Awaiting(random_key_at=1 << 30),
    messages.AgentFault(message="OSError: no disk"),
    *(kind() for kind in (*FROM_HOST.values(), *FROM_GUEST.values()) if not fields(kind)),
)


@pytest.mark.parametrize("message", EXAMPLES, ids=lambda m: m.kind)
def test_message_arrives_as_it_was_sent(message: Message) -> None:
    data = FrameWriter(NONCE).pack(encode(message))
    (frame,) = FrameReader(None).feed(data)
    assert decode(frame, FROM_HOST if message.kind in FROM_HOST else FROM_GUEST) == message


def test_every_message_has_an_example_and_one_direction() -> None:
    assert {message.kind for message in EXAMPLES} == FROM_HOST.keys() | FROM_GUEST.keys()
    assert not FROM_HOST.keys() & FROM_GUEST.keys()
    with pytest.raises(FrameError, match="found 'go'"):
        decode(encode(messages.Go()), FROM_GUEST)


def changed(**values: Any) -> Frame:
    frame = encode(ENDED)
    return Frame("ended", {**frame.values, **values}, frame.blob)


def test_missing_field_is_refused() -> None:
    frame = encode(ENDED)
    del frame.values["output_bytes"]
    with pytest.raises(FrameError, match=r"missing fields \['output_bytes'\], unknown fields \[\]"):
        decode(frame, FROM_GUEST)


@pytest.mark.parametrize("value", [-1, 1e308, float("inf"), float("nan"), True, "1", None, [], {}, 1 << 64])
@pytest.mark.parametrize("field", ["memory_peak", "output_bytes", "forks_refused"])
def test_number_that_is_no_count_is_refused(field: str, value: Any) -> None:
    with pytest.raises(FrameError, match=f"ended.{field}: expected"):
        decode(changed(**{field: value}), FROM_GUEST)


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"killed": False}, r"ended: missing fields \[\], unknown fields \['killed'\]"),
        ({"exit_code": 256}, "exit_code: expected 0 to 255, found 256"),
        ({"exit_code": None}, "either an exit code or a signal"),
        ({"signal": 9}, "either an exit code or a signal"),
        ({"exit_code": None, "signal": 0}, "signal: expected 1 to 64"),
        ({"oom": 1}, "oom: expected bool, found int 1"),
        ({"disk_full": ["/etc"]}, "disk_full.0.: expected one of"),
        ({"disk_full": ["tmp"] * 4}, "expected a length of 0 to 3, found 4"),
        ({"disk_full": [["tmp"]]}, "expected one of"),
        ({"disk_full": "tmp"}, "expected list, found str"),
        ({"files": [{"problems": "x"}]}, r"files.0.: missing fields \[\], unknown fields \['problems'\]"),
        ({"files": [None]}, "files.0.: expected dict"),
        ({"files": [{"data": None, "problem": ""}] * 3}, "either data or a problem"),
        ({"stdout": 10**6}, "expected 1000000 bytes in the blob"),
        ({"stdout": -3}, "expected -3 bytes in the blob"),
        ({"stdout": 2}, "1 bytes of the blob belong to no field"),
        ({"gather_problem": "x" * 2000}, "expected a length of 0 to 1000"),
        ({"gather_problem": "\ud800"}, "expected text that UTF-8 can encode"),
    ],
)
def test_value_out_of_its_range_is_refused(values: dict[str, Any], problem: str) -> None:
    with pytest.raises(FrameError, match=problem):
        decode(changed(**values), FROM_GUEST)


def test_text_with_anything_in_it_becomes_a_sentence() -> None:
    text = messages.sentence("\udcff" + "x" * 5000)
    assert text.startswith("\\udcff")
    encode(messages.AgentFault(message=text))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(sorted(encode(ENDED).values)), JSON, max_size=3), st.binary(max_size=20))
def test_any_values_give_a_message_or_a_frame_error(values: dict[str, Any], more: bytes) -> None:
    frame = changed(**values)
    try:
        found = decode(Frame("ended", frame.values, frame.blob + more), FROM_GUEST)
    except FrameError:
        return
    assert isinstance(found, Ended)
    json.dumps(encode(found).values, allow_nan=False)


def test_message_that_would_be_refused_is_not_sent_and_what_its_sender_has_not_checked_not_taken() -> None:
    with pytest.raises(FrameError, match=r"hello\.layers: expected 0 to 64, found 65"):
        encode(replace(EXAMPLES[0], layers=65))  # type: ignore[call-arg]
    fault = messages.AgentFault(message="x" * (messages.MOST_SENTENCE + 1))
    frame = messages.encode(fault, checked=False)
    with pytest.raises(FrameError, match="expected a length of"):
        messages.decode(frame, messages.FROM_GUEST)
