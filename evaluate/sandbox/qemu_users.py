"""The user that QEMU runs as: never root, and where it can be, another one for each guest."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from evaluate.core.access import close, may_pass, members, opens
from evaluate.core.errors import SandboxFault, UsageError
from evaluate.core.users import has_own_users, own_user
from evaluate.sandbox.connection import connect, default_uri

_KVM = Path("/dev/kvm")


def qemu_user(connection: Any) -> tuple[int, int] | None:
    """User and group that a system libvirt runs QEMU as; None if that is the caller."""
    for model in ET.fromstring(connection.getCapabilities()).iterfind("./host/secmodel"):
        if model.findtext("model") == "dac":
            user, _, group = (model.findtext("baselabel") or "").replace("+", "").partition(":")
            if int(user) == 0:
                raise SandboxFault("libvirt is configured to run QEMU as root (user in /etc/libvirt/qemu.conf)")
            return int(user), int(group)
    return None


def shared_users(state: Path, accelerator: str) -> str:
    """Why QEMU processes of different guests run as the same user here; empty if each has a user of its own."""
    connection = connect(default_uri())
    try:
        return why_users_are_shared(state, qemu_user(connection), accelerator)
    finally:
        connection.close()


def why_users_are_shared(state: Path, qemu_user: tuple[int, int] | None, accelerator: str) -> str:
    """As `shared_users`, for a connection whose QEMU user is known."""
    if os.geteuid() != 0 or qemu_user is None:
        return "the libvirt of an ordinary user runs every guest as that user"
    if not has_own_users():
        return "this container knows too few numbers of users"
    group = qemu_user[1]
    if people := members(group) - {qemu_user[0]}:
        return f"QEMU's group {group} has members who would pass {state} too: users {sorted(people)}"
    guest = own_user(), group
    for folder in (state.resolve(), *state.resolve().parents):
        if folder.exists() and not may_pass(folder, guest):
            return f"group {group} cannot pass through {folder}"
    if accelerator == "kvm" and not opens(_KVM, *guest):
        return f"group {group} cannot open {_KVM}; `setfacl -m g:{group}:rw {_KVM}` lets it, until the next boot"
    return ""


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
