"""A guest agent that lies at random.

It follows the conversation most of the time, so that its lies are met in every state of it.  Whatever it does, a
command ends with a `Run` whose numbers are in range or with a `SandboxFault`.
"""

from __future__ import annotations

import contextlib
import json
import math
import random
import socket
import struct
import threading
import time
from dataclasses import replace
from typing import Any, cast

from evaluate.core.errors import SandboxFault
from evaluate.core.model import Limits, Run
from evaluate.images.image import Image
from evaluate.protocol import messages
from evaluate.protocol.frames import MAGIC, Frame, FrameReader
from evaluate.sandbox.base import Command, Machine
from evaluate.sandbox.channel import Channel
from evaluate.sandbox.guest import Guest
from tests.support.fake_counter import FakeCounter, FakeReading

LIMITS = Limits(instructions=10**9, wall_seconds=0.05, answer_bytes=100)
COMMAND = Command(argv=("/bin/true",), collect=("a", "b"))
MOST_SECONDS = 60.0
"""Maximum seconds of one conversation, on a busy host too: deadlines are a few tenths of a second here."""
_VALUES: tuple[Any, ...] = (
    *(-1, 0, 1, 255, 256, 1 << 31, 1 << 50, (1 << 50) + 1, 1 << 64, 10**400, 1e308, -0.0, math.inf, math.nan),
    *(None, True, False, "", "x", "\ud800", "\x1b[2J", "x" * 5000, [], [None], [[]] * 9, {}, {"data": 3}, "missing"),
)
ENDED = messages.Ended(
    exit_code=0,
    signal=None,
    oom=False,
    forks_refused=0,
    memory_peak=5_000_000,
    output_bytes=8,
    stdout=b"out",
    stderr=b"error",
    disk_full=(),
    files=(messages.Collected(data=b"N", problem=""), messages.Collected(data=None, problem="missing")),
    gather_problem="",
)


class LyingAgent(threading.Thread):
    """Answers on its end of a socket pair until the host closes it."""

    def __init__(self, end: socket.socket, rng: random.Random) -> None:
        super().__init__(daemon=True)
        self._socket = end
        self._rng = rng
        self._nonce = b""
        self._sequence = 0

    def run(self) -> None:
        """Answer each message of the host, correctly or not."""
        reader = FrameReader(None)
        with contextlib.suppress(OSError), self._socket:
            while data := self._socket.recv(1 << 16):
                for frame in reader.feed(data):
                    self._nonce = reader.nonce or b""
                    self._answer(frame.kind)

    def _answer(self, kind: str) -> None:
        honest: dict[str, messages.Message] = {
            "hello": messages.Ready(),
            "run": messages.Started(),
            "go": messages.Exited(),
            "kill": messages.Exited(),
            "counted": replace(ENDED, memory_peak=self._rng.randrange(1 << 40)),
            "finish": messages.Finished(),
        }
        message = honest[kind]
        while self._rng.random() < 0.1:
            self._send(messages.encode(messages.Busy()))
        lie = self._rng.random()
        if lie < 0.6:
            self._send(messages.encode(message))
        elif lie < 0.65:
            message = self._rng.choice([*honest.values(), messages.AgentFault(message="\x1b[2J no disk")])
            self._send(messages.encode(message))
        elif lie < 0.9:
            self._send(self._changed(messages.encode(message)))
        elif lie < 0.93:
            self._socket.sendall(self._rng.randbytes(self._rng.randrange(200)))
        elif lie < 0.95:
            for _ in range(2000):
                self._send(messages.encode(messages.Busy()))
        elif lie < 0.97:
            self._socket.shutdown(socket.SHUT_RDWR)
        # otherwise it does not answer

    def _changed(self, frame: Frame) -> Frame:
        values: dict[str, Any] = json.loads(json.dumps(frame.values))
        for _ in range(self._rng.randrange(1, 3)):
            name = self._rng.choice([*values, "id", "kind"])
            if self._rng.random() < 0.15:
                values.pop(name, None)
            else:
                values[name] = self._rng.choice(_VALUES)
        blob = frame.blob if self._rng.random() < 0.8 else self._rng.randbytes(self._rng.randrange(20))
        return Frame(frame.kind, values, blob)

    def _send(self, frame: Frame) -> None:
        body = json.dumps({"kind": frame.kind, **frame.values}).encode()
        magic, sequence, n_json, n_blob = MAGIC, self._sequence, len(body), len(frame.blob)
        if self._rng.random() < 0.02:
            magic = b"EVL1"
        if self._rng.random() < 0.02:
            sequence = self._rng.choice([0, sequence + 1, (1 << 64) - 1])
        if self._rng.random() < 0.02:
            n_json, n_blob = self._rng.choice([(n_json - 1, n_blob), (1 << 31, 0), (n_json, 1 << 31), (n_json, 5000)])
        data = struct.pack(">4s16sQII", magic, self._nonce, sequence, n_json, n_blob) + body + frame.blob
        self._sequence += 1
        if self._rng.random() < 0.05:  # the bytes trickle in
            for i in range(0, min(len(data), 20)):
                self._socket.sendall(data[i : i + 1])
                time.sleep(0.001)
            data = data[20:]
        self._socket.sendall(data)


def converse(seed: int) -> list[Run | SandboxFault]:
    """One conversation of at most three commands; returns the outcome of each.

    Raises AssertionError if a number is out of range, or it took longer than the deadlines allow.
    """
    near, far = socket.socketpair()
    image = cast(Image, None)  # not used in the conversation
    agent = LyingAgent(far, random.Random(seed))
    agent.start()
    channel = Channel(near, silence=0.1)
    guest = Guest(channel, FakeCounter(), FakeReading(), exchange_seconds=0.2)
    outcomes: list[Run | SandboxFault] = []
    begin = time.monotonic()
    try:
        guest.greet(Machine(image=image), 0.2)
        for _ in range(3):
            outcomes.append(guest.run(COMMAND, LIMITS))
        guest.finish()
    except SandboxFault as e:
        str(e).encode()
        outcomes.append(e)
    finally:
        channel.close()
        agent.join()
    assert time.monotonic() - begin < MOST_SECONDS, f"seed {seed}: a conversation without an end"
    for run in outcomes:
        if isinstance(run, Run):
            check_run(run)
    return outcomes


def check_run(run: Run) -> None:
    """Check what must hold for every `Run`, even one reported by a liar."""
    assert 0 <= run.usage.memory_bytes <= 1 << 50 and type(run.usage.memory_bytes) is int
    assert 0 <= run.usage.output_bytes <= 1 << 50 and type(run.usage.output_bytes) is int
    assert run.exit_code is None or 0 <= run.exit_code <= 255
    assert run.signal is None or 1 <= run.signal <= 64
    assert run.files.keys() | run.problems.keys() <= set(COMMAND.collect)
    assert all(len(data) <= LIMITS.answer_bytes for data in run.files.values())
    run.detail.encode()
