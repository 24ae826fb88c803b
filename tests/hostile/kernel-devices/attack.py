import os
import stat
from contextlib import suppress

allowed = {"null", "zero", "full", "random", "urandom", "tty", "ptmx", "fd", "stdin", "stdout", "stderr", "pts", "shm"}
for name in set(os.listdir("/dev")) - allowed:
    print("GOT a device", name)
for name, kind, major, minor in (
    ("disk", stat.S_IFBLK, 254, 0),
    ("memory", stat.S_IFCHR, 1, 1),
    ("port", stat.S_IFCHR, 1, 4),
):
    with suppress(OSError):
        os.mknod(f"/tmp/{name}", kind | 0o666, os.makedev(major, minor))
        open(f"/tmp/{name}", "rb")
        print("GOT", name)
for path in (
    "/proc/sysrq-trigger",
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/vm/drop_caches",
    "/proc/sys/kernel/hostname",
    "/proc/1/oom_score_adj",
    "/proc/1/mem",
):
    with suppress(OSError):
        open(path, "wb").close()
        print("GOT write", path)
for path in ("/proc/kcore", "/proc/kmsg", "/proc/1/environ", "/proc/1/maps", "/etc/shadow"):
    with suppress(OSError):
        open(path, "rb").read(1)
        print("GOT", path)
print("done")
