"""The walls around a process that reads strangers' bytes: what it can reach, and what it may ask of the kernel.

`bubblewrap <https://github.com/containers/bubblewrap>`_ starts it in namespaces of its own, without a network, with
the interpreter, our code and the files it is to read as the only files, all read-only.  It may write to a place that is
gone with it (`evaluate.confine.scratch`), and files that the host made.  No program, socket or other process
can be reached.  The process then gives up what is left (`evaluate.confine.lockdown`): root becomes a user that owns
nothing, and a list of allowed system calls (`evaluate.confine.lockdown`) stays in force until it ends.

There is no way to do without: a host that refuses the namespaces reads and scores nothing, and `evaluate doctor` has
the command that repairs it.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import site
import stat
import struct
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evaluate.confine.children import require
from evaluate.confine.lockdown import Orders, call_filter
from evaluate.confine.ownership import own_user
from evaluate.confine.root_helper import attaching, called
from evaluate.confine.scratch import PLACE, Provided, Scratch, provided
from evaluate.core.errors import Fault

# Files that are closed to others, as the files of another user, for one process: mounted, not copied.
#
# A process behind the walls of root is a user who owns nothing, so it could not read a folder of references that only
# its owner may read.  The kernel shows such a folder with its owner exchanged (an idmapped mount: Linux 5.12, and a
# file system that can do it), read-only, in the mount namespace of that process alone; nothing changes on the disk.


_OPEN_TREE, _MOUNT_SETATTR = 428, 442
"""Numbers of the system calls, the same on every processor."""
_CLONE, _CLOSE_ON_EXEC, _RECURSIVE, _EMPTY_PATH = 1, os.O_CLOEXEC, 0x8000, 0x1000
_READ_ONLY, _IDMAP = 0x1, 0x100000
_AT_FDCWD = -100


class NotPossible(Exception):
    """This kernel, this file system or the owners of these files do not allow it."""


@contextmanager
def lent(sources: Mapping[Path, Path], uid: int) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Show what is at ``sources`` (place -> file or folder) to a user.

    A place is an empty file or folder of the host, where the program that is started with the given prefix, and with
    the given descriptors, finds it.
    """
    with ExitStack() as stack:
        spaces: dict[tuple[int, int], int] = {}
        mounts: list[tuple[int, Path]] = []
        for target, source in sources.items():
            owner = _owner(source)
            if owner not in spaces:
                spaces[owner] = _space(owner, uid)
                stack.callback(os.close, spaces[owner])
            fd = _shown(source, spaces[owner])
            stack.callback(os.close, fd)
            mounts.append((fd, target))
        yield attaching(mounts), tuple(fd for fd, _ in mounts)


def _owner(source: Path) -> tuple[int, int]:
    """User and group of all that is closed in a folder, and that its owner can read."""
    owners = set()
    paths = (Path(top, name) for top, folders, files in os.walk(source) for name in (*folders, *files))
    for path in (source, *paths):
        status = path.lstat()
        wanted = 0o5 if stat.S_ISDIR(status.st_mode) else 0o4
        if stat.S_ISLNK(status.st_mode) or status.st_mode & wanted == wanted:
            continue
        if status.st_mode >> 6 & wanted != wanted:
            raise NotPossible(f"{path} is closed to its owner")
        owners.add((status.st_uid, status.st_gid))
    if len({user for user, _ in owners}) != 1:
        raise NotPossible(f"{source} belongs to several users")
    return owners.pop()


def _space(owner: tuple[int, int], uid: int) -> int:
    """A user namespace in which the owner is the other user: the form in which the kernel takes the exchange."""
    argv = ["unshare", "--user", "sh", "-c", "echo && read end"]
    try:
        with subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            for kind, number in zip(("uid_map", "gid_map"), owner, strict=True):
                Path(f"/proc/{process.pid}/{kind}").write_text(f"{number} {uid} 1")
            return os.open(f"/proc/{process.pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    except OSError as e:
        raise NotPossible(f"a user namespace: {e}") from e


def _shown(source: Path, space: int) -> int:
    """A descriptor of what is at a path, read-only and with its owner exchanged, mounted nowhere yet."""
    attributes = struct.pack("QQQQ", _READ_ONLY | _IDMAP, 0, 0, space)
    changed = b"", _EMPTY_PATH | _RECURSIVE, attributes, ctypes.c_size_t(len(attributes))
    with ExitStack() as failed:
        try:
            fd = called("open_tree", _OPEN_TREE, _AT_FDCWD, os.fsencode(source), _CLONE | _CLOSE_ON_EXEC | _RECURSIVE)
            failed.callback(os.close, fd)
            called("mount_setattr", _MOUNT_SETATTR, fd, *changed)
        except OSError as e:
            raise NotPossible(str(e)) from e
        failed.pop_all()
    return fd


ROOT = Path(__file__).resolve().parent.parent.parent
"""The folder that the product's packages are in."""
_PACKAGES = ("evaluate", "metrics")
_INSIDE = "65534"
"""User and group as which an ordinary user appears to itself."""
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")
_RESOLVER = ("/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services")
_THREADS = 64


@dataclass(frozen=True, kw_only=True)
class Openings:
    """Openings that are left in the walls."""

    reads: tuple[Path, ...] = ()
    """Files and folders that can be read; symbolic links in them lead nowhere unless their targets are named too."""
    writes: tuple[Path, ...] = ()
    """Files that can be written: regular ones that the host has just made, in a folder that is its own."""
    scratch: Scratch | None = None
    """The place to write to, `evaluate.confine.scratch.PLACE`; gone when the process ends."""
    programs: tuple[Path, ...] = ()
    """Programs, and folders of programs, that may be started; without any, no process can be."""
    network: bool = False
    """True if Internet sockets may be used."""
    named_user: bool = False
    """True if the process's user has a name and, as its home, the place to write to: ssh does not start without."""


@dataclass(frozen=True, kw_only=True)
class Walls:
    """Walls that stand: how a process is started behind them."""

    prefix: tuple[str, ...]
    """Comes before the command."""
    pass_fds: tuple[int, ...]
    environment: Mapping[str, str]
    orders: Orders
    """Orders that the process must carry out on itself before it reads anything."""
    watched: Path | None = None
    """The folder that must be looked at; None if its file system has an end."""


@contextmanager
def walls(openings: Openings) -> Iterator[Walls]:
    """Walls for one process with these openings; at the end the files that it wrote belong to this user again.

    Raises Fault if bubblewrap or libseccomp is missing.
    """
    require(["bwrap"])
    bubblewrap = shutil.which("bwrap") or "bwrap"
    uid = own_user() if os.geteuid() == 0 else None
    writing = bool(openings.scratch or openings.writes)
    program = call_filter(writing, bool(openings.programs), openings.network)
    with ExitStack() as stack:
        readable = stack.enter_context(_readable(openings.reads, uid))
        stack.enter_context(_lent(openings.writes, uid))
        scratch = stack.enter_context(provided(openings.scratch, uid)) if openings.scratch else Provided(words=())
        args = stack.enter_context(tempfile.TemporaryFile())
        words = [*_namespaces(uid, openings.network), *_mounts(openings, readable.sources, scratch)]
        data = []
        if openings.named_user:
            users = stack.enter_context(tempfile.TemporaryFile())
            users.write(f"user:x:{uid or _INSIDE}:{uid or _INSIDE}::{PLACE}:/bin/false\n".encode())
            users.seek(0)
            data.append(users.fileno())
            words += ["--perms", "0644", "--ro-bind-data", str(users.fileno()), "/etc/passwd"]
        words += ["--remount-ro", "/"]
        args.write(b"".join(word + b"\0" for word in map(os.fsencode, words)))
        args.seek(0)
        yield Walls(
            prefix=(
                *_without_rights(),
                *_new_root(),
                *readable.prefix,
                *scratch.prefix,
                bubblewrap,
                "--args",
                str(args.fileno()),
                "--",
            ),
            pass_fds=(args.fileno(), *data, *readable.pass_fds, *scratch.pass_fds),
            environment={
                "PATH": os.pathsep.join(sorted({str(path.parent) for path in openings.programs})) or os.defpath,
                "LC_ALL": "C.UTF-8",
                **({"TMPDIR": str(PLACE)} if openings.scratch else {}),
            },
            orders=Orders(
                uid=uid,
                threads=_THREADS + 2 * (os.cpu_count() or 1),
                folder=str(PLACE) if openings.scratch else None,
                files=tuple(str(path.absolute()) for path in openings.writes),
                programs=tuple(map(str, (*openings.programs, *_loaders()) if openings.programs else ())),
                network=openings.network,
                call_filter=program.hex(),
            ),
            watched=scratch.watched,
        )


_ADMIN_PATH = "/usr/sbin:/sbin:/usr/bin:/bin"
_NEW_ROOT = 'mount --make-private /proc && mount --rbind / /proc && exec "$0" /proc "$@"'
"""On /proc, since it is surely a mount point: what is mounted elsewhere would appear outside this namespace too."""


def _new_root() -> tuple[str, ...]:
    """Words that make the root a mount point for this process, as bubblewrap needs it: in a plain chroot it is none."""
    if os.geteuid() != 0 or root_is_mounted():
        return ()
    require(["unshare"])
    chroot = shutil.which("chroot", path=_ADMIN_PATH) or "chroot"
    return ("unshare", "--mount", "--propagation", "unchanged", "sh", "-c", _NEW_ROOT, chroot)


_INHERITED = ("CapInh:", "CapAmb:")


def _without_rights() -> tuple[str, ...]:
    """Give up first what programs inherit from a service: bubblewrap refuses to start with ambient capabilities."""
    fields = (line.split() for line in Path("/proc/thread-self/status").read_text().splitlines())
    if not any(words[0] in _INHERITED and int(words[1], 16) for words in fields if words):
        return ()
    require(["setpriv"])
    return (shutil.which("setpriv") or "setpriv", "--ambient-caps=-all", "--inh-caps=-all", "--")


def root_is_mounted() -> bool:
    """True if the root is a mount point, which it is not in a plain chroot."""
    return any(line.split()[4] == "/" for line in Path("/proc/self/mountinfo").read_text().splitlines())


def _namespaces(uid: int | None, network: bool) -> list[str]:
    words = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent"]
    words += ["--new-session", "--hostname", "walls", "--chdir", "/"]
    if not network:
        words.append("--unshare-net")
    if uid is None:
        return [*words, "--unshare-user", "--uid", _INSIDE, "--gid", _INSIDE]
    # root needs no user namespace, and gets none: what the process needs to become someone else, it then gives up
    kept = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
    return [*words, "--cap-drop", "ALL", *(word for name in kept for word in ("--cap-add", name))]


def _mounts(openings: Openings, sources: Mapping[Path, Path], scratch: Provided) -> list[str]:
    binds, links = _interpreter()
    binds = {**binds, **sources, **{path: path.resolve() for path in openings.programs}}
    if openings.network:
        binds |= {Path(path): Path(path) for path in (*_RESOLVER, "/etc/ssl/certs", "/usr/share/ca-certificates")}
    words: list[str] = []
    for link, leads_to in links.items():
        words += ["--symlink", leads_to, str(link)]
    places = [*binds, *map(Path, _DEVICES), *(path.absolute() for path in openings.writes)]
    for above in sorted({folder for target in places for folder in target.parents} - {Path("/")}):
        words += ["--perms", "0755", "--dir", str(above)]  # otherwise for root only
    for target in sorted(binds, key=lambda path: len(path.parts)):  # what is above others first
        words += ["--ro-bind-try", str(binds[target]), str(target)]
    for device in _DEVICES:
        words += ["--dev-bind", device, device]
    for path in openings.writes:
        words += ["--bind", str(path.resolve()), str(path.absolute())]
    return [*words, *scratch.words]


@cache
def _loaders() -> tuple[Path, ...]:
    """Programs with which the kernel starts others."""
    loaders = (sorted(Path(folder).glob("ld-linux*.so.*")) for folder in ("/lib64", "/lib"))
    return tuple(path.resolve() for path in next(filter(None, loaders), ()))


def interpreter() -> Path:
    """The running Python, by a name that means the same behind walls."""
    return _without_dots(Path(sys.executable))


def _without_dots(path: Path) -> Path:
    """A name without ``..``, which would lead elsewhere where a folder on its way is no link any more."""
    return path.parent.resolve() / path.name if ".." in path.parts else path


@cache
def _interpreter() -> tuple[dict[Path, Path], dict[Path, str]]:
    """Place -> source of this Python, its libraries and our packages; and links of the root folder."""
    base, binds, links = Path(sys.base_prefix), {}, {}
    program = interpreter()
    binds[program] = program.resolve()
    while program.is_symlink():
        program = _without_dots(program.parent / program.readlink())
        binds[program] = program.resolve()
    folders = [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), *site.getsitepackages()]
    if sys.prefix != sys.base_prefix:
        folders.append(sys.prefix)
        binds = {target: source for target, source in binds.items() if not target.is_relative_to(sys.prefix)}
    if base != Path("/usr"):
        folders.append(str(base / "lib"))
    if architecture := sysconfig.get_config_var("MULTIARCH"):
        folders += [f"/usr/lib/{architecture}", f"/usr/local/lib/{architecture}"]
    folders += [
        "/usr/lib64",
        "/etc/ld.so.cache",
        "/etc/alternatives",
        "/usr/lib/locale/C.utf8",  # without it, Python reads names in .pth files as ASCII
        *_editable(),
        *(str(ROOT / p) for p in _PACKAGES),
    ]
    for folder in ("/lib", "/lib64"):
        if Path(folder).is_symlink():
            links[Path(folder)] = str(Path(folder).readlink())
        else:
            folders.append(folder)
    binds |= {Path(folder): Path(folder).resolve() for folder in folders if Path(folder).exists()}
    return binds, links


def _editable() -> Iterator[str]:
    """Folders that ``.pth`` files add to Python's path: organisers' metrics that are installed for development."""
    for folder in site.getsitepackages():
        for path in sorted(Path(folder).glob("*.pth")):
            lines = path.read_text(errors="replace").splitlines()
            yield from (line for line in lines if line.startswith("/") and Path(line) != ROOT)


@dataclass(frozen=True)
class _ReadablePlace:
    """Place -> source of what is to be read, and how the process is started so that it finds the sources."""

    sources: Mapping[Path, Path]
    prefix: tuple[str, ...] = ()
    pass_fds: tuple[int, ...] = ()


@contextmanager
def _readable(reads: Sequence[Path], uid: int | None) -> Iterator[_ReadablePlace]:
    """Let a user who owns nothing read these: as they are, as its own for a while or, failing that, as copies."""
    places = {path.absolute(): path.resolve() for path in reads}
    closed = [target for target, source in places.items() if uid is not None and not _is_open(source)]
    if uid is None or not closed:
        yield _ReadablePlace(places)
        return
    with tempfile.TemporaryDirectory(prefix="walls-") as folder, ExitStack() as stack:
        at = {target: Path(folder, str(n)) for n, target in enumerate(closed)}
        try:
            if not root_is_mounted():
                raise NotPossible("the root is no mount point")
            prefix, fds = stack.enter_context(lent({at[target]: places[target] for target in closed}, uid))
            for target in closed:
                at[target].mkdir() if places[target].is_dir() else at[target].touch()
            yield _ReadablePlace({**places, **at}, prefix, fds)
        except NotPossible:
            copies = {target: _copied(places[target], at[target]) for target in closed}
            yield _ReadablePlace({**places, **copies})


def _is_open(path: Path) -> bool:
    """True if everybody can read a file, or a folder with all that is in it."""
    return _is_readable(path) and all(
        _is_readable(Path(top, name)) for top, folders, files in os.walk(path) for name in (*folders, *files)
    )


def _is_readable(path: Path) -> bool:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return True
    wanted = 0o005 if stat.S_ISDIR(mode) else 0o004
    return stat.S_ISLNK(mode) or mode & wanted == wanted


def _copied(source: Path, target: Path) -> Path:
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True)
    else:
        shutil.copyfile(source, target)
    for top, _, files in os.walk(target):
        Path(top).chmod(0o755)
        for path in (Path(top, name) for name in files):
            if not path.is_symlink():
                path.chmod(0o644)
    if target.is_file():
        target.chmod(0o644)
    return target


@contextmanager
def _lent(files: Sequence[Path], uid: int | None) -> Iterator[None]:
    """Give files of this process to a user for a while: those opened now, whatever is renamed meanwhile.

    Raises Fault if one is no regular file, or has another name besides.
    """
    with ExitStack() as stack:
        for path in files:
            fd = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
            stack.callback(os.close, fd)
            status = os.fstat(fd)
            if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
                raise Fault(f"{path}: expected a regular file with one name, to be written behind walls")
            if uid is not None:
                os.fchown(fd, uid, uid)
                stack.callback(os.fchown, fd, status.st_uid, status.st_gid)
        yield
