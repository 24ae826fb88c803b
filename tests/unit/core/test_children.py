"""Child processes with bounds."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from evaluate.core import children as bounded

ENVIRONMENT = {"PATH": os.environ["PATH"]}


def run(
    code: str, folder: Path, *, seconds: float = 60, most_bytes: int = 1 << 20, watched: Path | None = None
) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-I", "-c", code]
    return bounded.run(argv, env=ENVIRONMENT, cwd=folder, seconds=seconds, most_bytes=most_bytes, folder=watched)


def test_what_a_child_says_and_how_it_ends_are_kept(tmp_path: Path) -> None:
    code = "import sys; print('out'); sys.stderr.buffer.write(b'\\xff'); sys.exit(3)"
    done = run(code, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (3, "out\n", "\udcff")


def test_child_that_does_not_end_is_killed_with_its_own_children(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, time\n"
        "if os.fork() == 0:\n"
        "    pathlib.Path('child').write_text(str(os.getpid()))\n"
        "time.sleep(600)\n"
    )
    with pytest.raises(bounded.TooSlow, match="did not end within 1 s"):
        run(code, tmp_path, seconds=1)
    child = int((tmp_path / "child").read_text())
    with suppress(psutil.NoSuchProcess):  # it was sent the signal, and dies when it is its turn
        psutil.Process(child).wait(60)


def test_child_that_writes_too_much_is_killed(tmp_path: Path) -> None:
    with pytest.raises(bounded.Exceeded, match="needs more than 1 MiB"):
        run("open('big', 'wb', 0).write(bytes(1 << 20)); print('x' * (2 << 20))", tmp_path)
    assert (tmp_path / "big").stat().st_size == 1 << 20


def test_many_small_files_are_counted_together(tmp_path: Path) -> None:
    code = "import time\nfor n in range(9): open(str(n), 'wb').write(bytes(1 << 18))\ntime.sleep(600)"
    with pytest.raises(bounded.Exceeded, match="needs more than 1 MiB"):
        run(code, tmp_path, watched=tmp_path)


def test_child_cannot_take_all_memory(tmp_path: Path) -> None:
    done = run("bytearray(5 << 30)", tmp_path)
    assert done.returncode != 0
    assert done.stderr.endswith("MemoryError\n")
