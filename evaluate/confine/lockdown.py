"""What a process behind the walls does to itself before it reads anything: it gives up all that it will not need.

Imports little, and runs as the first of our code in the process.
"""

from __future__ import annotations

import ctypes
import os
import resource
import struct
from dataclasses import dataclass
from typing import Any

_PR_CAPBSET_DROP, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _PR_SET_DUMPABLE = 24, 22, 38, 4
_SECCOMP_MODE_FILTER = 2
_CAPABILITY_VERSION = 0x20080522
"""``_LINUX_CAPABILITY_VERSION_3``."""
_INSTRUCTION_BYTES = 8
_OPEN_FILES = 1024
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""Numbers of Landlock's system calls, the same on every processor."""
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""Version of Landlock -> how many rights to files it knows; the bits are those of ``linux/landlock.h``."""
_WRITES = sum(1 << bit for bit in (1, 4, 5, 7, 8, 13, 14))
"""Writing, removing, making folders and files, renaming between folders, truncating; no device, socket or pipe."""
_NETWORK_VERSION, _SCOPE_VERSION = 4, 6
_BIND_AND_CONNECT, _BIND, _ABSTRACT_SOCKETS_AND_SIGNALS = 3, 1, 3


@dataclass(frozen=True, kw_only=True)
class Orders:
    """What is to be given up, as values of JSON."""

    uid: int | None
    """The user and group to become; None if the process has no rights to begin with."""
    threads: int
    folder: str | None
    files: tuple[str, ...]
    programs: tuple[str, ...]
    network: bool
    call_filter: str
    """A program for the kernel, in hexadecimal digits."""


@dataclass(frozen=True, kw_only=True)
class WallState:
    """What a process behind walls has, as it sees it."""

    uid: int
    landlock: int
    """Version of the kernel's Landlock; 0 if it has none."""


class _Program(ctypes.Structure):
    """``struct sock_fprog``."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def give_up(orders: Orders) -> None:
    """Give up everything. Raises OSError if the kernel does not allow it; then nothing may be read."""
    libc = ctypes.CDLL(None, use_errno=True)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for which, most in ((resource.RLIMIT_NPROC, orders.threads), (resource.RLIMIT_NOFILE, _OPEN_FILES)):
        hard = resource.getrlimit(which)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)  # noqa: PLW2901
        resource.setrlimit(which, (most, most))
    os.umask(0o022)
    if orders.uid is not None:
        _become(libc, orders.uid)
    _done(libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")
    _done(libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0), "not dumpable")
    _landlock(libc, orders)
    code = bytes.fromhex(orders.call_filter)
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // _INSTRUCTION_BYTES, ctypes.cast(buffer, ctypes.c_void_p))
    _done(libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0), "system calls")


def _become(libc: Any, uid: int) -> None:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    capability = 0
    while libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:  # the last one is followed by EINVAL
        capability += 1
    os.setresuid(uid, uid, uid)  # clears the capabilities of the process, but not those that programs could inherit
    header, none = struct.pack("Ii", _CAPABILITY_VERSION, 0), bytes(24)
    _done(libc.capset(header, none), "capabilities")


_found_landlock = 0


def standing() -> WallState:
    """Called behind walls: that they stand."""
    return WallState(uid=os.getuid(), landlock=_found_landlock)


def _landlock(libc: Any, orders: Orders) -> None:
    """Restrict files, TCP and signals by Landlock as far as this kernel has it; the other walls do not depend on it."""
    version = libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return
    global _found_landlock  # noqa: PLW0603  # the list of system calls that follows does not let anyone ask again
    _found_landlock = version
    handled = (1 << _RIGHTS.get(version, max(_RIGHTS.values()))) - 1
    attributes = struct.pack("Q", handled)
    if version >= _NETWORK_VERSION:
        attributes += struct.pack("Q", _BIND if orders.network else _BIND_AND_CONNECT)
    if version >= _SCOPE_VERSION:
        attributes += struct.pack("Q", _ABSTRACT_SOCKETS_AND_SIGNALS)
    rules = libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    _done(rules, "Landlock")
    _allow(libc, rules, "/", _READ_FILE | _READ_DIR)
    _allow(libc, rules, "/dev/null", _WRITE_FILE)
    if orders.folder is not None:
        _allow(libc, rules, orders.folder, (_WRITES | _READ_FILE | _READ_DIR) & handled)
    for path in orders.files:
        _allow(libc, rules, path, (_WRITE_FILE | _TRUNCATE | _READ_FILE) & handled)
    for path in orders.programs:
        _allow(libc, rules, path, _EXECUTE | _READ_FILE)
    _done(libc.syscall(_RESTRICT_SELF, rules, 0), "Landlock")
    os.close(rules)


def _allow(libc: Any, rules: int, path: str, rights: int) -> None:
    fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        _done(libc.syscall(_ADD_RULE, rules, 1, struct.pack("=Qi", rights, fd), 0), f"Landlock for {path}")
    finally:
        os.close(fd)


def _done(result: int, what: str) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
