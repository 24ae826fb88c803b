"""A process that holds a GPU until it is killed: ``python -m tests.support.gpu_holder FOLDER ADDRESS``."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evaluate.host.capacity import leased_gpus


@contextmanager
def gpu_held(folder: Path, address: str) -> Iterator[subprocess.Popen[str]]:
    """Another process of this machine that uses a GPU, such as ``evaluate try``."""
    argv = [sys.executable, "-m", "tests.support.gpu_holder", str(folder), address]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == f"{address}\n"
        try:
            yield holder
        finally:
            holder.kill()


if __name__ == "__main__":
    with leased_gpus("toy", 1, sys.argv[2:], Path(sys.argv[1])) as held:
        print(*held, flush=True)
        sys.stdin.read()
