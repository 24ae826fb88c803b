import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)
REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS)
buffer = ctypes.create_string_buffer(4096)
zero = ctypes.c_void_p(0)
place = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 8)
CALLS = {
    "init_module": (175, buffer, 4096, b""),
    "finit_module": (313, 0, b"", 0),
    "delete_module": (176, b"overlay", 0),
    "kexec_load": (246, 0, 0, zero, 0),
    "kexec_file_load": (320, 0, 0, 0, b"", 0),
    "reboot": (169, 0xFEE1DEAD, 672274793, 0, zero),
    "mount": (165, b"none", b"/mnt", b"tmpfs", 0, zero),
    "umount2": (166, b"/proc", 2),
    "pivot_root": (155, b"/", b"/"),
    "chroot": (161, b"/"),
    "swapon": (167, b"/tmp", 0),
    "fsopen": (430, b"tmpfs", 0),
    "open_tree": (428, -100, b"/", 1),
    "move_mount": (429, -100, b"/tmp", -100, b"/mnt", 0),
    "mount_setattr": (442, -100, b"/", 0, buffer, 32),
    "settimeofday": (164, buffer, zero),
    "clock_settime": (227, 0, buffer),
    "clock_adjtime": (305, 0, (ctypes.c_uint * 64)(1)),
    "sethostname": (170, b"x", 1),
    "setdomainname": (171, b"x", 1),
    "syslog": (103, 3, buffer, 4096),
    "acct": (163, b"/tmp/acct"),
    "quotactl": (179, 0x80000100, b"/dev/vda", 0, zero),
    "iopl": (172, 3),
    "ioperm": (173, 0x70, 2, 1),
    "unshare user": (272, 0x10000000),
    "unshare mount": (272, 0x00020000),
    "unshare pid": (272, 0x20000000),
    "unshare net": (272, 0x40000000),
    "setuid": (105, 0),
    "setgid": (106, 0),
    "setgroups": (116, 1, buffer),
    "ptrace init": (101, 16, 1, zero, zero),
    "process_vm_readv init": (310, 1, place, 1, place, 1, 0),
    "kcmp init": (312, 1, os.getpid(), 0, 0, 0),
    "pidfd_getfd init": (438, 0, 0, 0),
    "perf_event_open": (298, buffer, 0, -1, -1, 0),
    "bpf": (321, 5, buffer, 120),
    "userfaultfd": (323, 0),
    "io_uring_setup": (425, 8, buffer),
    "io_uring_enter": (426, 0, 0, 0, 0, zero),
    "io_uring_register": (427, 0, 0, zero, 0),
    "add_key": (248, b"user", b"a", b"b", 1, -3),
    "request_key": (249, b"user", b"a", zero, 0),
    "keyctl": (250, 0, -3, 1),
    "fanotify_init": (300, 0x0C, 0),
    "open_by_handle_at": (304, -100, buffer, 0),
    "lookup_dcookie": (212, 1, buffer, 4096),
    "nfsservctl": (180, 0, zero, zero),
    "vhangup": (153,),
    "mlockall": (151, 3),
    "sched fifo": (144, 0, 1, ctypes.byref(ctypes.c_int(50))),
}
tried = 0
for name, arguments in CALLS.items():
    child = os.fork()
    if child == 0:
        found = libc.syscall(*(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
        number = ctypes.get_errno()
        os._exit(0 if found != -1 else 1 if number in REFUSED else 2)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    tried += 1
    if status == 0:
        print("GOT", name)
    elif status == 2:
        print("other error", name)
print("done", tried)
