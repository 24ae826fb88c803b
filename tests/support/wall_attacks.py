"""Attacks of a program inside the walls: each returns what it won, or fails with an OSError.

`every` is called behind walls, once as root's child and once as an ordinary user's.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

_LIBC = ctypes.CDLL(None, use_errno=True)
_AF_VSOCK = 40

CALLS: dict[str, tuple[int, ...]] = {
    "fork": (57,),
    "vfork": (58,),
    "clone": (56, signal.SIGCHLD, 0, 0, 0, 0),
    "clone into a new user namespace": (56, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0),
    "execveat": (322, -100, 0, 0, 0, 0),
    "ptrace: be traced": (101, 0, 0, 0, 0),
    "ptrace: attach to the parent": (101, 16, 1, 0, 0),
    "read memory of another process": (310, 1, 0, 0, 0, 0, 0),
    "write memory of another process": (311, 1, 0, 0, 0, 0, 0),
    "stop the parent": (62, 1, signal.SIGSTOP),
    "kill the parent": (62, 1, signal.SIGKILL),
    "kill everything": (62, -1, signal.SIGKILL),
    "kill a thread of another process": (234, 1, 1, signal.SIGKILL),
    "send a signal with a value": (129, 1, signal.SIGTERM, 0),
    "open a process": (434, 1, 0),
    "take an open file of a process": (438, 0, 0, 0),
    "mount": (165, 0, 0, 0, 0, 0),
    "unmount": (166, 0, 0),
    "change the root": (155, 0, 0),
    "chroot": (161, b"/dev"),
    "open a tree of mounts": (428, -100, b"/", 1),
    "move a mount": (429, 0, b"", -100, b"/", 4),
    "open a file system": (430, b"proc", 0),
    "change a mount": (442, -100, b"/", 0, 0, 0),
    "unshare the user namespace": (272, 0x10000000),
    "enter a namespace": (308, 0, 0),
    "io_uring": (425, 8, bytes(256)),
    "bpf": (321, 0, 0, 0),
    "perf_event_open": (298, 0, 0, -1, -1, 0),
    "userfaultfd": (323, 0),
    "keyring": (250, 0, -3, 1),
    "add a key": (248, b"user", b"a", b"b", 1, -3),
    "ask for a key": (249, b"user", b"a", 0, -3),
    "fanotify": (300, 0, 0),
    "inotify": (294, 0),
    "load a module": (175, 0, 0, 0),
    "load a module from a file": (313, 0, 0, 0),
    "kexec": (246, 0, 0, 0, 0),
    "reboot": (169, 0xFEE1DEAD, 672274793, 0, 0),
    "read the kernel's log": (103, 3, 0, 0),
    "accounting": (163, b"/dev/null"),
    "swap": (167, b"/dev/null", 0),
    "set the clock": (227, 0, bytes(16)),
    "adjust the clock": (159, bytes(256)),
    "name of the host": (170, b"x", 1),
    "ports of the machine": (172, 3),
    "local descriptor table": (154, 0, 0, 0),
    "personality": (135, 0x0040000),
    "a handle of a file": (303, -100, b"/", 0, 0, 0),
    "open by a handle": (304, 0, 0, 0),
    "become root": (105, 0),
    "root's group": (106, 0),
    "groups": (116, 1, bytes(4)),
    "capabilities": (126, bytes(8), bytes(24)),
    "ambient capabilities": (157, 47, 2, 21, 0, 0),
    "become dumpable": (157, 4, 1, 0, 0, 0),
    "what is in the page cache": (27, 0, 4096, 0),
    "shared memory": (29, 0, 4096, 0o1600),
    "messages": (68, 0, 0o1600),
    "semaphores": (64, 0, 1, 0o1600),
    "message queue": (240, b"q", 0o102, 0o600, 0),
    "a file in memory": (319, b"x", 0),
    "more limits": (160, 6, bytes(16)),
    "a device": (133, b"/dev/x", 0o020666, 1 << 8 | 3),
    "type into a terminal": (16, 0, 0x5412, b"x"),
}
"""Name -> number (x86-64) and arguments of a system call."""


def _call(words: tuple[object, ...]) -> str:
    result = _LIBC.syscall(*(ctypes.c_long(word) if isinstance(word, int) else word for word in words))
    if result < 0:
        number = ctypes.get_errno()
        if number not in (errno.EPERM, errno.ENOSYS):
            return f"the call reached the kernel, which said: {os.strerror(number)}"
        raise OSError(number, os.strerror(number))
    if words[0] in (56, 57, 58) and result == 0:
        os._exit(0)
    return f"the call returned {result}"


def _files(given: Path, secret: str) -> Iterator[tuple[str, Callable[[], object]]]:
    yield "read the passwords", lambda: Path("/etc/shadow").read_text()
    yield "read another entry", lambda: Path(secret).read_text()
    yield "list what is next to what is given", lambda: [p for p in given.parent.iterdir() if p != given] or _none()
    yield "read another process's environment", lambda: Path("/proc/1/environ").read_bytes()
    yield "read its own maps", lambda: Path("/proc/self/maps").read_text()
    yield "the state of devices", lambda: list(Path("/sys").iterdir())
    yield "services of the host", lambda: list(Path("/run").iterdir())
    yield "write over what is given", lambda: given.write_text("x")
    shared, writable = mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE
    yield "map what is given to write", lambda: mmap.mmap(os.open(given, os.O_RDONLY), 1, shared, writable)
    yield "truncate", lambda: os.truncate(given, 0)
    yield "unlink", given.unlink
    yield "rename", lambda: given.rename(given.with_name("x"))
    yield "chmod 4755", lambda: given.chmod(0o4755)
    yield "chown", lambda: os.chown(given, 0, 0)
    yield "time stamps", lambda: os.utime(given, (0, 0))
    yield "extended attributes", lambda: os.setxattr(given, "user.x", b"x")
    yield "hard link", lambda: given.with_name("x").hardlink_to(given)
    yield "symbolic link", lambda: Path("/x").symlink_to(given)
    for folder in ("/", "/tmp", "/dev", "/dev/shm", "/etc", "/usr", "/var/tmp", str(given.parent), str(Path.cwd())):
        yield f"create a file in {folder}", lambda folder=folder: Path(folder, "x").write_text("x")
        yield f"create a folder in {folder}", lambda folder=folder: Path(folder, "y").mkdir()
    yield "change the code of the product", lambda: Path(__file__).open("a").close()
    yield "change the interpreter's library", lambda: Path(os.__file__).open("r+").close()


def _none() -> object:
    raise FileNotFoundError("nothing")


def _rest() -> Iterator[tuple[str, Callable[[], object]]]:
    yield "exec", lambda: os.execv(sys.executable, [sys.executable, "-c", "pass"])
    yield "spawn", lambda: os.posix_spawn("/bin/true", ["true"], {})
    families = {
        "unix": socket.AF_UNIX, "inet": socket.AF_INET, "inet6": socket.AF_INET6, "netlink": socket.AF_NETLINK,
        "packet": socket.AF_PACKET, "alg": socket.AF_ALG, "vsock": _AF_VSOCK,
    }  # fmt: skip
    for name, family in families.items():
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
            yield f"a socket of family {name}, {kind!s}", lambda f=family, k=kind: socket.socket(f, k)
    yield "libvirt's socket", lambda: socket.socket(socket.AF_UNIX).connect("/run/libvirt/libvirt-sock")
    yield "this machine by TCP", lambda: socket.socket().connect(("127.0.0.1", 22))
    yield "a pair of sockets", socket.socketpair
    yield "2,000 threads", _threads


def _threads() -> str:
    stop = threading.Event()
    try:
        for _ in range(2000):
            threading.Thread(target=stop.wait, daemon=True).start()
    except RuntimeError as e:
        raise OSError(str(e)) from e
    finally:
        stop.set()
    return "2000 threads"


def _won(attacks: Iterable[tuple[str, Callable[[], object]]]) -> dict[str, str]:
    won = {}
    for name, attack in attacks:
        try:
            won[name] = f"won: {attack()}"
        except OSError:
            won[name] = ""
    return won


def every(given: Path, secret: str) -> dict[str, str]:
    """Try everything; what was tried -> what it won, or empty."""
    calls = [(name, lambda words=words: _call(words)) for name, words in CALLS.items()]
    return _won((*calls, *_files(given, secret), *_rest()))


def files(given: Path, secret: str) -> dict[str, str]:
    """Try what is tried with files."""
    return _won(_files(given, secret))


def seen() -> dict[str, list[str]]:
    """Files by folder, the open descriptors, and the variables of the environment."""
    places = {
        folder: sorted(p.name for p in Path(folder).iterdir())
        for folder in ("/", "/dev", "/etc")
        if Path(folder).is_dir()
    }
    descriptors = [str(fd) for fd in range(200) if _is_open(fd)]
    return {**places, "open": descriptors, "environment": sorted(os.environ)}


def _is_open(fd: int) -> bool:
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


def call_of_i386() -> int:
    """``getpid`` by the gate of 32-bit programs."""
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20; int 0x80; ret
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    return int(ctypes.CFUNCTYPE(ctypes.c_int)(address)())


def call_of_x32() -> int:
    return int(_LIBC.syscall(ctypes.c_long(0x40000000 + 39)))


def wait(ready: int, go: int) -> None:
    """Say that this process runs, and wait until it may end."""
    os.write(ready, b"x")
    os.read(go, 1)


def write_everywhere(folder: Path, outside: Path) -> dict[str, str]:
    """With a folder to write into: what can be done there, and outside."""
    (folder / "a").write_text("a")
    (folder / "deep").mkdir()
    (folder / "a").rename(folder / "deep" / "b")
    attacks = {
        "outside": lambda: (outside / "x").write_text("x"),
        "above": lambda: (folder / ".." / "x").write_text("x"),
        "link": lambda: (folder / "link").symlink_to(outside),
        "device": lambda: os.mknod(folder / "null", 0o020666, os.makedev(1, 3)),
        "pipe": lambda: os.mkfifo(folder / "pipe"),
        "move out": lambda: (folder / "deep" / "b").rename(outside / "b"),
    }
    return _won(attacks.items())


def start(program: str, words: list[str]) -> str:
    """Start a program; its output, or the error."""
    import subprocess

    try:
        done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    except OSError as e:
        return type(e).__name__
    return done.stdout
