"""First act of a process behind the walls, before it reads anything: it gives up all that it will not need.

Imports little, and runs as the first of our code in the process.
"""

from __future__ import annotations

import ctypes
import os
import resource
import struct
import tempfile
from dataclasses import dataclass
from functools import cache
from typing import Any

from evaluate.core.errors import Fault

# The system calls that a process behind walls may make, as a program for the kernel (seccomp).
#
# `libseccomp <https://github.com/seccomp/libseccomp>`_ makes it.  The list says what is allowed; everything else
# fails with EPERM, so that a library that merely tries something optional can continue, and the calls of i386 and x32
# kill the process.


_ALLOW, _REFUSE, _MISSING, _KILL = 0x7FFF0000, 0x00050000 | 1, 0x00050000 | 38, 0x80000000
"""Actions of libseccomp: EPERM, so that a library that tries something optional can continue; ENOSYS."""
_BAD_ARCHITECTURE = 2
_EQUAL, _MASKED_EQUAL = 4, 7
_CLONE_THREAD, _NEW_NAMESPACES = 0x00010000, 0x7E020080
_AF_UNIX, _AF_INET, _AF_INET6 = 1, 2, 10

_READING = """
access arch_prctl brk clock_getres clock_gettime clock_nanosleep close close_range dup dup2 dup3 epoll_create1 epoll_ctl
epoll_pwait epoll_wait eventfd2 exit exit_group faccessat faccessat2 fadvise64 fcntl fstat fstatfs futex getcpu getcwd
getdents64 getegid geteuid getgid getgroups getpgid getpgrp getpid getppid getpriority getrandom getresgid getresuid
getrlimit getrusage getsid gettid gettimeofday getuid lseek lstat madvise membarrier mmap mprotect mremap munmap
nanosleep newfstatat open openat pipe pipe2 poll ppoll pread64 preadv pselect6 pwrite64 pwritev read readlink readlinkat
readv restart_syscall rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigreturn rt_sigtimedwait sched_get_priority_max
sched_get_priority_min sched_getaffinity sched_getparam sched_getscheduler sched_yield select set_robust_list
set_tid_address sigaltstack stat statfs statx sysinfo time times uname write writev
"""
# without `fallocate`: with FALLOC_FL_KEEP_SIZE it takes space of the disk beyond the limit of a file's length
_WRITING = """
chdir chmod copy_file_range fchdir fchmod fchmodat fdatasync flock fsync ftruncate mkdir mkdirat rename
renameat renameat2 rmdir sendfile truncate umask unlink unlinkat utime utimensat utimes
"""
_STARTING = """
execve fork kill setitimer setpgid setrlimit setsid tgkill vfork wait4 waitid link linkat symlink symlinkat prlimit64
"""
_CONNECTING = """
bind connect getpeername getsockname getsockopt recvfrom recvmmsg recvmsg sendmmsg sendmsg sendto setsockopt shutdown
"""
_TERMINAL = (0x5401, 0x5413, 0x541B, 0x5450, 0x5451)
"""Questions to a file: is it a terminal, its size, how much is left to read; and whether programs inherit it."""
_FIONBIO = 0x5421
"""A socket that does not wait, as Python's timeouts need it."""
_NAMING = (15, 16)
"""prctl: set and get the name of a thread."""


class _Argument(ctypes.Structure):
    """``struct scmp_arg_cmp``."""

    _fields_ = (("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64))


@cache
def call_filter(writing: bool, starting: bool, network: bool) -> bytes:
    """The allowed system calls as a program for the kernel; all others fail, and calls of i386 or x32 kill the process.

    Raises Fault if libseccomp is missing, or too old.
    """
    library = _libseccomp()
    context = ctypes.c_void_p(library.seccomp_init(_REFUSE))
    try:
        _ended_well(library.seccomp_attr_set(context, _BAD_ARCHITECTURE, _KILL))

        def rule(name: str, *arguments: _Argument, action: int = _ALLOW) -> None:
            number = library.seccomp_syscall_resolve_name(name.encode())
            if number >= 0:  # this processor has it
                conditions = (_Argument * len(arguments))(*arguments)
                _ended_well(library.seccomp_rule_add_array(context, action, number, len(arguments), conditions))

        parts = ((True, _READING), (writing, _WRITING), (starting, _STARTING), (network, _CONNECTING))
        for name in "".join(names for wanted, names in parts if wanted).split():
            rule(name)
        for request in _TERMINAL:
            rule("ioctl", _Argument(1, _EQUAL, request, 0))
        for option in _NAMING:
            rule("prctl", _Argument(0, _EQUAL, option, 0))
        # its arguments are in memory, where no filter sees them; libraries go on with `clone`
        rule("clone3", action=_MISSING)
        if starting:
            rule("clone", _Argument(0, _MASKED_EQUAL, _NEW_NAMESPACES, 0))
        else:
            rule("clone", _Argument(0, _MASKED_EQUAL, _CLONE_THREAD | _NEW_NAMESPACES, _CLONE_THREAD))
            rule("prlimit64", _Argument(0, _EQUAL, 0, 0), _Argument(2, _EQUAL, 0, 0))  # reads its own limits
        if network:
            rule("ioctl", _Argument(1, _EQUAL, _FIONBIO, 0))
            for family in (_AF_INET, _AF_INET6):
                rule("socket", _Argument(0, _EQUAL, family, 0))
            rule("socketpair", _Argument(0, _EQUAL, _AF_UNIX, 0))  # without a name: leads nowhere else
        with tempfile.TemporaryFile() as exported:
            _ended_well(library.seccomp_export_bpf(context, exported.fileno()))
            exported.seek(0)
            return exported.read()
    finally:
        library.seccomp_release(context)


def libseccomp_is_there() -> bool:
    """True if the library is installed."""
    try:
        _libseccomp()
    except Fault:
        return False
    return True


def _libseccomp() -> Any:
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError as e:
        raise Fault(f"libseccomp is not installed; install with: apt-get install libseccomp2 ({e})") from e
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_init.argtypes = (ctypes.c_uint32,)
    library.seccomp_attr_set.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32)
    library.seccomp_rule_add_array.argtypes = (
        ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p,
    )  # fmt: skip
    library.seccomp_export_bpf.argtypes = (ctypes.c_void_p, ctypes.c_int)
    library.seccomp_release.argtypes = (ctypes.c_void_p,)
    return library


def _ended_well(status: int) -> None:
    if status < 0:
        raise Fault(f"libseccomp refused a rule: {os.strerror(-status)}")


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
    """Description of what is to be given up, as values of JSON."""

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
    """Properties of a process behind walls, as it sees them."""

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
