"""Where a command of the entry runs, as a plan that `keeper.c` carries out.

It has a control group, namespaces and a root of its own; the chain of processes is that of `keeper.c`.  Everything is
imported before a root changes, because a later import would read the entry's files.  Standard library only; x86-64
Linux.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import stat
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, NoReturn

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

from evaluate.protocol.guest import (
    FILE_HEADER,
    GID,
    HOME,
    INVOKE,
    MOST_FILES,
    MOST_NAME_BYTES,
    OWNER_SHIFT,
    OWNERS,
    PROBE,
    UID,
)

MACHINE = "/run/evaluate"
DISKS = f"{MACHINE}/disk"
LAYERS = f"{MACHINE}/layer"
MEDIUM = f"{MACHINE}/medium"
ROOT = "/run/evaluate/root"
SHARED_UPPER, SHARED_WORK = f"{DISKS}/root/shared/upper", f"{DISKS}/root/shared/aside"
"""Where what is written to the root that records share would be; see `Place.shares`."""
SHARED_HOME, SHARED_HOME_WORK = f"{DISKS}/home/shared/upper", f"{DISKS}/home/shared/aside"
"""Where what is written to the home folder that records share is, until the record has ended."""
MASKS = f"{DISKS}/home/shared/masks"
"""A layer that hides files of the entry which each record removes before it begins."""
SHARED = tuple(f"{DISKS}/{disk}/shared" for disk in ("root", "home", "tmp"))
"""Where all of these folders are."""
SCRATCH = tuple(f"{DISKS}/{name}" for name in ("root/scratch", "root/aside", "home/scratch", "tmp/scratch"))
"""Where the folders of one command are made, and removed after it; and where the kernel has what it needs beside them.
Between commands there is nothing in them."""
UNWRITTEN = 1_767_225_600
"""The date of a folder that nobody has written to since the keeper gave it this one (2026-01-01): whatever changes what
is in it gives it another."""
HELD = "held", ROOT, "tmpfs", MS_NOSUID | MS_NODEV, "size=4k"
HELD_HOME = "held", "/run/evaluate/held", "tmpfs", MS_NOSUID | MS_NODEV, "size=4k"
"""What is mounted while that root, or that home folder, is not, and keeps its device number."""
KEEPER = "/run/evaluate/keeper"
OURS = {PROBE: "probe", INVOKE: "invoke"}
"""Our own programs that a command may be, in the machine's folder, by its first word."""
CGROUPS = "/sys/fs/cgroup"
DEV, RUN = "/run/evaluate/dev", "/run/evaluate/run"
FROZEN = "/run/evaluate/frozen"
COUNTERS = ("stat", "vmstat", "loadavg", "diskstats")
"""Files of /proc that count what the whole machine has done, and that programs read: a command sees them as they were
at the boot, since one could otherwise tell which command it is, or leave a number for the next one."""
SECRET_COUNTERS = ("interrupts", "softirqs", "schedstat", "zoneinfo", "buddyinfo")
"""Others, which nobody but root may read: each file that is shown as it was takes a mount for each command."""
ENTRY_FILES = tuple(f"{DISKS}/{disk}/kept" for disk in ("root", "home"))
"""Where the entry's own files are, as the commands that were kept have left them."""
_MOST_FILES = 2000
"""Files of an entry that are locked, or forgotten, one by one; above, all files of the machine are forgotten."""

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


class Mounted(NamedTuple):
    """What is mounted for records to share."""

    root: bool = False
    home: tuple[str, ...] | None = None
    """The masks of the home folder; None: it is not mounted."""

    def unmounted(self) -> list[Step]:
        """Give it up, since what is below it may change."""
        if not self.root:
            return []
        held = [_mount(*HELD)] + ([] if self.home is None else [_mount(*HELD_HOME)])
        emptied = [SHARED_UPPER, SHARED_WORK, *SHARED[1:]]
        return [("unmount", ROOT), *held, *(("empty", path) for path in emptied)]

    def home_unmounted(self) -> list[Step]:
        """Give up the home folder alone."""
        if self.home is None:
            return []
        return [("unmount", ROOT + HOME), _mount(*HELD_HOME), ("empty", SHARED[1])]


class Place(NamedTuple):
    """Where a command runs and as whom, which is the same for all records of a stage."""

    keep: bool
    """True if it writes to the folders that all later commands see."""
    n_layers: int
    base: bool = True
    """True if the image of the machine is below the layers; a container has only its own layer."""
    mounts: tuple[tuple[str, str], ...] = ()
    """Folder as the command sees it, folder on the medium; read-only."""
    output: str = ""
    """An empty folder, as the command sees it, that its user may write to."""
    inbox: str = ""
    """A folder, as a server sees it, that the agent fills (`INBOX`) before the server is invoked."""
    beside: bool = False
    """True if the command is a program of the machine's own, whose root is the machine's; the container's is at `HOME`,
    with its mounts."""
    owner: int = UID
    """User and group, outside any user namespace, that own the command's folders."""
    home: tuple[int, int, int] = (0o755, UID, GID)
    """Mode, user and group of the home folder as the entry left it."""
    user: tuple[int, int] | None = None
    """User and group inside a container, which has its own user namespace; None: ``challenge``."""
    builds: bool = False
    """True if that user has every right in its namespace."""
    stdin: str = "/dev/null"
    """A path that the agent, not the command, opens."""
    forgets: bool = False
    """True if what is in memory of the entry's files is dropped after it."""
    frozen: tuple[str, ...] = ()
    """Those of `COUNTERS` that this kernel has; see `freeze_counters`."""
    masks: tuple[str, ...] = ()
    """Files directly in the home folder that are not seen, since each record removes them before it begins."""
    name: str = "run"
    """Name of its control group; the same for every command, since a command could read it."""

    @property
    def shares(self) -> bool:
        """True if it gets the root and the home folder of the record before it, if they are as they were.

        Under emulation, making them and removing them takes longer than many a record.  Only root can write to the
        root, except where a layer or the entry's setup says otherwise; with the first thing that is written, it is made
        again.  What a record adds to its home and to the temporary folders is removed; where that does not make them as
        they were, as when a file of the entry has been changed, they are made again, too.  In a container the entry may
        write to its root, so each command has its own.
        """
        return self.base and not self.keep

    @property
    def watched(self) -> list[str]:
        """Folders that get another date if the command writes to a root that is shared."""
        return [SHARED_UPPER, f"{SHARED_WORK}/work"] if self.shares else []

    @property
    def restored(self) -> list[str]:
        """Folders that are emptied after the command, and then are as they were made."""
        return [_SHARED_TMP, _SHARED_VAR_TMP] if self.shares else []

    @property
    def restored_home(self) -> list[str]:
        """The home folder, where what the command adds to it is, and what it is laid over."""
        return [ROOT + HOME, SHARED_HOME, f"{DISKS}/home/kept", MASKS] if self.shares else []

    @property
    def mounted(self) -> Mounted:
        """What is mounted while it runs, and can be shared."""
        return Mounted(root=True, home=self.masks) if self.shares else Mounted()

    @property
    def group(self) -> str:
        """The folder of its control group."""
        return f"{CGROUPS}/{self.name}"

    def folders(self) -> list[Step]:
        """Create the folders that the command will write to, and have the devices as if nobody had used them."""
        steps: list[Step] = [_unwritten(f"{DEV}/tty")]  # a terminal's use changes it, though it cannot be written to
        if not self.shares:
            steps += [("mkdir", path, 0o1777) for path in (_TMP, _VAR_TMP)]
        if self.keep and not self.beside:
            return steps
        if not self.base:
            upper, _ = _LAYER
            steps += [("mkdir", upper, 0o755), ("chown", upper, OWNER_SHIFT, OWNER_SHIFT)]
        if self.output:
            steps += [("mkdir", _OUTPUT, 0o755), ("chown", _OUTPUT, self.owner, self.owner)]
        if self.inbox:
            steps.append(("mkdir", INBOX, 0o755))
        return steps

    def shared(self, mounted: Mounted) -> list[Step]:
        """Have what records share mounted for them, and not while what is below it may change.

        What is made for it has the same dates for every command, and `HELD` and `HELD_HOME` keep its device numbers
        while it is not mounted.  So it does not tell whether it was made again.
        """
        if not self.shares:
            return mounted.unmounted()
        steps: list[Step] = []
        if not mounted.root:
            lower = [f"{DISKS}/root/kept", *self._lower()]
            steps += [_unwritten(SHARED_UPPER), ("unmount", ROOT)]
            steps += [_overlay(ROOT, lower, SHARED_UPPER, SHARED_WORK, lasting=False)]
            steps += [_unwritten(f"{SHARED_WORK}/work")]
            for path in self.restored:
                steps += [("folder", path, 0o1777, 0, 0, UNWRITTEN), ("remember", path, UNWRITTEN)]
            steps += _common(_SHARED_TMP, _SHARED_VAR_TMP)
            steps.append(_mount(RUN, f"{ROOT}/run", "", MS_BIND))
        if mounted.home != self.masks:
            steps += mounted.home_unmounted()
            # at this date ext4 gives a number again that was given up a moment ago, which it sees as in the future
            steps.append(("clock", "back", UNWRITTEN))
            mode, user, group = self.home  # the merged folder has the upper one's owner and mode
            lower = [*([MASKS] if self.masks else []), f"{DISKS}/home/kept"]
            steps += [("folder", SHARED_HOME, mode, user, group, UNWRITTEN), ("mkdir", SHARED_HOME_WORK, 0o755)]
            steps += [
                ("mkdir", MASKS, 0o755),
                *(("mask", f"{MASKS}/{name}", f"{DISKS}/home/kept/{name}") for name in self.masks),
            ]
            steps.append(("unmount", HELD_HOME[1]))
            steps.append(_overlay(ROOT + HOME, lower, SHARED_HOME, SHARED_HOME_WORK, lasting=False))
            steps += [("remember", SHARED_HOME, UNWRITTEN), ("clock", "on", 0)]
        return steps

    def _lower(self) -> list[str]:
        return [*(f"{LAYERS}/{i}" for i in range(self.n_layers)), *(["/"] if self.base else [])]

    def root(self) -> list[Step]:
        """Build the command's root at `ROOT`, in a new mount namespace."""
        steps: list[Step] = []
        top = ROOT + HOME if self.beside else ROOT
        if self.beside:
            steps.append(_overlay(ROOT, ["/"], *_LAYER, lasting=False))
        if self.keep:
            upper, work = f"{DISKS}/root/kept", f"{DISKS}/root/work"
            steps.append(_overlay(top, self._lower(), upper, work, lasting=True))
        elif not self.base:
            steps.append(_overlay(ROOT, [f"{DISKS}/root/kept", *self._lower()], *_LAYER, lasting=False))
        if self.base and self.keep:  # a container has its own home
            steps.append(_mount(f"{DISKS}/home/kept", ROOT + HOME, "", MS_BIND))
        if not self.shares:
            steps += _common(_TMP, _VAR_TMP)
            if self.base:
                steps.append(_mount(RUN, f"{ROOT}/run", "", MS_BIND))
        steps += _TERMINALS_AND_MEMORY
        for target, source in self.mounts:
            steps += _bind_to_read(f"{MEDIUM}/{source}", target, top)
        if self.inbox:
            steps += _bind_to_read(INBOX, self.inbox, top)
        if self.output:
            steps += _bind(_OUTPUT, self.output, top)
        steps.append(_mount("proc", f"{ROOT}/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC))
        steps += [_mount(f"{FROZEN}/{name}", f"{ROOT}/proc/{name}", "", MS_BIND) for name in self.frozen]
        return steps

    @property
    def after(self) -> list[Step]:
        """Remove the folders, and what the next command could learn from.

        What the kernel has in memory of a file tells whether a command has read it, page by page, but it shows that
        only to the file's owner.  What belongs to root stays in memory: programs start several times as fast.
        """
        steps: list[Step] = [("remove", path) for kind, path, *_ in self.folders() if kind == "mkdir"]
        if not self.base and (not self.keep or self.beside):
            steps.append(("empty", _LAYER[1]))
        if not self.forgets:
            return steps
        if not self.base:
            return [*steps, ("write", "/proc/sys/vm/drop_caches", 1)]  # a container's user owns all of its files
        return steps + [("forget", folder, _MOST_FILES) for folder in ENTRY_FILES]


def masks(removed: Sequence[str]) -> tuple[str, ...]:
    """Those of the files that a record removes before it begins that lie directly in its home folder."""
    found = (os.path.split(path) for path in removed)
    return tuple(name for folder, name in found if folder == HOME and name not in ("", ".", ".."))


def freeze_counters(proc: str = "/proc") -> tuple[str, ...]:
    """Copy the files of `COUNTERS` as they are now; returns the names of those that exist."""
    for name in SECRET_COUNTERS:
        with contextlib.suppress(FileNotFoundError):
            os.chmod(f"{proc}/{name}", 0o400)
    os.makedirs(FROZEN, exist_ok=True)
    found = []
    for name in COUNTERS:
        with contextlib.suppress(FileNotFoundError), open(f"{proc}/{name}", "rb") as now:
            with open(f"{FROZEN}/{name}", "wb") as copy:
                copy.write(now.read())
            os.chmod(f"{FROZEN}/{name}", stat.S_IMODE(os.fstat(now.fileno()).st_mode))
            found.append(name)
    return tuple(found)


def _bind(source: str, target: str, top: str) -> list[Step]:
    """Mount ``source`` at a folder of the top level, which is created if it does not exist."""
    if os.path.dirname(target) != "/":
        raise OSError(errno.ELOOP, "not a folder of the top level", target)
    return [("top", top + target), _mount(source, top + target, "", MS_BIND)]


def _bind_to_read(source: str, target: str, top: str) -> list[Step]:
    flags = MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NODEV | MS_NOSUID
    return [*_bind(source, target, top), _mount("", top + target, "", flags)]


def _overlay(target: str, lower: Sequence[str], upper: str, work: str, *, lasting: bool) -> Step:
    # redirect_dir: a program may rename a folder of a lower layer, as on any disk.  xino: folders have the numbers that
    # they have in the layers; otherwise these would tell in which order somebody first looked at them
    options = f"redirect_dir=on,xino=on,lowerdir={':'.join(lower)},upperdir={upper},workdir={work}"
    if not lasting:
        options += ",volatile"  # discarded files need not reach the disk
    return _mount("overlay", target, "overlay", MS_NODEV | MS_NOSUID | MS_NOATIME, options)


_LAYER = f"{DISKS}/root/scratch/upper", f"{DISKS}/root/aside"
"""Where a container's command changes its root, and what the kernel needs beside that."""
_TMP, _VAR_TMP = f"{DISKS}/tmp/scratch/tmp", f"{DISKS}/tmp/scratch/var-tmp"
_SHARED_TMP, _SHARED_VAR_TMP = f"{DISKS}/tmp/shared/tmp", f"{DISKS}/tmp/shared/var-tmp"
_OUTPUT = f"{DISKS}/home/scratch/output"
INBOX = f"{DISKS}/home/scratch/inbox"


def _unwritten(path: str) -> Step:
    return ("date", path, UNWRITTEN)


def _common(tmp: str, var_tmp: str) -> list[Step]:
    """The temporary folders and the devices; nobody changes the dates of these, since they can only be read."""
    only_read = MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NOATIME
    steps = [_mount(tmp, f"{ROOT}/tmp", "", MS_BIND), _mount(var_tmp, f"{ROOT}/var/tmp", "", MS_BIND)]
    return [*steps, _mount(DEV, f"{ROOT}/dev", "", MS_BIND), _mount("", f"{ROOT}/dev", "", only_read)]


_TERMINALS_AND_MEMORY = [
    _mount("pts", f"{ROOT}/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620"),
    _mount("shm", f"{ROOT}/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "size=256m,mode=1777"),
]


def make_dev_and_run() -> None:
    """Make the ``/dev`` and the ``/run`` of every command, once, when the machine boots."""
    for path in (DEV, RUN):
        os.makedirs(path, exist_ok=True)
    kernel.mount("dev", DEV, "tmpfs", MS_NOSUID | MS_NOATIME, "size=64k,mode=755")
    kernel.mount("run", RUN, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOATIME, "size=16m,mode=755")
    for name, (major, minor) in _DEVICES.items():
        os.mknod(f"{DEV}/{name}", stat.S_IFCHR, os.makedev(major, minor))
        os.chmod(f"{DEV}/{name}", 0o666)
        os.utime(f"{DEV}/{name}", (UNWRITTEN, UNWRITTEN))
    for name in ("pts", "shm"):
        os.mkdir(f"{DEV}/{name}")
    os.symlink("pts/ptmx", f"{DEV}/ptmx")
    os.symlink("/proc/self/fd", f"{DEV}/fd")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.symlink(f"/proc/self/fd/{number}", f"{DEV}/{name}")


class Task(NamedTuple):
    """What a command does in its place."""

    argv: Sequence[str]
    cwd: str
    env: Mapping[str, str]
    inputs: Mapping[str, str]
    """Path as the command sees it -> path on the medium."""
    remove: Sequence[str]
    collect: Sequence[str] = ()
    """Files to fetch when it has ended, as the command sees them."""
    clock: int = 0
    """What the machine's clock says when it starts at once, in seconds since 1970 (UTC); 0: what it says then."""


class Bounds(NamedTuple):
    """What the keeper enforces; see `evaluate.protocol.messages.Limits`."""

    memory_bytes: int
    processes: int
    """Init included."""
    output_bytes: int
    answer_bytes: int


class Frames(NamedTuple):
    """The frames that the keeper sends and expects; it changes only their numbers."""

    started: bytes
    exited: bytes
    loaded: bytes
    busy: bytes
    go: bytes
    kill: bytes
    counted: bytes


def plan_of_task(place: Place, task: Task) -> bytes:
    """What a command does, for the keeper; ValueError if a name cannot be one.  The order is that of ``read_task`` in
    `keeper.c`."""
    values = [str(task.clock), OURS.get(task.argv[0], ""), task.cwd]
    inputs = [path for pair in task.inputs.items() for path in pair]
    for texts in (task.argv, task.remove, inputs, task.collect):
        values += [str(len(texts)), *texts]
    return _variables(place.user is None, tuple(task.env.items())) + _texts(values)


@lru_cache(maxsize=8)
def _variables(of_the_machine: bool, env: tuple[tuple[str, str], ...]) -> bytes:
    variables = {**(_ENVIRONMENT if of_the_machine else {}), **dict(env)}  # a container has none of its own here
    return _texts([str(len(variables)), *(f"{key}={value}" for key, value in variables.items())])


@lru_cache(maxsize=8)
def plan_of_place(place: Place, bounds: Bounds, frames: Frames, *, mounted: Mounted) -> bytes:
    """Where a command runs, for the keeper; the order is that of ``read_place`` in `keeper.c`.

    Nothing random is looked up, since that would take more or fewer instructions in another machine.

    ``mounted``: what records share and is mounted already.
    """
    group, (uid, gid) = place.group, place.user or (UID, GID)
    rights = () if place.user is None else kernel.ALL_RIGHTS if place.builds else kernel.FILE_RIGHTS
    before: list[Step] = [
        *place.folders(),
        ("mkdir", group, 0o755),
        ("write", f"{group}/memory.max", bounds.memory_bytes),
        ("write", f"{group}/memory.oom.group", 1),
        ("write", f"{group}/pids.max", bounds.processes),
    ]
    values: list[str | int | bytes] = [group, place.owner, bounds.output_bytes]
    values += [
        ROOT,
        MACHINE,
        os.path.basename(MEDIUM),
        f"0 {OWNER_SHIFT} {OWNERS}" if place.user else "",
        uid,
        gid,
        sum(1 << right for right in rights),
        kernel.FILTER,
    ]
    values += [bounds.answer_bytes, UID, UNWRITTEN]
    for paths in (place.watched, place.restored, place.restored_home):
        values += [len(paths), *paths]
    values += [place.stdin, int(bool(place.inbox))]  # a server holds when it is healthy
    given_up = place.mounted.unmounted(), place.mounted.home_unmounted()
    values += [_encoded(steps) for steps in (place.shared(mounted), before, place.root(), place.after, *given_up)]
    values += [frames.started, frames.exited, frames.loaded, frames.busy, frames.go, frames.kill, frames.counted]
    return b"".join(map(_field, values))


_LENGTH = struct.Struct("<I")


def _encoded(steps: Sequence[Step]) -> bytes:
    return b"".join(map(_field, (len(steps), *(value for step in steps for value in step))))


def _field(value: str | int | bytes) -> bytes:
    if isinstance(value, bytes):
        return _LENGTH.pack(len(value)) + value
    return _texts([str(value)])


def _texts(values: Sequence[str]) -> bytes:
    text = "\0".join(values) + "\0"
    if text.count("\0") != len(values):
        found = next(value for value in values if "\0" in value)
        raise ValueError(f"expected no zero byte in a name, found {found!r}")
    return text.encode("utf-8", "surrogateescape")  # `os.fsencode` takes three times as long


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
    counted: bool
    """True if the host has said so."""
    stdout: Output
    stderr: Output
    oom_kills: int
    """How often the kernel killed it because of its memory use."""
    forks_refused: int
    """How often a fork was refused because of the number of processes."""
    memory_peak: int
    """Bytes, those of init included (less than 1 MB)."""
    files: Sequence[bytes]
    """For each path of `Task.collect` ``+`` and its bytes, or what is wrong with it."""


@dataclass(frozen=True)
class Held:
    """What the keeper saw of a server until it was healthy; nothing of it runs now."""

    sent: int
    heard: int
    unread: bytes


_PRECEDENCE = os.sched_param(0), os.sched_param(1)


def take_precedence(wanted: bool) -> None:
    """Run before every command, or else wake at a tick: then many small writes of the entry wake this process once."""
    os.sched_setscheduler(0, os.SCHED_FIFO if wanted else os.SCHED_BATCH, _PRECEDENCE[wanted])


_ORDERS, _REPORT, _PORT = range(100, 103)
"""Descriptors of the keeper."""


class Keeper:
    """The running keeper."""

    def __init__(self, port: int) -> None:
        orders, self._orders = os.pipe()
        self._report, report = os.pipe()
        given = {orders: _ORDERS, report: _REPORT, port: _PORT}
        actions = [(os.POSIX_SPAWN_DUP2, ours, theirs) for ours, theirs in given.items()]
        os.posix_spawn(KEEPER, [KEEPER], {}, file_actions=actions)
        os.close(orders)
        os.close(report)

    def make_place(self, plan: bytes) -> None:
        """Have the place of a command made ready, and wait until it is; OSError if it cannot be."""
        self._order(plan, b"")

    def prepare(self, place: bytes, task: bytes) -> int:
        """Have a command prepared, and wait until it waits for its start.

        Parameters
        ----------
        place : bytes
            Its `plan_of_place`; empty where that has been made ready.
        task : bytes
            Its `plan_of_task`.

        Returns
        -------
        int
            Process number of its init.

        Raises
        ------
        OSError
            It cannot be started.
        """
        return self._order(place, task)

    def _order(self, place: bytes, task: bytes) -> int:
        begin = _LENGTH.pack(len(place)) + place if place else b""
        _write_all(self._orders, begin + _LENGTH.pack(len(task)) + task)
        found = self._next()
        if found[0] != b"ok":
            text = found[0].removeprefix(b"ok").decode(errors="replace")
            raise OSError(f"a command cannot be started: {text or 'no reason given'}")
        return int(found[1])

    def watch(
        self, sent: int, heard: int, *, waits: bool = True, at_once: bool = False, kill: bool = False
    ) -> Report | Held:
        """Give it the port, and sleep until the host has read its counter, or a server holds.

        Parameters
        ----------
        sent, heard : int
            Numbers of the next frames in either direction.
        waits : bool
            Whether the command, or the server that holds, continues with `started` and `go`.
        at_once : bool
            Whether its machine runs nothing else.
        kill : bool
            Whether it is killed instead.
        """
        take_precedence(True)  # so that this process sleeps before the command begins
        _write_all(self._orders, struct.pack("<QQQQQ", sent, heard, waits, at_once, kill))
        found = self._next()
        take_precedence(False)
        if len(found) == _N_FIELDS_HELD:
            return Held(int(found[0]), int(found[1]), found[2])
        if len(found) < _N_FIELDS:
            raise OSError(f"a command was not followed to its end: {_text(found)}")
        stdout, stderr = (Output(int(found[i]), found[i + 1], found[i + 2]) for i in (5, 8))
        oom_kills, refused, peak = (int(found[i]) for i in (11, 12, 13))
        spoken = int(found[0]), int(found[1]), found[2], found[3], found[4] == b"1"
        return Report(*spoken, stdout, stderr, oom_kills, refused, peak, found[_N_FIELDS:])

    def finish(self, mounted: Mounted) -> Mounted:
        """Have the command's folders removed; returns what is still ``mounted`` for the next one."""
        _write_all(self._orders, b"f")
        found = self._next()
        if found == []:
            return mounted
        if found not in ([b"root"], [b"home"]):
            raise OSError(f"what a command left cannot be removed: {_text(found)}")
        return Mounted(root=found == [b"home"])

    def _next(self) -> list[bytes]:
        """The fields of the next report."""
        (left,) = _LENGTH.unpack(self._read(_LENGTH.size))
        data, at, found = self._read(left), 0, []
        while at < left:
            (size,) = _LENGTH.unpack_from(data, at)
            at += _LENGTH.size + size
            found.append(data[at - size : at])
        return found

    def _read(self, size: int) -> bytes:
        chunks = []
        while size:
            chunk = os.read(self._report, size)
            if not chunk:
                raise EOFError("the keeper ended without a complete report")
            chunks.append(chunk)
            size -= len(chunk)
        return b"".join(chunks)


_N_FIELDS, _N_FIELDS_HELD = 14, 3
"""Fields of a report before the files, and of one on a server that holds."""


class Lock:
    """All of the entry's files in memory, locked there by a process of its own, so that no record can change what is.

    Otherwise a record could tell, page by page, what another one has read, and its program would be read from the disk,
    and translated by an emulator, again and again.
    """

    def __init__(self) -> None:
        said, end = os.pipe()
        actions = [(os.POSIX_SPAWN_DUP2, end, 1)]
        self._pid = os.posix_spawn(KEEPER, [KEEPER, str(_MOST_FILES), *ENTRY_FILES], {}, file_actions=actions)
        os.close(end)
        self.holds = os.read(said, 1) != b""
        """True if they are; not where they are too many or too large."""
        os.close(said)

    def release(self) -> None:
        """Give them up, as before they may change or their disks are unmounted."""
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


def _text(fields: Sequence[bytes]) -> str:
    return b" ".join(fields).decode(errors="replace") or "no reason given"


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
