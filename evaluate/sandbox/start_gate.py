"""Gate where a restored guest is paused, clock included: the next thing it does is its command.

Its agent comes to an address where our plugin pauses it, after the same number of instructions in every guest
that is restored from one snapshot.

What the guest needs for its command the plugin writes to its memory (``tcg_count.c``), since that may be a private
mapping of a file that many guests have in common (`evaluate.sandbox.memory_medium`).  QEMU gets this file here, too.
"""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from evaluate.core.errors import SandboxFault

GATE = "gate"
_SECONDS = 120.0
_PART = struct.Struct("=QQ")
"""Place in the guest's memory where the following bytes belong, and their number; 0 bytes: resume."""


class Gate:
    """The gate of one guest.  Make it before QEMU starts; close it before the guest is destroyed."""

    def __init__(self, path: Path, memory: int | None = None) -> None:
        """Listen. Raises SandboxFault if there can be no socket, as where the path is too long for one.

        * ``path``: of the socket, in a folder that QEMU may not write to.
        * ``memory``: a file that the first who connects gets: who starts QEMU, before the guest can do anything.
        """
        self.path = path
        self._end: socket.socket | None = None
        self._memory = memory
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._listener.bind(str(self.path))
            self._listener.listen(1)
        except OSError as e:
            self._listener.close()
            raise SandboxFault(f"the guest's gate {self.path} cannot be made: {e}") from e
        self._handing = threading.Thread(target=self._hand_over, name="handing a guest its memory", daemon=True)
        if memory is not None:
            self._handing.start()

    def _hand_over(self) -> None:
        assert self._memory is not None
        # without a time limit, with which Python polls: a listener that was shut down is always ready
        with suppress(OSError):  # without a connection QEMU has no memory, and does not start
            end, _ = self._listener.accept()
            with end:
                socket.send_fds(end, [b"m"], [self._memory])

    def wait(self) -> None:
        """Return when the guest has stopped at the gate.

        Raises SandboxFault if it does not reach the gate in time, or it has ended.
        """
        try:
            if self._memory is not None:
                self._handing.join(_SECONDS)  # QEMU runs, so it has its memory
            self._listener.settimeout(_SECONDS)
            self._end, _ = self._listener.accept()
            self._end.settimeout(_SECONDS)
            if not self._end.recv(1):
                raise SandboxFault("the guest ended before its command")
        except OSError as e:
            raise SandboxFault(f"expected that the guest is ready for its command within {_SECONDS:.0f} s: {e}") from e

    def open(self, parts: Iterable[tuple[int, bytes]] = ()) -> None:
        """Resume the guest; SandboxFault if it has ended.

        ``parts`` (int, bytes): what is written to its memory before, and where.
        """
        assert self._end is not None
        try:
            for offset, data in parts:
                self._end.sendall(_PART.pack(offset, len(data)))
                self._end.sendall(data)
            self._end.sendall(_PART.pack(0, 0))
        except OSError as e:
            raise SandboxFault(f"the guest has ended while it waited for its command: {e}") from e

    def close(self) -> None:
        """Hang up, which also resumes the guest: a QEMU whose processor is paused cannot end."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # ends what waits for it
        if self._memory is not None:
            self._handing.join()
        for end in (self._end, self._listener):
            if end is not None:
                with suppress(OSError):
                    end.close()
