"""Where a restored guest stands still, clock included, when it has rehearsed: the next thing it does is its command.

An emulator that has just been started translates each piece of the guest's code when it comes to it, which takes much
longer than what the code does.  So a guest that waits for its only command runs another one first, the same in every
guest, and then comes to an address where our plugin has it stand still: after the same number of instructions in every
guest that is restored from one snapshot.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path

from evaluate.core.errors import SandboxFault

GATE = "gate"
_SECONDS = 120.0


class Gate:
    """The gate of one guest.  Make it before QEMU starts; close it before the guest is destroyed."""

    def __init__(self, path: Path) -> None:
        """Listen. Raises SandboxFault if there can be no socket, as where the path is too long for one.

        ``path``: of the socket, in a folder that QEMU may not write to.
        """
        self.path = path
        self._end: socket.socket | None = None
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.settimeout(_SECONDS)
        try:
            self._listener.bind(str(self.path))
            self._listener.listen(1)
        except OSError as e:
            self._listener.close()
            raise SandboxFault(f"the guest's gate {self.path} cannot be made: {e}") from e

    def wait(self) -> None:
        """Return when the guest has stopped at the gate.

        Raises SandboxFault if it does not reach the gate in time, or it has ended.
        """
        try:
            self._end, _ = self._listener.accept()
            self._end.settimeout(_SECONDS)
            if not self._end.recv(1):
                raise SandboxFault("the guest ended while it rehearsed")
        except OSError as e:
            raise SandboxFault(f"expected that the guest has rehearsed within {_SECONDS:.0f} s: {e}") from e

    def open(self) -> None:
        """Let the guest go on; SandboxFault if it has ended."""
        assert self._end is not None
        try:
            self._end.sendall(b"g")
        except OSError as e:
            raise SandboxFault(f"the guest has ended while it waited for its command: {e}") from e

    def close(self) -> None:
        """Hang up, which also lets the guest go on: a QEMU whose processor stands still cannot end."""
        for end in (self._end, self._listener):
            if end is not None:
                with suppress(OSError):
                    end.close()
