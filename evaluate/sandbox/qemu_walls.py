"""The walls around each guest's QEMU, which hold a QEMU that its guest has taken over: its user, and `walled_qemu.c`.

It never runs as root, and where it can be, each guest's has another user.  Where libvirt confines QEMU by AppArmor or
SELinux, its profile would not let it start another program in QEMU's place; there that profile is the wall.  A guest
with a GPU has none of the other walls: its devices belong to the host.
"""

from __future__ import annotations

import os
import pwd
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from evaluate.confine.children import compiled, ended
from evaluate.confine.ownership import (
    close,
    free_subordinates,
    give,
    has_own_users,
    lend,
    may_pass,
    members,
    opens,
    own_user,
    subordinate,
    unused,
)
from evaluate.core.errors import SandboxFault, UsageError

VARIABLE = "EVALUATE_WALLS"
NAMESPACES = ("user", "mnt", "net", "ipc", "uts", "cgroup")
"""Namespaces of QEMU's own; process numbers are not, since libvirt knows QEMU's threads by them."""
_SOURCE = Path(__file__).with_name("walled_qemu.c")
_CC = ("cc", "-O2", "-Wall", "-Wextra", "-Werror")
_BETWEEN = "|"
_SECONDS = 20.0


def orders(
    *,
    reads: Iterable[Path],
    writes: Iterable[Path],
    shows: Iterable[Path] = (),
    user: tuple[int, int] | None = None,
    group: Path | None = None,
    memory: Path | None = None,
) -> str:
    """Return the orders that the program gets in its variable.

    * ``group``: the control group that it enters first.
    * ``memory``: the socket at which it gets the file of the guest's memory (`evaluate.sandbox.memory_medium`).
    * ``shows``: folders that are there with all that is in them, and so sockets, but of which nothing may be opened.
    * ``user`` (int, int): subordinate numbers of its user and group that QEMU becomes.
    """
    lines = [f"user {user[0]} {user[1]}"] if user else []
    lines += [f"group {group}"] if group else []
    lines += [f"memory {memory}"] if memory else []
    lines += [f"show {path}" for path in shows]
    lines += [f"read {path}" for path in reads] + [f"write {path}" for path in writes]
    if strange := [line for line in lines if _BETWEEN in line or not line.isprintable()]:
        raise SandboxFault(f"a path of a guest cannot be given to its walls: {strange[0]}; choose another --state")
    return _BETWEEN.join(lines)


def starter(cache: Path, program: str) -> Path:
    """The program that becomes another one behind walls, compiled for it.

    Raises SandboxFault if there is no C compiler, or no such program.
    """
    path = shutil.which(program)
    if path is None:
        raise SandboxFault(f"{program} is not installed")
    name = f"walled_{Path(path).name}"
    return compiled(_SOURCE, cache.resolve(), name, (*_CC, f'-DQEMU="{path}"'), SandboxFault)


def refused(program: Path, user: tuple[int, int] | None, sub: tuple[int, int] | None = None) -> str:
    """The reason why walls cannot be built around a process of a user here, found by a trial; empty if they can."""
    env = {**os.environ, VARIABLE: orders(reads=(), writes=(), user=sub)}
    argv: list[str | Path] = [*as_user(user), program, "--version"]
    doing = "building walls around a process"
    try:
        done = ended(argv, doing=doing, fault=SandboxFault, env=env, cwd=Path("/"), seconds=_SECONDS)
    except SandboxFault as e:
        return str(e)
    return done.stderr.decode(errors="replace").strip() if done.returncode != 0 else ""


def as_user(user: tuple[int, int] | None) -> list[str]:
    """The words before a command with which it runs as a user and group alone; None: as ours."""
    return ["setpriv", f"--reuid={user[0]}", f"--regid={user[1]}", "--clear-groups", "--"] if user else []


# The user that QEMU runs as


_KVM = Path("/dev/kvm")
_SHARED_KVM = "under KVM the libvirt of an ordinary user runs every guest as that user"


def qemu_user(capabilities_xml: str) -> tuple[int, int] | None:
    """User and group that a system libvirt with these capabilities runs QEMU as; None if that is the caller."""
    for model in ET.fromstring(capabilities_xml).iterfind("./host/secmodel"):
        if model.findtext("model") == "dac":
            user, _, group = (model.findtext("baselabel") or "").replace("+", "").partition(":")
            if int(user) == 0:
                raise SandboxFault("libvirt is configured to run QEMU as root (user in /etc/libvirt/qemu.conf)")
            return int(user), int(group)
    return None


@dataclass(frozen=True)
class Sharing:
    """The reason why guests share a user, and its repair."""

    because: str = ""
    """Empty if they do not."""
    repair: tuple[str, ...] = ()
    """A command for root; empty where only a person can say what is to be done."""


class Users:
    """Gives each QEMU a user of its own where this host can: root any number, others their subordinate ones.

    Subordinate numbers have no names and no rights.  All of them share the group `group`, which may pass through the
    state directory; what a guest writes to stays this user's, and is lent to the number of its QEMU.
    """

    def __init__(self, usual: tuple[int, int] | None, state: Path, accelerator: str) -> None:
        self.usual = usual
        """User and group of libvirt's choice; None if they are ours."""
        self._numbers: tuple[range, range] | None = None
        if os.geteuid() == 0 and usual is not None:
            self.sharing = _sharing_of_root(state, usual, accelerator)
        else:
            self.sharing = self._sharing_of_subordinates(state, accelerator)
        """The reason why guests share a user, if they do."""

    @property
    def are_subordinate(self) -> bool:
        """True if the numbers are subordinate ones, which QEMU takes by itself behind its walls."""
        return self._numbers is not None

    def new(self) -> tuple[int, int] | None:
        """A user and group for one QEMU; None if it shares the usual one."""
        if self.sharing.because:
            return None
        if self._numbers is not None:
            users, groups = self._numbers
            # the lower half are the owners of packages in images that are being built
            return unused(users[len(users) // 2 :]), groups[-1]
        assert self.usual is not None
        return own_user(), self.usual[1]

    def give(self, path: Path, user: tuple[int, int] | None) -> None:
        """Let a QEMU write to a file or connect to a socket: the user of its own, or the usual one."""
        if user is not None and self._numbers is not None:
            lend(path, user[0])
        elif (owner := user or self.usual) is not None:
            give(path, *owner)

    def _sharing_of_subordinates(self, state: Path, accelerator: str) -> Sharing:
        if os.geteuid() == 0 or accelerator == "kvm":
            return Sharing("libvirt runs every guest as the user of its daemon" if os.geteuid() == 0 else _SHARED_KVM)
        name = pwd.getpwuid(os.geteuid()).pw_name
        numbers = subordinate(name)
        if numbers is None:
            free = free_subordinates()
            wanted = f"{free[0]}-{free[-1]}"
            return Sharing(
                f"/etc/subuid and /etc/subgid have no {len(free)} numbers for {name}",
                ("usermod", "--add-subuids", wanted, "--add-subgids", wanted, name),
            )
        group = numbers[1][-1]
        try:
            if not may_pass(state, (group, group)):
                close(state, (group, group), group)
        except OSError as e:
            return Sharing(f"{state} cannot be opened to a number of its own: {e}")
        if (folder := _closed_folder(state, (group, group))) is not None:
            why = f"a number of its own cannot pass through {folder}; a server's /var/lib/evaluate lets it"
            return Sharing(why, ("chmod", "o+x", str(folder)))
        self._numbers = numbers
        return Sharing()


def _sharing_of_root(state: Path, usual: tuple[int, int], accelerator: str) -> Sharing:
    if not has_own_users():
        return Sharing("this container knows too few numbers of users")
    group = usual[1]
    if people := members(group) - {usual[0]}:
        return Sharing(f"QEMU's group {group} has members who would pass {state} too: users {sorted(people)}")
    guest = own_user(), group
    if (folder := _closed_folder(state, guest)) is not None:
        return Sharing(f"group {group} cannot pass through {folder}", ("chmod", "o+x", str(folder)))
    if accelerator == "kvm" and not opens(_KVM, *guest):
        why = f"group {group} cannot open {_KVM}, which a command lets it until the next boot, and a udev rule for good"
        return Sharing(why, ("setfacl", "-m", f"g:{group}:rw", str(_KVM)))
    return Sharing()


def open_to_guests(state: Path, qemu_user: tuple[int, int]) -> None:
    """Let QEMU's user pass, and its group, which guests have as users of their own."""
    group = None if members(qemu_user[1]) - {qemu_user[0]} else qemu_user[1]
    if not may_pass(state, qemu_user) or not (group is None or may_pass(state, (own_user(), group))):
        close(state, qemu_user, group)


def check_reachable(state: Path, user: tuple[int, int]) -> None:
    """Check that QEMU's user can pass through every folder above the images."""
    if (folder := _closed_folder(state, user)) is not None:
        raise UsageError(
            f"--state {state}: QEMU runs as a separate user and cannot pass through {folder} "
            f"(mode {folder.stat().st_mode & 0o777:o}); use a folder such as /var/lib/evaluate, "
            f"or chmod o+x {folder}"
        )


def _closed_folder(state: Path, user: tuple[int, int]) -> Path | None:
    """The state directory, or the first folder above it, through which a user cannot pass; None: there is none."""
    folders = (state.resolve(), *state.resolve().parents)
    return next((folder for folder in folders if folder.exists() and not may_pass(folder, user)), None)
