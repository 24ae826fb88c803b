"""Where a command of the entry runs, as a plan that `keeper.c` carries out.

It has a control group, namespaces and a root of its own; the chain of processes is that of `keeper.c`.  Everything is
imported before a root changes, because a later import would read the entry's files.  Standard library only; x86-64
Linux.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

import kernel
from kernel import (
    MS_BIND,
    MS_NOATIME,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_RDONLY,
    MS_REMOUNT,
    call,
)

from evaluate.protocol.answers import FILE_HEADER, MOST_FILES, MOST_NAME_BYTES
from evaluate.protocol.guest import GID, HOME, OWNER_SHIFT, OWNERS, PROBE, UID

DISKS = "/run/evaluate/disk"
LAYERS = "/run/evaluate/layer"
MEDIUM = "/run/evaluate/medium"
ROOT = "/run/evaluate/root"
KEEPER = "/run/evaluate/keeper"
PROBE_FILE = "/run/evaluate/probe"
CGROUPS = "/sys/fs/cgroup"
FROZEN = "/run/evaluate/frozen"
COUNTERS = (
    *("stat", "vmstat", "interrupts", "softirqs", "diskstats"),
    *("loadavg", "schedstat", "zoneinfo", "buddyinfo", "slabinfo"),
)
"""Files of /proc that count what the whole machine has done: a command sees them as they were at the boot, since one
could otherwise tell which command it is, or leave a number for the next one."""
_MOST_FORGOTTEN = 2000
"""Files of an entry that are forgotten one by one; above, all files of the machine are."""

_ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": HOME,
    "USER": "challenge",
    "LOGNAME": "challenge",
    "SHELL": "/bin/bash",
    "LANG": "C.UTF-8",
    "TERM": "dumb",
    # the same command always takes the same path
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
}
_DEVICES = {
    "null": (1, 3),
    "zero": (1, 5),
    "full": (1, 7),
    "random": (1, 8),
    "urandom": (1, 9),
    "tty": (5, 0),
}

Step = tuple[str | int, ...]
"""One thing that the keeper does to a file system: what, path, and the arguments that `keeper.c` reads for it."""


def _mount(source: str, target: str, kind: str, flags: int, options: str = "") -> Step:
    return ("mount", target, source, kind, flags, options)


@dataclass(frozen=True)
class Place:
    """The folders of one command on the writable disks."""

    keep: bool
    """Whether it writes to the folders that all later commands see."""
    n_layers: int
    base: bool = True
    """Whether the image of the machine is below the layers; a container has only its own layer."""
    mounts: Mapping[str, str] = field(default_factory=dict)
    """Folder as the command sees it -> folder on the medium, read-only."""
    output: str = ""
    """An empty folder, as the command sees it, that its user may write to."""
    owner: int = UID
    """User and group, outside any user namespace, that own the command's folders."""
    forgets: bool = False
    """Whether what is in memory of the entry's files is dropped after it."""
    frozen: Sequence[str] = ()
    """Those of `COUNTERS` that this kernel has; see `freeze_counters`."""
    name: str = "run"
    """Name of its scratch folders and its control group; the same for every command, since a command could read it."""

    @property
    def scratch(self) -> list[str]:
        """What is removed after the command."""
        disks = ("tmp",) if self.keep else ("root", "home", "tmp")
        return [f"{DISKS}/{disk}/{self.name}" for disk in disks]

    @property
    def group(self) -> str:
        """The folder of its control group."""
        return f"{CGROUPS}/{self.name}"

    def folders(self) -> list[Step]:
        """Create the folders that the command will write to."""
        steps: list[Step] = [("mkdir", path, 0o755) for path in self.scratch]
        steps += [("mkdir", f"{DISKS}/tmp/{self.name}/{folder}", 0o1777) for folder in ("tmp", "var-tmp")]
        if self.keep:
            return steps
        steps += [("mkdir", f"{DISKS}/{disk}/{self.name}/work", 0o755) for disk in ("root", "home")]
        upper = f"{DISKS}/root/{self.name}/upper"
        steps.append(("mkdir", upper, 0o755))
        if not self.base:
            steps.append(("chown", upper, OWNER_SHIFT, OWNER_SHIFT))
        upper = f"{DISKS}/home/{self.name}/upper"
        home = os.stat(f"{DISKS}/home/kept")  # the merged folder has the upper one's owner and mode
        steps += [("mkdir", upper, stat.S_IMODE(home.st_mode)), ("chown", upper, home.st_uid, home.st_gid)]
        if self.output:
            output = f"{DISKS}/home/{self.name}/output"
            steps += [("mkdir", output, 0o755), ("chown", output, self.owner, self.owner)]
        return steps

    def root(self) -> list[Step]:
        """Build the command's root at `ROOT`, in a new mount namespace."""
        lower = [*(f"{LAYERS}/{i}" for i in range(self.n_layers)), *(["/"] if self.base else [])]
        if self.keep:
            upper, work = f"{DISKS}/root/kept", f"{DISKS}/root/work"
        else:
            lower.insert(0, f"{DISKS}/root/kept")
            upper, work = f"{DISKS}/root/{self.name}/upper", f"{DISKS}/root/{self.name}/work"
        steps = [_overlay(ROOT, lower, upper, work, lasting=self.keep)]
        if not self.base:
            pass  # a container has its own home
        elif self.keep:
            steps.append(_mount(f"{DISKS}/home/kept", ROOT + HOME, "", MS_BIND))
        else:
            scratch = f"{DISKS}/home/{self.name}"
            upper, work = f"{scratch}/upper", f"{scratch}/work"
            steps.append(_overlay(ROOT + HOME, [f"{DISKS}/home/kept"], upper, work, lasting=False))
        steps.append(_mount(f"{DISKS}/tmp/{self.name}/tmp", f"{ROOT}/tmp", "", MS_BIND))
        steps.append(_mount(f"{DISKS}/tmp/{self.name}/var-tmp", f"{ROOT}/var/tmp", "", MS_BIND))
        steps += _devices(f"{ROOT}/dev")
        if self.base:
            steps.append(_mount("run", f"{ROOT}/run", "tmpfs", MS_NOSUID | MS_NODEV, "size=16m,mode=755"))
        for target, source in self.mounts.items():
            steps += _bind(f"{MEDIUM}/{source}", target)
            flags = MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NODEV | MS_NOSUID
            steps.append(_mount("", ROOT + target, "", flags))
        if self.output:
            steps += _bind(f"{DISKS}/home/{self.name}/output", self.output)
        steps.append(_mount("proc", f"{ROOT}/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC))
        steps += [_mount(f"{FROZEN}/{name}", f"{ROOT}/proc/{name}", "", MS_BIND) for name in self.frozen]
        return steps

    @property
    def after(self) -> list[Step]:
        """What is done when the folders are gone.

        What the kernel has in memory of a file tells whether a command has read it, page by page, but it shows that
        only to the file's owner.  What belongs to root stays in memory: programs start several times as fast.
        """
        if not self.forgets:
            return []
        if not self.base:
            return [("write", "/proc/sys/vm/drop_caches", 1)]  # a container's user owns all of its files
        return [("forget", f"{DISKS}/{disk}/kept", _MOST_FORGOTTEN) for disk in ("root", "home")]


def freeze_counters(proc: str = "/proc") -> list[str]:
    """Copy the files of `COUNTERS` as they are now; returns the names of those that exist."""
    os.makedirs(FROZEN, exist_ok=True)
    found = []
    for name in COUNTERS:
        with contextlib.suppress(FileNotFoundError), open(f"{proc}/{name}", "rb") as now:
            with open(f"{FROZEN}/{name}", "wb") as copy:
                copy.write(now.read())
            os.chmod(f"{FROZEN}/{name}", stat.S_IMODE(os.fstat(now.fileno()).st_mode))
            found.append(name)
    return found


def _bind(source: str, target: str) -> list[Step]:
    """Mount ``source`` at a folder of the top level, which is created if it does not exist."""
    if os.path.dirname(target) != "/":
        raise OSError(errno.ELOOP, "not a folder of the top level", target)
    return [("top", ROOT + target), _mount(source, ROOT + target, "", MS_BIND)]


def _overlay(target: str, lower: Sequence[str], upper: str, work: str, *, lasting: bool) -> Step:
    # redirect_dir: a program may rename a folder of a lower layer, as on any disk
    options = f"redirect_dir=on,lowerdir={':'.join(lower)},upperdir={upper},workdir={work}"
    if not lasting:
        options += ",volatile"  # discarded files need not reach the disk
    return _mount("overlay", target, "overlay", MS_NODEV | MS_NOSUID | MS_NOATIME, options)


def _devices(dev: str) -> list[Step]:
    return [
        _mount("dev", dev, "tmpfs", MS_NOSUID, "size=64k,mode=755"),
        *(("device", f"{dev}/{name}", major, minor) for name, (major, minor) in _DEVICES.items()),
        ("mkdir", f"{dev}/pts", 0o755),
        ("mkdir", f"{dev}/shm", 0o755),
        _mount("pts", f"{dev}/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620"),
        _mount("shm", f"{dev}/shm", "tmpfs", MS_NOSUID | MS_NODEV, "size=256m,mode=1777"),
        ("symlink", f"{dev}/ptmx", "pts/ptmx"),
        ("symlink", f"{dev}/fd", "/proc/self/fd"),
        ("symlink", f"{dev}/stdin", "/proc/self/fd/0"),
        ("symlink", f"{dev}/stdout", "/proc/self/fd/1"),
        ("symlink", f"{dev}/stderr", "/proc/self/fd/2"),
    ]


@dataclass(frozen=True)
class Task:
    """The command to run."""

    argv: Sequence[str]
    cwd: str
    env: Mapping[str, str]
    inputs: Mapping[str, str]
    """Path as the command sees it -> path on the medium."""
    remove: Sequence[str]
    stdin: str
    """A path that the agent, not the command, opens."""
    collect: Sequence[str] = ()
    """Files to fetch when it has ended, as the command sees them."""
    user: tuple[int, int] | None = None
    """User and group inside a container, which has its own user namespace; None: ``challenge``."""


@dataclass(frozen=True)
class Bounds:
    """What the keeper enforces; see `evaluate.protocol.messages.Limits`."""

    memory_bytes: int
    processes: int
    """Init included."""
    output_bytes: int
    answer_bytes: int


@dataclass(frozen=True)
class Frames:
    """The frames that the keeper sends and expects; it changes only their numbers."""

    started: bytes
    """Empty: the command starts at once, and `go` is not waited for."""
    exited: bytes
    busy: bytes
    go: bytes
    kill: bytes


def plan(place: Place, task: Task, bounds: Bounds, frames: Frames) -> bytes:
    """All that the keeper has to know; ValueError if a name cannot be one.  The order is that of ``main`` in
    `keeper.c`."""
    group = place.group
    own = _ENVIRONMENT if task.user is None else {}
    rights = sum(1 << right for right in kernel.FILE_RIGHTS) if task.user else 0
    uid, gid = task.user or (UID, GID)
    before: list[Step] = [
        *place.folders(),
        ("mkdir", group, 0o755),
        ("write", f"{group}/memory.max", bounds.memory_bytes),
        ("write", f"{group}/memory.swap.max", 0),
        ("write", f"{group}/memory.oom.group", 1),
        ("write", f"{group}/pids.max", bounds.processes),
    ]
    values: list[str | int | bytes] = [group, place.owner, bounds.output_bytes]
    values += [frames.started, frames.exited, frames.busy, frames.go, frames.kill]
    values += [ROOT, task.stdin, MEDIUM, PROBE_FILE if task.argv[0] == PROBE else ""]
    values += [f"0 {OWNER_SHIFT} {OWNERS}" if task.user else "", uid, gid, rights, kernel.FILTER, task.cwd]
    for texts in (
        task.argv,
        [f"{key}={value}" for key, value in {**own, **task.env}.items()],
        task.remove,
        [path for pair in task.inputs.items() for path in pair],
        task.collect,
    ):
        values += [len(texts), *texts]
    values += [bounds.answer_bytes, UID, len(place.scratch), *place.scratch, _encoded(place.after)]
    return b"".join(map(_field, values)) + _encoded(before) + _encoded(place.root())


_LENGTH = struct.Struct("<I")


def _encoded(steps: Sequence[Step]) -> bytes:
    return b"".join(map(_field, (len(steps), *(value for step in steps for value in step))))


def _field(value: str | int | bytes) -> bytes:
    data = value if isinstance(value, bytes) else os.fsencode(str(value))
    if b"\0" in data and not isinstance(value, bytes):
        raise ValueError(f"expected no zero byte in a name, found {value!r}")
    return _LENGTH.pack(len(data)) + data + b"\0"


@dataclass(frozen=True)
class Output:
    """The output of a command: all of it is counted, its beginning and its end are kept."""

    total: int
    head: bytes
    tail: bytes

    def kept(self) -> bytes:
        """The beginning and the end, and how much is left out between them."""
        left_out = self.total - len(self.head) - len(self.tail)
        gap = f"\n[… {left_out} bytes left out …]\n".encode() if left_out else b""
        return self.head + gap + self.tail


@dataclass(frozen=True)
class Report:
    """What the keeper saw."""

    sent: int
    heard: int
    """Frames, of those that it was given."""
    unread: bytes
    """Bytes from the host that are not one of these frames, or only its beginning."""
    status: bytes
    """The command's wait status; empty if it was killed before its end was seen."""
    stdout: Output
    stderr: Output
    files: Sequence[bytes]
    """For each path of `Task.collect` ``+`` and its bytes, or what is wrong with it."""


_PLAN, _READY, _REPORT, _HANDOVER, _PORT = range(100, 105)
"""Descriptors of the keeper."""


class Keeper:
    """The running keeper of one command."""

    def __init__(self, plan: bytes, port: int) -> None:
        memory = os.memfd_create("plan")
        os.write(memory, plan)
        self._ready, ready = os.pipe()
        self._report, report = os.pipe()
        handover, self._handover = os.pipe()
        given = {memory: _PLAN, ready: _READY, report: _REPORT, handover: _HANDOVER, port: _PORT}
        actions = [(os.POSIX_SPAWN_DUP2, ours, theirs) for ours, theirs in given.items()]
        self._pid = os.posix_spawn(KEEPER, [KEEPER], {}, file_actions=actions)
        for fd in (memory, ready, report, handover):
            os.close(fd)
        self.init = 0
        """Process number of the command's init."""

    def prepare(self) -> None:
        """Wait until the command waits for its start; OSError if it cannot."""
        problem = _read_all(self._ready)
        os.close(self._ready)
        if problem != b"ok":
            text = problem.removeprefix(b"ok").decode(errors="replace")
            raise OSError(f"a command cannot be started: {text or 'no reason given'}")
        self.init = int(self._next())

    def watch(self, sent: int, heard: int) -> Report:
        """Give it the port, and sleep until the host has read its counter.

        Parameters
        ----------
        sent, heard : int
            Numbers of the next frames in either direction.
        """
        os.write(self._handover, struct.pack("<QQ", sent, heard))
        spoken = int(self._next()), int(self._next())
        unread, status = self._next(), self._next()
        stdout, stderr = (Output(int(self._next()), self._next(), self._next()) for _ in range(2))
        files = []
        with contextlib.suppress(EOFError):
            while True:
                files.append(self._next())
        os.close(self._report)
        return Report(*spoken, unread, status, stdout, stderr, files)

    def finish(self) -> None:
        """Have the command's folders removed, and wait for that."""
        os.close(self._handover)
        _, status = os.waitpid(self._pid, 0)
        if status != 0:
            raise OSError(f"the keeper of a command ended with wait status {status:#x}")

    def _next(self) -> bytes:
        (size,) = _LENGTH.unpack(self._read(_LENGTH.size))
        return self._read(size)

    def _read(self, size: int) -> bytes:
        chunks = []
        while size:
            chunk = os.read(self._report, size)
            if not chunk:
                raise EOFError("the keeper of a command ended without a complete report")
            chunks.append(chunk)
            size -= len(chunk)
        return b"".join(chunks)


def _read_all(fd: int) -> bytes:
    chunks = []
    while chunk := os.read(fd, 1 << 16):
        chunks.append(chunk)
    return b"".join(chunks)


def aside(work: Callable[[], None]) -> None:
    """Do something in a child, so that signals still reach this process; OSError if it fails."""
    problem, child_end = os.pipe()
    pid = os.fork()
    if pid == 0:

        def body() -> None:
            work()
            os._exit(0)

        _guarded(child_end, body)
    os.close(child_end)
    text = _read_all(problem)
    os.close(problem)
    if os.waitpid(pid, 0)[1] != 0:
        raise OSError(text.decode(errors="replace") or "a child of the agent was killed")


def _guarded(report: int, work: Callable[[], None]) -> NoReturn:
    """Run the body of a forked child, which never returns."""
    try:
        work()
    except BaseException as e:
        with contextlib.suppress(BaseException):
            os.write(report, f"{type(e).__name__}: {e}".encode())
    finally:
        os._exit(70)


def become(uid: int, gid: int) -> None:
    """Permanently give up every right of root."""
    kernel.drop_bounding_set()
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    kernel.refuse_new_rights()


def gather(namespace: int, folder: str, owner: int, disk: str, max_bytes: int) -> str:
    """Write the regular files below a folder, as the entry sees it, to a disk; returns a problem with them, or "".

    The files are read with the rights of the user ``owner``, who owns them.
    """
    result, child_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        _guarded(child_end, lambda: _send_folder(namespace, folder, owner, disk, max_bytes, child_end))
    os.close(child_end)
    answer = _read_all(result)
    os.close(result)
    os.waitpid(pid, 0)
    text = answer.decode(errors="replace")
    return text.removeprefix("+") if text[:1] == "+" else text or "not readable"


def _send_folder(namespace: int, folder: str, owner: int, disk: str, max_bytes: int, report: int) -> None:
    out = os.open(disk, os.O_WRONLY)
    call("setns", namespace, kernel.CLONE_NEWNS)
    become(owner, owner)
    count, problem, left = 0, "", max_bytes
    waiting = [folder]
    while waiting and not problem:
        for item in sorted(os.scandir(waiting.pop()), key=lambda item: item.name):
            if item.is_dir(follow_symlinks=False):
                waiting.append(item.path)
            elif item.is_file(follow_symlinks=False):
                name = os.fsencode(os.path.relpath(item.path, folder))
                source = os.open(item.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
                size = os.fstat(source).st_size
                left -= size
                count += 1
                if left < 0 or count > MOST_FILES or len(name) > MOST_NAME_BYTES:
                    limit = f"{max_bytes >> 20} MiB" if left < 0 else f"{MOST_FILES} files"
                    problem = f"more than {limit}" if left < 0 or count > MOST_FILES else "a name that is too long"
                    break
                _write_all(out, FILE_HEADER.pack(len(name), size) + name)
                while size and (sent := os.sendfile(out, source, None, min(size, 1 << 24))):
                    size -= sent
                os.close(source)
                if size:
                    problem = "a file that ends too early"
                    break
    _write_all(out, FILE_HEADER.pack(0, 0))
    os.fsync(out)
    os.write(report, f"+{problem}".encode())
    os._exit(0)


def _write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]
