"""The programs of the host that building needs, and how they are called."""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from evaluate.core.errors import ImageFault

Progress = Callable[[str], None]
"""Is told one line for people at a time."""

DEBIAN_PACKAGES = {
    "apt-cache": "apt",
    "apt-config": "apt",
    "apt-get": "apt",
    "dpkg-deb": "dpkg",
    "gcc": "gcc",
    "gpgv": "gpgv",
    "mmdebstrap": "mmdebstrap",
    "newuidmap": "uidmap",
    "rdsquashfs": "squashfs-tools-ng",
    "sqfs2tar": "squashfs-tools-ng",
    "tar2sqfs": "squashfs-tools-ng",
    "unshare": "util-linux",
}
"""Program -> Debian package that has it."""

_HEARTBEAT_SECONDS = 5.0
_SHOWN_LINES = 15


def require(programs: Iterable[str]) -> None:
    """Raise an `ImageFault` that names every missing program and the Debian package to install."""
    missing = sorted(program for program in programs if shutil.which(program) is None)
    if missing:
        packages = sorted({DEBIAN_PACKAGES[program] for program in missing})
        raise ImageFault(
            f"not found on this machine: {', '.join(missing)}; install with: apt-get install {' '.join(packages)}"
        )


def run(
    argv: Sequence[str | Path], *, wish: str, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> bytes:
    """Standard output of a program that must succeed; ``wish`` says in an error what it was for."""
    require([str(argv[0])] if str(argv[0]) in DEBIAN_PACKAGES else [])
    done = subprocess.run(list(argv), stdin=subprocess.DEVNULL, capture_output=True, env=env, cwd=cwd, check=False)
    if done.returncode != 0:
        raise ImageFault(failure(wish, argv, done.returncode, done.stderr))
    return done.stdout


def failure(wish: str, argv: Sequence[str | Path], status: int, stderr: bytes) -> str:
    """The message about a program that failed: what it was for, and the end of what it said."""
    said = stderr.decode(errors="replace").strip().splitlines()[-_SHOWN_LINES:]
    ended = f"was killed by signal {-status}" if status < 0 else f"ended with exit status {status}"
    return "\n  ".join([f"{wish}: {argv[0]} {ended}", *said])


@contextmanager
def phase(progress: Progress, name: str) -> Iterator[None]:
    """Announce a phase, repeat its name while it lasts, and say how long it took."""
    start = time.monotonic()
    over = threading.Event()

    def heartbeat() -> None:
        while not over.wait(_HEARTBEAT_SECONDS):
            progress(f"{name} … {time.monotonic() - start:.0f} s")

    progress(f"{name} …")
    beating = threading.Thread(target=heartbeat, daemon=True)
    beating.start()
    try:
        yield
    finally:
        over.set()
        beating.join()
    progress(f"{name}: {time.monotonic() - start:.1f} s")
