"""Where a command of the entry runs: a control group, its own namespaces, and a root built for it.

The chain of processes, all inside the control group before anything else::

    agent -> keeper (makes the namespaces and the root, waits) -> init (process 1 of the namespace) -> command

A forked child shares the agent's memory until it executes something, so it never returns into the agent's code:
every one ends in ``os._exit``.  Everything is imported before the root changes, because a later import would read
the entry's files.  Standard library only; x86-64 Linux.
"""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import signal
import stat
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
    MS_PRIVATE,
    MS_RDONLY,
    MS_REC,
    MS_REMOUNT,
    call,
    mount,
)

from evaluate.protocol.answers import FILE_HEADER, MOST_FILES, MOST_NAME_BYTES
from evaluate.protocol.guest import GID, HOME, OWNER_SHIFT, OWNERS, PROBE, UID

DISKS = "/run/evaluate/disk"
LAYERS = "/run/evaluate/layer"
MEDIUM = "/run/evaluate/medium"
PROBE_FILE = "/run/evaluate/probe"
CGROUPS = "/sys/fs/cgroup"

_WORLD = (
    kernel.CLONE_NEWNS
    | kernel.CLONE_NEWCGROUP
    | kernel.CLONE_NEWUTS
    | kernel.CLONE_NEWIPC
    | kernel.CLONE_NEWPID
    | kernel.CLONE_NEWNET
)
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
    name: str = "run"
    """Name of its scratch folders and its control group; the same for every command, since a command could read it."""

    @property
    def scratch(self) -> list[str]:
        """What is removed after the command."""
        disks = ("tmp",) if self.keep else ("root", "home", "tmp")
        return [f"{DISKS}/{disk}/{self.name}" for disk in disks]

    def make(self) -> None:
        """Create the folders that the command will write to."""
        for path in self.scratch:
            os.mkdir(path)
        for folder in ("tmp", "var-tmp"):
            path = f"{DISKS}/tmp/{self.name}/{folder}"
            os.mkdir(path)
            os.chmod(path, 0o1777)
        if not self.keep:
            for disk in ("root", "home"):
                os.mkdir(f"{DISKS}/{disk}/{self.name}/work")
            os.mkdir(f"{DISKS}/root/{self.name}/upper")
            upper = f"{DISKS}/home/{self.name}/upper"
            os.mkdir(upper)
            home = os.stat(f"{DISKS}/home/kept")  # the merged folder has the upper one's owner and mode
            os.chown(upper, home.st_uid, home.st_gid)
            os.chmod(upper, stat.S_IMODE(home.st_mode))
            if not self.base:
                os.chown(f"{DISKS}/root/{self.name}/upper", OWNER_SHIFT, OWNER_SHIFT)
            if self.output:
                os.mkdir(f"{DISKS}/home/{self.name}/output")
                os.chown(f"{DISKS}/home/{self.name}/output", self.owner, self.owner)

    def build_root(self, root: str) -> None:
        """Build the command's root at ``root``, in a new mount namespace."""
        lower = [*(f"{LAYERS}/{i}" for i in range(self.n_layers)), *(["/"] if self.base else [])]
        if self.keep:
            upper, work = f"{DISKS}/root/kept", f"{DISKS}/root/work"
        else:
            lower.insert(0, f"{DISKS}/root/kept")
            upper, work = f"{DISKS}/root/{self.name}/upper", f"{DISKS}/root/{self.name}/work"
        _overlay(root, lower, upper, work, lasting=self.keep)
        if not self.base:
            pass  # a container has its own home
        elif self.keep:
            mount(f"{DISKS}/home/kept", root + HOME, "", MS_BIND)
        else:
            scratch = f"{DISKS}/home/{self.name}"
            _overlay(root + HOME, [f"{DISKS}/home/kept"], f"{scratch}/upper", f"{scratch}/work", lasting=False)
        mount(f"{DISKS}/tmp/{self.name}/tmp", f"{root}/tmp", "", MS_BIND)
        mount(f"{DISKS}/tmp/{self.name}/var-tmp", f"{root}/var/tmp", "", MS_BIND)
        _make_devices(f"{root}/dev")
        if self.base:
            mount("run", f"{root}/run", "tmpfs", MS_NOSUID | MS_NODEV, "size=16m,mode=755")
        for target, source in self.mounts.items():
            _bind(f"{MEDIUM}/{source}", root, target)
            flags = MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NODEV | MS_NOSUID
            mount("", root + target, "", flags)
        if self.output:
            _bind(f"{DISKS}/home/{self.name}/output", root, self.output)


def _bind(source: str, root: str, target: str) -> None:
    """Mount ``source`` at a folder of the top level, which is created if it does not exist."""
    place = root + target
    if os.path.dirname(target) != "/" or os.path.islink(place):
        raise OSError(errno.ELOOP, "not a folder of the top level", target)
    os.makedirs(place, exist_ok=True)
    mount(source, place, "", MS_BIND)


def _overlay(target: str, lower: Sequence[str], upper: str, work: str, *, lasting: bool) -> None:
    # redirect_dir: a program may rename a folder of a lower layer, as on any disk
    options = f"redirect_dir=on,lowerdir={':'.join(lower)},upperdir={upper},workdir={work}"
    if not lasting:
        options += ",volatile"  # discarded files need not reach the disk
    mount("overlay", target, "overlay", MS_NODEV | MS_NOSUID | MS_NOATIME, options)


def _make_devices(dev: str) -> None:
    mount("dev", dev, "tmpfs", MS_NOSUID, "size=64k,mode=755")
    umask = os.umask(0)
    for name, (major, minor) in _DEVICES.items():
        os.mknod(f"{dev}/{name}", stat.S_IFCHR | 0o666, os.makedev(major, minor))
    os.umask(umask)
    for folder in ("pts", "shm"):
        os.mkdir(f"{dev}/{folder}")
    mount("pts", f"{dev}/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620")
    mount("shm", f"{dev}/shm", "tmpfs", MS_NOSUID | MS_NODEV, "size=256m,mode=1777")
    for link, target in (
        ("ptmx", "pts/ptmx"),
        ("fd", "/proc/self/fd"),
        ("stdin", "/proc/self/fd/0"),
        ("stdout", "/proc/self/fd/1"),
        ("stderr", "/proc/self/fd/2"),
    ):
        os.symlink(target, f"{dev}/{link}")


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
    relay: Callable[[], None] | None = None
    """Relays the command's connections to the licence server until it is killed; None: there is no server."""
    user: tuple[int, int] | None = None
    """User and group inside a container, which has its own user namespace; None: ``challenge``."""


@dataclass(frozen=True)
class Pipes:
    """The keeper's ends; `start` closes them in the agent."""

    stdout: int
    stderr: int
    ready: int
    go: int
    status: int


def start(place: Place, task: Task, cgroup: str, pipes: Pipes) -> int:
    """Fork the keeper; returns its process number.

    The keeper writes ``ok`` to ``pipes.ready`` when the command waits for a byte on ``pipes.go``, or else
    what went wrong.  When every process of the command is dead, it writes the command's wait status to ``pipes.status``
    and exits; if it was killed itself, there is only the end of that pipe.
    """
    pid = os.fork()
    if pid:
        return pid
    _guarded(pipes.ready, lambda: _keeper(place, task, cgroup, pipes))


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
    text = b""
    while chunk := os.read(problem, 4096):
        text += chunk
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


def _keeper(place: Place, task: Task, cgroup: str, pipes: Pipes) -> None:
    with open(f"{cgroup}/cgroup.procs", "w") as f:
        f.write("0")
    os.setsid()
    medium = os.open(MEDIUM, os.O_RDONLY | os.O_DIRECTORY)
    stdin = os.open(task.stdin, os.O_RDONLY)
    probe = os.open(PROBE_FILE, os.O_RDONLY)
    call("unshare", _WORLD)
    kernel.start_loopback()
    mount("", "/", "", MS_REC | MS_PRIVATE)
    root = "/run/evaluate/root"
    place.build_root(root)
    reported, report = os.pipe()
    init = os.fork()
    if init == 0:
        _guarded(pipes.ready, lambda: _init(root, task, pipes, report, medium, stdin, probe))
    if task.relay is not None and os.fork() == 0:
        with contextlib.suppress(OSError):
            task.relay()
        os._exit(70)
    _close_all_but((pipes.status, reported))
    while os.wait()[0] != init:  # this also reaps the relay, which ends before the init
        pass
    # only now, when all processes of the command are dead, so that the agent wakes once and has nothing left to do
    os.write(pipes.status, os.read(reported, 4))
    os._exit(0)


def _init(root: str, task: Task, pipes: Pipes, report: int, medium: int, stdin: int, probe: int) -> None:
    mount("proc", f"{root}/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    kernel.pivot_root(root)
    mapped, named = os.pipe(), os.pipe()
    command = os.fork()
    if command == 0:
        if task.user is not None:
            call("unshare", kernel.CLONE_NEWUSER)
            os.write(named[1], b"n")
            os.read(mapped[0], 1)
        for fd in (*mapped, *named):
            os.close(fd)
        _guarded(pipes.ready, lambda: _command(task, pipes, medium, stdin, probe))
    if task.user is not None:
        os.read(named[0], 1)
        for kind in ("uid_map", "gid_map"):
            with open(f"/proc/{command}/{kind}", "w") as f:
                f.write(f"0 {OWNER_SHIFT} {OWNERS}")
        os.write(mapped[1], b"m")
    _close_all_but((report,))
    while True:
        pid, status = os.wait()
        if pid == command:
            break
    os.write(report, status.to_bytes(4, "little"))
    os._exit(0)


def become(uid: int, gid: int, rights: Sequence[int] = ()) -> None:
    """Permanently give up every right of root except these."""
    kernel.drop_bounding_set(rights)
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    kernel.refuse_new_rights()


def _become_user_of(task: Task) -> None:
    if task.user is None:
        become(UID, GID)
        return
    with open("/proc/sys/user/max_user_namespaces", "w") as f:
        f.write("0")  # limit of this namespace: no nested ones
    become(*task.user, rights=kernel.FILE_RIGHTS)


def _command(task: Task, pipes: Pipes, medium: int, stdin: int, probe: int) -> None:
    os.setsid()
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    os.setpriority(os.PRIO_PROCESS, 0, 0)
    for kind, limit in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_NOFILE, 4096)):
        resource.setrlimit(kind, (limit, limit))
    _become_user_of(task)
    os.umask(0o022)
    trouble = ""
    try:
        for path in task.remove:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
        for target, source in task.inputs.items():
            _copy(medium, source, target)
    except OSError as e:  # the entry's own setup made its folder unusable: its own fault, reported when it runs
        trouble = f"cannot prepare {e.filename or 'the input files'}: {e.strerror}\n"
    argv = [os.fsencode(argument) for argument in task.argv]
    program: bytes | int = probe if task.argv[0] == PROBE else argv[0]
    own = _ENVIRONMENT if task.user is None else {}
    env = {os.fsencode(key): os.fsencode(value) for key, value in {**own, **task.env}.items()}
    os.dup2(stdin, 0)
    os.dup2(pipes.stdout, 1)
    os.dup2(pipes.stderr, 2)
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    os.write(pipes.ready, b"ok")
    os.close(pipes.ready)  # until `go` everything sleeps, while the host reads the counter
    if not os.read(pipes.go, 1):
        os._exit(70)
    if trouble:
        os.write(2, os.fsencode(trouble))
        os._exit(126)
    needed = task.cwd
    try:
        os.chdir(task.cwd)
        needed = task.argv[0]
        _execute(program, argv, env)
    except OSError as e:
        os.write(2, os.fsencode(f"{needed}: {e.strerror}\n"))
        os._exit(127 if e.errno in (errno.ENOENT, errno.ENOTDIR) else 126)


def _execute(program: bytes | int, argv: list[bytes], env: Mapping[bytes, bytes]) -> None:
    """exec, searching the PATH if the program has no folder: `os.execvpe` would import from the entry's files."""
    if isinstance(program, int) or b"/" in program:
        os.execve(program, argv, env)
    for folder in env.get(b"PATH", b"").split(b":"):
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            os.execve((folder or b".") + b"/" + program, argv, env)
    raise FileNotFoundError(errno.ENOENT, "No such program on the PATH")


def _copy(medium: int, name: str, target: str) -> None:
    try:
        source = os.open(name, os.O_RDONLY, dir_fd=medium)
    except OSError as e:
        raise LookupError(f"{name} on the records medium: {e.strerror}") from e  # not the entry's fault
    with contextlib.suppress(FileNotFoundError):
        os.unlink(target)  # what exists there, above all a link, is not followed
    out = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    try:
        while os.sendfile(out, source, None, 1 << 24):
            pass
    finally:
        os.close(out)
        os.close(source)


def _close_all_but(kept: Sequence[int]) -> None:
    """Close every descriptor except these: a helper that forks without exec would hold every pipe open."""
    low = 0
    for fd in sorted(kept):
        os.closerange(low, fd)
        low = fd + 1
    os.closerange(low, 4096)


def collect(namespace: int, path: str, max_bytes: int) -> tuple[bytes | None, str]:
    """A regular file as the entry sees it, read with the entry's rights: its bytes, or what is wrong with it."""
    result, child_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        _guarded(child_end, lambda: _send_file(namespace, path, max_bytes, child_end))
    os.close(child_end)
    chunks = []
    while chunk := os.read(result, 1 << 20):
        chunks.append(chunk)
    os.close(result)
    os.waitpid(pid, 0)
    answer = b"".join(chunks)
    if answer[:1] == b"+":
        return answer[1:], ""
    return None, answer.decode(errors="replace") or "not readable"


def _send_file(namespace: int, path: str, max_bytes: int, out: int) -> None:
    call("setns", namespace, kernel.CLONE_NEWNS)
    become(UID, GID)
    reply = _read_file(path, max_bytes)
    while reply:
        reply = reply[os.write(out, reply) :]
    os._exit(0)


def _read_file(path: str, max_bytes: int) -> bytes:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_NOCTTY)
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            return b"not a regular file"
        data = b""
        while chunk := os.read(fd, max_bytes + 1 - len(data)):
            data += chunk
    except OSError as e:
        if e.errno in (errno.ENOENT, errno.ENOTDIR):
            return b"missing"
        if e.errno in (errno.ELOOP, errno.ENXIO):
            return b"not a regular file"
        return (e.strerror or "not readable").encode()
    return b"+" + data if len(data) <= max_bytes else f"larger than {max_bytes} bytes".encode()


def gather(namespace: int, folder: str, owner: int, disk: str, max_bytes: int) -> str:
    """Write the regular files below a folder, as the entry sees it, to a disk; returns a problem with them, or "".

    The files are read with the rights of the user ``owner``, who owns them.
    """
    result, child_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        _guarded(child_end, lambda: _send_folder(namespace, folder, owner, disk, max_bytes, child_end))
    os.close(child_end)
    answer = b""
    while chunk := os.read(result, 1 << 16):
        answer += chunk
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
