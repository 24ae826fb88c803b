"""Attacks of a program inside the walls: each returns what it won, or fails with an OSError.

`every` is called behind walls, once as root's child and once as an ordinary user's.
"""

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

CALLS = """
fork vfork execveat ptrace process_vm_readv process_vm_writev kill tgkill rt_sigqueueinfo pidfd_open pidfd_getfd
mount umount2 pivot_root chroot open_tree move_mount fsopen mount_setattr unshare setns name_to_handle_at
open_by_handle_at io_uring_setup bpf perf_event_open userfaultfd keyctl add_key request_key fanotify_init inotify_init1
init_module finit_module kexec_load reboot syslog acct swapon clock_settime adjtimex sethostname iopl modify_ldt
personality setuid setgid setgroups capset setrlimit mincore shmget msgget semget mq_open memfd_create mknod
"""
"""System calls that are refused whatever they are asked for."""
ORDERS = {
    "clone: a process": (signal.SIGCHLD,),
    "clone: into a new user namespace": (0x10000000 | signal.SIGCHLD,),
    "prctl: ambient capabilities": (47, 2, 21),
    "prctl: become dumpable": (4, 1),
    "ioctl: type into a terminal": (0, 0x5412, b"x"),
}
"""System calls that are refused for what they are asked for: name and meaning -> arguments."""


def _call(name: str, number: int, *words: object) -> str:
    arguments = [ctypes.c_long(word) if isinstance(word, int) else word for word in (number, *words)]
    result = _LIBC.syscall(*arguments, *[ctypes.c_long(0)] * (6 - len(words)))
    if result < 0:
        error = ctypes.get_errno()
        if error not in (errno.EPERM, errno.ENOSYS):
            return f"the call reached the kernel, which said: {os.strerror(error)}"
        raise OSError(error, os.strerror(error))
    if name in ("clone", "fork", "vfork") and result == 0:
        os._exit(0)
    return f"the call returned {result}"


def _calls() -> Iterator[tuple[str, Callable[[], object]]]:
    library = ctypes.CDLL("libseccomp.so.2")
    for attempt, words in {**dict.fromkeys(CALLS.split(), ()), **ORDERS}.items():
        name = attempt.partition(":")[0]
        number = library.seccomp_syscall_resolve_name(name.encode())
        assert number >= 0, name
        yield attempt, lambda name=name, number=number, words=words: _call(name, number, *words)


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
    return _won((*_calls(), *_files(given, secret), *_rest()))


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
