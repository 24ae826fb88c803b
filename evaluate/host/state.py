"""The state directory of this host: images, layers, runs, and a queue's database."""

from __future__ import annotations

import os
import pwd
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from evaluate.confine.ownership import close, qemu_user
from evaluate.core.errors import UsageError
from evaluate.core.files import is_read_only, is_there
from evaluate.host.finding import BY_ROOT, Check, note

SERVICE_USER = "evaluate"
"""User of the services of a server."""
AS_ROOT = "EVALUATE_AS_ROOT"
"""A variable: 1 lets root serve a folder of its own where `SERVICE_USER` exists."""
INSTALLED = Path("/etc/evaluate/state")
"""A link to the state directory of this server, made by `install.sh`."""
RUNTIME = Path("/run/evaluate")
"""Folder where the daemon of a server has the sockets of its libvirt, while it runs."""
_OURS = {"queue.sqlite", "images", "layers", "runs", "cache"}
"""Names in a state directory; it has one of them."""
_WRITTEN = ("queue.sqlite", "runs")
"""Names in a state directory that every command or the queue writes."""
RESTORING = ".restoring"
"""Name in a state directory, or suffix of one beside it, of an unfinished restore (`evaluate.operate.restoration`)."""


def default_state() -> Path:
    """``EVALUATE_STATE``, else that of an installed server, else /var/lib/evaluate for root, else the user's own."""
    if given := os.environ.get("EVALUATE_STATE"):
        return Path(given)
    if INSTALLED.is_symlink():
        return INSTALLED.readlink()
    if os.geteuid() == 0:
        return Path("/var/lib/evaluate")
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "evaluate"


def continue_as_owner(state: Path, words: Sequence[str], *, serves: bool = False) -> None:
    """Start root's program once more as the owner of the state directory, as on a server.

    Root's files there would be closed to the services.  Does nothing where that is not so.  Raises UsageError if this
    program or a file of the command line is closed to that user, or there is no such user.

    * ``words``: the command line after the program's name.
    * ``serves``: whether it reads uploads for long, so that it wants the helper that mounts places.
    """
    owner = _owner(state)
    if os.geteuid() != 0 or owner in (None, 0):
        return
    try:
        user = pwd.getpwuid(owner)
    except KeyError as e:
        raise UsageError(f"--state {state} belongs to user number {owner}, whom this machine does not know") from e
    existing = [word for word in words if not word.startswith("-") and is_there(Path(word))]
    if serves:
        _start_helper(user)
    os.initgroups(user.pw_name, user.pw_gid)
    os.setresgid(user.pw_gid, user.pw_gid, user.pw_gid)
    os.setresuid(owner, owner, owner)
    if closed := [word for word in existing if not os.access(word, os.R_OK)]:
        raise UsageError(
            f"{closed[0]} is closed to the user {user.pw_name}, as whom evaluate runs on this server: put it where "
            "everybody may read it, such as below /srv, or change its mode and those of the folders above it"
        )
    if closed := [path for path in (sys.executable, __file__) if not os.access(path, os.R_OK)]:
        raise UsageError(
            f"{closed[0]}, a part of this program, is closed to the user {user.pw_name}, to whom the state directory "
            f"{state} belongs: type the 'evaluate' that is installed on this server, move this one to where everybody "
            "may read it, such as below /srv, or give it a state directory of its own (--state, or EVALUATE_STATE)"
        )
    program = [sys.executable, "-P", "-W", "ignore", "-m", "evaluate", *words]
    os.execve(sys.executable, program, {**os.environ, **_environment(user), BY_ROOT: "1"})


def daemon_check(state: Path) -> Check:
    """True if a daemon of this state directory is an ordinary user, as on a server (`continue_as_owner`)."""
    if os.geteuid() != 0:
        return Check(name="daemon", ok=True, found="the daemon is an ordinary user")
    home = str(state)
    made = ("useradd", "--system", "--user-group", "--home-dir", home, "--shell", "/usr/sbin/nologin", SERVICE_USER)
    given = ("chown", "-R", f"{SERVICE_USER}:", home)
    finding = (
        f"a daemon of {state} would be root, and so would a defect in what it makes of uploads; expected a folder "
    )
    finding += "of an ordinary user, as install.sh makes one"
    return note("daemon", False, finding, *([] if _has_service_user() else [made]), given, by_hand=True)


def _start_helper(user: pwd.struct_passwd) -> None:
    """Start all that remains of root; where it cannot mount, the services do without, and `evaluate doctor` says so."""
    from evaluate.confine import root_helper, scratch  # noqa: PLC0415  # for services only

    if scratch.has_loops():
        with suppress(OSError):
            root_helper.start(user.pw_uid, user.pw_gid)


def refuse_root(state: Path, *, public: bool = False) -> None:
    """Serve no folder of root's as root, where the services have a user of their own, or strangers send uploads.

    On one's own machine without that user, such as in a container for a trial, there is nobody else to become, and
    `daemon_check` says so.

    ``public``: whether the site of this state directory can be reached from other machines.

    Raises UsageError with the command that gives the folder to that user.
    """
    check = daemon_check(state)
    if not check.ok and (public or _has_service_user()) and os.environ.get(AS_ROOT) != "1":
        raise UsageError(f"{check.found}: {check.remedy_text}; for a trial as root, set {AS_ROOT}=1")


def _has_service_user() -> bool:
    try:
        pwd.getpwnam(SERVICE_USER)
    except KeyError:
        return False
    return True


def adopt_own_home() -> None:
    """Have HOME and the folder of libvirt's sockets be this user's, which `runuser` leaves those of its caller."""
    try:
        user = pwd.getpwuid(os.geteuid())
    except KeyError:
        return
    if not os.access(os.environ.get("HOME", "/"), os.W_OK | os.X_OK):
        os.environ.update(_environment(user))


def _environment(user: pwd.struct_passwd) -> dict[str, str]:
    variables = {"HOME": user.pw_dir, "USER": user.pw_name, "LOGNAME": user.pw_name}
    return {**variables, "XDG_RUNTIME_DIR": str(RUNTIME)} if _owner(RUNTIME) == user.pw_uid else variables


def _owner(path: Path) -> int | None:
    try:
        return path.stat().st_uid
    except OSError:
        return None


def open_state(path: Path) -> Path:
    """The state folder, created if necessary, and closed to everybody but its owner and QEMU's user.

    On a disk that is mounted read-only it is what it is: it can be looked at, and what writes fails with that reason.
    Raises UsageError if it cannot be created or written, or a restore of it has not finished.
    """
    try:
        if (part := path.resolve() / RESTORING).exists():
            again = f"run `evaluate restore` again, or remove {part.parent}"
            raise UsageError(f"--state {path}: a restore of it has not finished; {again}")
        if path.is_dir() and is_read_only(path):
            return path.resolve()
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        # hidden answers and scores are in it; QEMU of the system's libvirt only passes through it to disks
        mode = path.stat().st_mode
        if (mode & 0o007 or not mode & 0o070) and _is_state(path):
            close(path, qemu_user())
    except OSError as e:
        raise UsageError(f"--state {path}: {e.strerror}{_owner_advice(path)}") from e
    if not os.access(path, os.W_OK | os.X_OK):
        raise UsageError(f"--state {path}: this folder is not writable for this user{_owner_advice(path)}")
    for part in (path / name for name in _WRITTEN):
        if part.exists() and not os.access(part, os.W_OK):
            me = f"{os.geteuid()}:{os.getegid()}"  # a container's user may have no name
            raise UsageError(
                f"--state {path}: {part.name} in it is not writable for this user, as after a trial by root; "
                f"as root, give all of it to this user: 'chown -R {me} {path}'"
            )
    return path.resolve()


def _owner_advice(path: Path) -> str:
    """Say what to type where a state directory is another user's."""
    owner = _owner(path)
    if owner in (None, os.geteuid()):
        return ""
    try:
        name = pwd.getpwuid(owner).pw_name
    except KeyError:
        name = f"#{owner}"
    advice = "or give a folder of your own with --state or EVALUATE_STATE"
    return f"; it belongs to the user {name}: type 'sudo evaluate …', {advice}"


def _is_state(path: Path) -> bool:
    """True if a folder is empty or was used before: `--state /var/lib` must not close that to everybody."""
    names = {entry.name for entry in path.iterdir()}
    return not names or bool(names & _OURS)
