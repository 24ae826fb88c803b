"""System calls of the guest agent that Python's `os` does not have.  x86-64 Linux."""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import struct
from collections.abc import Callable

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_NOATIME = 1, 2, 4, 8, 1 << 10
MS_REMOUNT, MS_BIND, MNT_DETACH = 1 << 5, 1 << 12, 2
CLONE_NEWNS, CLONE_NEWNET = 0x00020000, 0x40000000
FILE_RIGHTS = (0, 1, 3, 4, 5, 6, 7, 8)
"""Capabilities over files, owners and own processes (CHOWN to SETPCAP, without DAC_READ_SEARCH): what root in a
container expects, and nothing that gives access to more of the kernel."""
ALL_RIGHTS = range(64)
"""Every capability, also those that this kernel does not have."""

_MAP_FIXED_NOREPLACE = 0x100000
_RETURN = b"\xc3"
_POWER_OFF = 0x4321FEDC
_LOOP_CONTROL = "/dev/loop-control"
_LOOP_GET_FREE, _LOOP_CONFIGURE = 0x4C82, 0x4C0A
_LOOP_READ_ONLY, _LOOP_UNTIL_UNUSED = 1, 4
_LOOP_CONFIG = struct.Struct("=2I 5Q 4I 240x")
"""The kernel's ``struct loop_config``: first the descriptor of what is below, last of the numbers the flags."""
_ADD_ENTROPY, _ENTROPY = 0x40085203, struct.Struct("=ii32s")
"""RNDADDENTROPY, and the kernel's ``struct rand_pool_info``: the bits it is worth, the number of bytes, and these."""
_PR_SET_SECCOMP, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 22, 24, 38
_SECCOMP_MODE_FILTER = 2

REFUSED = {
    # key rings belong to the user, not to the namespaces: one record could leave data for the next
    "add_key": 248,
    "request_key": 249,
    "keyctl": 250,
    # large parts of the kernel that no entry needs
    "perf_event_open": 298,
    "bpf": 321,
    "userfaultfd": 323,
    # finishes its work and closes files some time after its process is dead
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
}
"""System calls that fail with EPERM in an entry's processes, and their numbers."""

_LIBC = ctypes.CDLL(None, use_errno=True)


def call(name: str, *arguments: str | bytes | int | ctypes.c_ulong) -> int:
    """Call a function of the C library; OSError if it returns -1."""
    converted = [a.encode() if isinstance(a, str) else a for a in arguments]
    result: int = getattr(_LIBC, name)(*converted)
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def mount(source: str, target: str, kind: str, flags: int = 0, data: str = "") -> None:
    """mount(2)"""
    try:
        call("mount", source, target, kind, ctypes.c_ulong(flags), data)
    except OSError as e:
        raise OSError(e.errno, f"mount {kind} {source} at {target}: {os.strerror(e.errno or 0)}") from e


def mount_through_loop(source: str, target: str, kind: str, flags: int = 0) -> None:
    """Mount what a file or another block device contains through a loop device, which is gone when it is unmounted.

    What was read through it stays in memory.  The kernel keeps no more than eight blocks of squashfs's own tables, so
    these would be read from a disk again and again, and a disk answers when the host has time.
    """
    control = os.open(_LOOP_CONTROL, os.O_RDWR | os.O_CLOEXEC)
    path = f"/dev/loop{call('ioctl', control, ctypes.c_ulong(_LOOP_GET_FREE))}"
    os.close(control)
    below, device = os.open(source, os.O_RDONLY | os.O_CLOEXEC), os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    settings = _LOOP_CONFIG.pack(below, 0, *(0,) * 8, _LOOP_READ_ONLY | _LOOP_UNTIL_UNUSED)
    call("ioctl", device, ctypes.c_ulong(_LOOP_CONFIGURE), settings)
    mount(path, target, kind, flags | MS_RDONLY)
    os.close(below)
    os.close(device)


def drop_bounding_set() -> None:
    """Give up every capability, also those that a program could regain."""
    capability = 0
    while _LIBC.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1  # until the kernel knows no further capability


def refuse_new_rights() -> None:
    """From now on set-user-id programs gain no rights, and the calls in `REFUSED` fail."""
    call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    program = _Program(len(FILTER) // _STEP.size, FILTER)
    call("prctl", _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.c_ulong(ctypes.addressof(program)), 0, 0)


def seed_random() -> None:
    """Have the kernel's random numbers begin, from a seed that every machine has.

    Until it believes to have been seeded, it makes a new key for every number that it draws, of which a command of its
    own namespaces needs some hundred.  Nothing here is to be a secret: what could be learnt from guessing a number is
    in the machine already.
    """
    with open("/dev/random", "wb") as device:
        seed = _ENTROPY.pack(8 * 32, 32, bytes(32))
        call("ioctl", device.fileno(), ctypes.c_ulong(_ADD_ENTROPY), seed)


def random_key_at() -> int:
    """Where in the machine's memory the kernel has the key of its random numbers; 0 if it is not one that is known.

    `evaluate.sandbox.running` says what is there.
    """
    if not os.uname().release.startswith("6.1."):
        return 0
    with open("/proc/kallsyms", "rb") as f:
        symbols = f.read()
    with open("/proc/iomem") as f:
        code = next(int(line.partition("-")[0], 16) for line in f if line.endswith(" : Kernel code\n"))
    return code + _symbol(symbols, b"base_crng") - _symbol(symbols, b"_text")


def _symbol(symbols: bytes, name: bytes) -> int:
    """The address in a line such as ``ffffffff81000000 T _text``."""
    kind_ends = symbols.index(b" %b\n" % name)
    return int(symbols[kind_ends - 18 : kind_ends - 2], 16)


def power_off() -> None:
    """Switch the machine off at once; what is not yet written is lost."""
    call("reboot", _POWER_OFF)


class _Program(ctypes.Structure):
    """The kernel's ``struct sock_fprog``."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


_STEP = struct.Struct("=HBBI")


def _filter() -> bytes:
    """The seccomp filter as classic BPF instructions (code, jump if true, jump if false, value)."""
    load, equal, at_least, reply = 0x20, 0x15, 0x35, 0x06
    allow, refuse = 0x7FFF0000, 0x00050000 | errno.EPERM
    x86_64, x32_bit = 0xC000003E, 0x40000000
    numbers = sorted(REFUSED.values())
    steps = [
        (load, 0, 0, 4),  # the architecture
        (equal, 0, len(numbers) + 4, x86_64),
        (load, 0, 0, 0),  # the number
        (at_least, len(numbers) + 2, 0, x32_bit),
        (at_least, 0, len(numbers), numbers[0]),  # for each new filter, the kernel tries every number
        *((equal, len(numbers) - i, 0, number) for i, number in enumerate(numbers)),
        (reply, 0, 0, allow),
        (reply, 0, 0, refuse),
    ]
    return b"".join(_STEP.pack(*step) for step in steps)


FILTER = _filter()
"""What `refuse_new_rights` and `keeper.c` give to the kernel."""


def function_at(address: int) -> Callable[[], None]:
    """A function of one instruction, which returns, whose code is at this address."""
    place, size, begin = (ctypes.c_ulong(n) for n in (address, mmap.PAGESIZE, 0))
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_FIXED_NOREPLACE
    call("mmap", place, size, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC, flags, -1, begin)
    ctypes.memmove(address, _RETURN, len(_RETURN))
    return ctypes.CFUNCTYPE(None)(address)
