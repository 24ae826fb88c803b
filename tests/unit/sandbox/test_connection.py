"""What needs no guest; `tests/functional/test_sandbox.py` has the rest."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from evaluate.sandbox.connection import kill

_DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); signal.pause()"


def test_qemu_ends_at_once_whatever_it_wants() -> None:
    with subprocess.Popen([sys.executable, "-c", _DEAF], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        kill(os.pidfd_open(process.pid))
        assert process.poll() == -signal.SIGKILL


def test_qemu_that_has_ended_is_left_alone() -> None:
    with subprocess.Popen(["true"]) as process:
        descriptor = os.pidfd_open(process.pid)
    kill(descriptor)
