"""Runs in a guest: tries to carry something from one record to the next, and shows what a record sees of earlier ones.

``look`` prints a JSON object with a value for each way; ``leave SECONDS`` uses all of them.  A way is closed if a look
after `leave` shows what a look before it showed.  Standard library only.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import json
import os
import socket
import sys
import time
from pathlib import Path

MARK = "left-by-another-record"
HOME, TEMPORARY, SHARED = (Path(folder) / MARK for folder in ("/home/challenge", "/tmp", "/dev/shm"))
KEPT, LARGE = Path("/home/challenge/here"), Path("/home/challenge/large")
"""Files that setup made; nothing but `leave` reads the second one."""
KEY = 0x5EED
CREATE = 0o1666
ADD_KEY, REQUEST_KEY, USER_RING = 248, 249, -4
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
QUEUE = f"/{MARK}".encode()


def pages_in_memory(path: Path) -> int:
    """Number of pages of its own file that the kernel has in its page cache."""
    size = path.stat().st_size
    with path.open("rb") as file:
        address = LIBC.mmap(None, ctypes.c_size_t(size), 1, 2, file.fileno(), ctypes.c_long(0))
    pages = (ctypes.c_ubyte * (-(-size // 4096)))()
    LIBC.mincore(ctypes.c_void_p(address), ctypes.c_size_t(size), pages)
    return sum(page & 1 for page in pages)


def answers() -> bool:
    """True if somebody listens at the abstract socket."""
    with socket.socket(socket.AF_UNIX) as end:
        return end.connect_ex(f"\0{MARK}") == 0


def locked(path: Path) -> bool:
    """True if somebody holds a lock on a file."""
    with path.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def others() -> list[str]:
    """Processes that are neither this one nor the init."""
    names = (path.name for path in Path("/proc").iterdir())
    return sorted(name for name in names if name.isdigit() and int(name) not in (1, os.getpid()))


def forks() -> int:
    """Number of processes that the machine has started."""
    lines = Path("/proc/stat").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("processes"))


def look() -> dict[str, object]:
    """Traces that this record sees, by the way on which they may have come."""
    return {
        "files": HOME.exists(),
        "temporary files": TEMPORARY.exists(),
        "shared memory files": SHARED.exists(),
        "SysV queue": LIBC.msgget(KEY, 0) != -1,
        "POSIX queue": LIBC.mq_open(QUEUE, 0) != -1,
        "key ring": LIBC.syscall(REQUEST_KEY, b"user", MARK.encode(), None, USER_RING) != -1,
        "background process": others(),
        "abstract socket": answers(),
        "file lock": locked(KEPT),
        "page cache": pages_in_memory(LARGE),
        "host name": socket.gethostname(),
        "time since the start": time.clock_gettime(time.CLOCK_BOOTTIME),
        "/proc": forks(),
    }


def leave(seconds: float) -> None:
    """Use every way; what is refused is no way."""
    for path in (HOME, TEMPORARY, SHARED):
        with contextlib.suppress(OSError):
            path.write_text(MARK)
    LIBC.msgget(KEY, CREATE)
    LIBC.mq_open(QUEUE, os.O_CREAT | os.O_RDWR, 0o666, None)
    LIBC.syscall(ADD_KEY, b"user", MARK.encode(), b"word", ctypes.c_size_t(4), USER_RING)
    with contextlib.suppress(OSError):
        socket.sethostname(MARK)
    LARGE.read_bytes()
    for _ in range(50):
        if os.fork() == 0:
            os._exit(0)
        os.wait()
    time.sleep(seconds)
    if os.fork() == 0:
        os.setsid()
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(f"\0{MARK}")
        listener.listen()
        fcntl.flock(KEPT.open(), fcntl.LOCK_EX)
        os.write(1, b"hidden\n")
        while True:
            listener.accept()
    time.sleep(1)


if __name__ == "__main__":
    if sys.argv[1] == "look":
        print(json.dumps(look()))
    else:
        leave(float(sys.argv[2]))
