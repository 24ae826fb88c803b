"""The host's end of the guest channel: messages over a socket, every wait with a deadline."""

from __future__ import annotations

import secrets
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from evaluate.core.errors import SandboxFault
from evaluate.core.waiting import readable
from evaluate.protocol import messages
from evaluate.protocol.frames import NONCE_BYTES, FrameError, FrameReader, FrameWriter
from evaluate.protocol.messages import AgentFault, Busy, Message

SILENCE_SECONDS = 60.0
"""A working agent sends `Busy` every few seconds; one that sends nothing for this long is dead."""
_SEND_SECONDS = 30.0
_LOOK_SECONDS = 0.002
_CHUNK = 1 << 20

M = TypeVar("M", bound=Message)


class Overdue(Exception):
    """The agent is alive and working, but has not finished by the deadline of the exchange."""


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """Point that a conversation has reached, so that it can be continued with a guest that is restored."""

    nonce: str
    """Hexadecimal."""
    sent: int = 0
    received: int = 0
    """Numbers of frames."""


class Channel:
    """One conversation with one guest, new or continued.  Closes the socket it is given."""

    def __init__(
        self,
        end: socket.socket,
        *,
        silence: float = SILENCE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        conversation: Conversation | None = None,
    ) -> None:
        conversation = conversation or Conversation(nonce=secrets.token_hex(NONCE_BYTES))  # with a guest that boots
        nonce = bytes.fromhex(conversation.nonce)
        self._writer = FrameWriter(nonce, conversation.sent)
        self._reader = FrameReader(nonce, number=conversation.received)
        self._nonce = conversation.nonce
        self._arrived: list[Message] = []
        self._silence = silence
        self._clock = clock
        self._socket = end
        self._socket.settimeout(_SEND_SECONDS)  # the guest always reads

    @classmethod
    def connect(
        cls, path: Path, clock: Callable[[], float] = time.monotonic, conversation: Conversation | None = None
    ) -> Channel:
        """Connect to the socket of a guest's port; SandboxFault if that fails."""
        end = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            end.connect(str(path))
        except OSError as e:
            end.close()
            raise SandboxFault(f"the guest's channel {path} cannot be opened: {e}") from e
        return cls(end, clock=clock, conversation=conversation)

    @property
    def conversation(self) -> Conversation:
        """Point that it has reached. Raises SandboxFault if the guest is sending something."""
        if self._arrived or not self._reader.between_frames:
            raise SandboxFault("the guest is not silent, so it cannot be saved")
        return Conversation(nonce=self._nonce, sent=self._writer.number, received=self._reader.number)

    def send(self, message: Message) -> None:
        """Send one message. Raises SandboxFault if the guest does not read, or as for `pack`."""
        data = self.pack(message)
        try:
            self._socket.sendall(data)
        except OSError as e:
            raise SandboxFault(f"the message {message.kind!r} cannot be sent to the guest: {e}") from e

    def pack(self, message: Message) -> bytes:
        """The next frame of the conversation, for a guest that gets it in another way.

        Raises SandboxFault if the message is larger than a frame.
        """
        try:
            return self._writer.pack(messages.encode(message))
        except FrameError as e:
            raise SandboxFault(f"the message {message.kind!r} cannot be sent to the guest: {e}") from e

    def receive(self, seconds: float) -> Message | None:
        """The next message, or None if none came within ``seconds``.

        Raises SandboxFault if the guest closed the channel, sent something that is not a message, or its agent reported
        a fault.
        """
        deadline = self._clock() + seconds
        while not self._arrived:
            left = deadline - self._clock()
            if not readable([self._socket.fileno()], left):
                if left <= 0:
                    return None
                continue
            try:
                data = self._socket.recv(_CHUNK)
                if not data:
                    raise SandboxFault("the guest closed its channel")
                frames = self._reader.feed(data)
                self._arrived += [messages.decode(frame, messages.FROM_GUEST) for frame in frames]
            except (OSError, FrameError) as e:
                raise SandboxFault(f"the guest's channel broke: {e}") from e
            if left <= 0 and not self._arrived:  # a guest that sends single bytes does not extend its time
                return None
        message = self._arrived.pop(0)
        if isinstance(message, AgentFault):
            raise SandboxFault(f"the guest agent gave up: {message.message}")
        return message

    def expect(self, kind: type[M], seconds: float) -> M:
        """The next message other than `Busy`; it must be of this kind.

        Raises Overdue if the deadline passed while the agent kept sending `Busy`. Raises SandboxFault if the agent sent
        nothing for `SILENCE_SECONDS` or until the deadline, or sent something else.

        * ``kind`` (type): one of the messages from the guest.
        * ``seconds``: deadline of the whole exchange.
        """
        self._wait(repr(kind.kind), seconds, self._silence, lambda: False)
        return check(self._arrived.pop(0), kind)

    def wait_for_mark(self, sign: Callable[[], bool], seconds: float) -> float:
        """Return at the sign of a command's mark, or a message other than `Busy`, which stays; raises as `expect`.

        Returns the time when it was last looked for in vain.

        ``sign``: looked for every `_LOOK_SECONDS`.
        """
        return self._wait("a command's mark", seconds, _LOOK_SECONDS, sign)

    def _wait(self, what: str, seconds: float, longest: float, sign: Callable[[], bool]) -> float:
        now = looked = heard = self._clock()
        deadline, was_busy = now + seconds, False
        while not sign():
            looked = now
            if looked >= deadline and was_busy:
                raise Overdue(f"no {what} within {seconds:.0f} s")
            if looked >= deadline:
                raise SandboxFault(f"expected {what} from the guest within {seconds:.0f} s, heard nothing")
            if looked >= heard + self._silence:
                raise SandboxFault(f"expected {what} from the guest, heard nothing for {self._silence:.0f} s")
            message = self.receive(min(deadline, heard + self._silence, looked + longest) - looked)
            if message is not None and not isinstance(message, Busy):
                self._arrived.insert(0, message)
                break
            now = self._clock()
            if message is not None:
                was_busy, heard = True, now
        return looked

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


def check(message: Message, kind: type[M]) -> M:
    """The message, if it is of this kind; SandboxFault otherwise."""
    if not isinstance(message, kind):
        raise SandboxFault(f"expected {kind.kind!r} from the guest, found {message.kind!r}")
    return message
