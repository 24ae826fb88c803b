import os
import stat

allowed = {"null", "zero", "full", "random", "urandom", "tty", "ptmx", "fd", "stdin", "stdout", "stderr", "pts", "shm"}
for name in set(os.listdir("/dev")) - allowed:
    print("GOT a device", name)
for name, kind, major, minor in (
    ("disk", stat.S_IFBLK, 254, 0),
    ("memory", stat.S_IFCHR, 1, 1),
    ("port", stat.S_IFCHR, 1, 4),
):
    try:
        os.mknod(f"/tmp/{name}", kind | 0o666, os.makedev(major, minor))
        open(f"/tmp/{name}", "rb")
        print("GOT", name)
    except OSError:
        pass
for path in (
    "/proc/sysrq-trigger",
    "/proc/sys/kernel/core_pattern",
    "/proc/sys/vm/drop_caches",
    "/proc/sys/kernel/hostname",
    "/proc/1/oom_score_adj",
    "/proc/1/mem",
):
    try:
        open(path, "wb").close()
        print("GOT write", path)
    except OSError:
        pass
for path in ("/proc/kcore", "/proc/kmsg", "/proc/1/environ", "/proc/1/maps", "/etc/shadow"):
    try:
        open(path, "rb").read(1)
        print("GOT", path)
    except OSError:
        pass
print("done")
