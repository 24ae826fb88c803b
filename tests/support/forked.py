"""Runs commands of `evaluate`, each in a process of its own that is forked from one that has imported what they need.

With a new interpreter for each, imports would be most of what a test with many commands does.  Where the way from the
first line of a program is the point, as for signals, tests start it themselves.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent.parent
_NEEDED = ("evaluate.operate.upkeep", "evaluate.store.submission", "evaluate.run.daemon")


class Forked:
    """Commands in the working directory and with the variables of when it was made; use it as a context.

    ``prefix``: words that begin the command, such as ``unshare``.
    """

    def __init__(self, prefix: Sequence[str] = ()) -> None:
        argv = [*prefix, sys.executable, "-W", "ignore", "-m", __name__]
        environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
        self._process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def __enter__(self) -> Forked:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(words) + "\n")
        self._process.stdin.flush()
        reply = self._process.stdout.readline()
        assert reply, f"ended before {words}"
        return subprocess.CompletedProcess(words, *json.loads(reply))


def _serve() -> None:
    from evaluate.__main__ import run

    for name in _NEEDED:
        import_module(name)
    gc.freeze()  # a search for cycles would copy all of it for each child
    with os.fdopen(os.dup(1), "w") as replies:
        for line in sys.stdin:
            with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
                if (child := os.fork()) == 0:
                    for number, file in (
                        (0, os.open(os.devnull, os.O_RDONLY)),
                        (1, stdout.fileno()),
                        (2, stderr.fileno()),
                    ):
                        os.dup2(file, number)
                    sys.argv = ["evaluate", *json.loads(line)]
                    run()  # which ends this process
                code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
                texts = [Path(f"/proc/self/fd/{file.fileno()}").read_text() for file in (stdout, stderr)]
                replies.write(json.dumps([code, *texts]) + "\n")
                replies.flush()


if __name__ == "__main__":
    _serve()
