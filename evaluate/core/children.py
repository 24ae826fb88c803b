"""Child processes that read what strangers made: bounded in time, memory and in what they write."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

_POLL_SECONDS = 0.1
_MEMORY_BYTES = 4 << 30
_MOST_SAID = 64 << 20
_TOO_LARGE = re.compile(rf"\bsignal {int(signal.SIGXFSZ)}\b|File too large")
"""What programs say that ignore the signal, or whose own child it ended."""
_Stream = int | IO[bytes]


class Exceeded(Exception):
    """A child reached a bound; the message says which, and the caller knows whose fault that is."""


class TooSlow(Exceeded):
    """It took longer than it may."""


@contextmanager
def started(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    seconds: float,
    most_bytes: int,
    stdout: _Stream,
    stderr: _Stream = subprocess.DEVNULL,
    stdin: _Stream = subprocess.DEVNULL,
) -> Iterator[subprocess.Popen[bytes]]:
    """A child with limits, killed with all it started if it still runs at the end.

    ``most_bytes`` bounds every single file that it writes, ``seconds`` its processor time.
    """
    wanted = {
        resource.RLIMIT_FSIZE: most_bytes,
        resource.RLIMIT_AS: _MEMORY_BYTES,
        resource.RLIMIT_CPU: max(1, int(seconds)),
        resource.RLIMIT_CORE: 0,
    }
    limits = [(which, _within(most, resource.getrlimit(which)[1])) for which, most in wanted.items()]

    def limit() -> None:
        for which, most in limits:
            resource.setrlimit(which, (most, most))

    with subprocess.Popen(
        list(argv),
        env=env,
        cwd=cwd,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,
        preexec_fn=limit,  # noqa: PLW1509  # system calls only; no thread holds what they need
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def _within(most: int, hard: int) -> int:
    return most if hard == resource.RLIM_INFINITY else min(most, hard)


def run(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    seconds: float,
    most_bytes: int,
    folder: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a child to its end; what it said is kept to 64 MiB, undecodable bytes as surrogates.

    Parameters
    ----------
    most_bytes : int
        Bound of every file that it writes, and of ``folder`` as a whole.

    Raises
    ------
    Exceeded
        It took longer or wrote more.
    """
    end = time.monotonic() + seconds
    with (
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
        started(argv, env=env, cwd=cwd, seconds=seconds, most_bytes=most_bytes, stdout=out, stderr=err) as process,
    ):
        while process.poll() is None:
            if time.monotonic() > end:
                raise TooSlow(f"did not end within {seconds:.0f} s")
            if folder is not None and _size(folder) > most_bytes:
                raise Exceeded(f"needs more than {most_bytes >> 20} MiB")
            try:
                process.wait(_POLL_SECONDS)
            except subprocess.TimeoutExpired:
                continue
        said = [_text(stream) for stream in (out, err)]
        if process.returncode == -signal.SIGXFSZ or _TOO_LARGE.search(said[1]):
            raise Exceeded(f"needs more than {most_bytes >> 20} MiB")
        if process.returncode == -signal.SIGXCPU:
            raise TooSlow(f"did not end within {seconds:.0f} s")
    return subprocess.CompletedProcess(list(argv), process.returncode, said[0], said[1])


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read(_MOST_SAID).decode(errors="surrogateescape")


def _size(folder: Path) -> int:
    total = 0
    for top, _, names in os.walk(folder):  # which passes over folders that vanish meanwhile
        for name in names:
            with suppress(FileNotFoundError):
                total += Path(top, name).lstat().st_size
    return total
