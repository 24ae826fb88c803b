"""The system calls that a process behind walls may make, as a program for the kernel (seccomp).

`libseccomp <https://github.com/seccomp/libseccomp>`_ makes it.  The list says what is allowed; everything else fails
with EPERM, so that a library that merely tries something optional can continue, and the calls of i386 and x32 kill the
process.
"""

from __future__ import annotations

import ctypes
import os
import tempfile
from functools import cache
from typing import Any

from evaluate.core.errors import Fault

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
                found = (_Argument * len(arguments))(*arguments)
                _ended_well(library.seccomp_rule_add_array(context, action, number, len(arguments), found))

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
    """Whether the library is installed."""
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
