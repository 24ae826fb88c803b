"""The user that QEMU runs as: never root, and where it can be, another one for each guest."""

from __future__ import annotations

import os
import pwd
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from evaluate.confine.acl import close, lend, may_pass, members, opens
from evaluate.confine.ownership import free_subordinates, give, has_own_users, own_user, subordinate, unused
from evaluate.core.errors import SandboxFault, UsageError
from evaluate.sandbox.connection import connect, default_uri

_KVM = Path("/dev/kvm")
_SHARED_KVM = "under KVM the libvirt of an ordinary user runs every guest as that user"


def qemu_user(connection: Any) -> tuple[int, int] | None:
    """User and group that a system libvirt runs QEMU as; None if that is the caller."""
    for model in ET.fromstring(connection.getCapabilities()).iterfind("./host/secmodel"):
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
        self.sharing = self._sharing(state, accelerator)
        """True if guests share a user, and the reason."""

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

    def _sharing(self, state: Path, accelerator: str) -> Sharing:
        if os.geteuid() != 0 or self.usual is None:
            return self._sharing_of_subordinates(state, accelerator)
        return _sharing_of_root(state, self.usual, accelerator)

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
        for folder in state.resolve().parents:
            if not may_pass(folder, (group, group)):
                why = f"a number of its own cannot pass through {folder}; a server's /var/lib/evaluate lets it"
                return Sharing(why, ("chmod", "o+x", str(folder)))
        self._numbers = numbers
        return Sharing()


def shared_users(state: Path, accelerator: str) -> Sharing:
    """True if QEMU processes of different guests run as the same user here."""
    connection = connect(default_uri())
    try:
        return Users(qemu_user(connection), state, accelerator).sharing
    finally:
        connection.close()


def _sharing_of_root(state: Path, usual: tuple[int, int], accelerator: str) -> Sharing:
    if not has_own_users():
        return Sharing("this container knows too few numbers of users")
    group = usual[1]
    if people := members(group) - {usual[0]}:
        return Sharing(f"QEMU's group {group} has members who would pass {state} too: users {sorted(people)}")
    guest = own_user(), group
    for folder in (state.resolve(), *state.resolve().parents):
        if folder.exists() and not may_pass(folder, guest):
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
    for folder in (state.resolve(), *state.resolve().parents):
        if folder.exists() and not may_pass(folder, user):
            raise UsageError(
                f"--state {state}: QEMU runs as a separate user and cannot pass through {folder} "
                f"(mode {folder.stat().st_mode & 0o777:o}); use a folder such as /var/lib/evaluate, "
                f"or chmod o+x {folder}"
            )
