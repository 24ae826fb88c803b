"""The monitor of a QEMU without libvirt, as `evaluate.sandbox.memory_medium` uses it; and one that was recorded."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

_SECONDS = 60.0


class Qmp:
    """The monitor behind a socket; what is said is noted."""

    def __init__(self, path: Path) -> None:
        self._end = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        deadline = time.monotonic() + _SECONDS
        while True:
            try:
                self._end.connect(str(path))
                break
            except OSError:
                assert time.monotonic() < deadline, f"no QEMU listens at {path}"
                time.sleep(0.01)
        self._lines = self._end.makefile("r")
        self.said: list[dict[str, Any]] = []
        self._lines.readline()  # QEMU's greeting
        self("qmp_capabilities")
        self.said.clear()

    def __call__(self, command: str, *, files: Sequence[int] = (), **arguments: Any) -> Any:
        """One command and its reply; events in between are left out."""
        order = json.dumps({"execute": command, "arguments": arguments}).encode()
        socket.send_fds(self._end, [order + b"\n"], list(files))
        while "return" not in (reply := json.loads(self._lines.readline())):
            assert "error" not in reply, reply
        self.said.append({"execute": command, "arguments": arguments, "return": reply["return"]})
        return reply["return"]

    def close(self) -> None:
        """Hang up."""
        self._lines.close()
        self._end.close()


class Recorded:
    """A monitor that says what a QEMU said before, if it is asked the same in the same order.

    A question that was asked again and again until its answer changed has the last answer at once.
    """

    def __init__(self, dialogue: Path, state: bytes) -> None:
        self._left = [json.loads(line) for line in dialogue.read_text().splitlines()]
        self._state = state
        self._pipe = -1
        self._threads: list[threading.Thread] = []
        self.taken = b""
        """The state of a guest that it was given."""

    def __call__(self, command: str, *, files: Sequence[int] = (), **arguments: Any) -> Any:
        """The reply of the record."""
        assert self._left, f"the recorded QEMU was not asked {command} any more"
        line = self._left.pop(0)
        asked, expected = (command, arguments), (line["execute"], line["arguments"])
        assert asked == expected, f"the recorded QEMU was asked {expected}, now {asked}"
        assert bool(files) == (command == "getfd")
        if command == "getfd":
            self._pipe = os.dup(files[0])
        elif command in ("migrate", "migrate-incoming"):
            work = threading.Thread(target=self._give if command == "migrate" else self._take, args=(self._pipe,))
            work.start()
            self._threads.append(work)
        return line["return"]

    def _give(self, end: int) -> None:
        with suppress(OSError), open(end, "wb") as stream:
            stream.write(self._state)

    def _take(self, end: int) -> None:
        with open(end, "rb") as stream:
            self.taken = stream.read()

    def close(self) -> None:
        """All of the record must have been said."""
        for thread in self._threads:
            thread.join()
        assert self._left == []
