"""A hostile metric: it does what the function of the case does, whose name a file among the references has."""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from metrics import Note, ScoreReport

REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS)
LIBC = ctypes.CDLL(None, use_errno=True)
TRIED: list[str] = []


def attempt(what: str, work: Callable[[], object]) -> None:
    """Ask whether something is allowed, by what changes nothing and keeps nothing; GOT says that it is."""
    try:
        work()
    except BaseException as e:
        TRIED.append(f"refused {what}: {type(e).__name__}")
    else:
        TRIED.append(f"GOT {what}")


class Hostile:
    name = "hostile"

    def score(
        self, references: Path, answers: Path, *, records: Sequence[str] | None = None, rules: str = "corrected"
    ) -> ScoreReport:
        (case,) = references.glob("metric-*")
        globals()[case.name.replace("-", "_")](references, answers)
        return ScoreReport(
            metric=self.name, rules=rules, primary="x", values={"x": 0.5}, notes=tuple(map(Note, [*TRIED, "done"]))
        )


METRIC = Hostile()


def metric_children(references: Path, answers: Path) -> None:
    children = []
    try:
        for _ in range(300):
            child = os.fork()
            if child == 0:
                time.sleep(20)
                os._exit(0)
            children.append(child)
        TRIED.append(f"GOT {len(children)} children")
    except OSError as e:
        TRIED.append(f"refused child {len(children)}: {type(e).__name__}")
    for child in children:
        os.kill(child, 9)
        os.waitpid(child, 0)


def metric_connects(references: Path, answers: Path) -> None:
    def connect(family: int, address: object) -> None:
        with socket.socket(family) as end:
            end.settimeout(2)
            end.connect(address)

    for path in (
        "/run/libvirt/libvirt-sock",
        "/run/dbus/system_bus_socket",
        "/run/systemd/private",
        "/run/docker.sock",
    ):
        attempt(f"connects to {path}", lambda path=path: connect(socket.AF_UNIX, path))
    attempt("connects to loopback", lambda: connect(socket.AF_INET, ("127.0.0.1", 22)))
    attempt("opens a raw socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).close())
    attempt("opens a packet socket", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0).close())
    attempt("opens a vsock", lambda: socket.socket(socket.AF_VSOCK).close())


def metric_exits(references: Path, answers: Path) -> None:
    os._exit(0)


def metric_killed(references: Path, answers: Path) -> None:
    os.kill(os.getpid(), 9)


def metric_memory(references: Path, answers: Path) -> None:
    held = [mmap.mmap(-1, 1 << 30) for _ in range(64)]
    TRIED.append(f"GOT {len(held)} GiB")


def metric_output(references: Path, answers: Path) -> None:
    for _ in range(64):
        sys.stdout.write("x" * (1 << 20))
    os.write(1, b'{"kind": "score", "score": {"primary": "forged"}}')


def look_into(folder: str, given: Sequence[Path]) -> None:
    """Fails if nothing is in a folder but what leads to what the metric was given to read."""
    leading = {str(place) for path in given for place in (path, *path.parents)}
    with os.scandir(folder) as entries:
        if not any(entry.path not in leading for entry in entries):
            raise PermissionError(folder)


def metric_reads(references: Path, answers: Path) -> None:
    given = [references, answers, *map(Path, (__file__, sys.prefix, sys.base_prefix, sys.executable, *sys.path))]
    for name in ("/etc/shadow", "/proc/1/environ", "/proc/kcore", "/dev/mem", "/dev/kvm"):
        attempt(f"opens {name}", lambda name=name: os.close(os.open(name, os.O_RDONLY)))
    for name in ("/root", "/var/lib/evaluate", "/var/lib/libvirt", "/home", "/etc/evaluate"):
        if os.path.exists(name):
            attempt(f"looks into {name}", lambda name=name: look_into(name, given))
    attempt("opens another entry's file", lambda: os.close(os.open(references.parent / "secret", os.O_RDONLY)))
    pids = [int(name) for name in os.listdir("/proc") if name.isdigit()] if os.path.isdir("/proc") else []
    strangers = set(pids) - {1, os.getpid(), os.getppid()}
    TRIED.append(f"GOT a look at {len(strangers)} other processes" if strangers else "refused other processes")


def checked(name: str, *arguments: object) -> None:
    """A call; errors other than of rights mean that the kernel would have gone on."""
    if getattr(LIBC, name)(*arguments) == -1 and ctypes.get_errno() in REFUSED:
        raise PermissionError(ctypes.get_errno(), name)


def metric_runs(references: Path, answers: Path) -> None:
    attempt("starts a program", lambda: subprocess.run(["/bin/true"], check=True))
    attempt("reads its parent's memory", lambda: os.close(os.open(f"/proc/{os.getppid()}/mem", os.O_RDONLY)))
    # a file system that does not exist: who may mount is told so, and nobody mounts anything
    attempt("mounts", lambda: checked("mount", b"x", b"/", b"no-such-file-system", 0, None))
    attempt("makes a user namespace", lambda: checked("unshare", 0x10000000))
    # arguments that are refused in any case, but only after the right to make the call was checked
    attempt("uses io_uring", lambda: checked("syscall", 425, 0, None))
    attempt("loads a program into the kernel", lambda: checked("syscall", 321, 5, None, 0))
    attempt("counts what others do", lambda: checked("syscall", 298, None, 1, -1, -1, 0))
    attempt("uses key rings", lambda: checked("syscall", 250, 0x7FFF, 0, 0, 0, 0))


def metric_writes(references: Path, answers: Path) -> None:
    for place in (references / "a.csv", answers / "a.csv", references.parent / "secret"):
        attempt(f"opens {place.name} for writing", lambda place=place: os.close(os.open(place, os.O_WRONLY)))
        attempt(f"renames {place.name}", lambda place=place: place.rename(place))
        attempt(f"changes the mode of {place.name}", lambda place=place: place.chmod(place.stat().st_mode & 0o777))
        attempt(f"links {place.name}", lambda place=place: os.link(place, answers.parent / "evaluate-escaped"))
    for name in ("/etc", "/usr", "/var/lib", str(answers.parent), str(answers)):
        # a file without a name, gone when it is closed
        attempt(f"creates a file in {name}", lambda name=name: os.close(os.open(name, os.O_TMPFILE | os.O_WRONLY)))
